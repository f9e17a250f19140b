//! `moduli rsa`.

use std::fs;

use num_bigint::BigUint;

use crate::support::{Directory, bytes, command, finish, hex_numbers, moduli, moduli_with};

/// A key of 1024 bits for tests, PKCS#8.
const KEY: &str = include_str!("rsa_key.pem");

struct Keys {
    directory: Directory,
    private: String,
    n: BigUint,
}

fn keys() -> Keys {
    let directory = Directory::new();
    let private = directory.file("private", KEY);
    let n = finish(
        std::process::Command::new("openssl").args(["rsa", "-noout", "-modulus", "-in", &private]),
        b"",
    );
    let n = n.stdout.trim().strip_prefix("Modulus=").map(str::to_owned).unwrap();
    Keys { directory, private, n: BigUint::parse_bytes(n.as_bytes(), 16).unwrap() }
}

#[test]
fn files_are_signed_and_verified() {
    let Keys { directory, private, .. } = keys();
    let files: Vec<String> =
        (0..40).map(|i| directory.file(&format!("file{i:02}"), format!("text {i}"))).collect();
    for options in [&[][..], &["--pss"], &["--pkcs1"], &["--salt-bytes", "0"], &["--hash", "sha384"]] {
        let with = |verb: &str| {
            let start = ["rsa", verb, "--key", &private].into_iter().chain(options.iter().copied());
            start.map(str::to_owned).chain(files.clone()).collect::<Vec<_>>()
        };
        let expected: String = files.iter().map(|file| format!("{file}.sig\n")).collect();
        assert_eq!(moduli([with("sign"), vec!["--force".into()]].concat()).ok().stdout, expected);
        let expected: String = files.iter().map(|file| format!("{file}: OK\n")).collect();
        assert_eq!(moduli(with("verify")).ok().stdout, expected);
        assert_eq!(fs::read(format!("{}.sig", files[0])).unwrap().len(), 128);
    }
    // Two paths to one file: nothing is written.
    fs::write(directory.join("one"), "text").unwrap();
    let (one, again) = (directory.join("one"), directory.join("../").to_owned());
    let again = format!("{again}{}/one", directory.path().file_name().unwrap().to_string_lossy());
    moduli(["rsa", "sign", "--key", &private, &one, &again]).fails(2, &[&again, "is to be signed twice"]);
    assert!(!std::path::Path::new(&format!("{one}.sig")).exists());
    // The default is PSS with a salt as long as the digest. The last run used another hash
    // function.
    moduli(["rsa", "sign", "--force", "--key", &private, &files[0]]).ok();
    moduli(["rsa", "verify", "--pss", "--salt-bytes", "32", "--key", &private, &files[0]]).ok();
    for other in [&["--pkcs1"][..], &["--hash", "sha512"], &["--salt-bytes", "31"]] {
        let verify = ["rsa", "verify", "--key", &private, &files[0]];
        let run = moduli(verify.iter().chain(other)).complains(1, &[&files[0], "signature"]);
        assert_eq!(run.stdout, format!("{}: FAILED\n", files[0]));
    }
    fs::write(&files[0], "another text").unwrap();
    moduli(["rsa", "verify", "--key", &private, &files[0]]).complains(1, &["does not match this message"]);
}

