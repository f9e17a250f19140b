//! Skips steps that are not lifted: their inputs are kept, their results are any words of a form, and
//! everything else that they write is lost.

use super::{KEPT, Lifter, Skip, fail};
use crate::{
    failure::{Reason, Result},
    system::{Skipped, Value},
};
use Value::{Constant, Variable};

/// The stack pointer.
const STACK: usize = 4;

impl Lifter<'_> {
    /// Skips steps. It is proved elsewhere that, from these inputs, they leave words of these forms.
    pub(super) fn skip(&mut self, skip: &Skip) -> Result<Skipped> {
        let mut skipped = Skipped::default();
        for &number in skip.fixed.iter().chain([&STACK]) {
            if self.general[number] != Constant(self.recorded.general[number].into()) {
                return fail(Reason::SymbolicAddress, "of what is not lifted");
            }
        }
        for &(address, word) in &skip.reads {
            skipped.reads.push(match self.memory.word(address) {
                Some(id) => Variable(id),
                None if self.memory.is_known(address, 8) => Constant(word.into()),
                None => return fail(Reason::UndeclaredRead, &format!("8 bytes at {address:#x}")),
            });
        }
        for &number in &skip.registers_read {
            if self.lost_general >> number & 1 == 1 {
                return fail(Reason::LostRegister, "of what is not lifted");
            }
            skipped.registers_read.push(self.general[number]);
        }
        let trace = self.trace;
        for step in &trace.steps[skip.steps.clone()] {
            self.follow(step);
            for access in trace.accesses(step).iter().filter(|access| access.writes) {
                self.memory.forget(access.address, access.size);
            }
        }
        for (address, word, form) in &skip.words {
            let (value, _) = self.integers.composed(form)?;
            self.is_recorded(value, *word)?;
            match value {
                Variable(id) => self.memory.set_symbolic(*address, id),
                Constant(_) => self.memory.set_known(*address, 8),
            }
            skipped.words.push(value);
        }
        for number in (0..16).filter(|&number| number != STACK) {
            if !(skip.is_function && KEPT.contains(&number)) {
                self.lost_general |= 1 << number;
            }
        }
        self.general[STACK] = Constant(self.recorded.general[STACK].into());
        for (number, form) in &skip.registers {
            let (value, _) = self.integers.composed(form)?;
            self.is_recorded(value, self.recorded.general[*number])?;
            self.general[*number] = value;
            self.lost_general &= !(1 << number);
            skipped.registers.push(value);
        }
        self.lost_masks = u8::MAX;
        self.lost_vectors = u32::MAX;
        self.lost_upper = u32::MAX;
        self.forget_flags();
        Ok(skipped)
    }
}
