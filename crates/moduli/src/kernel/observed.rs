//! A kernel that reports each operation to an observer: what counts, records or spoils them stands in one place, inside the
//! arithmetic, on request only.

use alloc::boxed::Box;
use core::any::Any;

use super::{contract::Kernel, dual::Dual, lanes::Lanes, one_by_one::dual};

#[cfg(all(test, feature = "std"))]
mod tests;

/// An operation on residues, or on rows of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Enter,
    Leave,
    Load,
    Store,
    Add,
    Sub,
    Mul,
    Square,
    Prepare,
    MulPrepared {
        split: usize,
    },
    MulPair,
    /// Of each of two moduli, as the next two.
    MulDual,
    SquareDual {
        times: u32,
    },
    SelectDual,
    Select,
    Replace,
    Swap,
    Put,
    Take,
    MulLanes,
    SquareLanes,
    SelectLanes,
    LookUpLanes,
}

impl Operation {
    /// The name of the method.
    #[cfg(feature = "std")]
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Enter => "enter",
            Self::Leave => "leave",
            Self::Load => "load",
            Self::Store => "store",
            Self::Add => "add",
            Self::Sub => "sub",
            Self::Mul => "mul",
            Self::Square => "square",
            Self::Prepare => "prepare",
            Self::MulPrepared { .. } => "mul_prepared",
            Self::MulPair => "mul_pair",
            Self::MulDual => "mul_dual",
            Self::SquareDual { .. } => "square_dual",
            Self::SelectDual => "select_dual",
            Self::Select => "select",
            Self::Replace => "replace",
            Self::Swap => "swap",
            Self::Put => "put",
            Self::Take => "take",
            Self::MulLanes => "mul_lanes",
            Self::SquareLanes => "square_lanes",
            Self::SelectLanes => "select_lanes",
            Self::LookUpLanes => "look_up_lanes",
        }
    }
}

/// What is reported.
pub(crate) trait Observer: Send + Sync {
    /// An operation is about to be performed on these operands.
    fn before(&self, operation: Operation, operands: [&[u64]; 3]) {
        let _ = (operation, operands);
    }

    /// An operation has given this result.
    fn after(&self, operation: Operation, result: &mut [u64]) {
        let _ = (operation, result);
    }
}

/// Wraps a kernel for the time of one computation.
pub(crate) struct Observed<'a, O> {
    inner: &'a dyn Kernel,
    lanes: Option<ObservedLanes<'a, O>>,
    observer: &'a O,
}

struct ObservedLanes<'a, O> {
    inner: &'a dyn Lanes,
    observer: &'a O,
}

impl<'a, O: Observer> Observed<'a, O> {
    pub(crate) fn new(inner: &'a dyn Kernel, observer: &'a O) -> Self {
        let lanes = inner.lanes().map(|inner| ObservedLanes { inner, observer });
        Self { inner, lanes, observer }
    }
}

