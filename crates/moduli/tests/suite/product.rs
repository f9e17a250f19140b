//! Products of powers with shared squarings: `MultiExponentiation`, `pow_times` and `pow_times_vartime`.

use crypto_bigint::BoxedUint;
use moduli::{
    Error, Exponent, FixedBase, Method, Modulus, MultiExponentiation, Secrecy, SignedExponent,
    error::{ModulusError, ParameterError},
};
use moduli_kernel::internals::PORTABLE4;
use num_bigint::BigUint;
use rayon::prelude::*;
use testing::{Random, big, boxed, ones};

fn table(p: &Modulus, g: &BoxedUint, bits: u32, method: &str, split: u32) -> FixedBase {
    FixedBase::builder(p, g).exponent_bits(bits).method(method.parse().unwrap()).split(split).build().unwrap()
}

/// base^±k, computed with num-bigint.
fn power(base: &BigUint, k: &BigUint, negative: bool, p: &BigUint) -> BigUint {
    let base = if negative { base.modinv(p).unwrap() } else { base.clone() };
    base.modpow(k, p)
}

const SIGNS: [Option<bool>; 3] = [None, Some(false), Some(true)];

fn signed(k: &BoxedUint, sign: Option<bool>) -> SignedExponent<'_> {
    sign.map_or(SignedExponent::from(k), |negative| SignedExponent::new(negative, k))
}

/// s^x·t^y for the exponents of threshold signatures, and three bases with all kinds of tables.
#[test]
fn products_agree_at_real_sizes() {
    let mut random = Random(11);
    let n = random.odd(1536) * random.odd(1536);
    let p = Modulus::new(&boxed(&n)).unwrap();
    let bases: Vec<_> = (0..3).map(|_| random.below(3072) % &n).collect();
    let [s, t, h] = [0, 1, 2].map(|i| boxed(&bases[i]));
    let shapes = [(2022, "comb:6,4", 2), (3558, "comb:5,4,2", 1), (256, "radix:16", 3)];
    let mut tables: Vec<_> = [&s, &t, &h]
        .into_iter()
        .zip(shapes)
        .map(|(g, (bits, method, split))| table(&p, g, bits, method, split))
        .collect();
    tables.push(table(&p, &h, 256, "residue-digits:11,8", 2));
    tables.push(table(&p, &h, 300, "m0m1:11,8", 1));
    let bits = [2022, 3558, 256, 256, 300];
    for members in [&[0usize, 1][..], &[1, 0], &[0, 2], &[2, 3], &[0, 1, 2], &[4, 1, 3], &[3]] {
        let product = MultiExponentiation::new(members.iter().map(|&i| &tables[i])).unwrap();
        for round in 0..2usize {
            let exponents: Vec<_> = members.iter().map(|&i| random.below(bits[i])).collect();
            let exponents =
                if round == 0 { exponents } else { members.iter().map(|&i| ones(bits[i])).collect() };
            let short: Vec<_> = exponents.iter().map(boxed).collect();
            let signs: Vec<_> = (0..members.len()).map(|i| SIGNS[(i + round) % 3]).collect();
            let expected = members.iter().enumerate().fold(BigUint::from(1u32), |product, (i, &member)| {
                product * power(&bases[member.min(2)], &exponents[i], signs[i] == Some(true), &n) % &n
            });
            let with_signs = || short.iter().zip(&signs).map(|(k, &sign)| signed(k, sign));
            assert_eq!(big(&product.pow(with_signs()).unwrap()), expected, "{members:?}");
            assert_eq!(big(&product.pow_vartime(with_signs()).unwrap()), expected, "{members:?}");
        }
    }
}

