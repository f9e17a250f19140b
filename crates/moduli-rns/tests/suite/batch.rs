//! Batch inversion in residues against num-bigint: values without an inverse are told apart, all others
//! delivered.

use crypto_bigint::BoxedUint;
use moduli::{
    Error,
    error::{ModulusError, ParameterError},
};
use moduli_rns::{
    base::BaseShape,
    fields::FIELDS,
    inverse::Batch,
    observe::{Counter, Phase},
};
use num_bigint::BigUint;
use testing::{Random, big, boxed};

fn check(batch: &Batch, values: &[BigUint], p: &BigUint) {
    let boxed_values: Vec<BoxedUint> = values.iter().map(boxed).collect();
    let results = batch.invert_vartime(&boxed_values);
    assert_eq!(results.len(), values.len());
    for (index, (value, result)) in values.iter().zip(results).enumerate() {
        match (result, value.modinv(p)) {
            (Ok(inverse), Some(expected)) => assert_eq!(big(&inverse), expected, "value {index} modulo {p}"),
            (Err(Error::NotInvertible { gcd: Some(gcd) }), None) => {
                let gcd = BigUint::parse_bytes(gcd.as_bytes(), 16).unwrap();
                assert_eq!((p % &gcd, value % &gcd), (BigUint::ZERO, BigUint::ZERO));
                assert_ne!(gcd, BigUint::from(1u32));
            }
            (result, expected) => panic!("value {index} modulo {p}: {result:?}, expected {expected:?}"),
        }
    }
}

#[test]
fn batches_in_every_field() {
    let mut random = Random(13);
    for field in FIELDS {
        let prime = field.prime();
        let p = big(&prime);
        let bits = prime.bits_vartime();
        for width in [64, 33, 24] {
            let batch =
                Batch::new(&prime, BaseShape::new((bits + 7).div_ceil(width - 1) as usize, width)).unwrap();
            for count in [0usize, 1, 2, 3, 17] {
                let mut values: Vec<BigUint> = (0..count).map(|_| random.below(bits + 3)).collect();
                check(&batch, &values, &p);
                // Zeros in all sorts of places.
                for place in [0, 1, count / 2, count.saturating_sub(1)] {
                    if let Some(value) = values.get_mut(place) {
                        *value = if place % 2 == 0 { BigUint::ZERO } else { p.clone() };
                    }
                }
                check(&batch, &values, &p);
            }
            let edges = [1u32, 2, 3].map(BigUint::from).into_iter().flat_map(|x| [&p - &x, x]);
            check(&batch, &edges.collect::<Vec<_>>(), &p);
        }
    }
}

/// All operands at once, many of them without an inverse, of composite moduli and multiples of 3.
#[test]
fn all_operands_of_composite_moduli() {
    for p in [9u32, 15, 35, 105, 121, 1001, 1729, 2047, 4087, 4093] {
        let batch = Batch::new(&BoxedUint::from(p), BaseShape::new(2, 17)).unwrap();
        check(&batch, &(0..p).map(BigUint::from).collect::<Vec<_>>(), &BigUint::from(p));
    }
}

/// Three products an element, and one inversion.
#[test]
fn a_batch_costs_three_products_an_element() {
    let field = FIELDS[2];
    let batch = Batch::new(&field.prime(), BaseShape::new(8, 33)).unwrap();
    let mut random = Random(14);
    let values: Vec<BoxedUint> = (0..16).map(|_| boxed(&random.below(256))).collect();
    let cost = |values: &[BoxedUint]| {
        let mut counter = Counter::default();
        assert!(batch.invert_observed_vartime(values, &mut counter).iter().all(Result::is_ok));
        (counter.total().multiplications, counter.of(Phase::Loop).outer)
    };
    let (all, outer) = cost(&values);
    println!("16 elements: {all} EMM, {:.1}·n an element; {outer} turns", all as f64 / 128.0);
    let products = 3 * 15 * (2 * 64 + 6 * 8);
    let rest = all - products;
    // What is left is one inversion: about 1.08·n·ℓ, entry, exit and an extension.
    assert!((1_500..3_000).contains(&rest), "{rest}");
}

#[test]
fn bad_moduli_are_refused() {
    let shape = BaseShape::new(8, 33);
    for (p, error) in [
        (0u32, Error::Modulus(ModulusError::Even)),
        (10, Error::Modulus(ModulusError::Even)),
        (1, Error::Modulus(ModulusError::TooSmall)),
    ] {
        assert_eq!(Batch::new(&BoxedUint::from(p), shape).err(), Some(error));
    }
    let p = FIELDS[2].prime();
    assert!(matches!(
        Batch::new(&p, BaseShape::new(8, 32)).err(),
        Some(Error::Parameter(ParameterError { name: "channels", .. }))
    ));
}
