//! Sessions on single residues.

use super::super::{
    contract::Kernel,
    dimensions::Dimensions,
    observer::{Observer, Operation, observed},
    words::Words,
};

/// A kernel with the scratch space of its methods and an observer, for one computation. Wiped on drop.
///
/// The methods are those of a kernel, and constant-time. Operands and results have the kernel's sizes: see
/// [`Dimensions`](crate::Dimensions).
pub struct Session<'a> {
    pub(super) kernel: &'a dyn Kernel,
    dimensions: &'a Dimensions,
    scratch: Words,
    pub(super) observer: Option<&'a dyn Observer>,
}

impl<'a> Session<'a> {
    #[inline(always)]
    pub(crate) fn new(
        kernel: &'a dyn Kernel,
        dimensions: &'a Dimensions,
        observer: Option<&'a dyn Observer>,
    ) -> Self {
        Self { kernel, dimensions, scratch: Words::zero(dimensions.scratch_words), observer }
    }

    /// The same session, with the given observer, if there is one.
    #[must_use]
    pub fn observed(self, observer: Option<&'a dyn Observer>) -> Self {
        Self { observer: observer.or(self.observer), ..self }
    }

    /// The sizes of residues and prepared operands.
    #[inline(always)]
    pub fn dimensions(&self) -> &'a Dimensions {
        self.dimensions
    }

    /// Words of a prepared operand.
    #[inline(always)]
    pub fn prepared_words(&self, split: usize) -> usize {
        self.dimensions.prepared_words(split)
    }

    /// Limbs of the modulus.
    #[inline(always)]
    pub fn limbs(&self) -> usize {
        self.dimensions.limbs
    }

    /// Words of a Montgomery residue.
    #[inline(always)]
    pub fn residue_words(&self) -> usize {
        self.dimensions.residue_words
    }

    /// Space for a Montgomery residue, all zero.
    #[inline(always)]
    pub fn residue(&self) -> Words {
        Words::zero(self.dimensions.residue_words)
    }

    /// Space for a value below the modulus, all zero.
    #[inline(always)]
    pub fn value(&self) -> Words {
        Words::zero(self.dimensions.limbs)
    }

    /// The Montgomery residue 1.
    #[inline(always)]
    pub fn one(&self) -> &'a [u64] {
        self.kernel.one()
    }

    /// To Montgomery form: `out` ← the residue of `value`, little-endian limbs, below the modulus.
    #[inline(always)]
    pub fn to_montgomery(&mut self, out: &mut [u64], value: &[u64]) {
        observed!(
            self,
            Operation::ToMontgomery,
            [out, value, &self.scratch],
            self.kernel.to_montgomery(out, value, &mut self.scratch),
            out
        );
    }

    /// From Montgomery form: `out` ← the value of the residue `a`, below the modulus, little-endian limbs.
    #[inline(always)]
    pub fn from_montgomery(&mut self, out: &mut [u64], a: &[u64]) {
        observed!(
            self,
            Operation::FromMontgomery,
            [out, a, &self.scratch],
            self.kernel.from_montgomery(out, a, &mut self.scratch),
            out
        );
    }

    /// `out` ← the residue of c·`value` for some invertible c that only the kernel knows: the cheapest
    /// residue that distinguishes the values below the modulus. Any value of as many bits as the modulus may
    /// be the `x` of a product by a residue in Montgomery form.
    #[inline(always)]
    pub fn load(&mut self, out: &mut [u64], value: &[u64]) {
        observed!(
            self,
            Operation::Load,
            [out, value, &self.scratch],
            self.kernel.load(out, value, &mut self.scratch),
            out
        );
    }

    /// `out` ← the value below the modulus of which [`load`](Self::load) makes this residue.
    #[inline(always)]
    pub fn store(&mut self, out: &mut [u64], a: &[u64]) {
        observed!(
            self,
            Operation::Store,
            [out, a, &self.scratch],
            self.kernel.store(out, a, &mut self.scratch),
            out
        );
    }

    /// `x` ← `x + b`.
    #[inline(always)]
    pub fn add(&mut self, x: &mut [u64], b: &[u64]) {
        observed!(self, Operation::Add, [x, b, &self.scratch], self.kernel.add(x, b, &mut self.scratch), x);
    }

    /// `x` ← `x − b`.
    #[inline(always)]
    pub fn sub(&mut self, x: &mut [u64], b: &[u64]) {
        observed!(self, Operation::Sub, [x, b, &self.scratch], self.kernel.sub(x, b, &mut self.scratch), x);
    }

    /// `x` ← `x·b`.
    #[inline(always)]
    pub fn mul(&mut self, x: &mut [u64], b: &[u64]) {
        observed!(self, Operation::Mul, [x, b, &self.scratch], self.kernel.mul(x, b, &mut self.scratch), x);
    }

    /// `x` ← `x²`.
    #[inline(always)]
    pub fn square(&mut self, x: &mut [u64]) {
        observed!(
            self,
            Operation::Square,
            [x, &self.scratch, &[]],
            self.kernel.square(x, &mut self.scratch),
            x
        );
    }

    /// `out` ← `a`, prepared in `split` pieces; bit for bit the same for equal values.
    #[inline(always)]
    pub fn prepare(&mut self, out: &mut [u64], a: &[u64], split: usize) {
        observed!(
            self,
            Operation::Prepare { split },
            [out, a, &self.scratch],
            self.kernel.prepare(out, a, split, &mut self.scratch),
            out
        );
    }

    /// `x` ← `x·b` for a prepared `b`.
    #[inline(always)]
    pub fn mul_prepared(&mut self, x: &mut [u64], b: &[u64], split: usize) {
        observed!(
            self,
            Operation::MulPrepared { split },
            [x, b, &self.scratch],
            self.kernel.mul_prepared(x, b, split, &mut self.scratch),
            x
        );
    }

    /// `x` ← `x·a` and `y` ← `y·a`: the combined pair.
    #[inline(always)]
    pub fn mul_pair(&mut self, x: &mut [u64], y: &mut [u64], a: &[u64]) {
        observed!(
            self,
            Operation::MulPair,
            [x, y, a],
            self.kernel.mul_pair(x, y, a, &mut self.scratch),
            x,
            y
        );
    }

    /// `out` ← entry `index` of a row: entry 0 is `first`, entry `i` is the i-th chunk of `row`. All entries
    /// are read. An index past the row gives zero words, which are not a residue.
    #[inline(always)]
    pub fn select(&self, out: &mut [u64], first: &[u64], row: &[u64], index: u64) {
        observed!(
            self,
            Operation::Select,
            [out, first, row],
            self.kernel.select(out, first, row, index),
            out
        );
    }

    /// Entry `index` (from 0) of `row` ← `entry`. All entries are read and written.
    #[inline(always)]
    pub fn replace(&self, row: &mut [u64], entry: &[u64], index: u64) {
        observed!(self, Operation::Replace, [row, entry, &[]], self.kernel.replace(row, entry, index));
    }

    /// Swaps `a` and `b` if the mask is all ones; leaves them if it is zero. Reads and writes all of both.
    #[inline(always)]
    pub fn swap(&self, a: &mut [u64], b: &mut [u64], mask: u64) {
        observed!(self, Operation::Swap, [a, b, &[]], self.kernel.swap(a, b, mask), a, b);
    }
}
