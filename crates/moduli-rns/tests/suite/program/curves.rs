//! Scalar multiplication: every scalar and every point of tiny curves against the group law, and Wycheproof's
//! vectors.

use crypto_bigint::BoxedUint;
use moduli_rns::{
    curves::CURVES,
    montgomery::RnsMontgomery,
    program::{Assembled, Fault, Program, Setting},
};
use num_bigint::BigUint;
use testing::{
    big, boxed,
    wycheproof::{Release, set},
};

use super::{WEIERSTRASS, field, results, results_with};

/// The program for a curve.
pub fn program(
    field: &RnsMontgomery,
    a: &BigUint,
    b: &BigUint,
    order: &BigUint,
    blinding: u32,
) -> Result<Assembled, Fault> {
    let given = |name: &str, value: &BigUint| (name.to_owned(), boxed(value));
    let constants: [(String, BoxedUint); 2] = [given("a", a), given("b3", &(b * 3u32))];
    let setting = Setting { field, constants: &constants, order: Some(&boxed(order)), blinding };
    Assembled::new(Program::parse(WEIERSTRASS).unwrap(), &setting)
}

/// A point with coordinates in machine words; none is the point at infinity.
pub type Point = Option<(u64, u64)>;

pub struct Tiny {
    pub p: u64,
    pub a: u64,
    pub b: u64,
}

impl Tiny {
    fn inverse(&self, x: u64) -> u64 {
        (1..self.p).find(|y| x * y % self.p == 1).unwrap()
    }

    pub fn points(&self) -> Vec<(u64, u64)> {
        let p = self.p;
        let on = |&(x, y): &(u64, u64)| y * y % p == (x * x % p * x + self.a * x + self.b) % p;
        (0..p).flat_map(|x| (0..p).map(move |y| (x, y))).filter(on).collect()
    }

    pub fn add(&self, one: Point, other: Point) -> Point {
        let (Some((x1, y1)), Some((x2, y2))) = (one, other) else { return one.or(other) };
        let p = self.p;
        let slope = if x1 != x2 {
            (y2 + p - y1) * self.inverse((x2 + p - x1) % p) % p
        } else if (y1 + y2) % p != 0 {
            (3 * x1 * x1 + self.a) % p * self.inverse(2 * y1 % p) % p
        } else {
            return None;
        };
        let x = (slope * slope + 2 * p - x1 - x2) % p;
        Some((x, (slope * (x1 + p - x) + p - y1) % p))
    }
}

pub fn is_prime(n: u64) -> bool {
    n > 1 && (2..n).all(|d| !n.is_multiple_of(d))
}

/// Curves with a of every kind, orders above and below p, points with x = 0: all scalars that the port takes,
/// twice the order among them.
#[test]
fn every_scalar_and_point_of_tiny_curves() {
    check_tiny_curves(&[(31, 28, 1), (31, 0, 1), (43, 5, 1), (67, 0, 1)]);
}

#[test]
#[ignore = "some seconds"]
fn every_scalar_and_point_of_more_tiny_curves() {
    check_tiny_curves(&[(31, 28, 3), (31, 0, 2), (61, 58, 2)]);
}

/// Primes, a, and the number of curves.
fn check_tiny_curves(curves: &[(u64, u64, usize)]) {
    let mut zeros = 0;
    for &(p, a, count) in curves {
        let curves = (1..p).map(|b| Tiny { p, a, b });
        let of_prime_order = curves.filter_map(|curve| {
            let points = curve.points();
            let order = points.len() as u64 + 1;
            (is_prime(order) && order != p).then_some((curve, points, order))
        });
        let mut found = 0;
        for (curve, points, order) in of_prime_order.take(count) {
            found += 1;
            let [p, a, b, n] = [p, a, curve.b, order].map(BigUint::from);
            let field = field(&p, 2, 17);
            let program = program(&field, &a, &b, &n, 0).unwrap();
            for &point in &points {
                zeros += usize::from(point.0 == 0);
                let mut multiple = None;
                for k in 0..1u64 << n.bits() {
                    let random = BigUint::from(1 + (point.0 + 3 * point.1 + 5 * k) % (curve.p - 1));
                    let expected = multiple.map_or([0, 0], |(x, y)| [x, y]).map(BigUint::from);
                    let [x, y, k] = [point.0, point.1, k].map(BigUint::from);
                    let given = results_with(&program, &[&x, &y, &k], &random);
                    assert_eq!(given, expected, "{k}·({x}, {y}), y² = x³ + {a}·x + {b} modulo {p}");
                    multiple = curve.add(multiple, Some(point));
                }
            }
        }
        assert_eq!(found, count, "{p}");
    }
    assert!(zeros > 0);
}

