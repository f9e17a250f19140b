//! The errors of a program: the line, and the bound that it exceeds.

use alloc::string::String;
use core::fmt;

/// The number of units in P, 2^16. Bounds of values are given in units of P/2^16.
pub const UNIT: u64 = 1 << 16;

/// The error for a line of a program that is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The line number, counted from one.
    pub line: usize,
    /// The reason for the rejection.
    pub reason: Reason,
}

/// The reason why a program is rejected.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The line is not an instruction.
    Unreadable(String),
    /// The program has more than [`Program::MOST`](super::Program::MOST) instructions.
    Long {
        /// The maximum number of instructions.
        most: usize,
    },
    /// A register is read before it is written.
    Unwritten(String),
    /// A name is used for both a register and a pair.
    Ambiguous(String),
    /// A constant has no value.
    Missing(String),
    /// The scalar has too few bits left.
    Bits {
        /// The number of bits that the line needs.
        wanted: u32,
        /// The number of bits that are left.
        left: u32,
    },
    /// `pairs = random` occurs twice, or after a write to a register of a pair.
    Placed,
    /// A check follows a result.
    Late,
    /// A loop has no end, an `end` has no loop, or a loop contains another loop.
    Nesting,
    /// A loop contains an instruction that is not allowed there.
    InLoop(&'static str),
    /// A product can be too large for the bases. All bounds are in units of P/2^16.
    Product {
        /// The bounds of the two factors.
        factors: [u64; 2],
        /// The bound of the product.
        product: u64,
        /// The largest bound that the bases allow.
        most: u64,
    },
    /// The number of blinding bits is not suitable for the group order.
    Blinding {
        /// The number of bits that was requested.
        bits: u32,
        /// The smallest suitable number of bits.
        least: u32,
        /// The largest suitable number of bits.
        most: u32,
    },
    /// A value in a loop grows with each iteration.
    Growing {
        /// The bound that the value reached, in units of P/2^16.
        bound: u64,
    },
}

/// A bound in units of P/2^16, as a multiple of P rounded up to a hundredth.
struct Multiple(u64);

impl fmt::Display for Multiple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hundredths = (u128::from(self.0) * 100).div_ceil(u128::from(UNIT));
        write!(f, "{}.{:02}·P", hundredths / 100, hundredths % 100)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(what) => write!(f, "{what}"),
            Self::Long { most } => write!(f, "a program has at most {most} instructions"),
            Self::Unwritten(name) => write!(f, "{name} is read before it is written"),
            Self::Ambiguous(name) => write!(f, "{name} is a register and a pair"),
            Self::Missing(name) => write!(f, "no value is given for the constant {name}"),
            Self::Bits { wanted, left } => {
                write!(f, "{wanted} bits of the scalar are needed; {left} are left")
            }
            Self::Placed => f.write_str("pairs = random comes once, before a register of a pair is written"),
            Self::Late => f.write_str("checks come before the first result that leaves"),
            Self::Nesting => f.write_str("loops are closed by end, and hold no other loop"),
            Self::InLoop(what) => write!(f, "a loop does not hold {what}"),
            Self::Product { factors: [a, b], product, most } => write!(
                f,
                "factors below {} and {} make a product below {}; this base holds {}",
                Multiple(*a),
                Multiple(*b),
                Multiple(*product),
                Multiple(*most)
            ),
            Self::Blinding { bits, least, most } => {
                write!(
                    f,
                    "{bits} bits do not blind scalars of this order: at least {least} and at most {most} do"
                )
            }
            Self::Growing { bound } => {
                write!(f, "a value grows from turn to turn: beyond {}", Multiple(*bound))
            }
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

impl core::error::Error for Fault {}
