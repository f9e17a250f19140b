//! Wrong code for the reduction of numbers one word longer than the modulus is refused.

use super::{
    adx, inversion,
    patch::{ALONE, Mutant, patch},
    tally::{ALL, Tried, try_mutants},
};
use checkmem::Trace;
use iced_x86::Mnemonic;
use moduli_kernel::{Arithmetic, KernelChoice};
use num_bigint::BigUint;
use prove::{proof::Job, reduction::record, specification::Operation};
use testing::Random;

/// A modulus, numbers, and their residues.
type Run = (Arithmetic, BigUint, Vec<BigUint>);

fn runs(bits: usize) -> Vec<Run> {
    let mut random = Random(bits as u64);
    let one = BigUint::from(1u32);
    let bound = &one << (bits + 63);
    let moduli = random.moduli(bits as u32).into_iter().chain((0..8).map(|_| random_number(bits)));
    let moduli: Vec<_> = moduli.map(|n| n | &one | &one << (bits - 1)).collect();
    let run = |n: BigUint| {
        let mut random = Random(n.bits());
        let mut words = || (0..=bits.div_ceil(64)).fold(BigUint::ZERO, |x, _| (x << 64) + random.edge());
        let most = &bound / &n;
        // The numbers are next to multiples of N, and random.
        let mut numbers: Vec<_> = (0..60).map(|_| words() % &bound).collect();
        for _ in 0..60 {
            let multiple = &n * (words() % &most + &one);
            numbers.extend([&multiple - &one, multiple.clone(), multiple + &one]);
        }
        numbers.extend([BigUint::ZERO, n.clone(), &n - &one, &n * 2u32, &bound - &one]);
        numbers.retain(|x| x < &bound);
        (Arithmetic::new(&n.to_u64_digits(), KernelChoice::PORTABLE).unwrap(), n, numbers)
    };
    moduli.into_iter().map(run).collect()
}

/// A number of `bits` bits, with words that are all ones or zero.
fn random_number(bits: usize) -> BigUint {
    let mut random = Random(bits as u64 + 1);
    (0..bits.div_ceil(64)).fold(BigUint::ZERO, |x, _| (x << 64) + random.edge())
        % (BigUint::from(1u32) << bits)
}

/// Changes to another bit or shift, from an increment to a decrement, and from a negation to a complement.
fn other_choices(trace: &Trace) -> Vec<Mutant> {
    let of = |code: &checkmem::Code| {
        let (i, bytes) = (&code.instruction, &code.bytes);
        let last = bytes.len() - 1;
        let (what, at, flip) = match i.mnemonic() {
            Mnemonic::Sete | Mnemonic::Setne => {
                ("the other bit", bytes.iter().position(|&byte| byte == 0x0f)? + 1, 1)
            }
            // Three bits hold the kind of operation.
            Mnemonic::Not | Mnemonic::Neg => ("one more", last, 8),
            Mnemonic::Shl | Mnemonic::Shr if i.op_count() == 2 && bytes[last - 1] == 0xd3 => {
                ("the other shift", last, 8)
            }
            _ => return None,
        };
        let (old, address) = (bytes[at], i.ip() + at as u64);
        Some(Mutant { what, address, old, new: old ^ flip, text: format!("{i}") })
    };
    trace.code.iter().filter_map(of).collect()
}

/// Whether the current code is right for all of these. It is run, not interpreted.
fn is_right(runs: &[Run], words: usize, mutant: &Mutant) -> bool {
    let mut limbs: Vec<Vec<Vec<u64>>> = runs
        .iter()
        .map(|(_, _, numbers)| {
            let of = |x: &BigUint| {
                let mut limbs = x.to_u64_digits();
                limbs.resize(words + 1, 0);
                limbs
            };
            numbers.iter().map(of).collect()
        })
        .collect();
    patch(mutant.address, mutant.new);
    for ((arithmetic, ..), limbs) in runs.iter().zip(&mut limbs) {
        limbs.iter_mut().for_each(|x| arithmetic.reduce(x));
    }
    patch(mutant.address, mutant.old);
    runs.iter().zip(limbs).all(|((_, n, numbers), found)| {
        let big = |x: &[u64]| x.iter().rev().fold(BigUint::ZERO, |sum, &limb| (sum << 64) + limb);
        numbers.iter().zip(found).all(|(x, found)| big(&found) == x % n)
    })
}

fn subject(operation: Operation, bits: usize) -> Tried {
    let [trace, other] = [1, 2].map(|seed| record(bits, seed).unwrap().trace);
    let of_digits = inversion::of_digits(&trace, &other);
    let mut mutants = adx::mutants(&trace);
    let steps = 0..trace.steps.len();
    mutants.extend(inversion::mutants(&trace, steps, &|address| of_digits.contains(&address)));
    mutants.extend(other_choices(&trace));
    let runs = runs(bits);
    let job = Job { kernel: KernelChoice::PORTABLE, operation, bits };
    Tried {
        mutants,
        prove: Box::new(move || job.prove().map(drop)),
        is_right: Box::new(move |mutant| is_right(&runs, bits.div_ceil(64), mutant)),
    }
}

/// This is one test, as no other may run meanwhile.
#[test]
fn changed_bytes_of_a_reduction_are_refused() {
    let _alone = ALONE.lock();
    let subjects = [521, 640, 127, 64].map(|bits| (Operation::Reduce, bits));
    let tally = try_mutants(&subjects, ALL, subject);
    let refused: usize = tally.reasons.values().sum();
    assert!(refused > 25 && tally.seen > 20, "{:?}", tally.reasons);
    assert!(tally.survivors.len() < refused / 4, "{:?}", tally.survivors);
}
