//! Compares membership of one value, of many values and of public values with brute force and an
//! independent Jacobi symbol.

use crypto_bigint::{
    BoxedUint, Odd, U256, U1024,
    rand_core::{TryCryptoRng, TryRng},
};
use moduli::{
    Error, Modulus,
    error::ParameterError,
    groups::Group,
    subgroup::{
        are_members_vartime, is_member, is_member_vartime, jacobi_vartime, validate_public_value_vartime,
    },
};
use testing::Random;

/// A generator that fails.
struct Broken;

impl TryRng for Broken {
    type Error = std::io::Error;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Err(std::io::ErrorKind::UnexpectedEof.into())
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Err(std::io::ErrorKind::UnexpectedEof.into())
    }

    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Self::Error> {
        Err(std::io::ErrorKind::UnexpectedEof.into())
    }
}

impl TryCryptoRng for Broken {}

fn number(value: u64) -> BoxedUint {
    BoxedUint::from(value)
}

fn modulus(value: u64) -> Modulus {
    Modulus::new(&number(value)).unwrap()
}

fn power(base: u64, exponent: u64, modulus: u64) -> u64 {
    (0..exponent).fold(1 % modulus, |power, _| power * base % modulus)
}

#[test]
fn membership_agrees_with_brute_force() {
    for p in (3u64..130).step_by(2) {
        let modulus = modulus(p);
        for order in 0..12 {
            for x in 0..2 * p + 3 {
                let expected = x != 0 && x < p && power(x, order, p) == 1;
                let (x, order) = (number(x), number(order));
                assert_eq!(is_member_vartime(&modulus, &order, &x), expected);
                assert_eq!(is_member(&modulus, &order, &x).to_bool(), expected);
            }
        }
    }
}

#[test]
fn jacobi_symbols_agree_with_their_definition() {
    for n in (3u64..400).step_by(2) {
        let factors: Vec<u64> = {
            let (mut rest, mut factors) = (n, Vec::new());
            for prime in 2..=n {
                while rest % prime == 0 {
                    factors.push(prime);
                    rest /= prime;
                }
            }
            factors
        };
        let modulus = modulus(n);
        for x in 0..n + 5 {
            // Euler's criterion for each prime factor.
            let expected =
                factors.iter().fold(1i8, |symbol, &prime| match power(x, (prime - 1) / 2, prime) {
                    0 => 0,
                    1 => symbol,
                    _ => -symbol,
                });
            assert_eq!(i8::from(jacobi_vartime(&modulus, &number(x))), expected, "({x}/{n})");
        }
    }
}

#[test]
fn jacobi_symbols_agree_at_real_sizes() {
    let mut random = Random(1);
    let mut bytes = [0u8; 128];
    for _ in 0..200 {
        random.try_fill_bytes(&mut bytes).unwrap();
        let n = Odd::new(U1024::from_be_slice(&bytes) | U1024::ONE).unwrap();
        random.try_fill_bytes(&mut bytes).unwrap();
        let x = U1024::from_be_slice(&bytes);
        let modulus = Modulus::new(&BoxedUint::from(n.get())).unwrap();
        let expected = i8::from(x.jacobi_symbol_vartime(&n));
        assert_eq!(i8::from(jacobi_vartime(&modulus, &BoxedUint::from(x))), expected);
        // Powers of two and short values exercise the shifts by limbs.
        for x in [U1024::ONE << 1023, U1024::ONE << 640, U1024::from(3u64), n.get().wrapping_sub(&U1024::ONE)]
        {
            let expected = i8::from(x.jacobi_symbol_vartime(&n));
            assert_eq!(i8::from(jacobi_vartime(&modulus, &BoxedUint::from(x))), expected);
        }
    }
    let n = Odd::new(U256::MAX).unwrap();
    let modulus = Modulus::new(&BoxedUint::from(U256::MAX)).unwrap();
    for x in 0..100u64 {
        let expected = i8::from(U256::from(x).jacobi_symbol_vartime(&n));
        assert_eq!(i8::from(jacobi_vartime(&modulus, &number(x))), expected);
    }
}

/// Squares modulo 1019 = 2·509 + 1, a safe prime.
fn squares(count: u64, random: &mut Random) -> Vec<BoxedUint> {
    (0..count).map(|_| random.try_next_u64().unwrap() % 1018 + 1).map(|x| number(x * x % 1019)).collect()
}

#[test]
fn members_always_pass_together() {
    let (modulus, order, mut random) = (modulus(1019), number(509), Random(2));
    for rounds in [1, 2, 7, 8, 9, 31, 128, 200] {
        for count in [0, 1, 2, 17, 300, 3000] {
            let elements = squares(count, &mut random);
            assert!(are_members_vartime(&modulus, &order, &elements, rounds, &mut random).unwrap());
        }
    }
}

