//! Finds what the result is, case by case.

use num_bigint::BigInt;

use super::search::{Prover, short, unproven};
use crate::{
    certificate::{Case, Outcome},
    elimination::Functional,
    failure::Result,
    specification::{Formula, Statement},
    system::{Definition, Id, Value},
};

/// The largest number of selectors in a case.
const SELECTORS: usize = 4;

/// The rest of the result in one case, without formula and modulus.
struct Left {
    quotient: Vec<(Id, u32)>,
    others: Vec<(Id, BigInt)>,
}

impl Prover<'_> {
    /// Finds the result in all cases. Returns the selectors that distinguish the cases.
    pub(super) fn outcomes(&mut self) -> Result<Vec<Id>> {
        let mut selectors: Vec<Id> = Vec::new();
        let mut cases = vec![Case::new()];
        while let Some(case) = cases.pop() {
            let Some(selector) = self.outcome(&case)? else { continue };
            let is_known = selectors.contains(&selector);
            if !is_known && selectors.len() == SELECTORS {
                return unproven("choices by too many bits");
            }
            if !is_known {
                selectors.push(selector);
            }
            for is_above in [false, true] {
                let case: Case = case.iter().copied().chain([(selector, is_above)]).collect();
                if !self.is_excluded(&case) {
                    cases.push(case);
                }
            }
        }
        Ok(selectors)
    }

    /// For digits above the dividend: the carry out of a digit that is left over. It has few values, as the
    /// sum to which it was added has.
    fn carry_to_keep(&self, functional: &Functional<'_>) -> Option<Id> {
        let system = &self.integers.system;
        let carry = |&id: &Id| {
            let Definition::Low(number) = system.definitions[id as usize] else { return None };
            let Value::Variable(high) = system.splits[number as usize].high else { return None };
            let is_bit = self.integers.bounds(Value::Variable(high)) == (0, 1);
            (is_bit && !self.kept.contains(&high)).then_some(high)
        };
        functional.left.keys().filter(|_| !self.equals.is_empty()).find_map(carry)
    }

    /// Whether borrows that are known to be equal differ in a case.
    fn is_excluded(&self, case: &Case) -> bool {
        let value = |id: Id| case.iter().find(|(known, _)| *known == id).map(|&(_, is_above)| is_above);
        self.equals.iter().any(|&[x, y]| value(x).zip(value(y)).is_some_and(|(x, y)| x != y))
    }

    /// Finds the result in one case; or returns the selector by which the case has to be divided.
    pub(super) fn outcome(&mut self, case: &Case) -> Result<Option<Id>> {
        let zeros = self.zeros_in(case);
        let mut functional = Functional::new(self.integers, &zeros, case);
        loop {
            functional.factors = Some(Vec::new());
            for (i, &digit) in self.statement.result.iter().enumerate() {
                functional.add(
                    &(BigInt::from(1) << (self.factor_bits() + self.statement.place_of_result(i))),
                    digit,
                );
            }
            if self.statement.result_bits != self.statement.first_bits {
                functional.write_out();
            }
            if let Some(selector) = functional.run(&self.kept, true) {
                return Ok(Some(selector));
            }
            let Some(carry) = self.carry_to_keep(&functional) else { break };
            self.kept.push(carry);
            functional = Functional::new(self.integers, &zeros, case);
        }
        let mut products = Vec::new();
        if let Some(selector) = self.resolve(&mut functional, case, &mut products)? {
            return Ok(Some(selector));
        }
        self.show_zeros(&functional)?;
        self.substitute(&mut functional, case);
        let left = self.left(&functional, case)?;
        let mut uses = functional.uses;
        if self.certificate.outcomes.is_empty() {
            self.certificate.quotient = left.quotient;
        }
        let mut others = self.fold(left.others, &mut uses);
        // Multiples above the end of the result, which are subtracted, need not be known; selectors are
        // known.
        others.retain(|(id, c)| !self.is_cut_off(*id, c) && !case.iter().any(|(known, _)| known == id));
        for (ids, c) in grouped(others) {
            self.explain(&ids, &c, case)?;
        }
        self.certificate.outcomes.push(Outcome { case: case.clone(), uses, products });
        Ok(None)
    }

    /// Subtracts formula, quotient and modulus.
    fn left(&self, functional: &Functional<'_>, case: &Case) -> Result<Left> {
        let Statement { modulus, first, second, specification, .. } = self.statement;
        let statement = self.statement;
        let mut products = functional.products.clone();
        let mut linear = functional.left.clone();
        let key = |x: Id, y: Id| (x.min(y), x.max(y));
        let mut take = |x: Id, y: Id, shift: usize| {
            *products.entry(key(x, y)).or_default() -= BigInt::from(1) << shift;
        };
        for (first, second) in self.statement.factors() {
            for (i, &x) in first.iter().enumerate() {
                second.iter().enumerate().for_each(|(j, &y)| {
                    take(x, y, statement.place_of_first(i) + statement.place_of_second(j))
                });
            }
        }
        let (first, plus, minus): (&[Id], &[Id], &[Id]) = match specification.formula {
            Formula::First
            | Formula::Shifted(_)
            | Formula::Once(_)
            | Formula::Estimated(_)
            | Formula::Long
            | Formula::Copy
            | Formula::Remainder => (first, &[], &[]),
            Formula::Sum => (first, second, &[]),
            Formula::Difference => (first, &[], second),
            Formula::Product
            | Formula::Square
            | Formula::Pieces(_)
            | Formula::Raised(_)
            | Formula::Blocks { .. }
            | Formula::Whole
            | Formula::Lowest(_)
            | Formula::Entry
            | Formula::Place(_)
            | Formula::Exchange => (&[], &[], &[]),
        };
        if specification.formula == Formula::Exchange {
            let numbers = self.statement.exchanged(case).unwrap_or_default().into_iter().flatten();
            for (i, &x) in numbers.enumerate() {
                *linear.entry(x).or_default() -= BigInt::from(1) << (64 * i);
            }
        }
        for (i, &x) in first.iter().enumerate() {
            *linear.entry(x).or_default() -= BigInt::from(1) << statement.place_of_first(i);
        }
        plus.iter().enumerate().for_each(|(i, &y)| {
            *linear.entry(y).or_default() -= BigInt::from(1) << statement.place_of_second(i);
        });
        minus.iter().enumerate().for_each(|(i, &y)| {
            *linear.entry(y).or_default() += BigInt::from(1) << statement.place_of_second(i);
        });
        // Subtract the estimate of a quotient.
        if let Some(q) = self.estimate {
            for (i, &n) in modulus.iter().enumerate() {
                *products.entry(key(q, n)).or_default() += BigInt::from(1) << statement.place_of_modulus(i);
            }
        }
        // Each digit of the quotient is found by its product with the lowest word of the modulus.
        let mut quotient = Vec::new();
        for (&(x, y), c) in &products {
            let Some(&lowest) = modulus.first() else { break };
            let digit = match (x == lowest, y == lowest) {
                (true, false) => y,
                (false, true) => x,
                _ => continue,
            };
            if *c != BigInt::ZERO && !modulus.contains(&digit) {
                let weight = c.trailing_zeros().unwrap_or(0);
                if *c != BigInt::from(1) << weight {
                    return unproven(format!(
                        "in case {case:?} quotient {digit} has no weight that is a power of two"
                    ));
                }
                quotient.push((digit, weight as u32));
            }
        }
        quotient.sort_unstable_by_key(|&(_, weight)| weight);
        for &(digit, weight) in &quotient {
            for (i, &n) in modulus.iter().enumerate() {
                *products.entry(key(digit, n)).or_default() -=
                    BigInt::from(1) << (statement.place_of_modulus(i) + weight as usize);
            }
        }
        if let Some((&(x, y), c)) =
            products.iter().filter(|(_, c)| **c != BigInt::ZERO).min_by_key(|(key, _)| **key)
        {
            let (x, y) = (self.name(x), self.name(y));
            return unproven(format!("in case {case:?} {} times {x}·{y} is left over", short(c)));
        }
        let beta = modulus.first().and_then(|lowest| linear.get(lowest)).cloned().unwrap_or_default();
        for (i, n) in modulus.iter().enumerate() {
            *linear.entry(*n).or_default() -= &beta << statement.place_of_modulus(i);
        }
        let others = linear.into_iter().filter(|(_, c)| *c != BigInt::ZERO).collect();
        Ok(Left { quotient, others })
    }
}

/// Groups integers by their multipliers.
fn grouped(others: Vec<(Id, BigInt)>) -> Vec<(Vec<Id>, BigInt)> {
    let mut groups: Vec<(Vec<Id>, BigInt)> = Vec::new();
    for (id, c) in others {
        match groups.iter_mut().find(|(_, other)| *other == c) {
            Some((ids, _)) => ids.push(id),
            None => groups.push((vec![id], c)),
        }
    }
    groups
}
