//! Two moduli at a time, for any two kernels.

use alloc::boxed::Box;

use super::{contract::Kernel, dual::Dual, words::Words};

/// Runs the two kernels side by side, or one after the other if that is not slower.
pub fn dual<'a>(first: &'a dyn Kernel, second: &'a dyn Kernel) -> Box<dyn Dual + 'a> {
    first.dual(second).unwrap_or_else(|| {
        let scratch = Words::zero(first.dimensions().scratch_words.max(second.dimensions().scratch_words));
        Box::new(OneByOne { kernels: [first, second], scratch })
    })
}

/// Runs two kernels one after the other.
struct OneByOne<'a> {
    kernels: [&'a dyn Kernel; 2],
    scratch: Words,
}

impl Dual for OneByOne<'_> {
    fn begin(&mut self, _: [&mut [u64]; 2]) {}

    fn mul(&mut self, x: [&mut [u64]; 2], b: [&[u64]; 2]) {
        for ((kernel, x), b) in self.kernels.into_iter().zip(x).zip(b) {
            kernel.mul(x, b, &mut self.scratch);
        }
    }

    fn square(&mut self, x: [&mut [u64]; 2], times: u32) {
        for (kernel, x) in self.kernels.into_iter().zip(x) {
            for _ in 0..times {
                kernel.square(x, &mut self.scratch);
            }
        }
    }

    fn end(&mut self, _: [&mut [u64]; 2]) {}

    fn select(&mut self, which: usize, out: [&mut [u64]; 2], row: &[u64], indices: [u64; 2]) {
        for (out, index) in out.into_iter().zip(indices) {
            let (first, rest) = row.split_at(out.len());
            self.kernels[which].select(out, first, rest, index);
        }
    }
}
