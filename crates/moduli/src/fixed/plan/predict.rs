//! Predicts the time of work from the cost table of a kernel.

use alloc::vec::Vec;

use super::work::Work;
use crate::{
    fixed::secrecy::Secrecy,
    power::{self, PowerMethod},
};
use moduli_kernel::{Costs, Dimensions, PRIVATE};

/// Nanoseconds of recoding: of a division of the long exponent by a word, per word; of a digit; of
/// a digit as residues.
const DIVISION: f64 = 5.0;
const DIGIT: f64 = 1.5;
const RESIDUE_DIGIT: f64 = 45.0;
/// Nanoseconds to allocate and wipe the buffers and the result.
const CALL: f64 = 400.0;
/// A variable-time inversion on every kernel: nanoseconds per squared limb and per limb of the
/// modulus.
const INVERSION: [f64; 2] = [2.34, 350.0];

/// More pieces pay only if a product takes at most this fraction of the time with fewer.
const WORTH: f64 = 0.998;

/// Entries in a number of pieces, with their costs.
#[derive(Clone, Copy)]
pub(super) struct Split {
    pub(super) pieces: u32,
    pub(super) entry_words: u64,
    /// The time of a product by an entry, and the least time between the prefetch of an entry and
    /// its product.
    product: f64,
    ahead: f64,
    /// The time to prepare an entry.
    preparation: f64,
}

impl Split {
    /// A hypothetical split whose costs are at most those of each of these. They are all of one
    /// piece, or all of more.
    pub(super) fn at_best(splits: &[Self]) -> Option<Self> {
        let least = |of: fn(&Self) -> f64| splits.iter().map(of).fold(f64::INFINITY, f64::min);
        let (product, preparation) = (least(|split| split.product), least(|split| split.preparation));
        splits.first().map(|smallest| Self { product, preparation, ..*smallest })
    }
}

/// The times with a free shared cache, and with one that other programs crowd.
pub(super) type Times = [f64; 2];

/// The sizes and costs of a kernel for the search.
#[derive(Clone, Copy)]
pub(super) struct Predictor<'a> {
    /// The costs for a free and for a crowded cache. They differ only in the memory.
    conditions: [&'a Costs; 2],
    costs: &'a Costs,
    kernel: Dimensions,
    bits: u32,
    secrecy: Secrecy,
    pub(super) product: f64,
    pub(super) squaring: f64,
    /// For exponents side by side: the number of rows that read the table together.
    in_lanes: Option<u64>,
    residue_bytes: u64,
    /// The fixed costs of an exponentiation.
    fixed: f64,
    threads: u64,
}

