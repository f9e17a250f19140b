//! Running products, and the loop from the highest bit position to the lowest that combs and
//! windows share.

use core::ops::DerefMut;

use moduli_kernel::{Session, Words};

/// A running product that records whether it is still 1, because the first factor is copied instead
/// of multiplied. This record is public: it depends on the sequence of operations only.
pub(crate) struct Running<V = Words> {
    value: V,
    started: bool,
}

impl Running {
    /// The empty product.
    pub(crate) fn new(session: &Session<'_>) -> Self {
        Self::within(session.residue())
    }
}

impl<V: DerefMut<Target = [u64]>> Running<V> {
    /// The empty product, stored in `value`.
    pub(crate) fn within(value: V) -> Self {
        Self { value, started: false }
    }

    /// The product stored in `value`, if `started`; otherwise the empty product.
    pub(crate) fn resumed(value: V, started: bool) -> Self {
        Self { value, started }
    }

    /// Resets to the empty product and keeps the storage.
    pub(crate) fn restart(&mut self) {
        self.started = false;
    }

    pub(crate) fn square(&mut self, session: &mut Session<'_>) {
        if self.started {
            session.square(&mut self.value);
        }
    }

    /// Multiplies by a plain residue.
    pub(crate) fn multiply(&mut self, session: &mut Session<'_>, b: &[u64]) {
        if self.started {
            session.mul(&mut self.value, b);
        } else {
            self.value.copy_from_slice(b);
            self.started = true;
        }
    }

    /// Multiplies by an operand prepared in `split` pieces.
    #[inline]
    pub(crate) fn multiply_prepared(&mut self, session: &mut Session<'_>, b: &[u64], split: usize) {
        if split == 1 {
            return self.multiply(session, b);
        }
        self.start(session);
        session.mul_prepared(&mut self.value, b, split);
    }

    /// The product so far, or `None` if it has no factors.
    pub(crate) fn get(&self) -> Option<&[u64]> {
        self.started.then_some(&*self.value)
    }

    fn start(&mut self, session: &Session<'_>) {
        if !self.started {
            self.value.copy_from_slice(session.one());
            self.started = true;
        }
    }

    /// The product, or 1 if it has no factors.
    pub(crate) fn finish(mut self, session: &Session<'_>) -> V {
        self.start(session);
        self.value
    }
}

/// A session and its running product.
pub(crate) struct Work<'a, 's, V = Words> {
    pub(crate) session: &'a mut Session<'s>,
    pub(crate) product: Running<V>,
}

impl<'a, 's> Work<'a, 's> {
    pub(crate) fn new(session: &'a mut Session<'s>) -> Self {
        let product = Running::new(session);
        Self { session, product }
    }

    /// Returns the product.
    pub(crate) fn finish(self) -> Words {
        self.product.finish(self.session)
    }
}

impl<V: DerefMut<Target = [u64]>> Work<'_, '_, V> {
    /// Multiplies by a plain residue.
    pub(crate) fn multiply(&mut self, b: &[u64]) {
        self.product.multiply(self.session, b);
    }
}

/// A product that can be squared between positions.
pub(crate) trait Square {
    fn square(&mut self);
}

impl<V: DerefMut<Target = [u64]>> Square for Work<'_, '_, V> {
    fn square(&mut self) {
        self.product.square(self.session);
    }
}

/// A comb or windows: gives factors for some bit positions of an exponent.
pub(crate) trait Columns<W> {
    /// Positions are below this number.
    fn columns(&self) -> u32;

    /// Multiplies by the factors for position `k`. The caller calls it once per position, from the
    /// highest down.
    fn multiply_column(&mut self, work: &mut W, k: u32);
}

/// Several exponentiations share the squarings (Straus 1964).
impl<W, C: Columns<W>> Columns<W> for [C] {
    fn columns(&self) -> u32 {
        self.iter().map(C::columns).max().unwrap_or(0)
    }

    fn multiply_column(&mut self, work: &mut W, k: u32) {
        for columns in self.iter_mut().filter(|columns| k < columns.columns()) {
            columns.multiply_column(work, k);
        }
    }
}

impl<W, A: Columns<W>, B: Columns<W>> Columns<W> for (A, B) {
    fn columns(&self) -> u32 {
        self.0.columns().max(self.1.columns())
    }

    fn multiply_column(&mut self, work: &mut W, k: u32) {
        if k < self.0.columns() {
            self.0.multiply_column(work, k);
        }
        if k < self.1.columns() {
            self.1.multiply_column(work, k);
        }
    }
}

/// Squares once per position and multiplies by the factors there.
pub(crate) fn walk<W: Square>(work: &mut W, columns: &mut (impl Columns<W> + ?Sized)) {
    for k in (0..columns.columns()).rev() {
        work.square();
        columns.multiply_column(work, k);
    }
}
