//! Searches for every budget at once: keeps the candidates that are faster than all smaller tables.

use alloc::vec::Vec;

use super::{
    predict::{Predictor, Split},
    radices::Radix,
    work::Work,
};
use crate::fixed::{method::Method, secrecy::Secrecy, shape::MAX_ENTRIES};

/// The methods, without parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    Comb,
    Radix,
    ResidueDigits,
    M0m1,
}

impl Family {
    pub(super) const ALL: [Self; 4] = [Self::Comb, Self::Radix, Self::ResidueDigits, Self::M0m1];

    /// The family of a method.
    #[cfg(test)]
    pub(super) fn of(method: Method) -> Self {
        match method {
            Method::Comb { .. } => Self::Comb,
            Method::Radix { .. } => Self::Radix,
            Method::ResidueDigits { .. } => Self::ResidueDigits,
            Method::M0m1 { .. } => Self::M0m1,
        }
    }

    pub(super) fn is_residues(self) -> bool {
        match self {
            Self::Comb | Self::Radix => false,
            Self::ResidueDigits | Self::M0m1 => true,
        }
    }
}

/// A method with the split of its entries, and its predicted cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) method: Method,
    pub(super) pieces: u32,
    /// The size of the table in bytes.
    pub(super) bytes: u64,
    /// The objective to minimise: the product of the times with a free and with a crowded cache, in
    /// square nanoseconds. Both conditions have the same weight: if the table with the least product
    /// is slower than another by some ratio in one condition, it is faster than that one by at least
    /// this ratio in the other. If some table is within a factor r of the best in both conditions,
    /// the table with the least product is within r².
    pub(super) objective: f64,
}

/// A new table must be a five-hundredth faster in both conditions than all that are no larger.
/// Neighbours in the grid differ by less, and considering all of them takes long.
const GAIN: f64 = 0.996;

/// Tables in ascending order of bytes. Each is faster than those before it.
#[derive(Default)]
pub(super) struct Stairs(Vec<Found>);

impl Stairs {
    /// The fastest table within a budget.
    pub(super) fn within(&self, budget: u64) -> Option<&Found> {
        self.0[..self.0.partition_point(|step| step.bytes <= budget)].last()
    }

    fn improves(&self, bytes: u64, objective: f64) -> bool {
        self.within(bytes).is_none_or(|best| objective < GAIN * best.objective)
    }

    /// Inserts a table, unless one that is no larger is as fast.
    pub(super) fn offer(&mut self, found: Found) {
        if !self.improves(found.bytes, found.objective) {
            return;
        }
        let from = self.0.partition_point(|step| step.bytes < found.bytes);
        let beaten = self.0[from..].partition_point(|step| step.objective >= found.objective);
        self.0.splice(from..from + beaten, [found]);
    }

    pub(super) fn steps(&self) -> &[Found] {
        &self.0
    }
}

/// A way to exponentiate, with the possible splits of its entries.
pub(super) struct Way<'a> {
    predictor: &'a Predictor<'a>,
    /// Smallest first: only one piece, or only splits in two or more pieces.
    splits: &'a [Split],
    /// A lower bound of their costs.
    at_best: Split,
}

impl<'a> Way<'a> {
    /// Returns `None` if there are no splits.
    pub(super) fn new(predictor: &'a Predictor<'a>, splits: &'a [Split]) -> Option<Self> {
        Split::at_best(splits).map(|at_best| Self { predictor, splits, at_best })
    }

    fn objective(&self, work: &Work, split: &Split, count: Option<u64>) -> f64 {
        let mut times = self.predictor.exponentiation(work, split);
        if let Some(count) = count {
            let build = self.predictor.build(work, split);
            times = times.map(|time| count as f64 * time + build);
        }
        times[0] * times[1]
    }
}

/// The search among the candidates of one family.
pub(super) struct Search<'a> {
    pub(super) family: Family,
    pub(super) ways: Vec<Way<'a>>,
    pub(super) radices: &'a [Radix],
    pub(super) bits: u32,
    pub(super) secrecy: Secrecy,
    /// The number of exponentiations among which the time to build is shared, if it counts.
    pub(super) count: Option<u64>,
    pub(super) limit_bytes: u64,
    /// The best tables with unsplit entries, and with any split.
    pub(super) whole: Stairs,
    pub(super) all: Stairs,
}

impl Search<'_> {
    /// Whether this many entries fit, in the smallest split.
    pub(super) fn fits(&self, entries: u64) -> bool {
        let words = self.ways.first().map_or(1, |way| way.at_best.entry_words);
        entries <= MAX_ENTRIES && entries.saturating_mul(8 * words) <= self.limit_bytes
    }

    /// Whether a method with at least this work could improve the result.
    pub(super) fn is_worth_a_look(&self, work: &Work) -> bool {
        self.ways.iter().any(|way| self.is_worth_in(way, work))
    }

    fn is_worth_in(&self, way: &Way<'_>, work: &Work) -> bool {
        self.step(way, &way.at_best, work).is_some()
    }

    /// The bytes and the objective in a split, if they improve the result.
    fn step(&self, way: &Way<'_>, split: &Split, work: &Work) -> Option<(u64, f64)> {
        let stairs = if split.pieces == 1 { &self.whole } else { &self.all };
        let bytes = 8 * split.entry_words * work.entries;
        // The time for memory takes longest to compute, and most candidates fail without it.
        let rest = way.predictor.without_memory(work, split) * self.count.unwrap_or(1) as f64;
        if bytes > self.limit_bytes || !stairs.improves(bytes, rest * rest) {
            return None;
        }
        let objective = way.objective(work, split, self.count);
        stairs.improves(bytes, objective).then_some((bytes, objective))
    }

    /// Evaluates a method in all splits.
    pub(super) fn weigh(&mut self, method: Method, work: &Work) {
        for place in 0..self.ways.len() {
            let splits = self.ways[place].splits;
            if splits.len() > 1 && !self.is_worth_in(&self.ways[place], work) {
                continue;
            }
            for split in splits {
                let Some((bytes, objective)) = self.step(&self.ways[place], split, work) else { continue };
                let found = Found { method, pieces: split.pieces, bytes, objective };
                if split.pieces == 1 {
                    self.whole.offer(found);
                }
                self.all.offer(found);
            }
        }
    }
}