impl<O: Observer> Kernel for Observed<'_, O> {
    fn name(&self) -> &'static str {
        self.inner.name()
    }
    fn layout(&self) -> [u8; 8] {
        self.inner.layout()
    }
    fn residue_words(&self) -> usize {
        self.inner.residue_words()
    }
    fn prepared_words(&self, split: usize) -> usize {
        self.inner.prepared_words(split)
    }
    fn max_split(&self) -> usize {
        self.inner.max_split()
    }
    fn scratch_words(&self) -> usize {
        self.inner.scratch_words()
    }
    fn limbs(&self) -> usize {
        self.inner.limbs()
    }
    fn one(&self) -> &[u64] {
        self.inner.one()
    }
    fn are_residues_vartime(&self, words: &[u64]) -> bool {
        self.inner.are_residues_vartime(words)
    }
    fn lanes(&self) -> Option<&dyn Lanes> {
        self.lanes.as_ref().map(|lanes| lanes as &dyn Lanes)
    }
    fn enter(&self, out: &mut [u64], value: &[u64], scratch: &mut [u64]) {
        self.observer.before(Operation::Enter, [out, value, scratch]);
        self.inner.enter(out, value, scratch);
        self.observer.after(Operation::Enter, out);
    }
    fn leave(&self, out: &mut [u64], a: &[u64], scratch: &mut [u64]) {
        self.observer.before(Operation::Leave, [out, a, scratch]);
        self.inner.leave(out, a, scratch);
        self.observer.after(Operation::Leave, out);
    }
    fn load(&self, out: &mut [u64], value: &[u64], scratch: &mut [u64]) {
        self.observer.before(Operation::Load, [out, value, scratch]);
        self.inner.load(out, value, scratch);
        self.observer.after(Operation::Load, out);
    }
    fn store(&self, out: &mut [u64], a: &[u64], scratch: &mut [u64]) {
        self.observer.before(Operation::Store, [out, a, scratch]);
        self.inner.store(out, a, scratch);
        self.observer.after(Operation::Store, out);
    }
    fn add(&self, x: &mut [u64], b: &[u64], scratch: &mut [u64]) {
        self.observer.before(Operation::Add, [x, b, scratch]);
        self.inner.add(x, b, scratch);
        self.observer.after(Operation::Add, x);
    }
    fn sub(&self, x: &mut [u64], b: &[u64], scratch: &mut [u64]) {
        self.observer.before(Operation::Sub, [x, b, scratch]);
        self.inner.sub(x, b, scratch);
        self.observer.after(Operation::Sub, x);
    }
    fn mul(&self, x: &mut [u64], b: &[u64], scratch: &mut [u64]) {
        self.observer.before(Operation::Mul, [x, b, scratch]);
        self.inner.mul(x, b, scratch);
        self.observer.after(Operation::Mul, x);
    }
    fn square(&self, x: &mut [u64], scratch: &mut [u64]) {
        self.observer.before(Operation::Square, [x, scratch, &[]]);
        self.inner.square(x, scratch);
        self.observer.after(Operation::Square, x);
    }
    fn prepare(&self, out: &mut [u64], a: &[u64], split: usize, scratch: &mut [u64]) {
        self.observer.before(Operation::Prepare, [out, a, scratch]);
        self.inner.prepare(out, a, split, scratch);
        self.observer.after(Operation::Prepare, out);
    }
    fn mul_prepared(&self, x: &mut [u64], b: &[u64], split: usize, scratch: &mut [u64]) {
        let operation = Operation::MulPrepared { split };
        self.observer.before(operation, [x, b, scratch]);
        self.inner.mul_prepared(x, b, split, scratch);
        self.observer.after(operation, x);
    }
    fn mul_pair(&self, x: &mut [u64], y: &mut [u64], a: &[u64], scratch: &mut [u64]) {
        self.observer.before(Operation::MulPair, [x, y, a]);
        self.inner.mul_pair(x, y, a, scratch);
        self.observer.after(Operation::MulPair, x);
        self.observer.after(Operation::MulPair, y);
    }
    fn dual<'b>(&'b self, other: &'b dyn Kernel) -> Option<Box<dyn Dual + 'b>> {
        Some(Box::new(ObservedDual { inner: dual(self.inner, other), observer: self.observer }))
    }
    fn as_any(&self) -> Option<&dyn Any> {
        self.inner.as_any()
    }
    fn select(&self, out: &mut [u64], first: &[u64], row: &[u64], index: u64) {
        self.observer.before(Operation::Select, [out, first, row]);
        self.inner.select(out, first, row, index);
        self.observer.after(Operation::Select, out);
    }
    fn replace(&self, row: &mut [u64], entry: &[u64], index: u64) {
        self.observer.before(Operation::Replace, [row, entry, &[]]);
        self.inner.replace(row, entry, index);
    }
    fn swap(&self, a: &mut [u64], b: &mut [u64], mask: u64) {
        self.observer.before(Operation::Swap, [a, b, &[]]);
        self.inner.swap(a, b, mask);
        self.observer.after(Operation::Swap, a);
        self.observer.after(Operation::Swap, b);
    }
}

