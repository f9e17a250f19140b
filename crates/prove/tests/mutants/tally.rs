//! What became of changes of the code.

use super::patch::{Mutant, patch};
use prove::{
    failure::{Reason, Result},
    specification::Operation,
};
use std::collections::{BTreeMap, BTreeSet};

/// An operation at one length.
pub struct Tried {
    /// Changes of its code.
    pub mutants: Vec<Mutant>,
    /// Proves it as it stands.
    pub prove: Box<dyn Fn() -> Result<()>>,
    /// Whether it is right as it stands but for a change, for all operands that it is run on.
    pub is_right: Box<dyn Fn(&Mutant) -> bool>,
}

/// What became of changes.
#[derive(Default)]
pub struct Tally {
    pub reasons: BTreeMap<String, usize>,
    pub refuted: usize,
    pub survivors: Vec<String>,
    pub seen: usize,
}

/// Changes the first of each kind, and some of the others, spread over the code: each is refused, or right after all.
pub fn try_mutants(
    subjects: &[(Operation, usize)],
    first: usize,
    every: usize,
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
            let is_taken = *count <= first || count.is_multiple_of(every);
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
                    // What reads elsewhere is not run.
                    let is_harmless = mutant.what != "another digit";
                    tally.seen += usize::from(is_harmless && !is_right(&mutant));
                }
            }
        }
        // As it was.
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
