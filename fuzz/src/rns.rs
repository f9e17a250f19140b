//! Inversion in residues by every method against num-bigint.

use crypto_bigint::BoxedUint;
use moduli::{
    Error,
    error::{ModulusError, ParameterError},
};
use moduli_rns::{
    base::BaseShape,
    inverse::{Batch, Binary, BinaryTernary, Fermat, Jump, Offset, Options, Stop, Wide, fermat::Ladder},
};
use num_bigint::BigUint;

use crate::input::{Input, big, boxed};

/// The longest P, and the most channels.
const MOST_BITS: usize = 160;
const MOST_CHANNELS: usize = 16;

fn common_factor(mut a: BigUint, mut b: BigUint) -> BigUint {
    while a != BigUint::ZERO {
        (a, b) = (&b % &a, a);
    }
    b
}

/// What an error reports.
enum Reported {
    /// The greatest common divisor, where there is no inverse.
    Factor,
    /// No factor, because the operand is secret.
    Nothing,
    /// No factor, and the method may detect that the modulus is composite.
    Prime,
}

fn check(result: Result<BoxedUint, Error>, a: &BigUint, p: &BigUint, reported: &Reported) {
    let one = BigUint::from(1u32);
    match (result, a.modinv(p), reported) {
        (Ok(inverse), Some(expected), _) => assert_eq!(big(&inverse), expected, "1/{a} modulo {p}"),
        (Err(Error::NotInvertible { gcd: Some(gcd) }), None, Reported::Factor) => {
            assert_eq!(BigUint::parse_bytes(gcd.as_bytes(), 16), Some(common_factor(a % p, p.clone())));
        }
        (Err(Error::NotInvertible { gcd: None }), None, Reported::Nothing) => {}
        (Err(Error::NotInvertible { gcd: None }), None, Reported::Prime) if a % p == BigUint::ZERO => {}
        (Err(Error::Parameter(ParameterError { name: "modulus", .. })), _, Reported::Prime) => {
            assert_ne!(a.modpow(&(p - &one), p), one, "{p} was called no prime for {a}");
        }
        (result, expected, _) => panic!("1/{a} modulo {p}: {result:?} and not {expected:?}"),
    }
}

/// A method for P, or none if P or the shape is refused by a typed error.
fn made<T>(result: Result<T, Error>) -> Option<T> {
    match result {
        Ok(method) => Some(method),
        Err(
            Error::Parameter(_) | Error::Modulus(ModulusError::Even) | Error::Modulus(ModulusError::TooSmall),
        ) => None,
        Err(error) => panic!("{error}"),
    }
}

/// The first byte chooses the method; shape, P, options and operands follow.
pub fn rns(data: &[u8]) {
    let mut input = Input::new(data);
    let method = input.byte() % 7;
    let shape = BaseShape::new(1 + input.below(MOST_CHANNELS), 8 + input.below(57) as u32);
    let bits = 2 + input.below(MOST_BITS) as u32;
    // Sometimes even, or with leading zeros.
    let p = if input.byte() < 16 { input.number(bits) } else { input.odd(bits) };
    let boxed_p = boxed(&p);
    let stop = input.of(&[Stop::EveryStep, Stop::OuterLoop]);
    let offset = input.of(&[Offset::TwelveP, Offset::Least]);
    let options = Options { stop, offset, top_bits: None };
    let parameter = input.word(2);
    let count = 1 + input.below(8);
    let operands: Vec<BigUint> = (0..count).map(|_| input.number(bits + 8)).collect();
    let each = |invert: &dyn Fn(&BoxedUint) -> Result<BoxedUint, Error>, reported: Reported| {
        operands.iter().for_each(|a| check(invert(&boxed(a)), a, &p, &reported));
    };
    match method {
        0 => {
            if let Some(method) = made(Binary::new(&boxed_p, shape, &options)) {
                each(&|a| method.invert_vartime(a), Reported::Factor);
            }
        }
        1 => {
            if let Some(method) = made(BinaryTernary::new(&boxed_p, shape, &options)) {
                each(&|a| method.invert_vartime(a), Reported::Factor);
            }
        }
        2 => {
            let wide = [4, 12, 16, 72, 120, 144, 720, 840, parameter][parameter as usize % 9];
            if let Some(method) = made(Wide::new(&boxed_p, wide, shape, &options)) {
                each(&|a| method.invert_vartime(a), Reported::Factor);
            }
        }
        3 | 4 => {
            if let Some(jump) = made(Jump::new(&boxed_p, shape, (parameter % 66) as u32)) {
                if method == 3 {
                    each(&|a| jump.invert(a), Reported::Nothing);
                } else {
                    each(&|a| jump.invert_vartime(a), Reported::Factor);
                }
            }
        }
        5 => {
            let ladder =
                if parameter.is_multiple_of(2) { Ladder::BestWindow } else { Ladder::SquareMultiply };
            if let Some(method) = made(Fermat::new(&boxed_p, shape, ladder)) {
                each(&|a| method.invert(a), Reported::Prime);
            }
        }
        _ => {
            if let Some(batch) = made(Batch::new(&boxed_p, shape)) {
                let boxed_operands: Vec<BoxedUint> = operands.iter().map(boxed).collect();
                let results = batch.invert_vartime(&boxed_operands);
                assert_eq!(results.len(), operands.len());
                for (result, a) in results.into_iter().zip(&operands) {
                    check(result, a, &p, &Reported::Factor);
                }
            }
        }
    }
}
