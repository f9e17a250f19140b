//! Products, squares and prepared operands, at every size.

use moduli_kernel::{KernelChoice, internals};
use num_bigint::BigUint;

use crate::kernels::{
    candidate::{is_tiny, kernels, radix_bits},
    operands::{Random, moduli, operands},
    subject::{GUARD, Subject},
};

/// Runs the suite for one modulus, with `pairs` pairs of operands, some of them chosen, and at most `splits`
/// splits for each.
pub fn check_modulus(candidate: KernelChoice, p: &BigUint, pairs: usize, splits: usize, random: &mut Random) {
    let subject = Subject::new(candidate, p);
    let operands = operands(p, radix_bits(candidate, p.bits()), random);
    let all = operands.len() * operands.len();
    for pair in 0..pairs.min(all) {
        let index = if pairs >= all { pair } else { random.below(all) };
        let (a, b) = (&operands[index / operands.len()], &operands[index % operands.len()]);
        subject.check_pair(a, b, &subject.splits(splits, random));
        if pair < 2 {
            subject.check_representations(a, b, &subject.splits(splits.min(3), random));
        }
    }
}

#[test]
fn every_size_up_to_260_limbs() {
    for candidate in kernels().filter(|candidate| !is_tiny(*candidate)) {
        // Interleaved, so that each thread does half of the work.
        std::thread::scope(|scope| {
            for half in 0..2 {
                scope.spawn(move || {
                    for limbs in (1 + half..=260u64).step_by(2) {
                        let mut random = Random(limbs);
                        let moduli = moduli(64 * limbs, 64, &mut random);
                        let (pairs, splits) = match limbs {
                            1..=8 => (36, 6),
                            9..=40 => (4, 4),
                            _ => (2, 2),
                        };
                        // Each of the large sizes uses only two of the moduli.
                        let step = if limbs <= 40 { 1 } else { 6 };
                        for p in moduli.iter().skip(limbs as usize % step).step_by(step) {
                            check_modulus(candidate, p, pairs, splits, &mut random);
                        }
                    }
                });
            }
        });
    }
}

/// The longest moduli for each number of digits, which leave the least room for redundancy and sums, and
/// moduli a few bits longer, which need one digit more. If digits are shorter than limbs, whole limbs do not
/// give these lengths.
#[test]
fn moduli_that_fill_their_digits() {
    check_full_moduli(|i, bits| bits < 1300 || i % if bits < 4200 { 10 } else { 32 } == 0);
}

#[test]
#[ignore = "a minute: make test-long"]
fn all_moduli_that_fill_their_digits() {
    check_full_moduli(|i, bits| bits < 4200 || i % 4 == 0);
}

/// Tests the moduli for which `served` is true; its arguments are the index in the list of lengths, and the
/// bits.
fn check_full_moduli(served: impl Fn(usize, u64) -> bool) {
    for candidate in kernels().filter(|candidate| !is_tiny(*candidate)) {
        let mut random = Random(6);
        let fills = |bits: &u64| radix_bits(candidate, bits + 1) > radix_bits(candidate, *bits);
        let all = (2..16_640).filter(fills).enumerate();
        for full in all.filter(|(i, bits)| served(*i, *bits)).map(|(_, bits)| bits) {
            for bits in [full, full + 4, full + 6] {
                for p in moduli(bits, 64, &mut random).into_iter().step_by(3) {
                    check_modulus(candidate, &p, 2, 3, &mut random);
                    Subject::new(candidate, &p).check_chain(30, &mut random);
                }
            }
        }
    }
}

#[test]
fn all_pairs_over_some_odd_moduli_of_eight_bits() {
    check_all_pairs(|modulus| modulus < 16 || modulus % 8 == 7);
}

#[test]
#[ignore = "some seconds"]
fn all_pairs_over_every_odd_modulus_of_eight_bits() {
    check_all_pairs(|_| true);
}

fn check_all_pairs(served: fn(u64) -> bool) {
    for candidate in kernels() {
        for modulus in (3u64..256).step_by(2).filter(|modulus| served(*modulus)) {
            let subject = Subject::new(candidate, &BigUint::from(modulus));
            let kernel = &*subject.kernel;
            let residues: Vec<Vec<u64>> =
                (0..modulus).map(|v| subject.to_montgomery(&BigUint::from(v))).collect();
            let mut scratch = vec![GUARD; kernel.dimensions().scratch_words];
            let mut x = vec![0; kernel.dimensions().residue_words];
            let mut out = [0];
            for a in 0..modulus {
                for b in 0..modulus {
                    x.copy_from_slice(&residues[a as usize]);
                    kernel.mul(&mut x, &residues[b as usize], &mut scratch);
                    kernel.from_montgomery(&mut out, &x, &mut scratch);
                    assert_eq!(out[0], a * b % modulus, "{}: {a}·{b} mod {modulus}", candidate.name());
                }
            }
            let extremes = [0, 1, modulus / 2, modulus - 2, modulus - 1];
            for a in (0..modulus).map(BigUint::from) {
                for b in extremes.map(BigUint::from) {
                    subject.check_pair(&a, &b, &subject.splits(4, &mut Random(1)));
                }
            }
        }
    }
}

#[test]
fn all_splits_over_small_words() {
    check_all_splits(12, 4);
}

#[test]
#[ignore = "some seconds"]
fn all_splits_of_more_operands_over_small_words() {
    check_all_splits(40, 10);
}

