//! Rules for words that are composed of pieces: disjunctions of pieces that do not overlap, and shifts of two
//! words at once.

use iced_x86::{Instruction, Mnemonic, OpKind};

use super::Lifter;
use crate::{
    failure::Result,
    system::{Definition, Id, Value},
};
use Value::{Constant, Variable};

impl Lifter<'_> {
    /// Whether a value is a sum of several multiples of integers of two values.
    fn is_sum_of_bits(&self, x: Value) -> bool {
        let Variable(id) = x else { return false };
        let is_bit = |&(id, _): &(Id, i128)| {
            let (low, high) = self.integers.bounds(Variable(id));
            high - low == 1
        };
        match &self.integers.system.definitions[id as usize] {
            Definition::Sum(_, terms) => terms.len() > 1 && terms.iter().all(is_bit),
            _ => false,
        }
    }

    /// Lifts one of these instructions. Returns whether it was one.
    pub(super) fn on_pieces(&mut self, i: &Instruction) -> Result<bool> {
        use Mnemonic as M;
        if i.op_count() < 2 || i.op0_kind() != OpKind::Register || !i.op0_register().is_gpr() {
            return Ok(false);
        }
        let bits = self.size(i, 0);
        match i.mnemonic() {
            M::Or => {
                let (x, y) = (self.get(i, 0)?, self.get(i, 1)?);
                if !matches!((x, y), (Variable(_), Variable(_))) || !self.integers.are_beside(x, y, bits) {
                    return Ok(false);
                }
                let sum = self.integers.sum(0, &[(1, x), (1, y)])?;
                self.put(i, 0, sum)?;
                self.flags = [Some(Constant(0)), None, None, None, None, Some(Constant(0))];
                self.compared = Some((sum, Constant(0), bits));
            }
            // A shift by no place changes nothing, not even flags.
            M::Shl | M::Shr | M::Sar => {
                let Constant(count) = self.get(i, 1)? else { return Ok(false) };
                let count = count as u32 % bits.max(32);
                let x = self.get(i, 0)?;
                if count == 0 {
                    self.put(i, 0, x)?;
                    return Ok(true);
                }
                // The carry out of a digit that is a sum of bits is a bit as well.
                if i.mnemonic() != M::Shr || !self.is_sum_of_bits(x) {
                    return Ok(false);
                }
                let Some(result) = self.integers.by_bits(&[x], |x| x[0] >> count)? else { return Ok(false) };
                self.put(i, 0, result)?;
                self.flags = [None; 6];
                self.compared = None;
            }
            M::Shrd | M::Shld if bits == 64 => {
                let (x, y) = (self.get(i, 0)?, self.get(i, 1)?);
                let Constant(count) = self.get(i, 2)? else { return Ok(false) };
                let count = count as u32 % 64;
                if count == 0 {
                    self.put(i, 0, x)?;
                    return Ok(true);
                }
                let from_above = if i.mnemonic() == M::Shrd { count } else { 64 - count };
                // The result is the lower part of the word above, placed above the upper part of the word
                // below.
                let (below, above) = if i.mnemonic() == M::Shrd { (x, y) } else { (y, x) };
                let below = self.integers.split(below, from_above)?.1;
                let above = self.integers.split(above, from_above)?.0;
                let result = self.integers.sum(0, &[(1, below), (1 << (64 - from_above), above)])?;
                self.put(i, 0, result)?;
                self.flags = [None; 6];
                self.compared = None;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}
