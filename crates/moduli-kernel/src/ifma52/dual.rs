//! Two moduli of one size at a time.

use alloc::boxed::Box;

use super::{
    constants::{Code, Ifma52},
    operations::Two,
    product::{Constants, Task},
};
use crate::{
    contract::Kernel,
    dual::Dual,
    places::{Constant, Places, bytes_of},
    words::Words,
};

/// Two kernels that share vectors, or that compute while the other waits for its carries.
struct Both<'a> {
    two: Two,
    constants: [Constants<'a>; 2],
    /// Words of a Montgomery residue.
    size: usize,
    scratch: Words,
}

impl Ifma52 {
    /// This kernel and another of the same size, if that is faster than one after the other.
    pub(super) fn with<'a>(&'a self, other: &'a dyn Kernel) -> Option<Box<dyn Dual + 'a>> {
        let other = other.as_any()?.downcast_ref::<Self>()?;
        match (&self.code, &other.code) {
            (&Code::Strips(operations), &Code::Strips(others)) if core::ptr::eq(operations, others) => {
                let two = operations.two?;
                let scratch = Words::zero(two.scratch.max(self.product_scratch()));
                let constants = [self.constants(), other.constants()];
                Some(Box::new(Both { two, constants, size: self.dimensions.residue_words, scratch }))
            }
            _ => None,
        }
    }
}

impl<'a> Both<'a> {
    /// The tasks `x ← x·b`, and the address of their scratch space.
    fn tasks(&mut self, [x, y]: [&mut [u64]; 2], [a, b]: [&[u64]; 2]) -> ([Task<'a>; 2], *mut u64) {
        assert!([x.len(), y.len()] == [self.size; 2]);
        let (scratch, [of_x, of_y]) = (self.scratch.as_mut_ptr(), self.constants);
        let task = |constants, x: &mut [u64], b: &[u64]| {
            let out = x.as_mut_ptr();
            Task { constants, out, a: out, b: b.as_ptr(), scratch }
        };
        ([task(of_x, x, a), task(of_y, y, b)], scratch)
    }
}

impl Dual for Both<'_> {
    fn begin(&mut self, x: [&mut [u64]; 2]) {
        let (tasks, scratch) = self.tasks(x, [&[], &[]]);
        // SAFETY: the constructor of a kernel detected the instructions; both kernels have the same size;
        // `tasks` checked the lengths of `x`, and the scratch space is as long as required.
        unsafe { (self.two.begin)(tasks, scratch) }
    }

    fn mul(&mut self, x: [&mut [u64]; 2], b: [&[u64]; 2]) {
        assert!(b.iter().all(|b| b.len() == self.size));
        let (tasks, scratch) = self.tasks(x, b);
        // SAFETY: as for `begin`; the lengths of `b` were checked.
        unsafe { (self.two.multiply)(tasks, scratch) }
    }

    fn square(&mut self, x: [&mut [u64]; 2], times: u32) {
        let (tasks, scratch) = self.tasks(x, [&[], &[]]);
        // SAFETY: as for `begin`.
        unsafe { (self.two.square)(tasks, times, scratch) }
    }

    fn end(&mut self, x: [&mut [u64]; 2]) {
        let (tasks, scratch) = self.tasks(x, [&[], &[]]);
        // SAFETY: as for `begin`.
        unsafe { (self.two.end)(tasks, scratch) }
    }

    fn places(&self) -> Places {
        Places {
            constants: alloc::vec![Constant::of("scratch", &self.scratch)],
            public: alloc::vec![bytes_of(self)],
        }
    }

    fn select(&mut self, _: usize, out: [&mut [u64]; 2], row: &[u64], indices: [u64; 2]) {
        crate::fault!(
            "a look-up without a mask for two moduli at a time",
            "kernel-checkmem operations_of_two_moduli",
            {
                for (out, index) in out.into_iter().zip(indices) {
                    crate::faults::look_up_openly(out, &row[..self.size], &row[self.size..], index);
                }
                return;
            }
        );
        assert!(out.iter().all(|out| out.len() == self.size) && row.len().is_multiple_of(self.size));
        // SAFETY: the constructor of a kernel saw the instructions; the lengths were checked.
        unsafe { (self.two.select)(out.map(<[u64]>::as_mut_ptr), row, indices) }
    }
}
