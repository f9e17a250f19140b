//! Checks the claims about doubles: that a sum is a double, that a rounding happens in one binade, and what
//! the bits of a double are. Intervals and sums of equations suffice for all of them.

use num_bigint::BigInt;
use std::collections::HashSet;

use super::{
    intervals::Checker,
    polynomial::{Polynomial, power, refuse},
};
use crate::{
    failure::Result,
    system::{Claim, Definition, Source, Value},
};

/// The bits of a double's fraction, and its highest exponent.
const FRACTION: usize = 52;
const BIAS: u32 = 1023;

impl Checker<'_> {
    /// Checks that all claims hold.
    pub(super) fn check_claims(&self) -> Result<()> {
        let mut bits = HashSet::new();
        for (number, claim) in self.system.claims.iter().enumerate() {
            let holds = match claim {
                Claim::Exact { .. } => self.is_exact(claim)?,
                Claim::Rounded { up, .. } => bits.insert(*up) && self.is_rounded(claim)?,
                Claim::Bits { .. } => self.are_bits(claim)?,
            };
            if !holds {
                return refuse(format!("claim {number} about a double does not hold: {claim:?}"));
            }
        }
        Ok(())
    }

    fn is_multiple(&self, x: Value, unit: u32) -> bool {
        let mut sum = Polynomial::default();
        self.add(&mut sum, &1.into(), x);
        sum.is_multiple_of(&power(unit as usize))
    }

    fn is_exact(&self, claim: &Claim) -> Result<bool> {
        let &Claim::Exact { product, added, by, value, unit } = claim else { return Ok(false) };
        let mut sum = Polynomial::default();
        self.add(&mut sum, &1.into(), added);
        self.add(&mut sum, &BigInt::from(-1), value);
        if let Some((x, y)) = product {
            self.add_product(&mut sum, &1.into(), x, y);
        }
        match by {
            Some(number) if (number as usize) < self.system.splits.len() => {
                self.add_split(&mut sum, number, &BigInt::from(-1));
            }
            Some(_) => return Ok(false),
            None => {}
        }
        let (low, high) = self.interval(value)?;
        let most = power(FRACTION + 1 + unit as usize);
        let is_short = unit < BIAS - 64 && low >= -&most && high <= most;
        Ok(sum.is_zero() && is_short && self.is_multiple(value, unit))
    }

    fn is_rounded(&self, claim: &Claim) -> Result<bool> {
        let &Claim::Rounded { split, added, up, value, unit } = claim else { return Ok(false) };
        let Some(split) = self.system.splits.get(split as usize) else { return Ok(false) };
        let Source::Product(x, y) = split.source else { return Ok(false) };
        if split.shift != unit
            || unit >= BIAS - 64
            || self.system.definitions.get(up as usize) != Some(&Definition::Input(0, 1))
            || !self.is_multiple(added, unit)
        {
            return Ok(false);
        }
        let one = power(unit as usize);
        let mut sum = Polynomial::default();
        self.add(&mut sum, &1.into(), value);
        self.add(&mut sum, &BigInt::from(-1), added);
        self.add(&mut sum, &-&one, split.high);
        self.add(&mut sum, &-&one, Value::Variable(up));
        let (low, high) = self.product_and(x, y, added)?;
        let first = power(FRACTION + unit as usize);
        Ok(sum.is_zero() && low >= first && high < first * 2)
    }

    /// The interval of a product plus what is added to it.
    fn product_and(&self, x: u32, y: u32, added: Value) -> Result<(BigInt, BigInt)> {
        let (x, y) = (self.interval(Value::Variable(x))?, self.interval(Value::Variable(y))?);
        let (from, to) = super::polynomial::product_interval(&x, &y);
        let (low, high) = self.interval(added)?;
        Ok((from + low, to + high))
    }

    fn are_bits(&self, claim: &Claim) -> Result<bool> {
        let &Claim::Bits { word, value, exponent } = claim else { return Ok(false) };
        if (exponent as usize) < FRACTION || exponent > BIAS - 64 {
            return Ok(false);
        }
        let (first, unit) = (power(exponent as usize), power(exponent as usize - FRACTION));
        let (low, high) = self.interval(value)?;
        // word = (exponent + 1023)·2^52 + (value − first)/unit.
        let mut sum = Polynomial::default();
        self.add(&mut sum, &unit, word);
        self.add(&mut sum, &BigInt::from(-1), value);
        sum.constant += &first - unit * power(FRACTION) * (exponent + BIAS);
        Ok(sum.is_zero() && low >= first && high <= first * 2)
    }
}
