//! Searches for the proof that a row of an update is right.

use num_bigint::BigInt;
use std::collections::HashSet;

use crate::{
    certificate::RowProof,
    elimination::Functional,
    failure::{Failure, Reason, Result},
    integers::Integers,
    specification::inversion::{DIGIT, Row},
    system::{Definition, Id, Source},
};

fn unproven<T>(what: &str) -> Result<T> {
    Err(Failure::new(Reason::Unproven, what))
}

/// Looks for the proof that a row is right.
///
/// # Errors
/// What was not found.
pub fn prove_row(integers: &Integers, row: &Row) -> Result<RowProof> {
    let (zeros, case) = (HashSet::new(), Vec::new());
    let mut functional = Functional::new(integers, &zeros, &case);
    let unit = |i: usize| BigInt::from(1) << (DIGIT as usize * (i + 1));
    let Some((&highest, lower)) = row.result.split_last() else { return unproven("no result") };
    for (i, &digit) in lower.iter().enumerate() {
        functional.add(&unit(i), digit);
    }
    functional.add(&unit(lower.len()), highest);
    functional.run(&[], false);
    // What is above the highest word is left over.
    let place = unit(lower.len()) << 64;
    let above = functional.left.iter().filter(|(_, c)| *c % &place == BigInt::ZERO);
    let above = above.map(|(&id, c)| (id, -c / &place)).collect();
    let is_low = |id: &&Id| matches!(integers.system.definitions[**id as usize], Definition::Low(_));
    let Some(&lowest) = functional.left.keys().find(is_low) else {
        return unproven("no lowest digit is left over");
    };
    let multiple = match &row.modulus {
        None => None,
        Some((modulus, _)) => {
            let other = |(x, y): &(Id, Id)| match (*x == modulus[0], *y == modulus[0]) {
                (true, _) => Some(*y),
                (_, true) => Some(*x),
                _ => None,
            };
            let Some(factor) = functional.products.keys().find_map(other) else {
                return unproven("no multiple of the modulus");
            };
            Some(whole_factor(integers, factor, modulus[0]).unwrap_or(factor))
        }
    };
    Ok(RowProof { uses: functional.uses, above, lowest, multiple })
}

/// The integer by which the lowest digit of the modulus is multiplied, if `part` is a part of it.
fn whole_factor(integers: &Integers, part: Id, digit: Id) -> Option<Id> {
    integers.system.splits.iter().find_map(|split| {
        let Source::Product(x, y) = split.source else { return None };
        let factor = if x == digit { y } else { x };
        let is_part = match &integers.system.definitions[factor as usize] {
            Definition::Sum(_, terms) => terms.iter().any(|&(id, _)| id == part),
            _ => factor == part,
        };
        ((x == digit || y == digit) && is_part).then_some(factor)
    })
}
