//! Compares powers and inverses modulo even numbers with num-bigint.

use crypto_bigint::{BoxedUint, Resize};
use moduli::{
    Error, EvenModulus, Exponent, MAX_MODULUS_BITS,
    error::{ModulusError, ParameterError},
};
use num_bigint::BigUint;
use rayon::prelude::*;
use testing::{Random, big, boxed, ones};

/// Both forms, with a declared length and with the precision alone.
fn check(m: &EvenModulus, x: &BigUint, e: &BigUint) {
    let expected = x.modpow(e, &big(m.value()));
    let (base, exponent) = (boxed(x), boxed(e));
    let longer = (&exponent).resize(exponent.bits_precision() + 192);
    let declared = Exponent::from(&longer).with_bits(exponent.bits_precision() + 70).unwrap();
    for e in [Exponent::from(&exponent), Exponent::from(&longer), declared] {
        assert_eq!(big(&m.pow(&base, e)), expected, "{x}^{} modulo {}", big(e.magnitude()), m.value());
        assert_eq!(
            big(&m.pow_vartime(&base, e)),
            expected,
            "{x}^{} modulo {}",
            big(e.magnitude()),
            m.value()
        );
    }
}

/// Both forms, and the common factor that the variable-time one reports.
fn check_inverse(m: &EvenModulus, x: &BigUint) {
    let value = big(m.value());
    let (found, public) = (m.invert(&boxed(x)), m.invert_vartime(&boxed(x)));
    match x.modinv(&value) {
        Some(expected) => {
            assert_eq!(big(&found.unwrap()), expected, "1/{x} modulo {value}");
            assert_eq!(big(&public.unwrap()), expected, "1/{x} modulo {value}");
        }
        None => {
            let (mut a, mut b) = (value, x.clone());
            while b != BigUint::ZERO {
                (a, b) = (b.clone(), a % b);
            }
            assert_eq!(found, Err(Error::NotInvertible { gcd: None }));
            assert_eq!(public, Err(Error::NotInvertible { gcd: Some(a.to_str_radix(16)) }));
        }
    }
}

#[test]
fn they_agree_exhaustively_over_tiny_moduli() {
    (1..=64u64).into_par_iter().for_each(|half| {
        let m = EvenModulus::new(&BoxedUint::from(2 * half)).unwrap();
        for (x, e) in (0..24u64).flat_map(|x| (0..24u64).map(move |e| (x, e))) {
            check(&m, &BigUint::from(x), &BigUint::from(e));
        }
        (0..4 * half).for_each(|x| check_inverse(&m, &BigUint::from(x)));
    });
}

#[test]
fn they_agree_at_all_numbers_of_twos() {
    let mut random = Random(31);
    let one = || BigUint::from(1u32);
    for odd_bits in [1, 3, 64, 65, 521, 1024] {
        for twos in [1, 2, 31, 63, 64, 65, 127, 128, 129, 400] {
            let odd = if odd_bits == 1 { one() } else { random.odd(odd_bits) };
            let value = odd << twos;
            let m = EvenModulus::new(&boxed(&value)).unwrap();
            assert_eq!((big(m.value()), u64::from(m.bits())), (value.clone(), value.bits()));
            let bases = [
                &value - one(),
                value.clone(),
                &value + one(),
                BigUint::from(2u32),
                ones(64),
                ones(value.bits() as u32 + 200),
            ];
            let any = [random.below(value.bits() as u32), random.odd(value.bits() as u32 + 70)];
            for x in bases.into_iter().chain(any) {
                check_inverse(&m, &x);
                for e in [
                    BigUint::ZERO,
                    one(),
                    ones(twos),
                    one() << twos,
                    ones(twos + 1),
                    one() << (twos + 1),
                    random.below(200),
                    random.below(500),
                ] {
                    check(&m, &x, &e);
                }
            }
        }
    }
}

#[test]
fn moduli_that_are_not_even_are_refused() {
    let new = |value: &BigUint| EvenModulus::new(&boxed(value));
    for small in [BigUint::ZERO, BigUint::from(1u32)] {
        assert_eq!(new(&small).unwrap_err(), Error::Modulus(ModulusError::TooSmall));
    }
    for odd in [BigUint::from(3u32), ones(100)] {
        assert!(matches!(new(&odd), Err(Error::Parameter(ParameterError { name: "modulus", .. }))));
    }
    let long = BigUint::from(1u32) << MAX_MODULUS_BITS;
    assert_eq!(
        new(&long).unwrap_err(),
        Error::Modulus(ModulusError::TooLarge { bits: MAX_MODULUS_BITS + 1, max: MAX_MODULUS_BITS })
    );
    assert!(new(&(long >> 1)).is_ok());
}
