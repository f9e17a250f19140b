//! The lattice jump against num-bigint: every named field in several shapes and jump lengths, tiny bases with
//! every operand, composite moduli, operands made to be hard, one trace for all operands, and the cost.

mod trace;

use crypto_bigint::{BoxedUint, Resize};
use moduli::{
    Error,
    error::{ModulusError, ParameterError},
};
use moduli_rns::{
    base::{Base, BaseShape, Family},
    fields::{FIELDS, Field},
    inverse::Jump,
};
use num_bigint::BigUint;
use testing::{Random, big, boxed};

use crate::frame::{common_factor, edges, lopsided};

/// Both variants give the right inverse, or refuse: the constant-time one without the factor, the other with
/// the right one.
fn check(jump: &Jump, a: &BigUint, p: &BigUint, what: &str) {
    let (constant_time, variable) = (jump.invert(&boxed(a)), jump.invert_vartime(&boxed(a)));
    match a.modinv(p) {
        Some(expected) => {
            assert_eq!(big(&constant_time.unwrap()), expected, "{what}: 1/{a} modulo {p}");
            assert_eq!(big(&variable.unwrap()), expected, "{what}: 1/{a} modulo {p}, variable-time");
        }
        None => {
            assert_eq!(constant_time, Err(Error::NotInvertible { gcd: None }), "{what}: {a} modulo {p}");
            let Err(Error::NotInvertible { gcd: Some(gcd) }) = variable else {
                panic!("{what}: {a} modulo {p}: {variable:?}")
            };
            let gcd = BigUint::parse_bytes(gcd.as_bytes(), 16).unwrap();
            assert_eq!(gcd, common_factor(a % p, p.clone()), "{what}: {a} modulo {p}");
        }
    }
}

/// n and w for 16·P, with k: one word and more than one word a matrix entry, and channels to spare.
fn shapes(bits: u32) -> [(BaseShape, u32); 5] {
    let channels = |width: u32| (bits + 5).div_ceil(width - 1) as usize;
    [(33, 32, 0), (64, 62, 0), (24, 23, 0), (33, 64, 0), (17, 41, 3)]
        .map(|(width, k, spare)| (BaseShape::new(channels(width) + spare, width), k))
}

fn sweep(random_operands: usize) {
    let mut random = Random(3);
    for field in FIELDS {
        let prime = field.prime();
        let (p, bits) = (big(&prime), prime.bits_vartime());
        let (edges, lopsided) = (edges(&p), lopsided(&p, bits));
        for (index, (shape, k)) in shapes(bits).into_iter().enumerate() {
            let what = format!("{} {shape:?} k = {k}", field.name);
            let jump = Jump::new(&prime, shape, k).unwrap();
            // All edges in one shape, a part in the others; all random operands in three.
            let (step, count) =
                (1 + 6 * index.min(1), if index < 3 { random_operands } else { random_operands / 10 });
            for a in edges.iter().chain(&lopsided).skip(index).step_by(step) {
                check(&jump, a, &p, &what);
            }
            for _ in 0..count {
                check(&jump, &(random.below(bits + 64) % &p), &p, &what);
            }
            for a in [BigUint::ZERO, p.clone(), &p * 3u32 + 2u32] {
                check(&jump, &a, &p, &what);
            }
        }
    }
}

#[test]
fn every_field_in_every_shape() {
    sweep(80);
}

#[test]
#[ignore = "a hundred times the operands"]
fn every_field_in_every_shape_long() {
    sweep(10_000);
}

const TINY: [(usize, u32, u32); 7] =
    [(3, 8, 7), (3, 8, 1), (3, 8, 24), (1, 17, 16), (1, 17, 5), (2, 17, 2), (2, 17, 64)];

/// Every operand of ten primes below 2^12 on bases of 8- and 17-bit moduli.
#[test]
fn every_operand_of_small_primes() {
    for p in [3u32, 5, 7, 11, 13, 101, 1009, 2039, 3329, 4093] {
        for (channels, width, k) in TINY {
            let jump = Jump::new(&BoxedUint::from(p), BaseShape::new(channels, width), k).unwrap();
            for a in 0..p {
                check(&jump, &BigUint::from(a), &BigUint::from(p), &format!("{channels} × {width}, k = {k}"));
            }
        }
    }
}

