//! Wrong code that prepares operands in digits is refused. What is proved nevertheless is interpreted, so that the processor need not have its
//! instructions.

use super::{
    ifma52,
    patch::{ALONE, Mutant, patch},
};
use moduli_kernel::{KernelChoice, proofs};
use num_bigint::BigUint;
use prove::{
    failure::{Reason, Result},
    proof::Proved,
    specification::Operation,
    subject::{Subject, can_be_made},
};
use std::collections::{BTreeMap, BTreeSet};
use testing::Random;

/// Instructions that an operation takes at most.
const LIMIT: u64 = 100_000_000;

const DIGIT: usize = 52;

fn words(random: &mut Random, count: usize, is_extreme: bool) -> BigUint {
    let mut word = || match random.word() {
        word if !is_extreme || word.is_multiple_of(5) => word,
        word if word.is_multiple_of(3) => 0,
        _ => u64::MAX,
    };
    (0..count).fold(BigUint::ZERO, |sum, _| (sum << 64) + word())
}

/// Whether pieces are right for some moduli and operands, extreme ones among them, when the code is interpreted as it stands.
fn is_right(bits: usize, pieces: usize) -> bool {
    let mut random = Random(bits as u64);
    let one = BigUint::from(1u32);
    (0..4).all(|round| {
        let top = &one << (bits - 1);
        let n = (words(&mut random, bits.div_ceil(64), round % 2 == 0) % &top) | &top | &one;
        // SAFETY: what it does is interpreted.
        let kernel =
            unsafe { proofs::kernel_to_interpret(KernelChoice::IFMA52, &n.to_u64_digits()) }.unwrap();
        let sizes = *kernel.dimensions();
        let (blocks, size) = (sizes.max_split, sizes.residue_words);
        let place = |i: usize| blocks * (i % (size / blocks)) + i / (size / blocks);
        let mask = BigUint::from((1u64 << DIGIT) - 1);
        let part = DIGIT * (size / blocks) * blocks.div_ceil(pieces);
        let mut scratch = vec![u64::MAX; sizes.scratch_words];
        (0..4).all(|turn| {
            let bound = &n * 12u32;
            let a = if turn == 0 { bound - &one } else { words(&mut random, size, turn == 1) % bound };
            let mut residue = vec![0; size];
            (0..size).for_each(|i| residue[place(i)] = u64::try_from((&a >> (DIGIT * i)) & &mask).unwrap());
            let mut out = vec![u64::MAX; pieces * size];
            let (report, _) = checkmem::record(LIMIT, || {
                checkmem::start_recording();
                kernel.prepare(&mut out, &residue, pieces, &mut scratch);
                checkmem::stop_recording();
            });
            assert!(report.ended.is_ok());
            out.chunks(size).enumerate().all(|(i, piece)| {
                let value = (0..size).rev().fold(BigUint::ZERO, |sum, i| (sum << DIGIT) + piece[place(i)]);
                let is_piece = (&value << sizes.radix_bits) % &n == (&a << (part * (i + 1))) % &n;
                value < n && is_piece && piece.iter().all(|&digit| digit < 1 << DIGIT)
            })
        })
    })
}

fn prove(bits: usize, pieces: usize) -> Result<()> {
    let subject = Subject::new(KernelChoice::IFMA52, bits)?;
    Proved::of(&subject.record(Operation::Prepare(pieces), 1)?).map(drop)
}

/// The first of each kind, and some of the others.
fn some(mutants: Vec<Mutant>, every: usize) -> Vec<Mutant> {
    let mut of_kind: BTreeMap<&str, usize> = BTreeMap::new();
    let is_taken = |mutant: &Mutant| {
        let count = of_kind.entry(mutant.what).or_default();
        *count += 1;
        *count <= 4 || count.is_multiple_of(every)
    };
    mutants.into_iter().filter(is_taken).collect()
}

#[test]
fn changed_bytes_are_refused() {
    let _alone = ALONE.lock();
    if !can_be_made(KernelChoice::IFMA52) {
        return;
    }
    let (mut reasons, mut right) = (BTreeMap::<String, usize>::new(), Vec::new());
    let mut tried = BTreeSet::new();
    for (bits, pieces) in [(408, 3), (616, 2), (1240, 5)] {
        assert!(is_right(bits, pieces), "{bits} bits in {pieces} pieces");
        let operation = Operation::Prepare(pieces);
        let subject = Subject::new(KernelChoice::IFMA52, bits).unwrap();
        let trace = subject.record(operation, 1).unwrap().trace;
        for mutant in some(ifma52::mutants(&trace, operation), 13) {
            if !tried.insert((mutant.address, mutant.new)) {
                continue;
            }
            patch(mutant.address, mutant.new);
            let found = prove(bits, pieces);
            let is_right = found.is_err() || is_right(bits, pieces);
            patch(mutant.address, mutant.old);
            let what = format!("{bits} bits, {} for `{}`", mutant.what, mutant.text);
            assert!(is_right, "{what} is proved, and wrong");
            match found {
                Ok(()) => right.push(what),
                Err(failure) => *reasons.entry(format!("{:?}", failure.reason)).or_default() += 1,
            }
        }
        prove(bits, pieces).unwrap();
    }
    println!("refused {reasons:?}; right after all {}", right.len());
    right.iter().for_each(|what| println!("right after all: {what}"));
    let refuted = reasons[&format!("{:?}", Reason::Unproven)];
    assert!(refuted > 40 && right.len() < refuted / 4, "{reasons:?}, {right:?}");
}
