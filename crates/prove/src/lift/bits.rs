//! Rules for words that are made of masks: their bits are moved, added and combined one by one.

use iced_x86::{Instruction, Mnemonic, OpKind, Register};

use super::{Bits, CARRY, Lifter, masks::at};
use crate::{failure::Result, system::Value};
use Value::Constant;

impl Lifter<'_> {
    /// Lifts an operation on such words, bit by bit or an addition. Returns whether it was one.
    pub(super) fn on_words_of_bits(&mut self, i: &Instruction) -> Result<bool> {
        let (x, y) = (self.whole(i, 0)?, self.whole(i, 1)?);
        if !self.was_a_mask(x) && !self.was_a_mask(y) {
            return Ok(false);
        }
        let (Some(a), Some(b)) = (self.bits_of(x), self.bits_of(y)) else { return Ok(false) };
        let width = self.size(i, 0) as usize;
        let (mut bits, mut carry) = (Bits::new(), Constant(0));
        if i.mnemonic() == Mnemonic::Add {
            (bits, carry) = self.add_bits(&a, &b, width)?;
        }
        for place in bits.len()..width {
            let (p, q) = (at(&a, place), at(&b, place));
            bits.push(match i.mnemonic() {
                Mnemonic::Xor if p == q => Constant(0),
                _ if p == q => p,
                Mnemonic::And => self.both(p, q)?,
                Mnemonic::Or => self.integers.choose(p, Constant(1), q)?,
                _ => {
                    let inverted = self.integers.sum(1, &[(-1, q)])?;
                    self.integers.choose(p, inverted, q)?
                }
            });
        }
        let result = self.word_of(bits)?;
        self.put(i, 0, result)?;
        let overflow = (i.mnemonic() != Mnemonic::Add).then_some(Constant(0));
        self.flags = [Some(carry), None, None, None, None, overflow];
        debug_assert!(self.flags[CARRY].is_some());
        self.compared = Some((result, Constant(0), width as u32));
        Ok(true)
    }

    /// An operand; if it is the lower part of a register whose bits are known, the whole register.
    fn whole(&mut self, i: &Instruction, operand: u32) -> Result<Value> {
        let is_high_byte =
            |register| matches!(register, Register::AH | Register::BH | Register::CH | Register::DH);
        if i.op_kind(operand) != OpKind::Register || is_high_byte(i.op_register(operand)) {
            return self.get(i, operand);
        }
        let whole = self.read_register(i.op_register(operand).full_register())?;
        if self.bits_of(whole).is_some() { Ok(whole) } else { self.get(i, operand) }
    }

    /// The bits of a sum, and its carry.
    fn add_bits(&mut self, a: &[Value], b: &[Value], width: usize) -> Result<(Bits, Value)> {
        let (mut bits, mut carry) = (Bits::new(), Constant(0));
        for place in 0..width {
            let sum = self.integers.sum(0, &[(1, at(a, place)), (1, at(b, place)), (1, carry)])?;
            let low;
            (low, carry) = self.integers.split(sum, 1)?;
            bits.push(low);
        }
        Ok((bits, carry))
    }

    /// Lifts shifts of words of bits, and additions of them by an address calculation.
    pub(super) fn move_bits(&mut self, i: &Instruction) -> Result<bool> {
        let width = self.size(i, 0) as usize;
        let mut parts = Vec::new();
        if i.mnemonic() == Mnemonic::Lea {
            let shift = i.memory_index_scale().trailing_zeros() as usize;
            for (register, shift) in [(i.memory_base(), 0), (i.memory_index(), shift)] {
                if register.is_gpr() {
                    parts.push((self.read_register(register)?, shift));
                }
            }
            parts.push((Constant((i.memory_displacement64() as i64).into()), 0));
        } else if let Constant(count) = self.get(i, 1)? {
            // There is no rule for shifts by no place, or by more places than there are.
            if count <= 0 || count >= width as i128 {
                return Ok(false);
            }
            parts.push((self.get(i, 0)?, count as usize));
        }
        if let (Mnemonic::Shr, [(x, count)]) = (i.mnemonic(), &parts[..]) {
            return self.move_bits_down(i, *x, *count);
        }
        if !parts.iter().any(|&(x, _)| self.was_a_mask(x)) {
            return Ok(false);
        }
        let (mut bits, mut carry) = (Bits::new(), Constant(0));
        for (x, shift) in parts {
            let Some(part) = self.bits_of(x) else { return Ok(false) };
            let shifted = [vec![Constant(0); shift], part].concat();
            carry = at(&shifted, width);
            bits = self.add_bits(&bits, &shifted, width)?.0;
        }
        let result = self.word_of(bits)?;
        self.put(i, 0, result)?;
        if i.mnemonic() == Mnemonic::Shl {
            self.flags = [Some(carry), None, None, None, None, None];
            self.compared = Some((result, Constant(0), width as u32));
        }
        Ok(true)
    }

    /// Shifts bits to the right.
    fn move_bits_down(&mut self, i: &Instruction, x: Value, count: usize) -> Result<bool> {
        let Some(bits) = self.bits_of(x).filter(|_| self.was_a_mask(x)) else {
            return Ok(false);
        };
        let carry = at(&bits, count - 1);
        let result = self.word_of(bits.into_iter().skip(count).collect())?;
        self.put(i, 0, result)?;
        self.flags = [Some(carry), None, None, None, None, None];
        self.compared = Some((result, Constant(0), self.size(i, 0)));
        Ok(true)
    }

    /// The highest bit of a word.
    pub(super) fn highest_bit(&mut self, x: Value, width: u32) -> Result<Value> {
        match self.bits_of(x) {
            // Make it a word of one bit, so that operations with others work on its bit.
            Some(bits) => self.word_of(vec![at(&bits, width as usize - 1)]),
            None => Ok(self.integers.split(x, width - 1)?.1),
        }
    }
}
