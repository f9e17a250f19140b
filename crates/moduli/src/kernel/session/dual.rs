//! Two moduli at a time, at work.

use alloc::boxed::Box;

use super::{
    super::{
        dual::Dual,
        observer::{Observer, Operation},
        one_by_one::dual,
    },
    single::Session,
};

/// Two kernels side by side, and who observes the first.
///
/// The methods are those of [`Dual`], and as constant-time.
pub(crate) struct DualSession<'a> {
    dual: Box<dyn Dual + 'a>,
    observer: Option<&'a dyn Observer>,
}

impl<'a> DualSession<'a> {
    /// The two kernels side by side, or one after the other where they cannot gain anything.
    pub(crate) fn new(first: &Session<'a>, second: &Session<'a>) -> Self {
        Self { dual: dual(first.kernel, second.kernel), observer: first.observer }
    }

    fn before(&self, operation: Operation, operands: [[&[u64]; 2]; 2]) {
        if let Some(observer) = self.observer {
            for [first, second] in operands {
                observer.before(operation, [first, second, &[]]);
            }
        }
    }

    /// Whoever observes sees, or spoils, the results: they are handed back, and taken over again.
    fn after(&mut self, operation: Operation, [x, y]: [&mut [u64]; 2]) {
        if let Some(observer) = self.observer {
            self.dual.end([&mut *x, &mut *y]);
            observer.after(operation, x);
            observer.after(operation, y);
            self.dual.begin([x, y]);
        }
    }

    /// [`Dual::begin`].
    pub(crate) fn begin(&mut self, x: [&mut [u64]; 2]) {
        self.dual.begin(x);
    }

    /// [`Dual::mul`].
    pub(crate) fn mul(&mut self, [x, y]: [&mut [u64]; 2], [a, b]: [&[u64]; 2]) {
        self.before(Operation::MulDual, [[x, a], [y, b]]);
        self.dual.mul([&mut *x, &mut *y], [a, b]);
        self.after(Operation::MulDual, [x, y]);
    }

    /// [`Dual::square`].
    pub(crate) fn square(&mut self, [x, y]: [&mut [u64]; 2], times: u32) {
        let operation = Operation::SquareDual { times };
        self.before(operation, [[x, &[]], [y, &[]]]);
        self.dual.square([&mut *x, &mut *y], times);
        self.after(operation, [x, y]);
    }

    /// [`Dual::end`].
    pub(crate) fn end(&mut self, x: [&mut [u64]; 2]) {
        self.dual.end(x);
    }

    /// [`Dual::select`].
    pub(crate) fn select(&mut self, which: usize, [x, y]: [&mut [u64]; 2], row: &[u64], indices: [u64; 2]) {
        self.before(Operation::SelectDual, [[x, row], [y, row]]);
        self.dual.select(which, [&mut *x, &mut *y], row, indices);
        if let Some(observer) = self.observer {
            observer.after(Operation::SelectDual, x);
            observer.after(Operation::SelectDual, y);
        }
    }
}
