//! The redundant channel: no false alarm, and every fault of a model that can be found is found.

use crypto_bigint::BoxedUint;
use moduli::{
    Error,
    error::{ModulusError, ParameterError},
};
use moduli_rns::{
    base::BaseShape,
    fields::{FIELDS, Field},
    redundant::{Redundant, RedundantElement, Stage},
};
use num_bigint::BigUint;
use testing::{Random, big, boxed};

fn redundant(p: u64, channels: usize, width: u32) -> Redundant {
    Redundant::new(&BoxedUint::from(p), BaseShape::new(channels, width)).unwrap()
}

fn small(x: u64) -> BigUint {
    BigUint::from(x)
}

/// Against their definitions.
#[test]
fn constants_are_what_they_say() {
    let p = Field::named("P-256").unwrap().prime();
    for (channels, width) in [(8, 33), (5, 64), (12, 24), (13, 22)] {
        let redundant = Redundant::new(&p, BaseShape::new(channels, width)).unwrap();
        let (p, modulus) = (big(&p), small(redundant.modulus()));
        assert_eq!(&modulus + 1u32, small(1) << width);
        let [first, second] = redundant.field().bases();
        let of = |value: BigUint| value % &modulus;
        let [product, other] = [first, second].map(|base| big(base.product()));
        assert_eq!(small(redundant.over_product()) * &product % &modulus, small(1));
        for (&m, &forth) in first.moduli().iter().zip(redundant.forth()) {
            assert_eq!(of(small(forth) * m), of(p.clone()));
        }
        assert_eq!(of(small(redundant.forth_excess()) + &p), small(0));
        for (&m, &back) in second.moduli().iter().zip(redundant.back()) {
            assert_eq!(small(back), of(&other / m));
            assert_eq!(modulus.modinv(&small(m)).map(|_| ()), Some(()));
        }
        assert_eq!(of(small(redundant.back_excess()) + &other), small(0));
        for k in 1..4 {
            assert_eq!(big(&redundant.power_of_product(k)), product.pow(k) % &p);
        }
        for value in [small(0), modulus.clone(), &modulus * 2u32, p.clone(), product] {
            assert_eq!(of(small(redundant.residue(&boxed(&value)))), of(value));
        }
    }
}

/// Long chains in every field: right, and no alarm.
#[test]
fn chains_of_products_are_right_in_every_field() {
    let mut random = Random(60);
    for field in FIELDS {
        let p = big(&field.prime());
        for width in [64, 33, 24] {
            let channels = (p.bits() as u32 + 5).div_ceil(width - 1) as usize;
            let redundant = Redundant::new(&field.prime(), BaseShape::new(channels, width)).unwrap();
            for start in [small(0), small(1), &p - 1u32, &p * 5u32 + 7u32, random.below(p.bits() as u32)] {
                let mut expected = &start % &p;
                let mut value = redundant.to_montgomery(&boxed(&start)).unwrap();
                let other = random.below(p.bits() as u32) % &p;
                let factor = redundant.to_montgomery(&boxed(&other)).unwrap();
                for turn in 0..20 {
                    let square = value.clone();
                    redundant.multiply(&mut value, if turn % 3 == 0 { &factor } else { &square }).unwrap();
                    expected = &expected * if turn % 3 == 0 { other.clone() } else { expected.clone() } % &p;
                    let out = redundant.from_montgomery(&value).unwrap();
                    assert_eq!(big(&out), expected, "{} {channels} of {width}", field.name);
                    // The same residues as without the channel, modulo other moduli.
                    let plain = redundant.field().from_montgomery(value.element(), &mut ()).unwrap();
                    assert_eq!(out, plain);
                }
            }
        }
    }
}

/// The largest moduli of a shape for which products are right, and others: a million products, no alarm.
#[test]
fn a_million_products_raise_no_alarm() {
    let mut random = Random(61);
    let shapes = [
        (7, 2, 8, 300_000),
        (6599, 2, 8, 300_000),
        (1_000_003, 3, 11, 200_000),
        ((1 << 32) + 15, 3, 17, 150_000),
    ];
    for (p, channels, width, count) in shapes {
        let redundant = redundant(p, channels, width);
        // Operands anywhere below 3P, now and then anew.
        let any = |random: &mut Random| redundant.split(&BoxedUint::from(random.word() % (3 * p)));
        let (mut x, mut y) = (any(&mut random), any(&mut random));
        for turn in 0..count {
            redundant.multiply(&mut x, &y).unwrap();
            if turn % 8 == 0 {
                redundant.leave(&x).unwrap();
                x = any(&mut random);
            }
            if turn % 3 == 0 {
                y = any(&mut random);
            }
        }
    }
    let redundant = Redundant::new(&Field::named("P-256").unwrap().prime(), BaseShape::new(8, 33)).unwrap();
    let mut x = redundant.to_montgomery(&boxed(&random.below(256))).unwrap();
    for _ in 0..50_000 {
        let y = x.clone();
        redundant.multiply(&mut x, &y).unwrap();
    }
    redundant.from_montgomery(&x).unwrap();
}

/// What came of a product with a fault: nothing that can be used, or a value.
fn released(redundant: &Redundant, x: &RedundantElement) -> Option<u64> {
    match redundant.leave(x) {
        Ok(value) => Some(value.as_words()[0]),
        Err(error) => {
            assert_eq!(error, Error::Fault);
            None
        }
    }
}

