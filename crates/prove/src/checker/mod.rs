//! Checks a certificate by adding up the equations that it names. Nothing here knows how it was found. These
//! files read the equations, the statement and the certificate, and have their own arithmetic for sparse sums
//! and for intervals.
//!
//! - `intervals.rs` computes the intervals of all integers and checks the splits.
//! - `sums.rs` adds multiples of equations, and shows that integers are zero. `tables.rs` does so for
//!   relations that hold for each value of some integers, and `estimates.rs` for estimated quotients.
//! - `formulas.rs` writes what the statement speaks of as sums, and `cases.rs` draws the statement's
//!   conclusion. `index.rs` does so for statements with an index, and `digits.rs` for products of digits of
//!   52 bits.
//! - `inversion.rs` checks the parts of an inversion, with `residues.rs` for polynomials modulo powers of
//!   two.

mod cases;
mod claims;
mod cleared;
mod digits;
mod doubles;
mod estimates;
mod formulas;
pub mod halfplanes;
mod index;
mod intervals;
mod inversion;
mod polynomial;
mod residues;
mod sums;
mod tables;
mod whole;

pub use index::ByIndex;
pub use intervals::Checker;
pub use inversion::{check_jump, check_row};
pub use whole::check_whole;

use self::polynomial::refuse;
use super::{
    certificate::Certificate,
    failure::Result,
    specification::{Formula, Statement},
    system::System,
};

/// Checks that the statement follows from the equations, by the certificate.
///
/// # Errors
/// The first property that does not hold.
pub fn check(system: &System, statement: &Statement, certificate: &Certificate) -> Result<()> {
    Checker::of_integers(system)?.check(statement, certificate)
}

/// Checks several statements about the same integers, each by its certificate.
///
/// # Errors
/// As [`check`].
pub fn check_all(system: &System, statements: &[Statement], certificates: &[Certificate]) -> Result<()> {
    let checker = Checker::of_integers(system)?;
    if statements.len() != certificates.len() {
        return refuse("a statement has no proof");
    }
    statements.iter().zip(certificates).try_for_each(|(statement, by)| checker.check(statement, by))
}

impl<'a> Checker<'a> {
    fn check(&self, statement: &'a Statement, certificate: &Certificate) -> Result<()> {
        match (&statement.before, &certificate.before) {
            (Some(statement), Some(certificate)) => self.check(statement, certificate)?,
            (None, None) => {}
            _ => return refuse("a part of the operation has no proof"),
        }
        check_itself(self.about(statement)?, certificate)
    }
}

/// Checks the statement of a checker, without the part of the operation before it.
fn check_itself(mut checker: Checker<'_>, certificate: &Certificate) -> Result<()> {
    let statement = checker.statement;
    for lemma in &certificate.lemmas {
        checker.add_lemma(lemma)?;
    }
    if let Some(doubles) = &statement.doubles
        && statement.is_reduced_in_doubles()
    {
        return checker.check_doubles(doubles, certificate);
    }
    if let Some(digits) = &statement.digits
        && statement.specification.is_reduced
    {
        return checker.check_digit_product(digits, certificate);
    }
    checker.set_quotient(&certificate.quotient)?;
    checker.atoms = certificate.atoms.clone();
    let outcomes = &certificate.outcomes;
    if statement.specification.formula == Formula::Copy {
        return match &outcomes[..] {
            [outcome] if outcome.case.is_empty() => checker.check_copy(outcome),
            _ => refuse("a copy has one case"),
        };
    }
    if statement.specification.formula.is_by_index() {
        return checker.check_indices(&certificate.indices);
    }
    if !statement.specification.formula.is_modular() {
        return checker.check_whole(outcomes);
    }
    let outcomes: Vec<_> = outcomes.iter().map(|x| Ok((x, checker.outcome(x)?))).collect::<Result<_>>()?;
    let facts: Vec<_> = certificate.facts.iter().map(|x| Ok((x, checker.fact(x)?))).collect::<Result<_>>()?;
    checker.check_cases(&outcomes, &facts)
}
