//! The record of a run: each executed instruction, the words that it changed, and the memory that it used.

use std::{collections::HashMap, ops::Range, rc::Rc};

use super::{
    instruction::Instruction,
    operation::{PLACES, Place},
};

/// The words of the state, and the flags: 8 negative, 4 zero, 2 carry, 1 overflow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registers {
    /// The words, by their places.
    pub words: [u64; PLACES],
    /// The flags.
    pub flags: u8,
}

impl Default for Registers {
    fn default() -> Self {
        Self { words: [0; PLACES], flags: 0 }
    }
}

/// A word of memory, or a part of one, that was used.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// Its address.
    pub address: u64,
    /// Its bytes, 8 at most; for a function of the system, all bytes that it used.
    pub size: usize,
    /// Whether it was written, or else read.
    pub writes: bool,
    /// The value that was read or written.
    pub word: u64,
}

/// A function of the system that was called.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// Its name.
    pub name: &'static str,
    /// Its first arguments.
    pub arguments: [u64; 3],
    /// Its result.
    pub returned: u64,
}

/// One executed instruction.
#[derive(Clone, Debug)]
pub struct Step {
    /// The index of the instruction in [`Trace::code`].
    pub code: u32,
    /// The call of a function of the system that it made.
    pub call: Option<Call>,
    /// The flags afterwards.
    pub flags: u8,
    changes: Range<u32>,
    accesses: Range<u32>,
}

/// The record of a run.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// The state at the beginning.
    pub begin: Registers,
    /// The instructions that occur.
    pub code: Vec<Rc<Instruction>>,
    /// The steps, in the order of execution.
    pub steps: Vec<Step>,
    changes: Vec<(Place, u64)>,
    accesses: Vec<Access>,
    known: HashMap<u64, u32>,
}

impl Trace {
    /// Records a change.
    pub(super) fn change(&mut self, place: Place, word: u64) {
        self.changes.push((place, word));
    }

    /// Records a use of memory.
    pub(super) fn access(&mut self, access: Access) {
        self.accesses.push(access);
    }

    /// Records that an instruction was executed, with everything recorded since the one before.
    pub(super) fn step(&mut self, instruction: &Rc<Instruction>, call: Option<Call>, flags: u8) {
        let code = *self.known.entry(instruction.address).or_insert_with(|| {
            self.code.push(instruction.clone());
            self.code.len() as u32 - 1
        });
        let (changes, accesses) =
            self.steps.last().map_or((0, 0), |step| (step.changes.end, step.accesses.end));
        self.steps.push(Step {
            code,
            call,
            flags,
            changes: changes..self.changes.len() as u32,
            accesses: accesses..self.accesses.len() as u32,
        });
    }

    /// The instruction of a step.
    pub fn instruction(&self, step: &Step) -> &Instruction {
        &self.code[step.code as usize]
    }

    /// The places that a step wrote, with their new words.
    pub fn changes(&self, step: &Step) -> &[(Place, u64)] {
        &self.changes[step.changes.start as usize..step.changes.end as usize]
    }

    /// The memory that a step used.
    pub fn accesses(&self, step: &Step) -> &[Access] {
        &self.accesses[step.accesses.start as usize..step.accesses.end as usize]
    }

    /// Updates the state before a step to the state after it.
    pub fn follow(&self, registers: &mut Registers, step: &Step) {
        registers.flags = step.flags;
        for &(place, word) in self.changes(step) {
            registers.words[place as usize] = word;
        }
    }

    /// Whether a step calls another function of the program.
    pub fn is_call(&self, step: &Step) -> bool {
        step.call.is_none() && self.instruction(step).calls()
    }

    /// The number of steps of a function, including its return, by its first step; None if the return is not
    /// recorded.
    pub fn steps_of_function(&self, first: usize) -> Option<usize> {
        let mut depth = 0usize;
        let last = self.steps[first..].iter().position(|step| {
            let instruction = self.instruction(step);
            depth += usize::from(self.is_call(step));
            // A function of the system that was reached by a jump returns to the caller.
            let returns = match step.call {
                Some(_) => !instruction.calls(),
                None => instruction.returns(),
            };
            let is_last = returns && depth == 0;
            depth -= usize::from(returns && !is_last);
            is_last
        })?;
        Some(last + 1)
    }

    /// The part of the record in the first function that was called, up to its return; None if there is no
    /// such function, or no return.
    pub fn first_call(mut self) -> Option<Self> {
        let first = self.steps.iter().position(|step| self.is_call(step))? + 1;
        let length = self.steps_of_function(first)?;
        let mut begin = self.begin.clone();
        self.steps[..first].iter().for_each(|step| self.follow(&mut begin, step));
        self.begin = begin;
        self.steps.truncate(first + length);
        self.steps.drain(..first);
        Some(self)
    }
}
