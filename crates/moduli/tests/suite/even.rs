//! `EvenModulus` against num-bigint.

use moduli::{Error, EvenModulus, Exponent, MAX_MODULUS_BITS};
use num_bigint::BigUint;
use testing::{Random, big, boxed};

/// Both powers are what num-bigint says, at the precision of the modulus.
fn check(n: &EvenModulus, x: &BigUint, e: &BigUint) {
    let expected = x.modpow(e, &big(n.value()));
    let (x, e) = (boxed(x), boxed(e));
    for power in [n.pow(&x, &e), n.pow_vartime(&x, &e)] {
        assert_eq!(big(&power), expected, "{x:x}^{e:x} mod {:x}", n.value());
        assert_eq!(power.bits_precision(), n.value().bits_precision());
    }
}

#[test]
fn every_power_modulo_small_even_numbers() {
    for n in (2..=72u32).step_by(2) {
        let modulus = EvenModulus::new(&boxed(&BigUint::from(n))).unwrap();
        assert_eq!(modulus.twos(), n.trailing_zeros());
        assert_eq!(modulus.odd_part().is_none(), n.is_power_of_two());
        for x in 0..n + 3 {
            for e in (0..12u32).chain([31, 32, 33, 64]) {
                check(&modulus, &BigUint::from(x), &BigUint::from(e));
            }
        }
    }
}

#[test]
fn powers_modulo_long_even_numbers() {
    let mut random = Random(11);
    for twos in [1, 2, 3, 63, 64, 65, 127, 500] {
        for bits in [0, 2, 63, 64, 65, 200, 1024] {
            let odd = if bits == 0 { BigUint::from(1u32) } else { random.odd(bits) };
            let n = odd << twos;
            let modulus = EvenModulus::new(&boxed(&n)).unwrap();
            let bases = [
                BigUint::ZERO,
                &n - 1u32,
                &n >> 1,
                BigUint::from(2u32),
                random.modulo(&n),
                random.modulo(&n) | BigUint::from(1u32),
                (random.modulo(&n) << 64u32) + 1u32,
            ];
            let short = [0, 1, twos - 1, twos, twos + 1];
            let long = [&n - 1u32, random.modulo(&(BigUint::from(1u32) << 300u32))];
            for x in &bases {
                for e in short.iter().map(|&e| BigUint::from(e as u32)).chain(long.clone()) {
                    check(&modulus, x, &e);
                }
            }
        }
    }
}

/// Of a declared precision the zeros count for nothing.
#[test]
fn exponents_of_a_declared_length() {
    let n = EvenModulus::new(&boxed(&(BigUint::from(0xfedc_ba98_7654_3211u64) << 70u32))).unwrap();
    let (x, e) = (boxed(&BigUint::from(12_345u32)), boxed(&BigUint::from(77u32)));
    let expected = big(&n.pow(&x, &e));
    for bits in [7, 8, 63, 64, 65, 300] {
        assert_eq!(big(&n.pow(&x, Exponent::from(&e).with_bits(bits).unwrap())), expected);
    }
}

#[test]
fn moduli_that_are_not_even() {
    let refused = |n: BigUint| EvenModulus::new(&boxed(&n)).err();
    assert_eq!(refused(BigUint::ZERO), Some(Error::ModulusTooSmall));
    assert_eq!(refused(BigUint::from(1u32)), Some(Error::ModulusOdd));
    assert_eq!(refused(BigUint::from(15u32)), Some(Error::ModulusOdd));
    let longest = MAX_MODULUS_BITS;
    assert_eq!(refused(BigUint::from(1u32) << (longest - 1)), None);
    let expected = Error::ModulusTooLarge { bits: longest + 1, max: longest };
    assert_eq!(refused(BigUint::from(1u32) << longest), Some(expected));
}
