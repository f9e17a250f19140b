//! Two moduli at a time, as the two primes of an RSA key: products that a processor overlaps.

use alloc::boxed::Box;

use super::{contract::Kernel, words::Words};

/// Arithmetic on a pair of Montgomery residues, each modulo its own number, between [`begin`](Dual::begin) and
/// [`end`](Dual::end). It owns its scratch space. All methods are constant-time.
///
/// What is handed over as `x` is the same pair in all calls, and holds nothing of use until the end: a kernel may keep the
/// pair in a form of its own.
pub trait Dual {
    /// Takes a pair over.
    fn begin(&mut self, x: [&mut [u64]; 2]);

    /// `x` ← `x·b`, for a pair `b` of residues as they are.
    fn mul(&mut self, x: [&mut [u64]; 2], b: [&[u64]; 2]);

    /// `x` ← `x^(2^times)`.
    fn square(&mut self, x: [&mut [u64]; 2], times: u32);

    /// Hands the pair back.
    fn end(&mut self, x: [&mut [u64]; 2]);

    /// Two entries of a row of residues to the modulus `which`, 0 or 1, for two exponents' digits at a time. All entries are
    /// read. An index past the row gives zero words, which are no residue.
    fn select(&mut self, which: usize, out: [&mut [u64]; 2], row: &[u64], indices: [u64; 2]);
}

/// The two kernels side by side, or one after the other where they cannot gain anything.
pub fn dual<'a>(first: &'a dyn Kernel, second: &'a dyn Kernel) -> Box<dyn Dual + 'a> {
    first.dual(second).unwrap_or_else(|| {
        let scratch = Words::zero(first.scratch_words().max(second.scratch_words()));
        Box::new(OneByOne { kernels: [first, second], scratch })
    })
}

/// One after the other.
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
