//! `moduli dsa sign`, `verify` and `bench`.

use std::fs;

use crypto_bigint::BoxedUint;
use moduli::{
    groups::Group,
    scheme::dsa::{DomainParameters, PublicKey},
};
use num_bigint::BigUint;

use crate::support::{Directory, bytes, command, finish, moduli, moduli_with};

const GROUP: &str = "dsa-1024-160";

struct Keys {
    directory: Directory,
    private: String,
    public: String,
}

fn keys() -> Keys {
    let directory = Directory::new();
    let (private, public) = (directory.join("private"), directory.join("public"));
    moduli(["dsa", "keygen", "--group", GROUP, "-o", &private, "--public-key", &public]).ok();
    Keys { directory, private, public }
}

/// DER of two integers, from their bytes.
fn der(r: &[u8], s: &[u8]) -> Vec<u8> {
    let integer = |value: &[u8]| [&[2, value.len() as u8], value].concat();
    let content = [integer(r), integer(s)].concat();
    [&[0x30, content.len() as u8], &content[..]].concat()
}

#[test]
fn files_are_signed_and_verified() {
    let Keys { directory, private, public } = keys();
    let files: Vec<String> =
        (0..40).map(|i| directory.file(&format!("file{i:02}"), format!("text {i}"))).collect();
    let run =
        moduli(["dsa", "sign", "--key", &private].into_iter().map(String::from).chain(files.clone())).ok();
    let expected: String = files.iter().map(|file| format!("{file}.sig\n")).collect();
    assert_eq!(run.stdout, expected);
    for key in [&private, &public] {
        let verify = ["dsa", "verify", "--key", key].into_iter().map(String::from);
        let expected: String = files.iter().map(|file| format!("{file}: OK\n")).collect();
        assert_eq!(moduli(verify.chain(files.clone())).ok().stdout, expected);
    }
    // A changed text and a missing file; the others are unchanged.
    fs::write(&files[3], "another text").unwrap();
    fs::remove_file(&files[5]).unwrap();
    let verify = ["dsa", "verify", "--key", &public].into_iter().map(String::from);
    let run = moduli(verify.chain(files.clone()));
    assert_eq!(run.status, 1);
    let failed: Vec<&str> = run.stdout.lines().filter(|line| line.ends_with(": FAILED")).collect();
    assert_eq!(failed, [format!("{}: FAILED", files[3]), format!("{}: FAILED", files[5])]);
    assert_eq!(run.stdout.lines().filter(|line| line.ends_with(": OK")).count(), 38);
    assert_eq!(run.stderr.lines().count(), 2, "{}", run.stderr);
    assert!(run.stderr.lines().all(|line| line.starts_with("moduli: ")), "{}", run.stderr);
}

#[test]
fn every_hash_and_a_table_of_ones_own_serve() {
    let Keys { directory, private, public } = keys();
    let (document, table) = (directory.file("document", "text"), directory.join("table"));
    moduli(["table", "build", "--group", GROUP, "--budget", "32KiB", "-o", &table]).ok();
    for hash in ["sha224", "sha256", "sha384", "sha512"] {
        for options in [["--budget", "16KiB"], ["--table", &table]] {
            let sign = ["dsa", "sign", "--key", &private, "--hash", hash, "--force", &document];
            moduli(sign.iter().chain(&options)).ok();
            moduli(["dsa", "verify", "--key", &public, "--hash", hash, &document]).ok();
            let other = if hash == "sha256" { "sha512" } else { "sha256" };
            assert_eq!(moduli(["dsa", "verify", "--key", &public, "--hash", other, &document]).status, 1);
        }
    }
    moduli(["dsa", "sign", "--key", &private, "--hash", "md5", "--force", &document])
        .fails(1, &["no hash function is called \"md5\"; there are sha224, sha256, sha384, sha512\n"]);
    moduli(["dsa", "sign", "--key", &private, "--hash", "sha1", "--force", &document]).fails(1, &["SHA-1"]);
    moduli(["dsa", "sign", "--key", &private, "--budget", "9", "--force", &document])
        .fails(1, &["9 bytes", "smallest"]);
    moduli(["dsa", "sign", "--key", &private, "--budget", "1MiB", "--table", &table, &document])
        .fails(2, &["--table"]);
}

