//! Running products.

use super::workspace::Workspace;
use crate::{fixed::secrecy::Secrecy, kernel::Kernel};

/// A running product that knows whether it is still 1: the first factor is copied, not multiplied.
///
/// `started` is public in the constant-time forms, where it depends on the sequence alone.
pub(crate) struct Accumulator<'a> {
    pub(crate) value: &'a mut [u64],
    pub(crate) started: bool,
}

impl Accumulator<'_> {
    pub(crate) fn square(&mut self, kernel: &dyn Kernel, scratch: &mut [u64]) {
        if self.started {
            kernel.square(self.value, scratch);
        }
    }

    /// Times a plain residue.
    pub(crate) fn multiply(&mut self, kernel: &dyn Kernel, b: &[u64], scratch: &mut [u64]) {
        if self.started {
            kernel.mul(self.value, b, scratch);
        } else {
            self.value.copy_from_slice(b);
            self.started = true;
        }
    }

    /// Times a table entry, prepared in `split` pieces.
    pub(super) fn multiply_prepared(
        &mut self,
        kernel: &dyn Kernel,
        b: &[u64],
        split: usize,
        scratch: &mut [u64],
    ) {
        if !self.started && split == 1 {
            self.value.copy_from_slice(b);
        } else {
            self.start(kernel);
            kernel.mul_prepared(self.value, b, split, scratch);
        }
        self.started = true;
    }

    /// Times `b` where the mask is all ones; in constant-time mode times 1 where it is zero.
    pub(crate) fn multiply_if(
        &mut self,
        kernel: &dyn Kernel,
        secrecy: Secrecy,
        mask: u64,
        b: &[u64],
        workspace: &mut Workspace,
    ) {
        let Workspace { residue, scratch, .. } = workspace;
        match secrecy {
            Secrecy::Secret => {
                kernel.select(residue, kernel.one(), b, mask & 1);
                self.multiply(kernel, residue, scratch);
            }
            Secrecy::Public if mask != 0 => self.multiply(kernel, b, scratch),
            Secrecy::Public => {}
        }
    }

    fn start(&mut self, kernel: &dyn Kernel) {
        if !self.started {
            self.value.copy_from_slice(kernel.one());
            self.started = true;
        }
    }

    /// The value, 1 if nothing was multiplied in.
    pub(crate) fn finish(mut self, kernel: &dyn Kernel) {
        self.start(kernel);
    }
}
