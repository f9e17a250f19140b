//! Montgomery products in residues and inversion by Fermat's theorem, against num-bigint.

use crypto_bigint::BoxedUint;
use moduli::{
    Error,
    error::{ModulusError, ParameterError},
};
use moduli_rns::{
    base::BaseShape,
    fields::{FIELDS, Field},
    inverse::{Binary, BinaryTernary, DivisionSteps, Fermat, Jump, Options, fermat::Ladder},
    montgomery::{RnsMontgomery, Schedule},
    observe::{Counter, Phase},
};
use num_bigint::BigUint;
use testing::{Random, big, boxed};

/// n and w for 9·P.
fn shapes(bits: u32) -> [BaseShape; 3] {
    let channels = |width: u32| (bits + 5).div_ceil(width - 1) as usize;
    [64, 33, 24].map(|width| BaseShape::new(channels(width), width))
}

/// Long chains, so that values wander through their whole range below 3P; extreme operands at the start.
#[test]
fn chains_of_products_are_right_in_every_field() {
    let mut random = Random(6);
    for field in FIELDS {
        let p = big(&field.prime());
        for shape in shapes(p.bits() as u32) {
            let arithmetic = RnsMontgomery::new(&field.prime(), shape).unwrap();
            assert_eq!(
                big(&arithmetic.from_montgomery(arithmetic.one(), &mut ()).unwrap()),
                BigUint::from(1u32)
            );
            for start in [
                BigUint::ZERO,
                BigUint::from(1u32),
                &p - 1u32,
                &p * 5u32 + 7u32,
                random.below(p.bits() as u32),
            ] {
                let mut expected = start.clone() % &p;
                let mut value = arithmetic.to_montgomery(&boxed(&start), &mut ());
                let other = random.below(p.bits() as u32) % &p;
                let factor = arithmetic.to_montgomery(&boxed(&other), &mut ());
                for turn in 0..30 {
                    if turn % 3 == 0 {
                        arithmetic.multiply(&mut value, &factor, &mut ());
                        expected = expected * &other % &p;
                    } else {
                        arithmetic.square(&mut value, &mut ());
                        expected = expected.pow(2) % &p;
                    }
                    assert_eq!(
                        big(&arithmetic.from_montgomery(&value, &mut ()).unwrap()),
                        expected,
                        "{} {shape:?}",
                        field.name
                    );
                }
            }
        }
    }
}

#[test]
fn powers_follow_both_schedules() {
    let mut random = Random(7);
    let field = Field::named("P-256").unwrap();
    let p = big(&field.prime());
    let arithmetic = RnsMontgomery::new(&field.prime(), BaseShape::new(8, 33)).unwrap();
    let x = random.below(255);
    let inner = arithmetic.to_montgomery(&boxed(&x), &mut ());
    let small = (0u32..70).map(BigUint::from);
    let long = [1u32, 2, 63, 64, 65, 255, 256, 521].map(|bits| random.below(bits));
    let ones = [8u32, 64, 255].map(testing::ones);
    for exponent in small.chain(long).chain(ones) {
        let expected = x.modpow(&exponent, &p);
        let [binary, best] = [Schedule::binary, Schedule::best_window].map(|make| make(&boxed(&exponent)));
        assert!(best.products() <= binary.products());
        for schedule in [binary, best] {
            let power = arithmetic.pow(&inner, &schedule, &mut ());
            assert_eq!(
                big(&arithmetic.from_montgomery(&power, &mut ()).unwrap()),
                expected,
                "{x}^{exponent}"
            );
        }
    }
}

/// A product is 2n² + 6n EMM, and the schedule says how many there are.
#[test]
fn products_cost_what_is_stated() {
    let p = Field::named("P-256").unwrap().prime();
    for (ladder, products) in [(Ladder::SquareMultiply, 382), (Ladder::BestWindow, 292)] {
        let inverter = Fermat::new(&p, BaseShape::new(8, 33), ladder).unwrap();
        let mut counter = Counter::default();
        inverter.invert_observed(&BoxedUint::from(3u32), &mut counter).unwrap();
        let counts = counter.of(Phase::Loop);
        println!("{ladder:?}: {} products, {counts:?}", inverter.schedule().products());
        assert_eq!(counts.multiplications, inverter.schedule().products() as u64 * (2 * 64 + 6 * 8));
        assert_eq!(counts.cox, 2 * inverter.schedule().products() as u64);
        assert_eq!(inverter.schedule().products(), products);
    }
}

