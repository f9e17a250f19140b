//! Writes what the statement speaks of as sums (the operands by its formula, the modulus, R and the result),
//! and takes these out of a sum.

use num_bigint::BigInt;

use super::{
    intervals::Checker,
    polynomial::{Interval, Polynomial, power, refuse, widen},
};
use crate::{
    failure::Result,
    specification::{Formula, Statement},
    system::{Id, Value},
};

/// A sum as κ·U + β·N + multiples of atoms + a constant + a rest whose interval is known.
pub(super) struct Shape {
    pub(super) kappa: BigInt,
    pub(super) beta: BigInt,
    pub(super) atoms: Vec<BigInt>,
    pub(super) constant: BigInt,
    pub(super) rest: Interval,
    /// Whether the rest only subtracts multiples of the least number that is longer than the result.
    pub(super) is_cut: bool,
}

impl Checker<'_> {
    /// Sets the digits of the quotient Q, with the exponents of their weights.
    pub fn set_quotient(&mut self, quotient: &[(Id, u32)]) -> Result<()> {
        if !self.statement.specification.is_reduced && !quotient.is_empty() {
            return refuse("a quotient where nothing is reduced");
        }
        self.quotient = quotient.to_vec();
        Ok(())
    }

    /// Bits of a digit of all numbers.
    pub(super) fn digit_bits(&self) -> usize {
        self.statement.digit_bits() as usize
    }

    /// R.
    pub(super) fn factor(&self) -> BigInt {
        power(self.statement.factor_bits())
    }

    /// B.
    pub(super) fn base(&self) -> BigInt {
        power(self.digit_bits() * self.statement.modulus.len())
    }

    /// Adds c·N.
    pub(super) fn add_modulus(&self, sum: &mut Polynomial, c: &BigInt) {
        for (i, &id) in self.statement.modulus.iter().enumerate() {
            self.add(sum, &(c << self.statement.place_of_modulus(i)), Value::Variable(id));
        }
    }

    /// Adds c times the products that the formula adds up.
    pub(super) fn add_factors(&self, sum: &mut Polynomial, c: &BigInt) {
        let Self { statement, .. } = self;
        for (x, y) in self.statement.factors() {
            for (i, &x) in x.iter().enumerate() {
                for (j, &y) in y.iter().enumerate() {
                    self.add_product(
                        sum,
                        &(c << (statement.place_of_first(i) + statement.place_of_second(j))),
                        x,
                        y,
                    );
                }
            }
        }
    }

    /// Adds c·U, where U is Q·N plus what the formula says.
    pub(super) fn add_formula(&self, sum: &mut Polynomial, c: &BigInt) {
        let Statement { first, second, .. } = self.statement;
        self.add_factors(sum, c);
        let Self { statement, .. } = self;
        let number = |sum: &mut Polynomial, c: &BigInt, x: &[Id], place: &dyn Fn(usize) -> usize| {
            for (i, &x) in x.iter().enumerate() {
                self.add(sum, &(c << place(i)), Value::Variable(x));
            }
        };
        let [of_first, of_second]: [&dyn Fn(usize) -> usize; 2] =
            [&|i| statement.place_of_first(i), &|i| statement.place_of_second(i)];
        match self.statement.specification.formula {
            Formula::Product
            | Formula::Square
            | Formula::Pieces(_)
            | Formula::Blocks { .. }
            | Formula::Whole => {}
            // These are checked case by case (`cases.rs`, `index.rs`).
            Formula::Entry | Formula::Exchange | Formula::Place(_) | Formula::Lowest(_) => {}
            // This is checked for digits only (`digits.rs`).
            Formula::Raised(_) => {}
            Formula::First | Formula::Shifted(_) | Formula::Once(_) | Formula::Long | Formula::Copy => {
                number(sum, c, first, of_first)
            }
            Formula::Remainder | Formula::Estimated(_) => {
                number(sum, c, first, of_first);
                for (i, &n) in self.statement.modulus.iter().enumerate() {
                    if let Some(q) = self.estimate {
                        self.add_product(sum, &-(c << statement.place_of_modulus(i)), q, n);
                    }
                }
            }
            Formula::Sum => {
                number(sum, c, first, of_first);
                number(sum, c, second, of_second);
            }
            Formula::Difference => {
                number(sum, c, first, of_first);
                number(sum, &-c, second, of_second);
            }
        }
        for &(q, weight) in &self.quotient {
            for (i, &n) in self.statement.modulus.iter().enumerate() {
                self.add_product(sum, &(c << (self.statement.place_of_modulus(i) + weight as usize)), q, n);
            }
        }
    }

    /// The multiple of U in a sum, according to the lowest word or product of words of the formula.
    pub(super) fn kappa(&self, sum: &Polynomial) -> BigInt {
        let Statement { first, second, .. } = self.statement;
        let found = match self.statement.specification.formula {
            Formula::Product | Formula::Pieces(_) | Formula::Blocks { .. } => {
                sum.products.get(&(first[0].min(second[0]), first[0].max(second[0])))
            }
            Formula::Square => sum.products.get(&(first[0], first[0])),
            _ => sum.linear.get(&first[0]),
        };
        found.cloned().unwrap_or_default()
    }

    /// Takes U, N and the atoms out of a sum.
    pub(super) fn shape(&self, mut sum: Polynomial) -> Result<Shape> {
        let kappa = self.kappa(&sum);
        self.add_formula(&mut sum, &-&kappa);
        let beta = sum.linear.get(&self.statement.modulus[0]).cloned().unwrap_or_default();
        self.add_modulus(&mut sum, &-&beta);
        if let Some(((x, y), _)) = sum.products.iter().find(|(_, c)| **c != BigInt::ZERO) {
            return refuse(format!("the product of {x} and {y} is left over"));
        }
        let atoms = self.atoms.iter().map(|atom| sum.linear.remove(atom).unwrap_or_default()).collect();
        let constant = core::mem::take(&mut sum.constant);
        let rest = self.sum_interval(&sum);
        let unit = self.above_result();
        let is_cut_off = |(id, c): (&Id, &BigInt)| {
            *c == BigInt::ZERO
                || *c < BigInt::ZERO
                    && c % &unit == BigInt::ZERO
                    && self.intervals[*id as usize].0 >= BigInt::ZERO
        };
        let is_cut = rest.0 < BigInt::ZERO && sum.linear.iter().all(is_cut_off);
        Ok(Shape { kappa, beta, atoms, constant, rest, is_cut })
    }

    /// R times the least number that has more digits than the result.
    pub(super) fn above_result(&self) -> BigInt {
        self.factor() << self.statement.place_of_result(self.statement.result.len())
    }

    pub(super) fn result(&self, sum: &mut Polynomial) -> Result<Interval> {
        let factor = self.factor();
        let mut interval = (BigInt::ZERO, BigInt::ZERO);
        for (i, &digit) in self.statement.result.iter().enumerate() {
            let weight = power(self.statement.place_of_result(i));
            self.add(sum, &(&factor * &weight), digit);
            widen(&mut interval, &weight, &self.interval(digit)?);
        }
        Ok(interval)
    }
}
