//! Compares `Modulus::invert`, `invert_vartime` and `Element::invert` with num-bigint.

use crypto_bigint::{BoxedUint, Resize};
use moduli::{Error, Modulus, error::ModulusError};
use moduli_kernel::internals::{PORTABLE4, PORTABLE8};
use num_bigint::BigUint;
use rayon::prelude::*;
use testing::{Random, big, boxed, ones};

fn gcd(mut a: BigUint, mut b: BigUint) -> BigUint {
    while b != BigUint::ZERO {
        (a, b) = (b.clone(), a % b);
    }
    a
}

/// Compares all three inversions of `x` with num-bigint.
#[track_caller]
fn check(p: &Modulus, modulus: &BigUint, x: &BigUint) {
    let expected = x.modinv(modulus);
    let value = boxed(x);
    let constant_time = p.invert(&value).map(|inverse| big(&inverse));
    let public = p.invert_vartime(&value).map(|inverse| big(&inverse));
    let element = p.element(&value).invert().map(|inverse| big(&inverse.to_uint()));
    match expected {
        Some(inverse) => {
            assert_eq!(constant_time.as_ref(), Ok(&inverse), "{x:x} modulo {modulus:x}");
            assert_eq!(public.as_ref(), Ok(&inverse), "{x:x} modulo {modulus:x}");
            assert_eq!(element.as_ref(), Ok(&inverse), "{x:x} modulo {modulus:x}");
        }
        None => {
            let factor = format!("{:x}", gcd(x.clone(), modulus.clone()));
            assert_eq!(constant_time, Err(Error::NotInvertible { gcd: None }), "{x:x} modulo {modulus:x}");
            assert_eq!(public, Err(Error::NotInvertible { gcd: Some(factor) }), "{x:x} modulo {modulus:x}");
            assert_eq!(element, Err(Error::NotInvertible { gcd: None }), "{x:x} modulo {modulus:x}");
        }
    }
}

/// Random values and extreme ones: 0, 1, 2, 3, m/2, m − 2, m − 1, m, m + 1, powers of two, 2^64n −
/// 1.
fn values(modulus: &BigUint, random: &mut Random, count: usize) -> Vec<BigUint> {
    let bits = modulus.bits() as u32;
    let one = BigUint::from(1u32);
    let mut values = vec![BigUint::ZERO, one.clone(), BigUint::from(2u32), BigUint::from(3u32)];
    values.extend([modulus >> 1, modulus / 3u32, (modulus >> 1) + 1u32]);
    values.extend([modulus - 2u32, modulus - 1u32, modulus.clone(), modulus + 1u32, modulus * 5u32]);
    values.extend([&one << (bits / 2), &one << (bits - 1), ones(bits.next_multiple_of(64)), ones(bits + 70)]);
    values.extend((0..count).map(|_| random.below(bits)));
    values.push(random.below(bits + 200));
    values
}

fn sweep(modulus: &BigUint, random: &mut Random, count: usize) {
    let p = Modulus::new(&boxed(modulus)).unwrap();
    for x in values(modulus, random, count) {
        check(&p, modulus, &x);
    }
}

#[test]
fn every_value_modulo_every_odd_number_below_512() {
    (3u64..512).into_par_iter().filter(|modulus| modulus % 2 == 1).for_each(|modulus| {
        let p = Modulus::new(&BoxedUint::from(modulus)).unwrap();
        for x in 0..modulus {
            check(&p, &BigUint::from(modulus), &BigUint::from(x));
        }
    });
}

#[test]
fn every_value_whatever_the_kernel() {
    for choice in [PORTABLE8, PORTABLE4] {
        for modulus in (3u64..100).step_by(2) {
            let p = Modulus::with_kernel(&BoxedUint::from(modulus), choice).unwrap();
            for x in 0..=modulus {
                check(&p, &BigUint::from(modulus), &BigUint::from(x));
            }
        }
    }
}

#[test]
fn random_moduli_of_all_lengths() {
    let mut lengths: Vec<u32> =
        (1..=64).flat_map(|limbs| [64 * limbs, 64 * limbs - 1, 64 * limbs - 40]).collect();
    lengths.extend([2, 3, 61, 62, 123, 124, 125, 8192, 10_000]);
    lengths.into_par_iter().for_each(|bits| {
        let mut random = Random(u64::from(bits));
        sweep(&random.odd(bits), &mut random, 4);
    });
}

#[test]
fn moduli_at_the_edges() {
    let mut random = Random(1);
    for bits in [64u32, 66, 128, 186, 248, 256, 521, 1024, 2046, 2048, 4096] {
        let top = BigUint::from(1u32) << (bits - 1);
        for modulus in [ones(bits), ones(bits) - 2u32, &top + 1u32, &top + (&top >> 1) + 1u32] {
            sweep(&modulus, &mut random, 3);
        }
    }
}

#[test]
fn moduli_with_many_factors() {
    let mut random = Random(2);
    let small =
        [3u32, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97];
    let product: BigUint = small.iter().product();
    let mut moduli = vec![product.clone(), &product * &product, product.pow(8)];
    moduli.extend([3u32, 5, 251].map(|prime| BigUint::from(prime).pow(100)));
    moduli.push((ones(127)).pow(3));
    for modulus in moduli {
        sweep(&modulus, &mut random, 10);
        let p = Modulus::new(&boxed(&modulus)).unwrap();
        for factor in small {
            check(&p, &modulus, &(random.below(64) * factor));
            check(&p, &modulus, &(&modulus / factor));
        }
    }
}

