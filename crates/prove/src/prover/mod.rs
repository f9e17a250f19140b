//! The search for a certificate.
//!
//! `outcomes.rs` traces the result back to the operands, case by case, with `numbers.rs` where products of
//! differences occur. `index.rs` finds intervals of an index. `search.rs` shows that what is left over is
//! zero. `facts.rs` looks for relations between the few integers whose values are all tried.

mod cleared;
mod cut_off;
mod digits;
mod doubles;
mod estimates;
mod facts;
mod index;
mod numbers;
mod outcomes;
mod reached;
mod search;

use self::{reached::reached_from, search::Prover};
use super::{
    certificate::{Case, Certificate, Outcome},
    failure::Result,
    integers::Integers,
    specification::{Formula, Statement},
};

/// Looks for a certificate that the statement follows from the integers' equations.
///
/// # Errors
/// The integers that are left over.
pub fn prove(integers: &Integers, statement: &Statement) -> Result<Certificate> {
    find(Prover::new(integers, statement))
}

/// Looks for certificates of several statements.
///
/// # Errors
/// As [`prove`].
pub fn prove_all(integers: &Integers, statements: &[Statement]) -> Result<Vec<Certificate>> {
    let Some(first) = statements.first() else { return Ok(Vec::new()) };
    let first = Prover::new(integers, first);
    statements.iter().map(|statement| find(first.about(statement))).collect()
}

fn find(mut prover: Prover<'_>) -> Result<Certificate> {
    let (integers, statement) = (prover.integers, prover.statement);
    if let Some(before) = &statement.before {
        prover.certificate.before = Some(Box::new(find(prover.about(before))?));
    }
    // Integers of other products, or of other parts, do not matter for this statement.
    let reached = reached_from(&integers.system, &statement.result);
    for &id in integers.doubtful.iter().filter(|&&id| reached[id as usize]) {
        // A bit that may be one becomes an atom, whose values are tried, if it is the only one.
        if !prover.show_zero(id, &Case::new())? && prover.certificate.atoms.is_empty() {
            prover.certificate.atoms.push(id);
        }
    }
    if matches!(statement.specification.formula, Formula::Remainder | Formula::Estimated(_)) {
        prover.find_estimate()?;
        if let Some(doubles) = &statement.doubles {
            prover.carries_of_division(doubles)?;
        }
    }
    if let Some(doubles) = &statement.doubles
        && statement.is_reduced_in_doubles()
    {
        prover.result_in_doubles(doubles)?;
        return Ok(prover.certificate);
    }
    if let Some(digits) = &statement.digits
        && statement.specification.is_reduced
    {
        prover.product_of_digits(digits)?;
        return Ok(prover.certificate);
    }
    if let Formula::Lowest(_) = statement.specification.formula {
        // The result has the words unchanged, or as they were cut.
        let (case, uses, products) = (Case::new(), Vec::new(), Vec::new());
        prover.certificate.outcomes.push(Outcome { case, uses, products });
        return Ok(prover.certificate);
    }
    if statement.specification.formula.is_by_index() {
        prover.indices()?;
        return Ok(prover.certificate);
    }
    let selectors = prover.outcomes()?;
    if statement.specification.formula.is_modular() {
        prover.find_facts(&selectors)?;
    }
    Ok(prover.certificate)
}