/// A wrong element with order 2 in the cofactor group passes with a probability of exactly
/// 2^−rounds: the bound is reached.
#[test]
fn a_wrong_element_is_missed_as_rarely_as_stated() {
    let (modulus, order, mut random) = (modulus(1019), number(509), Random(3));
    let trials = 3000;
    // Few elements: one round per product; many: several rounds share the buckets. Two wrong
    // elements cancel if they draw the same bits. This happens at the expected rate only if every
    // bucket is multiplied into each of its subsets.
    for (count, rounds, wrong) in
        [(3, 1, 1), (3, 2, 1), (3, 4, 1), (40, 1, 1), (40, 3, 1), (40, 5, 1), (40, 3, 2)]
    {
        let mut missed = 0;
        for _ in 0..trials {
            let mut elements = squares(count, &mut random);
            let position = random.try_next_u64().unwrap() % (count + 1 - wrong);
            elements[position as usize..][..wrong as usize].fill(number(1018)); // −1 is not a square
            let passed = are_members_vartime(&modulus, &order, &elements, rounds, &mut random).unwrap();
            missed += i32::from(passed);
        }
        let expected = f64::from(trials) / f64::from(1 << rounds);
        let deviation = (expected * (1.0 - 0.5f64.powi(rounds as i32))).sqrt();
        let distance = (f64::from(missed) - expected) / deviation;
        assert!(
            distance.abs() < 4.5,
            "{wrong} of {count}, {rounds} rounds: {missed} missed, {expected} expected"
        );
    }
}

#[test]
fn two_wrong_elements_do_not_hide_each_other() {
    let (modulus, order, mut random) = (modulus(1019), number(509), Random(4));
    for _ in 0..200 {
        let mut elements = squares(30, &mut random);
        // (−1)·(−1) = 1, so a single product of all elements would not detect them.
        (elements[4], elements[19]) = (number(1018), number(1018));
        assert!(!are_members_vartime(&modulus, &order, &elements, 64, &mut random).unwrap());
    }
}

#[test]
fn composite_moduli_and_values_out_of_range() {
    let mut random = Random(5);
    // 91 = 7·13: x^3 = 1 has nine solutions.
    let (modulus, order) = (modulus(91), number(3));
    let members: Vec<BoxedUint> = (1..91).filter(|&x| power(x, 3, 91) == 1).map(number).collect();
    assert_eq!(members.len(), 9);
    assert!(are_members_vartime(&modulus, &order, &members, 64, &mut random).unwrap());
    for x in (0..200).filter(|&x| x == 0 || x >= 91 || power(x, 3, 91) != 1) {
        let mut elements = members.clone();
        elements.push(number(x));
        assert!(!are_members_vartime(&modulus, &order, &elements, 64, &mut random).unwrap(), "{x}");
    }
}

#[test]
fn rounds_and_randomness_are_demanded() {
    let (modulus, order) = (modulus(1019), number(509));
    let refused = are_members_vartime(&modulus, &order, &[number(4)], 0, &mut Random(6));
    assert!(matches!(refused, Err(Error::Parameter(ParameterError { name: "rounds", .. }))));
    let refused = are_members_vartime(&modulus, &order, &[number(4)], 8, &mut Broken);
    assert!(matches!(refused, Err(Error::Random(_))));
}

#[test]
fn real_groups_at_once() {
    let group = Group::named("dsa-1024-160").unwrap();
    let (modulus, mut random) = (Modulus::new(group.modulus()).unwrap(), Random(7));
    let mut x = group.generator().clone();
    let mut elements: Vec<BoxedUint> = (0..400)
        .map(|_| {
            x = modulus.mul(&x, &modulus.mul(&x, group.generator()));
            x.clone()
        })
        .collect();
    assert!(are_members_vartime(&modulus, group.order(), &elements, 80, &mut random).unwrap());
    elements[399] = number(2);
    assert!(!are_members_vartime(&modulus, group.order(), &elements, 80, &mut random).unwrap());
}

#[test]
fn public_values_are_validated() {
    let mut random = Random(8);
    for name in ["ffdhe2048", "modp1536", "dsa-1024-160", "electionguard-v2.1"] {
        let group = Group::named(name).unwrap();
        let modulus = Modulus::new(group.modulus()).unwrap();
        let p = group.modulus();
        let why = |y: &BoxedUint| match group.validate_public_value_vartime(y) {
            Ok(()) => String::new(),
            Err(Error::NotInGroup(error)) => error.to_string(),
            Err(other) => panic!("{other}"),
        };
        assert_eq!(why(&number(0)), "the value is 0 or 1");
        assert_eq!(why(&number(1)), "the value is 0 or 1");
        for (y, expected) in [
            (p.wrapping_sub(number(1)), "the value is p - 1 or greater"),
            (p.clone(), "the value is p - 1 or greater"),
            (p.wrapping_add(number(1)), "the value is p - 1 or greater"),
            (p.concatenating_add(p), "the value is p - 1 or greater"),
        ] {
            assert_eq!(
                why(&y),
                if y.bits_vartime() < 2 { "the value is 0 or 1" } else { expected },
                "{name}"
            );
        }
        let mut outside = 0;
        for _ in 0..8 {
            let y = modulus.pow_vartime(&number(random.try_next_u64().unwrap()), &number(3)).unwrap();
            // By exponentiation, also if the Jacobi symbol decides.
            let member = is_member_vartime(&modulus, group.order(), &y);
            assert_eq!(why(&y), if member { "" } else { "the value lies outside the subgroup" }, "{name}");
            outside += i32::from(!member);
            let y = modulus.pow_vartime(group.generator(), &number(random.try_next_u64().unwrap())).unwrap();
            assert_eq!(why(&y), "");
        }
        assert!(outside > 0, "{name}");
    }
}

#[test]
fn tiny_public_values_agree_with_brute_force() {
    // Safe primes and others.
    for (p, order) in [(23u64, 11u64), (47, 23), (31, 5), (43, 7), (1019, 509)] {
        for y in 0..p + 3 {
            let valid = y > 1 && y < p - 1 && power(y, order, p) == 1;
            let result = validate_public_value_vartime(&modulus(p), &number(order), &number(y));
            assert_eq!(result.is_ok(), valid, "{y} modulo {p}");
        }
    }
}
