//! Measures the cost of the check: `cargo test --release -p moduli --lib crt::price -- --ignored
//! --nocapture`.

use alloc::vec::Vec;
use crypto_bigint::{BoxedUint, Resize};
use std::{hint::black_box, println, time::Instant};
use testing::{Random, boxed};

use super::CrtModulus;
use crate::{error::Error, exponent::SignedExponent, primality::SmallPrimes};
use moduli_kernel::limbs;

/// The number of powers with and without the check, computed alternately. Prints the least time of
/// each and their ratio, which other programs do not disturb, and the median of the ratios with the
/// quartiles.
const ROUNDS: usize = 101;

fn prime(bits: u32, random: &mut Random, known: &SmallPrimes) -> BoxedUint {
    loop {
        let candidate = boxed(&random.odd(bits)).resize(bits);
        if known.is_probable_prime(&candidate, 3) {
            return candidate;
        }
    }
}

fn unchecked(modulus: &CrtModulus, x: &BoxedUint, e: &BoxedUint) -> Result<BoxedUint, Error> {
    let e = SignedExponent::from(e);
    let (base, exponents) = (modulus.base(x, &e)?, modulus.exponents(&e)?);
    let mut sessions = modulus.sessions();
    let residues = modulus.residues(&mut sessions, &base, &exponents)?;
    Ok(limbs::from_limbs(&modulus.number(&mut sessions, &residues)))
}

#[test]
#[ignore = "measures"]
fn of_the_check() {
    let (mut random, known) = (Random(7), SmallPrimes::new());
    for bits in [2048, 3072] {
        let [p, q] = [(); 2].map(|()| prime(bits / 2, &mut random, &known));
        for k in [1, 2] {
            let with = CrtModulus::new(&p, &q, k).unwrap();
            let without = CrtModulus::with(&p, &q, k, 1).unwrap();
            for e_bits in [bits, 2 * bits] {
                let x = boxed(&random.below(bits * k)).resize(bits * k);
                let e = boxed(&random.below(e_bits)).resize(e_bits);
                assert_eq!(with.pow(&x, &e).unwrap(), unchecked(&without, &x, &e).unwrap());
                let time = |power: &dyn Fn() -> Result<BoxedUint, Error>| {
                    let start = Instant::now();
                    black_box(power().unwrap());
                    start.elapsed().as_secs_f64() * 1e6
                };
                let (mut times, mut ratios): ([Vec<f64>; 2], Vec<f64>) = Default::default();
                for _ in 0..ROUNDS {
                    let found = [time(&|| with.pow(&x, &e)), time(&|| unchecked(&without, &x, &e))];
                    ratios.push(found[0] / found[1]);
                    times.iter_mut().zip(found).for_each(|(times, time)| times.push(time));
                }
                let quantile = |numbers: &mut Vec<f64>, of: usize| {
                    numbers.sort_by(f64::total_cmp);
                    numbers[numbers.len() * of / 4]
                };
                let [least, without_least] = times.each_mut().map(|times| quantile(times, 0));
                println!(
                    "{} N^{k}, N of {bits} bits, exponent of {e_bits}: {least:.0} µs with, {without_least:.0} µs without: {:.3}; \
                     median {:.3} ({:.3} to {:.3})",
                    with.modulus().kernel_name(),
                    least / without_least,
                    quantile(&mut ratios, 2),
                    quantile(&mut ratios, 1),
                    quantile(&mut ratios, 3),
                );
            }
        }
    }
}
