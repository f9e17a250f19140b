//! `moduli table`: the tables that it builds, and those that it rejects.

use crate::support::{Directory, bytes, command, finish, moduli, moduli_with};

const P: &str = "ffffffffffffffc5";

fn build<'a>(modulus: &'a str, base: &'a str, file: &'a str) -> Vec<&'a str> {
    vec!["table", "build", "--modulus", modulus, "--base", base, "--exponent-bits", "64", "-o", file]
}

#[test]
fn every_method_gives_the_same_powers() {
    let directory = Directory::new();
    let file = directory.join("table");
    let powmod =
        moduli(["powmod", "--modulus", P, "--base", "5", "--exponent", "123456789abcdef0"]).ok().stdout;
    for (method, options) in [
        ("auto", &[][..]),
        ("auto", &["--budget", "2KiB", "--public"]),
        ("radix:16", &[]),
        ("comb:5,2", &["--split", "1"]),
        ("comb:4,3,1", &[]),
        ("m0m1:7,3", &[]),
        ("residue-digits:7,3", &[]),
    ] {
        let build = build(P, "5", &file);
        let run = moduli(build.iter().chain(&["--force", "--method", method]).chain(options)).ok();
        if method != "auto" {
            assert_eq!(run.first(), method);
        }
        assert!(run.stdout.contains("\nbuild time "), "{}", run.stdout);
        assert_eq!(
            moduli_with(["pow", "--table", &file], "123456789abcdef0").ok().stdout,
            powmod,
            "{method}"
        );
        assert_eq!(moduli(["table", "verify", &file]).ok().first(), "OK");
    }
    assert_eq!(directory.names(), ["table"]);
}

#[test]
fn a_table_describes_itself() {
    let directory = Directory::new();
    let file = directory.join("table");
    let built = moduli(build(P, "5", &file).iter().chain(&["--method", "comb:4,2", "--json"])).ok().json();
    let info = moduli(["table", "info", &file]).ok();
    assert_eq!(info.first(), "comb:4,2");
    assert!(info.stdout.contains(&format!("\nmodulus        {P} (64 bits)\n")), "{}", info.stdout);
    assert!(info.stdout.contains("\nbase           5\n"), "{}", info.stdout);
    let json = moduli(["table", "info", &file, "--json"]).ok().json();
    for field in ["method", "split", "exponent_bits", "entries", "table_bytes", "modulus", "base", "digest"] {
        assert!(!json[field].is_null() && json[field] == built[field], "{field}");
    }
    assert_eq!((json["entries"].as_u64(), json["modulus"].as_str()), (Some(30), Some(P)));
}

#[test]
fn verification_names_its_base() {
    let directory = Directory::new();
    let file = directory.join("table");
    moduli(build(P, "5", &file).iter().chain(&["--method", "comb:4,2"])).ok();
    let run = moduli(["table", "verify", &file]).ok();
    assert_eq!(run.first(), "OK");
    for part in ["30 of 30 entries", P, "\nbase           5\n", "check for yourself", "\ndigest "] {
        assert!(run.stdout.contains(part), "{part:?} is missing: {}", run.stdout);
    }
    // The sample would take longer than all entries, so all are checked.
    assert!(moduli(["table", "verify", &file, "--sample", "7"]).ok().stdout.contains("30 of 30 entries"));
    let large = directory.join("large");
    moduli(build(P, "5", &large).iter().chain(&["--method", "comb:12,1"])).ok();
    let run = moduli(["table", "verify", &large, "--sample", "7"]).ok();
    assert!(run.stdout.contains("7 of 4095 entries"), "{}", run.stdout);
    let json = moduli(["table", "verify", &file, "--sample", "1000", "--json"]).ok().json();
    assert_eq!((json["ok"].as_bool(), json["entries_checked"].as_u64()), (Some(true), Some(30)));
    moduli(["table", "verify", &file, "--sample", "0"]).fails(1, &["sample"]);
}

#[test]
fn a_group_brings_its_order() {
    let directory = Directory::new();
    let file = directory.join("table");
    let build = ["table", "build", "--group", "modp1536", "--method", "comb:2,1", "-o", &file, "--json"];
    let json = moduli(build).ok().json();
    // Exponents have the length that RFC 7919 requires. The order is much longer, so the table does
    // not contain it.
    assert_eq!((json["exponent_bits"].as_u64(), json.get("order")), (Some(225), None));
    let build = ["table", "build", "--group", "dsa-1024-160", "--method", "comb:2,1", "-o", &file, "--json"];
    moduli(build).fails(1, &["table", "exists already; --force"]);
    let json = moduli(build.iter().chain(&["--force"])).ok().json();
    assert_eq!((json["exponent_bits"].as_u64(), json["order"].as_str().map(str::len)), (Some(160), Some(40)));
}