impl<'a> Predictor<'a> {
    pub(super) fn new(conditions: [&'a Costs; 2], kernel: Dimensions, bits: u32, secrecy: Secrecy) -> Self {
        let threads = crate::parallel::threads() as u64;
        let [costs, _] = conditions;
        Self {
            conditions,
            costs,
            kernel,
            bits,
            secrecy,
            product: costs.product(),
            squaring: costs.squaring(),
            in_lanes: None,
            residue_bytes: 8 * kernel.residue_words as u64,
            fixed: CALL + costs.from_montgomery(),
            threads,
        }
    }

    /// For exponents side by side in `rows` rows, in tables that are not split. `None` if the
    /// kernel has no lanes.
    pub(super) fn in_lanes(self, rows: u64) -> Option<Self> {
        let [product, squaring, take] = self.costs.in_lanes()?;
        Some(Self { product, squaring, in_lanes: Some(rows), fixed: self.fixed + take, ..self })
    }

    pub(super) fn split(&self, pieces: u32) -> Split {
        let product = if pieces == 1 { self.product } else { self.costs.prepared(pieces as usize) };
        let preparation = self.costs.preparation(pieces as usize);
        let entry_words = self.kernel.prepared_words(pieces as usize) as u64;
        Split { pieces, entry_words, product, ahead: product, preparation }
    }

    /// The splits that pay: a product takes at least a five-hundredth less than with any smaller
    /// split.
    pub(super) fn splits(&self, pieces: impl Iterator<Item = u32>) -> Vec<Split> {
        let mut splits = Vec::<Split>::new();
        for split in pieces.map(|pieces| self.split(pieces)) {
            if splits.last().is_none_or(|last| split.product < WORTH * last.product) {
                splits.push(split);
            }
        }
        splits
    }

    /// Nanoseconds of the products and squarings.
    pub(super) fn arithmetic(&self, work: &Work, split: &Split) -> f64 {
        let copies = if split.pieces == 1 { work.copies } else { 0.0 };
        (work.table_products - copies) * split.product
            + work.products * self.product
            + work.squarings * self.squaring
    }

    /// Nanoseconds of an exponentiation.
    pub(super) fn exponentiation(&self, work: &Work, split: &Split) -> Times {
        let rest = self.without_memory(work, split);
        self.memory(work, split).map(|memory| rest + memory)
    }

    pub(super) fn without_memory(&self, work: &Work, split: &Split) -> f64 {
        self.arithmetic(work, split) + self.recoding(work) + self.fixed
    }

    /// Nanoseconds to read table entries and to read and write buckets.
    fn memory(&self, work: &Work, split: &Split) -> Times {
        let [alone, crowded] = self.conditions;
        let time = self.memory_by(alone, work, split);
        let entry = 8 * split.entry_words;
        let largest =
            entry.saturating_mul(work.entries.max(2)).max(self.residue_bytes * u64::from(work.buckets));
        [time, if largest <= PRIVATE { time } else { self.memory_by(crowded, work, split) }]
    }

    fn memory_by(&self, costs: &Costs, work: &Work, split: &Split) -> f64 {
        let entry = 8 * split.entry_words;
        let table = entry * work.entries;
        if self.secrecy == Secrecy::Public {
            // An entry is prefetched at least one product before its own.
            let fetch = if self.in_lanes.is_some() { Costs::fetch_in_lanes } else { Costs::fetch };
            return work.table_products * fetch(costs, entry, table, split.ahead);
        }
        let scan = |bytes| match self.in_lanes {
            Some(rows) => costs.scan_in_lanes(bytes, table, rows),
            None => costs.scan(bytes, table),
        };
        let look_up = |&(count, entries): &(f64, u64)| match entries {
            0 => 0.0,
            _ => count * scan(entry * entries),
        };
        let mut memory: f64 = work.look_ups.iter().map(look_up).sum();
        if work.buckets > 0 {
            let buckets = self.residue_bytes * u64::from(work.buckets);
            let choice = costs.scan(2 * entry, 2 * entry);
            let bucket = costs.scan(buckets, buckets) + costs.update(buckets);
            memory += work.choices * choice + work.bucket_products * bucket;
        }
        memory
    }

    fn recoding(&self, work: &Work) -> f64 {
        let mut time = DIGIT * f64::from(work.read_digits);
        if work.divided_digits > 0 {
            // Each division removes a group of digits, below 2^32, and shortens the exponent by a
            // quarter of a word.
            let words = f64::from(self.bits.div_ceil(64));
            let groups = f64::from(self.bits.div_ceil(28).min(work.divided_digits));
            let left = (words - groups / 4.0).max(1.0);
            time += groups * (words + left) * DIVISION + DIGIT * f64::from(work.divided_digits);
        }
        time + f64::from(work.recoded_digits) * (RESIDUE_DIGIT + f64::from(work.buckets))
    }

    /// Nanoseconds to build the table: its generators one after another, its entries on all cores,
    /// and a power and an inversion for negative exponents.
    pub(super) fn build(&self, work: &Work, split: &Split) -> f64 {
        let threads = self.threads.min(work.entries.div_ceil(256)).max(1);
        let limbs = self.kernel.limbs as f64;
        let inversion = INVERSION[0] * limbs * limbs + INVERSION[1] * limbs;
        f64::from(work.inversions + 1) * inversion
            + work.generators * self.costs.product()
            + work.entries as f64 * (self.costs.product() + split.preparation) / threads as f64
            + self.arithmetic(work, split)
    }

    /// Nanoseconds of `Modulus::pow` or, for public exponents, `Modulus::pow_vartime`.
    pub(super) fn variable_base(&self) -> f64 {
        let bits = self.bits;
        let power = match self.secrecy {
            Secrecy::Secret => {
                let window = power::window_width(self.kernel.residue_words, bits);
                let method = PowerMethod::LeftToRight { window, split: 1 };
                let bytes = self.residue_bytes * ((1 << window) + 1);
                power::nanoseconds(self.costs, &self.kernel, method, bits, true, bytes)
            }
            Secrecy::Public => {
                let width = power::sliding_width(bits);
                let products = bits / (width + 1) + (1 << (width - 1));
                f64::from(bits) * self.costs.squaring() + f64::from(products) * self.costs.product()
            }
        };
        power + self.costs.to_montgomery() + self.fixed
    }
}