/// g^a·y^b with a table for g only.
#[test]
fn a_fixed_and_a_variable_base_agree_at_real_sizes() {
    let mut random = Random(12);
    for bits in [1024, 3072] {
        let modulus = random.odd(bits);
        let p = Modulus::new(&boxed(&modulus)).unwrap();
        let (g, y) = (random.below(bits), random.below(bits + 70));
        for (method, split) in [("comb:6,4", 2), ("comb:1,1", 1), ("radix:16", 1), ("residue-digits:11,8", 3)]
        {
            let table = table(&p, &boxed(&g), 256, method, split);
            for (bits_a, bits_b, sign_a, sign_b) in [
                (256, 256, None, None),
                (256, 1, Some(true), None),
                (10, 500, None, Some(true)),
                (255, 37, Some(false), Some(false)),
            ] {
                let (a, b) = (random.below(bits_a), random.below(bits_b));
                for (a, b) in [(&a, &b), (&a, &BigUint::ZERO), (&BigUint::ZERO, &b)] {
                    let expected = power(&g, a, sign_a == Some(true), &modulus)
                        * power(&(&y % &modulus), b, sign_b == Some(true), &modulus)
                        % &modulus;
                    let (short_a, short_b, x) = (boxed(a), boxed(b), boxed(&y));
                    let (a, b) = (signed(&short_a, sign_a), signed(&short_b, sign_b));
                    assert_eq!(
                        big(&table.pow_times(a, &x, b).unwrap()),
                        expected,
                        "{method} {bits_a} {bits_b}"
                    );
                    assert_eq!(big(&table.pow_times_vartime(a, &x, b).unwrap()), expected, "{method}");
                }
            }
        }
    }
}

const TINY: &[(&str, u32)] = &[
    ("radix:7", 1),
    ("comb:1,1", 1),
    ("comb:3,2", 2),
    ("comb:2,2,1", 1),
    ("m0m1:3,2", 1),
    ("residue-digits:5,4", 2),
];

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Every pair of methods and every pair of exponents, over moduli of three 4-bit words.
#[test]
fn products_agree_exhaustively_over_tiny_moduli() {
    assert_eq!(Method::missing_in(TINY.iter().map(|&(method, _)| method)), []);
    let exponents: Vec<_> = (0..32u64).map(BoxedUint::from).collect();
    [257u64, 259, 315, 1001, 2047, 4095].into_par_iter().for_each(|modulus| {
        let p = Modulus::with_kernel(&BoxedUint::from(modulus), PORTABLE4).unwrap();
        let base = |low| (low..).find(|&base| gcd(base, modulus) == 1).unwrap();
        let (g, h) = (base(2), base(modulus / 3));
        let powers = |base| (0..32).scan(1, move |x, _| Some(core::mem::replace(x, *x * base % modulus)));
        let (g_powers, h_powers): (Vec<u64>, Vec<u64>) = powers(g).zip(powers(h)).unzip();
        let (g, h) = (BoxedUint::from(g), BoxedUint::from(h));
        // Exponents of five bits for one base and of three for the other.
        let first: Vec<_> = TINY.iter().map(|&(method, split)| table(&p, &g, 5, method, split)).collect();
        let second: Vec<_> = TINY.iter().map(|&(method, split)| table(&p, &h, 3, method, split)).collect();
        for (i, g_table) in first.iter().enumerate() {
            for (j, h_table) in second.iter().enumerate() {
                let product = MultiExponentiation::new([g_table, h_table]).unwrap();
                for (a, g_power) in exponents.iter().zip(&g_powers) {
                    for (b, h_power) in exponents[..8].iter().zip(&h_powers) {
                        let expected = BoxedUint::from(g_power * h_power % modulus);
                        assert_eq!(product.pow([a, b]).unwrap(), expected, "{modulus} {i} {j} {a} {b}");
                        assert_eq!(
                            product.pow_vartime([a, b]).unwrap(),
                            expected,
                            "{modulus} {i} {j} {a} {b}"
                        );
                    }
                }
            }
            for (a, g_power) in exponents.iter().zip(&g_powers) {
                for (b, h_power) in exponents.iter().zip(&h_powers) {
                    let expected = BoxedUint::from(g_power * h_power % modulus);
                    let short = Exponent::from(b).with_bits(5).unwrap();
                    assert_eq!(g_table.pow_times(a, &h, short).unwrap(), expected, "{modulus} {i} {a} {b}");
                    assert_eq!(
                        g_table.pow_times_vartime(a, &h, b).unwrap(),
                        expected,
                        "{modulus} {i} {a} {b}"
                    );
                }
            }
        }
    });
}

