//! Instructions: their addresses, and their operations.

use super::{decoder::decode, operation::Operation};

/// An instruction.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// Its address.
    pub address: u64,
    /// Its bytes.
    pub bytes: [u8; 4],
    /// Its operations; none if it is not known.
    pub operations: Vec<Operation>,
    /// Its name and operands.
    pub text: String,
}

impl Instruction {
    /// The instruction at an address.
    pub fn new(address: u64, bytes: [u8; 4]) -> Self {
        let (operations, text) = decode(address, bytes);
        Self { address, bytes, operations, text }
    }

    fn branches(&self, is_such: impl Fn(bool, bool) -> bool) -> bool {
        self.operations.iter().any(|operation| match operation {
            Operation::Branch { calls, returns, .. } => is_such(*calls, *returns),
            _ => false,
        })
    }

    /// Whether it calls a function.
    pub fn calls(&self) -> bool {
        self.branches(|calls, _| calls)
    }

    /// Whether it returns from a function.
    pub fn returns(&self) -> bool {
        self.branches(|_, returns| returns)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        self.text.split(' ').next().unwrap_or_default()
    }
}
