//! Every kernel of this machine against num-bigint.

use crypto_bigint::BoxedUint;
use moduli::{Error, KernelChoice, Modulus, SignedExponent, common_operand::CommonOperand};
use moduli_kernel::internals::{PORTABLE4, PORTABLE8};
use num_bigint::BigUint;

use crate::input::{Input, big, boxed};

const MOST_LIMBS: u32 = 40;

/// The limit of word products for a power: long moduli get short exponents.
const MOST_WORK: u32 = 1 << 16;

/// The kernels that support moduli of this length: kernels on short words only if the number of words is
/// small.
fn kernels(p: &BoxedUint) -> Vec<Modulus> {
    let mut choices = KernelChoice::ALL.to_vec();
    if p.bits_vartime() <= 256 {
        choices.extend([PORTABLE8, PORTABLE4]);
    }
    choices.retain(|choice| choice.is_supported());
    choices.iter().map(|&choice| Modulus::with_kernel(p, choice).expect("it is odd and above 1")).collect()
}

#[track_caller]
fn assert_value(value: &BoxedUint, expected: &BigUint, modulus: &Modulus) {
    assert!(big(value) == *expected, "{}: {value:x} and not {expected:x}", modulus.kernel_name());
}

/// The inverse, or the greatest common divisor; for a constant-time function, only that there is no inverse.
fn check_inverse(result: Result<BoxedUint, Error>, x: &BigUint, p: &BigUint, told: bool, modulus: &Modulus) {
    match (result, x.modinv(p)) {
        (Ok(inverse), Some(expected)) => assert_value(&inverse, &expected, modulus),
        (Err(Error::NotInvertible { gcd: Some(gcd) }), None) if told => {
            let (mut a, mut b) = (x % p, p.clone());
            while a != BigUint::ZERO {
                (a, b) = (&b % &a, a);
            }
            assert_eq!(BigUint::parse_bytes(gcd.as_bytes(), 16), Some(b));
        }
        (Err(Error::NotInvertible { .. }), None) if !told => {}
        (result, expected) => panic!("{}: {result:?} and not {expected:?}", modulus.kernel_name()),
    }
}

/// Some numbers, up to `count`.
fn several(input: &mut Input<'_>, count: usize, bits: u32) -> Vec<BigUint> {
    let count = 1 + input.below(count);
    (0..count).map(|_| input.number(bits)).collect()
}

