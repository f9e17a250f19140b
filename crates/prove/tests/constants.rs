//! The constants that the constructors make for a modulus meet the assumptions of the proofs.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use moduli_kernel::{
    Arithmetic, KernelChoice,
    proofs::{self, Kernel, Places},
};
use num_bigint::BigUint;
use std::collections::HashMap;
use testing::Random;

const DIGIT: usize = 52;

fn number(digits: impl DoubleEndedIterator<Item = u64>, bits: usize) -> BigUint {
    digits.rev().fold(BigUint::ZERO, |sum, digit| (sum << bits) + digit)
}

fn kernel(choice: KernelChoice, n: &BigUint) -> Box<dyn Kernel> {
    // SAFETY: no operation is called.
    unsafe { proofs::kernel_to_interpret(choice, &n.to_u64_digits()) }.unwrap()
}

/// The words that a kernel names.
fn constants(kernel: &dyn Kernel) -> HashMap<&'static str, Vec<u64>> {
    words_of(kernel.places())
}

fn words_of(places: Places) -> HashMap<&'static str, Vec<u64>> {
    let words = places.constants.into_iter().map(|constant| {
        // SAFETY: the kernel guarantees that these are words of its own, and it still exists.
        let words = unsafe { core::slice::from_raw_parts(constant.address as *const u64, constant.words) };
        (constant.name, words.to_vec())
    });
    words.collect()
}

