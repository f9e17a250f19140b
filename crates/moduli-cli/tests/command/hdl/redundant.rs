//! A core with a redundant channel: its words, and the options that exclude it.

use std::path::Path;

use num_bigint::BigUint;

use super::{Files, P256, hdl};
use crate::support::Directory;

/// Checks every word that the channel reads against its definition modulo 2^w − 1.
fn check(files: &Files) {
    let (n, w) = (files.scalar("N"), files.scalar("W"));
    assert_eq!(files.scalar("REDUNDANT"), 1);
    let one = || BigUint::from(1u32);
    let modulus = (one() << w) - 1u32;
    let p = &files.vector("PRIME")[0];
    let (moduli, second) = (files.vector("MODULI1"), files.vector("MODULI2"));
    for m in moduli.iter().chain(&second) {
        assert!(m < &modulus && m.modinv(&modulus).is_some(), "{m}");
    }
    let product: BigUint = moduli.iter().product();
    let other: BigUint = second.iter().product();
    let (chunks, chunk_w) = (files.scalar("CHUNKS"), files.scalar("CHUNK_W"));
    let expansion =
        |c: BigUint| -> BigUint { (0..chunks).map(|k| ((&c << (chunk_w * k)) % &modulus) << (k * w)).sum() };
    let ext = files.memory(&format!("ext_{n:04}"));
    let over = product.modinv(&modulus).unwrap();
    let power = |k: u32| product.pow(k) % p;
    let negative = |x: &BigUint| &modulus - x % &modulus;
    // The words for a chunk, for digits, for conversion in both directions, and for 1. Those for
    // the first base are not read.
    let mut expected = vec![
        (1, one()),
        (2, one() << w),
        (3, one()),
        (5, power(2) * &over),
        (7, over.clone()),
        (9, power(1)),
    ];
    expected.extend((0..chunks).map(|k| (10 + chunks + k, &over << (chunk_w * k))));
    let forth = 10 + 2 * chunks;
    expected.extend(moduli.iter().enumerate().map(|(k, m)| (forth + k, p * m.modinv(&modulus).unwrap())));
    expected.push((forth + n, negative(p)));
    expected.extend(second.iter().enumerate().map(|(k, m)| (forth + n + 1 + k, &other / m)));
    expected.push((forth + 2 * n + 1, negative(&other)));
    expected.push((forth + 2 * n + 3, power(3) * &over));
    for (address, value) in expected {
        assert_eq!(ext[address], expansion(value % &modulus), "ext {address}");
        assert_eq!(files.case_word("ext", Some(n), address), ext[address]);
    }
}

#[test]
fn every_word_of_the_channel_is_what_it_should_be() {
    let directory = Directory::new();
    for (k, shape) in [
        [P256, "33", "8", "fermat"],
        ["P-256", "64", "5", "fermat"],
        ["P-224", "22", "12", "fermat"],
        ["3fb", "17", "2", "fermat"],
        ["fb", "10", "3", "fermat"],
    ]
    .into_iter()
    .enumerate()
    {
        check(&Files::write(&directory, &format!("core{k}"), shape, &["--redundant"]));
    }
}

/// A guard requires a core with a redundant channel.
#[test]
fn a_guard_watches_a_channel() {
    let directory = Directory::new();
    let shape = ["3fb", "17", "2", "fermat"];
    let files = Files::write(&directory, "core", shape, &["--redundant", "--guard"]);
    assert_eq!((files.scalar("REDUNDANT"), files.scalar("GUARD")), (1, 1));
    check(&files);
    assert_eq!(Files::write(&directory, "other", shape, &["--redundant"]).scalar("GUARD"), 0);
    hdl(shape, &["--guard", "-o", &directory.join("none")]).fails(2, &["--redundant"]);
}

/// Without the channel, none of its words are written.
#[test]
fn a_core_without_it_has_no_words() {
    let directory = Directory::new();
    let files = Files::write(&directory, "core", ["P-256", "33", "8", "fermat"], &[]);
    assert_eq!(files.scalar("REDUNDANT"), 0);
    assert!(!Path::new(&directory.join("core/ext_0008.hex")).exists());
    assert!(!files.case.contains("gen_channel_8"));
}

#[test]
fn other_cores_have_no_channel() {
    let directory = Directory::new();
    let path = directory.join("core");
    for inversion in ["binary", "binary-ternary", "wide", "divstep"] {
        hdl(["P-256", "33", "8", inversion], &["--redundant", "-o", &path])
            .fails(2, &["--redundant", "--inversion fermat"]);
    }
    hdl(["P-256", "33", "8", "fermat"], &["--redundant", "--program", "power.rns", "-o", &path])
        .fails(2, &["--redundant", "--program"]);
    hdl(["7", "8", "3", "fermat"], &["--redundant", "-o", &path]).fails(1, &["channels", "two bases"]);
    assert!(directory.names().is_empty());
}
