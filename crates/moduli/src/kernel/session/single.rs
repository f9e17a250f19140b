//! Residues at work.

use super::super::{
    contract::Kernel,
    observer::{Observer, Operation, observed},
    words::Words,
};

/// A kernel, the scratch space that its methods want, and who observes them, for as long as one computation lasts. Wiped on
/// drop.
///
/// The methods are those of [`Kernel`], and as constant-time.
pub(crate) struct Session<'a> {
    pub(super) kernel: &'a dyn Kernel,
    scratch: Words,
    pub(super) observer: Option<&'a dyn Observer>,
}

impl<'a> Session<'a> {
    /// Cost: an allocation.
    #[inline]
    pub(crate) fn new(kernel: &'a dyn Kernel) -> Self {
        Self { kernel, scratch: Words::zero(kernel.scratch_words()), observer: None }
    }

    /// The same, observed by this one if there is one.
    pub(crate) fn observed(self, observer: Option<&'a dyn Observer>) -> Self {
        Self { observer: observer.or(self.observer), ..self }
    }

    /// Words of a prepared operand.
    #[inline]
    pub(crate) fn prepared_words(&self, split: usize) -> usize {
        self.kernel.prepared_words(split)
    }

    /// Limbs of the modulus.
    #[cfg(feature = "rsa")]
    #[inline]
    pub(crate) fn limbs(&self) -> usize {
        self.kernel.limbs()
    }

    /// Words of a Montgomery residue.
    #[inline]
    pub(crate) fn residue_words(&self) -> usize {
        self.kernel.residue_words()
    }

    /// Room for a Montgomery residue, all zero.
    #[inline]
    pub(crate) fn residue(&self) -> Words {
        Words::zero(self.kernel.residue_words())
    }

    /// Room for a value below the modulus, all zero.
    #[inline]
    pub(crate) fn value(&self) -> Words {
        Words::zero(self.kernel.limbs())
    }

    /// The Montgomery residue 1.
    #[inline]
    pub(crate) fn one(&self) -> &'a [u64] {
        self.kernel.one()
    }

    /// [`Kernel::enter`].
    #[inline]
    pub(crate) fn enter(&mut self, out: &mut [u64], value: &[u64]) {
        observed!(
            self,
            Operation::Enter,
            [out, value, &self.scratch],
            self.kernel.enter(out, value, &mut self.scratch),
            out
        );
    }

    /// [`Kernel::leave`].
    #[inline]
    pub(crate) fn leave(&mut self, out: &mut [u64], a: &[u64]) {
        observed!(
            self,
            Operation::Leave,
            [out, a, &self.scratch],
            self.kernel.leave(out, a, &mut self.scratch),
            out
        );
    }

    /// [`Kernel::load`].
    #[inline]
    pub(crate) fn load(&mut self, out: &mut [u64], value: &[u64]) {
        observed!(
            self,
            Operation::Load,
            [out, value, &self.scratch],
            self.kernel.load(out, value, &mut self.scratch),
            out
        );
    }

    /// [`Kernel::store`].
    #[inline]
    pub(crate) fn store(&mut self, out: &mut [u64], a: &[u64]) {
        observed!(
            self,
            Operation::Store,
            [out, a, &self.scratch],
            self.kernel.store(out, a, &mut self.scratch),
            out
        );
    }

    /// [`Kernel::add`].
    #[inline]
    pub(crate) fn add(&mut self, x: &mut [u64], b: &[u64]) {
        observed!(self, Operation::Add, [x, b, &self.scratch], self.kernel.add(x, b, &mut self.scratch), x);
    }

    /// [`Kernel::sub`].
    #[inline]
    pub(crate) fn sub(&mut self, x: &mut [u64], b: &[u64]) {
        observed!(self, Operation::Sub, [x, b, &self.scratch], self.kernel.sub(x, b, &mut self.scratch), x);
    }

    /// [`Kernel::mul`].
    #[inline]
    pub(crate) fn mul(&mut self, x: &mut [u64], b: &[u64]) {
        observed!(self, Operation::Mul, [x, b, &self.scratch], self.kernel.mul(x, b, &mut self.scratch), x);
    }

    /// [`Kernel::square`].
    #[inline]
    pub(crate) fn square(&mut self, x: &mut [u64]) {
        observed!(
            self,
            Operation::Square,
            [x, &self.scratch, &[]],
            self.kernel.square(x, &mut self.scratch),
            x
        );
    }

    /// [`Kernel::prepare`].
    #[inline]
    pub(crate) fn prepare(&mut self, out: &mut [u64], a: &[u64], split: usize) {
        observed!(
            self,
            Operation::Prepare,
            [out, a, &self.scratch],
            self.kernel.prepare(out, a, split, &mut self.scratch),
            out
        );
    }

    /// [`Kernel::mul_prepared`].
    #[inline]
    pub(crate) fn mul_prepared(&mut self, x: &mut [u64], b: &[u64], split: usize) {
        observed!(
            self,
            Operation::MulPrepared { split },
            [x, b, &self.scratch],
            self.kernel.mul_prepared(x, b, split, &mut self.scratch),
            x
        );
    }

    /// [`Kernel::mul_pair`].
    #[inline]
    pub(crate) fn mul_pair(&mut self, x: &mut [u64], y: &mut [u64], a: &[u64]) {
        observed!(
            self,
            Operation::MulPair,
            [x, y, a],
            self.kernel.mul_pair(x, y, a, &mut self.scratch),
            x,
            y
        );
    }

    /// [`Kernel::select`].
    #[inline]
    pub(crate) fn select(&self, out: &mut [u64], first: &[u64], row: &[u64], index: u64) {
        observed!(
            self,
            Operation::Select,
            [out, first, row],
            self.kernel.select(out, first, row, index),
            out
        );
    }

    /// [`Kernel::replace`].
    #[inline]
    pub(crate) fn replace(&self, row: &mut [u64], entry: &[u64], index: u64) {
        observed!(self, Operation::Replace, [row, entry, &[]], self.kernel.replace(row, entry, index));
    }

    /// [`Kernel::swap`].
    #[inline]
    pub(crate) fn swap(&self, a: &mut [u64], b: &mut [u64], mask: u64) {
        observed!(self, Operation::Swap, [a, b, &[]], self.kernel.swap(a, b, mask), a, b);
    }
}
