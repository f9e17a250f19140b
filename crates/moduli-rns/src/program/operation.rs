//! The operations of a core between two branches of a program.

use super::{instruction::Register, issue::Constant};

/// An operation to be issued.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operation {
    /// A product of two registers.
    Product { to: Register, a: Register, b: Register },
    /// A product by a constant.
    Scale { to: Register, from: Register, constants: [Constant; 2] },
    /// A sum, or a difference with the multiple of P that it adds.
    Sum { to: Register, a: Register, b: Option<Register>, twice: bool, minus: Option<u64> },
    /// A constant of the program.
    Constant { to: Register, number: usize },
}

impl Operation {
    /// The registers that it writes and reads.
    pub fn registers(&self) -> impl Iterator<Item = Register> {
        let all = match *self {
            Self::Product { to, a, b } => [Some(to), Some(a), Some(b)],
            Self::Scale { to, from, .. } => [Some(to), Some(from), None],
            Self::Sum { to, a, b, .. } => [Some(to), Some(a), b],
            Self::Constant { to, .. } => [Some(to), None, None],
        };
        all.into_iter().flatten()
    }
}
