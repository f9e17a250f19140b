//! Cuts operations into parts, and reads the words that a part leaves.

use checkmem::Access;

use super::{Cut, CutRegisters, Lifted, Lifter, RegisterCut, fail, memory::Memory};
use crate::{
    failure::{Reason, Result},
    integers::Integers,
    system::{Id, Value},
};
use Value::{Constant, Variable};

impl<R> Lifted<R> {
    /// The words at an address, as integers, or as constants if they are the same for all operands.
    ///
    /// # Errors
    /// If a word is unknown.
    pub fn values(&self, address: u64, recorded: &[u64]) -> Result<Vec<Value>> {
        let value = |(i, &word): (usize, &u64)| {
            let at = address + 8 * i as u64;
            match self.memory.word(at) {
                Some(id) => Ok(Variable(id)),
                None if self.memory.is_known(at, 8) => Ok(Constant(word.into())),
                None => fail(Reason::Unproven, &format!("nothing is known of word {i} of the result")),
            }
        };
        recorded.iter().enumerate().map(value).collect()
    }
}

/// Makes a word any word up to this one, from here on. There is no integer if it can only be 0.
pub(crate) fn cut_word(
    memory: &mut Memory,
    integers: &mut Integers,
    address: u64,
    value: Value,
    highest: u64,
) -> Result<Option<Id>> {
    let recorded = integers.recorded(value);
    if highest == 0 {
        // The part before shows that the word is 0.
        if recorded != 0 {
            return fail(Reason::WrongRule, "a word that can only be 0");
        }
        memory.set_zero(address);
        return Ok(None);
    }
    let Variable(id) = integers.input(0, highest.into(), recorded)? else { return Ok(None) };
    memory.set_symbolic(address, id);
    Ok(Some(id))
}

impl Lifter<'_> {
    /// Makes these words any words of the same bounds, from here on.
    pub(super) fn cut(&mut self, step: usize, cut: &Cut) -> Result<(Vec<Value>, Vec<Option<Id>>)> {
        let symbol = &cut.symbol;
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for (i, &highest) in symbol.highest.iter().enumerate() {
            let address = symbol.address + 8 * i as u64;
            let value = match self.memory.word(address) {
                Some(id) => Variable(id),
                None if self.memory.is_known(address, 8) => self.written(address, step)?,
                None => return fail(Reason::Unproven, "nothing is known of a word between two parts"),
            };
            if cut.are_doubles {
                let recorded = self.integers.recorded(value);
                let held = self.doubles.known(value)?;
                before.push(held);
                after.push(self.cut_double(address, recorded as u64, held, highest)?);
                continue;
            }
            before.push(value);
            after.push(cut_word(&mut self.memory, &mut self.integers, address, value, highest)?);
        }
        Ok((before, after))
    }

    /// Makes these registers hold any words of a form, from here on.
    pub(super) fn cut_registers(&mut self, cut: &RegisterCut) -> Result<CutRegisters> {
        let mut cut_registers = CutRegisters::default();
        for (number, form) in &cut.registers {
            if self.lost_general >> number & 1 == 1 {
                return fail(Reason::LostRegister, "at a cut");
            }
            let before = self.general[*number];
            let (word, parts) = self.integers.composed(form)?;
            if self.integers.recorded(word) != self.integers.recorded(before) {
                return fail(Reason::WrongRule, "a register that is not what it is declared to be");
            }
            cut_registers.before.push(before);
            cut_registers.words.push(word);
            cut_registers.parts.push(parts);
            self.general[*number] = word;
        }
        Ok(cut_registers)
    }

    /// Cuts a double, by the integer that it holds.
    fn cut_double(&mut self, address: u64, word: u64, held: Value, highest: u64) -> Result<Option<Id>> {
        let recorded = self.integers.recorded(held);
        let value = match highest {
            // The part before shows that the word is 0.
            0 if recorded == 0 => Constant(0),
            _ => self.integers.input(0, highest.into(), recorded)?,
        };
        match self.doubles.word(&mut self.integers, value, word)? {
            Variable(id) => self.memory.set_symbolic(address, id),
            Constant(_) => return fail(Reason::WrongRule, "a double that is known"),
        }
        Ok(match value {
            Variable(id) => Some(id),
            Constant(_) => None,
        })
    }

    /// The last value written to a word before a step, if it is the same for all operands.
    fn written(&self, address: u64, step: usize) -> Result<Value> {
        for step in self.trace.steps[..step].iter().rev() {
            if let Some(call) = step.call.filter(|call| matches!(call.name, "memset" | "memcpy" | "memmove"))
            {
                let [to, byte, length] = call.arguments;
                if address + 8 <= to || to + length <= address {
                    continue;
                }
                if call.name == "memset" && to <= address && address + 8 <= to + length {
                    return Ok(Constant(i128::from(byte & 0xff) * 0x0101_0101_0101_0101));
                }
            }
            let touches = |access: &&Access| {
                access.writes && access.address < address + 8 && address < access.address + access.size as u64
            };
            let access = self.trace.accesses(step).iter().find(touches);
            let word = access.and_then(|access| {
                let offset = address.checked_sub(access.address)? as usize;
                self.trace.after(access).get(offset..offset + 8)?.try_into().ok()
            });
            match word {
                Some(word) => return Ok(Constant(u64::from_le_bytes(word).into())),
                // A function of the system may have written it, or only a part of it was written.
                None if access.is_some() || step.call.is_some_and(|call| call.name.starts_with("mem")) => {
                    break;
                }
                None => {}
            }
        }
        fail(Reason::Unproven, "a word between two parts was not written as a whole")
    }
}
