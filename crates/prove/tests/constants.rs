//! What proofs take for granted of the constants of a modulus holds of those that the constructors make.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use moduli_kernel::{KernelChoice, proofs};
use num_bigint::BigUint;
use std::collections::HashMap;
use testing::Random;

const DIGIT: usize = 52;

fn number(digits: impl DoubleEndedIterator<Item = u64>, bits: usize) -> BigUint {
    digits.rev().fold(BigUint::ZERO, |sum, digit| (sum << bits) + digit)
}

/// As the specification of digits has it: H, S, the inverse, E, 12·N, N and the reciprocal.
fn check_digits(n: &BigUint) {
    let kernel = proofs::kernel(KernelChoice::IFMA52, &n.to_u64_digits()).unwrap();
    let dimensions = kernel.dimensions();
    let words = dimensions.residue_words;
    let in_strips = words <= 80;
    let blocks = if in_strips { dimensions.max_split } else { words / 8 };
    let block = words / blocks;
    let constants: HashMap<&str, Vec<u64>> = kernel
        .places()
        .constants
        .iter()
        .map(|constant| {
            // SAFETY: the kernel says that these are words of its own, and it is there.
            let words =
                unsafe { core::slice::from_raw_parts(constant.address as *const u64, constant.words) };
            (constant.name, words.to_vec())
        })
        .collect();
    let digits = |name: &str| {
        let words = &constants[name];
        assert!(words.iter().all(|&digit| digit < 1 << DIGIT), "{name}");
        words
    };
    let residue = |name: &str| {
        let found = digits(name);
        let place = |i: usize| if in_strips { blocks * (i % block) + i / block } else { i };
        number((0..words).map(|i| found[place(i)]), DIGIT)
    };
    let one = BigUint::from(1u32);
    let unit = |digits: usize| &one << (DIGIT * digits);
    let bits = n.bits() as usize;
    assert_eq!(residue("modulus"), *n);
    assert_eq!(number(digits("modulus digits").iter().copied(), DIGIT), *n);
    assert_eq!(number(digits("bound").iter().copied(), DIGIT), n * 12u32);
    for (name, length) in [("high", block), ("step", 1)] {
        let constant = residue(name);
        assert!(constant <= *n && (constant * unit(length)) % n == &one % n, "{name} of {bits} bits");
    }
    let inverse = number(digits("negative inverse").iter().copied(), DIGIT);
    assert_eq!((inverse * n + &one) % unit(1), BigUint::ZERO);
    let r = &one << dimensions.radix_bits;
    assert!(&one << (bits + 8) <= r);
    assert_eq!(residue("one entered"), &r * &r % n);
    assert_eq!(residue("one"), &r % n);
    let seen = n >> bits.saturating_sub(32);
    let expected = ((&one << 64) + &seen - &one) / seen;
    assert_eq!(BigUint::from(constants["reciprocal"][0]), expected, "of {bits} bits");
}

#[test]
fn constants_of_ifma52() {
    if !KernelChoice::IFMA52.is_supported() {
        println!("skipped: this processor has no AVX-512 IFMA");
        return;
    }
    let mut random = Random(6);
    let lengths = [2, 3, 31, 32, 33, 64, 200, 201, 408, 832, 1032, 1240, 1241, 1536, 1552, 1664, 2048, 2904];
    for bits in lengths.into_iter().chain([3072, 3112, 4096, 4152, 4153, 8192]) {
        for n in random.moduli(bits) {
            check_digits(&(n | BigUint::from(1u32)));
        }
    }
}
