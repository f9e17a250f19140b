//! Table files with the right modulus and base and a right checksum, but with chosen entries.
//!
//! If the entries are small primes, signatures reveal the key: `scripts/forged_table.py` shows
//! this.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    process::Stdio,
};

use moduli::scheme::dsa::Hash;
use num_bigint::BigUint;

use crate::support::{Directory, command, finish, moduli, moduli_with};

const GROUP: &str = "dsa-1024-160";

/// A table with one entry per bit, all of them small numbers. The layout is that of 64-bit limbs,
/// in Montgomery form.
fn forge(directory: &Directory) -> String {
    let table = directory.join("table");
    let mut build = command();
    build.args(["table", "build", "--group", GROUP, "--method", "comb:1,160", "-o", &table]);
    finish(build.env("MODULI_KERNEL", "portable"), b"").ok();
    let p = moduli(["--json", "groups", GROUP]).ok().json()["p"].as_str().unwrap().to_owned();
    let p = BigUint::parse_bytes(p.as_bytes(), 16).unwrap();
    let mut file = fs::read(&table).unwrap();
    let end = file.len() - 32;
    let entries = file[end - 160 * 128..end].chunks_exact_mut(128);
    for (entry, small) in entries.zip(2u32..) {
        let residue = (BigUint::from(small) << 1024u32) % &p;
        entry.fill(0);
        let bytes = residue.to_bytes_le();
        entry[..bytes.len()].copy_from_slice(&bytes);
    }
    let digest = Hash::Sha256.digest(&file[..end]);
    file[end..].copy_from_slice(&digest);
    directory.file("table", file)
}

#[test]
fn neither_signs_nor_computes() {
    let directory = Directory::new();
    let table = forge(&directory);
    let (key, document) = (directory.join("key"), directory.file("document", "text"));
    moduli(["dsa", "keygen", "--group", GROUP, "-o", &key]).ok();
    let wrong = [&table[..], "table entry 0 is not the power of the base"];
    moduli(["dsa", "sign", "--key", &key, "--table", &table, &document]).fails(1, &wrong);
    for options in [&[][..], &["--public"], &["--mmap"], &["--mmap", "--public"]] {
        moduli_with(["pow", "--table", &table].iter().chain(options), "2\n").fails(1, &wrong);
    }
    let results = directory.join("results");
    moduli_with(["pow", "--table", &table, "--output", &results], "2\n").fails(1, &wrong);
    // With the kernel for which the file was written, so that no conversion is reported.
    let mut verify = command();
    verify.args(["table", "verify", &table]).env("MODULI_KERNEL", "portable");
    finish(&mut verify, b"").fails(1, &wrong);
    assert_eq!(directory.names(), ["document", "key", "table"]);
}

#[test]
fn signs_by_a_trusted_digest_and_the_check_finds_out() {
    let directory = Directory::new();
    let table = forge(&directory);
    let (key, document) = (directory.join("key"), directory.file("document", "text"));
    moduli(["dsa", "keygen", "--group", GROUP, "-o", &key]).ok();
    let digest =
        moduli(["table", "info", &table, "--json"]).ok().json()["digest"].as_str().unwrap().to_owned();
    // The file has the layout of one kernel, and another may be running.
    let sign = |options: &[&str]| {
        let mut sign = command();
        sign.args(["dsa", "sign", "--key", &key, "--table", &table]).args(options).arg(&document);
        finish(sign.env("MODULI_KERNEL", "portable"), b"")
    };
    sign(&["--digest", &"0".repeat(64)]).fails(1, &["checksum"]);
    sign(&["--digest", "12"]).fails(1, &["--digest", "64"]);
    sign(&["--digest", &digest, "--check"]).fails(1, &["not released"]);
    assert_eq!(directory.names(), ["document", "key", "table"]);
    sign(&["--digest", &digest]).ok();
    assert_eq!(moduli(["dsa", "verify", "--key", &key, &document]).status, 1);
    moduli(["dsa", "sign", "--key", &key, "--digest", &digest, &document]).fails(2, &["--table"]);
}

#[test]
fn the_check_says_nothing_of_right_signatures() {
    let directory = Directory::new();
    let (key, document) = (directory.join("key"), directory.file("document", "text"));
    moduli(["dsa", "keygen", "--group", GROUP, "-o", &key]).ok();
    let sign = ["dsa", "sign", "--key", &key, "--force", &document];
    let usual = moduli(sign).ok().stdout;
    let signature = fs::read(format!("{document}.sig")).unwrap();
    assert_eq!(moduli(sign.iter().chain(&["--check"])).ok().stdout, usual);
    assert_eq!(fs::read(format!("{document}.sig")).unwrap(), signature);
}

