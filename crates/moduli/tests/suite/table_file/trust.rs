//! Only tables with known entries accept secret exponents.

use moduli_kernel::internals::PORTABLE8;
use std::time::Instant;
use testing::all;

use crypto_bigint::BoxedUint;
use moduli::{
    Error, Expected, FixedBase, KernelChoice, MultiExponentiation, SignedExponent, error::TableError,
};

use crate::table_file::{
    Directory, SHAPES, build, bytes_of, forge, group, hex, modulus, open_mapped, read, reason,
};

/// A table file in which the last entry is wrong.
fn forged(table: &FixedBase) -> Vec<u8> {
    let bytes = bytes_of(table);
    let entry = bytes.len() - 32 - 24;
    forge::with(&bytes, entry, &[&[9], &[0; 23][..]].concat())
}

/// The errors of all functions for secret exponents.
fn secret(table: &FixedBase) -> Vec<Option<Error>> {
    let k = &BoxedUint::from(3u64);
    let product = MultiExponentiation::new([table]).unwrap();
    vec![
        table.pow(k).err(),
        table.pow(SignedExponent::new(true, k)).err(),
        table.pow_batch([k; 3]).swap_remove(2).err(),
        table.pow_batch([k; 30]).swap_remove(17).err(),
        table.pow_times(k, k, k).err(),
        table.pow_with_counts(k).err(),
        product.pow([k]).err(),
        product.pow_with_counts([k]).err(),
    ]
}

#[track_caller]
fn refuses(table: &FixedBase) {
    assert!(!table.serves_secret_exponents());
    assert!(secret(table).iter().all(|error| *error == Some(Error::Table(TableError::Unverified))));
    // Public exponents are accepted.
    let k = &BoxedUint::from(3u64);
    table.pow_vartime(k).unwrap();
    all(table.pow_batch_vartime([k; 30]));
    table.pow_times_vartime(k, k, k).unwrap();
    table.pow_with_counts_vartime(k).unwrap();
    MultiExponentiation::new([table]).unwrap().pow_vartime([k]).unwrap();
}

#[track_caller]
fn serves(table: &FixedBase) {
    assert!(table.serves_secret_exponents());
    assert!(secret(table).iter().all(Option::is_none));
}

#[test]
fn a_forged_table_is_not_opened() {
    let (p, g, _) = group();
    let p = modulus(&p, KernelChoice::PORTABLE);
    let forged = forged(&build(&p, &g, "comb:4,2", 1, 30));
    let directory = Directory::new();
    let path = directory.file("table", &forged);
    let expected = Expected::base(&p, &g);
    let wrong = "table entry 29 is not the power of the base that it should be";
    assert_eq!(reason(FixedBase::open(&path, &expected), &path), wrong);
    assert_eq!(reason(open_mapped(&path, &expected), &path), wrong);
    assert_eq!(reason(read(&forged, &expected), "-".as_ref()), wrong);
}

#[test]
fn what_is_opened_unverified_serves_public_exponents_alone() {
    let (p, g, _) = group();
    let p = modulus(&p, KernelChoice::PORTABLE);
    let built = build(&p, &g, "comb:4,2", 1, 30);
    serves(&built);
    let (forged, right) = (forged(&built), bytes_of(&built));
    let directory = Directory::new();
    let unverified = Expected::base_unverified(&p, &g);
    for bytes in [&forged, &right] {
        let path = directory.file("table", bytes);
        refuses(&read(bytes, &unverified).unwrap());
        refuses(&FixedBase::open(&path, &unverified).unwrap());
        refuses(&open_mapped(&path, &unverified).unwrap());
    }
    // A table becomes trusted by a check of all entries (not of some), by the digest, or because
    // the caller vouches for it.
    let table = read(&right, &unverified).unwrap();
    table.verify(Some(29), &|_| {}).unwrap();
    refuses(&table);
    table.verify(None, &|_| {}).unwrap();
    serves(&table);
    serves(&read(&right, &Expected::base(&p, &g)).unwrap());
    serves(&read(&right, &Expected::digest(forge::digest(&right))).unwrap());
    serves(&read(&forged, &unverified).unwrap().trust_unverified_entries());
    // A failed check changes nothing.
    let table = read(&forged, &unverified).unwrap();
    assert_eq!(table.verify(None, &|_| {}), Err(Error::Table(TableError::Entry { index: 29 })));
    refuses(&table);
    // One untrusted factor makes the whole product fail.
    let k = &BoxedUint::from(3u64);
    let mixed = MultiExponentiation::new([&built, &table]).unwrap();
    assert_eq!(mixed.pow([k, k]), Err(Error::Table(TableError::Unverified)));
    mixed.pow_vartime([k, k]).unwrap();
}

#[test]
fn tables_of_every_shape_and_layout_are_verified_when_they_are_opened() {
    let (p, g, order) = group();
    let [one, other] = [KernelChoice::PORTABLE, PORTABLE8].map(|choice| modulus(&p, choice));
    for &(method, split) in SHAPES {
        let builder = FixedBase::builder(&one, &g).exponent_bits(40).method(method.parse().unwrap());
        let bytes = bytes_of(&builder.split(split).order(&order).build().unwrap());
        for p in [&one, &other] {
            serves(&read(&bytes, &Expected::base(p, &g)).unwrap());
        }
    }
}

/// A short file is opened and verified in a short time, whatever its header claims.
#[test]
fn headers_alone_demand_no_work() {
    let p = (BoxedUint::one_with_precision(65_536) << 65_535) + BoxedUint::one();
    let p = modulus(&p, KernelChoice::DETECT);
    // The smallest comb, for exponents of 16 bits. The header is then changed to claim 131072.
    let g = hex("3");
    let table = build(&p, &g, "comb:1,1", 1, 16);
    let bytes = bytes_of(&table);
    assert!(bytes.len() < 26_000, "{}", bytes.len());
    let forged = forge::with(&bytes, forge::EXPONENT_BITS, &131_072u32.to_le_bytes());
    let start = Instant::now();
    for expected in [Expected::base(&p, &g), Expected::base_unverified(&p, &g)] {
        let reason = reason(read(&forged, &expected), "-".as_ref());
        for part in ["exponent bits: 131072", "1 entries", "65536 bits", "4064 entries", "digest"] {
            assert!(reason.contains(part), "{part:?} is missing: {reason}");
        }
        read(&bytes, &expected).unwrap();
    }
    // Far less than a minute, even on a busy machine.
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}
