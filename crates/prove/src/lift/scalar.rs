//! Rules for instructions on integers.

use iced_x86::{ConditionCode, Instruction, MemorySize, Mnemonic, OpKind, Register};

use super::{CARRY, Lifter, OVERFLOW, SIGN, ZERO, fail};
use crate::{
    failure::{Reason, Result},
    integers::ones,
    system::Value,
};
use Value::Constant;

impl Lifter<'_> {
    /// Lifts one of these instructions. Returns whether it was one.
    pub(super) fn scalar(&mut self, i: &Instruction) -> Result<bool> {
        use Mnemonic as M;
        // There is a `movsd` for vectors as well.
        if i.op_count() > 0 && i.op0_kind() == OpKind::Register && i.op0_register().is_vector_register() {
            return Ok(false);
        }
        let bits = self.size(i, 0);
        match i.mnemonic() {
            M::Mov | M::Movzx => {
                let x = self.get(i, 1)?;
                self.put(i, 0, x)?;
            }
            M::Lea => self.load_address(i)?,
            M::Push => {
                let x = self.get(i, 0)?;
                self.general[4] = Constant(self.recorded.general[4].into());
                self.store(self.recorded.general[4], 8, x)?;
            }
            M::Pop => {
                let x = self.load(self.accesses[0].address, 8)?;
                self.general[4] = Constant(self.recorded.general[4].into());
                self.put(i, 0, x)?;
            }
            M::Xchg => {
                let (x, y) = (self.get(i, 0)?, self.get(i, 1)?);
                self.put(i, 0, y)?;
                self.put(i, 1, x)?;
            }
            M::Add | M::Adc => {
                let carry = if i.mnemonic() == M::Adc { self.flag(CARRY)? } else { Constant(0) };
                let carry = self.add(i, carry)?;
                self.set_flags(Some(carry), None);
            }
            M::Adcx => {
                let carry = self.flag(CARRY)?;
                self.flags[CARRY] = Some(self.add(i, carry)?);
            }
            M::Adox => {
                let carry = self.flag(OVERFLOW)?;
                self.flags[OVERFLOW] = Some(self.add(i, carry)?);
            }
            M::Inc | M::Dec => {
                let x = self.get(i, 0)?;
                let by = if i.mnemonic() == M::Inc { 1 } else { -1 };
                let sum = self.integers.sum(by, &[(1, x)])?;
                let result = self.integers.split(sum, bits)?.0;
                self.put(i, 0, result)?;
                let carry = self.flags[CARRY];
                self.set_flags(carry, None);
                self.compared = Some((result, Constant(0), bits));
            }
            M::Sub | M::Sbb | M::Cmp => {
                let borrow = if i.mnemonic() == M::Sbb { self.flag(CARRY)? } else { Constant(0) };
                let (x, y) = (self.get(i, 0)?, self.get(i, 1)?);
                let result = self.subtract(x, y, borrow, bits)?;
                if i.mnemonic() != M::Cmp {
                    self.put(i, 0, result)?;
                }
            }
            M::Neg => {
                let x = self.get(i, 0)?;
                let result = self.subtract(Constant(0), x, Constant(0), bits)?;
                self.put(i, 0, result)?;
            }
            M::Not => {
                let x = self.get(i, 0)?;
                let result = self.integers.sum(ones(bits), &[(-1, x)])?;
                self.put(i, 0, result)?;
            }
            M::And | M::Test | M::Or | M::Xor => {
                let (x, y) = (self.get(i, 0)?, self.get(i, 1)?);
                let result = match i.mnemonic() {
                    M::Or => self.integers.or(x, y, bits)?,
                    M::Xor => self.integers.exclusive_or(x, y, bits)?,
                    _ => self.integers.and(x, y, bits)?,
                };
                if i.mnemonic() != M::Test {
                    self.put(i, 0, result)?;
                }
                self.set_flags(Some(Constant(0)), Some(Constant(0)));
                self.compared = Some((result, Constant(0), bits));
            }
            M::Mulx => {
                let x = self.read_register(if bits == 64 { Register::RDX } else { Register::EDX })?;
                let y = self.get(i, 2)?;
                let (low, high) = self.integers.split_product(x, y, bits)?;
                self.put(i, 1, low)?;
                self.put(i, 0, high)?;
            }
            M::Mul if bits == 64 => {
                let (x, y) = (self.read_register(Register::RAX)?, self.get(i, 0)?);
                let (low, high) = self.integers.split_product(x, y, 64)?;
                self.write_register(Register::RAX, low)?;
                self.write_register(Register::RDX, high)?;
                self.set_flags(None, None);
            }
            // With two or three operands it gives the low half, for which signs do not matter.
            M::Imul if i.op_count() > 1 => {
                let from = if i.op_count() == 2 { 0 } else { 1 };
                let (x, y) = (self.get(i, from)?, self.get(i, from + 1)?);
                let low = self.integers.split_product(x, y, bits)?.0;
                self.put(i, 0, low)?;
                self.set_flags(None, None);
            }
            M::Bzhi => {
                let (x, control) = (self.get(i, 1)?, self.get(i, 2)?);
                let Constant(count) = self.integers.split(control, 8)?.0 else {
                    return fail(Reason::SymbolicCount, "");
                };
                let count = count as u32;
                let result = if count < bits { self.integers.split(x, count)?.0 } else { x };
                self.put(i, 0, result)?;
                self.set_flags(Some(Constant(i128::from(count >= bits))), Some(Constant(0)));
                self.compared = Some((result, Constant(0), bits));
            }
            M::Shl | M::Shr | M::Shrx | M::Shlx => self.shift(i, bits)?,
            M::Shrd | M::Shld => self.shift_both(i, bits)?,
            M::Sar | M::Sarx => self.shift_with_sign(i, bits)?,
            M::Bt => {
                let (x, Constant(place)) = (self.get(i, 0)?, self.get(i, 1)?) else {
                    return fail(Reason::SymbolicCount, "");
                };
                let above = self.integers.split(x, place as u32 % bits)?.1;
                let bit = self.integers.split(above, 1)?.0;
                self.flags = [Some(bit), None, None, self.flags[ZERO], None, None];
            }
            M::Cmc => {
                let carry = self.flag(CARRY)?;
                self.flags[CARRY] = Some(self.integers.sum(1, &[(-1, carry)])?);
            }
            M::Movsq | M::Movsd if i.has_rep_prefix() => self.copy_words(i)?,
            _ => return self.conditional(i),
        }
        Ok(true)
    }

    fn flag(&self, number: usize) -> Result<Value> {
        match self.flags[number] {
            Some(value) => Ok(value),
            None => fail(Reason::UnfollowedFlag, ""),
        }
    }

    /// Sets carry and overflow. The other flags of a symbolic result are not followed.
    fn set_flags(&mut self, carry: Option<Value>, overflow: Option<Value>) {
        self.flags = [carry, None, None, None, None, overflow];
        self.compared = None;
    }

    /// Adds the first operand, the second and a carry. Returns the carry.
    fn add(&mut self, i: &Instruction, carry: Value) -> Result<Value> {
        let bits = self.size(i, 0);
        let (x, y) = (self.get(i, 0)?, self.get(i, 1)?);
        let (low, carry) = self.integers.add(x, y, carry, bits)?;
        self.put(i, 0, low)?;
        Ok(carry)
    }

    /// Subtracts. The borrow is the carry flag.
    fn subtract(&mut self, x: Value, y: Value, borrow: Value, bits: u32) -> Result<Value> {
        let (low, mut borrowed) = self.integers.subtract(x, y, borrow, bits)?;
        if (y, borrow, bits) == (Constant(1), Constant(0), 64)
            && let Some(zero) = self.integers.are_all_zero(x)?
        {
            borrowed = zero;
        }
        self.set_flags(Some(borrowed), None);
        if borrow == Constant(0) {
            self.compared = Some((x, y, bits));
        }
        Ok(low)
    }

    fn load_address(&mut self, i: &Instruction) -> Result<()> {
        let bits = self.size(i, 0);
        let mut terms = Vec::new();
        for (register, scale) in [(i.memory_base(), 1), (i.memory_index(), i.memory_index_scale())] {
            if register.is_gpr() {
                terms.push((scale.into(), self.read_register(register)?));
            }
        }
        let sum = self.integers.sum(i128::from(i.memory_displacement64() as i64), &terms)?;
        let result = self.integers.split(sum, bits)?.0;
        self.put(i, 0, result)
    }

    fn shift(&mut self, i: &Instruction, bits: u32) -> Result<()> {
        use Mnemonic as M;
        let has_flags = matches!(i.mnemonic(), M::Shl | M::Shr);
        let (x, count) = match has_flags {
            true => (self.get(i, 0)?, self.get(i, 1)?),
            false => (self.get(i, 1)?, self.get(i, 2)?),
        };
        let Constant(count) = count else { return fail(Reason::SymbolicCount, "") };
        let count = count as u32 % bits.max(32);
        if count == 0 || count >= bits {
            return fail(Reason::NoRule, "by no place, or by more than there are");
        }
        let (result, carry);
        if matches!(i.mnemonic(), M::Shr | M::Shrx) {
            let last = self.integers.split(x, count - 1)?.1;
            carry = self.integers.split(last, 1)?.0;
            result = self.integers.split(x, count)?.1;
        } else {
            let (below, above) = self.integers.split(x, bits - count)?;
            carry = self.integers.split(above, 1)?.0;
            result = self.integers.sum(0, &[(1 << count, below)])?;
        }
        self.put(i, 0, result)?;
        if has_flags {
            self.set_flags(Some(carry), None);
        }
        Ok(())
    }

    /// A shift that fills up with the bits of another word.
    fn shift_both(&mut self, i: &Instruction, bits: u32) -> Result<()> {
        let Constant(count) = self.get(i, 2)? else { return fail(Reason::SymbolicCount, "") };
        let count = count as u32 % bits.max(32);
        if count == 0 || count >= bits {
            return fail(Reason::NoRule, "by no place, or by more than there are");
        }
        let (x, y) = (self.get(i, 0)?, self.get(i, 1)?);
        // A shift to the left by n places is a shift to the right by the other places, of both words
        // together.
        let (low, high, places) = match i.mnemonic() {
            Mnemonic::Shrd => (x, y, count),
            _ => (y, x, bits - count),
        };
        let above = self.integers.split(low, places)?.1;
        let below = self.integers.split(high, places)?.0;
        let result = self.integers.sum(0, &[(1, above), (1 << (bits - places), below)])?;
        self.put(i, 0, result)?;
        self.set_flags(None, None);
        Ok(())
    }

    /// A shift to the right that fills up with the sign.
    fn shift_with_sign(&mut self, i: &Instruction, bits: u32) -> Result<()> {
        let (x, count) = match i.mnemonic() {
            Mnemonic::Sar => (self.get(i, 0)?, self.get(i, 1)?),
            _ => (self.get(i, 1)?, self.get(i, 2)?),
        };
        let Constant(count) = count else { return fail(Reason::SymbolicCount, "") };
        let count = count as u32 % bits.max(32);
        let result = self.integers.shift_with_sign(x, count, bits)?;
        self.put(i, 0, result)?;
        if i.mnemonic() == Mnemonic::Sar {
            self.set_flags(None, None);
        }
        Ok(())
    }

    /// Lifts copies of whole words by one instruction.
    fn copy_words(&mut self, i: &Instruction) -> Result<()> {
        let [to, from] = match self.accesses {
            [a, b] if a.writes => [a, b],
            [a, b] => [b, a],
            _ => return fail(Reason::UnlistedOperand, "memory"),
        };
        if i.memory_size() != MemorySize::UInt64
            || to.address < from.address + from.size as u64 && from.address < to.address + to.size as u64
        {
            return fail(Reason::NoRule, "a copy onto itself, or of parts of words");
        }
        let (to, from, size) = (to.address, from.address, from.size as u64);
        for at in (0..size).step_by(8) {
            let word = self.load(from + at, 8)?;
            self.store(to + at, 8, word)?;
        }
        for number in [1, 6, 7] {
            self.general[number] = Constant(self.recorded.general[number].into());
        }
        Ok(())
    }

    /// A condition, as a bit.
    fn condition(&mut self, condition: ConditionCode) -> Result<Value> {
        use ConditionCode as C;
        let (flag, is_inverted) = match condition {
            C::b => (CARRY, false),
            C::ae => (CARRY, true),
            C::o => (OVERFLOW, false),
            C::no => (OVERFLOW, true),
            C::e => (ZERO, false),
            C::ne => (ZERO, true),
            C::s => (SIGN, false),
            C::ns => (SIGN, true),
            _ => return fail(Reason::NoRule, "a condition of several flags"),
        };
        let bit = self.flag(flag)?;
        if is_inverted { self.integers.sum(1, &[(-1, bit)]) } else { Ok(bit) }
    }

    /// Lifts `setcc` and `cmovcc`.
    fn conditional(&mut self, i: &Instruction) -> Result<bool> {
        let condition = i.condition_code();
        if condition == ConditionCode::None {
            return Ok(false);
        }
        let bit = if self.is_symbolic_condition(i) {
            self.condition(condition)?
        } else {
            // Only operands are symbolic, so the recorded condition always holds.
            match self.known_condition(condition) {
                Some(bit) => Constant(bit),
                None => return fail(Reason::NoRule, "a condition of several flags"),
            }
        };
        if i.op_count() == 1 {
            self.put(i, 0, bit)?;
        } else {
            let (x, y) = (self.get(i, 0)?, self.get(i, 1)?);
            let result = self.integers.choose(bit, y, x)?;
            self.put(i, 0, result)?;
        }
        Ok(true)
    }

    fn is_symbolic_condition(&self, i: &Instruction) -> bool {
        super::FLAGS
            .iter()
            .zip(&self.flags)
            .any(|(flag, value)| i.rflags_read() & flag != 0 && !matches!(value, Some(Constant(_))))
    }

    /// The value of a condition whose flags are all known.
    fn known_condition(&self, condition: ConditionCode) -> Option<i128> {
        use ConditionCode as C;
        let flag = |number: usize| match self.flags[number] {
            Some(Constant(bit)) => Some(bit),
            _ => None,
        };
        Some(match condition {
            C::b => flag(CARRY)?,
            C::ae => 1 - flag(CARRY)?,
            C::e => flag(ZERO)?,
            C::ne => 1 - flag(ZERO)?,
            C::s => flag(SIGN)?,
            C::ns => 1 - flag(SIGN)?,
            C::be => flag(CARRY)? | flag(ZERO)?,
            C::a => 1 - (flag(CARRY)? | flag(ZERO)?),
            _ => return None,
        })
    }
}
