//! `moduli plan`.

use moduli::KernelChoice;

use crate::support::moduli;

#[test]
fn the_method_stands_on_the_first_line() {
    let run = moduli(["plan", "--group", "electionguard-v2.1", "--budget", "256KiB"]).ok();
    let method = run.first().split(" split ").next().unwrap();
    assert!(
        ["radix:", "comb:", "m0m1:", "residue-digits:"].iter().any(|name| method.starts_with(name)),
        "{method}"
    );
    for part in
        ["table ", "scratch ", "predicted time ", "build time ", "break-even ", "counts ", "runners-up"]
    {
        assert!(run.stdout.contains(&format!("\n{part}")), "{part:?} is missing: {}", run.stdout);
    }
}

#[test]
fn json_holds_what_the_text_says() {
    let json = moduli(["plan", "--bits", "1024", "--exponent-bits", "160", "--budget", "64KiB", "--json"])
        .ok()
        .json();
    assert!(json["bytes"].as_u64().unwrap() <= 65536);
    assert_eq!((json["modulus_bits"].as_u64(), json["exponent_bits"].as_u64()), (Some(1024), Some(160)));
    assert_eq!(json["secrecy"], "secret");
    assert!(json["microseconds"].as_f64().unwrap() > 0.0);
    assert_eq!(json["crowded_microseconds"], json["microseconds"]);
    assert!(!json["runners_up"].as_array().unwrap().is_empty());
}

#[test]
fn the_plan_is_what_is_built() {
    let directory = crate::support::Directory::new();
    let file = directory.join("table");
    let run = moduli([
        "table",
        "build",
        "--group",
        "dsa-1024-160",
        "--budget",
        "40000",
        "--public",
        "-o",
        &file,
        "--json",
    ])
    .ok();
    assert!(run.json()["table_bytes"].as_u64().unwrap() <= 40000);
}

#[test]
fn a_table_for_few_exponentiations_is_small() {
    let bytes = |count: &str| {
        moduli([
            "plan",
            "--bits",
            "2048",
            "--exponent-bits",
            "256",
            "--budget",
            "1MiB",
            "--count",
            count,
            "--json",
        ])
        .ok()
        .json()["bytes"]
            .as_u64()
            .unwrap()
    };
    assert!(bytes("2") < bytes("1000000"));
    for option in ["count", "batch"] {
        for more in [&[][..], &["--front"]] {
            let arguments = ["plan", "--bits", "2048", &format!("--{option}"), "0"];
            moduli(arguments.iter().chain(more)).fails(1, &[option, "at least 1"]);
        }
    }
}

/// The same request always gives the same table, even on a busy machine.
#[test]
fn plans_repeat() {
    let directory = crate::support::Directory::new();
    let build = |name: &str| {
        let file = directory.join(name);
        let options = ["--group", "electionguard-v2.1", "--budget", "256KiB", "-o", &file, "--json"];
        moduli(["table", "build"].iter().chain(&options)).ok().json()["digest"].clone()
    };
    assert_eq!(build("first"), build("second"));
    let plan = || {
        moduli(["plan", "--bits", "2048", "--exponent-bits", "256", "--budget", "4MiB", "--json"]).ok().stdout
    };
    assert_eq!(plan(), plan());
}

#[test]
fn measured_costs_are_kept_in_a_file() {
    let directory = crate::support::Directory::new();
    let file = directory.join("costs");
    let plan = |bits: &str, measure: &[&str]| {
        let options =
            ["plan", "--bits", bits, "--exponent-bits", "160", "--budget", "64KiB", "--costs", &file];
        moduli(options.iter().chain(measure))
    };
    plan("512", &[]).fails(1, &["costs", "No such file"]);
    let first = plan("512", &["--measure"]).ok().stdout;
    // The costs are read, not measured again.
    assert_eq!(plan("512", &["--measure"]).ok().stdout, first);
    assert_eq!(plan("512", &[]).ok().stdout, first);
    plan("8192", &[]).fails(1, &["8192 bits", "--measure"]);
    plan("8192", &["--measure"]).ok();
    plan("8192", &[]).ok();
    assert_eq!(plan("512", &[]).ok().stdout, first);
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(text.lines().count(), 3);
    for (from, to, says) in [
        ("moduli costs 1", "moduli costs 2", "first line"),
        ("squaring ", "squaring x", "a number is missing"),
        ("squaring ", "squaring -", "nanoseconds"),
    ] {
        std::fs::write(&file, text.replace(from, to)).unwrap();
        plan("512", &["--measure"]).fails(1, &["costs", says]);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), text.replace(from, to));
    }
    moduli(["plan", "--bits", "512", "--measure"]).ok();
}

/// Times are a range if the table does not fit in a core's private caches.
#[test]
fn large_tables_have_a_range_of_times() {
    let arguments = |budget| {
        [
            "plan",
            "--bits",
            "3072",
            "--exponent-bits",
            "256",
            "--public",
            "--kernel",
            "fma50",
            "--budget",
            budget,
        ]
    };
    let json = moduli(arguments("64MiB").into_iter().chain(["--json"])).ok().json();
    let [alone, crowded] =
        ["microseconds", "crowded_microseconds"].map(|field| json[field].as_f64().unwrap());
    assert!(json["bytes"].as_u64().unwrap() > 1 << 20 && crowded > 1.01 * alone, "{alone} {crowded}");
    let line = |budget| {
        let text = moduli(arguments(budget)).ok().stdout;
        text.lines().find(|line| line.starts_with("predicted time")).unwrap().to_owned()
    };
    assert!(line("64MiB").contains(&format!(" {alone:.1} to {crowded:.1} µs")), "{}", line("64MiB"));
    assert!(line("64MiB").ends_with("alone to crowded"), "{}", line("64MiB"));
    assert!(!line("1MiB").contains("to"), "{}", line("1MiB"));
}

