//! RSA: keys with equal lengths and equal e but otherwise different numbers, and values below every
//! n.

use moduli::scheme::rsa::PrivateKey;

use super::*;

fn prime(random: &mut Random, bits: u32) -> BigUint {
    let (one, two) = (BigUint::from(1u32), BigUint::from(2u32));
    loop {
        let candidate = random.odd(bits) | &one << (bits - 2);
        if two.modpow(&(&candidate - 1u32), &candidate) == one
            && (&candidate - 1u32) % 65_537u32 != BigUint::ZERO
        {
            return candidate;
        }
    }
}

/// n, d, p and q, each at the precision of its length.
fn numbers(random: &mut Random, [p_bits, q_bits]: [u32; 2]) -> [BoxedUint; 4] {
    let (p, q) = (prime(random, p_bits), prime(random, q_bits));
    let d = BigUint::from(65_537u32).modinv(&((&p - 1u32) * (&q - 1u32))).unwrap();
    let bits = p_bits + q_bits;
    [(&p * &q, bits), (d, bits), (p, p_bits), (q, q_bits)].map(|(x, bits)| boxed(&x).resize(bits))
}

#[test]
fn private_operations() {
    for lengths in [[512, 512], [576, 512], [512, 640]] {
        let mut random = Random(u64::from(lengths[0]));
        let e = BoxedUint::from(65_537u64);
        let bits = lengths[0] + lengths[1];
        let keys: Vec<_> = (0..4).map(|_| numbers(&mut random, lengths)).collect();
        let values: Vec<_> = [BigUint::ZERO, BigUint::from(1u32), ones(bits - 1), random.below(bits - 1)]
            .map(|value| boxed(&value).resize(bits))
            .into();
        for blind in [false, true] {
            let mut traces = Vec::new();
            for [n, d, p, q] in &keys {
                for value in &values {
                    let seed = random.word();
                    traces.push(repeatably(|| {
                        let key = PrivateKey::from_components(n, &e, d, p, q).unwrap();
                        let (key, trace) = key.with_exponent_blinding(blind).traced();
                        key.decrypt_raw(&mut Random(seed), value).unwrap();
                        trace.take()
                    }));
                }
            }
            assert_same(&traces, &format!("{lengths:?}, exponents blinded: {blind}"));
        }
    }
}
