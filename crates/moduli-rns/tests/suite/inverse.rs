//! Inversion in residues against num-bigint: every named field in several shapes, tiny bases with every
//! operand, composite moduli, refusals.

use crypto_bigint::BoxedUint;
use moduli::{
    Error,
    error::{ModulusError, ParameterError},
};
use moduli_rns::{
    base::{Base, BaseShape, Family},
    fields::{FIELDS, Field},
    inverse::{Binary, BinaryTernary, Offset, Options, Stop, Wide},
};
use num_bigint::BigUint;
use testing::{Random, big, boxed};

/// One inverter, whatever its method.
enum Inverter {
    Binary(Binary),
    BinaryTernary(BinaryTernary),
    Wide(Wide),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Method {
    Binary,
    BinaryTernary,
    Wide(u64),
}

const METHODS: [Method; 3] = [Method::Binary, Method::BinaryTernary, Method::Wide(144)];

/// The other wide ones.
const WIDE: [Method; 6] = [
    Method::Wide(4),
    Method::Wide(12),
    Method::Wide(72),
    Method::Wide(120),
    Method::Wide(720),
    Method::Wide(840),
];

/// Every stopping rule, and the smallest offset.
const OPTIONS: [Options; 3] = [
    Options { stop: Stop::EveryStep, offset: Offset::TwelveP, top_bits: None },
    Options { stop: Stop::OuterLoop, offset: Offset::TwelveP, top_bits: None },
    Options { stop: Stop::EveryStep, offset: Offset::Least, top_bits: None },
];

impl Inverter {
    fn new(method: Method, p: &BoxedUint, shape: BaseShape, options: &Options) -> Result<Self, Error> {
        Ok(match method {
            Method::Binary => Self::Binary(Binary::new(p, shape, options)?),
            Method::BinaryTernary => Self::BinaryTernary(BinaryTernary::new(p, shape, options)?),
            Method::Wide(q) => Self::Wide(Wide::new(p, q, shape, options)?),
        })
    }

    fn invert(&self, a: &BoxedUint) -> Result<BoxedUint, Error> {
        match self {
            Self::Binary(inverter) => inverter.invert_vartime(a),
            Self::BinaryTernary(inverter) => inverter.invert_vartime(a),
            Self::Wide(inverter) => inverter.invert_vartime(a),
        }
    }

