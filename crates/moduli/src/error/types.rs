//! One error type for the whole library: each variant names the offending argument and the bound that it
//! violates. A variant with several causes contains an error of its domain. The text of an error includes the
//! text of its sources.

use alloc::{borrow::Cow, boxed::Box, string::String};
use core::fmt;

/// An error caused by an input, a file, a key or the machine.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// A modulus is not supported, or is not the expected one.
    Modulus(ModulusError),
    /// An exponent does not fit.
    ExponentTooLong {
        /// Its length, if it is public. The length of a secret exponent is not reported.
        bits: Option<u32>,
        /// The longest that fits.
        max: u32,
    },
    /// A value has no inverse modulo the modulus.
    NotInvertible {
        /// The common factor, in hexadecimal. Reported for public values only.
        gcd: Option<String>,
    },
    /// No method fits a memory budget.
    BudgetTooSmall {
        /// The budget, in bytes.
        budget: u64,
        /// The smallest budget that works, in bytes.
        smallest: u64,
    },
    /// A parameter lies outside its range.
    Parameter(ParameterError),
    /// No kernel has this name, or this machine cannot run it.
    Kernel(moduli_kernel::Error),
    /// A table cannot be built or used.
    Table(TableError),
    /// A file could not be read or written, or its content is not as expected.
    File(FileError),
    /// A key is malformed, or its parameters do not match.
    Key(KeyError),
    /// A signature is malformed or does not verify.
    Signature(SignatureError),
    /// A public value is not a member of its group.
    NotInGroup(MembershipError),
    /// A random number generator failed, or its output cannot be used.
    Random(RandomError),
    /// A result computed with a secret key or secret factors failed its check and was not released: the
    /// machine computed wrongly or was disturbed, or p or q of an RSA key is not prime.
    Fault,
}

/// Why a modulus is rejected.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModulusError {
    /// It must be odd.
    Even,
    /// It must be greater than one.
    TooSmall,
    /// It has more bits than [`crate::MAX_MODULUS_BITS`].
    TooLarge {
        /// Its length; `u32::MAX` if it is that long or longer.
        bits: u32,
        /// The longest supported length.
        max: u32,
    },
    /// Two values belong to different moduli.
    Mismatch,
}

/// A parameter outside its range.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParameterError {
    /// The name of the parameter.
    pub name: &'static str,
    /// The reason.
    pub reason: ParameterReason,
}

/// What is wrong with a parameter.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParameterReason {
    /// It is a number below or above its bounds.
    OutOfRange {
        /// The number given.
        given: u64,
        /// The least accepted number.
        least: u64,
        /// The greatest accepted number.
        most: u64,
    },
    /// It is an unknown name.
    Unknown {
        /// The kind of thing named: `field`.
        kind: &'static str,
        /// The name given.
        given: String,
        /// All valid names.
        known: String,
    },
    /// It requires more memory than is available.
    Memory {
        /// The objects that do not fit.
        what: String,
    },
    /// It violates another rule, given here.
    Rule(Cow<'static, str>),
}

/// Why a table cannot be built or used.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TableError {
    /// The base is zero modulo the modulus.
    BaseZero,
    /// The file was written for a kernel that is unknown here.
    Layout {
        /// The layout of residues in that kernel.
        layout: String,
    },
    /// An entry is not the power that it should be.
    Entry {
        /// Its index, counted from zero in the order of the file.
        index: u64,
    },
    /// It was opened without a check of its entries, which secret exponents and the verification of
    /// signatures require.
    Unverified,
}

/// What is wrong with a file.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileError {
    /// The path as given; `-` for a stream.
    pub path: String,
    /// What is wrong.
    pub reason: FileReason,
}

