//! Compares `Modulus` and `Element` with num-bigint.

use crypto_bigint::{BoxedUint, Choice, CtEq, CtSelect};
use moduli::{
    Element, Error, Exponent, KernelChoice, Modulus, SignedExponent,
    error::{ModulusError, ParameterError},
};
use moduli_kernel::internals::{PORTABLE4, PORTABLE8};
use num_bigint::BigUint;
use testing::{Random, big, boxed};

const KERNELS: [KernelChoice; 3] = [KernelChoice::PORTABLE, PORTABLE8, PORTABLE4];

#[test]
fn powers_agree_exhaustively_over_tiny_moduli() {
    check_all_powers(|modulus| modulus < 40 || modulus % 14 == 3);
}

#[test]
#[ignore = "some seconds"]
fn powers_agree_exhaustively_over_more_tiny_moduli() {
    check_all_powers(|_| true);
}

fn check_all_powers(served: fn(u64) -> bool) {
    for choice in KERNELS {
        for modulus in (3u64..200).step_by(2).filter(|modulus| served(*modulus)) {
            let p = Modulus::with_kernel(&BoxedUint::from(modulus), choice).unwrap();
            for base in 0..modulus {
                let mut expected = 1 % modulus;
                for exponent in 0..40u64 {
                    let (x, e) = (BoxedUint::from(base), BoxedUint::from(exponent));
                    let expected_value = BoxedUint::from(expected);
                    let short = Exponent::from(&e).with_bits(7).unwrap();
                    assert_eq!(p.pow(&x, short), expected_value);
                    assert_eq!(p.pow_vartime(&x, &e).unwrap(), expected_value);
                    let power = moduli_papers::square_multiply_vartime(&p.element(&x), &e).unwrap();
                    assert_eq!(power.to_uint(), expected_value);
                    expected = expected * base % modulus;
                }
            }
        }
    }
}

#[test]
fn powers_agree_at_real_sizes() {
    let mut source = Random(12345);
    let mut random = |bits: u64| source.below(bits as u32 - 1) + (BigUint::from(1u32) << (bits - 1));
    for bits in [64u64, 65, 127, 128, 192, 521, 1024, 2047, 2048] {
        for modulus in [random(bits) | BigUint::from(1u32), (BigUint::from(1u32) << bits) - 1u32] {
            let p = Modulus::new(&boxed(&modulus)).unwrap();
            for exponent_bits in [1u64, 17, 64, 256] {
                let (x, e) = (random(bits), random(exponent_bits));
                let expected = x.modpow(&e, &modulus);
                assert_eq!(big(&p.pow(&boxed(&x), &boxed(&e))), expected);
                assert_eq!(big(&p.pow_vartime(&boxed(&x), &boxed(&e)).unwrap()), expected);
                // 0, 1, −1, and numbers that equal one of these only in the lowest limb or only in
                // the others.
                let (one, limb) = (BigUint::from(1u32), BigUint::from(1u32) << 64);
                let lowest = (&modulus - &one) % &limb;
                let units =
                    [BigUint::ZERO, one.clone(), &modulus - &one, &modulus + &one, &one + &limb, lowest];
                for x in units {
                    for e in [e.clone(), &e + &one, BigUint::ZERO] {
                        let power = big(&p.pow_vartime(&boxed(&x), &boxed(&e)).unwrap());
                        assert_eq!(power, x.modpow(&e, &modulus), "{x}^{e} mod {modulus}");
                    }
                }
            }
        }
    }
}

#[test]
fn bad_moduli_are_named() {
    let new = |x: u64| Modulus::new(&BoxedUint::from(x)).map(|_| ());
    assert_eq!(new(0), Err(Error::Modulus(ModulusError::TooSmall)));
    assert_eq!(new(1), Err(Error::Modulus(ModulusError::TooSmall)));
    assert_eq!(new(10), Err(Error::Modulus(ModulusError::Even)));
    assert!(new(3).is_ok());
}

#[test]
fn signed_exponents_invert() {
    let p = Modulus::new(&BoxedUint::from(101u64)).unwrap();
    let (x, e) = (BoxedUint::from(7u64), BoxedUint::from(5u64));
    let up = p.pow_signed(&x, SignedExponent::new(false, &e)).unwrap();
    let down = p.pow_signed(&x, SignedExponent::new(true, &e)).unwrap();
    assert_eq!(p.mul(&up, &down), BoxedUint::from(1u64));
    assert_eq!(p.pow_vartime(&x, SignedExponent::new(true, &e)).unwrap(), down);
}

