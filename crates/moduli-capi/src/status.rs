//! What a call returns.

use std::ffi::{CStr, c_char};

/// The result of a call: MODULI_STATUS_OK, which is 0, or the reason why it failed.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// The call succeeded.
    Ok = 0,
    /// A pointer that must not be NULL is NULL.
    NullPointer = 1,
    /// A length is out of its range: a number of more than MODULI_MAX_NUMBER_BYTES bytes, or a size that
    /// overflows.
    Length = 2,
    /// A buffer is too short for the result.
    BufferTooSmall = 3,
    /// The modulus is even, below 3, or longer than 65536 bits.
    Modulus = 4,
    /// The base of a table is 0 modulo the modulus.
    BaseZero = 5,
    /// An exponent does not fit the table.
    ExponentTooLong = 6,
    /// A value has no inverse modulo the modulus.
    NotInvertible = 7,
    /// Handles of different moduli were given to one call.
    ModulusMismatch = 8,
    /// No table fits the budget; moduli_last_error() gives the smallest budget that does.
    BudgetTooSmall = 9,
    /// Another argument is out of its range: an unknown name, a text that is not UTF-8, a value that is too
    /// large.
    Parameter = 10,
    /// The environment variable MODULI_KERNEL names a kernel that does not exist or that this machine cannot
    /// run.
    Kernel = 11,
    /// A file could not be read or written, or does not hold what was expected.
    File = 12,
    /// A table holds a wrong entry, or its entries are unverified.
    Table = 13,
    /// A key is malformed, of another kind, encrypted, or its numbers do not match.
    Key = 14,
    /// A signature is malformed or does not verify.
    Signature = 15,
    /// A public value is not a member of its group.
    NotInGroup = 16,
    /// The random number generator of the system failed.
    Random = 17,
    /// A result of a secret key failed its check and was not released: the machine computed wrongly or was
    /// disturbed.
    Fault = 18,
    /// An error in this library; please report it.
    Internal = 19,
}

impl Status {
    const ALL: [Self; 20] = [
        Self::Ok,
        Self::NullPointer,
        Self::Length,
        Self::BufferTooSmall,
        Self::Modulus,
        Self::BaseZero,
        Self::ExponentTooLong,
        Self::NotInvertible,
        Self::ModulusMismatch,
        Self::BudgetTooSmall,
        Self::Parameter,
        Self::Kernel,
        Self::File,
        Self::Table,
        Self::Key,
        Self::Signature,
        Self::NotInGroup,
        Self::Random,
        Self::Fault,
        Self::Internal,
    ];

    fn text(self) -> &'static CStr {
        match self {
            Self::Ok => c"success",
            Self::NullPointer => c"a pointer is NULL that must not be",
            Self::Length => c"a length is out of range",
            Self::BufferTooSmall => c"a buffer is too short for the result",
            Self::Modulus => c"the modulus is even, too small or too large",
            Self::BaseZero => c"the base is 0 modulo the modulus",
            Self::ExponentTooLong => c"the exponent does not fit the table",
            Self::NotInvertible => c"not invertible modulo the modulus",
            Self::ModulusMismatch => c"the operands belong to different moduli",
            Self::BudgetTooSmall => c"no table fits the budget",
            Self::Parameter => c"an argument is out of range",
            Self::Kernel => c"MODULI_KERNEL names no kernel of this machine",
            Self::File => c"a file cannot be used",
            Self::Table => c"the entries of a table are wrong or unverified",
            Self::Key => c"a key is malformed or of another kind",
            Self::Signature => c"the signature does not verify",
            Self::NotInGroup => c"the value is not a member of the group",
            Self::Random => c"the random number generator of the system failed",
            Self::Fault => c"the result failed its check and is not released",
            Self::Internal => c"an error in the library",
        }
    }
}

/// An English sentence that describes a status, for any value. Never NULL; never free it.
#[unsafe(no_mangle)]
pub extern "C" fn moduli_status_message(status: u32) -> *const c_char {
    let known = Status::ALL.into_iter().find(|known| *known as u32 == status);
    known.map_or(c"no such status", Status::text).as_ptr()
}

/// The version of the library at run time, such as "0.1.0". Never NULL; never free it.
#[unsafe(no_mangle)]
pub extern "C" fn moduli_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => c"",
        };
    VERSION.as_ptr()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(status: u32) -> &'static str {
        // SAFETY: the function returns static texts that end in a zero byte.
        unsafe { CStr::from_ptr(moduli_status_message(status)) }.to_str().unwrap()
    }

    #[test]
    fn every_status_has_a_text_of_its_own() {
        let texts: Vec<&str> = (0..Status::ALL.len() as u32).map(message).collect();
        for (i, text) in texts.iter().enumerate() {
            assert!(!texts[..i].contains(text), "{text}");
            assert_ne!(*text, "no such status");
        }
        for status in [Status::ALL.len() as u32, u32::MAX] {
            assert_eq!(message(status), "no such status");
        }
    }
}
