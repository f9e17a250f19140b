//! Wrong products of `ifma52` above 4152 bits are refused. Changed code that is still proved is interpreted.

use super::{
    ifma52,
    patch::{ALONE, Mutant, patch},
};
use moduli_kernel::{KernelChoice, proofs};
use num_bigint::BigUint;
use prove::{
    failure::Reason,
    proof::Job,
    specification::Operation,
    subject::{Subject, can_be_made},
};
use std::collections::BTreeMap;
use testing::Random;

/// The most instructions that an operation may execute.
const LIMIT: u64 = 1_000_000;

const DIGIT: usize = 52;

fn digits(number: &BigUint, count: usize) -> Vec<u64> {
    let mask = BigUint::from((1u64 << DIGIT) - 1);
    (0..count).map(|i| u64::try_from((number >> (DIGIT * i)) & &mask).unwrap()).collect()
}

/// Whether products are right for some moduli and residues, with digits that carries run through, if the
/// current code is interpreted.
fn is_right(operation: Operation, bits: usize) -> bool {
    let mut random = Random(bits as u64);
    let one = BigUint::from(1u32);
    let mut number = |below: &BigUint| {
        let digit = |_| match random.word() % 4 {
            0 => (1u64 << DIGIT) - 1,
            1 => 0,
            _ => random.word() >> 12,
        };
        (0..bits / DIGIT + 2).map(digit).fold(BigUint::ZERO, |sum, digit| (sum << DIGIT) + digit) % below
    };
    (0..3).all(|round| {
        let top = &one << (bits - 1);
        let n = if round == 0 { &top * 2u32 - &one } else { number(&top) | &top | &one };
        // SAFETY: its operations are only interpreted.
        let kernel =
            unsafe { proofs::kernel_to_interpret(KernelChoice::IFMA52, &n.to_u64_digits()) }.unwrap();
        let sizes = *kernel.dimensions();
        let bound = &n * 12u32;
        (0..4).all(|turn| {
            let [a, b] = [0, 1].map(|_| if turn == 0 { &bound - &one } else { number(&bound) });
            let (mut x, y) = (digits(&a, sizes.residue_words), digits(&b, sizes.residue_words));
            let mut scratch = vec![u64::MAX; sizes.scratch_words];
            let (report, _) = checkmem::record(LIMIT, || {
                checkmem::start_recording();
                match operation {
                    Operation::Mul => kernel.mul(&mut x, &y, &mut scratch),
                    _ => kernel.square(&mut x, &mut scratch),
                }
                checkmem::stop_recording();
            });
            assert!(report.ended.is_ok());
            let product = if operation == Operation::Mul { &a * &b } else { &a * &a };
            let found = x.iter().rev().fold(BigUint::ZERO, |sum, &digit| (sum << DIGIT) + digit);
            digits(&found, x.len()) == x
                && found < &n * 4u32
                && (found << sizes.radix_bits) % &n == product % &n
        })
    })
}

/// Tries the first change of each kind and some of the others. Returns how many are refused because the
/// equations do not give the result, and how many are right after all.
fn change_bytes(cases: &[(Operation, usize)], first: usize, every: usize) -> (usize, usize) {
    let (mut reasons, mut right) = (BTreeMap::<String, usize>::new(), 0);
    for &(operation, bits) in cases {
        let job = Job { kernel: KernelChoice::IFMA52, operation, bits };
        assert!(is_right(operation, bits), "{}", job.name());
        let trace = Subject::new(job.kernel, bits).unwrap().record(operation, 1).unwrap().trace;
        let mut of_kind: BTreeMap<&str, usize> = BTreeMap::new();
        for Mutant { what, address, old, new, text } in ifma52::mutants(&trace, operation) {
            let count = of_kind.entry(what).or_default();
            *count += 1;
            if *count > first && !count.is_multiple_of(every) {
                continue;
            }
            patch(address, new);
            let found = job.prove().map(drop);
            let is_right = found.is_err() || is_right(operation, bits);
            patch(address, old);
            assert!(is_right, "{}, {what} for `{text}`, is proved, and wrong", job.name());
            match found {
                Ok(()) => {
                    right += 1;
                    println!("right after all: {}, {what} for `{text}`", job.name());
                }
                Err(failure) => *reasons.entry(format!("{:?}", failure.reason)).or_default() += 1,
            }
        }
        job.prove().unwrap();
    }
    println!("refused {reasons:?}; right after all {right}");
    (reasons.get(&format!("{:?}", Reason::Unproven)).copied().unwrap_or(0), right)
}

#[test]
fn changed_bytes_are_refused() {
    let _alone = ALONE.lock();
    if can_be_made(KernelChoice::IFMA52) {
        let (refuted, right) = change_bytes(&[(Operation::Mul, 4153)], 1, 100);
        assert!(refuted > 8 && right < refuted / 2, "{refuted} and {right}");
    }
}

/// More changes: `cargo test --release -p moduli-prove --test mutants -- --ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn many_changed_bytes_are_refused() {
    let _alone = ALONE.lock();
    if can_be_made(KernelChoice::IFMA52) {
        let cases = [Operation::Mul, Operation::Square]
            .map(|operation| [4153, 4608, 9980].map(|bits| (operation, bits)));
        let (refuted, right) = change_bytes(&cases.concat(), 6, 9);
        assert!(refuted > 200 && right < refuted / 4, "{refuted} and {right}");
    }
}