/// Checks the assumptions of the specification of digits: H, S, the inverse, E, 12·N, N and the reciprocal.
fn check_digits(n: &BigUint) {
    let kernel = kernel(KernelChoice::IFMA52, n);
    let dimensions = kernel.dimensions();
    let words = dimensions.residue_words;
    let in_strips = words <= 80;
    let blocks = if in_strips { dimensions.max_split } else { words / 8 };
    let block = words / blocks;
    let constants = constants(&*kernel);
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
    if !in_strips {
        let inverse = number(digits("inverse of a block").iter().copied(), DIGIT);
        assert_eq!((inverse * n + &one) % unit(8), BigUint::ZERO);
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
    let mut random = Random(6);
    let lengths = [2, 3, 31, 32, 33, 64, 200, 201, 408, 832, 1032, 1240, 1241, 1536, 1552, 1664, 2048, 2904];
    for bits in lengths.into_iter().chain([3072, 3112, 4096, 4152, 4153, 8192]) {
        for n in random.moduli(bits) {
            check_digits(&(&n | BigUint::from(1u32)));
            check_rows(&(n | BigUint::from(1u32)));
        }
    }
}

/// Checks the assumptions of the specification of digits about rows: H, S for five digits, the inverse modulo
/// as many digits as rows are processed by, and N.
fn check_rows(n: &BigUint) {
    let kernel = kernel(KernelChoice::IFMA52, n);
    let constants = words_of(kernel.lanes().unwrap().places());
    let one = BigUint::from(1u32);
    let value = |name: &str| {
        assert!(constants[name].iter().all(|&digit| digit < 1 << DIGIT), "{name}");
        number(constants[name].iter().copied(), DIGIT)
    };
    let block = constants["negative inverse"].len();
    assert!([1, 10].contains(&block));
    assert_eq!(value("modulus"), *n);
    assert_eq!((value("negative inverse") * n + &one) % (&one << (DIGIT * block)), BigUint::ZERO);
    for (name, length) in [("high", block), ("high of five", 5)] {
        if !constants[name].is_empty() {
            let constant = value(name);
            let is_right = (&constant << (DIGIT * length)) % n == &one % n;
            assert!(constant <= *n && is_right, "{name} of {} bits", n.bits());
        }
    }
}

/// Checks the assumptions of the specification of doubles: the matrix, the sum of the products of its rows,
/// K, Q, and the start values of columns.
fn check_doubles(n: &BigUint) {
    const DIGIT: usize = 50;
    const BIAS: u64 = 1 << 62;
    let kernel = kernel(KernelChoice::FMA50, n);
    let dimensions = kernel.dimensions();
    let (words, digits) = (dimensions.residue_words, dimensions.radix_bits / DIGIT);
    let constants = constants(&*kernel);
    let one = BigUint::from(1u32);
    let r = &one << dimensions.radix_bits;
    let canonical = |digits: &[u64]| {
        assert!(digits.iter().all(|&digit| digit < 1 << DIGIT));
        number(digits.iter().copied(), DIGIT)
    };
    let held = |words: &[u64]| {
        let integer = |&word: &u64| {
            let digit = f64::from_bits(word) as u64;
            assert_eq!((digit as f64).to_bits(), word);
            digit
        };
        words.iter().map(integer).collect::<Vec<_>>()
    };
    assert_eq!(canonical(&constants["modulus"]), *n);
    assert_eq!((constants["negative inverse"][0] * n + &one) % (&one << DIGIT), BigUint::ZERO);
    let reciprocal = (&one << (62 + n.bits())) / n;
    assert_eq!(BigUint::from(constants["reciprocal"][0]), reciprocal);
    assert_eq!(canonical(&held(&constants["one"])), &r % n);
    assert_eq!(canonical(&held(&constants["one entered"])), &r * &r % n);
    let limit = canonical(&constants["limit"]);
    let most = &r >> 2u32;
    assert!(limit <= most && &limit + n > most && &limit % n == BigUint::ZERO);
    let multiple = canonical(&constants["multiple"]);
    assert!(multiple % n == BigUint::ZERO && constants["multiple"][digits - 1] == (1 << 14) - 1);
    // Digit i of row j is stored in blocks of sixteen columns.
    let fold = held(&constants["fold"]);
    let row = |j: usize| -> Vec<u64> {
        let digit = |i: usize| {
            let block = i / 16 * 16;
            fold[block * digits + j * (words - block).min(16) + i - block]
        };
        (0..words).map(digit).collect()
    };
    let rows: Vec<_> = (0..digits).map(row).collect();
    for (j, row) in rows.iter().enumerate() {
        let row = canonical(row);
        assert!(row < *n && &r * row % n == (&one << (DIGIT * j)) % n, "row {j}");
    }
    for groups in 1..=words / 4 {
        let last = (4 * groups).min(digits);
        let mut sum = BigUint::ZERO;
        for i in (0..digits).rev() {
            let products = rows[digits - last..].chunks_exact(2);
            let products = products.map(|rows| BigUint::from(rows[0][i]) * rows[1][i]);
            sum = (sum << DIGIT) + products.sum::<BigUint>();
        }
        assert!(sum < r);
        for i in 0..words {
            let digit: BigUint = (&sum >> (DIGIT * i)) % (&one << DIGIT);
            let known = if i < digits { constants["multiple"][i] } else { 0 };
            let bias = match i {
                0 => BIAS,
                _ if i + 1 < digits => BIAS - (BIAS >> DIGIT),
                _ if i + 1 == digits => (BIAS >> DIGIT).wrapping_neg(),
                _ => 0,
            };
            let expected = bias.wrapping_add(known).wrapping_sub(u64::try_from(digit).unwrap());
            assert_eq!(constants["fold offsets"][words * (groups - 1) + i], expected);
        }
    }
}

#[test]
fn constants_of_fma50() {
    let mut random = Random(6);
    for bits in [2, 3, 43, 44, 45, 64, 128, 200, 256, 300, 512, 1000, 1024, 2048] {
        for n in random.moduli(bits) {
            check_doubles(&(n | BigUint::from(1u32)));
        }
    }
}

/// Checks the assumption of the specification of reductions: the reciprocal of N of b bits.
#[test]
fn reciprocals_of_reductions() {
    let mut random = Random(8);
    let one = BigUint::from(1u32);
    for bits in (2..200).chain([512, 521, 1000, 1024, 2048, 4096]) {
        for n in random.moduli(bits) {
            let arithmetic = Arithmetic::new(&n.to_u64_digits(), KernelChoice::PORTABLE).unwrap();
            let constants = words_of(proofs::places_of_reduction(&arithmetic));
            assert_eq!(number(constants["modulus"].iter().copied(), 64), n);
            let reciprocal = BigUint::from(constants["reciprocal"][0]);
            assert_eq!(reciprocal, (&one << (n.bits() + 63)) / n);
        }
    }
}
