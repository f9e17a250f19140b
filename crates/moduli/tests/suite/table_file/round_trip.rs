use crypto_bigint::BoxedUint;
use moduli::{Error, Expected, FixedBase, KernelChoice, Method, Modulus, TableInfo};
use moduli_kernel::internals::{PORTABLE4, PORTABLE8};

use crate::table_file::{
    Directory, SHAPES, build, bytes_of, forge, group, hex, modulus, open_mapped, read, reason,
};

const BITS: u32 = 40;

fn exponents() -> Vec<BoxedUint> {
    ["0", "1", "2", "7fffffffff", "8000000000", "ffffffffff", "123456789a"].map(hex).into()
}

/// The same shape, the same powers, the same bytes.
fn assert_equal(found: &FixedBase, original: &FixedBase) {
    assert_eq!(found.shape(), original.shape());
    assert_eq!(found.base(), original.base());
    assert_eq!(found.order(), original.order());
    assert_eq!(found.modulus().value(), original.modulus().value());
    assert_eq!(found.table_bytes(), original.table_bytes());
    for k in &exponents() {
        let power = found.modulus().pow_vartime(found.base(), k).unwrap();
        assert_eq!(found.pow(k).unwrap(), power);
        assert_eq!(found.pow_vartime(k).unwrap(), power);
        let signed = moduli::SignedExponent::new(true, k);
        assert_eq!(found.pow(signed), original.pow(signed));
    }
    assert_eq!(bytes_of(found), bytes_of(original));
}

fn check(p: &Modulus, g: &BoxedUint, order: Option<&BoxedUint>, method: &str, split: u32) {
    let directory = Directory::new();
    let path = directory.path("table");
    let builder = FixedBase::builder(p, g).exponent_bits(BITS).method(method.parse().unwrap()).split(split);
    let table = if let Some(order) = order { builder.order(order) } else { builder }.build().unwrap();
    table.save(&path).unwrap();
    assert_eq!(directory.names(), ["table"]);

    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(bytes, bytes_of(&table));
    let info = TableInfo::read(&path).unwrap();
    assert_eq!(info.digest(), forge::digest(&bytes));
    assert_eq!(info.shape(), table.shape());
    assert_eq!(info.modulus(), p.value().as_ref());
    assert_eq!(info.base(), g);
    assert_eq!(info.order(), order);
    assert_eq!(info.entries(), table.shape().entries());
    assert_eq!(info.table_bytes(), table.table_bytes());

    let expected = Expected::base(p, g);
    for found in [FixedBase::open(&path, &expected), read(&bytes, &expected)] {
        let found = found.unwrap();
        assert!(!found.is_mapped() && !found.was_converted());
        assert_equal(&found, &table);
        found.verify(None, &|_| {}).unwrap();
        found.verify(Some(5), &|_| {}).unwrap();
    }
    let mapped = open_mapped(&path, &expected).unwrap();
    assert!(mapped.is_mapped() && !mapped.was_converted());
    assert_equal(&mapped, &table);
    mapped.verify(None, &|_| {}).unwrap();
}

#[test]
fn every_method_and_split() {
    assert_eq!(Method::missing_in(SHAPES.iter().map(|&(method, _)| method)), []);
    let (p, g, order) = group();
    let p = modulus(&p, KernelChoice::PORTABLE);
    for &(method, split) in SHAPES {
        check(&p, &g, None, method, split);
        check(&p, &g, Some(&order), method, split);
    }
}

#[test]
fn every_method_and_split_on_small_words() {
    for choice in [PORTABLE4, PORTABLE8] {
        let p = modulus(&hex("3ffdd"), choice);
        for &(method, split) in SHAPES {
            check(&p, &hex("3fabc"), None, method, split);
        }
    }
}

#[test]
fn headers_that_end_at_and_around_a_line() {
    // 84 bytes and the numbers: base and modulus end at 128 bytes if they have 44 bytes together.
    for bytes in [21, 22, 23, 53, 54, 55] {
        let zeros = "0".repeat(2 * bytes - 2);
        let p = modulus(&hex(&format!("81{}1", &zeros[1..])), KernelChoice::PORTABLE);
        check(&p, &hex(&format!("80{zeros}")), None, "comb:3,2", 2);
    }
}

#[test]
fn a_base_without_inverse() {
    let p = modulus(&hex("ffff"), KernelChoice::PORTABLE);
    check(&p, &hex("3"), None, "comb:4,3,2", 1);
    let bytes = bytes_of(&build(&p, &hex("2"), "residue-digits:11,8", 1, BITS));
    let forged = forge::with(&bytes, forge::NUMBERS + 2, &[3]);
    let error = read(&forged, &Expected::base(&p, &hex("3"))).map(|_| ()).unwrap_err();
    assert_eq!(error.to_string(), "-: not invertible: the common factor with the modulus is 0x3");
}

#[test]
fn by_a_trusted_digest() {
    let (p, g, _) = group();
    let p = Modulus::new(&p).unwrap();
    let directory = Directory::new();
    let path = directory.path("table");
    let table = build(&p, &g, "comb:4,2", 1, BITS);
    table.save(&path).unwrap();
    let digest = TableInfo::read(&path).unwrap().digest();
    assert_equal(&FixedBase::open(&path, &Expected::digest(digest)).unwrap(), &table);
    let mapped = open_mapped(&path, &Expected::digest(digest)).unwrap();
    assert!(mapped.is_mapped());
    assert_equal(&mapped, &table);

    let mut other = digest;
    other[31] ^= 1;
    for found in
        [FixedBase::open(&path, &Expected::digest(other)), open_mapped(&path, &Expected::digest(other))]
    {
        assert_eq!(reason(found, &path), "checksum: that of the file is not the expected one");
    }
}

#[test]
fn another_modulus_or_base_than_expected() {
    let (p, g, _) = group();
    let p = modulus(&p, KernelChoice::PORTABLE);
    let bytes = bytes_of(&build(&p, &g, "comb:4,2", 1, BITS));
    let refused = |expected: &Expected<'_>| match read(&bytes, expected).map(|_| ()) {
        Err(Error::File(error)) => error.reason.to_string(),
        other => panic!("{other:?}"),
    };
    let other = modulus(&hex("3ffffffec000000000000006ffffffdcf"), KernelChoice::PORTABLE);
    assert_eq!(refused(&Expected::base(&other, &g)), "modulus: that of the table is not the expected one");
    let longer = modulus(&hex("3ffffffec000000000000006ffffffdd10000000000000001"), KernelChoice::PORTABLE);
    assert_eq!(refused(&Expected::base(&longer, &g)), "modulus: that of the table is not the expected one");
    for base in [hex("2"), BoxedUint::zero(), p.value().as_ref().clone()] {
        assert_eq!(refused(&Expected::base(&p, &base)), "base: that of the table is not the expected one");
    }
    // The expected base is reduced, at every precision.
    let unreduced = g.concatenating_add(p.value().as_ref());
    read(&bytes, &Expected::base(&p, &unreduced)).unwrap();
}
