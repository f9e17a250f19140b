//! Single powers of variable and of fixed bases.

use std::collections::BTreeMap;

use crypto_bigint::BoxedUint;
use moduli::{FixedBase, Method, MultiExponentiation, power::PowerMethod};
use num_bigint::{BigInt, BigUint};
use testing::{Random, big, boxed, ones};

use super::observed::{LookUps, exponent, for_each_size, signed};

/// The shortest length, and lengths for which the kernels run different code.
const SIZES: [(u32, u32); 7] =
    [(64, 64), (256, 160), (1000, 100), (1024, 70), (2048, 128), (3072, 64), (4096, 70)];

/// Fewer lengths, for computations made of the same parts.
const FEW: [(u32, u32); 3] = [(64, 64), (385, 70), (1000, 100)];

#[test]
fn powers_of_a_variable_base() {
    for_each_size(&SIZES, |observed, bits, what| {
        let observed = observed();
        observed.check(bits, LookUps::Alike, what, |e| {
            vec![(observed.modulus.pow(&observed.base, &exponent(e, bits)), vec![e.clone().into()])]
        });
        observed.check(bits, LookUps::Alike, &format!("{what}, signed"), |e| {
            let declared = exponent(e, bits);
            let (e, expected) = signed(&declared);
            vec![(observed.modulus.pow_signed(&observed.base, e).unwrap(), vec![expected])]
        });
    });
}

/// Numbers of whole limbs for which Barrett's estimate of a quotient word is too small by 1 and, if
/// possible, by 2.
fn by_quotients(modulus: &BigUint, longest: u32) -> Vec<BigUint> {
    let (bits, mut random) = (modulus.bits(), Random(1));
    let reciprocal = (BigUint::from(1u32) << (bits + 63)) / modulus;
    let mut found = BTreeMap::new();
    for i in 0..200u32 {
        let quotient = ones(longest) / modulus - random.modulo(&((ones(longest - bits as u32) >> 20) + 1u32));
        let rest = if i % 2 == 0 { random.modulo(modulus) } else { BigUint::from(1000 + i) };
        let number = quotient * modulus + rest;
        if number.bits() <= u64::from(longest) {
            let estimate = ((&number >> (bits - 1)) * &reciprocal) >> 64u32;
            found.insert(&number / modulus - estimate, number);
        }
    }
    assert!(bits % 64 != 1 || found.contains_key(&BigUint::from(2u32)), "{bits} bits");
    found.into_values().collect()
}

/// Compares Barrett's reduction and division of the base with integers.
#[test]
fn bases_are_reduced_before() {
    for_each_size(&FEW, |observed, bits, what| {
        let observed = observed();
        let modulus = big(observed.modulus.value().as_ref());
        let longest = modulus.bits().next_multiple_of(64) as u32;
        let one = BigUint::from(1u32);
        let numbers = [
            &modulus + big(&observed.base),
            (&modulus << 1u32) - 2u32,
            ones(longest),
            ones(longest) - &modulus,
            &one << (longest - 1),
            ones(longest + 1),
            &modulus * &modulus - 2u32,
            ones(4 * longest),
        ];
        for base in numbers.into_iter().chain(by_quotients(&modulus, longest)) {
            let mut book = observed.ledger.book();
            book.begin();
            book.given = vec![(base.clone(), base.bits() as u32)];
            drop(book);
            observed.check(bits, LookUps::Alike, &format!("{what}, {base}"), |e| {
                vec![(observed.modulus.pow(&boxed(&base), &exponent(e, bits)), vec![e.clone().into()])]
            });
        }
    });
}

#[test]
fn powers_of_a_variable_base_by_every_method() {
    let common = [false, true];
    let ladders = common.map(|common_operand| PowerMethod::Ladder { common_operand });
    let buckets = common.map(|common_operand| PowerMethod::RightToLeft { window: 3, common_operand });
    let windows = [1, 2].map(|split| PowerMethod::LeftToRight { window: 4, split });
    let methods = ladders.into_iter().chain(buckets).map(|method| (method, LookUps::Made));
    let methods: Vec<_> = methods.chain(windows.map(|method| (method, LookUps::Alike))).collect();
    for_each_size(&FEW, |observed, bits, what| {
        for &(method, look_ups) in &methods {
            let observed = observed();
            if matches!(method, PowerMethod::LeftToRight { split, .. } if split > observed.modulus.max_split())
            {
                continue;
            }
            observed.check(bits, look_ups, &format!("{what}, {method}"), |e| {
                let power = observed.modulus.pow_with(&observed.base, &exponent(e, bits), method);
                vec![(power.unwrap(), vec![e.clone().into()])]
            });
        }
    });
}