#[test]
fn elements_are_read_from_bytes_below_the_modulus() {
    let p = Modulus::new(&BoxedUint::from(0x1_0001u64)).unwrap();
    for value in [0u64, 1, 0xffff, 0x1_0000] {
        let element = Element::from_be_bytes(&p, &value.to_be_bytes()).unwrap();
        assert_eq!(element.to_uint(), BoxedUint::from(value));
        assert_eq!(element.to_be_bytes(), value.to_be_bytes()[5..]);
    }
    let read = |bytes: &[u8]| Element::from_be_bytes(&p, bytes).map(|_| ());
    let refused =
        |bytes: &[u8]| matches!(read(bytes), Err(Error::Parameter(ParameterError { name: "element", .. })));
    assert_eq!(read(&[]), Ok(()));
    assert!(refused(&[1, 0, 1]) && refused(&[0xff; 100]));
    // More bits than a 32-bit number can count.
    let mut long = vec![0; 1 << 29];
    assert_eq!(read(&long), Ok(()));
    long[0] = 1;
    assert!(refused(&long));
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[test]
fn elements_compute_exhaustively_as_integers_do() {
    for choice in KERNELS {
        for modulus in [3u64, 9, 15, 101] {
            let p = Modulus::with_kernel(&BoxedUint::from(modulus), choice).unwrap();
            let element = |x: u64| p.element(&BoxedUint::from(x));
            assert_eq!([p.zero(), p.one()].map(|x| x.to_uint()), [0u64, 1].map(BoxedUint::from));
            for a in 0..modulus {
                let x = element(a + modulus);
                assert_eq!(x.to_uint(), BoxedUint::from(a));
                assert_eq!((-&x).to_uint(), BoxedUint::from((modulus - a) % modulus));
                assert_eq!(x.square().to_uint(), BoxedUint::from(a * a % modulus));
                let inverses = [p.invert(&BoxedUint::from(a)), x.invert().map(|inverse| inverse.to_uint())];
                for inverse in inverses {
                    match inverse {
                        Ok(inverse) => assert_eq!(p.mul(&inverse, &x.to_uint()), BoxedUint::one()),
                        Err(error) => {
                            assert!(error == Error::NotInvertible { gcd: None } && gcd(a, modulus) > 1)
                        }
                    }
                }
                match p.invert_vartime(&BoxedUint::from(a)) {
                    Ok(inverse) => assert_eq!(p.mul(&inverse, &x.to_uint()), BoxedUint::one()),
                    Err(error) => {
                        let common = Some(format!("{:x}", gcd(a, modulus)));
                        assert!(error == Error::NotInvertible { gcd: common } && gcd(a, modulus) > 1);
                    }
                }
                for b in 0..modulus {
                    let y = element(b);
                    assert_eq!(x.try_add(&y).unwrap().to_uint(), BoxedUint::from((a + b) % modulus));
                    assert_eq!(
                        x.try_sub(&y).unwrap().to_uint(),
                        BoxedUint::from((a + modulus - b) % modulus)
                    );
                    assert_eq!(x.try_mul(&y).unwrap().to_uint(), BoxedUint::from(a * b % modulus));
                    assert_eq!(bool::from(x.ct_eq(&y)), a == b);
                    let mut z = x.clone();
                    z += &y;
                    z -= &x;
                    z *= &x;
                    assert_eq!(z.to_uint(), BoxedUint::from(a * b % modulus));
                    let chosen =
                        [Choice::FALSE, Choice::TRUE].map(|choice| x.ct_select(&y, choice).to_uint());
                    assert_eq!(chosen, [x.to_uint(), y.to_uint()]);
                }
            }
        }
    }
}

#[test]
fn elements_of_different_moduli_do_not_mix() {
    let [p, q] = [101u64, 103].map(|modulus| Modulus::new(&BoxedUint::from(modulus)).unwrap());
    let (x, y) = (p.element(&BoxedUint::one()), q.element(&BoxedUint::one()));
    for mixed in [x.try_add(&y), x.try_sub(&y), x.try_mul(&y)] {
        assert!(matches!(mixed, Err(Error::Modulus(ModulusError::Mismatch))));
    }
    assert!(!bool::from(x.ct_eq(&y)));
    // Two objects with the same value and kernel are the same modulus.
    let again = Modulus::new(&BoxedUint::from(101u64)).unwrap().element(&BoxedUint::one());
    assert!(bool::from(x.ct_eq(&again)));
}