/// Tests so many pairs of operands for moduli that fill their words, and for longer ones.
fn check_all_splits(full: usize, longer: usize) {
    for candidate in kernels().filter(|candidate| is_tiny(*candidate)) {
        let word_bits = radix_bits(candidate, 1);
        let mut random = Random(2);
        // Three words: every value with the extreme ones.
        let bits = 3 * word_bits.min(4);
        for p in moduli(bits, word_bits, &mut random) {
            let subject = Subject::new(candidate, &p);
            let splits = subject.splits(usize::MAX, &mut random);
            for b in operands(&p, radix_bits(candidate, p.bits()), &mut random) {
                let b_residue = subject.to_montgomery(&b);
                let prepared: Vec<_> = splits.iter().map(|&s| (s, subject.prepare(&b_residue, s))).collect();
                let modulus: u64 = p.to_u64_digits()[0];
                for a in (0..modulus).map(BigUint::from) {
                    let x = subject.to_montgomery(&a);
                    for (split, prepared) in &prepared {
                        let product = subject.from_montgomery(&subject.mul_prepared(&x, prepared, *split));
                        assert_eq!(product, &a * &b % &p, "{a}·{b} mod {p}, split {split}");
                    }
                }
            }
        }
        // With more words than a word can count, the word limits the largest split.
        for words in (1..=20).chain([33, 40]) {
            for p in moduli(words * word_bits, word_bits, &mut random) {
                check_modulus(candidate, &p, full, usize::MAX, &mut random);
            }
            for p in moduli(words * word_bits + 3, word_bits, &mut random) {
                check_modulus(candidate, &p, longer, usize::MAX, &mut random);
            }
        }
    }
}

#[test]
fn pairs_share_their_operand() {
    for candidate in kernels() {
        let mut random = Random(3);
        let word_bits = radix_bits(candidate, 1);
        // Lengths in words, some with a few bits more. They include every length of the tail, and more words
        // than a tiny word can count.
        let sizes = (1..=20).chain([24, 27, 28, 29, 30, 31, 32, 33, 64, 65, 100, 120, 260]);
        for words in sizes.filter(|words| words * word_bits <= 16_640) {
            for p in moduli(words * word_bits + words % 2 * 3, word_bits, &mut random) {
                let subject = Subject::new(candidate, &p);
                let operands = operands(&p, radix_bits(candidate, p.bits()), &mut random);
                for _ in 0..if words <= 40 { 12 } else { 3 } {
                    let [a, b, c] = [0; 3].map(|_| &operands[random.below(operands.len())]);
                    let [x, y, z] = [a, b, c].map(|value| subject.to_montgomery(value));
                    let (first, second) = subject.mul_pair(&x, &y, &z);
                    assert_eq!(subject.from_montgomery(&first), a * c % &p, "{}: p={p:x}", candidate.name());
                    assert_eq!(subject.from_montgomery(&second), b * c % &p, "{}: p={p:x}", candidate.name());
                }
            }
        }
    }
}

#[test]
fn long_chains_stay_valid() {
    for candidate in kernels() {
        // Here the unit is the digits of a whole vector; kernels need not support more than 51,000 bits.
        let word_bits = radix_bits(candidate, 1);
        let sizes: &[(u64, usize)] =
            &[(1, 2000), (2, 2000), (3, 2000), (5, 1000), (16, 500), (33, 300), (130, 40)];
        for &(words, steps) in sizes {
            let mut random = Random(words);
            let bits = words.min(51_000 / word_bits) * word_bits;
            for p in moduli(bits, word_bits, &mut random) {
                Subject::new(candidate, &p).check_chain(steps, &mut random);
            }
        }
    }
}

/// Some millions of products at all sizes in use.
#[test]
#[ignore = "minutes"]
fn millions_of_products() {
    let seed = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let seed = seed.map_or(1, |elapsed| elapsed.as_nanos() as u64 | 1);
    println!("seed {seed}");
    let mut random = Random(seed);
    for candidate in kernels() {
        let word_bits = radix_bits(candidate, 1);
        // Here the unit is the digits of a whole vector; kernels need not support more than 51,000 bits.
        let most = 260.min(51_000 / word_bits);
        for words in 1..=66.min(most) {
            for p in moduli(words * word_bits, word_bits, &mut random) {
                let subject = Subject::new(candidate, &p);
                subject.check_chain(120_000 / words as usize, &mut random);
            }
        }
        for words in 67..=most {
            for p in moduli(words * word_bits, word_bits, &mut random) {
                check_modulus(candidate, &p, 6, 6, &mut random);
            }
        }
    }
}

/// Kernels are public. Without a bound on the split, `split · words` could wrap around to the length of any
/// slice.
#[test]
#[cfg(target_arch = "x86_64")]
fn a_split_beyond_the_greatest_is_refused() {
    let Ok(kernel) = internals::kernel(KernelChoice::IFMA52, &[u64::MAX; 6]) else { return };
    let refuses = |split: usize| {
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let mut x = kernel.one().to_vec();
            let (b, mut scratch) = (vec![0; split * x.len()], vec![0; kernel.dimensions().scratch_words]);
            kernel.mul_prepared(&mut x, &b, split, &mut scratch);
        }))
        .is_err()
    };
    assert!(!refuses(kernel.dimensions().max_split));
    assert!(refuses(kernel.dimensions().max_split + 1));
}
