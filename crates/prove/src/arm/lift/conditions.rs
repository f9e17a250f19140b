//! Rules for conditions, and for choices by them.

use super::{Lifter, fail};
use crate::{
    failure::{Reason, Result},
    system::Value,
};
use Value::{Constant, Variable};

impl Lifter<'_> {
    pub(super) fn carry(&self) -> Result<Value> {
        match self.flags.carry {
            Some(carry) => Ok(carry),
            None => fail(Reason::UnfollowedFlag, ""),
        }
    }

    pub(super) fn inverted(&mut self, bit: Value) -> Result<Value> {
        self.integers.sum(1, &[(-1, bit)])
    }

    fn zero(&mut self) -> Result<Value> {
        if let Some(zero) = self.flags.zero {
            return Ok(zero);
        }
        let Some((x, y, bits, _)) = self.flags.compared else { return fail(Reason::UnfollowedFlag, "") };
        // A word from which a constant was subtracted is zero if it was equal to the constant.
        let (x, y) = match (self.integers.after(x), y) {
            ((word, added), Constant(y)) if bits == 64 && added != 0 => {
                (word, Constant((y - added) & i128::from(u64::MAX)))
            }
            _ => (x, y),
        };
        let zero = match (x, y) {
            (Constant(x), Constant(y)) => Constant((x == y).into()),
            _ => self.integers.equal(x, y, bits)?,
        };
        self.flags.zero = Some(zero);
        Ok(zero)
    }

    /// Whether a condition holds, as a bit.
    pub(super) fn condition(&mut self, condition: u8) -> Result<Value> {
        let bit = match (condition >> 1, self.flags.signs) {
            (7, _) => return Ok(Constant(1)),
            (0, _) => self.zero()?,
            (1, _) => self.carry()?,
            (4, _) => self.is_above()?,
            (kind, Some((negative, overflow))) => match (kind, self.flags.zero) {
                (2, _) => Constant(negative.into()),
                (3, _) => Constant(overflow.into()),
                (5, _) => Constant((negative == overflow).into()),
                (_, Some(Constant(zero))) => Constant((negative == overflow && zero == 0).into()),
                _ => return fail(Reason::UnfollowedFlag, ""),
            },
            _ => return fail(Reason::UnfollowedFlag, ""),
        };
        if condition & 1 == 1 { self.inverted(bit) } else { Ok(bit) }
    }

    /// The condition that there is a carry and the result is not zero: after a comparison, whether the first
    /// operand is above the second.
    fn is_above(&mut self) -> Result<Value> {
        match (self.flags.compared, self.flags.carry, self.flags.zero) {
            (_, Some(Constant(carry)), Some(Constant(zero))) => Ok(Constant(carry & (1 - zero))),
            (Some((x, y, bits, true)), ..) => Ok(self.integers.subtract(y, x, Constant(0), bits)?.1),
            _ => fail(Reason::UnfollowedFlag, ""),
        }
    }

    /// One value or another, by a bit. If these are bits themselves, they are combined as such: as the
    /// disjunction of two carries, or as a carry and an equality.
    pub(super) fn choice(&mut self, bit: Value, one: Value, zero: Value) -> Result<Value> {
        let is_bit =
            |lifter: &Self, x: Value| matches!(x, Variable(_)) && lifter.integers.bounds(x) == (0, 1);
        if let Constant(bit) = bit {
            return Ok(if bit == 0 { zero } else { one });
        }
        match (one, zero) {
            (Constant(1), x) if is_bit(self, x) => self.integers.or(bit, x, 32),
            (x, Constant(1)) if is_bit(self, x) => {
                let other = self.inverted(bit)?;
                self.integers.or(other, x, 32)
            }
            (Constant(0), x) if is_bit(self, x) => {
                let other = self.inverted(bit)?;
                self.integers.and(other, x, 32)
            }
            (x, Constant(0)) if is_bit(self, x) => self.integers.and(bit, x, 32),
            _ => self.integers.choose(bit, one, zero),
        }
    }
}
