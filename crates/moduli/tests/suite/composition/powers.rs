//! Powers one by one, of variable and of fixed bases.

use crypto_bigint::BoxedUint;
use moduli::Method;
use testing::ones;

use super::observed::{exponent, for_each_size};

/// The shortest, and such as run different programs of the kernels.
const SIZES: [(u32, u32); 5] = [(64, 64), (256, 160), (1000, 100), (2048, 128), (4096, 70)];

#[test]
fn powers_of_a_variable_base() {
    for_each_size(&SIZES, |observed, bits, what| {
        let observed = observed();
        observed.check(bits, true, what, |e| {
            vec![(observed.modulus.pow(&observed.base, &exponent(e, bits)), vec![e.clone()])]
        });
    });
}

#[test]
fn products_of_powers_of_variable_bases() {
    for_each_size(&SIZES, |observed, bits, what| {
        let observed = observed();
        let bases = [observed.base.clone(), BoxedUint::from(3u32), BoxedUint::from(5u32)];
        observed.check(bits, true, what, |e| {
            let exponents = [e.clone(), e >> 1u32, ones(bits) ^ e];
            let pairs = bases.iter().zip(exponents.iter().map(|e| exponent(e, bits)));
            let pairs: Vec<_> = pairs.collect();
            let product = observed.modulus.multi_pow(pairs.iter().map(|(x, e)| (*x, e))).unwrap();
            vec![(product, exponents.to_vec())]
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
                // What stands in a bucket, an exponent decides.
                observed.check(bits, method.buckets() == 0, &what, |e| {
                    vec![(table.pow(&exponent(e, bits)).unwrap(), vec![e.clone()])]
                });
            }
        }
    });
}
