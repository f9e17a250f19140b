//! Compares every method with num-bigint.

use alloc::{vec, vec::Vec};
use crypto_bigint::BoxedUint;
use moduli_kernel::internals::PORTABLE4;
use num_bigint::BigUint;
use zeroize::Zeroizing;

use testing::{Random, big, boxed, extremes, ones};

use super::{
    cost::{Method, Times, cheapest},
    factors::Factors,
    public::product_vartime,
    queue::Queue,
};
use crate::Modulus;
use moduli_kernel::limbs;

const METHODS: [Method; 6] = [
    Method::Straus,
    Method::Euclid,
    Method::Buckets { width: 1 },
    Method::Buckets { width: 3 },
    Method::Buckets { width: 5 },
    Method::Buckets { width: 11 },
];

/// The product by the given method.
fn product(p: &Modulus, pairs: &[(BigUint, BigUint)], method: Method) -> BigUint {
    let mut session = p.session();
    let exponents = pairs.iter().map(|(_, e)| limbs::to_limbs(&boxed(e), 1)).collect();
    let mut factors = Factors::new(session.residue_words(), exponents);
    for (index, (x, _)) in pairs.iter().enumerate() {
        session.to_montgomery(factors.residue(index), &p.reduced_limbs(&boxed(x)));
    }
    big(&p.from_montgomery(&product_vartime(&mut session, factors, method)))
}

fn expected(p: &BigUint, pairs: &[(BigUint, BigUint)]) -> BigUint {
    pairs.iter().fold(BigUint::from(1u32), |product, (x, e)| product * x.modpow(e, p) % p)
}

#[test]
fn every_method_computes_the_product() {
    let mut random = Random(31);
    for (bits, exponent_bits) in [(64, 64), (127, 300), (521, 129), (1536, 160)] {
        for p in [random.odd(bits), ones(bits)] {
            let modulus = Modulus::new(&boxed(&p)).unwrap();
            for count in [0, 1, 2, 3, 7, 8, 9, 33] {
                let mut pairs: Vec<_> =
                    (0..count).map(|_| (random.below(bits) % &p, random.below(exponent_bits))).collect();
                for round in 0..3 {
                    for (pair, extreme) in pairs.iter_mut().zip(extremes(exponent_bits)) {
                        match round {
                            // Lengths of all kinds, some far longer than others.
                            0 => pair.1 >>= random.word() as u32 % exponent_bits,
                            // Equal exponents, and exponents that differ by 1.
                            1 => pair.1 = ones(exponent_bits) - random.word() % 2,
                            _ => {
                                *pair = ([BigUint::ZERO, &p - 1u32][pair.1.bit(0) as usize].clone(), extreme)
                            }
                        }
                    }
                    pairs.retain(|(_, e)| e > &BigUint::ZERO);
                    for method in METHODS {
                        let found = product(&modulus, &pairs, method);
                        assert_eq!(found, expected(&p, &pairs), "{method:?}, {pairs:x?} modulo {p:x}");
                    }
                }
            }
        }
    }
}

/// All pairs and triples of exponents below 16, and all bases, modulo 9 bits in words of 4.
#[test]
fn every_method_agrees_exhaustively_over_tiny_numbers() {
    let p = Modulus::with_kernel(&BoxedUint::from(315u64), PORTABLE4).unwrap();
    let power = |x: u64, e: u64| (0..e).fold(1, |power, _| power * x % 315);
    let mut session = p.session();
    for method in [Method::Straus, Method::Euclid, Method::Buckets { width: 2 }] {
        for x in (0..315u64).step_by(7).chain([314, 2]) {
            for code in 0..16u64.pow(3) {
                let exponents = [code % 16, code / 16 % 16, code / 256].map(|e| Zeroizing::new(vec![e]));
                let bases = [x, 314 - x, x * x % 315];
                let (bases, exponents): (Vec<u64>, Vec<_>) =
                    bases.into_iter().zip(exponents).filter(|(_, e)| e[0] > 0).unzip();
                let expected = bases.iter().zip(&exponents).fold(1, |y, (&x, e)| y * power(x, e[0]) % 315);
                let mut factors = Factors::new(session.residue_words(), exponents);
                for (index, &x) in bases.iter().enumerate() {
                    session.to_montgomery(factors.residue(index), &p.reduced_limbs(&BoxedUint::from(x)));
                }
                let found = p.from_montgomery(&product_vartime(&mut session, factors, method));
                assert_eq!(found, BoxedUint::from(expected), "{method:?}, {x}, {code}");
            }
        }
    }
}

/// The largest number comes first after every subtraction, also among numbers with the same leading
/// bits.
#[test]
fn the_queue_knows_the_largest() {
    let mut random = Random(32);
    let mut numbers: Vec<BigUint> = (0..40).map(|i| random.below(200) >> (i * 3)).collect();
    numbers.extend((0..9u32).map(|i| (BigUint::from(1u32) << 199) + i));
    numbers.retain(|number| number > &BigUint::ZERO);
    let limbs: Vec<_> = numbers.iter().map(|number| limbs::to_limbs(&boxed(number), 1)).collect();
    let mut queue = Queue::new(&limbs);
    let mut steps = 0;
    while let Some((first, second, is_far)) = queue.two() {
        let top = |low: &BigUint, index: usize| *low <= numbers[index];
        let second_number = numbers[second].clone();
        // Compares only the bits of the keys: numbers that differ in lower bits may be in any
        // order.
        let longest = numbers.iter().map(BigUint::bits).max().unwrap_or(0);
        let shift = longest.saturating_sub(32);
        let others = numbers.iter().enumerate().filter(|&(index, _)| index != first);
        let next = others.map(|(_, number)| number >> shift).max().unwrap_or_default();
        assert!(top(&second_number, first) && &second_number >> shift == next, "step {steps}");
        if is_far {
            assert!(numbers[first] > &second_number << 1);
            assert_eq!(queue.halve(), numbers[first].bit(0));
            numbers[first] >>= 1;
        } else {
            queue.subtract(second);
            numbers[first] -= second_number;
        }
        steps += 1;
    }
    let left: Vec<_> = numbers.iter().filter(|&number| number > &BigUint::ZERO).collect();
    assert_eq!(left.len(), 1);
    assert!(steps > 40);
}

#[test]
fn the_method_follows_the_count() {
    // About 3072 and 256 bits on ifma52.
    let (long, short) = (Times { product: 9000, entry: 2400 }, Times { product: 700, entry: 600 });
    assert_eq!(cheapest(&[256], long), Method::Straus);
    assert_eq!(cheapest(&[256; 4], long), Method::Straus);
    assert_eq!(cheapest(&[256; 24], long), Method::Euclid);
    assert_eq!(cheapest(&[256; 1000], long), Method::Euclid);
    assert!(matches!(cheapest(&[256; 1000], short), Method::Buckets { width: 7..=9 }));
    assert_eq!(cheapest(&[], short), Method::Straus);
    // One exponent that is far longer than the others.
    let mut lengths = [20; 20];
    lengths[7] = 65_000;
    assert_eq!(cheapest(&lengths, long), Method::Straus);
}