#[test]
fn a_table_goes_to_standard_output() {
    let directory = Directory::new();
    let file = directory.join("table");
    moduli(build(P, "5", &file).iter().chain(&["--method", "comb:4,2"])).ok();
    let output = bytes(command().args(build(P, "5", "-")).args(["--method", "comb:4,2"]), b"");
    assert!(output.status.success() && output.stderr.is_empty());
    assert!(output.stdout == std::fs::read(&file).unwrap());
    moduli(build(P, "5", "-").iter().chain(&["--json"])).fails(2, &["--json"]);
}

#[test]
fn bad_numbers_build_nothing() {
    let directory = Directory::new();
    let file = directory.join("table");
    for (modulus, base, parts) in [
        ("10", "3", &["modulus", "even"][..]),
        ("0", "3", &["modulus", "greater than 1"]),
        ("1", "3", &["modulus", "greater than 1"]),
        (P, "0", &["base is 0"]),
        (P, P, &["base is 0"]),
        ("xyz", "3", &["--modulus", "'x'"]),
        (P, "3.5", &["--base", "'.'"]),
    ] {
        moduli(build(modulus, base, &file)).fails(1, parts);
        assert!(directory.names().is_empty());
    }
}

#[test]
fn bad_shapes_build_nothing() {
    let directory = Directory::new();
    let file = directory.join("table");
    for (options, parts) in [
        (&["--budget", "7"][..], &["7 bytes", "the smallest table needs"][..]),
        (&["--budget", "lots"], &["lots"]),
        (&["--method", "sorcery"], &["sorcery", "radix:R"]),
        (&["--method", "radix:1"], &["radix"]),
        (&["--method", "comb:99,1"], &["teeth"]),
        (&["--method", "m0m1:6,3"], &["m0"]),
        (&["--method", "comb:4,2", "--split", "100"], &["split"]),
        (&["--exponent-bits", "0"], &["exponent bits"]),
        (&["--exponent-bits", "999999999"], &["exponent bits"]),
    ] {
        let build = ["table", "build", "--modulus", P, "--base", "5", "-o", &file];
        moduli(build.iter().chain(options)).fails(1, parts);
        assert!(directory.names().is_empty());
    }
    // The kernel determines how many bytes a residue occupies.
    let mut comb = command();
    comb.args(["table", "build", "--modulus", P, "--base", "5", "-o", &file])
        .env("MODULI_KERNEL", "portable");
    finish(comb.args(["--method", "comb:4,2", "--budget", "16"]), b"").fails(1, &["16 bytes", "240"]);
    // A base that shares a factor with the modulus has no inverse.
    moduli(build("f", "3", &file).iter().chain(&["--method", "residue-digits:7,3"]))
        .fails(1, &["not invertible"]);
    moduli(build(P, "5", &directory.join("none/table"))).fails(1, &["none/table"]);
    assert!(directory.names().is_empty());
}

#[test]
fn the_base_is_named_once() {
    moduli(["table", "build", "-o", "t"]).fails(2, &["--group", "--modulus"]);
    moduli(["table", "build", "--modulus", "7", "-o", "t"]).fails(2, &["--base"]);
    moduli(["table", "build", "--group", "modp1536", "--base", "7", "-o", "t"]).fails(2, &["--base"]);
    moduli(["table", "build", "--group", "modp1536"]).fails(2, &["--output"]);
    moduli(["table", "build", "--group", "nonesuch", "-o", "t"]).fails(1, &["nonesuch"]);
    moduli(["table"]).fails(2, &[]);
}

/// Like a redirection of the shell, `--force` keeps the link, and the mode of the file that it
/// points to.
#[cfg(unix)]
#[test]
fn force_keeps_links_and_modes() {
    use std::{
        fs,
        os::unix::fs::{MetadataExt, PermissionsExt, symlink},
    };
    let directory = Directory::new();
    let (file, link) = (directory.file("real", "old"), directory.join("link"));
    symlink("real", &link).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    moduli(build(P, "5", &link)).fails(1, &["link: exists already"]);
    moduli(build(P, "5", &link).iter().chain(&["--force"])).ok();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    moduli(["table", "verify", &file]).ok();
    // A private key is readable only by its owner, whatever file it replaces.
    moduli(["dsa", "keygen", "--group", "dsa-1024-160", "--force", "-o", &file]).ok();
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    symlink("nowhere", directory.join("lost")).unwrap();
    for force in [&[][..], &["--force"]] {
        moduli(build(P, "5", &directory.join("lost")).iter().chain(force))
            .fails(1, &["lost: is a symbolic link to a file that does not exist"]);
    }
    // An administrator does not take a file from its owner and group.
    let owner = |path: &str| {
        let found = fs::metadata(path).unwrap();
        (found.uid(), found.gid())
    };
    if std::os::unix::fs::chown(&file, Some(1234), Some(1235)).is_ok() {
        moduli(build(P, "5", &file).iter().chain(&["--force"])).ok();
        assert_eq!(owner(&file), (1234, 1235));
    }
}
