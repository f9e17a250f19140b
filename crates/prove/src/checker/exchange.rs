//! Operands that change places, or stay.

use num_bigint::BigInt;
use std::collections::HashSet;

use super::{
    intervals::Checker,
    polynomial::{Polynomial, power, refuse},
};
use crate::{
    certificate::Outcome,
    failure::Result,
    specification::Statement,
    system::{Definition, Id, Value},
};

impl Checker<'_> {
    /// That both operands are any words, each for itself, and the selector any bit; and that the results are words.
    pub(super) fn check_exchanged_operands(&self) -> Result<()> {
        let Statement { first, second, result, selector, result_bits, .. } = self.statement;
        let mut seen = HashSet::new();
        let is = |id: Id, high: i128| {
            self.system.definitions.get(id as usize) == Some(&Definition::Input(0, high))
        };
        let mut words = first.iter().chain(second);
        if !words.all(|&id| is(id, (1 << 64) - 1) && seen.insert(id)) {
            return refuse("an operand that is not any word");
        }
        if !selector.is_some_and(|id| is(id, 1) && seen.insert(id)) {
            return refuse("the selector is not any bit");
        }
        if first.len() != second.len() || result.len() != 2 * first.len() || *result_bits != 64 {
            return refuse("operands of unequal length");
        }
        for &word in result {
            let (low, high) = self.interval(word)?;
            if low < BigInt::ZERO || high >= power(64) {
                return refuse("a result that is no word");
            }
        }
        Ok(())
    }

    /// That both results together, one after the other, are both operands in their order, or in the other one.
    pub(super) fn check_exchange(&mut self, outcomes: &[Outcome]) -> Result<()> {
        let Statement { first, second, selector, .. } = self.statement;
        let (Some(selector), [stay, change]) = (selector, outcomes) else {
            return refuse("an exchange has two cases");
        };
        for (outcome, is_above, operands) in [(stay, false, [first, second]), (change, true, [second, first])]
        {
            if outcome.case != [(*selector, is_above)] || !outcome.products.is_empty() {
                return refuse("an exchange has the cases of its selector");
            }
            let mut sum = Polynomial::default();
            self.result(&mut sum)?;
            self.add_uses(&mut sum, &outcome.uses, &outcome.case)?;
            self.settle(&mut sum, &outcome.case)?;
            for (i, &id) in operands.into_iter().flatten().enumerate() {
                self.add(&mut sum, &-power(64 * i), Value::Variable(id));
            }
            if !sum.is_zero() {
                return refuse(format!("what changes places where the selector is {is_above}"));
            }
        }
        Ok(())
    }
}
