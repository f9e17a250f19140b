//! Batches of powers, one in each lane of a row.

use crypto_bigint::BoxedUint;
use num_bigint::BigUint;
use testing::{all, boxed, ones};

use super::observed::{Observed, exponent, for_each_size};

const SIZES: [(u32, u32); 4] = [(64, 64), (256, 100), (1000, 70), (2048, 64)];

/// Other exponents of so many bits for each place of a batch.
fn exponents(e: &BigUint, bits: u32, count: usize) -> Vec<BigUint> {
    (0..count).map(|i| (e * (2 * i + 1) + i) & ones(bits)).collect()
}

/// Odd primes, which are bases.
const PRIMES: [u64; 15] = [3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53];

/// So many exponents, one of the numbers that are given.
fn of_one(e: BigUint, i: usize) -> Vec<BigUint> {
    let mut all = vec![BigUint::ZERO; i];
    all.push(e);
    all
}

/// A full row and one with lanes to spare.
#[test]
fn powers_of_variable_bases() {
    for_each_size(&SIZES, |observed, bits, what| {
        let observed = observed();
        let Some(enough) = observed.enough_for_lanes() else { return };
        let others = PRIMES.map(BoxedUint::from);
        let bases: Vec<_> = std::iter::once(&observed.base).chain(&others).collect();
        let count = observed.modulus.lanes() + enough;
        observed.check(bits, true, what, |e| {
            let exponents = exponents(e, bits, count);
            let declared: Vec<_> = exponents.iter().map(|e| exponent(e, bits)).collect();
            let powers = all(observed.modulus.pow_batch(bases.iter().copied().zip(&declared)));
            let places = powers.into_iter().zip(exponents).enumerate();
            places.map(|(i, (power, e))| (power, of_one(e, i))).collect()
        });
    });
}

/// Two rows together and one with lanes to spare.
#[test]
fn powers_of_a_fixed_base() {
    for_each_size(&SIZES, |observed, bits, what| {
        for method in ["comb:5,3", "comb:4,3,2", "radix:16", "radix:91"] {
            let observed: Observed = observed();
            let Some(enough) = observed.enough_for_lanes() else { return };
            let table = observed.table(bits, method.parse().unwrap(), 1);
            let count = 2 * observed.modulus.lanes() + enough;
            observed.check(bits, true, &format!("{what}, {method}"), |e| {
                let exponents = exponents(e, bits, count);
                let declared: Vec<_> = exponents.iter().map(boxed).collect();
                let powers = all(table.pow_batch(&declared));
                powers.into_iter().zip(exponents).map(|(power, e)| (power, vec![e])).collect()
            });
        }
    });
}
