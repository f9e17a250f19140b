//! Words that are made of masks: bits are moved, added and combined one by one.

use iced_x86::{Instruction, Mnemonic, OpKind, Register};

use super::{Bits, CARRY, Lifter, masks::at};
use crate::{failure::Result, system::Value};
use Value::Constant;

impl Lifter<'_> {
    /// What is done to such words bit by bit, or by an addition.
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

    /// An operand, with the whole register where it is the lower part of one of which the bits are known.
    fn whole(&mut self, i: &Instruction, operand: u32) -> Result<Value> {
        let is_high_byte =
            |register| matches!(register, Register::AH | Register::BH | Register::CH | Register::DH);
        if i.op_kind(operand) != OpKind::Register || is_high_byte(i.op_register(operand)) {
            return self.get(i, operand);
        }
        let whole = self.read_register(i.op_register(operand).full_register())?;
        if self.bits_of(whole).is_some() { Ok(whole) } else { self.get(i, operand) }
    }

    /// The bits of a sum, and what is carried out of it.
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

    /// Words of bits that are shifted, or added as an address is.
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
            // By no place, or by more than there are, they are moved by no rule.
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

    /// Bits that are shifted to the right.
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
            // It is a word of one bit: what is done to it with others is done to bits.
            Some(bits) => self.word_of(vec![at(&bits, width as usize - 1)]),
            None => Ok(self.integers.split(x, width - 1)?.1),
        }
    }
}