/// The first byte chooses the operation; modulus and operands follow.
pub fn arithmetic(data: &[u8]) {
    let mut input = Input::new(data);
    let operation = input.byte() % 9;
    let limbs = 1 + input.below(MOST_LIMBS as usize) as u32;
    let bits = (64 * limbs - input.below(64) as u32).max(2);
    let p = input.odd(bits);
    let short = (MOST_WORK / (limbs * limbs)).min(64 * limbs);
    let x = input.number(bits + 64) % &p;
    let moduli = kernels(&boxed(&p));
    let boxed_x = boxed(&x);
    match operation {
        0 => {
            let y = input.number(bits) % &p;
            let (sum, difference) = ((&x + &y) % &p, (&x + &p - &y) % &p);
            let (product, square) = (&x * &y % &p, &x * &x % &p);
            for modulus in &moduli {
                let [a, b] = [&x, &y].map(|value| modulus.element(&boxed(value)));
                assert_value(&modulus.mul(&boxed_x, &boxed(&y)), &product, modulus);
                assert_value(&a.try_mul(&b).expect("one modulus").to_uint(), &product, modulus);
                assert_value(&a.square().to_uint(), &square, modulus);
                assert_value(&a.try_add(&b).expect("one modulus").to_uint(), &sum, modulus);
                assert_value(&a.try_sub(&b).expect("one modulus").to_uint(), &difference, modulus);
                assert_value(&(-&a).to_uint(), &((&p - &x) % &p), modulus);
                // Many steps in the inner form, which need not be fully reduced.
                let (mut z, mut expected) = (a, x.clone());
                for _ in 0..4 {
                    z = z.square() * &b - &b;
                    expected = (&expected * &expected % &p * &y + &p - &y) % &p;
                }
                assert_value(&z.to_uint(), &expected, modulus);
            }
        }
        1 => {
            let e = input.number(short);
            let expected = x.modpow(&e, &p);
            let boxed_e = boxed(&e);
            for modulus in &moduli {
                assert_value(&modulus.pow(&boxed_x, &boxed_e), &expected, modulus);
                assert_value(
                    &modulus.pow_vartime(&boxed_x, &boxed_e).expect("it is served"),
                    &expected,
                    modulus,
                );
            }
        }
        2 => {
            let e = input.number(short.min(256));
            let boxed_e = boxed(&e);
            let expected = x.modinv(&p).map(|inverse| inverse.modpow(&e, &p));
            for modulus in &moduli {
                let exponent = SignedExponent::new(true, &boxed_e);
                for result in
                    [modulus.pow_signed(&boxed_x, exponent), modulus.pow_vartime(&boxed_x, exponent)]
                {
                    match (&result, &expected) {
                        (Ok(power), Some(expected)) => assert_value(power, expected, modulus),
                        (Err(Error::NotInvertible { .. }), None) => {}
                        // x^0 is 1 for any x.
                        (Ok(power), None) => assert!(e == BigUint::ZERO && bool::from(power.is_one())),
                        _ => panic!("{}: {result:?} and not {expected:?}", modulus.kernel_name()),
                    }
                }
            }
        }
        3 => {
            for modulus in &moduli {
                check_inverse(modulus.invert(&boxed_x), &x, &p, false, modulus);
                check_inverse(modulus.invert_vartime(&boxed_x), &x, &p, true, modulus);
            }
        }
        4 => {
            let values = several(&mut input, 9, bits);
            let boxed_values: Vec<BoxedUint> = values.iter().map(boxed).collect();
            for modulus in &moduli {
                let inverses = modulus.invert_batch(&boxed_values);
                assert_eq!(inverses.len(), values.len());
                for (inverse, value) in inverses.into_iter().zip(&values) {
                    check_inverse(inverse, value, &p, false, modulus);
                }
            }
        }
        5 => {
            let y = input.number(4 * bits);
            for modulus in &moduli {
                assert_value(&modulus.reduce(&boxed(&y)), &(&y % &p), modulus);
                let bytes = modulus.element(&boxed(&y)).to_be_bytes();
                assert_eq!(BigUint::from_bytes_be(&bytes), &y % &p);
            }
        }
        6 => {
            // From three products on, the costs of every kernel are measured first: at one length, because
            // this takes a second.
            let values = several(&mut input, if limbs == 4 { 6 } else { 2 }, bits);
            let boxed_values: Vec<BoxedUint> = values.iter().map(boxed).collect();
            for modulus in &moduli {
                let products = modulus.mul_by_common(&boxed_x, &boxed_values);
                for (product, value) in products.iter().zip(&values) {
                    assert_value(product, &(&x * value % &p), modulus);
                }
            }
        }
        7 => {
            let [y, z] = [(); 2].map(|()| input.number(bits) % &p);
            let split = input.byte();
            for modulus in &moduli {
                let [a, b, c] = [&x, &y, &z].map(|value| modulus.element(&boxed(value)));
                let [ab, ac] = a.mul_pair(&b, &c).expect("one modulus");
                let split = 1 + u32::from(split) % modulus.max_split();
                let common = CommonOperand::with_split(&a, split).expect("it is in range").mul(&b);
                assert_value(&ab.to_uint(), &(&x * &y % &p), modulus);
                assert_value(&ac.to_uint(), &(&x * &z % &p), modulus);
                assert_value(&common.expect("one modulus").to_uint(), &(&x * &y % &p), modulus);
            }
        }
        _ => {
            // Full groups of lanes, of four and of eight, and the rest.
            let count = 1 + input.below(11);
            let bound = (short / 2).max(2);
            let pairs: Vec<_> = (0..count).map(|_| (input.number(bits), input.number(bound))).collect();
            let boxed_pairs: Vec<_> = pairs.iter().map(|(x, e)| (boxed(x), boxed(e))).collect();
            for modulus in &moduli {
                let powers: Vec<_> = modulus
                    .pow_batch(boxed_pairs.iter().map(|(x, e)| (x, e)))
                    .into_iter()
                    .flatten()
                    .collect();
                assert_eq!(powers.len(), count);
                for (power, (x, e)) in powers.iter().zip(&pairs) {
                    assert_value(power, &x.modpow(e, &p), modulus);
                }
            }
        }
    }
}
