//! Turns a record of what was executed into integers with equations, as `crate::lift` does, for instructions
//! of 64-bit ARM processors.
//!
//! A value that does not depend on a symbol is taken as it was recorded. Every other value needs a rule of
//! `rules.rs`, and each result is compared with the recorded one.

mod calls;
mod conditions;
mod cut;
mod flags;
mod rules;

use std::{
    collections::{BTreeMap, HashMap},
    ops::Range,
};

use self::flags::Flags;
use super::{
    instruction::Instruction,
    operation::{LINK, Operation, PLACES, Place, SP, Target, Test, ZERO, half},
    trace::{Access, Registers, Step, Trace},
};
use crate::{
    failure::{Failure, Reason, Result},
    integers::Integers,
    lift::{Cut, Known, Lifted as Whole, LongCall, Symbol, Territory, memory::Memory},
    system::{Id, Value},
};
use Value::{Constant, Variable};

/// The result of lifting.
pub type Lifted = Whole<Registers>;

/// The kind of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// All ones or zero.
    Mask,
    /// Any word.
    Word,
}

/// Some steps of a trace: a function up to its return.
pub struct Part<'a> {
    /// The trace.
    pub trace: &'a Trace,
    /// The steps.
    pub steps: Range<usize>,
    /// The state at their beginning.
    pub begin: Registers,
    /// The number of arguments. All but one are addresses and lengths.
    pub arguments: u8,
    /// The number and the kind of that one, if it is there.
    pub symbolic: Option<(u8, Argument)>,
    /// The numbers of the inverse and the modulus among the symbols, if there may be quotients.
    pub quotients: Option<(usize, usize)>,
    /// The places from which on the rest is lifted separately.
    pub cuts: &'a [Cut],
    /// Functions that are not followed.
    pub known: Known<'a>,
    /// Memory that cannot be written.
    pub read_only: &'a [Range<u64>],
}

/// Whether a function must preserve a place: x19 to x29, and the lower halves of v8 to v15.
fn is_kept(place: Place) -> bool {
    matches!(place, 19..=29) || (8..16).any(|vector| place == half(vector, false))
}

fn fail<T>(reason: Reason, what: &str) -> Result<T> {
    Err(Failure::new(reason, what))
}

/// The state between two instructions.
struct Lifter<'a> {
    trace: &'a Trace,
    known: Known<'a>,
    calls_of_products: Vec<LongCall<Registers>>,
    integers: Integers,
    words: [Value; PLACES],
    /// Places that a call may have changed.
    lost: [bool; PLACES],
    flags: Flags,
    memory: Memory,
    /// The recorded state after the instruction that is being lifted.
    recorded: Registers,
    accesses: &'a [Access],
    /// The inverse and the lowest word of the modulus.
    quotients: Option<(Id, Id)>,
    symbolic: usize,
    rules: HashMap<String, usize>,
    calls: BTreeMap<&'static str, usize>,
}

/// Lifts a part of a trace. Each declared symbol becomes an input, in the order of declaration; the symbolic
/// argument follows them.
///
/// # Errors
/// All reasons of [`Reason`] that name an instruction.
pub fn lift(part: Part<'_>, symbols: &[Symbol], territory: Territory) -> Result<(Lifted, Vec<Vec<Id>>)> {
    let Part { trace, steps, begin, arguments, symbolic, quotients, cuts, known, read_only } = part;
    let mut lifter = Lifter {
        trace,
        known,
        calls_of_products: Vec::new(),
        integers: Integers::default(),
        words: begin.words.map(|word| Constant(word.into())),
        lost: [false; PLACES],
        flags: Flags::default(),
        memory: Memory::new(territory, read_only.to_vec()),
        recorded: begin.clone(),
        accesses: &[],
        quotients: None,
        symbolic: 0,
        rules: HashMap::new(),
        calls: BTreeMap::new(),
    };
    let mut inputs = Vec::new();
    for symbol in symbols {
        let mut ids = Vec::new();
        for (address, &word) in (symbol.address..).step_by(8).zip(&symbol.words) {
            if let Variable(id) = lifter.integers.input(0, u64::MAX.into(), word.into())? {
                lifter.memory.set_symbolic(address, id);
                ids.push(id);
            }
        }
        inputs.push(ids);
    }
    lifter.quotients = quotients.map(|(inverse, modulus)| (inputs[inverse][0], inputs[modulus][0]));
    // Places that the caller expects unchanged are symbolic, so that the proof shows that they are. Other
    // places that are no arguments are unknown.
    let mut kept = Vec::new();
    for place in 0..PLACES as Place {
        if is_kept(place) {
            let recorded = begin.words[place as usize];
            lifter.words[place as usize] = lifter.integers.input(0, u64::MAX.into(), recorded.into())?;
            kept.push((place, lifter.words[place as usize]));
        } else {
            lifter.lost[place as usize] = place >= arguments && !matches!(place, SP | ZERO | LINK);
        }
    }
    if let Some((number, kind)) = symbolic {
        let recorded = begin.words[number as usize];
        let (word, id) = match kind {
            Argument::Mask => {
                let bit = lifter.integers.input(0, 1, (recorded & 1).into())?;
                (lifter.integers.sum(0, &[(u64::MAX.into(), bit)])?, bit)
            }
            Argument::Word => {
                let word = lifter.integers.input(0, u64::MAX.into(), recorded.into())?;
                (word, word)
            }
        };
        if lifter.integers.recorded(word) != recorded.into() {
            return fail(Reason::WrongRule, "an argument that is no mask");
        }
        lifter.words[number as usize] = word;
        inputs.extend(match id {
            Variable(id) => Some(vec![id]),
            Constant(_) => None,
        });
    }
    let (mut number, mut instructions) = (steps.start, 0);
    let (mut before, mut after) = (Vec::new(), Vec::new());
    while number < steps.end {
        for cut in cuts.iter().filter(|cut| cut.step == number) {
            let parts = lifter.cut(number, cut)?;
            before.push(parts.0);
            after.push(parts.1);
        }
        let step = &trace.steps[number];
        let instruction = trace.instruction(step);
        let mut next = number + 1;
        let mut take = |lifter: &mut Lifter<'_>| -> Result<()> {
            lifter.step(step, instruction)?;
            if trace.is_call(step) {
                next += lifter.long_call(number + 1)?.unwrap_or(0);
            }
            Ok(())
        };
        take(&mut lifter).map_err(|failure| failure.at(&instruction.text, number))?;
        (number, instructions) = (next, instructions + 1);
    }
    let is_as_it_was = |&(place, word): &(Place, Value)| {
        lifter.words[place as usize] == word && !lifter.lost[place as usize]
    };
    let top = Constant(begin.words[SP as usize].into());
    let back = Constant(begin.words[LINK as usize].into());
    // The last step returns, by the register with the return address.
    let returns = |step: &Step| {
        let last = trace.instruction(step).operations.last();
        let by_another = |operation: &Operation| matches!(operation, Operation::Branch { returns: true, target, .. } if *target != Target::In(LINK));
        !last.is_some_and(by_another)
    };
    if !kept.iter().all(is_as_it_was)
        || !trace.steps[..steps.end].last().is_some_and(returns)
        || lifter.words[SP as usize] != top
        || lifter.words[LINK as usize] != back
    {
        return fail(Reason::ForeignWrite, "a register that the caller relies on");
    }
    let Lifter { integers, memory, symbolic, rules, calls, calls_of_products: products, words, .. } = lifter;
    let lifted = Lifted {
        integers,
        instructions,
        symbolic,
        rules: rules.into_iter().collect(),
        calls,
        products,
        before,
        after,
        register_cuts: Vec::new(),
        skipped: Vec::new(),
        registers: words.to_vec(),
        memory,
        doubles: Default::default(),
    };
    Ok((lifted, inputs))
}