#[test]
fn products_of_powers_of_variable_bases() {
    for_each_size(&SIZES, |observed, bits, what| {
        let observed = observed();
        let bases = [observed.base.clone(), BoxedUint::from(3u32), BoxedUint::from(5u32)];
        observed.check(bits, LookUps::Alike, what, |e| {
            let exponents = [e.clone(), e >> 1u32, ones(bits) ^ e];
            let pairs = bases.iter().zip(exponents.iter().map(|e| exponent(e, bits)));
            let pairs: Vec<_> = pairs.collect();
            let product = observed.modulus.multi_pow(pairs.iter().map(|(x, e)| (*x, e))).unwrap();
            vec![(product, exponents.map(BigInt::from).to_vec())]
        });
    });
}

#[test]
fn powers_of_a_fixed_base() {
    for_each_size(&SIZES, |observed, bits, what| {
        for method in Method::EXAMPLES {
            for split in [1, 2].into_iter().filter(|&split| split == 1 || method.can_split() && bits > 64) {
                let observed = observed();
                let table = observed.table(bits, method, split);
                let what = format!("{what}, {method}, split {split}");
                observed.check(bits, LookUps::of(method), &what, |e| {
                    vec![(table.pow(&exponent(e, bits)).unwrap(), vec![e.clone().into()])]
                });
                observed.check(bits, LookUps::of(method), &format!("{what}, signed"), |e| {
                    let declared = exponent(e, bits);
                    let (e, expected) = signed(&declared);
                    vec![(table.pow(e).unwrap(), vec![expected])]
                });
            }
        }
    });
}

/// Several fixed bases share their squarings, and so do a fixed and a variable base.
#[test]
fn products_of_powers_of_fixed_bases() {
    for_each_size(&FEW, |observed, bits, what| {
        for methods in [["comb:5,3", "comb:4,2"], ["comb:5,3", "radix:16"], ["radix:16", "radix:13"]] {
            let observed = observed();
            let first = observed.table(bits, methods[0].parse().unwrap(), 1);
            let other = boxed(&(big(&observed.base) + 1u32));
            let second = FixedBase::builder(&observed.modulus, &other).exponent_bits(bits);
            let second = second.method(methods[1].parse().unwrap()).build().unwrap();
            let both = MultiExponentiation::new([&first, &second]).unwrap();
            let what = format!("{what}, {methods:?}");
            observed.check(bits, LookUps::Alike, &what, |e| {
                let exponents = [e.clone(), ones(bits) ^ e];
                let declared = exponents.each_ref().map(|e| exponent(e, bits));
                vec![(both.pow(&declared).unwrap(), exponents.map(BigInt::from).to_vec())]
            });
            observed.check(bits, LookUps::Alike, &format!("{what}, a variable base"), |e| {
                let exponents = [e.clone(), ones(bits) ^ e];
                let [a, b] = exponents.each_ref().map(|e| exponent(e, bits));
                let power = first.pow_times(&a, &other, &b).unwrap();
                vec![(power, exponents.map(BigInt::from).to_vec())]
            });
        }
    });
}

/// Entries are read at their addresses, without masks.
#[test]
fn powers_with_public_exponents() {
    for_each_size(&FEW, |observed, bits, what| {
        let variable = observed();
        let bases = [variable.base.clone(), BoxedUint::from(3u32), BoxedUint::from(5u32)];
        variable.check(bits, LookUps::None, what, |e| {
            // No operation is needed for the exponent 0.
            if *e == BigUint::ZERO {
                return Vec::new();
            }
            let power = variable.modulus.pow_vartime(&variable.base, &boxed(e)).unwrap();
            vec![(power, vec![e.clone().into()])]
        });
        variable.check(bits, LookUps::None, &format!("{what}, products"), |e| {
            let exponents = [e.clone(), e + 1u32, e + 2u32];
            let declared: Vec<_> = exponents.iter().map(boxed).collect();
            let product = variable.modulus.multi_pow_vartime(bases.iter().zip(&declared)).unwrap();
            vec![(product, exponents.map(BigInt::from).to_vec())]
        });
        for method in Method::EXAMPLES {
            let observed = observed();
            let table = observed.table(bits, method, 1);
            observed.check(bits, LookUps::None, &format!("{what}, {method}"), |e| {
                vec![(table.pow_vartime(&exponent(e, bits)).unwrap(), vec![e.clone().into()])]
            });
        }
    });
}
