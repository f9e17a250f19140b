//! Sessions on two moduli at a time.

use alloc::boxed::Box;

use super::{
    super::{
        dual::Dual,
        observer::{Observer, Operation},
        one_by_one::dual,
    },
    single::Session,
};

/// Two kernels side by side, with an observer of the first.
///
/// All methods are constant-time.
pub struct DualSession<'a> {
    dual: Box<dyn Dual + 'a>,
    observer: Option<&'a dyn Observer>,
}

impl<'a> DualSession<'a> {
    /// Runs the two kernels side by side, or one after the other if that is not slower.
    #[inline]
    pub fn new(first: &Session<'a>, second: &Session<'a>) -> Self {
        Self { dual: dual(first.kernel, second.kernel), observer: first.observer }
    }

    #[inline]
    fn before(&self, operation: Operation, operands: [[&[u64]; 2]; 2]) {
        if let Some(observer) = self.observer {
            for [first, second] in operands {
                observer.before(operation, [first, second, &[]]);
            }
        }
    }

    /// If there is an observer, writes the results back, so that it can read or corrupt them, and takes them
    /// over again.
    #[inline]
    fn after(&mut self, operation: Operation, [x, y]: [&mut [u64]; 2]) {
        if let Some(observer) = self.observer {
            self.dual.end([&mut *x, &mut *y]);
            observer.after(operation, x);
            observer.after(operation, y);
            self.dual.begin([x, y]);
        }
    }

    /// Takes over a pair. All calls pass the same pair. Its content is undefined until [`end`](Self::end),
    /// because a kernel may keep the pair in its own form.
    #[inline]
    pub fn begin(&mut self, x: [&mut [u64]; 2]) {
        self.dual.begin(x);
    }

    /// `x` ← `x·b`, for a pair `b` of residues.
    #[inline]
    pub fn mul(&mut self, [x, y]: [&mut [u64]; 2], [a, b]: [&[u64]; 2]) {
        self.before(Operation::MulDual, [[x, a], [y, b]]);
        self.dual.mul([&mut *x, &mut *y], [a, b]);
        self.after(Operation::MulDual, [x, y]);
    }

    /// `x` ← `x^(2^times)`.
    #[inline]
    pub fn square(&mut self, [x, y]: [&mut [u64]; 2], times: u32) {
        let operation = Operation::SquareDual { times };
        self.before(operation, [[x, &[]], [y, &[]]]);
        self.dual.square([&mut *x, &mut *y], times);
        self.after(operation, [x, y]);
    }

    /// Writes the pair back.
    #[inline]
    pub fn end(&mut self, x: [&mut [u64]; 2]) {
        self.dual.end(x);
    }

    /// Looks up two entries of a row of residues modulo number `which` (0 or 1) of the two, for the digits of
    /// two exponents. All entries are read. An index past the row gives zero words, which are not a residue.
    #[inline]
    pub fn select(&mut self, which: usize, [x, y]: [&mut [u64]; 2], row: &[u64], indices: [u64; 2]) {
        let operation = Operation::SelectDual { which };
        self.before(operation, [[x, row], [y, row]]);
        self.dual.select(which, [&mut *x, &mut *y], row, indices);
        if let Some(observer) = self.observer {
            observer.after(operation, x);
            observer.after(operation, y);
        }
    }
}