    /// Right inverse, or the right common factor.
    fn check(&self, a: &BigUint, p: &BigUint, what: &str) {
        match (self.invert(&boxed(a)), a.modinv(p)) {
            (Ok(inverse), Some(expected)) => assert_eq!(big(&inverse), expected, "{what}: 1/{a} modulo {p}"),
            (Err(Error::NotInvertible { gcd: Some(gcd) }), None) => {
                let gcd = BigUint::parse_bytes(gcd.as_bytes(), 16).unwrap();
                assert_eq!(gcd, common_factor(a.clone() % p, p.clone()), "{what}: {a} modulo {p}");
            }
            (result, expected) => panic!("{what}: 1/{a} modulo {p}: {result:?}, expected {expected:?}"),
        }
    }
}

fn common_factor(mut a: BigUint, mut b: BigUint) -> BigUint {
    while a != BigUint::ZERO {
        (a, b) = (&b % &a, a);
    }
    b
}

/// n and w for 26·P: wide channels, narrow ones, and one between.
fn shapes(bits: u32) -> [BaseShape; 3] {
    let channels = |width: u32| (bits + 6).div_ceil(width - 1) as usize;
    [64, 33, 24].map(|width| BaseShape::new(channels(width), width))
}

/// 1, 2, 3, 6 and what lies below P; every `stride`-th power of 2 and 3 and their inverses; what lies around
/// P/2 and P/3.
fn edges(p: &BigUint, stride: usize) -> Vec<BigUint> {
    let mut edges: Vec<BigUint> = [1u32, 2, 3, 4, 6, 12].map(BigUint::from).to_vec();
    edges.extend([1u32, 2, 3, 4, 6, 12].map(|x| p - x));
    for base in [2u32, 3] {
        let powers = core::iter::successors(Some(BigUint::from(1u32)), |power| Some(power * base));
        for power in powers.take_while(|power| power < p).step_by(stride) {
            edges.push(power.clone());
            edges.extend(power.modinv(p));
            edges.push(p - &power);
        }
        let part = p / base;
        edges.extend((0u32..5).map(|x| &part + x));
        edges.extend((1u32..5).map(|x| &part - x));
    }
    edges
}

fn sweep(random_operands: usize, stride: usize) {
    let mut random = Random(3);
    for field in FIELDS {
        let prime = field.prime();
        let p = big(&prime);
        let edges = edges(&p, stride);
        for shape in shapes(prime.bits_vartime()) {
            for method in METHODS {
                for options in OPTIONS {
                    let what = format!("{} {shape:?} {method:?} {options:?}", field.name);
                    let inverter = Inverter::new(method, &prime, shape, &options).unwrap();
                    // All edges under the default, a part of them and of the random operands under the
                    // others.
                    let (step, count) =
                        if options == OPTIONS[0] { (1, random_operands) } else { (5, random_operands / 10) };
                    for a in edges.iter().step_by(step) {
                        inverter.check(a, &p, &what);
                    }
                    for _ in 0..count {
                        inverter.check(&(random.below(prime.bits_vartime() + 64) % &p), &p, &what);
                    }
                    inverter.check(&BigUint::ZERO, &p, &what);
                    inverter.check(&p, &p, &what);
                    inverter.check(&(&p * 3u32 + 2u32), &p, &what);
                }
            }
        }
    }
}

#[test]
fn every_field_in_every_shape() {
    sweep(80, 11);
}

#[test]
#[ignore = "a hundred times the operands, every power"]
fn every_field_in_every_shape_long() {
    sweep(10_000, 1);
}

/// The other Q: fewer operands, one shape.
#[test]
fn other_wide_moduli() {
    let mut random = Random(5);
    for field in FIELDS {
        let prime = field.prime();
        let p = big(&prime);
        for method in WIDE {
            for shape in &shapes(prime.bits_vartime())[1..] {
                let inverter = Inverter::new(method, &prime, *shape, &Options::default()).unwrap();
                let what = format!("{} {method:?}", field.name);
                for _ in 0..50 {
                    inverter.check(&(random.below(prime.bits_vartime() + 64) % &p), &p, &what);
                }
                for a in edges(&p, 40) {
                    inverter.check(&a, &p, &what);
                }
                inverter.check(&BigUint::ZERO, &p, &what);
            }
        }
    }
}

/// Every operand of ten primes below 2^12 on bases of 8- and 17-bit moduli; the primes cover all residues
/// modulo 12.
#[test]
fn every_operand_of_small_primes() {
    for p in [5u32, 7, 11, 13, 101, 1009, 2039, 3329, 4079, 4093] {
        for shape in [BaseShape::new(3, 8), BaseShape::new(1, 17), BaseShape::new(2, 17)] {
            for method in METHODS {
                for options in OPTIONS {
                    let inverter = Inverter::new(method, &BoxedUint::from(p), shape, &options).unwrap();
                    for a in 0..p {
                        inverter.check(
                            &BigUint::from(a),
                            &BigUint::from(p),
                            &format!("{method:?} {shape:?} {options:?}"),
                        );
                    }
                }
            }
        }
    }
}

/// Every operand of composite moduli: squares, products, multiples of 3 where the method allows them.
#[test]
fn every_operand_of_composite_moduli() {
    for p in [9u32, 15, 25, 35, 49, 77, 105, 121, 125, 143, 175, 245, 539, 1001, 1729, 3025, 4085, 4087, 4095]
    {
        for shape in [BaseShape::new(3, 8), BaseShape::new(1, 17), BaseShape::new(2, 17)] {
            for method in METHODS {
                match Inverter::new(method, &BoxedUint::from(p), shape, &Options::default()) {
                    Ok(inverter) => {
                        for a in 0..p {
                            inverter.check(
                                &BigUint::from(a),
                                &BigUint::from(p),
                                &format!("{method:?} {shape:?}"),
                            );
                        }
                    }
                    Err(error) => {
                        assert!(p % 3 == 0 && method != Method::Binary, "{p}: {error}");
                        assert!(
                            matches!(error, Error::Parameter(ParameterError { name: "modulus", .. })),
                            "{error}"
                        );
                    }
                }
            }
        }
    }
}

/// P as large as a base holds under each offset: one more is refused.
#[test]
fn the_room_is_used_to_the_full() {
    let mut random = Random(10);
    for shape in [
        BaseShape::new(3, 8),
        BaseShape::new(2, 17),
        BaseShape::new(8, 33),
        BaseShape::new(12, 24),
        BaseShape::new(4, 64),
    ] {
        for (method, q) in [(Method::Binary, 4), (Method::BinaryTernary, 12), (Method::Wide(144), 144)] {
            let product = big(Base::new(shape, &Family::for_residues_modulo(q)).unwrap().product());
            for (offset, factor) in [(Offset::TwelveP, 26u32), (Offset::Least, 4)] {
                let options = Options { offset, ..Options::default() };
                let larger = &product / factor + 1u32;
                let larger =
                    (0u32..6).map(|x| &larger + x).find(|p| p.bit(0) && p % 3u32 != BigUint::ZERO).unwrap();
                assert!(Inverter::new(method, &boxed(&larger), shape, &options).is_err());
                // The Cox is checked to 2^−62 of M, and a small C0 is rounded up to a multiple of 12.
                let start: BigUint = (&product - (&product >> 60u32) - 1u32) / factor;
                let candidates =
                    (0u32..64).map(|x| &start - x).filter(|p| p.bit(0) && p % 3u32 != BigUint::ZERO);
                let inverter = candidates.map(|p| (Inverter::new(method, &boxed(&p), shape, &options), p));
                let (inverter, p) =
                    inverter.filter_map(|(inverter, p)| Some((inverter.ok()?, p))).next().unwrap();
                for a in edges(&p, 9) {
                    inverter.check(&a, &p, &format!("{method:?} {shape:?} {offset:?}"));
                }
                for _ in 0..100 {
                    inverter.check(
                        &(random.below(p.bits() as u32) % &p),
                        &p,
                        &format!("{method:?} {shape:?} {offset:?}"),
                    );
                }
            }
        }
    }
}

/// A composite modulus of cryptographic size: operands that share one of its primes are refused with that
/// prime.
#[test]
fn a_long_composite_modulus() {
    let [p, q] = ["P-256", "secp256k1"].map(|name| big(&Field::named(name).unwrap().prime()));
    let modulus = &p * &q;
    let mut random = Random(4);
    for method in METHODS {
        let inverter =
            Inverter::new(method, &boxed(&modulus), BaseShape::new(17, 32), &Options::default()).unwrap();
        for factor in [&p, &q] {
            for _ in 0..20 {
                inverter.check(&(factor * random.below(200)), &modulus, "a multiple");
                inverter.check(&random.below(512), &modulus, "random");
            }
        }
    }
}

#[test]
fn bad_moduli_and_shapes_are_refused() {
    let shape = BaseShape::new(8, 33);
    let refuse =
        |method, p: &BoxedUint, shape| Inverter::new(method, p, shape, &Options::default()).err().unwrap();
    for method in METHODS {
        for even in [0u32, 2, 1024] {
            assert_eq!(refuse(method, &BoxedUint::from(even), shape), Error::Modulus(ModulusError::Even));
        }
        assert_eq!(refuse(method, &BoxedUint::one(), shape), Error::Modulus(ModulusError::TooSmall));
        let p = Field::named("P-256").unwrap().prime();
        let Error::Parameter(ParameterError { name: "channels", reason, .. }) =
            refuse(method, &p, BaseShape::new(8, 32))
        else {
            panic!()
        };
        assert!(reason.to_string().contains("at least 33 bits"), "{reason}");
        for top_bits in [0, 2, 34] {
            let options = Options { top_bits: Some(top_bits), ..Options::default() };
            let error = Inverter::new(method, &p, shape, &options).err().unwrap();
            assert!(matches!(error, Error::Parameter(ParameterError { name: "t", .. })), "{error}");
        }
    }
    for (q, p) in [(0, 5u32), (2, 5), (6, 5), (145, 5), (8192, 5), (120, 35), (840, 49), (720, 45)] {
        let error = refuse(Method::Wide(q), &BoxedUint::from(p), shape);
        let name = if [120, 840, 720].contains(&q) { "modulus" } else { "Q" };
        assert!(
            matches!(error, Error::Parameter(ParameterError { name: found, .. }) if found == name),
            "{q}: {error}"
        );
    }
    let error = refuse(Method::Wide(840), &BoxedUint::from(11u32), BaseShape::new(3, 8));
    assert!(matches!(error, Error::Parameter(ParameterError { name: "Q", .. })), "{error}");
    assert!(matches!(
        refuse(Method::BinaryTernary, &BoxedUint::from(3u32), shape),
        Error::Parameter(ParameterError { name: "modulus", .. })
    ));
}
