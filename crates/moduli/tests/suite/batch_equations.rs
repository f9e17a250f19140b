//! Compares batch verification of equations with num-bigint, equation by equation.

use crypto_bigint::BoxedUint;
use moduli::{
    Error, Modulus,
    error::{ModulusError, ParameterError},
    groups::Group,
    scheme::batch::{Equation, all_hold_vartime},
};
use num_bigint::BigUint;
use testing::{Random, big, boxed};

/// s, R, y and c.
type Numbers = [BigUint; 4];

struct Setting {
    p: BigUint,
    q: BigUint,
    g: BigUint,
    random: Random,
}

impl Setting {
    fn new() -> Self {
        let group = Group::named("dsa-2048-256").unwrap();
        let [p, q, g] = [group.modulus(), group.order(), group.generator()].map(big);
        Self { p, q, g, random: Random(8) }
    }

    /// Schnorr's equations for a few keys.
    fn equations(&mut self, count: usize) -> Vec<Numbers> {
        let (p, q) = (self.p.clone(), self.q.clone());
        let keys: Vec<BigUint> = (0..3).map(|_| self.random.below(256) % &q).collect();
        let equation = |i: usize| {
            let (x, k, c) = (&keys[i % 3], self.random.below(256) % &q, self.random.below(256));
            let [commitment, key] = [&k, x].map(|e| self.g.modpow(e, &p));
            [(k + &c * x) % &q, commitment, key, c]
        };
        (0..count).map(equation).collect()
    }

    fn hold(&mut self, all: &[Numbers], bits: u32) -> Result<bool, Error> {
        let modulus = Modulus::new(&boxed(&self.p)).unwrap();
        let numbers: Vec<[BoxedUint; 4]> = all.iter().map(|numbers| numbers.each_ref().map(boxed)).collect();
        let equations: Vec<_> = numbers
            .iter()
            .map(|[response, commitment, key, challenge]| Equation { response, commitment, key, challenge })
            .collect();
        all_hold_vartime(&modulus, &boxed(&self.g), &boxed(&self.q), &equations, bits, &mut self.random)
    }
}

#[test]
fn equations_that_hold_are_never_refused() {
    let mut setting = Setting::new();
    for (count, bits) in [(0, 128), (1, 1), (2, 64), (20, 127), (70, 61)] {
        let all = setting.equations(count);
        let (p, q, g) = (&setting.p, &setting.q, &setting.g);
        let hold = |[s, r, y, c]: &Numbers| g.modpow(s, p) == r * y.modpow(&(c % q), p) % p;
        assert!(all.iter().all(hold));
        assert_eq!(setting.hold(&all, bits), Ok(true), "{count} by {bits} bits");
    }
}

#[test]
fn one_that_fails_is_seen() {
    let mut setting = Setting::new();
    let all = setting.equations(20);
    let p = setting.p.clone();
    for place in [0, 7, 19] {
        for which in 0..4 {
            let mut wrong = all.clone();
            wrong[place][which] = match which {
                0 | 3 => &all[place][which] + 1u32,
                // The result is still a member of the group.
                _ => &all[place][which] * &setting.g % &p,
            };
            assert_eq!(setting.hold(&wrong, 100), Ok(false), "number {which} of {place}");
        }
    }
    // Errors in two equations that would cancel are detected, too.
    let mut wrong = all.clone();
    wrong[3][0] += 1u32;
    wrong[4][0] += &setting.q - 1u32;
    assert_eq!(setting.hold(&wrong, 100), Ok(false));
}

/// −1 has no effect in every second power. The test of membership detects such elements.
#[test]
fn elements_of_small_order_are_refused() {
    let mut setting = Setting::new();
    let (all, p) = (setting.equations(5), setting.p.clone());
    for which in [1, 2] {
        for _ in 0..5 {
            let mut wrong = all.clone();
            wrong[2][which] = &p - &all[2][which];
            assert_eq!(setting.hold(&wrong, 60), Ok(false));
        }
    }
    // Out of range, and so not the number that was hashed.
    let mut wrong = all.clone();
    wrong[2][1] = &p + &all[2][1];
    assert_eq!(setting.hold(&wrong, 60), Ok(false));
    wrong[2][1] = BigUint::ZERO;
    assert_eq!(setting.hold(&wrong, 60), Ok(false));
}

/// With one bit, every second wrong equation passes: this shows that the exponent is random.
#[test]
fn the_bits_are_those_of_the_risk() {
    let mut setting = Setting::new();
    let mut wrong = setting.equations(1);
    wrong[0][0] += 1u32;
    let missed = (0..100).filter(|_| setting.hold(&wrong, 1).unwrap()).count();
    assert!((25..75).contains(&missed), "{missed} of 100");
}

#[test]
fn bad_parameters_are_named() {
    let mut setting = Setting::new();
    let all = setting.equations(1);
    for bits in [0, 256, u32::MAX] {
        assert!(matches!(
            setting.hold(&all, bits),
            Err(Error::Parameter(ParameterError { name: "bits", .. }))
        ));
    }
    setting.q -= 1u32;
    assert_eq!(setting.hold(&all, 60), Err(Error::Modulus(ModulusError::Even)));
}
