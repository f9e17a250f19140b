//! Every fixed-base method over tiny moduli: every exponent, several limbs, both kinds of secrecy.

use crypto_bigint::BoxedUint;
use moduli::{Error, FixedBase, Method, Modulus, Secrecy, SignedExponent, error::TableError};
use moduli_kernel::internals::{PORTABLE4, PORTABLE8};
use rayon::prelude::*;

const EXPONENT_BITS: u32 = 10;

/// Shapes at the limits and between them: `(method, split)`.
const SHAPES: &[(&str, u32)] = &[
    ("radix:2", 1),
    ("radix:7", 2),
    ("radix:16", 3),
    ("radix:1023", 1),
    ("comb:1,1", 1),
    ("comb:1,3", 2),
    ("comb:2,2,1", 3),
    ("comb:3,2", 2),
    ("comb:4,3,2", 1),
    ("comb:10,1", 2),
    ("m0m1:3,2", 1),
    ("m0m1:11,8", 1),
    ("m0m1:7,6", 1),
    ("residue-digits:3,2", 2),
    ("residue-digits:11,8", 1),
    ("residue-digits:7,6", 3),
    ("residue-digits:5,4", 1),
    ("residue-digits:1021,2", 1),
];

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn check(modulus: u64, base: u64, exponents: &[BoxedUint]) {
    // Moduli that are 1 modulo 4 use 4-bit words (three limbs above 2^8), the others 8-bit words.
    let choice = if modulus % 4 == 1 { PORTABLE4 } else { PORTABLE8 };
    let p = Modulus::with_kernel(&BoxedUint::from(modulus), choice).unwrap();
    let g = BoxedUint::from(base);
    let limbs = if choice == PORTABLE4 { 4 } else { 8 };
    let max_split = (64 - modulus.leading_zeros()).div_ceil(limbs);
    let mut powers = vec![1 % modulus];
    for _ in 1..exponents.len() {
        powers.push(powers[powers.len() - 1] * base % modulus);
    }
    for &(method, split) in SHAPES {
        let split = split.min(max_split);
        let table = FixedBase::builder(&p, &g)
            .exponent_bits(EXPONENT_BITS)
            .method(method.parse().unwrap())
            .split(split)
            .build();
        if base == 0 {
            assert_eq!(table.map(|_| ()), Err(Error::Table(TableError::BaseZero)));
            continue;
        }
        let invertible = gcd(base, modulus) == 1;
        if !invertible && (method.starts_with("m0m1") || method.starts_with("residue")) {
            assert!(matches!(table.map(|_| ()), Err(Error::NotInvertible { .. })));
            continue;
        }
        let table = table.unwrap();
        for secrecy in [Secrecy::Secret, Secrecy::Public] {
            for (exponent, &power) in exponents.iter().zip(&powers) {
                let (found, _) = match secrecy {
                    Secrecy::Secret => table.pow_with_counts(exponent),
                    Secrecy::Public => table.pow_with_counts_vartime(exponent),
                }
                .unwrap();
                assert_eq!(
                    found.as_words()[0],
                    power,
                    "{base}^{exponent} mod {modulus}, {method} split {split}, {secrecy:?}"
                );
            }
        }
        // Every eighth exponent also with a sign.
        for (exponent, &power) in exponents.iter().zip(&powers).step_by(8) {
            for e in [SignedExponent::new(true, exponent), SignedExponent::new(false, exponent)] {
                match (table.pow(e), table.pow_vartime(e)) {
                    (Ok(constant_time), Ok(public)) if invertible => assert_eq!(constant_time, public),
                    (Err(a), Err(b)) if !invertible => assert_eq!(a, b),
                    other => panic!("{base}^-{exponent} mod {modulus}, {method}: {other:?}"),
                }
            }
            if invertible {
                let inverse = table.pow(SignedExponent::new(true, exponent)).unwrap().as_words()[0];
                assert_eq!(inverse * power % modulus, 1 % modulus);
            }
        }
    }
}

fn over(moduli: impl Fn(u64) -> bool + Sync) {
    let exponents: Vec<_> = (0..1u64 << EXPONENT_BITS).map(BoxedUint::from).collect();
    let odd = (3u64..1 << 9).into_par_iter().filter(|modulus| modulus % 2 == 1);
    odd.filter(|&modulus| moduli(modulus)).for_each(|modulus| {
        for base in [2 % modulus, modulus - 3] {
            check(modulus, base, &exponents);
        }
    });
}

#[test]
fn every_method_over_every_modulus_below_2_5_and_some_below_2_9() {
    assert_eq!(Method::missing_in(SHAPES.iter().map(|&(method, _)| method)), []);
    // Alternately 1 and 3 modulo 4, for both sizes of words.
    over(|modulus| modulus < 1 << 5 || modulus % 26 == 1);
}

#[test]
#[ignore = "half a minute on one core: make test-long"]
fn every_method_over_every_modulus_below_2_9() {
    over(|_| true);
}

#[test]
fn bases_with_and_without_inverse() {
    let exponents: Vec<_> = (0..1u64 << EXPONENT_BITS).map(BoxedUint::from).collect();
    for (modulus, base) in [(15, 0), (15, 3), (45, 15), (231, 154), (255, 255 * 2), (9, 3), (3, 4)] {
        check(modulus, base % modulus, &exponents);
    }
}

#[test]
fn exponents_past_the_table_are_refused() {
    let p = Modulus::new(&BoxedUint::from(101u64)).unwrap();
    let g = BoxedUint::from(2u64);
    let table = FixedBase::builder(&p, &g).exponent_bits(10).method("comb:3,2".parse().unwrap());
    let table = table.build().unwrap();
    let long = BoxedUint::from(1024u64);
    assert_eq!(table.pow(&long), Err(Error::ExponentTooLong { bits: None, max: 10 }));
    assert_eq!(table.pow_vartime(&long), Err(Error::ExponentTooLong { bits: Some(11), max: 10 }));
}
