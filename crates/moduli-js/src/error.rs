//! Why a function failed: a code for programs, and a sentence.

use moduli::Error;
use std::cell::RefCell;

use crate::memory::MAX_NUMBER_BYTES;

/// A code and a sentence.
pub(crate) struct Failure {
    code: &'static str,
    message: String,
}

thread_local! {
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

impl Failure {
    /// A number that is too long.
    pub(crate) fn length(name: &str, bytes: usize) -> Self {
        Self { code: "length", message: format!("{name} has {bytes} bytes; at most {MAX_NUMBER_BYTES}") }
    }

    /// Keeps it for [`moduli_error`]; gives 0.
    pub(crate) fn keep(self) -> u32 {
        keep(format!("{}\n{}", self.code, self.message));
        0
    }
}

/// Keeps a text for [`moduli_error`].
pub(crate) fn keep(text: String) {
    LAST.with_borrow_mut(|last| *last = text);
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let code = match error {
            Error::Modulus(_) => "modulus",
            Error::ExponentTooLong { .. } => "exponent-too-long",
            Error::NotInvertible { .. } => "not-invertible",
            Error::BudgetTooSmall { .. } => "budget-too-small",
            Error::Parameter(_) => "parameter",
            Error::Table(_) => "table",
            _ => "internal",
        };
        Self { code, message: error.to_string() }
    }
}

/// Where the last failure is told: its code, the end of a line, and a sentence, in UTF-8. It stays there until the next call.
#[unsafe(no_mangle)]
pub extern "C" fn moduli_error() -> *const u8 {
    LAST.with_borrow(|last| last.as_ptr())
}

/// Its length in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn moduli_error_length() -> usize {
    LAST.with_borrow(|last| last.len())
}
