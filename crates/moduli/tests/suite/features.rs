//! The features `serde`, `num-bigint` and `num-bigint-04`.

#[test]
fn numbers_of_num_bigint_come_and_go() {
    use moduli::{Modulus, convert::*};
    use num_bigint::{BigInt, BigUint};
    use testing::{Random, big};
    let mut random = Random(1);
    for bits in [1, 63, 64, 65, 128, 1000] {
        let x = random.odd(bits.max(2));
        assert_eq!(big(&from_biguint_vartime(&x)), x);
        assert_eq!(to_biguint_vartime(&from_biguint_vartime(&x)), x);
        assert_eq!(BigUint::from(&Modulus::try_from(&x).unwrap()), x);
        let (negative, magnitude) = from_bigint_vartime(&-BigInt::from(x.clone()));
        assert!(negative && big(&magnitude) == x);
    }
    assert_eq!(big(&from_biguint_vartime(&BigUint::ZERO)), BigUint::ZERO);
    assert!(!from_bigint_vartime(&BigInt::ZERO).0);
    assert!(Modulus::try_from(&BigUint::from(4u32)).is_err());
}

#[test]
fn numbers_of_an_older_num_bigint_too() {
    use moduli::{Modulus, convert::num_bigint_04::*};
    use num_bigint_04::{BigInt, BigUint};
    let x = (BigUint::from(1u32) << 200u32) + 7u32;
    assert_eq!(to_biguint_vartime(&from_biguint_vartime(&x)), x);
    assert_eq!(BigUint::from(&Modulus::try_from(&x).unwrap()), x);
    let (negative, magnitude) = from_bigint_vartime(&-BigInt::from(x.clone()));
    assert!(negative && to_biguint_vartime(&magnitude) == x);
    assert!(Modulus::try_from(&BigUint::from(4u32)).is_err());
}

/// Compares powers with exponents of either sign, and inverses, with `$num_bigint`, modulo every
/// small number and two long ones.
macro_rules! powers_and_inverses {
    ($name:ident, $num_bigint:ident, $($convert:ident)::+) => {
        #[test]
        fn $name() {
            use $($convert)::+::*;
            use $num_bigint::{BigInt, BigUint};
            use moduli::{
                Error, EvenModulus, Modulus, SignedExponent,
                error::{ModulusError, ParameterError},
            };

            let number = |x: u32| BigUint::from(x);
            let long = (number(1) << 130u32) + 7u32;
            for m in (3..24).map(number).chain([number(2), long.clone(), long + 1u32]) {
                let (odd, even) = (Modulus::try_from(&m), EvenModulus::new(&from_biguint_vartime(&m)));
                match m.bit(0) {
                    true => assert!(matches!(&even, Err(Error::Parameter(ParameterError { name: "modulus", .. })))),
                    false => assert_eq!(odd.as_ref().err(), Some(&Error::Modulus(ModulusError::Even))),
                }
                for x in (0..26).map(number).chain([&m - 1u32, &m + 1u32, &m * &m + 2u32]) {
                    let base = from_biguint_vartime(&x);
                    let inverse = x.modinv(&m);
                    let found = moduli::invert_vartime(&base, &from_biguint_vartime(&m)).ok();
                    assert_eq!(found.as_ref().map(to_biguint_vartime), inverse, "1/{x} modulo {m}");
                    for e in [-70_000i64, -2, -1, 0, 1, 2, 5, 70_000] {
                        let wanted = match e < 0 {
                            true => inverse.clone(),
                            false => Some(x.clone()),
                        };
                        let wanted = wanted.map(|x| x.modpow(&BigUint::from(e.unsigned_abs()), &m));
                        let (negative, e) = from_bigint_vartime(&BigInt::from(e));
                        let powers = match (&odd, &even) {
                            (Ok(p), _) => {
                                let signed = SignedExponent::new(negative, &e);
                                // A secret sign requires an inverse, even if it is positive.
                                let secret = match negative || inverse.is_some() {
                                    true => p.pow_signed(&base, signed).ok(),
                                    false => Some(p.pow(&base, &e)),
                                };
                                [p.pow_vartime(&base, signed).ok(), secret]
                            }
                            (_, Ok(m)) if negative => [
                                m.invert_vartime(&base).ok().map(|x| m.pow_vartime(&x, &e)),
                                m.invert(&base).ok().map(|x| m.pow(&x, &e)),
                            ],
                            (_, Ok(m)) => [m.pow_vartime(&base, &e), m.pow(&base, &e)].map(Some),
                            _ => panic!("no modulus takes {m}"),
                        };
                        for power in powers {
                            assert_eq!(power.as_ref().map(to_biguint_vartime), wanted, "{x}^{e}, {negative}, modulo {m}");
                        }
                    }
                }
            }

            let one = from_biguint_vartime(&number(1));
            for too_small in [number(0), number(1)] {
                assert!(matches!(Modulus::try_from(&too_small), Err(Error::Modulus(_))));
                assert!(EvenModulus::new(&from_biguint_vartime(&too_small)).is_err());
            }
            assert_eq!(moduli::invert_vartime(&one, &one).as_ref().map(to_biguint_vartime), Ok(number(0)));
        }
    };
}

