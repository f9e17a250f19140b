//! The texts of errors, and their sources.

use core::{error, fmt};

use super::types::{
    Error, FileError, FileReason, KeyError, MembershipError, ModulusError, ParameterError, ParameterReason,
    RandomError, SignatureError, TableError,
};

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Modulus(error) => error.fmt(f),
            Self::ExponentTooLong { bits: Some(bits), max } => {
                write!(f, "the exponent has {bits} bits; at most {max} fit")
            }
            Self::ExponentTooLong { bits: None, max } => {
                write!(f, "the exponent has more than {max} bits, which do not fit")
            }
            Self::NotInvertible { gcd: Some(gcd) } => {
                write!(f, "not invertible: the common factor with the modulus is {}", Shortened(gcd))
            }
            Self::NotInvertible { gcd: None } => f.write_str("not invertible modulo the modulus"),
            Self::BudgetTooSmall { budget, smallest } => {
                let unit = if *budget == 1 { "byte" } else { "bytes" };
                write!(f, "no method fits {budget} {unit}; the smallest table needs {smallest} bytes")
            }
            Self::Parameter(error) => error.fmt(f),
            Self::Kernel(error) => error.fmt(f),
            Self::Table(error) => error.fmt(f),
            Self::File(error) => error.fmt(f),
            Self::Key(error) => write!(f, "key: {error}"),
            Self::Signature(error) => write!(f, "signature: {error}"),
            Self::NotInGroup(error) => write!(f, "not in the group: {error}"),
            Self::Random(error) => write!(f, "random number generator: {error}"),
            Self::Fault => f.write_str(
                "the result failed its check and is not released: the machine made an error, or p or q is not prime",
            ),
        }
    }
}

/// A hexadecimal number in a message. A long one is printed without its middle.
struct Shortened<'a>(&'a str);

impl fmt::Display for Shortened<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 16;
        let digits = self.0;
        match (digits.get(..SHOWN), digits.get(digits.len().saturating_sub(SHOWN)..)) {
            (Some(first), Some(last)) if digits.len() > 4 * SHOWN => {
                write!(f, "0x{first}…{last} ({} digits)", digits.len())
            }
            _ => write!(f, "0x{digits}"),
        }
    }
}

impl fmt::Display for ModulusError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Even => f.write_str("the modulus is even; it must be odd"),
            Self::TooSmall => f.write_str("the modulus must be greater than 1"),
            Self::TooLarge { bits: u32::MAX, max } => write!(f, "the modulus has more than {max} bits"),
            Self::TooLarge { bits, max } => {
                write!(f, "the modulus has {bits} bits; the maximum is {max}")
            }
            Self::Mismatch => f.write_str("the operands belong to different moduli"),
        }
    }
}

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.reason)
    }
}

impl fmt::Display for ParameterReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfRange { given, least, most } => {
                write!(f, "{given}; it must be from {least} to {most}")
            }
            Self::Unknown { kind, given, known } => {
                write!(f, "no {kind} is called {given:?}; there are {known}")
            }
            Self::Memory { what } => write!(f, "{what} need more memory than is available"),
            Self::Rule(rule) => f.write_str(rule),
        }
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BaseZero => f.write_str("the base is 0 modulo the modulus; a table needs another"),
            Self::Layout { layout } => {
                write!(f, "layout {layout:?}: the file was written for it, and it is unknown here")
            }
            Self::Entry { index } => {
                write!(f, "table entry {index} is not the power of the base that it should be")
            }
            Self::Unverified => f.write_str(
                "the entries of the table are unverified, and a forged entry reveals secret exponents: verify all of \
                 them, or open the table with a trusted digest",
            ),
        }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.reason)
    }
}

impl fmt::Display for FileReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            #[cfg(feature = "std")]
            Self::Io(error) => error.fmt(f),
            Self::Content(error) => error.fmt(f),
            Self::Malformed(text) => f.write_str(text),
        }
    }
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Encrypted => f.write_str("encrypted; decrypt it first, for instance with openssl pkey"),
            Self::Algorithm { expected, found } => {
                let name = algorithm(found);
                write!(f, "not {expected}: its algorithm is {name}")?;
                if name == found { Ok(()) } else { write!(f, " ({found})") }
            }
            Self::Malformed(text) | Self::Invalid(text) => f.write_str(text),
        }
    }
}