#[cfg(unix)]
#[test]
fn what_others_can_write_to_is_not_mapped_for_secrets() {
    use std::os::unix::fs::PermissionsExt;
    let directory = Directory::new();
    let table = directory.join("table");
    moduli(["table", "build", "--group", GROUP, "--method", "comb:2,1", "-o", &table]).ok();
    let run = |options: &[&str]| moduli_with(["pow", "--table", &table].iter().chain(options), "5\n");
    // Whether a run has mapped the table while it waits for its next line.
    let maps = |options: &[&str]| {
        let mut child = command()
            .args(["pow", "--table", &table])
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(b"5\n").unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let maps = fs::read_to_string(format!("/proc/{}/maps", child.id()));
        drop(input);
        child.wait().unwrap();
        maps.is_ok_and(|maps| maps.contains(&table))
    };
    let power = run(&[]).ok().stdout;
    for mode in [0o600, 0o644, 0o664, 0o646] {
        fs::set_permissions(&table, fs::Permissions::from_mode(mode)).unwrap();
        assert_eq!(run(&["--mmap", "--public"]).ok().stdout, power);
        if cfg!(target_os = "linux") {
            assert_eq!(maps(&["--mmap"]), mode & 0o022 == 0, "{mode:o}");
            assert!(maps(&["--mmap", "--public"]) && !maps(&[]));
        }
        let secret = run(&["--mmap"]);
        assert_eq!(secret.stdout, power);
        if mode & 0o022 == 0 {
            secret.ok();
        } else {
            secret.complains(0, &[&table, "read into memory instead of mapped"]);
        }
    }
    // The owner of a file can write to it whatever its mode is. Only root can change the owner.
    fs::set_permissions(&table, fs::Permissions::from_mode(0o644)).unwrap();
    if std::os::unix::fs::chown(&table, Some(65534), None).is_ok() {
        run(&["--mmap"]).complains(0, &[&table, "read into memory instead of mapped"]);
    }
}

/// All entries of this table are right, but the order of 2 modulo 3^40 has small factors, so
/// results reveal the exponent.
#[test]
fn a_table_of_another_modulus_is_refused_where_one_is_named() {
    let directory = Directory::new();
    let table = directory.join("table");
    let p = BigUint::from(3u32).pow(40);
    let modulus = format!("{p:x}");
    let arguments =
        ["table", "build", "--modulus", &modulus, "--base", "2", "--exponent-bits", "60", "-o", &table];
    moduli(arguments).ok();
    let pow =
        |options: &[&str]| moduli_with(["pow", "--table", &table].iter().chain(options), "123456789abcdef\n");
    let right = pow(&["--modulus", &modulus, "--base", "2"]).ok().stdout;
    pow(&["--group", GROUP]).fails(1, &[&table, "modulus"]);
    pow(&["--modulus", &modulus, "--base", "5"]).fails(1, &[&table, "base"]);
    pow(&["--modulus", &modulus]).fails(2, &["--base"]);
    pow(&["--group", GROUP, "--digest", "00"]).fails(2, &["--digest"]);
    // Without a named modulus, the command trusts the file. This computes the discrete logarithm
    // from the result, one factor 3 of the order at a time (Pohlig and Hellman).
    assert_eq!(pow(&[]).ok().stdout, right);
    let power = BigUint::parse_bytes(right.trim().as_bytes(), 16).unwrap();
    let order = BigUint::from(2u32) * BigUint::from(3u32).pow(39);
    let (two, mut found, mut known) = (BigUint::from(2u32), BigUint::ZERO, BigUint::from(1u32));
    for factor in [2u32].into_iter().chain([3; 39]) {
        known *= factor;
        let digit = (0..factor).find(|&digit| {
            let candidate = &found + BigUint::from(digit) * (&known / factor);
            let rest = &power * two.modpow(&candidate, &p).modinv(&p).unwrap() % &p;
            rest.modpow(&(&order / &known), &p) == BigUint::from(1u32)
        });
        found += BigUint::from(digit.unwrap()) * (&known / factor);
    }
    assert_eq!(found, BigUint::from(0x123_4567_89ab_cdefu64));
}

#[test]
fn results_do_not_replace_the_table() {
    let directory = Directory::new();
    let table = directory.join("table");
    moduli(["table", "build", "--modulus", "fff1", "--base", "2", "-o", &table]).ok();
    let before = fs::read(&table).unwrap();
    moduli_with(["pow", "--table", &table, "--output", &table], "5\n")
        .fails(1, &[&table, "the table itself"]);
    assert_eq!(fs::read(&table).unwrap(), before);
}
