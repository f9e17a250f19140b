//! The search for the best shape: the most promising set of methods is divided first, and what cannot hold the best is
//! cut off by lower bounds.

use alloc::collections::BinaryHeap;
use core::cmp::Ordering;

use super::{
    predict::{Predictor, Split, Times},
    radices::Radix,
    regions::{Family, Region, Space},
    work::Work,
};
use crate::fixed::{method::Method, secrecy::Secrecy, shape::MAX_ENTRIES};
use moduli_kernel::Dimensions;

/// A set is not divided further if that gains no more than this part for every look at a set or a method so far: the
/// best is found exactly where there is little to look at, to a hundredth after 50,000 looks.
const GAIN_PER_LOOK: f64 = 2e-7;

/// A method with the split of its entries, and what it is predicted to cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) method: Method,
    pub(super) work: Work,
    pub(super) pieces: u32,
    /// What is minimised: the product of two times, alone and crowded, in square nanoseconds.
    pub(super) objective: f64,
}

impl Found {
    /// Bytes of the table.
    pub(super) fn bytes(&self, kernel: &Dimensions) -> u64 {
        self.work.entries * 8 * kernel.prepared_words(self.pieces as usize) as u64
    }
}

/// Methods in a range of splits, both ends included.
struct Set {
    region: Region,
    splits: [usize; 2],
    /// No method in any of the splits has a lower objective.
    bound: f64,
    /// The later of two equal ones goes first: that leads to single methods.
    number: u64,
}

impl Ord for Set {
    fn cmp(&self, other: &Self) -> Ordering {
        other.bound.total_cmp(&self.bound).then(self.number.cmp(&other.number))
    }
}

impl PartialOrd for Set {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Set {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Set {}

/// One search under one limit. Several families may be searched one after the other: the best of all stays.
pub(super) struct Search<'a> {
    pub(super) predictor: &'a Predictor<'a>,
    pub(super) splits: &'a [Split],
    pub(super) radices: &'a [Radix],
    pub(super) bits: u32,
    pub(super) secrecy: Secrecy,
    /// Exponentiations over which the time to build counts.
    pub(super) count: Option<u64>,
    pub(super) limit_bytes: u64,
    pub(super) best: Option<Found>,
    /// Sets and methods that were looked at.
    pub(super) looks: u64,
}

impl Search<'_> {
    pub(super) fn family(&mut self, family: Family) {
        let Some(smallest) = self.splits.first() else { return };
        let most_entries = (self.limit_bytes / (8 * smallest.entry_words)).min(MAX_ENTRIES);
        let last = match family {
            Family::M0m1 if smallest.pieces > 1 => return,
            Family::M0m1 => 0,
            _ => self.splits.len() - 1,
        };
        let space = Space { radices: self.radices, bits: self.bits, secrecy: self.secrecy, most_entries };
        let mut sets = BinaryHeap::new();
        for region in space.family(family) {
            sets.extend(self.set(&space, region, [0, last]));
        }
        while let Some(set) = sets.pop() {
            if !self.is_worth_a_look(set.bound) {
                return;
            }
            if let Some((method, work)) = space.sample(&set.region) {
                self.consider(method, &work, set.splits);
            }
            let [first, last] = set.splits;
            if self.spread(set.splits) > space.spread(&set.region) {
                // Small numbers of pieces differ most.
                let middle = ((first + 1) * (last + 1)).isqrt() - 1;
                for splits in [[first, middle], [middle + 1, last]] {
                    sets.extend(self.set(&space, set.region, splits));
                }
            } else {
                for region in space.parts(&set.region) {
                    sets.extend(self.set(&space, region, set.splits));
                }
            }
        }
    }

    /// A set, without the splits in which none of its tables keeps to the limit; nothing if it cannot hold the best.
    fn set(&mut self, space: &Space<'_>, region: Region, [first, last]: [usize; 2]) -> Option<Set> {
        self.looks += 1;
        let work = space.least_work(&region)?;
        let last = self.fitting(work.entries, [first, last])?;
        let splits = &self.splits[first..=last];
        let (smallest, fastest) = (splits.first()?, splits.last()?);
        let times = self.predictor.least_exponentiation(&work, smallest, fastest);
        let bound = self.objective(times, || self.predictor.least_build(&work, splits));
        let set = Set { region, splits: [first, last], bound, number: self.looks };
        self.is_worth_a_look(bound).then_some(set)
    }

    /// The product of the times, so that neither condition counts more than the other: as much as one table loses to the best in
    /// one of them, as a ratio, it gains on the best in the other. Where some table is within r of the best in both, what has
    /// the least product is within r².
    fn objective(&self, times: Times, build: impl FnOnce() -> f64) -> f64 {
        let [alone, crowded] = match self.count {
            None => times,
            Some(count) => {
                let build = build();
                times.map(|time| count as f64 * time + build)
            }
        };
        alone * crowded
    }

    /// Whether something that is no better than this would be a gain.
    fn is_worth_a_look(&self, bound: f64) -> bool {
        // Of each of the two times.
        let gain = GAIN_PER_LOOK * self.looks as f64;
        self.best.as_ref().is_none_or(|best| bound < best.objective * (1.0 - gain) * (1.0 - gain))
    }

    /// The last of a range of splits in which a table of so many entries keeps to the limit.
    fn fitting(&self, entries: u64, [first, last]: [usize; 2]) -> Option<usize> {
        let fits = |split: &Split| {
            entries <= MAX_ENTRIES && entries.saturating_mul(8 * split.entry_words) <= self.limit_bytes
        };
        (first + self.splits[first..=last].partition_point(fits)).checked_sub(1).filter(|&last| last >= first)
    }

    /// How far splits lie apart, as a ratio.
    fn spread(&self, [first, last]: [usize; 2]) -> f64 {
        let [first, last] = [&self.splits[first], &self.splits[last]];
        (last.entry_words as f64 / first.entry_words as f64).max(first.product / last.product)
    }

    /// Looks at a method in the smallest of these splits and in the fastest one that keeps to the limit.
    fn consider(&mut self, method: Method, work: &Work, splits: [usize; 2]) {
        let Some(last) = self.fitting(work.entries, splits) else { return };
        for place in [splits[0], last] {
            self.looks += 1;
            let split = &self.splits[place];
            let times = self.predictor.exponentiation(work, split);
            let objective = self.objective(times, || self.predictor.build(work, split));
            if self.best.as_ref().is_none_or(|best| objective < best.objective) {
                self.best = Some(Found { method, work: *work, pieces: split.pieces, objective });
            }
            if splits[0] == last {
                return;
            }
        }
    }
}