#[test]
fn signatures_are_replaced_only_by_force() {
    let Keys { directory, private, .. } = keys();
    let first = directory.file("first", "1");
    let second = directory.file("second", "2");
    directory.file("second.sig", "precious");
    moduli(["dsa", "sign", "--key", &private, &first, &second]).fails(1, &["second.sig", "--force"]);
    assert_eq!(directory.names(), ["first", "private", "public", "second", "second.sig"]);
    assert_eq!(fs::read_to_string(directory.join("second.sig")).unwrap(), "precious");
    moduli(["dsa", "sign", "--key", &private, "--force", &first, &second]).ok();
    assert_ne!(fs::read(directory.join("second.sig")).unwrap(), b"precious");
}

#[test]
fn nothing_is_signed_unless_all_can_be() {
    let Keys { directory, private, .. } = keys();
    let document = directory.file("document", "text");
    let missing = directory.join("missing");
    moduli(["dsa", "sign", "--key", &private, &document, &missing]).fails(1, &[&missing, "No such file"]);
    moduli(["dsa", "sign", "--key", &private, &document, directory.path().to_str().unwrap()])
        .fails(1, &["directory"]);
    assert_eq!(directory.names(), ["document", "private", "public"]);
    // The name of its signature is longer than file systems allow.
    let long = directory.file(&"f".repeat(253), "text");
    moduli(["dsa", "sign", "--key", &private, &document, &long]).fails(1, &[&long]);
    assert_eq!(directory.names(), ["document", &"f".repeat(253), "private", "public"]);
    moduli(["dsa", "sign", "--key", &private]).fails(2, &["FILE"]);
}

#[test]
fn standard_input_is_signed_to_standard_output() {
    let Keys { directory, private, public } = keys();
    let output = bytes(command().args(["dsa", "sign", "--key", &private, "-"]), b"text");
    assert!(output.status.success());
    let signature = directory.file("signature", &output.stdout);
    let verify = ["dsa", "verify", "--key", &public, "--signature", &signature, "-"];
    assert_eq!(moduli_with(verify, "text").ok().stdout, "-: OK\n");
    assert_eq!(moduli_with(verify, "test").complains(1, &["signature"]).stdout, "-: FAILED\n");
    moduli(["dsa", "verify", "--key", &public, "-"]).fails(2, &["--signature"]);
    moduli(["dsa", "verify", "--key", &public, "--signature", "s", "a", "b"]).fails(2, &["--signature"]);
    moduli(["dsa", "sign", "--key", &private, "-", "a"]).fails(2, &["standard input"]);
}

