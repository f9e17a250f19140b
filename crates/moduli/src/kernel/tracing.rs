//! An observer that records the sequence of operations and the addresses they touch: two secrets must leave the same
//! record wherever the library says *constant-time*.

use alloc::vec::Vec;
use core::fmt;
use std::sync::{Mutex, PoisonError};

use super::{
    contract::Kernel,
    observed::{Observed, Observer, Operation},
};

/// One recorded operation: its name, then the address and length of each operand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Step {
    operation: Operation,
    operands: [(usize, usize); 3],
}

impl Step {
    /// The name of the operation: what regularity is about.
    pub fn operation(&self) -> &'static str {
        self.operation.name()
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:x?}", self.operation(), self.operands)
    }
}

#[derive(Default)]
struct Record(Mutex<Vec<Step>>);

/// The record of one computation, which uses the kernel it is handed in place of `kernel`.
pub(crate) fn trace<T, E>(
    kernel: &dyn Kernel,
    run: impl FnOnce(&dyn Kernel) -> Result<T, E>,
) -> Result<Vec<Step>, E> {
    let record = Record::default();
    run(&Observed::new(kernel, &record))?;
    Ok(record.0.into_inner().unwrap_or_else(PoisonError::into_inner))
}

impl Observer for Record {
    fn before(&self, operation: Operation, operands: [&[u64]; 3]) {
        let operands = operands.map(|words| (words.as_ptr() as usize, words.len()));
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(Step { operation, operands });
    }
}
