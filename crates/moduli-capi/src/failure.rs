//! The reason why a call failed, which is returned to the caller.

use moduli::{
    Error,
    error::{ModulusError, TableError},
};

use crate::status::Status;

/// A status and a sentence that describes it.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) status: Status,
    pub(crate) message: String,
    /// Whether the outputs are valid in this case; otherwise they are cleared.
    pub(crate) outputs_are_set: bool,
}

impl Failure {
    pub(crate) fn new(status: Status, message: impl Into<String>) -> Self {
        Self { status, message: message.into(), outputs_are_set: false }
    }

    pub(crate) fn null(name: &str) -> Self {
        Self::new(Status::NullPointer, format!("{name} is NULL"))
    }

    pub(crate) fn length(name: &str, reason: impl std::fmt::Display) -> Self {
        Self::new(Status::Length, format!("{name}: {reason}"))
    }

    pub(crate) fn too_small(name: &str, has: usize, needed: usize) -> Self {
        let message = format!("{name} has room for {has} bytes; {needed} are needed");
        Self::new(Status::BufferTooSmall, message)
    }

    pub(crate) fn parameter(name: &str, reason: impl std::fmt::Display) -> Self {
        Self::new(Status::Parameter, format!("{name}: {reason}"))
    }

    /// The same, for a call that has nevertheless set its outputs.
    pub(crate) fn with_outputs(self) -> Self {
        Self { outputs_are_set: true, ..self }
    }
}

/// The handle, or the failure for a NULL handle.
pub(crate) fn given<'a, T>(name: &str, handle: Option<&'a T>) -> Result<&'a T, Failure> {
    handle.ok_or_else(|| Failure::null(name))
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let status = match &error {
            Error::Modulus(ModulusError::Even)
            | Error::Modulus(ModulusError::TooSmall)
            | Error::Modulus(ModulusError::TooLarge { .. }) => Status::Modulus,
            Error::Table(TableError::BaseZero) => Status::BaseZero,
            Error::ExponentTooLong { .. } => Status::ExponentTooLong,
            Error::NotInvertible { .. } => Status::NotInvertible,
            Error::Modulus(ModulusError::Mismatch) => Status::ModulusMismatch,
            Error::BudgetTooSmall { .. } => Status::BudgetTooSmall,
            Error::Random(_) => Status::Random,
            Error::Kernel(_) | Error::Table(TableError::Layout { .. }) => Status::Kernel,
            Error::File(_) => Status::File,
            Error::Table(TableError::Entry { .. }) | Error::Table(TableError::Unverified) => Status::Table,
            Error::Key(_) => Status::Key,
            Error::Signature(_) => Status::Signature,
            Error::NotInGroup(_) => Status::NotInGroup,
            Error::Fault => Status::Fault,
            _ => Status::Parameter,
        };
        Self::new(status, error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_keep_their_kind_and_words() {
        for (error, status) in [
            (Error::Modulus(ModulusError::Even), Status::Modulus),
            (Error::Modulus(ModulusError::TooLarge { bits: 2, max: 1 }), Status::Modulus),
            (Error::Table(TableError::Unverified), Status::Table),
            (Error::Fault, Status::Fault),
            (Error::Table(TableError::Layout { layout: "x".into() }), Status::Kernel),
            (Error::random("none"), Status::Random),
            (Error::parameter("teeth", "too many"), Status::Parameter),
        ] {
            let words = error.to_string();
            let failure = Failure::from(error);
            assert_eq!((failure.status, failure.message, failure.outputs_are_set), (status, words, false));
        }
    }
}