powers_and_inverses!(powers_and_inverses_are_those_of_num_bigint, num_bigint, moduli::convert);
powers_and_inverses!(
    powers_and_inverses_are_those_of_an_older_num_bigint,
    num_bigint_04,
    moduli::convert::num_bigint_04
);

#[test]
fn parameters_and_descriptions_are_written_and_read() {
    use crypto_bigint::BoxedUint;
    use moduli::{
        FixedBase, MemorySize, Method, Modulus, Planner, Secrecy, TableInfo, fixed::Shape, groups::Group,
        scheme::dsa::DomainParameters,
    };
    use serde_json::{from_str, from_value, json, to_value};

    let method: Method = "comb:5,2".parse().unwrap();
    let shape = Shape::new(method, 1, 160).unwrap();
    let written = json!({"method": "comb:5,2", "split": 1, "exponent_bits": 160});
    assert_eq!(to_value(shape).unwrap(), written);
    assert_eq!(from_value::<Shape>(written).unwrap(), shape);
    assert!(from_str::<Shape>(r#"{"method":"comb:99,2","split":1,"exponent_bits":160}"#).is_err());
    assert!(from_str::<Method>(r#""comb""#).is_err());
    assert_eq!(from_str::<MemorySize>(r#""64KiB""#).unwrap(), from_str::<MemorySize>("65536").unwrap());
    assert_eq!(from_value::<Secrecy>(to_value(Secrecy::Public).unwrap()).unwrap(), Secrecy::Public);
    assert!(from_str::<Secrecy>(r#""uniform""#).is_err());

    let p: Modulus = from_str(r#""fffffffffffffffffffffffffffffff61""#).unwrap();
    assert_eq!(to_value(&p).unwrap(), json!("fffffffffffffffffffffffffffffff61"));
    for wrong in [r#""10""#, r#""""#, r#""0x11""#, r#""-5""#, r#""1""#, "17"] {
        assert!(from_str::<Modulus>(wrong).is_err(), "{wrong}");
    }

    let plan = Planner::new(&p).exponent_bits(160).budget(MemorySize::kib(8)).plan().unwrap();
    let written = to_value(&plan).unwrap();
    assert_eq!(written["bytes"], json!(plan.bytes.0));
    assert_eq!(written["runners_up"].as_array().unwrap().len(), plan.runners_up.len());

    let table = FixedBase::builder(&p, &BoxedUint::from(5u64)).exponent_bits(20).build().unwrap();
    let path = std::env::temp_dir().join(format!("moduli-features-{}", std::process::id()));
    table.save(&path).unwrap();
    let written = to_value(TableInfo::read(&path).unwrap()).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!((&written["base"], &written["order"]), (&json!("5"), &json!(null)));
    assert_eq!(written["digest"].as_str().unwrap().len(), 64);

    let group = Group::named("dsa-1024-160").unwrap();
    let parameters = DomainParameters::new(group.modulus(), group.order(), group.generator()).unwrap();
    let mut written = to_value(&parameters).unwrap();
    let read: DomainParameters = from_value(written.clone()).unwrap();
    assert_eq!(read.g(), parameters.g());
    written["g"] = json!("2");
    assert!(from_value::<DomainParameters>(written).is_err());
}
