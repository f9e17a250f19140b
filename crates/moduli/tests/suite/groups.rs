//! Derives the named groups from their formulas, and checks the properties that their use requires.

use crypto_bigint::BoxedUint;
use moduli::{Error, Modulus, groups::Group, primality, scheme::parameters};
use num_bigint::BigUint;
use testing::big;

fn power_of_two(bits: u32) -> BigUint {
    BigUint::from(1u32) << bits
}

/// Guard bits for the truncation of the series.
const GUARD: u32 = 64;

/// ⌊2^bits·e⌋ = ⌊2^bits·Σ 1/k!⌋.
fn e(bits: u32) -> BigUint {
    let mut term = power_of_two(bits + GUARD);
    let mut sum = BigUint::ZERO;
    for k in 1u32.. {
        if term == BigUint::ZERO {
            break;
        }
        sum += &term;
        term /= k;
    }
    sum >> GUARD
}

/// 2^bits·Σ sign^k·x^−(2k+1)/(2k+1): arctan(1/x) for alternating signs, otherwise artanh(1/x).
fn odd_series(x: u32, alternating: bool, bits: u32) -> BigUint {
    let mut term = power_of_two(bits) / x;
    let (mut added, mut subtracted) = (BigUint::ZERO, BigUint::ZERO);
    for k in 0u32.. {
        if term == BigUint::ZERO {
            break;
        }
        let part = &term / (2 * k + 1);
        if alternating && k % 2 == 1 {
            subtracted += part
        } else {
            added += part
        }
        term /= x * x;
    }
    added - subtracted
}

/// ⌊2^bits·π⌋ by Machin: π = 16·arctan(1/5) − 4·arctan(1/239).
fn pi(bits: u32) -> BigUint {
    let part = |x| odd_series(x, true, bits + GUARD);
    (part(5) * 16u32 - part(239) * 4u32) >> GUARD
}

/// ⌊2^bits·ln 2⌋ = ⌊2^bits·2·artanh(1/3)⌋.
fn ln_2(bits: u32) -> BigUint {
    (odd_series(3, false, bits + GUARD) * 2u32) >> GUARD
}

/// p = 2^b − 2^(b−64) + (⌊2^(b−130)·c⌋ + x)·2^64 − 1.
fn from_constant(bits: u32, constant: fn(u32) -> BigUint, x: u32) -> BigUint {
    power_of_two(bits) - power_of_two(bits - 64) + ((constant(bits - 130) + x) << 64) - 1u32
}

#[test]
fn safe_primes_come_from_their_formulas() {
    let ffdhe = [(2048, 560316), (3072, 2625351), (4096, 5736041), (6144, 15705020), (8192, 10965728)];
    let modp =
        [(1536, 741804), (2048, 124476), (3072, 1690314), (4096, 240904), (6144, 929484), (8192, 4743158)];
    let families = [("ffdhe", e as fn(u32) -> BigUint, &ffdhe[..]), ("modp", pi, &modp[..])];
    for (family, constant, members) in families {
        for &(bits, x) in members {
            let group = Group::named(&format!("{family}{bits}")).unwrap();
            assert_eq!(big(group.modulus()), from_constant(bits, constant, x), "{}", group.name());
            assert_eq!(big(group.order()), (big(group.modulus()) - 1u32) / 2u32);
            assert_eq!(*group.generator(), BoxedUint::from(2u64));
            assert!(group.is_safe_prime());
            // 2 is a square modulo p if and only if p ≡ ±1 mod 8.
            assert_eq!(big(group.modulus()) % 8u32, BigUint::from(7u32));
        }
    }
}

#[test]
fn electionguard_comes_from_its_formula() {
    let group = Group::named("electionguard-v2.1").unwrap();
    let delta = "287975203778583638958138611533602521491887169409704874643524560756486080635197037903"
        .parse::<BigUint>();
    let middle = ln_2(3584) + delta.unwrap();
    assert!(middle.to_str_radix(16).starts_with("b17217f7d1cf79abc9e3b398"));
    let p = power_of_two(4096) - power_of_two(3840) + (middle << 256) + power_of_two(256) - 1u32;
    let q = power_of_two(256) - 189u32;
    let cofactor = (&p - 1u32) / &q;
    assert_eq!(&cofactor * &q + 1u32, p);
    assert_eq!(big(group.modulus()), p);
    assert_eq!(big(group.order()), q);
    assert_eq!(big(group.generator()), BigUint::from(2u32).modpow(&cofactor, &p));
    assert!(!group.is_safe_prime());
}

/// One round of Miller–Rabin each, which detects a wrong digit. The number of rounds for a low
/// error probability takes minutes.
#[test]
fn all_are_groups_of_prime_order() {
    let (one, two) = (BoxedUint::one(), BoxedUint::from(2u64));
    for group in Group::all().unwrap() {
        let (name, p, q) = (group.name(), group.modulus(), group.order());
        assert!(primality::is_strong_probable_prime_vartime(p, &two), "{name}: p");
        assert!(primality::is_strong_probable_prime_vartime(q, &two), "{name}: q");
        assert_eq!((big(p) - 1u32) % big(q), BigUint::ZERO, "{name}: q does not divide p - 1");
        assert_ne!(*group.generator(), one);
        assert!(group.generator() < p);
        assert_eq!(Modulus::new(p).unwrap().pow_vartime(group.generator(), q).unwrap(), one, "{name}: order");
        assert!((200..=512).contains(&group.exponent_bits()) || name == "dsa-1024-160");
        assert!(group.exponent_bits() <= q.bits_vartime());
        assert_eq!(group.seed().is_some(), name.starts_with("dsa-"));
        assert!(group.is_safe_prime() || group.exponent_bits() == q.bits_vartime());
    }
}

#[test]
#[ignore = "minutes: full rounds for every modulus and order, by this library and by crypto-primes"]
fn all_moduli_and_orders_are_prime() {
    let is_prime = |x: &BoxedUint| crypto_primes::is_prime(crypto_primes::Flavor::Any, x);
    for group in Group::all().unwrap() {
        parameters::validate(group.modulus(), group.order(), group.generator()).unwrap();
        assert!(is_prime(group.modulus()) && is_prime(group.order()), "{}", group.name());
    }
    let group = Group::named("electionguard-v2.1").unwrap();
    let half_cofactor = (big(group.modulus()) - 1u32) / big(group.order()) / 2u32;
    assert!(is_prime(&BoxedUint::from_be_slice_vartime(&half_cofactor.to_bytes_be())));
}

#[test]
fn names_are_found_and_unknown_ones_reported() {
    let names: Vec<&str> = Group::names().collect();
    for name in &names {
        assert_eq!(Group::named(name).unwrap().name(), *name);
        assert_eq!(names.iter().filter(|other| *other == name).count(), 1);
    }
    assert_eq!(names.len(), 18);
    for name in ["", "ffdhe", "FFDHE2048", "modp1024", "dsa-2048"] {
        assert_eq!(
            Group::named(name).map(|_| ()),
            Err(Error::unknown("group", "group", name, names.clone()))
        );
    }
}

#[test]
fn sizes_are_in_the_names() {
    for group in Group::all().unwrap() {
        let numbers: Vec<u32> =
            group.name().split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect();
        match numbers[..] {
            [bits] => assert_eq!(group.modulus().bits_vartime(), bits),
            [2, 1] => assert_eq!((group.modulus().bits_vartime(), group.order().bits_vartime()), (4096, 256)),
            [bits, order] => {
                assert_eq!((group.modulus().bits_vartime(), group.order().bits_vartime()), (bits, order));
            }
            _ => panic!("{}", group.name()),
        }
    }
}
