//! Quotients that are estimated by the highest bits of a number and of the modulus (Barrett).
//!
//! With B the lowest bit that is seen, d = ⌊N/2^B⌋, t = ⌊Z/2^B⌋ and c = ⌈2^64/d⌉, the digit is q = ⌊(t + 1)·c/2^64⌋. For Z < 12·N:
//!
//! - q ≥ ⌊Z/N⌋, as (t + 1)·c/2^64 ≥ (t + 1)/d > Z/N: so Z − q·N < N;
//! - q < Z/N + 1 where (t + 1)/d + (t + 1)/2^64 ≤ t/(d + 1) + 1, as c < 2^64/d + 1 and Z/N > t/(d + 1): so Z − q·N > −N. As
//!   t < 12·(d + 1), that holds where 13/d + 12·(d + 1)/2^64 ≤ 1; and if B is 0, where 1/N + (12·N + 1)/2^64 ≤ 1.

use num_bigint::BigInt;

use super::{
    intervals::Checker,
    polynomial::{Polynomial, power, refuse},
};
use crate::{
    certificate::{Case, Use},
    failure::Result,
    specification::{
        Formula,
        digits::{DIGIT, RESIDUE},
    },
    system::{Definition, Id, Source, Value},
};

impl Checker<'_> {
    /// Checks that a digit is the estimate of the quotient of the first operand and the modulus.
    pub(super) fn check_estimate(&self, digit: Id, uses: &[Use]) -> Result<()> {
        let statement = self.statement;
        let what = || format!("integer {digit} is no estimate of a quotient");
        let Some(digits) = &statement.digits else { return refuse(what()) };
        if statement.specification.formula != Formula::Remainder || digits.bits < 2 {
            return refuse(what());
        }
        // ⌊(t + 1)·c/2^64⌋.
        let Some(Definition::High(number)) = self.system.definitions.get(digit as usize) else {
            return refuse(what());
        };
        let split = &self.system.splits[*number as usize];
        let above = match split.source {
            Source::Product(x, y) if y == digits.reciprocal => x,
            Source::Product(y, x) if y == digits.reciprocal => x,
            _ => return refuse(what()),
        };
        // The two digits that are seen, less 2^place·t: what is left is shorter than that.
        let (lowest, from, place) = digits.estimated();
        let mut sum = Polynomial::default();
        for (i, weight) in [(from, 0), (from + 1, DIGIT as usize)] {
            if let Some(&id) = statement.first.get(i) {
                self.add(&mut sum, &power(weight), Value::Variable(id));
            }
        }
        self.add(&mut sum, &-power(place), Value::Variable(above));
        sum.constant += power(place);
        self.add_uses(&mut sum, uses, &Case::new())?;
        let is_linear = sum.products.values().all(|c| *c == BigInt::ZERO);
        let (low, high) = self.sum_interval(&sum);
        if split.shift != 64 || !is_linear || low < BigInt::ZERO || high >= power(place) {
            return refuse(what());
        }
        // There is nothing above these digits.
        let top = digits.highest_modulus() * RESIDUE;
        let [least, most] = digits.seen_of_modulus();
        let unit = power(64);
        let is_near = if lowest == 0 {
            // N is odd and above 1.
            digits.highest_modulus() * RESIDUE < &unit / 2
        } else {
            &unit * (RESIDUE + 1) + &least * (most + 1) * RESIDUE <= least * unit
        };
        if top >= power(DIGIT as usize * (from + 2)) || !is_near {
            return refuse(what());
        }
        Ok(())
    }
}
