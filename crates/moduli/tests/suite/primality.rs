//! Compares the test for probable primes with a sieve, and tests known primes and pseudoprimes.

use std::process::Command;

use crypto_bigint::BoxedUint;
use moduli::primality::{is_probable_prime_vartime, is_strong_probable_prime_vartime, recommended_rounds};
use num_bigint::BigUint;

fn number(value: u64) -> BoxedUint {
    BoxedUint::from(value)
}

#[test]
fn small_numbers_agree_with_a_sieve() {
    // Above 2^16, where trial division ends.
    let bound = 66_000u64;
    let mut prime = vec![true; bound as usize];
    (prime[0], prime[1]) = (false, false);
    for x in 2..bound as usize {
        for multiple in (2 * x..bound as usize).step_by(x) {
            prime[multiple] = false;
        }
    }
    for x in (0..600).chain(65_200..65_800) {
        assert_eq!(is_probable_prime_vartime(&number(x), 1), prime[x as usize], "{x}");
    }
}

#[test]
fn pseudoprimes_are_found() {
    // Strong pseudoprimes to base 2; to 2, 3, 5, 7; to the first eleven primes.
    for (x, bases) in [
        (2047, &[2][..]),
        (3_215_031_751, &[2, 3, 5, 7]),
        (3_825_123_056_546_413_051, &[2, 3, 5, 7, 11, 13, 17, 19, 23]),
    ] {
        for &base in bases {
            assert!(is_strong_probable_prime_vartime(&number(x), &number(base)), "{x} {base}");
        }
        assert!(!is_probable_prime_vartime(&number(x), 40), "{x}");
    }
    // The product consists of primes above 2^16, so only the rounds of Miller–Rabin can find it
    // composite.
    let (p, q) = (4_294_967_291u64, 4_294_967_279u64);
    assert!(is_probable_prime_vartime(&number(p), 5) && is_probable_prime_vartime(&number(q), 5));
    assert!(!is_probable_prime_vartime(&number(p * q), 1));
}

#[test]
fn mersenne_numbers() {
    let primes = [61u32, 89, 107, 127, 521, 607, 1279];
    for exponent in [61u32, 67, 89, 101, 103, 107, 127, 257, 521, 523, 607, 1277, 1279] {
        let x = (BigUint::from(1u32) << exponent) - 1u32;
        let x = BoxedUint::from_be_slice_vartime(&x.to_bytes_be());
        let rounds = recommended_rounds(exponent);
        assert_eq!(is_probable_prime_vartime(&x, rounds), primes.contains(&exponent), "2^{exponent} - 1");
    }
}

/// If a high power of two divides p − 1, most bases reach −1 only by squaring.
#[test]
fn primes_with_many_twos_below() {
    let power = |bits: u32| BigUint::from(1u32) << bits;
    for prime in [
        power(64) - power(32) + 1u32,
        power(255) - 19u32,
        power(224) - power(96) + 1u32,
        BigUint::from(3u32) * power(353) + 1u32,
    ] {
        let boxed = |x: &BigUint| BoxedUint::from_be_slice_vartime(&x.to_bytes_be());
        assert!(is_probable_prime_vartime(&boxed(&prime), 40), "{prime}");
        assert!(!is_probable_prime_vartime(&boxed(&(&prime + 2u32)), 40), "{prime} + 2");
    }
}

#[test]
fn numbers_that_cannot_be_moduli_are_not_prime() {
    let too_long = BoxedUint::max(moduli::MAX_MODULUS_BITS + 64);
    assert!(!is_strong_probable_prime_vartime(&too_long, &number(2)));
    assert!(!is_probable_prime_vartime(&too_long, 1));
    for x in [0, 1, 4] {
        assert!(!is_strong_probable_prime_vartime(&number(x), &number(3)));
    }
}

/// If the requested kernel is not available, a prime is still found prime.
#[test]
fn an_unavailable_kernel_makes_no_number_composite() {
    let mut tests = Command::new(std::env::current_exe().unwrap());
    tests
        .args(["--exact", "primality::pseudoprimes_are_found", "primality::mersenne_numbers"])
        .env("MODULI_KERNEL", "abacus");
    let output = tests.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("2 passed"), "{text}");
}