/// Why a file is rejected.
#[non_exhaustive]
#[derive(Debug, Clone)]
pub enum FileReason {
    /// The operating system could not read or write it. Two such errors are equal if their kinds
    /// and texts are equal.
    #[cfg(feature = "std")]
    Io(alloc::sync::Arc<std::io::Error>),
    /// It is well formed, but its content is rejected.
    Content(Box<Error>),
    /// It is malformed; the text says where.
    Malformed(Cow<'static, str>),
}

/// Why a key is rejected.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyError {
    /// It is encrypted, and must be decrypted first.
    Encrypted,
    /// It is the key of another algorithm.
    Algorithm {
        /// What was expected: `a DSA key`.
        expected: &'static str,
        /// The object identifier found.
        found: String,
    },
    /// Its text or its bytes are malformed; the text says where.
    Malformed(Cow<'static, str>),
    /// One of its numbers is out of range, or its numbers do not match; the text says which.
    Invalid(Cow<'static, str>),
}

/// Why a signature is rejected.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignatureError {
    /// It is not a signature of this message under this key.
    Mismatch,
    /// It is not the DER of two positive integers.
    NotDer,
    /// A DSA signature does not have twice the length of q.
    NotTwiceOrder,
    /// An RSA signature does not have the length of n.
    NotModulusLength,
    /// An RSA signature has a length that no key has.
    NoKeyLength,
    /// r or s is zero.
    Zero,
    /// r or s is not below q.
    NotBelowOrder,
    /// s has no inverse modulo q, so q is not prime.
    NotInvertible,
    /// An RSA signature is not below n.
    NotBelowModulus,
}

/// Why a public value is rejected.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MembershipError {
    /// The order of the group is 0.
    OrderZero,
    /// The value is 0 or 1.
    Trivial,
    /// The value is p − 1 or greater.
    TooLarge,
    /// The value lies outside the subgroup.
    Outside,
}

/// Why no random number is available.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RandomError {
    /// The generator reported a failure.
    Failed {
        /// Its message.
        reason: String,
    },
    /// It produced no number that is coprime to the modulus.
    NotCoprime,
}

impl Error {
    /// Creates an [`Error::Parameter`] with a [`ParameterReason::Rule`].
    pub fn parameter(name: &'static str, rule: impl Into<Cow<'static, str>>) -> Self {
        Self::of_parameter(name, ParameterReason::Rule(rule.into()))
    }

    /// Creates an [`Error::Parameter`] with a [`ParameterReason::OutOfRange`].
    pub fn out_of_range(
        name: &'static str,
        given: impl Into<u64>,
        [least, most]: [impl Into<u64>; 2],
    ) -> Self {
        let reason =
            ParameterReason::OutOfRange { given: given.into(), least: least.into(), most: most.into() };
        Self::of_parameter(name, reason)
    }

    /// Creates an [`Error::Parameter`] with a [`ParameterReason::Unknown`].
    pub fn unknown<'n>(
        name: &'static str,
        kind: &'static str,
        given: &str,
        known: impl IntoIterator<Item = &'n str>,
    ) -> Self {
        let known = known.into_iter().collect::<alloc::vec::Vec<_>>().join(", ");
        Self::of_parameter(name, ParameterReason::Unknown { kind, given: given.into(), known })
    }

    pub(crate) fn memory(name: &'static str, what: impl Into<String>) -> Self {
        Self::of_parameter(name, ParameterReason::Memory { what: what.into() })
    }

    fn of_parameter(name: &'static str, reason: ParameterReason) -> Self {
        Self::Parameter(ParameterError { name, reason })
    }

    /// Creates an [`Error::File`].
    pub fn file(path: impl Into<String>, reason: impl Into<FileReason>) -> Self {
        Self::File(FileError { path: path.into(), reason: reason.into() })
    }

    /// Creates an [`Error::Random`] with [`RandomError::Failed`].
    pub fn random(error: impl fmt::Display) -> Self {
        Self::Random(RandomError::Failed { reason: alloc::format!("{error}") })
    }
}

impl PartialEq for FileReason {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            #[cfg(feature = "std")]
            (Self::Io(a), Self::Io(b)) => {
                a.kind() == b.kind() && alloc::format!("{a}") == alloc::format!("{b}")
            }
            (Self::Content(a), Self::Content(b)) => a == b,
            (Self::Malformed(a), Self::Malformed(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for FileReason {}

macro_rules! into {
    ($($from:ty, $to:ty, $error:ident => $made:expr;)*) => {
        $(impl From<$from> for $to {
            fn from($error: $from) -> Self {
                $made
            }
        })*
    };
}

into! {
    ModulusError, Error, error => Self::Modulus(error);
    TableError, Error, error => Self::Table(error);
    KeyError, Error, error => Self::Key(error);
    SignatureError, Error, error => Self::Signature(error);
    MembershipError, Error, error => Self::NotInGroup(error);
    RandomError, Error, error => Self::Random(error);
    moduli_kernel::Error, Error, error => match error {
        moduli_kernel::Error::Costs { reason } => Self::parameter("costs", reason),
        error => Self::Kernel(error),
    };
    Error, FileReason, error => Self::Content(Box::new(error));
    &'static str, FileReason, text => Self::Malformed(text.into());
    String, FileReason, text => Self::Malformed(text.into());
}

#[cfg(feature = "std")]
into! {
    std::io::Error, FileReason, error => Self::Io(alloc::sync::Arc::new(error));
}
