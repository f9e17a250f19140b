//! Batches of powers, one in each lane of a row.

use crypto_bigint::BoxedUint;
use moduli::{Modulus, SignedExponent};
use num_bigint::{BigInt, BigUint};
use testing::{Random, all, big, boxed, ones};

use super::observed::{LookUps, Observed, exponent, for_each_size, signed};

const SIZES: [(u32, u32); 4] = [(64, 64), (256, 100), (1000, 70), (2048, 64)];

/// Different exponents of `bits` bits for each place of a batch.
fn exponents(e: &BigUint, bits: u32, count: usize) -> Vec<BoxedUint> {
    (0..count).map(|i| exponent(&((e * (2 * i + 1) + i) & ones(bits)), bits)).collect()
}

/// The exponents, with signs if `is_signed`, and their values.
fn of_batch(exponents: &[BoxedUint], is_signed: bool) -> (Vec<SignedExponent<'_>>, Vec<BigInt>) {
    let one = |e| if is_signed { signed(e) } else { (SignedExponent::from(e), big(e).into()) };
    exponents.iter().map(one).unzip()
}

/// Random invertible bases, none a power of another.
fn bases(modulus: &Modulus, count: usize) -> Vec<BoxedUint> {
    let mut random = Random(3);
    let numbers = std::iter::repeat_with(|| boxed(&random.below(modulus.bits() - 1)));
    numbers.filter(|x| modulus.invert_vartime(x).is_ok()).take(count).collect()
}

/// The exponents of all given numbers: e for number i, and 0 for those before it.
fn of_one(e: BigInt, i: usize) -> Vec<BigInt> {
    let mut all = vec![BigInt::ZERO; i];
    all.push(e);
    all
}

/// A full row, and one with unused lanes.
#[test]
fn powers_of_variable_bases() {
    for_each_size(&SIZES, |observed, bits, what| {
        let observed = observed();
        let Some(enough) = observed.enough_for_lanes() else { return };
        let count = observed.modulus.lanes() + enough;
        let others = bases(&observed.modulus, count - 1);
        let bases: Vec<_> = std::iter::once(&observed.base).chain(&others).collect();
        for is_signed in [false, true] {
            observed.check(bits, LookUps::Alike, &format!("{what}, signed: {is_signed}"), |e| {
                let declared = exponents(e, bits, count);
                let (exponents, expected) = of_batch(&declared, is_signed);
                let powers = all(observed.modulus.pow_batch(bases.iter().copied().zip(exponents)));
                let places = powers.into_iter().zip(expected).enumerate();
                places.map(|(i, (power, e))| (power, of_one(e, i))).collect()
            });
        }
    });
}

/// Two rows together, and one with unused lanes.
#[test]
fn powers_of_a_fixed_base() {
    for_each_size(&SIZES, |observed, bits, what| {
        for method in ["comb:5,3", "comb:4,3,2", "radix:16", "radix:91"] {
            let observed: Observed = observed();
            let Some(enough) = observed.enough_for_lanes() else { return };
            let table = observed.table(bits, method.parse().unwrap(), 1);
            let count = 2 * observed.modulus.lanes() + enough;
            for is_signed in [false, true] {
                let what = format!("{what}, {method}, signed: {is_signed}");
                observed.check(bits, LookUps::Alike, &what, |e| {
                    let declared = exponents(e, bits, count);
                    let (exponents, expected) = of_batch(&declared, is_signed);
                    let powers = all(table.pow_batch(exponents));
                    powers.into_iter().zip(expected).map(|(power, e)| (power, vec![e])).collect()
                });
                observed.check(bits, LookUps::None, &format!("{what}, public"), |e| {
                    let declared = exponents(e, bits, count);
                    let (exponents, expected) = of_batch(&declared, is_signed);
                    let powers = all(table.pow_batch_vartime(exponents));
                    powers.into_iter().zip(expected).map(|(power, e)| (power, vec![e])).collect()
                });
            }
        }
    });
}
