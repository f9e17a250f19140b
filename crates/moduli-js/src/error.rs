//! Why a function failed: a code for programs, and a sentence.

use moduli::Error;

use crate::{last_error::keep, memory::MAX_NUMBER_BYTES};

/// A code and a sentence.
pub(crate) struct Failure {
    code: &'static str,
    message: String,
}

impl Failure {
    /// A number that is too long.
    pub(crate) fn length(name: &str, bytes: usize) -> Self {
        Self { code: "length", message: format!("{name} has {bytes} bytes; at most {MAX_NUMBER_BYTES}") }
    }

    /// Keeps it for `moduli_error`; gives 0.
    pub(crate) fn keep(self) -> u32 {
        keep(format!("{}\n{}", self.code, self.message));
        0
    }
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