/// What two kernels do is reported to the observer of the first.
struct ObservedDual<'a, O> {
    inner: Box<dyn Dual + 'a>,
    observer: &'a O,
}

impl<O: Observer> ObservedDual<'_, O> {
    /// The results are handed back for the observer to see or spoil, and taken over again.
    fn after(&mut self, operation: Operation, [x, y]: [&mut [u64]; 2]) {
        self.inner.end([&mut *x, &mut *y]);
        self.observer.after(operation, x);
        self.observer.after(operation, y);
        self.inner.begin([x, y]);
    }
}

impl<O: Observer> Dual for ObservedDual<'_, O> {
    fn begin(&mut self, x: [&mut [u64]; 2]) {
        self.inner.begin(x);
    }
    fn mul(&mut self, [x, y]: [&mut [u64]; 2], [a, b]: [&[u64]; 2]) {
        self.observer.before(Operation::MulDual, [x, a, &[]]);
        self.observer.before(Operation::MulDual, [y, b, &[]]);
        self.inner.mul([&mut *x, &mut *y], [a, b]);
        self.after(Operation::MulDual, [x, y]);
    }
    fn square(&mut self, [x, y]: [&mut [u64]; 2], times: u32) {
        let operation = Operation::SquareDual { times };
        self.observer.before(operation, [x, &[], &[]]);
        self.observer.before(operation, [y, &[], &[]]);
        self.inner.square([&mut *x, &mut *y], times);
        self.after(operation, [x, y]);
    }
    fn end(&mut self, x: [&mut [u64]; 2]) {
        self.inner.end(x);
    }
    fn select(&mut self, which: usize, [x, y]: [&mut [u64]; 2], row: &[u64], indices: [u64; 2]) {
        self.observer.before(Operation::SelectDual, [x, row, &[]]);
        self.observer.before(Operation::SelectDual, [y, row, &[]]);
        self.inner.select(which, [&mut *x, &mut *y], row, indices);
        self.observer.after(Operation::SelectDual, x);
        self.observer.after(Operation::SelectDual, y);
    }
}

impl<O: Observer> Lanes for ObservedLanes<'_, O> {
    fn lanes(&self) -> usize {
        self.inner.lanes()
    }
    fn enough(&self) -> usize {
        self.inner.enough()
    }
    fn row_words(&self) -> usize {
        self.inner.row_words()
    }
    fn scratch_words(&self) -> usize {
        self.inner.scratch_words()
    }
    fn put(&self, row: &mut [u64], lane: usize, residue: &[u64]) {
        self.observer.before(Operation::Put, [row, residue, &[]]);
        self.inner.put(row, lane, residue);
    }
    fn take(&self, residue: &mut [u64], row: &[u64], lane: usize) {
        self.observer.before(Operation::Take, [residue, row, &[]]);
        self.inner.take(residue, row, lane);
        self.observer.after(Operation::Take, residue);
    }
    fn mul(&self, x: &mut [u64], b: &[u64], scratch: &mut [u64]) {
        self.observer.before(Operation::MulLanes, [x, b, scratch]);
        self.inner.mul(x, b, scratch);
    }
    fn square(&self, x: &mut [u64], scratch: &mut [u64]) {
        self.observer.before(Operation::SquareLanes, [x, scratch, &[]]);
        self.inner.square(x, scratch);
    }
    fn select(&self, out: &mut [u64], table: &[u64], indices: &[u64]) {
        self.observer.before(Operation::SelectLanes, [out, table, indices]);
        self.inner.select(out, table, indices);
    }
    fn look_up(&self, out: &mut [u64], first: &[u64], entries: &[u64], indices: &[u64]) {
        self.observer.before(Operation::LookUpLanes, [out, first, entries]);
        self.inner.look_up(out, first, entries, indices);
    }
}