impl<'a> Lifter<'a> {
    fn step(&mut self, step: &Step, instruction: &Instruction) -> Result<()> {
        let trace: &'a Trace = self.trace;
        self.accesses = trace.accesses(step);
        trace.follow(&mut self.recorded, step);
        for access in self.accesses {
            if access.writes && !self.memory.is_writable(access.address, access.size) {
                return fail(Reason::ForeignWrite, &format!("{:#x}", access.address));
            }
        }
        let mut was_symbolic = false;
        for operation in &instruction.operations {
            let (reads, writes) = operation.places();
            for place in operation.addresses() {
                if self.is_symbolic(place)? {
                    return fail(Reason::SymbolicAddress, "");
                }
            }
            if let Operation::Store { from, size, .. } = operation {
                was_symbolic |= self.store(from, *size)?;
                continue;
            }
            let mut is_symbolic = self.are_flags_symbolic(operation)?;
            for &place in &reads {
                is_symbolic |= self.is_symbolic(place)?;
            }
            if let Operation::Load { .. } = operation {
                is_symbolic |= self.reads_symbols()?;
            }
            if is_symbolic {
                was_symbolic = true;
                self.perform(operation)?;
            } else {
                self.take_over(operation, &writes);
            }
            for &place in &writes {
                self.lost[place as usize] = false;
            }
        }
        if was_symbolic {
            self.symbolic += 1;
            *self.rules.entry(instruction.name().to_string()).or_default() += 1;
        }
        if let Some(call) = step.call {
            return self.call(call);
        }
        self.compare(trace.changes(step))
    }

    /// Whether a place depends on a symbol.
    fn is_symbolic(&self, place: Place) -> Result<bool> {
        if self.lost[place as usize] {
            return fail(Reason::LostRegister, "");
        }
        Ok(matches!(self.words[place as usize], Variable(_)))
    }

    fn are_flags_symbolic(&mut self, operation: &Operation) -> Result<bool> {
        match *operation {
            Operation::Choose { condition, .. } | Operation::Compare { condition, .. } => {
                Ok(matches!(self.condition(condition)?, Variable(_)))
            }
            Operation::Branch { test: Some(Test::Flags(condition)), .. } => {
                match self.condition(condition)? {
                    Variable(_) => fail(Reason::SymbolicBranch, ""),
                    Constant(_) => Ok(false),
                }
            }
            Operation::Add { with_carry: true, .. } => Ok(matches!(self.carry()?, Variable(_))),
            _ => Ok(false),
        }
    }

    /// Takes over the recorded results of an operation on known values.
    fn take_over(&mut self, operation: &Operation, writes: &[Place]) {
        for &place in writes {
            self.words[place as usize] = Constant(self.recorded.words[place as usize].into());
        }
        if operation.sets_flags() {
            self.flags = Flags::known(self.recorded.flags);
        }
    }

    /// Checks that the changes are those that were recorded.
    fn compare(&self, changes: &[(Place, u64)]) -> Result<()> {
        for &(place, _) in changes {
            let (found, recorded) = (self.words[place as usize], self.recorded.words[place as usize]);
            if self.integers.recorded(found) != recorded.into() {
                let what = format!("place {place}: {:#x} for {recorded:#x}", self.integers.recorded(found));
                return fail(Reason::WrongRule, &what);
            }
        }
        for (value, recorded) in self.flags.known_values(self.recorded.flags) {
            if self.integers.recorded(value) != recorded {
                return fail(Reason::WrongRule, "a flag");
            }
        }
        Ok(())
    }
}