#[test]
fn options_that_do_not_go_together() {
    let Keys { directory, private, .. } = keys();
    let document = directory.file("document", "text");
    let sign = |options: &[&'static str]| {
        let start = ["rsa", "sign", "--key", &private, &document];
        moduli(start.iter().chain(options))
    };
    sign(&["--pss", "--pkcs1"]).fails(2, &["--pkcs1"]);
    sign(&["--pkcs1", "--salt-bytes", "3"]).fails(2, &["--salt-bytes"]);
    sign(&["--hash", "md5"]).fails(1, &["\"md5\"; there are sha224, sha256"]);
    sign(&["--hash", "sha1"]).fails(1, &["SHA-1"]);
    sign(&["--hash", "sha512"]).fails(1, &["signature scheme: needs 130 bytes; this key has 128"]);
    moduli(["rsa", "sign", "--key", &private, &document, &document]).fails(2, &[&document, "twice"]);
    assert_eq!(directory.names(), ["document", "private"]);
    sign(&[]).ok();
    sign(&[]).fails(1, &["--force"]);
    moduli(["rsa", "sign", "--key", &document, &document, "--force"]).fails(1, &[&document, "no PEM block"]);
    let der = directory.file("der", [0x30, 0x82, 0xff]);
    moduli(["rsa", "sign", "--key", &der, &document, "--force"]).fails(1, &[&der, "not text", "PEM"]);
}

#[test]
fn standard_input_and_json() {
    let Keys { directory, private, .. } = keys();
    let output = bytes(command().args(["rsa", "sign", "--key", &private, "-"]), b"text");
    assert!(output.status.success());
    let signature = directory.file("signature", &output.stdout);
    let verify = ["rsa", "verify", "--key", &private, "--signature", &signature, "-"];
    assert_eq!(moduli_with(verify, "text").ok().stdout, "-: OK\n");
    assert_eq!(moduli_with(verify, "test").complains(1, &["signature"]).stdout, "-: FAILED\n");
    let document = directory.file("document", "text");
    let json = moduli(["rsa", "sign", "--json", "--key", &private, &document]).ok().json();
    let written = fs::read(format!("{document}.sig")).unwrap();
    let hex: String = written.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(json["signatures"][0]["hex"].as_str(), Some(hex.as_str()));
    for bad in [vec![], written[1..].to_vec(), [&written[..], &[0]].concat(), vec![0xff; 128], vec![1; 9000]]
    {
        let signature = directory.file("bad", &bad);
        let verify = ["rsa", "verify", "--key", &private, "--signature", &signature, &document];
        assert_eq!(moduli(verify).complains(1, &[]).stdout, format!("{document}: FAILED\n"));
    }
}

#[test]
fn raw_operations_are_undone_by_e() {
    let Keys { directory, private, n } = keys();
    let mut values = vec!["0".to_owned(), "1".to_owned(), (&n - 1u32).to_str_radix(16)];
    values.extend(hex_numbers(1, 97, 255));
    for options in
        [&["sign-raw"][..], &["decrypt-raw"], &["decrypt-raw", "--blind-exponents", "--threads", "1"]]
    {
        let key = ["--key", private.as_str()];
        let arguments = ["rsa"].into_iter().chain(options.iter().copied()).chain(key);
        let run = moduli_with(arguments.clone(), &values.join("\n")).ok();
        let powers: Vec<&str> = run.stdout.lines().collect();
        assert_eq!(powers.len(), values.len());
        assert_eq!((powers[0], powers[1], powers[2]), ("0", "1", values[2].as_str()));
        for (value, power) in values.iter().zip(&powers) {
            let number = |hex: &str| BigUint::parse_bytes(hex.as_bytes(), 16).unwrap();
            assert_eq!(number(power).modpow(&BigUint::from(65_537u32), &n), number(value));
        }
        let file = directory.file("values", values.join("\r\n"));
        let from_file = moduli(arguments.clone().chain(["--input", &file])).ok();
        assert_eq!(from_file.stdout, run.stdout);
        let json = moduli(arguments.chain(["--input", &file, "--json"])).ok().json();
        assert_eq!((json["count"].as_u64(), json["results"][2].as_str()), (Some(100), Some(powers[2])));
    }
}

