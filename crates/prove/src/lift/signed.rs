//! Rules for words that represent signed integers, as borrows between digits do.
//!
//! A word that is the lower 64 bits of an integer of at most 62 bits and a sign is that integer modulo 2^64.
//! Sums of such words are formed from the integers, so that what was split off and added again disappears.
//! The flags of these sums are not followed.

use iced_x86::{Instruction, Mnemonic, OpKind};

use super::Lifter;
use crate::{
    failure::Result,
    integers::ones,
    system::{Definition, Source, Value},
};
use Value::{Constant, Variable};

/// The bits of these integers, without their sign.
const BITS: u32 = 62;

/// Sums with at most this many values are carries, not digits.
const CARRIES: i128 = 4;

impl Lifter<'_> {
    fn is_short(&self, x: Value) -> bool {
        let (low, high) = self.integers.bounds(x);
        low >= -(1 << BITS) && high <= 1 << BITS
    }

    /// The signed integer that a word represents.
    fn with_sign(&mut self, x: Value) -> Result<Option<Value>> {
        if let Some((of, first, second)) = self.integers.two_valued(x) {
            let signed = |x: i128| if x >> 63 == 1 { x - (1 << 64) } else { x };
            let value = self.integers.table(of, signed(first), signed(second))?;
            return Ok((value != x && self.is_short(value)).then_some(value));
        }
        let Variable(id) = x else { return Ok(None) };
        let Definition::Low(number) = self.integers.system.definitions[id as usize] else { return Ok(None) };
        let split = &self.integers.system.splits[number as usize];
        match split.source {
            Source::Single(of) if split.shift == 64 && self.is_short(Variable(of)) => Ok(Some(Variable(of))),
            _ => Ok(None),
        }
    }

    /// The word that represents a signed integer modulo 2^64.
    fn as_word(&mut self, x: Value) -> Result<Value> {
        Ok(self.integers.split(x, 64)?.0)
    }

    /// Lifts an instruction on such words. Returns whether it was one.
    pub(super) fn on_signed_words(&mut self, i: &Instruction) -> Result<bool> {
        use Mnemonic as M;
        let is_general = i.op_count() == 2 && i.op0_kind() == OpKind::Register && i.op0_register().is_gpr64();
        if !is_general || !matches!(i.mnemonic(), M::Add | M::Sub | M::And | M::Sar) {
            return Ok(false);
        }
        let (x, y) = (self.get(i, 0)?, self.get(i, 1)?);
        // Functions of a few bits are tabulated instead.
        if matches!(i.mnemonic(), M::Sar | M::And) && self.integers.hangs_on_bits(x) {
            return Ok(false);
        }
        let signed = (self.with_sign(x)?, self.with_sign(y)?);
        let result = match (i.mnemonic(), signed) {
            (M::Add | M::Sub, (None, None)) => return Ok(false),
            (M::Add | M::Sub, (a, b)) => {
                let (a, b) = (a.unwrap_or(x), b.unwrap_or(y));
                let sign = if i.mnemonic() == M::Add { 1 } else { -1 };
                if !self.is_short(a) || !self.is_short(b) {
                    return Ok(false);
                }
                let sum = self.integers.sum(0, &[(1, a), (sign, b)])?;
                // Flags are only needed for carries.
                let (low, high) = self.integers.bounds(sum);
                if !self.is_short(sum) || high - low < CARRIES {
                    return Ok(false);
                }
                self.as_word(sum)?
            }
            (M::And, (Some(x), None)) => match y {
                // If only the lowest bits are kept, those above do not matter.
                Constant(mask) if mask & (mask + 1) == 0 && mask < ones(63) => {
                    self.integers.split(x, (mask + 1).trailing_zeros())?.0
                }
                _ => return Ok(false),
            },
            (M::Sar, (Some(x), _)) => match y {
                Constant(count) if count & 63 != 0 => {
                    let above = self.integers.split(x, (count & 63) as u32)?.1;
                    self.as_word(above)?
                }
                _ => return Ok(false),
            },
            _ => return Ok(false),
        };
        self.put(i, 0, result)?;
        let is_logic = i.mnemonic() == M::And;
        let cleared = is_logic.then_some(Constant(0));
        self.flags = [cleared, None, None, None, None, cleared];
        self.compared = is_logic.then_some((result, Constant(0), 64));
        Ok(true)
    }
}
