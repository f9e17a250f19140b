//! Residues at work.

use super::super::{
    contract::Kernel,
    observer::{Observer, Operation},
    words::Words,
};

/// A kernel, the scratch space that its methods want, and who observes them, for as long as one computation lasts. Wiped on
/// drop.
///
/// The methods are those of [`Kernel`], and as constant-time.
pub struct Session<'a> {
    pub(super) kernel: &'a dyn Kernel,
    scratch: Words,
    pub(super) observer: Option<&'a dyn Observer>,
}

impl<'a> Session<'a> {
    /// Cost: an allocation.
    pub fn new(kernel: &'a dyn Kernel) -> Self {
        Self { kernel, scratch: Words::zero(kernel.scratch_words()), observer: None }
    }

    /// The same, observed.
    pub(crate) fn observed(self, observer: Option<&'a dyn Observer>) -> Self {
        Self { observer, ..self }
    }

    #[inline]
    fn before(&self, operation: Operation, operands: [&[u64]; 3]) {
        if let Some(observer) = self.observer {
            observer.before(operation, operands);
        }
    }

    #[inline]
    fn after(&self, operation: Operation, result: &mut [u64]) {
        if let Some(observer) = self.observer {
            observer.after(operation, result);
        }
    }

    /// Words of a prepared operand.
    pub fn prepared_words(&self, split: usize) -> usize {
        self.kernel.prepared_words(split)
    }

    /// The largest split that makes sense at this size.
    pub fn max_split(&self) -> usize {
        self.kernel.max_split()
    }

    /// Limbs of the modulus.
    pub fn limbs(&self) -> usize {
        self.kernel.limbs()
    }

    /// Words of a Montgomery residue.
    pub fn residue_words(&self) -> usize {
        self.kernel.residue_words()
    }

    /// Room for a Montgomery residue, all zero.
    pub fn residue(&self) -> Words {
        Words::zero(self.kernel.residue_words())
    }

    /// Room for a value below the modulus, all zero.
    pub fn value(&self) -> Words {
        Words::zero(self.kernel.limbs())
    }

    /// The Montgomery residue 1.
    pub fn one(&self) -> &'a [u64] {
        self.kernel.one()
    }

    /// [`Kernel::enter`].
    pub fn enter(&mut self, out: &mut [u64], value: &[u64]) {
        self.before(Operation::Enter, [out, value, &self.scratch]);
        self.kernel.enter(out, value, &mut self.scratch);
        self.after(Operation::Enter, out);
    }

    /// [`Kernel::leave`].
    pub fn leave(&mut self, out: &mut [u64], a: &[u64]) {
        self.before(Operation::Leave, [out, a, &self.scratch]);
        self.kernel.leave(out, a, &mut self.scratch);
        self.after(Operation::Leave, out);
    }

    /// [`Kernel::load`].
    pub fn load(&mut self, out: &mut [u64], value: &[u64]) {
        self.before(Operation::Load, [out, value, &self.scratch]);
        self.kernel.load(out, value, &mut self.scratch);
        self.after(Operation::Load, out);
    }

    /// [`Kernel::store`].
    pub fn store(&mut self, out: &mut [u64], a: &[u64]) {
        self.before(Operation::Store, [out, a, &self.scratch]);
        self.kernel.store(out, a, &mut self.scratch);
        self.after(Operation::Store, out);
    }

    /// [`Kernel::add`].
    pub fn add(&mut self, x: &mut [u64], b: &[u64]) {
        self.before(Operation::Add, [x, b, &self.scratch]);
        self.kernel.add(x, b, &mut self.scratch);
        self.after(Operation::Add, x);
    }

    /// [`Kernel::sub`].
    pub fn sub(&mut self, x: &mut [u64], b: &[u64]) {
        self.before(Operation::Sub, [x, b, &self.scratch]);
        self.kernel.sub(x, b, &mut self.scratch);
        self.after(Operation::Sub, x);
    }

    /// [`Kernel::mul`].
    #[inline]
    pub fn mul(&mut self, x: &mut [u64], b: &[u64]) {
        self.before(Operation::Mul, [x, b, &self.scratch]);
        self.kernel.mul(x, b, &mut self.scratch);
        self.after(Operation::Mul, x);
    }

    /// [`Kernel::square`].
    #[inline]
    pub fn square(&mut self, x: &mut [u64]) {
        self.before(Operation::Square, [x, &self.scratch, &[]]);
        self.kernel.square(x, &mut self.scratch);
        self.after(Operation::Square, x);
    }

    /// [`Kernel::prepare`].
    pub fn prepare(&mut self, out: &mut [u64], a: &[u64], split: usize) {
        self.before(Operation::Prepare, [out, a, &self.scratch]);
        self.kernel.prepare(out, a, split, &mut self.scratch);
        self.after(Operation::Prepare, out);
    }

    /// [`Kernel::mul_prepared`].
    #[inline]
    pub fn mul_prepared(&mut self, x: &mut [u64], b: &[u64], split: usize) {
        let operation = Operation::MulPrepared { split };
        self.before(operation, [x, b, &self.scratch]);
        self.kernel.mul_prepared(x, b, split, &mut self.scratch);
        self.after(operation, x);
    }

    /// [`Kernel::mul_pair`].
    pub fn mul_pair(&mut self, x: &mut [u64], y: &mut [u64], a: &[u64]) {
        self.before(Operation::MulPair, [x, y, a]);
        self.kernel.mul_pair(x, y, a, &mut self.scratch);
        self.after(Operation::MulPair, x);
        self.after(Operation::MulPair, y);
    }

    /// [`Kernel::select`].
    #[inline]
    pub fn select(&self, out: &mut [u64], first: &[u64], row: &[u64], index: u64) {
        self.before(Operation::Select, [out, first, row]);
        self.kernel.select(out, first, row, index);
        self.after(Operation::Select, out);
    }

    /// [`Kernel::replace`].
    pub fn replace(&self, row: &mut [u64], entry: &[u64], index: u64) {
        self.before(Operation::Replace, [row, entry, &[]]);
        self.kernel.replace(row, entry, index);
    }

    /// [`Kernel::swap`].
    pub fn swap(&self, a: &mut [u64], b: &mut [u64], mask: u64) {
        self.before(Operation::Swap, [a, b, &[]]);
        self.kernel.swap(a, b, mask);
        self.after(Operation::Swap, a);
        self.after(Operation::Swap, b);
    }
}
