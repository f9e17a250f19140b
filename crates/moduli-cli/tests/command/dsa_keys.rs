//! `moduli dsa keygen`, and invalid keys.

use std::fs;

use num_bigint::BigUint;

use crate::support::{Directory, Run, moduli, moduli_with};

const GROUP: &str = "dsa-1024-160";

/// An Ed25519 key: RFC 8410, section 10.3.
const OTHER_PRIVATE: &str = "-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
-----END PRIVATE KEY-----
";
const OTHER_PUBLIC: &str = "-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=
-----END PUBLIC KEY-----
";

fn parameters(directory: &Directory, change: impl Fn(&str, BigUint) -> BigUint) -> String {
    let json = moduli(["groups", GROUP, "--json"]).ok().json();
    let text: String = ["p", "q", "g"]
        .iter()
        .map(|name| {
            let value = BigUint::parse_bytes(json[name].as_str().unwrap().as_bytes(), 16).unwrap();
            format!("{name} {:x}\n", change(name, value))
        })
        .collect();
    directory.file("parameters", text)
}

#[test]
fn a_key_pair_is_written() {
    let directory = Directory::new();
    let (key, public) = (directory.join("key"), directory.join("public"));
    let run = moduli(["dsa", "keygen", "--group", GROUP, "-o", &key, "--public-key", &public]).ok();
    assert_eq!(run.first(), key);
    assert!(fs::read_to_string(&key).unwrap().starts_with("-----BEGIN PRIVATE KEY-----\n"));
    assert!(fs::read_to_string(&public).unwrap().starts_with("-----BEGIN PUBLIC KEY-----\n"));
    assert_eq!(directory.names(), ["key", "public"]);
    let another = directory.join("another");
    let json = moduli(["dsa", "keygen", "--group", GROUP, "-o", &another, "--json"]).ok().json();
    assert_eq!(
        (json["private_key"].as_str(), json["modulus_bits"].as_u64()),
        (Some(another.as_str()), Some(1024))
    );
    assert_ne!(fs::read(&key).unwrap(), fs::read(&another).unwrap());
}