/// A variable base may be 0 or have no inverse if its exponent has no sign.
#[test]
fn variable_bases_need_no_inverse() {
    let p = Modulus::new(&BoxedUint::from(1155u64)).unwrap();
    let (g, a) = (BoxedUint::from(2u64), BoxedUint::from(9u64));
    let table = table(&p, &g, 10, "comb:3,2", 1);
    for x in [0u64, 3, 35, 1155, 1155 * 4 + 33] {
        for b in [0u64, 1, 2, 200] {
            let expected =
                BigUint::from(512u32) * BigUint::from(x).modpow(&b.into(), &1155u32.into()) % 1155u32;
            let (x, b) = (BoxedUint::from(x), BoxedUint::from(b));
            assert_eq!(big(&table.pow_times(&a, &x, &b).unwrap()), expected);
            assert_eq!(big(&table.pow_times_vartime(&a, &x, &b).unwrap()), expected);
            // The result of the constant-time form does not reveal whether b is negative.
            for negative in [false, true] {
                let signed = SignedExponent::new(negative, &b);
                assert!(matches!(table.pow_times(&a, &x, signed), Err(Error::NotInvertible { .. })));
            }
            let public = table.pow_times_vartime(&a, &x, SignedExponent::new(false, &b));
            assert_eq!(big(&public.unwrap()), expected);
        }
    }
}

#[test]
fn squarings_are_shared() {
    let p = Modulus::new(&BoxedUint::from(0xffff_fffbu64)).unwrap();
    let (g, h) = (BoxedUint::from(2u64), BoxedUint::from(3u64));
    let (first, second) = (table(&p, &g, 256, "comb:4,4", 1), table(&p, &h, 160, "comb:5,2", 1));
    let exponents = [boxed(&ones(256)), boxed(&ones(160))];
    let product = MultiExponentiation::new([&first, &second]).unwrap();
    for secrecy in [Secrecy::Secret, Secrecy::Public] {
        let (_, counts) = match secrecy {
            Secrecy::Secret => product.pow_with_counts(&exponents),
            Secrecy::Public => product.pow_with_counts_vartime(&exponents),
        }
        .unwrap();
        // 64 and 32 look-ups, the first of which is copied; as many squarings as for the longer
        // comb.
        assert_eq!((counts.products, counts.squarings), (95, 15));
    }
}

#[test]
fn bad_products_are_named() {
    let modulus = |x: u64| Modulus::new(&BoxedUint::from(x)).unwrap();
    let (p, q) = (modulus(1_000_003), modulus(1_000_005));
    let (g, h) = (BoxedUint::from(2u64), BoxedUint::from(7u64));
    let (first, second) = (table(&p, &g, 10, "comb:3,2", 1), table(&p, &h, 10, "comb:3,2", 1));
    let other = table(&q, &g, 10, "comb:3,2", 1);
    assert!(matches!(
        MultiExponentiation::new([&first, &other]),
        Err(Error::Modulus(ModulusError::Mismatch))
    ));
    assert!(matches!(
        MultiExponentiation::new([]),
        Err(Error::Parameter(ParameterError { name: "bases", .. }))
    ));

    let product = MultiExponentiation::new([&first, &second]).unwrap();
    let k = BoxedUint::from(5u64);
    for count in [0, 1, 3] {
        let exponents: Vec<_> = (0..count).map(|_| &k).collect();
        assert!(matches!(
            product.pow(exponents),
            Err(Error::Parameter(ParameterError { name: "exponents", .. }))
        ));
    }
    let long = BoxedUint::from(1024u64);
    assert!(matches!(product.pow([&k, &long]), Err(Error::ExponentTooLong { max: 10, .. })));
    assert!(matches!(product.pow_vartime([&long, &k]), Err(Error::ExponentTooLong { max: 10, .. })));
    assert!(matches!(first.pow_times(&long, &h, &k), Err(Error::ExponentTooLong { max: 10, .. })));
    // A base without inverse does not accept signed exponents.
    let base = BoxedUint::from(1_000_005u64 / 3);
    let stuck = table(&q, &base, 10, "comb:3,2", 1);
    let product = MultiExponentiation::new([&stuck, &other]).unwrap();
    assert!(product.pow([&k, &k]).is_ok());
    let signs = [SignedExponent::new(false, &k), SignedExponent::from(&k)];
    assert!(matches!(product.pow(signs), Err(Error::NotInvertible { .. })));
}
