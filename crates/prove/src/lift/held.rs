//! What doubles hold: integers, and which words are bits of which.

use std::collections::HashMap;

use crate::{
    failure::{Failure, Reason, Result},
    integers::Integers,
    system::{Claim, Definition, Id, Value},
};
use Value::{Constant, Variable};

/// Bits of a double's fraction, and what its exponent begins with.
pub(super) const FRACTION: u32 = 52;
pub(super) const BIAS: i128 = 1023;
/// Exponents of the integers that are followed.
pub(super) const EXPONENTS: u32 = 120;

fn fail<T>(reason: Reason, what: &str) -> Result<T> {
    Err(Failure::new(reason, what))
}

/// What doubles hold.
#[derive(Default)]
pub(crate) struct Doubles {
    pub(super) words: HashMap<Id, Value>,
    /// Where products were cut.
    pub(super) shifts: HashMap<(Id, Id), Vec<u32>>,
    /// What was rounded before, a product by its split and what is added: the same is rounded alike.
    pub(super) rounded: HashMap<(u32, Value), Value>,
}

/// The integer that a double holds.
pub(super) fn integer_of(word: u64) -> Result<i128> {
    let x = f64::from_bits(word);
    let integer = x as i128;
    if !x.is_finite() || integer as f64 != x || integer.unsigned_abs() >= 1 << EXPONENTS {
        return fail(Reason::NoRule, "a double that holds no integer");
    }
    Ok(integer)
}

/// The exponent of the binade that an interval of positive integers lies in.
pub(super) fn binade((low, high): (i128, i128), includes_end: bool) -> Option<u32> {
    let exponent = (low > 0).then(|| low.ilog2())?;
    let end = 1i128 << (exponent + 1);
    ((FRACTION..=EXPONENTS).contains(&exponent) && (high < end || includes_end && high == end))
        .then_some(exponent)
}

/// How many of the lowest bits of a sum are 0, as far as its equation says.
pub(super) fn zeros(integers: &Integers, x: Value) -> u32 {
    match x {
        Constant(x) => x.trailing_zeros().min(EXPONENTS),
        Variable(id) => match &integers.system.definitions[id as usize] {
            Definition::Sum(constant, terms) => {
                terms.iter().map(|&(_, c)| c.trailing_zeros()).fold(constant.trailing_zeros(), u32::min)
            }
            _ => 0,
        },
    }
}

impl Doubles {
    /// A word for a double that holds an integer.
    pub(super) fn word(&mut self, integers: &mut Integers, value: Value, recorded: u64) -> Result<Value> {
        if integer_of(recorded)? != integers.recorded(value) {
            return fail(Reason::WrongRule, &format!("a double holds {}", f64::from_bits(recorded)));
        }
        match (value, binade(integers.bounds(value), true)) {
            (Constant(x), _) if x != 0 => return Ok(Constant(recorded.into())),
            (Variable(_), Some(exponent)) if zeros(integers, value) >= exponent - FRACTION => {
                let unit = exponent - FRACTION;
                let (constant, terms) = match value {
                    Variable(id) => match &integers.system.definitions[id as usize] {
                        Definition::Sum(constant, terms) => (*constant, terms.to_vec()),
                        _ => (0, vec![(id, 1)]),
                    },
                    Constant(_) => (0, Vec::new()),
                };
                let first = (BIAS + i128::from(exponent) - 1) << FRACTION;
                let terms: Vec<_> = terms.iter().map(|&(id, c)| (c >> unit, Variable(id))).collect();
                let word = integers.sum(first + (constant >> unit), &terms)?;
                integers.system.claims.push(Claim::Bits { word, value, exponent });
                return Ok(word);
            }
            _ => {}
        }
        // Of zeros, too: those may have a sign.
        let word = integers.input(0, u64::MAX.into(), recorded.into())?;
        if let Variable(id) = word {
            self.words.insert(id, value);
        }
        Ok(word)
    }

    /// Whether there are any.
    pub(super) fn are_there(&self) -> bool {
        !self.words.is_empty()
    }

    /// What a word holds that is no sum.
    pub(super) fn known(&self, word: Value) -> Result<Value> {
        match word {
            Constant(x) => Ok(Constant(integer_of(x as u64)?)),
            Variable(id) => match self.words.get(&id) {
                Some(&value) => Ok(value),
                None => fail(Reason::NoRule, "bits of no known double"),
            },
        }
    }
}