#[cfg(unix)]
#[test]
fn only_the_owner_can_read_a_private_key() {
    use std::os::unix::fs::PermissionsExt;
    let directory = Directory::new();
    let key = directory.join("key");
    moduli(["dsa", "keygen", "--group", GROUP, "-o", &key]).ok();
    assert_eq!(fs::metadata(&key).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn keys_are_replaced_only_by_force() {
    let directory = Directory::new();
    let key = directory.file("key", "precious");
    let public = directory.join("public");
    let keygen = ["dsa", "keygen", "--group", GROUP, "-o", &key, "--public-key", &public];
    moduli(keygen).fails(1, &[&key, "exists", "--force"]);
    assert_eq!((fs::read_to_string(&key).unwrap().as_str(), directory.names().len()), ("precious", 1));
    moduli(keygen.iter().chain(&["--force"])).ok();
    assert!(fs::read_to_string(&key).unwrap().contains("PRIVATE KEY"));
    fs::remove_file(&key).unwrap();
    moduli(keygen).fails(1, &[&public, "exists"]);
    assert_eq!(directory.names(), ["public"]);
}

#[test]
fn a_key_goes_to_standard_output() {
    let run = moduli(["dsa", "keygen", "--group", GROUP, "-o", "-"]).ok();
    assert!(run.stdout.starts_with("-----BEGIN PRIVATE KEY-----\n"));
    let directory = Directory::new();
    let document = directory.file("document", "text");
    moduli_with(["dsa", "sign", "--key", "-", &document], &run.stdout).ok();
    moduli(["dsa", "keygen", "-o", "-", "--json"]).fails(2, &["--json"]);
    moduli(["dsa", "keygen", "-o", "k", "--public-key", "k"]).fails(2, &["same file"]);
    moduli(["dsa", "keygen", "-o", "k", "--public-key", "./k", "--force"]).fails(2, &["same file"]);
    // If one of the two files cannot be written, neither is.
    let directory = Directory::new();
    let (folder, public) = (directory.path().to_str().unwrap(), directory.join("public"));
    let keygen = ["dsa", "keygen", "--group", GROUP, "-o", folder, "--public-key", &public];
    moduli(keygen).fails(1, &["is not a regular file"]);
    moduli(keygen.iter().chain(&["--force"])).fails(1, &["is not a regular file"]);
    // A name that is longer than file systems allow is noticed when the file is written.
    let long = directory.join(&"k".repeat(256));
    moduli(["dsa", "keygen", "--group", GROUP, "-o", &long, "--public-key", &public]).fails(1, &[&long]);
    assert!(directory.names().is_empty());
}

#[test]
fn parameters_come_from_a_file() {
    let directory = Directory::new();
    let key = directory.join("key");
    for options in [&[][..], &["--json"]] {
        let group = moduli(["groups", GROUP].iter().chain(options)).ok().stdout;
        let file = directory.file("parameters", group);
        moduli(["dsa", "keygen", "--parameters", &file, "-o", &key, "--force"]).ok();
    }
    moduli(["dsa", "keygen", "--parameters", "x", "--group", GROUP, "-o", &key]).fails(2, &["--group"]);
}

#[test]
fn bad_parameters_make_no_key() {
    let directory = Directory::new();
    let key = directory.join("key");
    let attempt = |change: &dyn Fn(&str, BigUint) -> BigUint| -> Run {
        let file = parameters(&directory, change);
        moduli(["dsa", "keygen", "--parameters", &file, "-o", &key])
    };
    let plus = |name: &'static str, amount: u32| {
        move |found: &str, value: BigUint| if found == name { value + amount } else { value }
    };
    // Each change violates a condition: parity, primality, q | p − 1, or the order of g.
    for name in ["p", "q", "g"] {
        attempt(&plus(name, 1)).fails(1, &["parameters", "key: "]);
        attempt(&plus(name, 2)).fails(1, &["parameters", "key: "]);
    }
    // A different prime of 160 bits, from RFC 6979, A.2.1.
    let other = BigUint::parse_bytes(b"996f967f6c8e388d9e28d01e205fba957a5698b1", 16).unwrap();
    attempt(&|name, value| if name == "q" { other.clone() } else { value })
        .fails(1, &["q does not divide p"]);
    attempt(&|name, value| if name == "q" { value * 2u32 } else { value }).fails(1, &["q"]);
    attempt(&|name, value| if name == "g" { BigUint::from(1u8) } else { value }).fails(1, &["g"]);
    moduli(["dsa", "keygen", "--parameters", &directory.file("parameters", "p 7\n"), "-o", &key])
        .fails(1, &["q is missing"]);
    moduli(["dsa", "keygen", "--parameters", &directory.file("parameters", "p 7\nq z\ng 1\n"), "-o", &key])
        .fails(1, &["q: ", "'z'"]);
    moduli(["dsa", "keygen", "--parameters", &directory.join("none"), "-o", &key])
        .fails(1, &["none", "No such file"]);
    moduli(["dsa", "keygen", "--group", "nonesuch", "-o", &key]).fails(1, &["nonesuch"]);
    assert_eq!(directory.names(), ["parameters"]);
}

#[test]
fn files_that_are_not_dsa_keys_are_refused() {
    let directory = Directory::new();
    let document = directory.file("document", "text");
    directory.file("document.sig", "none");
    let good = directory.join("good");
    moduli(["dsa", "keygen", "--group", GROUP, "-o", &good]).ok();
    let cut: String = fs::read_to_string(&good).unwrap().chars().take(300).collect();
    for (text, part) in [
        (OTHER_PRIVATE, "not a DSA key"),
        ("", "no PEM block"),
        ("-----BEGIN PRIVATE KEY-----\n!!!!\n-----END PRIVATE KEY-----\n", "malformed"),
        (&cut, "key: "),
    ] {
        let key = directory.file("key", text);
        moduli(["dsa", "sign", "--key", &key, "--force", &document]).fails(1, &[&key, part]);
        moduli(["dsa", "verify", "--key", &key, &document]).fails(1, &[&key]);
    }
    let key = directory.file("key", OTHER_PUBLIC);
    moduli(["dsa", "verify", "--key", &key, &document]).fails(1, &[&key, "not a DSA key"]);
    moduli(["dsa", "sign", "--key", &key, "--force", &document]).fails(1, &[&key]);
    let key = directory.file("key", b"\xff\xfe");
    moduli(["dsa", "verify", "--key", &key, &document]).fails(1, &[&key, "not text"]);
    let missing = directory.join("missing");
    moduli(["dsa", "sign", "--key", &missing, "--force", &document]).fails(1, &[&missing, "No such file"]);
    assert_eq!(fs::read_to_string(directory.join("document.sig")).unwrap(), "none");
}
