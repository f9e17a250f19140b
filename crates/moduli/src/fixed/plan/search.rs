//! The search for the best shape: all that could be best is looked at, the rest is cut off by lower bounds.

use super::{
    predict::{Predictor, Split},
    radices::{Radix, power_of_two},
    work::{Comb, Work, power},
};
use crate::fixed::{method::Method, secrecy::Secrecy, shape::MAX_ENTRIES};

/// The methods, without parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    Radix,
    Comb,
    M0m1,
    ResidueDigits,
}

impl Family {
    pub(super) const ALL: [Self; 4] = [Self::Comb, Self::Radix, Self::ResidueDigits, Self::M0m1];
}

/// A method with the split of its entries, and what it is predicted to cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) method: Method,
    pub(super) work: Work,
    pub(super) pieces: u32,
    /// What is minimised, in nanoseconds.
    pub(super) objective: f64,
}

/// In the public forms a greater radix than the least may leave less to the last digit: this many, spread
/// evenly, are tried for each number of digits.
const TRIES: u64 = 12;

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
}

impl Search<'_> {
    pub(super) fn family(&mut self, family: Family) {
        match family {
            Family::Radix => self.radix(),
            Family::Comb => self.combs(),
            Family::M0m1 | Family::ResidueDigits => (2..=255).for_each(|m1| self.residue_method(family, m1)),
        }
    }

    fn uniform(&self) -> bool {
        self.secrecy == Secrecy::Uniform
    }

    fn objective(&self, time: f64, build: impl FnOnce() -> f64) -> f64 {
        match self.count {
            None => time,
            Some(count) => count as f64 * time + build(),
        }
    }

    fn can_beat_best(&self, objective: f64) -> bool {
        self.best.as_ref().is_none_or(|best| objective < best.objective)
    }

    /// The splits in which a table of so many entries keeps to the limit.
    fn fitting(&self, entries: u64) -> &[Split] {
        if entries > MAX_ENTRIES {
            return &[];
        }
        let fits = |split: &Split| entries.saturating_mul(8 * split.entry_words) <= self.limit_bytes;
        &self.splits[..self.splits.partition_point(fits)]
    }

    /// Whether a table with at least this much work and so many entries could be best.
    fn is_worth_a_look(&self, least: &Work) -> bool {
        let fitting = self.fitting(least.entries);
        let (Some(smallest), Some(fastest)) = (fitting.first(), fitting.last()) else { return false };
        let time = self.predictor.least_exponentiation(least, smallest, fastest);
        self.can_beat_best(self.objective(time, || self.predictor.least_build(least.entries)))
    }

    /// The most entries that keep to the limit in any split.
    fn most_entries(&self) -> u64 {
        self.splits.first().map_or(0, |split| (self.limit_bytes / (8 * split.entry_words)).min(MAX_ENTRIES))
    }

    /// Looks at a method in all splits.
    fn consider(&mut self, method: Method, work: &Work) {
        let splits = match method {
            Method::M0m1 { .. } if self.splits.first().is_some_and(|split| split.pieces > 1) => return,
            Method::M0m1 { .. } => &self.splits[..self.splits.len().min(1)],
            _ => self.splits,
        };
        let fitting = self.fitting(work.entries).len().min(splits.len());
        for split in splits[..fitting].iter().rev() {
            let build = || self.predictor.build(work, split);
            if !self.can_beat_best(self.objective(self.predictor.arithmetic(work, split), build)) {
                continue;
            }
            let time = self.predictor.exponentiation(work, split);
            let objective = self.objective(time, build);
            if self.can_beat_best(objective) {
                self.best = Some(Found { method, work: *work, pieces: split.pieces, objective });
            }
        }
    }

    fn radix(&mut self) {
        for &Radix { digits, least, bound } in self.radices {
            let entries = |radix: u64| u64::from(digits) * (radix - 1);
            if least >= 1 << 24 || self.fitting(entries(least)).is_empty() {
                continue;
            }
            let least_method = Method::Radix { radix: least as u32 };
            let mut bound_work = Work::new(least_method, digits, self.bits, self.secrecy);
            if !self.uniform() {
                // One more digit may be 0 thanks to a greater radix.
                bound_work.table_products = (bound_work.table_products - 1.0).max(0.0);
            }
            if !self.is_worth_a_look(&bound_work) {
                continue;
            }
            let most = bound.min(1 << 24).min(self.most_entries() / u64::from(digits) + 2) - 1;
            for radix in self.tries(least, most) {
                let method = Method::Radix { radix: radix as u32 };
                let work = Work::new(method, digits, self.bits, self.secrecy);
                self.consider(method, &work);
            }
        }
    }

    /// Radices (or their factors) between two that may be best: the least in the uniform forms.
    fn tries(&self, least: u64, most: u64) -> impl Iterator<Item = u64> + use<> {
        let steps = if self.uniform() { 0 } else { most.saturating_sub(least).min(TRIES) };
        (0..=steps).map(move |step| least + most.saturating_sub(least) * step / steps.max(1))
    }

    fn combs(&mut self) {
        // First the regular combs, for an early bound; then those with short tables.
        for regular in [true, false] {
            for teeth in if regular { 1 } else { 2 }..=self.bits.min(24) {
                self.combs_with(teeth, regular);
            }
        }
    }

    fn combs_with(&mut self, teeth: u32, regular: bool) {
        let bits = f64::from(self.bits);
        // A bit costs least in a column of all teeth.
        let products = match self.secrecy {
            Secrecy::Uniform => bits / f64::from(teeth),
            Secrecy::Public => bits * (1.0 - power_of_two(-i64::from(teeth))) / f64::from(teeth),
        };
        let least_teeth = if regular { teeth } else { teeth - 1 };
        for tables in 1..=self.bits {
            let least_total = u64::from(tables) * u64::from(least_teeth) + u64::from(!regular);
            let entries = u64::from(tables) * ((1 << least_teeth) - 1) + ((1 << teeth) - (1 << least_teeth));
            // With so many tables some have no column; and there will be no fewer entries.
            if least_total >= u64::from(self.bits + teeth) || self.fitting(entries).is_empty() {
                return;
            }
            let columns = self.bits.div_ceil(tables.saturating_mul(teeth));
            let bound_work = Work {
                entries,
                table_products: products.max(1.0),
                copies: 1.0,
                squarings: f64::from(columns.saturating_sub(2)),
                look_ups: if self.uniform() {
                    [(products, 1 << least_teeth), (0.0, 0)]
                } else {
                    [(0.0, 0); 2]
                },
                read_digits: self.bits,
                ..Work::default()
            };
            if !self.is_worth_a_look(&bound_work) {
                continue;
            }
            for short_tables in if regular { 0..1 } else { 1..tables } {
                let comb = Comb::new(teeth, tables, short_tables, self.bits);
                if !comb.is_degenerate() && !self.fitting(comb.entries()).is_empty() {
                    let method = Method::Comb { teeth, tables, short_tables };
                    self.consider(method, &comb.work(self.uniform()));
                }
            }
        }
    }

    fn residue_method(&mut self, family: Family, m1: u32) {
        // The published form multiplies by a bucket for every set bit of its index.
        let factors: u32 = (1..m1).map(u32::count_ones).sum();
        let mut previous = 0;
        for &Radix { digits, least, bound } in self.radices {
            let m0 = least.div_ceil(m1.into());
            let entries = u64::from(digits) * m0 + 1;
            let bound_work = Work { entries, ..self.least_residue_work(family, m0, m1, factors, digits) };
            if !self.is_worth_a_look(&bound_work) {
                continue;
            }
            let Some(m0) = next_coprime(m0, m1) else { continue };
            let most =
                bound.div_ceil(m1.into()).min(1 << 24).min(self.most_entries() / u64::from(digits) + 1) - 1;
            if m0 == previous || m0 > most {
                continue;
            }
            previous = m0;
            let mut last = 0;
            for m0 in self.tries(m0, most).filter_map(|m0| next_coprime(m0, m1)) {
                if m0 == last || m0 > most {
                    continue;
                }
                last = m0;
                let method = match family {
                    Family::M0m1 => Method::M0m1 { m0: m0 as u32, m1 },
                    _ => Method::ResidueDigits { m0: m0 as u32, m1 },
                };
                let work = Work::new(method, digits, self.bits, self.secrecy);
                self.consider(method, &work);
            }
        }
    }

    /// No less work than this, for any m0 from the given one on.
    fn least_residue_work(&self, family: Family, m0: u64, m1: u32, factors: u32, digits: u32) -> Work {
        let look_ups = if self.uniform() { [(f64::from(digits), m0), (0.0, 0)] } else { [(0.0, 0); 2] };
        let (divided_digits, recoded_digits, digits) = (digits, digits, f64::from(digits));
        let (table_products, products) = match (family, self.secrecy) {
            (Family::M0m1, Secrecy::Uniform) => (digits, digits + f64::from(factors)),
            (_, Secrecy::Uniform) => (digits, f64::from(2 * (m1 - 1))),
            // All digits but the last: one product each and a correction in bucket 0, nothing for digits 0. The
            // first factor of each bucket is copied, so one of the products by the bucket is free.
            (Family::M0m1, Secrecy::Public) => {
                let m1_f64 = f64::from(m1);
                let filled = 1.0 - power(1.0 - 1.0 / m1_f64, recoded_digits - 1);
                let each = 1.0 + 1.0 / m1_f64 - 2.0 / (m1_f64 * m0 as f64);
                ((digits - 1.0) * each - 1.0, filled * f64::from(factors + 1 - m1))
            }
            // The greatest filled bucket is on average at least m1·n/(n + 1) for n uniform digits.
            (_, Secrecy::Public) => (digits, f64::from(m1) * (digits - 1.0) / digits - 2.0),
        };
        Work {
            table_products: table_products.max(0.0),
            products: products.max(0.0),
            look_ups,
            buckets: m1,
            bucket_products: digits,
            divided_digits,
            recoded_digits,
            ..Work::default()
        }
    }
}

/// The least number from `from` on that is coprime to 2..=m1, and 2 at least: then it is greater than m1.
fn next_coprime(from: u64, m1: u32) -> Option<u64> {
    let mut candidate = from.max(u64::from(m1) + 1);
    while candidate < 1 << 24 {
        let mut factors = (2..=u64::from(m1)).filter(|&d| d < 4 || (d % 2 == 1 && d % 3 != 0));
        if factors.all(|d| !candidate.is_multiple_of(d)) {
            return Some(candidate);
        }
        candidate += 1;
    }
    None
}
