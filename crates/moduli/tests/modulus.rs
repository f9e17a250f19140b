//! `Modulus` and `Element` against num-bigint.

use crypto_bigint::BoxedUint;
use moduli::{Error, Exponent, KernelChoice, Modulus};
use num_bigint::BigUint;

fn big(x: &BoxedUint) -> BigUint {
    BigUint::from_bytes_le(&x.to_le_bytes())
}

fn boxed(x: &BigUint) -> BoxedUint {
    BoxedUint::from_be_slice_vartime(&x.to_bytes_be())
}

const KERNELS: [KernelChoice; 3] = [KernelChoice::Portable, KernelChoice::Portable8, KernelChoice::Portable4];

#[test]
fn powers_agree_exhaustively_over_tiny_moduli() {
    for choice in KERNELS {
        for modulus in (3u64..200).step_by(2) {
            let p = Modulus::with_kernel(&BoxedUint::from(modulus), choice).unwrap();
            for base in 0..modulus {
                let mut expected = 1 % modulus;
                for exponent in 0..40u64 {
                    let (x, e) = (BoxedUint::from(base), BoxedUint::from(exponent));
                    let expected_value = BoxedUint::from(expected);
                    let short = Exponent::from(&e).with_bits(7).unwrap();
                    assert_eq!(p.pow(&x, short).unwrap(), expected_value);
                    assert_eq!(p.pow_vartime(&x, &e).unwrap(), expected_value);
                    assert_eq!(p.pow_square_multiply_vartime(&x, &e), expected_value);
                    expected = expected * base % modulus;
                }
            }
        }
    }
}

#[test]
fn powers_agree_at_real_sizes() {
    let mut seed = 12345u64;
    let mut random = |bits: u64| {
        let mut x = BigUint::ZERO;
        while x.bits() < bits + 8 {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            x = (x << 32) + (seed >> 32);
        }
        let excess = x.bits() - bits;
        x >> excess
    };
    for bits in [64u64, 65, 127, 128, 192, 521, 1024, 2047, 2048] {
        for modulus in [random(bits) | BigUint::from(1u32), (BigUint::from(1u32) << bits) - 1u32] {
            let p = Modulus::new(&boxed(&modulus)).unwrap();
            for exponent_bits in [1u64, 17, 64, 256] {
                let (x, e) = (random(bits), random(exponent_bits));
                let expected = x.modpow(&e, &modulus);
                assert_eq!(big(&p.pow(&boxed(&x), &boxed(&e)).unwrap()), expected);
                assert_eq!(big(&p.pow_vartime(&boxed(&x), &boxed(&e)).unwrap()), expected);
            }
        }
    }
}

#[test]
fn bad_moduli_are_named() {
    let new = |x: u64| Modulus::new(&BoxedUint::from(x)).map(|_| ());
    assert_eq!(new(0), Err(Error::ModulusEven));
    assert_eq!(new(1), Err(Error::ModulusTooSmall));
    assert_eq!(new(10), Err(Error::ModulusEven));
    assert!(new(3).is_ok());
}

#[test]
fn signed_exponents_invert() {
    let p = Modulus::new(&BoxedUint::from(101u64)).unwrap();
    let (x, e) = (BoxedUint::from(7u64), BoxedUint::from(5u64));
    let up = p.pow(&x, Exponent::signed(false, &e)).unwrap();
    let down = p.pow(&x, Exponent::signed(true, &e)).unwrap();
    assert_eq!(p.mul(&up, &down), BoxedUint::from(1u64));
    assert_eq!(p.pow_vartime(&x, Exponent::signed(true, &e)).unwrap(), down);
}