/// Every operand of composite moduli: squares, products, multiples of 3.
#[test]
fn every_operand_of_composite_moduli() {
    for p in [9u32, 15, 25, 35, 45, 49, 77, 105, 121, 143, 175, 539, 1001, 1155, 2187, 3025, 4087, 4095] {
        for (channels, width, k) in TINY {
            let jump = Jump::new(&BoxedUint::from(p), BaseShape::new(channels, width), k).unwrap();
            for a in 0..p {
                check(&jump, &BigUint::from(a), &BigUint::from(p), &format!("{channels} × {width}, k = {k}"));
            }
        }
    }
}

/// A modulus that shares its factors with the moduli of the base.
#[test]
fn moduli_of_the_base_may_divide_the_modulus() {
    let moduli =
        Jump::new(&BoxedUint::from(3u32), BaseShape::new(4, 33), 32).unwrap().base().moduli().to_vec();
    let p = BigUint::from(moduli[0]) * moduli[2];
    let jump = Jump::new(&boxed(&p), BaseShape::new(4, 33), 32).unwrap();
    let mut random = Random(8);
    for _ in 0..200 {
        check(&jump, &(random.below(100) % &p), &p, "random");
        check(&jump, &((random.below(100) * moduli[0]) % &p), &p, "a multiple");
    }
}

/// Composite moduli of cryptographic size: operands that share one of their primes are refused, although the
/// channels dropped on the way suppose that they do not.
#[test]
fn long_composite_moduli() {
    let primes = ["P-192", "P-256", "P-521"].map(|name| big(&Field::named(name).unwrap().prime()));
    let mut random = Random(4);
    for (i, p) in primes.iter().enumerate() {
        for q in &primes[i..] {
            let modulus = p * q;
            for k in [13, 32, 64] {
                let channels = (modulus.bits() as usize + 4).div_ceil(32);
                let jump = Jump::new(&boxed(&modulus), BaseShape::new(channels, 33), k).unwrap();
                for factor in [p, q] {
                    for cofactor in [random.below(3), random.below(90), random.below(500)] {
                        check(&jump, &(factor * cofactor % &modulus), &modulus, "a multiple");
                    }
                }
                check(&jump, &(random.below(2000) % &modulus), &modulus, "random");
            }
        }
    }
    // Small factors, which are found last.
    for factor in [3u32, 5, 255, 65_537] {
        let modulus = big(&Field::named("P-256").unwrap().prime()) * factor;
        for k in [8, 32, 57, 64] {
            let jump = Jump::new(&boxed(&modulus), BaseShape::new(10, 33), k).unwrap();
            for _ in 0..50 {
                check(&jump, &(random.below(250) * factor % &modulus), &modulus, "a multiple");
            }
        }
    }
}

/// A common factor that is 1 modulo the last channel: it must be seen while there are more.
#[test]
fn factors_that_look_like_one() {
    let prime = Field::named("P-256").unwrap().prime();
    let shape = BaseShape::new(19, 17);
    let first = Jump::new(&prime, shape, 64).unwrap().base().moduli()[0];
    let mut random = Random(9);
    for multiple in [2u64, 20, 400, 6000] {
        for factor in [first * multiple - 1, first * multiple + 1] {
            let modulus = big(&prime) * factor;
            for k in [32, 64] {
                let jump = Jump::new(&boxed(&modulus), shape, k).unwrap();
                for _ in 0..50 {
                    check(&jump, &(random.below(250) * factor % &modulus), &modulus, "a multiple");
                }
            }
        }
    }
}

