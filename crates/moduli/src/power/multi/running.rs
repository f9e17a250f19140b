//! A product that grows.

use moduli_kernel::{Session, Words};

/// A running product that knows whether it is still 1: the first factor is copied, not multiplied. Whether anything was
/// multiplied in is public.
pub(super) struct Running {
    value: Words,
    started: bool,
}

impl Running {
    /// The product of nothing.
    pub(super) fn new(session: &Session<'_>) -> Self {
        Self { value: session.residue(), started: false }
    }

    /// The same place, for another product.
    pub(super) fn restart(&mut self) {
        self.started = false;
    }

    pub(super) fn square(&mut self, session: &mut Session<'_>) {
        if self.started {
            session.square(&mut self.value);
        }
    }

    pub(super) fn multiply(&mut self, session: &mut Session<'_>, factor: &[u64]) {
        if self.started {
            session.mul(&mut self.value, factor);
        } else {
            self.value.copy_from_slice(factor);
            self.started = true;
        }
    }

    /// The product so far, unless it is 1 for lack of factors.
    pub(super) fn get(&self) -> Option<&[u64]> {
        self.started.then_some(&*self.value)
    }

    /// The product.
    pub(super) fn finish(mut self, session: &Session<'_>) -> Words {
        if !self.started {
            self.value.copy_from_slice(session.one());
        }
        self.value
    }
}