#[test]
fn a_batch_is_planned_as_one() {
    let time = |batch: &[&str]| {
        let options = ["plan", "--bits", "1024", "--exponent-bits", "256", "--budget", "1MiB", "--json"];
        moduli(options.iter().chain(batch)).ok().json()["microseconds"].as_f64().unwrap()
    };
    assert_eq!(time(&[]), time(&["--batch", "1"]));
    assert!(time(&["--batch", "1000000"]) > 0.0);
    moduli(["plan", "--bits", "1024", "--batch", "many"]).fails(2, &["--batch"]);
}

#[test]
fn bad_requests_are_errors() {
    moduli(["plan", "--bits", "2048", "--exponent-bits", "256", "--budget", "100"])
        .fails(1, &["100 bytes", "the smallest table needs"]);
    moduli(["plan", "--bits", "2048", "--budget", "12parsecs"])
        .fails(1, &["--budget: \"12parsecs\" is not an amount"]);
    moduli(["plan", "--bits", "1000000", "--budget", "1MiB"]).fails(1, &["1000000", "65536"]);
    moduli(["plan", "--bits", "2048", "--exponent-bits", "0", "--budget", "1MiB"])
        .fails(1, &["exponent bits"]);
    moduli(["plan", "--group", "nonesuch", "--budget", "1MiB"]).fails(1, &["nonesuch"]);
    moduli(["plan", "--budget", "1MiB"]).fails(2, &["--group", "--bits"]);
    moduli(["plan", "--group", "modp1536", "--bits", "12", "--budget", "1MiB"]).fails(2, &["--bits"]);
    moduli(["plan", "--bits", "1", "--budget", "1MiB"]).fails(2, &["--bits"]);
}

#[test]
fn a_front_says_what_each_budget_gets() {
    let request = ["plan", "--bits", "2048", "--exponent-bits", "256", "--kernel", "fma50", "--json"];
    let run = |more: &[&str]| moduli(request.iter().chain(more)).ok().json();
    let front = run(&["--front", "--budget", "1MiB"]);
    assert_eq!((front["kernel"].as_str(), front["budget_bytes"].as_u64()), (Some("fma50"), Some(1 << 20)));
    let steps = front["front"].as_array().unwrap();
    assert!(steps.len() > 10);
    for step in steps {
        let plan = run(&["--budget", &step["from_bytes"].to_string()]);
        let fields = ["method", "split", "bytes", "scratch_bytes", "microseconds", "crowded_microseconds"];
        for field in fields.into_iter().chain(["break_even", "products"]) {
            assert_eq!(plan[field], step[field], "{field}");
        }
    }
    let methods = front["methods"].as_array().unwrap();
    let names: Vec<_> = methods.iter().map(|method| method["method"].as_str().unwrap()).collect();
    assert_eq!(names, ["comb", "radix", "residue-digits", "m0m1"]);
    for method in methods {
        let name = method["method"].as_str().unwrap();
        for step in method["front"].as_array().unwrap() {
            assert!(step["method"].as_str().unwrap().starts_with(&format!("{name}:")));
        }
    }
    let text = moduli(request[..7].iter().chain(&["--front"])).ok();
    assert_eq!(text.stdout.lines().count(), steps.len() + 2);
}

#[test]
fn a_kernel_of_another_machine_has_plans() {
    let help = moduli(["plan", "--help"]).ok().stdout;
    for kernel in KernelChoice::ALL.iter().map(|choice| choice.name()) {
        assert!(help.contains(kernel), "{kernel}");
        let json = moduli(["plan", "--bits", "3072", "--exponent-bits", "256", "--kernel", kernel, "--json"])
            .ok()
            .json();
        assert_eq!(json["kernel"], kernel);
    }
    moduli(["plan", "--bits", "2048", "--kernel", "abacus"]).fails(1, &["abacus", "ifma52"]);
    let detected = |more: &[&str]| moduli(["plan", "--bits", "2048"].iter().chain(more)).ok().stdout;
    assert_eq!(detected(&["--kernel", "detect"]), detected(&[]));
    moduli(["plan", "--bits", "60000", "--exponent-bits", "8", "--kernel", "ifma52"]).fails(1, &["51,000"]);
    moduli(["plan", "--bits", "2048", "--kernel", "adx", "--measure"]).fails(2, &["--measure"]);
}

/// The maker is a part of the request, by default that of this machine's processor.
#[test]
fn plans_are_by_the_costs_of_a_maker() {
    let plan = |maker: &[&str]| {
        let request = ["plan", "--bits", "3072", "--budget", "4MiB", "--kernel", "ifma52", "--json"];
        moduli(request.iter().chain(maker)).json()
    };
    let [amd, intel] = ["amd", "intel"].map(|maker| plan(&["--maker", maker]));
    assert_eq!([&amd["maker"], &intel["maker"]], ["amd", "intel"]);
    assert_ne!(amd["method"], intel["method"]);
    let here = plan(&[]);
    assert_eq!(here, if here["maker"] == "amd" { amd } else { intel });
    let measured = moduli(["plan", "--bits", "256", "--budget", "4KiB", "--measure", "--json"]).json();
    assert!(measured["maker"].is_null());
    moduli(["plan", "--bits", "2048", "--maker", "amd", "--measure"]).fails(2, &["--maker"]);
    moduli(["plan", "--bits", "2048", "--maker", "via"]).fails(2, &["via", "amd", "intel"]);
}
