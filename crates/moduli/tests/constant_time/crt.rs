//! Powers with known factors: different primes of the same lengths, different bases and exponents.

use moduli::CrtModulus;

use super::*;

/// A prime with its two upper bits set, so that p^k has the same length for all these primes.
fn prime(random: &mut Random, bits: u32) -> BoxedUint {
    loop {
        let candidate = boxed(&(random.odd(bits) | BigUint::from(1u32) << (bits - 2)));
        if moduli::primality::is_probable_prime_vartime(&candidate, 5) {
            return candidate;
        }
    }
}

#[test]
fn powers_by_the_owner_of_the_factors() {
    for (lengths, k) in [([256, 256], 1), ([256, 192], 1), ([256, 256], 2)] {
        let mut random = Random(u64::from(lengths[1] + k));
        let owners: Vec<_> = (0..3)
            .map(|_| {
                let [p, q] = lengths.map(|bits| prime(&mut random, bits));
                CrtModulus::new(&p, &q, k).unwrap()
            })
            .collect();
        let bits = k * (lengths[0] + lengths[1]);
        for (base_bits, exponent_bits) in [(bits, 70), (bits, bits + 9), (2 * bits, bits)] {
            let one = BigUint::from(1u32);
            let bases = [one.clone(), ones(base_bits), random.below(base_bits)];
            let exponents = [BigUint::ZERO, one, ones(exponent_bits), random.below(exponent_bits)];
            for signed in [false, true] {
                let mut traces = Vec::new();
                for owner in &owners {
                    for (i, (x, e)) in
                        bases.iter().flat_map(|x| exponents.iter().map(move |e| (x, e))).enumerate()
                    {
                        let (x, e) = (boxed(x).resize(base_bits), boxed(e).resize(exponent_bits));
                        let sign = SignedExponent::new(i % 2 == 0, &e);
                        let exponent = if signed { sign } else { SignedExponent::from(&e) };
                        // A base without an inverse fails, at a point that depends on the base.
                        if signed && owner.modulus().invert(&x).is_err() {
                            continue;
                        }
                        traces.push(repeatably(|| {
                            let (owner, trace) = owner.traced();
                            owner.pow(&x, exponent).unwrap();
                            trace.take()
                        }));
                    }
                }
                assert_same(
                    &traces,
                    &format!("{lengths:?}, power {k}, {base_bits}, {exponent_bits}, {signed}"),
                );
            }
        }
    }
}
