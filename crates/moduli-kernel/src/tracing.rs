//! An observer that records the sequence of operations and the addresses they access. If the library says
//! *constant-time*, two secrets must result in the same record.

use alloc::{sync::Arc, vec::Vec};
use core::fmt;
use std::sync::{Mutex, PoisonError};

use super::observer::{Observer, Operation};

/// One recorded operation: its name, then the address and length of each operand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Step {
    operation: Operation,
    operands: [(usize, usize); 3],
}

impl Step {
    /// The name of the operation. Regularity is about these names.
    pub fn operation(&self) -> &'static str {
        self.operation.name()
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:x?}", self.operation(), self.operands)
    }
}

/// The record of all operations in sessions with its [observer](Self::observer). Clones share the record.
#[derive(Clone, Default)]
pub struct Trace(Arc<Record>);

impl Trace {
    /// The steps since the last call.
    pub fn take(&self) -> Vec<Step> {
        core::mem::take(&mut self.0.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The observer that adds to this record.
    pub fn observer(&self) -> Arc<dyn Observer> {
        self.0.clone()
    }
}

#[derive(Default)]
struct Record(Mutex<Vec<Step>>);

impl Observer for Record {
    fn before(&self, operation: Operation, operands: [&[u64]; 3]) {
        let operands = operands.map(|words| (words.as_ptr() as usize, words.len()));
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(Step { operation, operands });
    }
}
