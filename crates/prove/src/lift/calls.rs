//! Rules for calls of functions of the system.

use super::{Lifter, fail, memory::Memory};
use crate::{
    failure::{Reason, Result},
    system::Value,
};
use Value::Constant;

impl Memory {
    /// Applies what a function of the system does to memory, by its name, its first arguments and its result.
    pub(crate) fn call(&mut self, name: &str, arguments: [u64; 3], returned: u64) -> Result<()> {
        let [to, from, length] = arguments;
        let size = length as usize;
        if matches!(name, "memcpy" | "memmove" | "memset") && size > 0 && !self.is_writable(to, size) {
            return fail(Reason::ForeignWrite, &format!("{to:#x}"));
        }
        match name {
            "memcpy" | "memmove" => {
                if to % 8 != 0 || from % 8 != 0 || length % 8 != 0 {
                    return fail(Reason::PartOfAWord, name);
                }
                let offsets = (0..length).step_by(8);
                let words: Vec<_> = offsets.clone().map(|at| self.word(from + at)).collect();
                let known: Vec<_> = offsets.clone().map(|at| self.is_known(from + at, 8)).collect();
                for ((at, word), is_known) in offsets.zip(words).zip(known) {
                    match word {
                        Some(id) => self.set_symbolic(to + at, id),
                        None if is_known => self.set_known(to + at, 8),
                        // Copying unknown bytes is allowed; using the copy is not.
                        None => self.forget(to + at, 8),
                    }
                }
            }
            "memset" => self.set_known(to, size),
            // Allocated memory belongs to the operation until it is freed. Its contents are unknown.
            "malloc" => self.allocate(returned, to),
            // Like `malloc`, with zeros as contents.
            "calloc" => {
                let Some(size) = to.checked_mul(from) else { return fail(Reason::UnknownCall, name) };
                if returned != 0 {
                    self.allocate(returned, size);
                    self.set_known(returned, size as usize);
                }
            }
            "free" => self.give_back(to),
            _ => return fail(Reason::UnknownCall, name),
        }
        Ok(())
    }
}

impl Lifter<'_> {
    /// Lifts a call of a function of the system, by its name.
    pub(super) fn call(&mut self, name: &'static str, arguments: [u64; 3]) -> Result<()> {
        *self.calls.entry(name).or_default() += 1;
        // Its addresses and lengths must not depend on symbols, which would be leaks.
        let argument = |number: usize| matches!(self.general[number], Constant(_));
        let arguments_of = match name {
            "malloc" | "free" => &[7][..],
            "calloc" => &[7, 6],
            _ => &[7, 6, 2],
        };
        if !arguments_of.iter().all(|&number| argument(number)) {
            return fail(Reason::SymbolicAddress, name);
        }
        self.memory.call(name, arguments, self.recorded.general[0])?;
        self.general[0] = Constant(self.recorded.general[0].into());
        // If it was reached by a jump, it has returned to the caller.
        self.general[4] = Constant(self.recorded.general[4].into());
        for number in [1, 2, 6, 7, 8, 9, 10, 11] {
            self.lost_general |= 1 << number;
        }
        self.lost_general &= !1;
        self.lost_masks = u8::MAX;
        self.lost_vectors = u32::MAX;
        self.lost_upper = u32::MAX;
        self.flags = [None; 6];
        self.compared = None;
        Ok(())
    }
}
