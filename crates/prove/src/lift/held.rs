//! The integers that doubles hold, and which words are the bits of which.

use std::collections::HashMap;

use crate::{
    failure::{Failure, Reason, Result},
    integers::Integers,
    system::{Claim, Definition, Id, Value},
};
use Value::{Constant, Variable};

/// The bits of a double's fraction, and the bias of its exponent.
pub(super) const FRACTION: u32 = 52;
pub(super) const BIAS: i128 = 1023;
/// The highest exponent of the integers that are followed.
pub(super) const EXPONENTS: u32 = 120;

fn fail<T>(reason: Reason, what: &str) -> Result<T> {
    Err(Failure::new(reason, what))
}

/// The integers that doubles hold.
#[derive(Default)]
pub(crate) struct Doubles {
    pub(super) words: HashMap<Id, Value>,
    /// For each product, where it was cut.
    pub(super) shifts: HashMap<(Id, Id), Vec<u32>>,
    /// Earlier roundings, by the split of the product and what was added: the same sum is rounded in the
    /// same way.
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

/// The number of lowest bits of a sum that are 0 according to its equation.
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
        // This also applies to zeros, which may have a sign.
        let word = integers.input(0, u64::MAX.into(), recorded.into())?;
        if let Variable(id) = word {
            self.words.insert(id, value);
        }
        Ok(word)
    }

    /// Whether there are any doubles.
    pub(super) fn are_there(&self) -> bool {
        !self.words.is_empty()
    }

    /// The integer that a word holds, if the word is not a sum.
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
