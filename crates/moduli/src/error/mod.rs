//! Errors: [`Error`], and the errors of each domain that it contains.

mod text;
mod types;

pub use types::{
    Error, FileError, FileReason, KeyError, MembershipError, ModulusError, ParameterError, ParameterReason,
    RandomError, SignatureError, TableError,
};
