//! Checks that the lowest L digits of a sum are cleared by a quotient of L digits, where L is at most K.
//!
//! With Q ≡ B·N' and N'·N ≡ −1, B + Q·N ≡ 0 modulo 2^(52·L). Let E be B plus the products q_s·N_t·2^(52·(s +
//! t)) with s + t < L, less 2^(52·L) times the carry and times the upper halves of the products with s + t =
//! L − 1. The rest of Q·N, these halves and the carry are multiples of 2^(52·L), and so is E. If E is shorter
//! than that, it is 0.

use num_bigint::BigInt;

use super::{
    intervals::Checker,
    polynomial::{Polynomial, power, refuse},
};
use crate::{
    certificate::{Case, Cleared},
    failure::Result,
    specification::digits::DIGIT,
    system::{Source, Value},
};

/// The weight of a digit.
fn weight(i: usize) -> BigInt {
    power(DIGIT as usize * i)
}

impl Checker<'_> {
    /// Adds c·E.
    fn add_rest(&self, sum: &mut Polynomial, cleared: &Cleared, c: &BigInt) -> Result<()> {
        let Cleared { digits, quotient, carry, splits, .. } = cleared;
        let modulus = &self.statement.modulus;
        let length = quotient.len();
        for (s, &digit) in digits.iter().enumerate() {
            self.add(sum, &(c * weight(s)), Value::Variable(digit));
        }
        for (s, &q) in quotient.iter().enumerate() {
            for (t, &n) in modulus.iter().take(length - s).enumerate() {
                self.add_product(sum, &(c * weight(s + t)), q, n);
            }
            // There is none if the modulus has fewer digits.
            let Some(&n) = modulus.get(length - 1 - s) else { continue };
            let split = splits.get(s).and_then(|&number| self.system.splits.get(number as usize));
            let Some(split) = split.filter(|split| split.shift == DIGIT) else {
                return refuse("the upper half of a product is missing");
            };
            if split.source != Source::Product(q.min(n), q.max(n))
                && split.source != Source::Product(q.max(n), q.min(n))
            {
                return refuse("the upper half of another product");
            }
            self.add(sum, &-(c * weight(length)), split.high);
        }
        self.add(sum, &-(c * weight(length)), Value::Variable(*carry));
        Ok(())
    }

    /// Adds c times the sum that was shown to be 0.
    pub(super) fn add_cleared(&self, sum: &mut Polynomial, number: u32, c: &BigInt) -> Result<()> {
        match self.cleared.get(number as usize) {
            Some(cleared) => self.add_rest(sum, cleared, c),
            None => refuse(format!("there are no cleared digits {number}")),
        }
    }

    /// Checks that E is 0.
    pub(super) fn check_cleared(&self, cleared: &Cleared) -> Result<()> {
        let Cleared { digits, quotient, of_quotient, of_carry, .. } = cleared;
        let what = || "digits that may be other than zero";
        let Some(inverse) = self.statement.digits.as_ref().map(|digits| &digits.inverse) else {
            return refuse(what());
        };
        let length = quotient.len();
        let is_reduced = self.statement.specification.is_reduced;
        if length == 0 || length > inverse.len() || digits.len() != length || !is_reduced {
            return refuse(what());
        }
        let unit = weight(length);
        let mut sum = Polynomial::default();
        for (s, &digit) in digits.iter().enumerate() {
            for (t, &other) in inverse.iter().enumerate() {
                self.add_product(&mut sum, &weight(s + t), digit, other);
            }
        }
        for (s, &q) in quotient.iter().enumerate() {
            self.add(&mut sum, &-weight(s), Value::Variable(q));
        }
        self.add_uses(&mut sum, of_quotient, &Case::new())?;
        if !sum.is_multiple_of(&unit) {
            return refuse("a quotient that is another");
        }
        let mut sum = Polynomial::default();
        self.add_rest(&mut sum, cleared, &1.into())?;
        self.add_uses(&mut sum, of_carry, &Case::new())?;
        let (low, high) = self.sum_interval(&sum);
        if low <= -&unit || high >= unit {
            return refuse(what());
        }
        Ok(())
    }
}
