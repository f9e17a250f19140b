//! Recorded values: they are taken over where nothing depends on a symbol, and compared with the results of
//! rules elsewhere.

use checkmem::{Change, Step};
use iced_x86::{Instruction, Register, RflagsBits};

use super::{FLAGS, Lifter, Uses, fail, memory};
use crate::{
    failure::{Reason, Result},
    system::Value,
};
use Value::{Constant, Variable};

impl Lifter<'_> {
    /// Sets the recorded registers to those after a step.
    pub(super) fn follow(&mut self, step: &Step) {
        self.trace.follow(&mut self.recorded, step);
    }

    /// Checks that everything that changed is listed as written.
    pub(super) fn check_listed(&self, changes: &[Change], uses: &Uses) -> Result<()> {
        for change in changes {
            let (number, is_listed): (_, fn(Register) -> bool) = match *change {
                Change::General(number, _) => (number, |register| register.is_gpr()),
                Change::Vector(number, _) => (number, |register| register.is_vector_register()),
                Change::Mask(number, _) => (number, |register| register.is_k()),
            };
            let same = |register: &Register| {
                is_listed(*register) && register.full_register().number() == number as usize
            };
            if !uses.writes.iter().any(same) {
                return fail(Reason::UnlistedOperand, &format!("{change:x?}"));
            }
        }
        Ok(())
    }

    /// Takes over the recorded results of an instruction on known values.
    pub(super) fn take_over(&mut self, instruction: &Instruction, uses: &Uses) -> Result<()> {
        for &register in &uses.writes {
            if register.is_gpr() {
                let value = self.recorded_register(register);
                self.write_register(register, Constant(value.into()))?;
            } else if register.is_vector_register() {
                self.take_over_vector(instruction, register)?;
            } else if register.is_k() {
                self.take_over_mask(register.number());
            }
        }
        if instruction.rflags_modified() & RflagsBits::ZF != 0 {
            self.compared = None;
        }
        for (i, flag) in FLAGS.iter().enumerate() {
            if instruction.rflags_modified() & flag != 0 {
                let undefined = instruction.rflags_undefined() & flag != 0;
                let value = Constant((self.recorded.flags >> i & 1).into());
                self.flags[i] = (!undefined).then_some(value);
            }
        }
        for access in self.accesses {
            if access.writes {
                self.memory.set_known(access.address, access.size);
            }
        }
        Ok(())
    }

    /// Checks that the results of a rule are the recorded values.
    pub(super) fn compare(&mut self, instruction: &Instruction, uses: &Uses) -> Result<()> {
        for &register in &uses.writes {
            let number = register.full_register().number();
            let (found, recorded) = if register.is_gpr() {
                (vec![self.general[number]], vec![self.recorded.general[number]])
            } else if register.is_vector_register() {
                (self.vectors[number].to_vec(), self.recorded.vectors[number].to_vec())
            } else {
                if !register.is_k() {
                    return fail(Reason::NoRule, "a register of another kind");
                }
                (vec![self.mask_word(number)?], vec![self.recorded.masks[number]])
            };
            for (value, recorded) in found.into_iter().zip(recorded) {
                self.is_recorded(value, recorded)?;
            }
        }
        for (i, flag) in FLAGS.iter().enumerate() {
            if instruction.rflags_modified() & flag != 0
                && let Some(value) = self.flags[i]
            {
                self.is_recorded(value, (self.recorded.flags >> i & 1).into())?;
            }
        }
        for access in self.accesses {
            if !access.writes {
                continue;
            }
            let after = self.trace.after(access);
            if let Some(id) = self.memory.part(access.address, access.size) {
                let word = after.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
                self.is_recorded(Variable(id), word)?;
                continue;
            }
            for at in memory::words(access.address, access.size) {
                if let Some(id) = self.memory.word(at) {
                    let offset = (at - access.address) as usize;
                    let word = after.get(offset..offset + 8).and_then(|bytes| bytes.try_into().ok());
                    let Some(word) = word else { return fail(Reason::PartOfAWord, "a store") };
                    self.is_recorded(Variable(id), u64::from_le_bytes(word))?;
                }
            }
        }
        Ok(())
    }

    pub(super) fn is_recorded(&self, value: Value, recorded: u64) -> Result<()> {
        let found = self.integers.recorded(value);
        if found != i128::from(recorded) {
            return fail(Reason::WrongRule, &format!("{found:#x} is not {recorded:#x}"));
        }
        Ok(())
    }
}
