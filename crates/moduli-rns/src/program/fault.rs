//! What can be wrong with a program: the line, and the bound that it breaks.

use alloc::string::String;
use core::fmt;

/// The unit of bounds is P/2^16.
pub const UNIT: u64 = 1 << 16;

/// A line of a program that is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The line, counted from one.
    pub line: usize,
    /// Why.
    pub reason: Reason,
}

/// Why a program is refused.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// This is no instruction.
    Unreadable(String),
    /// The program has more instructions than a schedule is sought for.
    Long {
        /// How many there may be.
        most: usize,
    },
    /// A register is read before anything is written to it.
    Unwritten(String),
    /// A name stands for a register and for a pair.
    Ambiguous(String),
    /// No value is given for a constant.
    Missing(String),
    /// The scalar has not so many bits left.
    Bits {
        /// How many are wanted.
        wanted: u32,
        /// How many there are.
        left: u32,
    },
    /// The places of pairs are drawn twice, or when one has been written.
    Placed,
    /// A check behind a result.
    Late,
    /// A loop is not closed, or closed twice, or stands in another one.
    Nesting,
    /// What a loop may not hold.
    InLoop(&'static str),
    /// A product may be too large: bounds in units of P/2^16.
    Product {
        /// Of the two factors.
        factors: [u64; 2],
        /// Of the product.
        product: u64,
        /// The most that the base holds.
        most: u64,
    },
    /// A number of bits that does not blind the scalars of an order.
    Blinding {
        /// How many were asked for.
        bits: u32,
        /// How many are needed.
        least: u32,
        /// How many are possible.
        most: u32,
    },
    /// A sum in a loop grows from turn to turn.
    Growing {
        /// The bound that was reached, in units of P/2^16.
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
