//! Finds the lowest digits of a sum that are cleared by a quotient of as many digits: see
//! `checker/cleared.rs`.

use num_bigint::BigInt;
use std::collections::{BTreeMap, BTreeSet};

use super::{
    digits::{Chain, weight},
    search::{Prover, unproven},
};
use crate::{
    certificate::{Cleared, Equation, Use},
    elimination::Functional,
    failure::Result,
    specification::digits::{DIGIT, Digits},
    system::{Definition, Id, Source, Split, Value},
};

impl Prover<'_> {
    /// Finds what was cleared, and the exponent of the weight of its lowest digit. `functional` is R times
    /// the result. The quotient's digits are found in it by their products with the highest digit of the
    /// modulus.
    pub(super) fn find_cleared(
        &mut self,
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
        // If the lowest columns have no products, there are fewer than K digits.
        let length = quotient.len();
        if length < 2 || length > digits.inverse.len() {
            return unproven(format!("{length} digits of a quotient"));
        }
        let (integers, mut chain) = (self.integers, Chain::default());
        let system = &integers.system;
        let mut cleared = Cleared {
            digits: Vec::new(),
            carry: 0,
            splits: Vec::new(),
            of_quotient: Vec::new(),
            of_carry: Vec::new(),
            quotient,
        };
        let mut dropped: Vec<Id> = Vec::new();
        for (s, &q) in cleared.quotient.iter().enumerate() {
            let Definition::Low(number) = system.definitions[q as usize] else {
                return unproven(format!("{} is no lower part", self.name(q)));
            };
            // The sum of which the digit is the lower part has the product of one digit and the lowest digit
            // of the inverse.
            let (mut terms, mut taken) = (vec![q], Vec::new());
            if let Source::Single(of) = system.splits[number as usize].source {
                (terms, taken) = (self.terms_of(of).collect(), vec![number]);
            }
            // If carries run through a mask, the sum to which they are added is a lower part itself.
            let mut at = 0;
            while let Some(&id) = terms.get(at) {
                if let Some((part, whole)) = self.low_part(id).filter(|_| id != q) {
                    taken.push(part);
                    terms.extend(self.terms_of(whole));
                }
                at += 1;
            }
            let split = |&number: &u32| Use { equation: Equation::Split(number), multiplier: -weight(s) };
            cleared.of_quotient.extend(taken.iter().map(split));
            let carry = terms.iter().copied().find(|&id| self.is_of_mask(id));
            dropped.retain(|id| !terms.contains(id));
            if let Some(carry) = carry {
                let equation = Equation::Relation(self.relate_carry(carry, &dropped, &mut chain)?);
                cleared.of_quotient.push(Use { equation, multiplier: weight(s) });
            }
            let Some(digit) = terms.iter().find_map(|&id| self.times(id, digits.inverse[0])) else {
                return unproven(format!("{} is no digit of B·N'", self.name(q)));
            };
            cleared.digits.push(digit);
            let above = |&number: &u32| match system.splits[number as usize].high {
                Value::Variable(high) => Some(high),
                Value::Constant(_) => None,
            };
            dropped = taken.iter().filter_map(above).collect();
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
            if let Some(&n) = modulus.get(length - 1 - s) {
                cleared.splits.push(split_of(q, n)?);
            }
        }
        // The carry is the upper part of the sum of the highest column and 2^52 − 1.
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
        let take = |number: u32, column: usize| Use {
            equation: Equation::Split(number),
            multiplier: -weight(column),
        };
        cleared.of_carry.push(take(number, length - 1));
        // The carry into the highest column, without the carry from below.
        let carried: Vec<u32> = match system.splits[number as usize].source {
            Source::Single(of) => self.terms_of(of).filter_map(|id| self.high_part(id)).collect(),
            Source::Product(..) => Vec::new(),
        };
        cleared.of_carry.extend(carried.iter().map(|&number| take(number, length - 2)));
        // The products in the highest column, and in the one below, whose upper halves belong to it; and so
        // on, if the column below is included.
        let columns = if carried.is_empty() { 2 } else { 3.min(length) };
        for column in length - columns..length {
            for (s, &q) in cleared.quotient.iter().enumerate().take(column + 1) {
                if let Some(&n) = modulus.get(column - s) {
                    cleared.of_carry.push(take(split_of(q, n)?, column));
                }
            }
        }
        cleared.carry = carry;
        Ok((cleared, lowest))
    }

    /// Digits of quotients below which carries run through masks, and their places. The sums that they are
    /// made of are no part of the result.
    pub(super) fn digits_that_are_dropped(&self, digits: &Digits) -> Vec<(usize, Id)> {
        if digits.inverse.is_empty() {
            return Vec::new();
        }
        let (high, made) = (digits.high[0], self.made_of());
        let times = |split: &Split| match split.source {
            Source::Product(x, y) if x == high => Some(y),
            Source::Product(x, y) if y == high => Some(x),
            _ => None,
        };
        let all = self.integers.system.splits.iter().filter_map(times).filter(|&id| made[id as usize]);
        let found: BTreeSet<Id> = all.collect();
        // Each block except the last has its own. The first blocks have none if nothing is added yet.
        let lowest = digits.reduced.saturating_sub(digits.block + found.len());
        found.into_iter().enumerate().map(|(i, digit)| (lowest + i, digit)).collect()
    }

    /// Whether the result is made of each integer.
    fn made_of(&self) -> Vec<bool> {
        let system = &self.integers.system;
        let mut made = vec![false; system.definitions.len()];
        let id_of = |x: &Value| if let Value::Variable(id) = x { Some(*id) } else { None };
        let mut open: Vec<Id> = self.statement.result.iter().filter_map(id_of).collect();
        while let Some(id) = open.pop() {
            if core::mem::replace(&mut made[id as usize], true) {
                continue;
            }
            match &system.definitions[id as usize] {
                Definition::Sum(_, terms) => open.extend(terms.iter().map(|&(of, _)| of)),
                Definition::Choice(selector, first, second) => {
                    open.extend([first, second].into_iter().filter_map(id_of).chain([*selector]));
                }
                Definition::Low(number) | Definition::High(number) => {
                    match system.splits[*number as usize].source {
                        Source::Single(of) => open.push(of),
                        Source::Product(x, y) => open.extend([x, y]),
                    }
                }
                Definition::Either(x, y) => open.extend([x, y].into_iter().filter_map(id_of)),
                Definition::Input(..) | Definition::Word(_) => {}
            }
        }
        made
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

    /// The split and the source, if this is the lowest digit of a sum.
    fn low_part(&self, id: Id) -> Option<(u32, Id)> {
        let Definition::Low(number) = self.integers.system.definitions[id as usize] else { return None };
        let split = &self.integers.system.splits[number as usize];
        match split.source {
            Source::Single(of) if split.shift == DIGIT => Some((number, of)),
            _ => None,
        }
    }

    /// The split, if this is what is above the lowest digit of a sum.
    fn high_part(&self, id: Id) -> Option<u32> {
        let Definition::High(number) = self.integers.system.definitions[id as usize] else { return None };
        let split = &self.integers.system.splits[number as usize];
        (matches!(split.source, Source::Single(_)) && split.shift == DIGIT).then_some(number)
    }

    /// Whether this is a bit of a mask.
    fn is_of_mask(&self, id: Id) -> bool {
        self.integers.bounds(Value::Variable(id)) == (0, 1)
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

    /// The integers that are not replaced: the carry, and the upper halves above it.
    pub(super) fn atoms_of(&self, cleared: &Cleared) -> Vec<Id> {
        self.upper_halves(cleared).chain(self.terms_of(cleared.carry)).collect()
    }

    /// Adds 2^exponent times the sum that is 0.
    pub(super) fn add_cleared(&self, functional: &mut Functional<'_>, cleared: &Cleared, exponent: usize) {
        let unit = BigInt::from(1) << exponent;
        let length = cleared.quotient.len();
        for (s, (&digit, &q)) in cleared.digits.iter().zip(&cleared.quotient).enumerate() {
            functional.add(&(&unit * weight(s)), Value::Variable(digit));
            for (t, &n) in self.statement.modulus.iter().take(length - s).enumerate() {
                functional.add_product(&(&unit * weight(s + t)), q, n);
            }
        }
        for id in self.atoms_of(cleared) {
            functional.add(&-(&unit * weight(length)), Value::Variable(id));
        }
        functional.uses.push(Use { equation: Equation::Cleared(0), multiplier: unit });
    }
}
