//! Carries and digits above the words of a stored result. They are combined again into digits that are not
//! negative.

use num_bigint::BigInt;
use std::collections::HashMap;

use super::search::{ATOM_VALUES, Prover};
use crate::{
    certificate::{Equation, Use},
    system::{Definition, Id, Source, Value},
};

impl Prover<'_> {
    /// R times the least number that is longer than the result.
    fn above_result(&self) -> BigInt {
        let bits = self.statement.result_bits as usize * self.statement.result.len();
        BigInt::from(1) << (self.factor_bits() + bits)
    }

    /// Whether this multiple is subtracted because it is above the result. It can be anything that is not
    /// negative.
    pub(super) fn is_cut_off(&self, id: Id, c: &BigInt) -> bool {
        let (low, high) = self.integers.bounds(Value::Variable(id));
        self.is_longer_than_result()
            && *c < BigInt::ZERO
            && c % self.above_result() == BigInt::ZERO
            && low >= 0
            && high >= ATOM_VALUES
    }

    /// Replaces parts of a sum, if it was split into digits, by the sum, where it is subtracted.
    pub(super) fn fold(&self, others: Vec<(Id, BigInt)>, uses: &mut Vec<Use>) -> Vec<(Id, BigInt)> {
        let above = self.above_result();
        let has_sign = |(id, c): &(Id, BigInt)| {
            let (low, high) = self.integers.bounds(Value::Variable(*id));
            c % &above == BigInt::ZERO && low < 0 && high - low >= ATOM_VALUES
        };
        if !self.is_longer_than_result() || !others.iter().any(has_sign) {
            return others;
        }
        let mut others: HashMap<Id, BigInt> = others.into_iter().collect();
        let system = &self.integers.system;
        // Splits are handled in the order in which they were made: a digit is combined before the carry into
        // it is added.
        for (number, split) in system.splits.iter().enumerate() {
            let Source::Single(source) = split.source else { continue };
            let Definition::Sum(0, terms) = &system.definitions[source as usize] else { continue };
            let Some(c) = others.get(&terms[0].0).cloned() else { continue };
            let is_there = |(id, times): &(Id, i128)| *times == 1 && others.get(id) == Some(&c);
            if split.shift as usize != self.digit_bits()
                || &c % &above != BigInt::ZERO
                || !terms.iter().all(is_there)
            {
                continue;
            }
            terms.iter().for_each(|(id, _)| drop(others.remove(id)));
            for (part, times) in [(split.low, c.clone()), (split.high, &c << split.shift)] {
                if let Value::Variable(id) = part {
                    *others.entry(id).or_default() += times;
                }
            }
            uses.push(Use { equation: Equation::Split(number as u32), multiplier: -c });
        }
        others.retain(|_, c| *c != BigInt::ZERO);
        let mut others: Vec<_> = others.into_iter().collect();
        others.sort_unstable();
        others
    }
}