#[test]
fn json_is_one_document() {
    let Keys { directory, private, public } = keys();
    let (a, b) = (directory.file("a", "1"), directory.file("b", "2"));
    let json = moduli(["dsa", "sign", "--json", "--key", &private, &a, &b]).ok().json();
    assert_eq!((json["count"].as_u64(), json["signatures"][1]["file"].as_str()), (Some(2), Some(b.as_str())));
    let der = json["signatures"][0]["der"].as_str().unwrap();
    let written = fs::read(format!("{a}.sig")).unwrap();
    assert_eq!(der, written.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
    fs::write(&b, "3").unwrap();
    let run = moduli(["dsa", "verify", "--json", "--key", &public, &a, &b]).complains(1, &[&b]);
    let json = run.json();
    assert_eq!((json["ok"].as_u64(), json["failed"].as_u64()), (Some(1), Some(1)));
    assert_eq!(
        (json["verdicts"][0]["ok"].as_bool(), json["verdicts"][1]["ok"].as_bool()),
        (Some(true), Some(false))
    );
}

#[test]
fn malformed_signatures_fail() {
    let Keys { directory, private, public } = keys();
    let document = directory.file("document", "text");
    moduli(["dsa", "sign", "--key", &private, &document]).ok();
    let good = fs::read(format!("{document}.sig")).unwrap();
    let q = moduli(["groups", GROUP, "--json"]).ok().json()["q"].as_str().unwrap().to_owned();
    let q: Vec<u8> = (0..20).map(|i| u8::from_str_radix(&q[2 * i..2 * i + 2], 16).unwrap()).collect();
    let q = [&[0], &q[..]].concat();
    let mut longer = good.clone();
    longer.push(0);
    for bad in [
        vec![],
        b"not a signature".to_vec(),
        good[..good.len() - 1].to_vec(),
        longer,
        der(&[0], &[1]),
        der(&[1], &[0]),
        der(&[0x80], &[1]),
        der(&[0, 1], &[1]),
        der(&q, &[1]),
        der(&[1], &q),
        der(&[1], &[1]),
        vec![0x30; 10_000],
    ] {
        let signature = directory.file("bad", &bad);
        let verify = ["dsa", "verify", "--key", &public, "--signature", &signature, &document];
        assert_eq!(moduli(verify).complains(1, &[]).stdout, format!("{document}: FAILED\n"), "{bad:?}");
    }
}

#[test]
fn a_forgery_is_an_error_even_if_nobody_reads_the_answer() {
    let Keys { directory, private, public } = keys();
    let document = directory.file("document", "text");
    moduli(["dsa", "sign", "--key", &private, &document]).ok();
    fs::write(&document, "test").unwrap();
    let mut child = command()
        .args(["dsa", "verify", "--key", "-", &document])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let key = fs::read(&public).unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), &key).unwrap();
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(1));
}

#[test]
fn speed_is_measured() {
    let run = moduli(["dsa", "bench", "--group", GROUP, "--budget", "32KiB", "--rounds", "1"]).ok();
    for line in ["signatures ", "verifications "] {
        assert!(run.stdout.contains(&format!("\n{line}")), "{}", run.stdout);
    }
    let json = moduli(["dsa", "bench", "--group", GROUP, "--budget", "32KiB", "--rounds", "1", "--json"])
        .ok()
        .json();
    assert!(json["signatures"]["one_core"].as_f64().unwrap() > 0.0);
    moduli(["dsa", "bench", "--group", "nonesuch"]).fails(1, &["nonesuch"]);
}

#[test]
fn a_portable_kernel_verifies_what_another_signed() {
    let Keys { directory, private, public } = keys();
    let document = directory.file("document", "text");
    moduli(["dsa", "sign", "--key", &private, &document]).ok();
    let mut verify = command();
    verify.args(["dsa", "verify", "--key", &public, &document]).env("MODULI_KERNEL", "portable");
    finish(&mut verify, b"").ok();
}

#[test]
fn validation_finds_a_composite_p() {
    let Keys { directory, private, public } = keys();
    let document = directory.file("document", "text");
    moduli(["dsa", "sign", "--key", &private, &document]).ok();
    moduli(["dsa", "verify", "--validate", "--key", &public, &document]).ok();
    // g has order q modulo p and is 1 modulo the other factor.
    let group = Group::named(GROUP).unwrap();
    let [p, q, g] =
        [group.modulus(), group.order(), group.generator()].map(|x| BigUint::from_bytes_be(&x.to_be_bytes()));
    let factor = &q * 2u32 + 1u32;
    let g = (g - 1u32) * factor.modinv(&p).unwrap() % &p * &factor + 1u32;
    let [p, q, g] = [p * factor, q, g].map(|x| BoxedUint::from_be_slice_vartime(&x.to_bytes_be()));
    let parameters = DomainParameters::new(&p, &q, &g).unwrap();
    let key = directory.file("composite", PublicKey::new(&parameters, &g).unwrap().to_pem().unwrap());
    assert_eq!(moduli(["dsa", "verify", "--key", &key, &document]).status, 1);
    moduli(["dsa", "verify", "--validate", "--key", &key, &document])
        .fails(1, &["composite: key: p is not prime"]);
}
