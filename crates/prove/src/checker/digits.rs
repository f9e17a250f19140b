//! What a statement about digits of 52 bits asks for: the result is congruent to the formula, and below the multiple of the modulus
//! that it should be below.

use num_bigint::BigInt;
use std::collections::HashSet;

use super::{
    intervals::Checker,
    polynomial::{Interval, Polynomial, power, refuse, widen},
};
use crate::{
    certificate::{Certificate, Outcome},
    digits::{DIGIT, Digits, Multiple, PRODUCT},
    failure::Result,
    specification::Formula,
    system::{Definition, Id, Value},
};

/// The weight of a digit.
fn weight(i: usize) -> BigInt {
    power(DIGIT as usize * i)
}

impl Checker<'_> {
    /// That digits are symbols, each for itself, that can be as high as it takes for all numbers up to the highest one.
    fn check_number(&self, ids: &[Id], highest: &BigInt, seen: &mut HashSet<Id>) -> Result<()> {
        for (i, id) in ids.iter().enumerate() {
            let most: BigInt = (highest >> (DIGIT as usize * i)).min(power(DIGIT as usize) - 1);
            let is_digit = match self.system.definitions.get(*id as usize) {
                Some(&Definition::Input(0, high)) => BigInt::from(high) >= most,
                _ => false,
            };
            if !is_digit || !seen.insert(*id) {
                return refuse("an operand that is not any number of digits");
            }
        }
        if ids.is_empty() || highest >> (DIGIT as usize * ids.len()) != BigInt::ZERO {
            return refuse("an operand of too few digits");
        }
        Ok(())
    }

    /// That the operands are as the statement has them.
    pub(super) fn check_digit_operands(&self, digits: &Digits) -> Result<()> {
        let statement = self.statement;
        let mut seen = HashSet::new();
        let n = digits.highest_modulus();
        for ids in [&statement.modulus, &digits.high, &digits.step] {
            self.check_number(ids, &n, &mut seen)?;
        }
        self.check_number(&[statement.inverse], &(weight(1) - 1), &mut seen)?;
        let formula = statement.specification.formula;
        let highest = digits.highest_operand(formula);
        self.check_number(&statement.first, &highest, &mut seen)?;
        match formula {
            Formula::Product => self.check_number(&statement.second, &highest, &mut seen),
            _ if statement.second.is_empty() => Ok(()),
            _ => refuse("an operand too many"),
        }
    }

    /// c times the product that the formula is about.
    fn add_digit_product(&self, sum: &mut Polynomial, c: &BigInt) {
        let (first, second) = (&self.statement.first, &self.statement.second);
        let second = if second.is_empty() { first } else { second };
        for (i, &x) in first.iter().enumerate() {
            for (j, &y) in second.iter().enumerate() {
                self.add_product(sum, &(c * weight(i + j)), x, y);
            }
        }
    }

    /// An interval of a sum in which the product of both operands is taken as a whole.
    pub(super) fn interval_with_product(&self, mut sum: Polynomial) -> Interval {
        let formula = self.statement.specification.formula;
        let Some(digits) = &self.statement.digits else { return self.sum_interval(&sum) };
        let kappa = match formula {
            Formula::Product | Formula::Square => self.kappa(&sum),
            _ => return self.sum_interval(&sum),
        };
        self.add_digit_product(&mut sum, &-&kappa);
        let mut interval = self.sum_interval(&sum);
        let n = digits.highest_modulus();
        let highest = digits.products(formula).into_iter().map(|multiple| multiple * &n).max();
        widen(&mut interval, &kappa, &(BigInt::ZERO, highest.unwrap_or_default()));
        interval
    }

    /// c·q times a multiple of N.
    fn add_multiple(&self, sum: &mut Polynomial, digits: &Digits, c: &BigInt, q: Id, multiple: Multiple) {
        let (number, shift) = match multiple {
            Multiple::High => (&digits.high, digits.block),
            Multiple::Step => (&digits.step, 1),
            Multiple::Modulus => (&self.statement.modulus, 0),
        };
        for (i, &id) in number.iter().enumerate() {
            self.add_product(sum, &(c * weight(i + shift)), q, id);
        }
        if multiple != Multiple::Modulus {
            self.add(sum, &-c, Value::Variable(q));
        }
    }

    /// R·X' = X·Y + Σ q·2^w·m, for multiples m of N below 2^(52·k)·N; from that, X' < 4·N.
    pub(super) fn check_digit_product(&mut self, digits: &Digits, certificate: &Certificate) -> Result<()> {
        let formula = self.statement.specification.formula;
        if !matches!(formula, Formula::Product | Formula::Square) || !self.statement.specification.is_reduced
        {
            return refuse("no product of digits");
        }
        let [Outcome { case, uses, products }] = &certificate.outcomes[..] else {
            return refuse("a product of digits has one case");
        };
        if !case.is_empty() || !products.is_empty() {
            return refuse("a product of digits has no cases");
        }
        let mut sum = Polynomial::default();
        let factor = digits.factor();
        let top: BigInt = weight(1) - 1;
        for (i, &digit) in digits.result.iter().enumerate() {
            let (low, high) = self.interval(digit)?;
            if low < BigInt::ZERO || high > top {
                return refuse(format!("digit {i} of the result is no digit"));
            }
            self.add(&mut sum, &(&factor * weight(i)), digit);
        }
        self.add_uses(&mut sum, uses, case)?;
        self.add_digit_product(&mut sum, &BigInt::from(-1));
        // What is added is below this many times N.
        let mut total = BigInt::ZERO;
        for &(multiple, q, exponent) in &certificate.multiples {
            let (low, high) = self.interval(Value::Variable(q))?;
            if low < BigInt::ZERO {
                return refuse(format!("the digit {q} of a quotient may be negative"));
            }
            let exponent = power(exponent as usize);
            self.add_multiple(&mut sum, digits, &-&exponent, q, multiple);
            let longer = match multiple {
                Multiple::High => weight(digits.block),
                Multiple::Step => weight(1),
                Multiple::Modulus => BigInt::from(1),
            };
            total += high * exponent * longer;
        }
        if !sum.is_zero() {
            return refuse("the result is not what the formula says");
        }
        // X·Y ≤ 144·N² ≤ 144·(2^b − 1)·N, or X·Y < R·N.
        let limit = factor * PRODUCT;
        let residues = digits.products(formula);
        let holds =
            |(i, most): (usize, &BigInt)| if i == 0 { most + &total < limit } else { most + &total <= limit };
        if !residues.iter().enumerate().all(holds) {
            return refuse("the result may be too high");
        }
        Ok(())
    }
}
