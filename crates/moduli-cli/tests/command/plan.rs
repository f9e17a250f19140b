//! `moduli plan`.

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
}

#[test]
fn bad_requests_are_errors() {
    moduli(["plan", "--bits", "2048", "--exponent-bits", "256", "--budget", "100"])
        .fails(1, &["100 bytes", "the smallest table needs"]);
    moduli(["plan", "--bits", "2048", "--budget", "12parsecs"]).fails(1, &["12parsecs"]);
    moduli(["plan", "--bits", "1000000", "--budget", "1MiB"]).fails(1, &["1000000", "65536"]);
    moduli(["plan", "--bits", "2048", "--exponent-bits", "0", "--budget", "1MiB"])
        .fails(1, &["exponent bits"]);
    moduli(["plan", "--group", "nonesuch", "--budget", "1MiB"]).fails(1, &["nonesuch"]);
    moduli(["plan", "--budget", "1MiB"]).fails(2, &["--group", "--bits"]);
    moduli(["plan", "--group", "modp1536", "--bits", "12", "--budget", "1MiB"]).fails(2, &["--bits"]);
    moduli(["plan", "--bits", "1", "--budget", "1MiB"]).fails(2, &["--bits"]);
}
