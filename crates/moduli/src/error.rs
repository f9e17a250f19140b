//! One error type for the whole library: each variant names the offending thing and the bound it broke.

use alloc::string::String;
use core::fmt;

/// Everything that can go wrong with an input.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// A modulus must be odd.
    ModulusEven,
    /// A modulus must be greater than one.
    ModulusTooSmall,
    /// A modulus has more bits than [`crate::MAX_MODULUS_BITS`].
    ModulusTooLarge {
        /// Its length.
        bits: u32,
        /// The longest that is served.
        max: u32,
    },
    /// The base of a table is zero modulo the modulus.
    BaseZero,
    /// An exponent does not fit.
    ExponentTooLong {
        /// The declared precision of the exponent.
        bits: u32,
        /// The longest that fits.
        max: u32,
    },
    /// A value has no inverse modulo the modulus.
    NotInvertible {
        /// The common factor, in hexadecimal, where it may be reported: for public values only.
        gcd: Option<String>,
    },
    /// Two values belong to different moduli.
    ModulusMismatch,
    /// No method fits a memory budget.
    BudgetTooSmall {
        /// The budget, in bytes.
        budget: u64,
        /// The smallest budget that works, in bytes.
        smallest: u64,
    },
    /// A parameter lies outside its range.
    Parameter {
        /// Which one.
        name: &'static str,
        /// What is wrong with it and what would be right.
        reason: String,
    },
    /// No kernel has this name, or this machine cannot run it.
    Kernel(moduli_kernel::Error),
    /// A table file was written for a kernel that is unknown here.
    Layout {
        /// How that kernel lays residues out.
        layout: String,
    },
    /// Text that is not a hexadecimal number.
    Hex {
        /// What is wrong.
        reason: String,
    },
    /// A file could not be read or written, or does not hold what it should.
    File {
        /// The path as given.
        path: String,
        /// What is wrong.
        reason: String,
    },
    /// A table entry differs from the power it should be.
    TableEntry {
        /// Its index, counted from zero in the order of the file.
        index: u64,
    },
    /// A table was opened without a check of its entries, and is to serve secret exponents or verify signatures.
    TableUnverified,
    /// A key is malformed, or its parameters do not belong together.
    Key {
        /// What is wrong.
        reason: String,
    },
    /// A signature is malformed or does not verify.
    Signature {
        /// What is wrong.
        reason: &'static str,
    },
    /// A result with a secret key, or by secret factors, did not pass its check and was not released: the machine erred or was disturbed, or
    /// the primes of an RSA key are none.
    Fault,
    /// A public value is not a member of its group.
    NotInGroup {
        /// What is wrong.
        reason: &'static str,
    },
}

impl Error {
    /// A [`Error::Parameter`] with a reason.
    pub fn parameter(name: &'static str, reason: impl Into<String>) -> Self {
        Self::Parameter { name, reason: reason.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ModulusEven => write!(f, "the modulus is even; it must be odd"),
            Self::ModulusTooSmall => write!(f, "the modulus must be greater than 1"),
            Self::ModulusTooLarge { bits, max } => {
                write!(f, "the modulus has {bits} bits; at most {max} are served")
            }
            Self::BaseZero => write!(f, "the base is 0 modulo the modulus; a table needs another"),
            Self::ExponentTooLong { bits, max } => {
                write!(f, "the exponent has {bits} bits; at most {max} fit")
            }
            Self::NotInvertible { gcd: Some(gcd) } => {
                write!(f, "not invertible: the common factor with the modulus is {gcd}")
            }
            Self::NotInvertible { gcd: None } => write!(f, "not invertible modulo the modulus"),
            Self::ModulusMismatch => write!(f, "the operands belong to different moduli"),
            Self::BudgetTooSmall { budget, smallest } => {
                write!(f, "no method fits {budget} bytes; the smallest table needs {smallest} bytes")
            }
            Self::Parameter { name, reason } => write!(f, "{name}: {reason}"),
            Self::Kernel(error) => error.fmt(f),
            Self::Layout { layout } => {
                write!(f, "layout {layout:?}: the file was written for it, and it is unknown here")
            }
            Self::Hex { reason } => f.write_str(reason),
            Self::File { path, reason } => write!(f, "{path}: {reason}"),
            Self::TableEntry { index } => {
                write!(f, "table entry {index} is not the power of the base that it should be")
            }
            Self::TableUnverified => {
                write!(
                    f,
                    "the entries of the table are unverified, and a forged one gives secret exponents away: verify \
                     all of them, or open the table with a trusted digest"
                )
            }
            Self::Key { reason } => write!(f, "key: {reason}"),
            Self::Signature { reason } => write!(f, "signature: {reason}"),
            Self::Fault => {
                write!(f, "the result failed its check and is not released: a fault, or primes that are none")
            }
            Self::NotInGroup { reason } => write!(f, "not in the group: {reason}"),
        }
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Kernel(error) => Some(error),
            _ => None,
        }
    }
}

impl From<moduli_kernel::Error> for Error {
    fn from(error: moduli_kernel::Error) -> Self {
        match error {
            moduli_kernel::Error::Costs { reason } => Self::Parameter { name: "costs", reason },
            error => Self::Kernel(error),
        }
    }
}
