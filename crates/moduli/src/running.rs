//! Running products, and the one walk from the highest bit position to the lowest that combs and windows share.

use core::ops::DerefMut;

use moduli_kernel::{Session, Words};

/// A running product that knows whether it is still 1: the first factor is copied, not multiplied. Whether anything was multiplied
/// in is public: it depends on the sequence alone.
pub(crate) struct Running<V = Words> {
    value: V,
    started: bool,
}

impl Running {
    /// The product of nothing.
    pub(crate) fn new(session: &Session<'_>) -> Self {
        Self::within(session.residue())
    }
}

impl<V: DerefMut<Target = [u64]>> Running<V> {
    /// The product of nothing, in this place.
    pub(crate) fn within(value: V) -> Self {
        Self { value, started: false }
    }

    /// A product that stands in this place if it has started.
    pub(crate) fn resumed(value: V, started: bool) -> Self {
        Self { value, started }
    }

    /// The same place, for another product.
    pub(crate) fn restart(&mut self) {
        self.started = false;
    }

    pub(crate) fn square(&mut self, session: &mut Session<'_>) {
        if self.started {
            session.square(&mut self.value);
        }
    }

    /// Times a plain residue.
    pub(crate) fn multiply(&mut self, session: &mut Session<'_>, b: &[u64]) {
        if self.started {
            session.mul(&mut self.value, b);
        } else {
            self.value.copy_from_slice(b);
            self.started = true;
        }
    }

    /// Times an operand prepared in `split` pieces.
    #[inline]
    pub(crate) fn multiply_prepared(&mut self, session: &mut Session<'_>, b: &[u64], split: usize) {
        if split == 1 {
            return self.multiply(session, b);
        }
        self.start(session);
        session.mul_prepared(&mut self.value, b, split);
    }

    /// The product so far, unless it is 1 for lack of factors.
    pub(crate) fn get(&self) -> Option<&[u64]> {
        self.started.then_some(&*self.value)
    }

    fn start(&mut self, session: &Session<'_>) {
        if !self.started {
            self.value.copy_from_slice(session.one());
            self.started = true;
        }
    }

    /// The product, 1 if nothing was multiplied in.
    pub(crate) fn finish(mut self, session: &Session<'_>) -> V {
        self.start(session);
        self.value
    }
}

/// A session and the product that it works on.
pub(crate) struct Work<'a, 's, V = Words> {
    pub(crate) session: &'a mut Session<'s>,
    pub(crate) product: Running<V>,
}

impl<'a, 's> Work<'a, 's> {
    pub(crate) fn new(session: &'a mut Session<'s>) -> Self {
        let product = Running::new(session);
        Self { session, product }
    }

    /// The product.
    pub(crate) fn finish(self) -> Words {
        self.product.finish(self.session)
    }
}

impl<V: DerefMut<Target = [u64]>> Work<'_, '_, V> {
    /// Times a plain residue.
    pub(crate) fn multiply(&mut self, b: &[u64]) {
        self.product.multiply(self.session, b);
    }
}

/// What is squared from position to position.
pub(crate) trait Square {
    fn square(&mut self);
}

impl<V: DerefMut<Target = [u64]>> Square for Work<'_, '_, V> {
    fn square(&mut self) {
        self.product.square(self.session);
    }
}

/// What has factors for some bit positions of an exponent: a comb, or windows.
pub(crate) trait Columns<W> {
    /// Positions run below this.
    fn columns(&self) -> u32;

    /// Multiplies in what there is at position `k`. Called once for each position, from the highest down.
    fn multiply_column(&mut self, work: &mut W, k: u32);
}

/// Several beside each other share the squarings (Straus 1964).
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

/// Squares from position to position and multiplies in what there is at each.
pub(crate) fn walk<W: Square>(work: &mut W, columns: &mut (impl Columns<W> + ?Sized)) {
    for k in (0..columns.columns()).rev() {
        work.square();
        columns.multiply_column(work, k);
    }
}
