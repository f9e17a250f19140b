//! Compares powers with known factors with num-bigint.

use crypto_bigint::{BoxedUint, Resize};
use moduli::{
    CrtModulus, Error, MAX_MODULUS_BITS, SignedExponent,
    error::{ModulusError, ParameterError},
};
use num_bigint::BigUint;
use rayon::prelude::*;
use testing::{Random, big, boxed, ones};

/// A prime of exactly `bits` bits.
fn prime(bits: u32, random: &mut Random) -> BigUint {
    loop {
        let candidate = random.odd(bits);
        if moduli::primality::is_probable_prime_vartime(&boxed(&candidate), 20) {
            return candidate;
        }
    }
}

#[track_caller]
fn check(owner: &CrtModulus, modulus: &BigUint, x: &BigUint, e: &BigUint, declared: u32) {
    let exponent = boxed(e).resize(declared);
    let power = owner.pow(&boxed(x), &exponent).unwrap();
    assert_eq!(big(&power), x.modpow(e, modulus), "{x:x}^{e:x} modulo {modulus:x}, {declared} bits");
}

#[test]
fn tiny_primes_exhaustively() {
    check_tiny_primes(&[(3, 5), (7, 3), (3, 257)]);
}

#[test]
#[ignore = "some seconds"]
fn more_tiny_primes_exhaustively() {
    check_tiny_primes(&[(5, 3), (3, 7), (7, 11), (13, 3)]);
}

fn check_tiny_primes(primes: &[(u64, u64)]) {
    for &(p, q) in primes {
        for k in 1..=3 {
            let owner = CrtModulus::new(&BoxedUint::from(p), &BoxedUint::from(q), k).unwrap();
            let modulus = BigUint::from(p * q).pow(k);
            assert_eq!(big(owner.modulus().value().as_ref()), modulus);
            let step = if modulus > BigUint::from(2000u32) { 997 } else { 1 };
            let last = modulus.to_u64_digits()[0].min(40_000);
            for x in (0..last + 3).step_by(step) {
                for e in 0..30u64 {
                    for declared in [5, 7, 70] {
                        check(&owner, &modulus, &x.into(), &e.into(), declared);
                    }
                }
            }
        }
    }
}

#[test]
fn real_sizes() {
    check_sizes(&[(64, 64), (65, 63), (128, 128), (100, 192), (192, 70), (520, 504)]);
}

#[test]
#[ignore = "some seconds"]
fn larger_real_sizes() {
    check_sizes(&[(512, 512), (1024, 1024)]);
}

fn check_sizes(sizes: &[(u32, u32)]) {
    sizes.par_iter().for_each(|&(p_bits, q_bits)| {
        let mut random = Random(u64::from(p_bits) << 32 | u64::from(q_bits));
        let (p, q) = (prime(p_bits, &mut random), prime(q_bits, &mut random));
        for k in 1..=if p_bits < 512 { 3 } else { 2 } {
            let owner = CrtModulus::new(&boxed(&p), &boxed(&q), k).unwrap();
            let n = &p * &q;
            let modulus = n.pow(k);
            let order = p.pow(k - 1) * (&p - 1u32) * q.pow(k - 1) * (&q - 1u32);
            let bits = modulus.bits() as u32;
            let bases = [
                random.below(bits),
                &modulus - 1u32,
                p.clone(),
                q.pow(k) * 5u32,
                &n * 3u32,
                BigUint::ZERO,
                random.below(bits + 90),
            ];
            let mut exponents = vec![
                BigUint::ZERO,
                BigUint::from(1u32),
                n.clone(),
                order.clone(),
                &order - 1u32,
                &p - 1u32,
                p.pow(k - 1) * (&p - 1u32),
                random.below(bits),
                ones(bits + 100),
                random.below(160),
            ];
            if p_bits >= 512 {
                exponents.drain(1..5);
            }
            for x in &bases {
                for e in &exponents {
                    let least = (e.bits() as u32).max(1);
                    check(&owner, &modulus, x, e, least);
                    check(&owner, &modulus, x, e, bits + 164);
                }
            }
        }
    });
}

#[test]
fn signed_exponents_invert() {
    let mut random = Random(3);
    let (p, q) = (prime(90, &mut random), prime(80, &mut random));
    let owner = CrtModulus::new(&boxed(&p), &boxed(&q), 2).unwrap();
    let modulus = (&p * &q).pow(2);
    for bits in [20, 160, 500] {
        let (x, e) = (random.below(300), random.below(bits));
        let inverse = x.modinv(&modulus).unwrap();
        for negative in [false, true] {
            let exponent = boxed(&e);
            let power = owner.pow(&boxed(&x), SignedExponent::new(negative, &exponent)).unwrap();
            let base = if negative { &inverse } else { &x };
            assert_eq!(big(&power), base.modpow(&e, &modulus), "{negative}, {bits} bits");
        }
        let refused = owner.pow(&boxed(&(&p * 6u32)), SignedExponent::new(false, &boxed(&e)));
        assert_eq!(refused, Err(Error::NotInvertible { gcd: None }));
    }
}

#[test]
fn what_is_refused_is_named() {
    let [three, five, nine, two, one] = [3u64, 5, 9, 2, 1].map(BoxedUint::from);
    let name = |p: &BoxedUint, q: &BoxedUint, k| match CrtModulus::new(p, q, k).err().unwrap() {
        Error::Parameter(ParameterError { name, .. }) => name,
        Error::Modulus(ModulusError::TooLarge { max, .. }) if max == MAX_MODULUS_BITS => "bits",
        other => panic!("{other}"),
    };
    assert_eq!(name(&nine, &five, 1), "p");
    assert_eq!(name(&two, &five, 1), "p");
    assert_eq!(name(&five, &one, 1), "q");
    assert_eq!(name(&five, &BoxedUint::zero(), 1), "q");
    assert_eq!(name(&five, &five.clone().resize(200), 1), "q");
    assert_eq!(name(&three, &five, 0), "power");
    assert_eq!(name(&three, &five, u32::MAX), "bits");
    let endless = CrtModulus::new(&three, &five, u32::MAX).err().unwrap();
    assert_eq!(endless.to_string(), "the modulus has more than 65536 bits");
    assert_eq!(name(&boxed(&ones(MAX_MODULUS_BITS)), &five, 1), "bits");
}