#[test]
fn fermat_inverts_in_every_field() {
    let mut random = Random(8);
    for field in FIELDS {
        let p = big(&field.prime());
        for shape in shapes(p.bits() as u32) {
            for ladder in [Ladder::SquareMultiply, Ladder::BestWindow] {
                let inverter = Fermat::new(&field.prime(), shape, ladder).unwrap();
                let edges = [1u32, 2, 3, 6].map(BigUint::from).into_iter().flat_map(|x| [&p - &x, x]);
                let parts =
                    [2u32, 3].map(|part| &p / part).into_iter().flat_map(|x| [&x - 1u32, &x + 1u32, x]);
                let random = (0..8).map(|_| random.below(p.bits() as u32 + 64));
                for a in edges.chain(parts).chain(random) {
                    let inverse = inverter.invert(&boxed(&a)).unwrap();
                    assert_eq!(Some(big(&inverse)), a.modinv(&p), "{} {shape:?}", field.name);
                }
                for zero in [BigUint::ZERO, p.clone(), &p * 9u32] {
                    assert_eq!(inverter.invert(&boxed(&zero)), Err(Error::NotInvertible { gcd: None }));
                }
            }
        }
    }
}

/// Every operand of small primes on tiny bases, and every operand of composite moduli: right, or an error.
#[test]
fn every_operand_of_small_moduli() {
    let shapes = [BaseShape::new(3, 8), BaseShape::new(1, 17), BaseShape::new(2, 17)];
    for p in [3u32, 5, 7, 61, 101, 1009, 2039, 3329, 4079, 4093] {
        for shape in shapes {
            let inverter = match Fermat::new(&BoxedUint::from(p), shape, Ladder::BestWindow) {
                Ok(inverter) => inverter,
                // Six 8-bit moduli coprime to these primes do not exist.
                Err(Error::Parameter(ParameterError { name: "channels", .. }))
                    if [3, 5, 7].contains(&p) && shape.width == 8 =>
                {
                    continue;
                }
                Err(error) => panic!("{p} {shape:?}: {error}"),
            };
            for a in 0..p {
                match inverter.invert(&BoxedUint::from(a)) {
                    Ok(inverse) => assert_eq!(big(&inverse) * a % p, BigUint::from(1u32), "{a} modulo {p}"),
                    Err(error) => assert!(a == 0 && error == Error::NotInvertible { gcd: None }),
                }
            }
        }
    }
    // 561 and 1729 are Carmichael numbers: coprime operands have a right inverse, all others an error.
    for p in [9u32, 15, 25, 121, 561, 1369, 1729, 4087] {
        let inverter = Fermat::new(&BoxedUint::from(p), BaseShape::new(2, 17), Ladder::BestWindow).unwrap();
        let mut wrong = 0;
        for a in 0..p {
            match inverter.invert(&BoxedUint::from(a)) {
                Ok(inverse) => assert_eq!(big(&inverse) * a % p, BigUint::from(1u32), "{a} modulo {p}"),
                Err(Error::NotInvertible { gcd: None }) => assert_eq!(a, 0),
                Err(Error::Parameter(ParameterError { name: "modulus", .. })) => wrong += 1,
                Err(error) => panic!("{error}"),
            }
        }
        assert!(wrong > 0, "{p}");
    }
}

#[test]
fn bad_moduli_and_shapes_are_refused() {
    let refuse = |p: u32, shape| Fermat::new(&BoxedUint::from(p), shape, Ladder::BestWindow).err().unwrap();
    let shape = BaseShape::new(8, 33);
    assert_eq!(refuse(0, shape), Error::Modulus(ModulusError::Even));
    assert_eq!(refuse(4, shape), Error::Modulus(ModulusError::Even));
    assert_eq!(refuse(1, shape), Error::Modulus(ModulusError::TooSmall));
    let p = Field::named("P-256").unwrap().prime();
    let Err(Error::Parameter(ParameterError { name: "channels", reason, .. })) =
        RnsMontgomery::new(&p, BaseShape::new(8, 32)).map(|_| ())
    else {
        panic!()
    };
    assert!(
        reason.to_string().contains("at least 9 channels") && reason.to_string().contains("at least 33 bits"),
        "{reason}"
    );
}

/// The zero that is read from text has no words.
#[test]
fn a_zero_without_words_is_zero() {
    let zero = BoxedUint::from_str_radix_vartime("0", 16).unwrap();
    assert_eq!(zero.bits_precision(), 0);
    let (p, shape) = (Field::named("P-256").unwrap().prime(), BaseShape::new(8, 36));
    let arithmetic = RnsMontgomery::new(&p, shape).unwrap();
    let element = arithmetic.to_montgomery(&zero, &mut ());
    assert!(bool::from(arithmetic.from_montgomery(&element, &mut ()).unwrap().is_zero()));
    let refused = [
        DivisionSteps::new(&p, shape, 32).unwrap().invert(&zero),
        Jump::new(&p, shape, 32).unwrap().invert(&zero),
        Binary::new(&p, shape, &Options::default()).unwrap().invert_vartime(&zero),
        BinaryTernary::new(&p, shape, &Options::default()).unwrap().invert_vartime(&zero),
        Fermat::new(&p, shape, Ladder::BestWindow).unwrap().invert(&zero),
    ];
    for inverse in refused {
        assert!(matches!(inverse, Err(Error::NotInvertible { .. })), "{inverse:?}");
    }
}
