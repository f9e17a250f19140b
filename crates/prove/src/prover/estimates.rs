//! Finds the estimate of a quotient from the highest bits of the dividend.

use num_bigint::BigInt;
use std::collections::HashSet;

use super::search::{Prover, unproven};
use crate::{
    certificate::{Case, Lemma},
    checker::Checker,
    elimination::Functional,
    failure::Result,
    specification::{
        Formula,
        digits::DIGIT,
        doubles::{self, Doubles},
        reduction,
    },
    system::{Definition, Id, Source, Value},
};

/// The power of two, besides the bits of a number, by which an integer is multiplied to show that it is zero.
const LIFT: u32 = 256;

/// The number of carries that are looked at for each digit of a number.
const CARRIES: usize = 12;

impl Prover<'_> {
    /// Finds the upper part of a product by the reciprocal, and shows that the other factor is made of the
    /// highest bits of the number, plus one in some cases.
    pub(super) fn find_estimate(&mut self) -> Result<()> {
        let (reciprocal, (_, from, place), bits, digits) =
            match (&self.statement.digits, &self.statement.doubles) {
                (Some(digits), _) => (digits.reciprocal, digits.estimated(), DIGIT as usize, 2),
                (None, Some(doubles)) => {
                    (doubles.reciprocal, doubles.estimated(), doubles::DIGIT as usize, doubles.digits)
                }
                (None, None) => match self.statement.specification.formula {
                    Formula::Estimated(bits) => {
                        (self.statement.inverse, reduction::seen(bits), 64, self.statement.first.len())
                    }
                    _ => return unproven("a quotient of words"),
                },
            };
        let estimates =
            self.integers.system.splits.iter().filter_map(|split| match (split.source, split.high) {
                (Source::Product(x, y), Value::Variable(digit)) if y == reciprocal => Some((x, digit)),
                (Source::Product(y, x), Value::Variable(digit)) if y == reciprocal => Some((x, digit)),
                _ => None,
            });
        let (nothing, everywhere) = (HashSet::new(), Case::new());
        let mut checker = self.checker()?;
        let mut failure = None;
        // If several numbers are divided, take the estimate that the checker accepts for this one.
        for (above, digit) in estimates {
            let mut functional = Functional::new(self.integers, &nothing, &everywhere);
            for (i, &id) in self.statement.first.iter().skip(from).take(digits).enumerate() {
                functional.add(&(BigInt::from(1) << (bits * i)), Value::Variable(id));
            }
            functional.add(&-(BigInt::from(1) << place), Value::Variable(above));
            functional.write_out();
            functional.run(&[], false);
            let lemma = Lemma::Estimate { digit, uses: functional.uses };
            if let Err(other) = checker.add_lemma(&lemma) {
                failure = Some(other);
                continue;
            }
            self.certificate.lemmas.push(lemma);
            self.estimate = Some(digit);
            return Ok(());
        }
        failure.map_or_else(|| unproven("there is no product by the reciprocal"), Err)
    }

    /// Handles carries above the digits of a dividend. If a quotient is bounded higher than it can be, or
    /// digits are left above, their intervals allow them to be other than 0. The estimate shows that they
    /// are 0.
    pub(super) fn carries_of_division(&mut self, doubles: &Doubles) -> Result<()> {
        let Some(q) = self.estimate else { return Ok(()) };
        let bits = doubles::DIGIT as usize;
        let long = (0..doubles.digits).filter(|&i| doubles.highest_of_reduced(i) > BigInt::ZERO).count();
        let highest = BigInt::from(self.integers.bounds(Value::Variable(q)).1) * doubles.highest_modulus();
        if long + 1 >= doubles.digits && highest >> (bits * long) == BigInt::ZERO {
            return Ok(());
        }
        let mut checker = self.checker()?;
        for lemma in &self.certificate.lemmas {
            checker.add_lemma(lemma)?;
        }
        let (everywhere, weight) = (Case::new(), doubles::DIGIT * doubles.digits as u32 + LIFT);
        let is_carry = |&id: &Id| {
            let (low, high) = self.integers.bounds(Value::Variable(id));
            let is_high = matches!(self.integers.system.definitions[id as usize], Definition::High(_));
            is_high && low >= -1 && high <= 1 && self.integers.recorded(Value::Variable(id)) == 0
        };
        let carries = (q..self.integers.system.definitions.len() as Id).filter(is_carry);
        for id in carries.take(CARRIES * doubles.digits).collect::<Vec<_>>() {
            let mut functional = Functional::new(self.integers, &self.zeros, &everywhere);
            functional.add(&(BigInt::from(1) << weight), Value::Variable(id));
            functional.run(&[q], false);
            let (case, variables, products) = (everywhere.clone(), vec![id], Vec::new());
            let lemma = Lemma::Bounds { case, variables, weight, uses: functional.uses, products };
            if checker.add_lemma(&lemma).is_ok() {
                self.zeros.insert(id);
                self.certificate.lemmas.push(lemma);
            }
        }
        self.equal_borrows(q, &mut checker)
    }

    /// If a digit above the dividend is 0, the borrow from it equals the borrow by it. Cases in which both
    /// differ need not be looked at, as the checker excludes them by the equations of the borrows.
    fn equal_borrows(&mut self, q: Id, checker: &mut Checker<'_>) -> Result<()> {
        let (integers, everywhere) = (self.integers, Case::new());
        let system = &integers.system;
        let is_borrow = |&id: &Id| integers.bounds(Value::Variable(id)) == (-1, 0);
        // Other definitions make no cases.
        let selector = |definition: &Definition| match definition {
            Definition::Choice(selector, ..) => Some(*selector),
            _ => None,
        };
        let selectors: HashSet<Id> = system.definitions.iter().filter_map(selector).collect();
        let are_borrows = |id: &Id| selectors.contains(id) && is_borrow(id);
        for id in (q..system.definitions.len() as Id).filter(are_borrows) {
            let Definition::High(number) = system.definitions[id as usize] else { continue };
            let split = &system.splits[number as usize];
            let Source::Single(of) = split.source else { continue };
            if split.shift != doubles::DIGIT || self.zeros.contains(&id) {
                continue;
            }
            let (constant, terms) = integers.written_out(Value::Variable(of));
            let id_of = |(c, x)| if let Value::Variable(id) = x { Some((c, id)) } else { None };
            let mut terms: Vec<(i128, Id)> = terms.into_iter().filter_map(id_of).collect();
            terms.retain(|(_, id)| !self.zeros.contains(id));
            let Some(at) = terms.iter().position(|(c, id)| *c == 1 && is_borrow(id)) else { continue };
            let (_, below) = terms.remove(at);
            // The digit is a choice between two multiples of an integer that is zero.
            let is_zero = |&(_, id): &(i128, Id)| match system.definitions[id as usize] {
                Definition::Choice(selector, ..) => self.zeros.contains(&selector),
                _ => false,
            };
            if constant != 0 || !terms.iter().all(is_zero) {
                continue;
            }
            let mut lemmas = Vec::new();
            for &(_, digit) in &terms {
                let weight = doubles::DIGIT;
                let mut functional = Functional::new(integers, &self.zeros, &everywhere);
                functional.add(&(BigInt::from(1) << weight), Value::Variable(digit));
                functional.run(&[], false);
                let (case, uses, products) = (everywhere.clone(), functional.uses, Vec::new());
                lemmas.push(Lemma::Bounds { case, variables: vec![digit], weight, uses, products });
            }
            if lemmas.iter().all(|lemma| checker.add_lemma(lemma).is_ok()) {
                self.zeros.extend(terms.iter().map(|&(_, digit)| digit));
                self.certificate.lemmas.extend(lemmas);
                self.equals.push([below, id]);
            }
        }
        Ok(())
    }
}
