//! Tries changes of code, and counts the outcomes.

use super::patch::{Mutant, patch};
use moduli_kernel::KernelChoice;
use prove::{
    failure::{Reason, Result},
    specification::Operation,
};
use std::collections::{BTreeMap, BTreeSet};

/// An operation at one length.
pub struct Tried {
    /// The changes of its code.
    pub mutants: Vec<Mutant>,
    /// Proves the current code.
    pub prove: Box<dyn Fn() -> Result<()>>,
    /// Whether the code with a change is right for all operands that it is run on.
    pub is_right: Box<dyn Fn(&Mutant) -> bool>,
}

/// The outcomes of changes.
#[derive(Default)]
pub struct Tally {
    pub reasons: BTreeMap<String, usize>,
    pub refuted: usize,
    pub survivors: Vec<String>,
    pub seen: usize,
}

/// How many changes are tried: the first of each kind, and one in so many of the others.
#[derive(Clone, Copy)]
pub struct Extent {
    pub first: usize,
    pub every: usize,
}

/// Some changes of every kind, those that docs/proof.md counts, and all.
pub const SOME: Extent = Extent { first: 2, every: 80 };
pub const OF_THE_PAGE: Extent = Extent { first: 5, every: 17 };
pub const ALL: Extent = Extent { first: usize::MAX, every: 1 };

/// Tries the first change of each kind, and some of the others, spread over the code: each is refused, or
/// right after all.
pub fn try_mutants(
    subjects: &[(Operation, usize)],
    extent: Extent,
    subject: fn(Operation, usize) -> Tried,
) -> Tally {
    let mut tally = Tally::default();
    let mut tried = BTreeSet::new();
    for &(operation, bits) in subjects {
        let Tried { mutants, prove, is_right } = subject(operation, bits);
        let mut of_kind: BTreeMap<&str, usize> = BTreeMap::new();
        for mutant in mutants {
            let count = of_kind.entry(mutant.what).or_default();
            *count += 1;
            let is_taken = *count <= extent.first || count.is_multiple_of(extent.every);
            if !is_taken || !tried.insert((mutant.address, mutant.new)) {
                continue;
            }
            patch(mutant.address, mutant.new);
            let found = prove();
            patch(mutant.address, mutant.old);
            let what = format!("{} at {bits} bits, {} for `{}`", operation.name(), mutant.what, mutant.text);
            match found {
                Ok(()) if is_right(&mutant) => tally.survivors.push(what),
                Ok(()) => panic!("{what} is proved, and wrong"),
                Err(failure) => {
                    let is_refuted = [Reason::Unproven, Reason::Refused].contains(&failure.reason);
                    tally.refuted += usize::from(is_refuted);
                    *tally.reasons.entry(format!("{:?}", failure.reason)).or_default() += 1;
                    // Code that reads elsewhere is not run.
                    let is_harmless = mutant.what != "another digit";
                    tally.seen += usize::from(is_harmless && !is_right(&mutant));
                }
            }
        }
        // The restored code is proved again.
        prove().unwrap();
    }
    let Tally { reasons, survivors, seen, .. } = &tally;
    println!(
        "refused {reasons:?}, of which a run shows {seen} to be wrong; right after all {}",
        survivors.len()
    );
    survivors.iter().for_each(|what| println!("right after all: {what}"));
    tally
}

/// Whether this processor has the kernel. If not, prints that.
pub fn is_there(choice: KernelChoice) -> bool {
    let is_there = choice.is_supported();
    if !is_there {
        println!("skipped: this processor cannot run {choice:?}");
    }
    is_there
}

/// Requires that more than `refuted` changes are refuted, more than `times` as many as are right; and that
/// more than `seen` are seen to be wrong when run, as otherwise the runs are too few to judge by.
pub fn some_are_refused(
    subjects: &[(Operation, usize)],
    subject: fn(Operation, usize) -> Tried,
    extent: Extent,
    [refuted, seen]: [usize; 2],
    times: usize,
) {
    let tally = try_mutants(subjects, extent, subject);
    assert!(tally.refuted > refuted, "{:?}", tally.reasons);
    assert!(tally.seen > seen, "{} are seen to be wrong: the runs are too few to judge by", tally.seen);
    assert!(tally.survivors.len() < tally.refuted / times, "{:?}", tally.survivors);
}

/// Tries all changes of the six operations, at each of these sizes.
pub fn all_are_refused(sizes: &[usize], subject: fn(Operation, usize) -> Tried) {
    use Operation::{Add, FromMontgomery, Mul, Square, Store, Sub};
    let operations = [Mul, Square, Add, Sub, Store, FromMontgomery].into_iter();
    let subjects: Vec<_> =
        operations.flat_map(|operation| sizes.iter().map(move |&bits| (operation, bits))).collect();
    try_mutants(&subjects, ALL, subject);
}
