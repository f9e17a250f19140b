//! The lowest digits of a sum that a quotient of as many digits clears: see the check of them.

use num_bigint::BigInt;
use std::collections::BTreeMap;

use super::search::{Prover, unproven};
use crate::{
    certificate::{Cleared, Equation, Use},
    elimination::Functional,
    failure::Result,
    specification::digits::{DIGIT, Digits},
    system::{Definition, Id, Source, Value},
};

/// The weight of a digit.
fn weight(i: usize) -> BigInt {
    BigInt::from(1) << (DIGIT as usize * i)
}

impl Prover<'_> {
    /// What was cleared, and the exponent of the weight of its lowest digit. `functional` is R times the result: the quotient's digits
    /// are found in it by their products with the highest digit of the modulus.
    pub(super) fn find_cleared(
        &self,
        functional: &Functional<'_>,
        digits: &Digits,
    ) -> Result<(Cleared, usize)> {
        let modulus = &self.statement.modulus;
        let Some(&top) = modulus.last() else { return unproven("a modulus without digits") };
        let mut found: BTreeMap<usize, Id> = BTreeMap::new();
        for (&(x, y), c) in &functional.products {
            let other = if x == top { y } else { x };
            let exponent = c.trailing_zeros().unwrap_or(0) as usize;
            if (x == top || y == top) && exponent >= DIGIT as usize * (modulus.len() - 1) {
                found.insert(exponent - DIGIT as usize * (modulus.len() - 1), other);
            }
        }
        let Some(&lowest) = found.keys().next() else { return unproven("no digit of a quotient is found") };
        let quotient: Vec<Id> = found.into_values().collect();
        // Where the lowest columns have no products there are fewer than K.
        let length = quotient.len();
        if length < 2 || length > digits.inverse.len() {
            return unproven(format!("{length} digits of a quotient"));
        }
        let system = &self.integers.system;
        let mut cleared = Cleared {
            digits: Vec::new(),
            carry: 0,
            splits: Vec::new(),
            of_quotient: Vec::new(),
            of_carry: Vec::new(),
            quotient,
        };
        for (s, &q) in cleared.quotient.iter().enumerate() {
            let Definition::Low(number) = system.definitions[q as usize] else {
                return unproven(format!("{} is no lower part", self.name(q)));
            };
            // The sum that the digit is the lower part of has the product of one digit with the lowest of the inverse.
            let source = match system.splits[number as usize].source {
                Source::Single(of) => {
                    cleared
                        .of_quotient
                        .push(Use { equation: Equation::Split(number), multiplier: -weight(s) });
                    of
                }
                Source::Product(..) => q,
            };
            let digit = self.terms_of(source).find_map(|id| self.times(id, digits.inverse[0]));
            let Some(digit) = digit else {
                return unproven(format!("{} is no digit of B·N'", self.name(q)));
            };
            cleared.digits.push(digit);
        }
        let split_of = |x: Id, y: Id| match self.integers.number_of_product(x, y, DIGIT) {
            Some(number) => Ok(number),
            None => unproven(format!("{}·{} is not there", self.name(x), self.name(y))),
        };
        for (s, (&digit, &q)) in cleared.digits.iter().zip(&cleared.quotient).enumerate() {
            for (t, &other) in digits.inverse.iter().take(length - s).enumerate() {
                let (equation, multiplier) = (Equation::Split(split_of(digit, other)?), -weight(s + t));
                cleared.of_quotient.push(Use { equation, multiplier });
            }
            // In the highest column, and in that below, whose upper halves are in it.
            for (column, t) in [(length - 1, length - 1 - s), (length - 2, (length - 2).wrapping_sub(s))] {
                let Some(&n) = modulus.get(t) else { continue };
                let number = split_of(q, n)?;
                cleared.of_carry.push(Use { equation: Equation::Split(number), multiplier: -weight(column) });
                if column == length - 1 {
                    cleared.splits.push(number);
                }
            }
        }
        // What is carried is the upper part of the highest column and 2^52 − 1.
        let Some(Value::Variable(low)) =
            cleared.splits.first().map(|&number| system.splits[number as usize].low)
        else {
            return unproven("no product in the highest column");
        };
        let rounded_up = (1 << DIGIT) - 1;
        let carry =
            system.splits.iter().enumerate().find_map(|(number, split)| match (split.source, split.high) {
                (Source::Single(of), Value::Variable(high)) if split.shift == DIGIT => {
                    let Definition::Sum(constant, _) = &system.definitions[of as usize] else { return None };
                    let is_it = *constant == rounded_up && self.terms_of(of).any(|id| id == low);
                    is_it.then_some((number as u32, high))
                }
                _ => None,
            });
        let Some((number, carry)) = carry else { return unproven("no carry out of the highest column") };
        cleared.of_carry.push(Use { equation: Equation::Split(number), multiplier: -weight(length - 1) });
        cleared.carry = carry;
        Ok((cleared, lowest))
    }

    /// The integers that a sum is made of, or the integer.
    fn terms_of(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        let mut open = vec![id];
        core::iter::from_fn(move || {
            while let Some(id) = open.pop() {
                match &self.integers.system.definitions[id as usize] {
                    Definition::Sum(_, terms) => open.extend(terms.iter().map(|&(of, _)| of)),
                    _ => return Some(id),
                }
            }
            None
        })
    }

    /// The other factor, if this is the lower half of a product with a digit.
    fn times(&self, id: Id, digit: Id) -> Option<Id> {
        let Definition::Low(number) = self.integers.system.definitions[id as usize] else { return None };
        match self.integers.system.splits[number as usize].source {
            Source::Product(x, y) if y == digit => Some(x),
            Source::Product(x, y) if x == digit => Some(y),
            _ => None,
        }
    }

    fn upper_halves<'a>(&'a self, cleared: &'a Cleared) -> impl Iterator<Item = Id> + 'a {
        cleared.splits.iter().filter_map(|&number| match self.integers.system.splits[number as usize].high {
            Value::Variable(id) => Some(id),
            Value::Constant(_) => None,
        })
    }

    /// What is taken as it is: the carry, and the upper halves above it.
    pub(super) fn atoms_of(&self, cleared: &Cleared) -> Vec<Id> {
        self.upper_halves(cleared).chain([cleared.carry]).collect()
    }

    /// Adds 2^exponent times what is 0.
    pub(super) fn add_cleared(&self, functional: &mut Functional<'_>, cleared: &Cleared, exponent: usize) {
        let unit = BigInt::from(1) << exponent;
        let length = cleared.quotient.len();
        for (s, (&digit, &q)) in cleared.digits.iter().zip(&cleared.quotient).enumerate() {
            *functional.left.entry(digit).or_default() += &unit * weight(s);
            for (t, &n) in self.statement.modulus.iter().take(length - s).enumerate() {
                *functional.products.entry((q.min(n), q.max(n))).or_default() += &unit * weight(s + t);
            }
        }
        for id in self.atoms_of(cleared) {
            *functional.left.entry(id).or_default() -= &unit * weight(length);
        }
        functional.uses.push(Use { equation: Equation::Cleared(0), multiplier: unit });
    }
}
