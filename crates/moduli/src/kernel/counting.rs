//! A kernel that counts what it is asked to do: the counters stand inside the arithmetic, on request only.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::contract::Kernel;

/// Operations performed on residues.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Products of two residues.
    pub products: u64,
    /// Squarings.
    pub squarings: u64,
    /// Products by a prepared operand in two or more pieces.
    pub prepared_products: u64,
    /// Words read by masked look-ups and words written by masked updates.
    pub masked_words: u64,
}

/// Wraps a kernel for the time of one computation.
pub(crate) struct Counting<'a> {
    inner: &'a dyn Kernel,
    products: AtomicU64,
    squarings: AtomicU64,
    prepared_products: AtomicU64,
    masked_words: AtomicU64,
}

impl<'a> Counting<'a> {
    pub(crate) fn new(inner: &'a dyn Kernel) -> Self {
        let zero = || AtomicU64::new(0);
        Self { inner, products: zero(), squarings: zero(), prepared_products: zero(), masked_words: zero() }
    }

    pub(crate) fn counts(&self) -> Counts {
        Counts {
            products: self.products.load(Relaxed),
            squarings: self.squarings.load(Relaxed),
            prepared_products: self.prepared_products.load(Relaxed),
            masked_words: self.masked_words.load(Relaxed),
        }
    }
}

impl Kernel for Counting<'_> {
    fn name(&self) -> &'static str {
        self.inner.name()
    }
    fn layout(&self) -> [u8; 8] {
        self.inner.layout()
    }
    fn residue_words(&self) -> usize {
        self.inner.residue_words()
    }
    fn prepared_words(&self, split: usize) -> usize {
        self.inner.prepared_words(split)
    }
    fn max_split(&self) -> usize {
        self.inner.max_split()
    }
    fn scratch_words(&self) -> usize {
        self.inner.scratch_words()
    }
    fn limbs(&self) -> usize {
        self.inner.limbs()
    }
    fn one(&self) -> &[u64] {
        self.inner.one()
    }
    fn enter(&self, out: &mut [u64], value: &[u64], scratch: &mut [u64]) {
        self.inner.enter(out, value, scratch);
    }
    fn leave(&self, out: &mut [u64], a: &[u64], scratch: &mut [u64]) {
        self.inner.leave(out, a, scratch);
    }
    fn load(&self, out: &mut [u64], value: &[u64], scratch: &mut [u64]) {
        self.inner.load(out, value, scratch);
    }
    fn store(&self, out: &mut [u64], a: &[u64], scratch: &mut [u64]) {
        self.inner.store(out, a, scratch);
    }
    fn add(&self, x: &mut [u64], b: &[u64], scratch: &mut [u64]) {
        self.inner.add(x, b, scratch);
    }
    fn sub(&self, x: &mut [u64], b: &[u64], scratch: &mut [u64]) {
        self.inner.sub(x, b, scratch);
    }
    fn mul(&self, x: &mut [u64], b: &[u64], scratch: &mut [u64]) {
        self.products.fetch_add(1, Relaxed);
        self.inner.mul(x, b, scratch);
    }
    fn square(&self, x: &mut [u64], scratch: &mut [u64]) {
        self.squarings.fetch_add(1, Relaxed);
        self.inner.square(x, scratch);
    }
    fn prepare(&self, out: &mut [u64], a: &[u64], split: usize, scratch: &mut [u64]) {
        self.inner.prepare(out, a, split, scratch);
    }
    fn are_residues_vartime(&self, words: &[u64]) -> bool {
        self.inner.are_residues_vartime(words)
    }
    fn mul_prepared(&self, x: &mut [u64], b: &[u64], split: usize, scratch: &mut [u64]) {
        let counter = if split == 1 { &self.products } else { &self.prepared_products };
        counter.fetch_add(1, Relaxed);
        self.inner.mul_prepared(x, b, split, scratch);
    }
    fn mul_pair(&self, x: &mut [u64], y: &mut [u64], a: &[u64], scratch: &mut [u64]) {
        self.products.fetch_add(2, Relaxed);
        self.inner.mul_pair(x, y, a, scratch);
    }
    fn select(&self, out: &mut [u64], first: &[u64], row: &[u64], index: u64) {
        self.masked_words.fetch_add((first.len() + row.len()) as u64, Relaxed);
        self.inner.select(out, first, row, index);
    }
    fn replace(&self, row: &mut [u64], entry: &[u64], index: u64) {
        self.masked_words.fetch_add(row.len() as u64, Relaxed);
        self.inner.replace(row, entry, index);
    }
}
