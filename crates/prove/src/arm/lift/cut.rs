//! Cuts an operation into parts: takes what a number is there, and makes it any number from there on.

use super::{super::trace::Access, Lifter, fail};
use crate::{
    failure::{Reason, Result},
    lift::{Cut, cut::cut_word},
    system::{Id, Value},
};
use Value::{Constant, Variable};

impl Lifter<'_> {
    /// Makes these words any words of the same bounds, from here on.
    pub(super) fn cut(&mut self, step: usize, cut: &Cut) -> Result<(Vec<Value>, Vec<Option<Id>>)> {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for (address, &highest) in (cut.symbol.address..).step_by(8).zip(&cut.symbol.highest) {
            let value = match self.memory.word(address) {
                Some(id) => Variable(id),
                None if self.memory.is_known(address, 8) => self.written(address, step)?,
                None => return fail(Reason::Unproven, "nothing is known of a word between two parts"),
            };
            before.push(value);
            after.push(cut_word(&mut self.memory, &mut self.integers, address, value, highest)?);
        }
        Ok((before, after))
    }

    /// The last value written to a word before a step, if it is the same for all operands.
    fn written(&self, address: u64, step: usize) -> Result<Value> {
        let mut accesses = self.trace.steps[..step].iter().rev().flat_map(|step| self.trace.accesses(step));
        let touches = |access: &&Access| {
            access.writes && access.address < address + 8 && address < access.address + access.size as u64
        };
        match accesses.find(touches) {
            Some(&Access { address: at, size: 8, word, .. }) if at == address => Ok(Constant(word.into())),
            _ => fail(Reason::Unproven, "a word between two parts was not written as a whole"),
        }
    }
}