#[test]
fn a_bad_value_is_named_by_its_line() {
    let Keys { directory: _directory, private, n } = keys();
    let n_hex = n.to_str_radix(16);
    for (input, line, reason) in [
        (format!("1\n2\n{n_hex}\n4\n"), 3, "value: must be below the modulus n"),
        (format!("{n_hex}{n_hex}\n"), 1, "value: must be below the modulus n"),
        ("1\n-2\n".to_owned(), 2, "value: must not be negative"),
        ("1\nx\n".to_owned(), 2, "not a hexadecimal number"),
        ("1\n\n2".to_owned(), 2, "empty"),
    ] {
        for verb in ["sign-raw", "decrypt-raw"] {
            moduli_with(["rsa", verb, "--key", &private], &input)
                .complains(1, &[&format!("line {line}: "), reason]);
        }
    }
    moduli(["rsa", "sign-raw", "--key", &private]).ok();
}

/// A new key, generated by OpenSSL.
fn generated(directory: &Directory, name: &str, arguments: &[&str]) -> String {
    let path = directory.join(name);
    let mut openssl = std::process::Command::new("openssl");
    let output = openssl.args(arguments).args(["-out", &path]).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    path
}

#[test]
fn keys_of_other_kinds_and_damaged_ones_are_named() {
    let Keys { directory, private, .. } = keys();
    let made = |name, arguments: &[&str]| generated(&directory, name, arguments);
    let public = made("public", &["rsa", "-in", &private, "-pubout"]);
    let wrapped = format!("{}\n-----END PRIVATE KEY-----\n", &KEY[..KEY.len() / 2]);
    let cases = [
        (
            made("ec", &["ecparam", "-name", "prime256v1", "-genkey"]),
            "there is EC PARAMETERS, EC PRIVATE KEY",
        ),
        (
            made("ed25519", &["genpkey", "-algorithm", "ed25519"]),
            "not an RSA key: its algorithm is Ed25519 (1.3.101.112)",
        ),
        (
            made("short", &["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:512"]),
            "n has 512 bits; 1024 to 16384 are supported",
        ),
        (
            made(
                "three",
                &[
                    "genpkey",
                    "-algorithm",
                    "RSA",
                    "-pkeyopt",
                    "rsa_keygen_bits:1024",
                    "-pkeyopt",
                    "rsa_keygen_primes:3",
                ],
            ),
            "more than two primes",
        ),
        (made("encrypted", &["genpkey", "-algorithm", "RSA", "-aes128", "-pass", "pass:x"]), "encrypted"),
        (
            made("pss", &["genpkey", "-algorithm", "RSA-PSS", "-pkeyopt", "rsa_keygen_bits:1024"]),
            "a key for RSASSA-PSS alone",
        ),
        (public.clone(), "no PEM block labelled PRIVATE KEY or RSA PRIVATE KEY; there is PUBLIC KEY"),
        (directory.file("empty", ""), "no PEM block"),
        (directory.file("begun", &KEY[..100]), "the PEM block has no end"),
        (directory.file("cut", &KEY[..KEY.len() - 10]), "the PEM block has no end"),
        (directory.file("wrapped", wrapped), "malformed"),
        (directory.file("long", vec![b'A'; 2 << 20]), "longer than 1048576 bytes"),
        (directory.join("missing"), "No such file"),
        (directory.path().display().to_string(), "directory"),
    ];
    let document = directory.file("document", "text");
    let before = directory.names();
    for (key, reason) in &cases {
        moduli(["rsa", "sign", "--key", key, &document]).fails(1, &[key, reason]);
        for verb in ["sign-raw", "decrypt-raw"] {
            moduli_with(["rsa", verb, "--key", key], "1\n").fails(1, &[key, reason]);
        }
        if *key != public {
            moduli(["rsa", "verify", "--key", key, "--signature", &private, &document]).fails(1, &[key]);
        }
    }
    // The second file cannot be read, so the first gets no signature either.
    moduli(["rsa", "sign", "--key", &private, &document, &cases[12].0])
        .fails(1, &["missing", "No such file"]);
    moduli(["rsa", "sign-raw", "--key", &private, "--input", &cases[12].0])
        .fails(1, &["missing", "No such file"]);
    assert_eq!(directory.names(), before);
}
