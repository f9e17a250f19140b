//! A kernel that records the sequence of operations and the addresses they touch: two secrets must leave the
//! same record wherever the library says *uniform*.

use alloc::vec::Vec;
use core::fmt;

use super::contract::Kernel;

/// One recorded operation: its name, then the address and length of each operand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Step {
    operation: &'static str,
    operands: [(usize, usize); 3],
}

impl Step {
    /// The name of the operation: what regularity is about.
    pub fn operation(&self) -> &'static str {
        self.operation
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:x?}", self.operation, self.operands)
    }
}

/// Wraps a kernel for the time of one computation; `record` is told every step.
struct Tracing<'a> {
    inner: &'a dyn Kernel,
    record: &'a (dyn Fn(Step) + Sync),
}

/// The record of one computation, which uses the kernel it is handed in place of `kernel`.
pub(crate) fn trace<T, E>(
    kernel: &dyn Kernel,
    run: impl FnOnce(&dyn Kernel) -> Result<T, E>,
) -> Result<Vec<Step>, E> {
    let steps = std::sync::Mutex::new(Vec::new());
    let record = |step| steps.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(step);
    run(&Tracing::new(kernel, &record))?;
    Ok(steps.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()))
}

impl<'a> Tracing<'a> {
    fn new(inner: &'a dyn Kernel, record: &'a (dyn Fn(Step) + Sync)) -> Self {
        Self { inner, record }
    }

    fn step(&self, operation: &'static str, operands: [&[u64]; 3]) {
        let operands = operands.map(|words| (words.as_ptr() as usize, words.len()));
        (self.record)(Step { operation, operands });
    }
}

impl Kernel for Tracing<'_> {
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
    fn enter(&self, out: &mut [u64], value: &[u64], scratch: &mut [u64]) {
        self.step("enter", [out, value, scratch]);
        self.inner.enter(out, value, scratch);
    }
    fn leave(&self, out: &mut [u64], a: &[u64], scratch: &mut [u64]) {
        self.step("leave", [out, a, scratch]);
        self.inner.leave(out, a, scratch);
    }
    fn load(&self, out: &mut [u64], value: &[u64], scratch: &mut [u64]) {
        self.step("load", [out, value, scratch]);
        self.inner.load(out, value, scratch);
    }
    fn store(&self, out: &mut [u64], a: &[u64], scratch: &mut [u64]) {
        self.step("store", [out, a, scratch]);
        self.inner.store(out, a, scratch);
    }
    fn add(&self, x: &mut [u64], b: &[u64], scratch: &mut [u64]) {
        self.step("add", [x, b, scratch]);
        self.inner.add(x, b, scratch);
    }
    fn sub(&self, x: &mut [u64], b: &[u64], scratch: &mut [u64]) {
        self.step("sub", [x, b, scratch]);
        self.inner.sub(x, b, scratch);
    }
    fn mul(&self, x: &mut [u64], b: &[u64], scratch: &mut [u64]) {
        self.step("mul", [x, b, scratch]);
        self.inner.mul(x, b, scratch);
    }
    fn square(&self, x: &mut [u64], scratch: &mut [u64]) {
        self.step("square", [x, scratch, &[]]);
        self.inner.square(x, scratch);
    }
    fn prepare(&self, out: &mut [u64], a: &[u64], split: usize, scratch: &mut [u64]) {
        self.step("prepare", [out, a, scratch]);
        self.inner.prepare(out, a, split, scratch);
    }
    fn are_residues_vartime(&self, words: &[u64]) -> bool {
        self.inner.are_residues_vartime(words)
    }
    fn mul_prepared(&self, x: &mut [u64], b: &[u64], split: usize, scratch: &mut [u64]) {
        self.step("mul_prepared", [x, b, scratch]);
        self.inner.mul_prepared(x, b, split, scratch);
    }
    fn mul_pair(&self, x: &mut [u64], y: &mut [u64], a: &[u64], scratch: &mut [u64]) {
        self.step("mul_pair", [x, y, a]);
        self.inner.mul_pair(x, y, a, scratch);
    }
    fn select(&self, out: &mut [u64], first: &[u64], row: &[u64], index: u64) {
        self.step("select", [out, first, row]);
        self.inner.select(out, first, row, index);
    }
    fn replace(&self, row: &mut [u64], entry: &[u64], index: u64) {
        self.step("replace", [row, entry, &[]]);
        self.inner.replace(row, entry, index);
    }
}
