//! The rules for operations on words.

use super::{
    super::operation::{Logic, Operation, Otherwise, Place, Second, Shift, ZERO},
    Lifter, fail,
    flags::Flags,
};
use crate::{
    failure::{Reason, Result},
    integers::ones,
    system::Value,
};
use Value::{Constant, Variable};

/// The conditions for a set carry, and for a clear one.
const CARRIED: u8 = 2;

impl Lifter<'_> {
    /// The lower bits of a place.
    fn get(&mut self, place: Place, bits: u32) -> Result<Value> {
        let word = self.words[place as usize];
        if bits == 64 { Ok(word) } else { Ok(self.integers.split(word, bits)?.0) }
    }

    fn put(&mut self, place: Place, word: Value) {
        if place != ZERO {
            self.words[place as usize] = word;
        }
    }

    fn second(&mut self, y: Second, bits: u32) -> Result<Value> {
        match y {
            Second::Immediate(x) => Ok(Constant(i128::from(x) & ones(bits))),
            Second::Register(place, width, shift, by) => {
                let word = self.get(place, width)?;
                self.shifted(word, shift, by, bits)
            }
        }
    }

    fn shifted(&mut self, x: Value, shift: Shift, by: u32, bits: u32) -> Result<Value> {
        if by == 0 {
            return Ok(x);
        }
        match shift {
            Shift::Left => {
                let below = self.integers.split(x, bits - by)?.0;
                self.integers.sum(0, &[(1 << by, below)])
            }
            Shift::Right => Ok(self.integers.split(x, by)?.1),
            Shift::Signed => self.integers.shift_with_sign(x, by, bits),
        }
    }

    fn complement(&mut self, x: Value, bits: u32) -> Result<Value> {
        self.integers.sum(ones(bits), &[(-1, x)])
    }

    /// Lifts an operation that depends on symbols.
    pub(super) fn perform(&mut self, operation: &Operation) -> Result<()> {
        match *operation {
            Operation::Add { to, x, y, subtracts, with_carry, sets_flags, bits } => {
                let (x, y) = (self.get(x, bits)?, self.second(y, bits)?);
                let carry = if with_carry { Some(self.carry()?) } else { None };
                let sum = if (subtracts, with_carry, sets_flags, bits) == (false, false, false, 64) {
                    self.integers.add_without_carry(x, y)?
                } else {
                    let (sum, flags) = self.sum(x, y, subtracts, carry, bits)?;
                    if sets_flags {
                        self.flags = flags;
                    }
                    sum
                };
                self.put(to, sum);
            }
            Operation::Logic { to, x, y, logic, inverts, sets_flags, bits } => {
                let (x, mut y) = (self.get(x, bits)?, self.second(y, bits)?);
                if inverts {
                    y = self.complement(y, bits)?;
                }
                let result = match logic {
                    Logic::And => self.integers.and(x, y, bits)?,
                    Logic::Or => self.integers.or(x, y, bits)?,
                    Logic::Xor => self.integers.exclusive_or(x, y, bits)?,
                };
                if sets_flags {
                    self.flags = Flags::of(Constant(0), Some((result, Constant(0), bits, false)));
                }
                self.put(to, result);
            }
            Operation::Blend { to, mask, x, y } => {
                let [mask, x, y] = [mask, x, y].map(|place| self.words[place as usize]);
                let others = self.complement(mask, 64)?;
                let (x, y) = (self.integers.and(mask, x, 64)?, self.integers.and(others, y, 64)?);
                let result = self.integers.or(x, y, 64)?;
                self.put(to, result);
            }
            Operation::Choose { to, x, y, condition, otherwise, bits } => {
                let result = self.choose(x, y, condition, otherwise, bits)?;
                self.put(to, result);
            }
            Operation::Compare { x, y, subtracts, condition, flags, bits } => {
                let (x, y) = (self.get(x, bits)?, self.second(y, bits)?);
                let bit = self.condition(condition)?;
                let (_, compared) = self.sum(x, y, subtracts, None, bits)?;
                let other = Flags::known(flags);
                self.flags = match bit {
                    Constant(0) => other,
                    Constant(_) => compared,
                    Variable(_) => {
                        // The carry flag is one borrow or another.
                        let [one, zero] = [compared, other].map(|flags| flags.followed_carry());
                        let carry = match (zero, condition) {
                            (Constant(0), CARRIED) => {
                                let (bit, one) = (self.inverted(bit)?, self.inverted(one)?);
                                let borrow = self.integers.or(bit, one, 32)?;
                                self.inverted(borrow)?
                            }
                            _ => self.choice(bit, one, zero)?,
                        };
                        Flags::with(carry)
                    }
                };
            }
            Operation::Field { to, from, rotate, last, is_signed, bits } => {
                let x = self.get(from, bits)?;
                let (from, width, up) = match last >= rotate {
                    true => (rotate, last - rotate + 1, 0),
                    false => (0, last + 1, bits - rotate),
                };
                // This is a right shift with sign, of a word that depends on a few bits.
                let result = match is_signed && last == bits - 1 {
                    true => self.integers.shift_with_sign(x, rotate, bits)?,
                    false => self.integers.field(x, from, width, up, is_signed, bits)?,
                };
                self.put(to, result);
            }
            Operation::Extract { to, high, low, by, bits } => {
                let (high, low) = (self.get(high, bits)?, self.get(low, bits)?);
                let above = self.integers.split(low, by)?.1;
                let below = self.integers.split(high, by)?.0;
                let result = self.integers.sum(0, &[(1, above), (1 << (bits - by), below)])?;
                self.put(to, result);
            }
            Operation::Multiply { to, x, y, with, subtracts, bits, of } => {
                let (x, y, with) = (self.get(x, of)?, self.get(y, of)?, self.get(with, bits)?);
                let low = self.integers.split_product(x, y, bits)?.0;
                let sum = self.integers.sum(0, &[(1, with), (if subtracts { -1 } else { 1 }, low)])?;
                let result = self.integers.split(sum, bits)?.0;
                self.put(to, result);
            }
            Operation::MultiplyHigh { to, x, y } => {
                let (x, y) = (self.words[x as usize], self.words[y as usize]);
                let high = self.integers.split_product(x, y, 64)?.1;
                self.put(to, high);
            }
            Operation::ShiftBy { to, x, by, shift, bits } => {
                let (x, Constant(by)) = (self.get(x, bits)?, self.get(by, bits)?) else {
                    return fail(Reason::SymbolicCount, "");
                };
                let result = self.shifted(x, shift, by as u32 % bits, bits)?;
                self.put(to, result);
            }
            Operation::Keep { to, value, at, bits } => {
                let x = self.get(to, bits)?;
                let (below, above) = (self.integers.split(x, at)?.0, self.integers.split(x, at + 16)?.1);
                let value = i128::from(value) << at;
                let result = self.integers.sum(value, &[(1, below), (1 << (at + 16), above)])?;
                self.put(to, result);
            }
            Operation::Load { ref to, size, sign: None, .. } => {
                let accesses = self.accesses;
                for (&place, access) in to.iter().zip(accesses) {
                    let word = self.load(access.address, size, access.word)?;
                    self.put(place, word);
                }
            }
            Operation::Branch { .. } => return fail(Reason::SymbolicBranch, ""),
            _ => return fail(Reason::NoRule, ""),
        }
        Ok(())
    }

    /// A sum or a difference, and its flags. Without a carry operand, no carry is added and no borrow
    /// subtracted.
    fn sum(
        &mut self,
        x: Value,
        y: Value,
        subtracts: bool,
        carry: Option<Value>,
        bits: u32,
    ) -> Result<(Value, Flags)> {
        if !subtracts {
            let (sum, carried) = self.integers.add(x, y, carry.unwrap_or(Constant(0)), bits)?;
            return Ok((sum, Flags::of(carried, Some((sum, Constant(0), bits, false)))));
        }
        let borrow = carry.map_or(Ok(Constant(0)), |carry| self.inverted(carry))?;
        let (difference, borrowed) = self.integers.subtract(x, y, borrow, bits)?;
        let mut carried = self.inverted(borrowed)?;
        if let (None, Constant(1), Some((inverse, n0)), 64) = (carry, y, self.quotients, bits)
            && let Some(bit) = self.integers.carry_of_quotient(x, inverse, n0)?
        {
            carried = bit;
        }
        let compared = (borrow == Constant(0)).then_some((x, y, bits, true));
        Ok((difference, Flags::of(carried, compared)))
    }

    fn choose(
        &mut self,
        x: Place,
        y: Place,
        condition: u8,
        otherwise: Otherwise,
        bits: u32,
    ) -> Result<Value> {
        let bit = self.condition(condition)?;
        let (one, other) = (self.get(x, bits)?, self.get(y, bits)?);
        let zero = match otherwise {
            Otherwise::Plain => other,
            Otherwise::Inverted => self.complement(other, bits)?,
            Otherwise::Increased | Otherwise::Negated => {
                let sign = if otherwise == Otherwise::Increased { 1 } else { -1 };
                let sum = self.integers.sum(i128::from(sign == 1), &[(sign, other)])?;
                // This is the sum of a word and a carry.
                if sign == 1 && x == y && matches!(bit, Variable(_)) {
                    let carry = self.inverted(bit)?;
                    if let Some(both) = self.integers.carry_of_both(one, carry)? {
                        return Ok(both);
                    }
                    let sum = self.integers.sum(0, &[(1, one), (1, carry)])?;
                    return Ok(self.integers.split(sum, bits)?.0);
                }
                self.integers.split(sum, bits)?.0
            }
        };
        self.choice(bit, one, zero)
    }

    /// Whether the memory that is read depends on symbols. If it does not, it has to be known.
    pub(super) fn reads_symbols(&self) -> Result<bool> {
        let mut is_symbolic = false;
        for access in self.accesses {
            if self.memory.is_symbolic(access.address, access.size) {
                is_symbolic = true;
            } else if !self.memory.is_known(access.address, access.size) {
                let what = format!("{} bytes at {:#x}", access.size, access.address);
                return fail(Reason::UndeclaredRead, &what);
            }
        }
        Ok(is_symbolic)
    }

    /// Stores places. Returns whether any of them depends on a symbol. A place of unknown contents may be
    /// saved.
    pub(super) fn store(&mut self, from: &[Place], size: usize) -> Result<bool> {
        let mut is_symbolic = false;
        let accesses = self.accesses;
        for (&place, access) in from.iter().zip(accesses) {
            if self.lost[place as usize] {
                self.memory.forget(access.address, size);
                continue;
            }
            is_symbolic |= matches!(self.words[place as usize], Variable(_));
            match self.get(place, 8 * size as u32)? {
                Constant(_) => self.memory.set_known(access.address, size),
                Variable(id) if size == 8 && access.address.is_multiple_of(8) => {
                    self.memory.set_symbolic(access.address, id);
                }
                Variable(id) if size == 1 => self.memory.set_part(access.address, 1, id),
                Variable(_) => return fail(Reason::PartOfAWord, "a store"),
            }
        }
        Ok(is_symbolic)
    }

    /// Loads an integer from memory that this instruction reads.
    fn load(&mut self, address: u64, size: usize, recorded: u64) -> Result<Value> {
        if !self.memory.is_symbolic(address, size) {
            return Ok(Constant(recorded.into()));
        }
        if let (1, Some(id)) = (size, self.memory.part(address, 1)) {
            return Ok(Variable(id));
        }
        let offset = address & 7;
        let Some(id) = self.memory.word(address & !7) else { return fail(Reason::PartOfAWord, "a load") };
        if offset as usize + size > 8 {
            return fail(Reason::PartOfAWord, "a load that is not aligned");
        }
        let above = self.integers.split(Variable(id), 8 * offset as u32)?.1;
        if size == 8 { Ok(above) } else { Ok(self.integers.split(above, 8 * size as u32)?.0) }
    }
}