/// Operands made backwards: from (±1, 0) by the inverses of matrices that lose as little as can be, until the
/// numbers have the wanted length; the modulus is what comes out.
#[test]
fn operands_made_backwards() {
    use num_bigint::BigInt;
    let mut random = Random(5);
    for k in [4u32, 16, 32, 57, 64] {
        for round in 0..200 {
            let (mut u, mut v) = (BigInt::from(1), BigInt::ZERO);
            while u.bits() < 224 {
                // Rows of Euclid's algorithm for a ρ near 2^k/φ, near 2^(k/2), or random.
                let top = 1u128 << k;
                let rho = match round % 4 {
                    0 => (top as f64 / 1.618_033_988_749_895) as u128 ^ u128::from(random.word() % 16),
                    1 => (1u128 << (k / 2)) + u128::from(random.word() % 16),
                    2 => 1u128 << (random.word() % u64::from(k)),
                    _ => u128::from(random.word()) % top,
                } % top;
                let (mut r, mut t) = ([top as i128, rho as i128], [0i128, 1]);
                while r[1] > t[1].abs() {
                    let quotient = r[0] / r[1];
                    r = [r[1], r[0] - quotient * r[1]];
                    t = [t[1], t[0] - quotient * t[1]];
                }
                // The inverse of the matrix times 2^k is its adjugate, up to sign.
                let next = (&u * t[1] - &v * t[0], &v * r[0] - &u * r[1]);
                (u, v) = if random.word() & 1 == 0 { next } else { (next.1, next.0) };
                if !u.bit(0) {
                    (u, v) = (v, u);
                }
                if !u.bit(0) {
                    break;
                }
            }
            let (p, a) = (u.magnitude().clone(), v.magnitude().clone());
            if !p.bit(0) || p.bits() < 2 {
                continue;
            }
            let channels = (p.bits() as usize + 4).div_ceil(32);
            let jump = Jump::new(&boxed(&p), BaseShape::new(channels, 33), k).unwrap();
            for a in [&a % &p, (&p * 4u32 - (&a % &p)) % &p, (a << 1u32) % &p] {
                check(&jump, &a, &p, &format!("backwards, k = {k}"));
            }
        }
    }
}

#[test]
fn bad_moduli_and_shapes_are_refused() {
    let shape = BaseShape::new(8, 33);
    let refuse = |p: &BoxedUint, shape, k| Jump::new(p, shape, k).err().unwrap();
    for even in [0u32, 2, 1024] {
        assert_eq!(refuse(&BoxedUint::from(even), shape, 32), Error::Modulus(ModulusError::Even));
    }
    assert_eq!(refuse(&BoxedUint::one(), shape, 32), Error::Modulus(ModulusError::TooSmall));
    let p = Field::named("P-256").unwrap().prime();
    for k in [0, 65] {
        assert!(matches!(refuse(&p, shape, k), Error::Parameter(ParameterError { name: "jump bits", .. })));
    }
    let Error::Parameter(ParameterError { name: "channels", reason, .. }) =
        refuse(&p, BaseShape::new(8, 32), 31)
    else {
        panic!()
    };
    assert!(reason.to_string().contains("at least 33 bits"), "{reason}");
}

/// The result and the operand's declared precision: any length is reduced.
#[test]
fn operands_of_any_precision() {
    let p = Field::named("curve25519").unwrap().prime();
    let jump = Jump::new(&p, BaseShape::new(8, 33), 32).unwrap();
    for precision in [64, 256, 320, 1024] {
        let a = BoxedUint::from(9u32).resize(precision);
        assert_eq!(jump.invert(&a).unwrap(), jump.invert_vartime(&a).unwrap());
        check(&jump, &big(&a), &big(&p), "9");
    }
    check(&jump, &((BigUint::from(1u32) << 1000) + 1u32), &big(&p), "long");
}

/// P as large as a base holds, 16·P < M: the next is refused.
#[test]
fn the_room_is_used_to_the_full() {
    for (shape, k) in [(BaseShape::new(8, 33), 32), (BaseShape::new(3, 8), 7), (BaseShape::new(4, 64), 64)] {
        let product = big(Base::new(shape, &Family::default()).unwrap().product());
        let most = (&product - 1u32) / 16u32;
        let most = if most.bit(0) { most } else { most - 1u32 };
        assert!(Jump::new(&boxed(&(&most + 2u32)), shape, k).is_err(), "{shape:?}");
        let jump = Jump::new(&boxed(&most), shape, k).unwrap();
        for a in edges(&most).iter().take(60).chain(&lopsided(&most, most.bits() as u32)) {
            if a % &most != BigUint::ZERO {
                check(&jump, a, &most, "the largest modulus");
            }
        }
    }
}