/// Every wrong word at every stage of the product of every two operands below 3P: none is released. But for
/// first-base residues behind the check and the short quotient, which may do no harm, each is found at once.
#[test]
fn every_fault_of_one_word_is_found() {
    for (p, channels, width, step) in [(7u64, 2, 8, 1), (17, 2, 8, 5), (5, 3, 10, 3)] {
        let redundant = redundant(p, channels, width);
        let [first, second] = redundant.field().bases();
        let quotients = 2 * channels as u64 + 2;
        let product = big(first.product());
        let unit = product.modinv(&small(p)).unwrap();
        let wrong = |stage: Stage| match stage {
            Stage::Digits | Stage::Back => first.moduli().to_vec(),
            Stage::Result => second.moduli().to_vec(),
            Stage::ShortQuotient | Stage::ExactQuotient => vec![quotients],
            Stage::Residue | Stage::Again => vec![redundant.modulus() + 1],
        };
        let stages = [
            Stage::Digits,
            Stage::ShortQuotient,
            Stage::Result,
            Stage::Residue,
            Stage::ExactQuotient,
            Stage::Again,
            Stage::Back,
        ];
        for (x, y) in (0..3 * p).step_by(step).flat_map(|x| (0..3 * p).step_by(step).map(move |y| (x, y))) {
            let right = u64::try_from(small(x * y) * &unit % p).unwrap();
            let [operand, other] = [x, y].map(|value| redundant.split(&BoxedUint::from(value)));
            for stage in stages {
                for (place, &bound) in wrong(stage).iter().enumerate() {
                    for value in 0..bound {
                        let (mut result, mut harmless) = (operand.clone(), false);
                        let checked = redundant.multiply_disturbed(&mut result, &other, |at, words| {
                            if at == stage {
                                let least = |word: u64| {
                                    let residue = matches!(stage, Stage::Residue | Stage::Again);
                                    if residue { word % redundant.modulus() } else { word }
                                };
                                harmless = least(words[place]) == least(value);
                                words[place] = value;
                            }
                        });
                        let name = format!("{x}*{y} modulo {p}: {stage:?} {place} is {value}");
                        if harmless {
                            assert_eq!(checked, Ok(()), "{name}");
                            assert_eq!(released(&redundant, &result), Some(right), "{name}");
                            continue;
                        }
                        match stage {
                            Stage::ShortQuotient => {
                                let out = released(&redundant, &result).filter(|_| checked.is_ok());
                                assert!([None, Some(right)].contains(&out), "{name}: {out:?}");
                            }
                            Stage::Back => {
                                assert_eq!(checked, Ok(()), "{name}");
                                assert_eq!(released(&redundant, &result), None, "{name}");
                                // Used once more it is found, or the other factor has hidden it.
                                let mut next = result.clone();
                                if redundant.multiply(&mut next, &other).is_ok() {
                                    let out = u64::try_from(small(right * y) * &unit % p).unwrap();
                                    assert_eq!(released(&redundant, &next), Some(out), "{name}");
                                }
                            }
                            _ => assert_eq!(checked, Err(Error::Fault), "{name}"),
                        }
                    }
                }
            }
        }
    }
}

/// Random words in all channels of a base pass as often as a random residue is right, 1 in 255.
#[test]
fn faults_of_several_channels_pass_by_chance() {
    let mut random = Random(62);
    let redundant = redundant(7, 2, 8);
    let [first, second] = redundant.field().bases();
    for (stage, base) in [(Stage::Digits, first), (Stage::Result, second)] {
        let (mut passed, count) = (0u32, 200_000u32);
        for _ in 0..count {
            let [mut x, y] = [(); 2].map(|()| redundant.split(&BoxedUint::from(random.word() % 21)));
            let checked = redundant.multiply_disturbed(&mut x, &y, |at, words| {
                if at == stage {
                    for (word, &m) in words.iter_mut().zip(base.moduli()) {
                        *word = (*word + 1 + random.word() % (m - 1)) % m;
                    }
                }
            });
            passed += u32::from(checked.is_ok());
        }
        println!("{stage:?}: {passed} of {count} pass");
        assert!((count / 255 / 2..count / 255 * 2).contains(&passed), "{stage:?}: {passed}");
    }
}

/// What is wrong in all channels alike is another product: not found, and said so.
#[test]
fn another_operand_is_not_found() {
    let redundant = redundant(1_000_003, 3, 11);
    let mut x = redundant.to_montgomery(&BoxedUint::from(5u32)).unwrap();
    let other = redundant.to_montgomery(&BoxedUint::from(8u32)).unwrap();
    redundant.multiply(&mut x, &other).unwrap();
    assert_eq!(big(&redundant.from_montgomery(&x).unwrap()), small(40));
}

#[test]
fn bad_moduli_and_shapes_are_refused() {
    let refuse = |p: u32, channels, width| {
        Redundant::new(&BoxedUint::from(p), BaseShape::new(channels, width)).err().unwrap()
    };
    assert_eq!(refuse(0, 2, 33), Error::Modulus(ModulusError::Even));
    assert_eq!(refuse(1, 2, 33), Error::Modulus(ModulusError::TooSmall));
    for (channels, width, name) in
        [(3, 8, "channels"), (2, 7, "width"), (2, 65, "width"), (0, 33, "channels")]
    {
        let Error::Parameter(ParameterError { name: found, .. }) = refuse(7, channels, width) else {
            panic!()
        };
        assert_eq!(found, name, "{channels} of {width}");
    }
}
