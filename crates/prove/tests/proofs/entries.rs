//! Look-ups in rows of any number of entries only make jumps that proved look-ups make: longer rows just
//! repeat them.

use super::common::made;
use checkmem::Trace;
use moduli_kernel::KernelChoice;
use prove::{
    jobs::{STRIPS, Wanted, jobs, longest},
    lanes, rows,
    specification::Operation,
    subject::Subject,
};
use std::collections::BTreeSet;

/// Pairs of instructions that were executed one right after the other.
type Jumps = BTreeSet<(u64, u64)>;

fn jumps(choice: KernelChoice, bits: usize, operation: Operation) -> Jumps {
    let trace: Trace = if operation.moves_rows() {
        lanes::record(choice, bits, operation, 1).unwrap().trace
    } else if operation.multiplies_rows() {
        rows::record(choice, bits, operation, 1).unwrap().trace
    } else {
        Subject::new(choice, bits).unwrap().record(operation, 1).unwrap().trace
    };
    let address = |step: &checkmem::Step| trace.code[step.code as usize].instruction.ip();
    trace.steps.windows(2).map(|steps| (address(&steps[0]), address(&steps[1]))).collect()
}

/// The jumps of all proofs of an operation, at one length or at all lengths.
fn proved(choice: KernelChoice, bits: Option<usize>, name: &str) -> Jumps {
    let wanted = Wanted { bits, operation: Some(name), is_long: false };
    jobs(choice, &wanted).into_iter().flat_map(|job| jumps(choice, job.bits, job.operation)).collect()
}

fn are_known(known: &Jumps, choice: KernelChoice, bits: usize, operation: Operation) {
    let new = jumps(choice, bits, operation).difference(known).count();
    assert_eq!(new, 0, "{} {operation} at {bits} bits", choice.name());
}

/// Kernels on words look at entries in groups, of as many as 4096 words hold.
#[test]
fn in_groups_of_entries() {
    for choice in [KernelChoice::ADX, KernelChoice::PORTABLE] {
        let Some(choice) = made(choice) else { continue };
        let known = proved(choice, None, "select");
        for words in [5, 6, 7, 11, 13, 17, 28, 31, 33, 64, 100, 455, 500] {
            let group = 4096 / words;
            for entries in [0, 1, 2, 4, 5, 6, 7, 8, 9, group, group + 1, 2 * group + 3] {
                are_known(&known, choice, 64 * words, Operation::Select(entries));
            }
        }
    }
}

/// `ifma52` looks at entries in vectors, group by group.
#[test]
fn in_vectors() {
    let Some(ifma52) = made(KernelChoice::IFMA52) else { return };
    for bits in STRIPS.map(longest).into_iter().chain([7680, 16384]) {
        let known = proved(ifma52, Some(bits), "select");
        (0..41).for_each(|entries| are_known(&known, ifma52, bits, Operation::Select(entries)));
    }
}

/// `fma50` looks at entries one by one, so three entries are enough.
#[test]
fn one_by_one() {
    let of_all = [KernelChoice::PORTABLE, KernelChoice::ADX, KernelChoice::FMA50, KernelChoice::IFMA52];
    for choice in of_all.into_iter().filter_map(made) {
        for bits in [64, 192, 512, 1024, 4096] {
            let known = jumps(choice, bits, Operation::Replace(3));
            (1..20).for_each(|entries| are_known(&known, choice, bits, Operation::Replace(entries)));
            if choice == KernelChoice::FMA50 {
                let known = jumps(choice, bits, Operation::Select(3));
                (0..20).for_each(|entries| are_known(&known, choice, bits, Operation::Select(entries)));
            }
        }
    }
}

/// Look-ups of rows of lanes, and of residues for them.
#[test]
fn for_lanes() {
    check_lanes(&[408, 1552, 7680], 40);
}

#[test]
#[ignore = "more lengths"]
fn for_more_lanes() {
    check_lanes(&[200, 408, 1240, 1552, 4152, 7680], 70);
}

/// Look-ups among fewer than `most` entries, at these lengths.
fn check_lanes(lengths: &[usize], most: usize) {
    for choice in [KernelChoice::FMA50, KernelChoice::IFMA52].into_iter().filter_map(made) {
        let look_ups = proved(choice, None, "look_up_rows");
        for &bits in lengths {
            let selections = proved(choice, Some(bits), "select_rows");
            for entries in 0..most {
                are_known(&selections, choice, bits, Operation::SelectRows(entries));
                are_known(&look_ups, choice, bits, Operation::LookUpRows(entries));
            }
        }
    }
    let Some(ifma52) = made(KernelChoice::IFMA52) else { return };
    for bits in [408, 1552] {
        let known = proved(ifma52, Some(bits), "square_and_select");
        (1..24).for_each(|entries| are_known(&known, ifma52, bits, Operation::SquareAndSelect(entries)));
    }
}
