//! Running products.

use super::workspace::Workspace;
use crate::fixed::secrecy::Secrecy;
use moduli_kernel::Session;

/// A running product that knows whether it is still 1: the first factor is copied, not multiplied.
///
/// `started` is public in the constant-time forms, where it depends on the sequence alone.
pub(crate) struct Accumulator<'a> {
    pub(crate) value: &'a mut [u64],
    pub(crate) started: bool,
}

impl Accumulator<'_> {
    pub(crate) fn square(&mut self, session: &mut Session<'_>) {
        if self.started {
            session.square(self.value);
        }
    }

    /// Times a plain residue.
    pub(crate) fn multiply(&mut self, session: &mut Session<'_>, b: &[u64]) {
        if self.started {
            session.mul(self.value, b);
        } else {
            self.value.copy_from_slice(b);
            self.started = true;
        }
    }

    /// Times a table entry, prepared in `split` pieces.
    pub(super) fn multiply_prepared(&mut self, session: &mut Session<'_>, b: &[u64], split: usize) {
        if !self.started && split == 1 {
            self.value.copy_from_slice(b);
        } else {
            self.start(session);
            session.mul_prepared(self.value, b, split);
        }
        self.started = true;
    }

    /// Times `b` where the mask is all ones; in constant-time mode times 1 where it is zero.
    pub(crate) fn multiply_if(
        &mut self,
        secrecy: Secrecy,
        mask: u64,
        b: &[u64],
        workspace: &mut Workspace<'_>,
    ) {
        let Workspace { session, residue, .. } = workspace;
        match secrecy {
            Secrecy::Secret => {
                session.select(residue, session.one(), b, mask & 1);
                self.multiply(session, residue);
            }
            Secrecy::Public if mask != 0 => self.multiply(session, b),
            Secrecy::Public => {}
        }
    }

    fn start(&mut self, session: &Session<'_>) {
        if !self.started {
            self.value.copy_from_slice(session.one());
            self.started = true;
        }
    }

    /// The value, 1 if nothing was multiplied in.
    pub(crate) fn finish(mut self, session: &Session<'_>) {
        self.start(session);
    }
}
