//! Builds the table for g, or checks an existing one against the group.

use super::domain::DomainParameters;
use crate::{
    access::Masked,
    error::Error,
    fixed::{FixedBase, MemorySize},
};

/// A table for g of at most `budget` bytes, for exponents as long as q.
pub(super) fn build_table(parameters: &DomainParameters, budget: MemorySize) -> Result<FixedBase, Error> {
    FixedBase::builder(parameters.p(), parameters.g())
        .exponent_bits(parameters.q().bits())
        .budget(budget)
        .build()
}

/// Checks that a table is for this g and for exponents as long as q, and that its entries are
/// trusted. A signer with forged entries reveals its key; a verifier with forged entries accepts
/// forged signatures.
pub(super) fn check_table(parameters: &DomainParameters, table: &FixedBase) -> Result<(), Error> {
    let wrong = |reason: &'static str| Err(Error::parameter("table", reason));
    if table.modulus().value() != parameters.p().value() {
        return wrong("is of another modulus than the key's p");
    }
    if table.base() != parameters.g() {
        return wrong("is of another base than the key's g");
    }
    if table.shape().exponent_bits() < parameters.q().bits() {
        return wrong("is for shorter exponents than the key's q");
    }
    table.check_trust::<Masked>()
}