/// The name of a usual algorithm of keys, or the object identifier itself.
fn algorithm(identifier: &str) -> &str {
    match identifier {
        "1.2.840.113549.1.1.1" => "RSA",
        "1.2.840.10040.4.1" => "DSA",
        "1.2.840.10045.2.1" => "elliptic curves",
        "1.2.840.10046.2.1" | "1.2.840.113549.1.3.1" => "Diffie–Hellman",
        "1.3.101.110" => "X25519",
        "1.3.101.111" => "X448",
        "1.3.101.112" => "Ed25519",
        "1.3.101.113" => "Ed448",
        "1.2.840.113549.1.1.10" => "RSASSA-PSS",
        _ => identifier,
    }
}

impl fmt::Display for SignatureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Mismatch => "does not match this message and this key",
            Self::NotDer => "not the DER of two positive integers",
            Self::NotTwiceOrder => "does not have twice the length of q",
            Self::NotModulusLength => "does not have the length of n",
            Self::NoKeyLength => "has a length that no key has",
            Self::Zero => "r or s is zero",
            Self::NotBelowOrder => "r or s is not below q",
            Self::NotInvertible => "s has no inverse",
            Self::NotBelowModulus => "is not below n",
        })
    }
}

impl fmt::Display for MembershipError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OrderZero => "the order is 0",
            Self::Trivial => "the value is 0 or 1",
            Self::TooLarge => "the value is p - 1 or greater",
            Self::Outside => "the value lies outside the subgroup",
        })
    }
}

impl fmt::Display for RandomError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed { reason } => write!(f, "failed: {reason}"),
            Self::NotCoprime => f.write_str("gave no number that is coprime to the modulus"),
        }
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Modulus(error) => Some(error),
            Self::Parameter(error) => Some(error),
            Self::Kernel(error) => Some(error),
            Self::Table(error) => Some(error),
            Self::File(error) => Some(error),
            Self::Key(error) => Some(error),
            Self::Signature(error) => Some(error),
            Self::NotInGroup(error) => Some(error),
            Self::Random(error) => Some(error),
            Self::ExponentTooLong { .. }
            | Self::NotInvertible { .. }
            | Self::BudgetTooSmall { .. }
            | Self::Fault => None,
        }
    }
}

impl error::Error for FileError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match &self.reason {
            #[cfg(feature = "std")]
            FileReason::Io(error) => Some(&**error),
            FileReason::Content(error) => Some(&**error),
            FileReason::Malformed(_) => None,
        }
    }
}

impl error::Error for ModulusError {}
impl error::Error for ParameterError {}
impl error::Error for TableError {}
impl error::Error for KeyError {}
impl error::Error for SignatureError {}
impl error::Error for MembershipError {}
impl error::Error for RandomError {}

#[cfg(all(test, feature = "std"))]
mod tests {
    use alloc::string::ToString;
    use core::error::Error as _;
    use std::io;

    use super::*;
    use crate::fixed::{Expected, FixedBase};

    #[test]
    fn sources_lead_to_what_the_system_said() {
        let error = FixedBase::open("/no/such/table", &Expected::digest([0; 32])).unwrap_err();
        let file = error.source().and_then(|source| source.downcast_ref::<FileError>()).unwrap();
        assert_eq!(file.path, "/no/such/table");
        let found = file.source().and_then(|source| source.downcast_ref::<io::Error>()).unwrap();
        assert_eq!(found.kind(), io::ErrorKind::NotFound);
        assert_eq!(error.to_string(), alloc::format!("/no/such/table: {found}"));
        assert_eq!(error, error.clone());
        assert_ne!(error, Error::file("/no/such/table", io::Error::from(io::ErrorKind::PermissionDenied)));
    }

    #[test]
    fn sources_lead_to_what_a_file_holds() {
        let error = Error::file("table", Error::from(ModulusError::Even));
        let content = error.source().and_then(|file| file.source()?.downcast_ref::<Error>()).unwrap();
        let modulus = content.source().and_then(|source| source.downcast_ref::<ModulusError>()).unwrap();
        assert_eq!(*modulus, ModulusError::Even);
        assert_eq!(error.to_string(), "table: the modulus is even; it must be odd");
    }
}