/// Continued fractions in the worst cases: all quotients are 1, or all are 2.
#[test]
fn neighbours_in_slow_sequences() {
    for quotient in [1u32, 2] {
        let (mut a, mut b) = (BigUint::from(1u32), BigUint::from(1u32));
        while b.bits() < 2048 {
            (a, b) = (b.clone(), &b * quotient + &a);
            if b.bit(0) && b.bits() > 2 && b.bits() % 7 == 0 {
                check(&Modulus::new(&boxed(&b)).unwrap(), &b, &a);
            }
        }
    }
}

#[test]
#[ignore = "long: a few minutes"]
fn random_values_in_number() {
    [64u32, 192, 256, 384, 521, 1024, 2048, 4096].into_par_iter().for_each(|bits| {
        let mut random = Random(u64::from(bits) + 3);
        for _ in 0..20 {
            sweep(&random.odd(bits), &mut random, 400_000 / bits as usize);
        }
    });
}

#[test]
#[ignore = "long: a minute"]
fn every_value_modulo_every_odd_number_below_4096() {
    (3u64..4096).into_par_iter().filter(|modulus| modulus % 2 == 1).for_each(|modulus| {
        let p = Modulus::new(&BoxedUint::from(modulus)).unwrap();
        for x in 0..modulus {
            check(&p, &BigUint::from(modulus), &BigUint::from(x));
        }
    });
}

/// The kernel's function, which needs no prepared modulus: also even moduli, and values that are
/// not reduced.
#[test]
fn bare_numbers() {
    let check = |m: &BigUint, x: &BigUint| {
        let (modulus, value) = (m.to_u64_digits(), x.to_u64_digits());
        // More scratch space than necessary, which must not matter.
        let mut scratch = vec![0; 4 * modulus.len() + 9];
        let found = moduli_kernel::invert_vartime(&modulus, &value, &mut scratch);
        let number = |limbs: &[u64]| limbs.iter().rev().fold(BigUint::ZERO, |sum, &limb| (sum << 64) + limb);
        match x.modinv(m) {
            Some(inverse) => assert_eq!(found.map(|limbs| number(limbs)), Ok(inverse), "{x:x} modulo {m:x}"),
            None => {
                let factor = gcd(x.clone(), m.clone());
                assert_eq!(found.map_err(|limbs| number(limbs)), Err(factor), "{x:x} modulo {m:x}");
            }
        }
    };
    for m in 2u32..120 {
        for x in 0u32..150 {
            check(&m.into(), &x.into());
        }
    }
    let mut random = Random(2);
    for bits in [33, 64, 65, 127, 128, 129, 191, 192, 256, 257, 512, 1024, 4096] {
        for _ in 0..40 {
            let mut m = random.below(bits);
            m.set_bit(u64::from(bits) - 1, true);
            let longest = bits.next_multiple_of(64);
            for x in [
                random.below(bits),
                random.below(longest),
                ones(longest),
                &m + 1u32,
                &m >> 1,
                BigUint::from(1u32),
            ] {
                if x.bits() <= u64::from(longest) {
                    check(&m, &x);
                }
            }
        }
    }
}

/// The same through the public function, at any length and precision.
#[test]
fn moduli_that_are_not_prepared() {
    let check = |m: &BigUint, x: &BigUint| {
        for more in [0, 128] {
            let wide = |x: &BigUint| boxed(x).resize(boxed(x).bits_precision() + more);
            let found = moduli::invert_vartime(&wide(x), &wide(m)).map(|inverse| big(&inverse));
            let expected = x.modinv(m).ok_or_else(|| {
                let factor = gcd(x.clone(), m.clone());
                Error::NotInvertible { gcd: Some(format!("{factor:x}")) }
            });
            assert_eq!(found, expected, "{x:x} modulo {m:x}");
        }
    };
    for m in 1u32..60 {
        (0u32..100).for_each(|x| check(&m.into(), &x.into()));
    }
    let mut random = Random(3);
    for bits in [64, 65, 128, 521, 2048] {
        for twos in [0, 1, 64] {
            let m = random.odd(bits) << twos;
            values(&m, &mut random, 4).iter().for_each(|x| check(&m, x));
        }
    }
    let zero = Err(Error::Modulus(ModulusError::TooSmall));
    for m in [BoxedUint::zero(), BoxedUint::zero_with_precision(640)] {
        assert_eq!(moduli::invert_vartime(&BoxedUint::one(), &m), zero);
    }
    // A number without limbs, as a parser may return it.
    let none = BoxedUint::from_words([]);
    assert_eq!(moduli::invert_vartime(&BoxedUint::one(), &none), zero);
    assert_eq!(moduli::invert_vartime(&none, &BoxedUint::one()), Ok(BoxedUint::zero()));
}

/// An error prints a long common factor in a shortened form.
#[test]
fn a_long_common_factor_is_shortened() {
    let text = |digits: usize| {
        let gcd = "1".to_owned() + &"a".repeat(digits - 2) + "f";
        Error::NotInvertible { gcd: Some(gcd) }.to_string()
    };
    assert!(text(64).ends_with(&format!(" is 0x1{}f", "a".repeat(62))), "{}", text(64));
    assert!(text(65).ends_with(" is 0x1aaaaaaaaaaaaaaa…aaaaaaaaaaaaaaaf (65 digits)"), "{}", text(65));
}