/// What is valid there with an uncompressed point on the curve itself: of P-256 one in four, of other curves
/// one in fifteen.
#[test]
fn wycheproof_exchanges() {
    check_exchanges(4, 15, 10);
}

#[test]
#[ignore = "a minute: make test-long"]
fn all_wycheproof_exchanges() {
    check_exchanges(1, 1, 40);
}

/// More than `least` exchanges of each file have to be checked.
fn check_exchanges(of_p256: usize, of_others: usize, least: usize) {
    let sets = [
        ("P-256", "ecdh_secp256r1_ecpoint", 8, 33),
        ("secp256k1", "ecdh_secp256k1", 8, 33),
        ("P-384", "ecdh_secp384r1_ecpoint", 12, 33),
        ("P-521", "ecdh_secp521r1_ecpoint", 9, 64),
        ("brainpoolP256r1", "ecdh_brainpoolP256r1", 5, 64),
    ];
    for (name, file, channels, width) in sets {
        let curve = CURVES.into_iter().find(|curve| curve.name == name).unwrap();
        let [p, a, b, n] =
            [curve.prime().unwrap(), curve.a().unwrap(), curve.b(), curve.order()].map(|value| big(&value));
        let field = field(&p, channels, width);
        let program = program(&field, &a, &b, &n, 0).unwrap();
        let length = p.bits().div_ceil(8) as usize;
        let mut checked = 0;
        for group in set(Release::Current, file).groups().0 {
            for test in group.tests() {
                let public = test.bytes("public");
                // Behind an algorithm's name, if any: 4, x, y.
                let Some(start) = public.len().checked_sub(2 * length + 1) else { continue };
                let [x, y] =
                    [1, 1 + length].map(|at| BigUint::from_bytes_be(&public[start + at..][..length]));
                let on = (&y * &y) % &p == (&x * &x * &x + &a * &x + &b) % &p && public[start] == 4;
                let k = BigUint::from_bytes_be(&test.bytes("private"));
                let every = if name == "P-256" { of_p256 } else { of_others };
                if test.number("tcId") % every != 0 {
                    continue;
                }
                if !on || !test.is_valid() || k >= n {
                    continue;
                }
                let shared = BigUint::from_bytes_be(&test.bytes("shared"));
                assert_eq!(results(&program, &[&x, &y, &k])[0], shared, "{name} {}", test.name());
                checked += 1;
            }
        }
        assert!(checked > least, "{name}: {checked}");
    }
}

/// Of P-256.
pub const GENERATOR: [&str; 2] = [
    "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296",
    "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5",
];

/// 0, 1, n − 1, n and what follows, and the largest: of P-256's generator.
#[test]
fn the_edges_of_scalars() {
    let curve = CURVES[0];
    let [p, a, b, n] =
        [curve.prime().unwrap(), curve.a().unwrap(), curve.b(), curve.order()].map(|value| big(&value));
    let [x, y] = GENERATOR.map(|text| BigUint::parse_bytes(text.as_bytes(), 16).unwrap());
    let program = program(&field(&p, 8, 33), &a, &b, &n, 0).unwrap();
    let times = |k: &BigUint| results(&program, &[&x, &y, k]);
    let one = BigUint::from(1u32);
    assert_eq!(times(&BigUint::ZERO), [BigUint::ZERO, BigUint::ZERO]);
    assert_eq!(times(&n), times(&BigUint::ZERO));
    assert_eq!(times(&one), [x.clone(), y.clone()]);
    assert_eq!(times(&(&n + 1u32)), times(&one));
    assert_eq!(times(&(&n - 1u32)), [x.clone(), &p - &y]);
    assert_eq!(times(&(&n - 2u32))[0], times(&BigUint::from(2u32))[0]);
    let largest = (&one << 256) - 1u32;
    assert_eq!(times(&largest), times(&(&largest - &n)));
}
