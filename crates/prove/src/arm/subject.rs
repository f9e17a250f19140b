//! Records operations of the kernel `aarch64`, with operands that stand for all others.

use moduli_kernel::Words;
use std::{collections::BTreeMap, ops::Range};
use testing::Random;

use super::{
    lift::{Argument, Lifted, Part, lift},
    machine::Machine,
    memory::Memory,
    operation::SP,
    program::{LIMIT, OF_OPERATION, Program},
    trace::{Registers, Step, Trace},
};
use crate::{
    failure::{Failure, Reason, Result},
    lift::{LongCall, LongFunction, Symbol, Territory},
    specification::{Operation, Statement},
    subject::{
        Recorded, STACK,
        declared::{Declared, product_statement},
        modulus, number,
    },
};

/// The most words with which the program describes a kernel.
const TOLD: usize = 64;

/// The kernel for a modulus of one length.
pub struct Subject<'a> {
    program: &'a Program,
    memory: Memory,
    heap: u64,
    kernel: u64,
    size: usize,
    limbs: usize,
    scratch: usize,
    constants: Vec<(&'static str, Symbol)>,
    public: Vec<Range<u64>>,
    bits: usize,
}

/// The record of an operation, and the addresses of its operands.
pub struct Recording<'a> {
    program: &'a Program,
    /// What was executed.
    pub trace: Trace,
    declared: Declared,
    territory: Territory,
}

/// The number of an operation in the program; None if the kernel does not have it.
pub fn code(operation: Operation) -> Option<u64> {
    Some(match operation {
        Operation::Mul => 0,
        Operation::Square => 1,
        Operation::Add => 2,
        Operation::Sub => 3,
        Operation::ToMontgomery => 4,
        Operation::FromMontgomery => 5,
        Operation::Load => 6,
        Operation::Store => 7,
        Operation::Swap => 8,
        Operation::Replace(_) => 9,
        Operation::Select(_) => 10,
        Operation::MulPrepared(_) => 11,
        Operation::Prepare(_) => 12,
        Operation::MulPair => 13,
        _ => return None,
    })
}

/// How many numbers x and y consist of.
pub fn numbers_of(operation: Operation) -> [usize; 2] {
    match operation {
        Operation::Select(entries) => [1, 1 + entries],
        Operation::Replace(entries) => [entries, 1],
        Operation::MulPrepared(pieces) => [1, pieces],
        Operation::Prepare(pieces) => [pieces, 1],
        Operation::MulPair => [2, 1],
        _ => [1, 1],
    }
}

fn missing<T>() -> Result<T> {
    Err(Failure::new(Reason::NoTrace, "memory that is not there"))
}

/// Takes the first of some words.
fn next(told: &mut impl Iterator<Item = u64>) -> Result<u64> {
    told.next().map_or_else(|| Err(Failure::new(Reason::NoTrace, "the program tells too little")), Ok)
}

/// Operands by their names, with their addresses.
struct Operands {
    x: Words,
    y: Words,
    value: Words,
    scratch: Words,
    places: [u64; 4],
}

impl<'a> Subject<'a> {
    /// The kernel for a modulus of `bits` bits.
    ///
    /// # Errors
    /// If the program does not make one.
    pub fn new(program: &'a Program, bits: usize) -> Result<Self> {
        Self::of(program, &modulus(&mut Random(0), bits), bits)
    }

    /// The kernel for a modulus.
    ///
    /// # Errors
    /// If the program does not make one.
    pub fn of(program: &'a Program, n: &[u64], bits: usize) -> Result<Self> {
        let mut machine = program.machine();
        let place = put(&mut machine, n)?;
        let out = put(&mut machine, &[0; TOLD])?;
        let count = program.call(&mut machine, "prepare", &[place, n.len() as u64, out], LIMIT)?;
        let Some(told) = machine.memory.words(out, TOLD.min(count as usize)) else { return missing() };
        let mut told = told.into_iter();
        let [kernel, size, limbs, scratch, count] = {
            let mut words = [0; 5];
            for word in &mut words {
                *word = next(&mut told)?;
            }
            words
        };
        let mut constants = Vec::new();
        for _ in 0..count {
            let (name, length) = (next(&mut told)?, next(&mut told)?);
            let (address, words) = (next(&mut told)?, next(&mut told)?);
            let Some(name) = machine.memory.bytes(name, length as usize) else { return missing() };
            let Some(words) = machine.memory.words(address, words as usize) else { return missing() };
            constants.push((known_name(&name)?, Symbol::any(address, words)));
        }
        let mut public = Vec::new();
        for _ in 0..next(&mut told)? {
            public.push(next(&mut told)?..next(&mut told)?);
        }
        let [size, limbs, scratch] = [size, limbs, scratch].map(|x| x as usize);
        let Machine { memory, heap, .. } = machine;
        Ok(Self { program, memory, heap, kernel, size, limbs, scratch, constants, public, bits })
    }

    /// Records an operation. `seed` picks the operands.
    ///
    /// # Errors
    /// If the interpreter stops.
    pub fn record(&self, operation: Operation, seed: u64) -> Result<Recording<'a>> {
        let numbers = self.operands(operation, seed);
        let extra = match operation {
            Operation::Swap => u64::MAX,
            Operation::Replace(_) => 1,
            Operation::Select(_) => 2,
            Operation::MulPrepared(pieces) | Operation::Prepare(pieces) => pieces as u64,
            _ => 0,
        };
        let (operands, after, trace) = self.run(operation, numbers, extra, true)?;
        let Some(trace) = trace.and_then(Trace::first_call) else {
            return Err(Failure::new(Reason::NoTrace, "the operation was not called"));
        };
        let Operands { x, y, value, scratch, places } = operands;
        let mut symbols = self.constants.clone();
        for ((name, words), place) in
            [("x", &x), ("y", &y), ("value", &value), ("scratch", &scratch)].into_iter().zip(places)
        {
            symbols.push((name, Symbol::any(place, words.to_vec())));
        }
        let range = |i: usize, words: &[u64]| places[i]..places[i] + 8 * words.len() as u64;
        let is_value = matches!(operation, Operation::FromMontgomery | Operation::Store);
        let mut writable = vec![range(3, &scratch), if is_value { range(2, &value) } else { range(0, &x) }];
        if operation == Operation::Swap {
            writable.push(range(1, &y));
        }
        let top = trace.begin.words[SP as usize];
        writable.push(top - STACK..top);
        let mut public = self.public.clone();
        if operation == Operation::MulPair {
            // The ninth argument is a length.
            public.push(top..top + 8);
        }
        let territory = Territory { public, writable };
        let after = after[if is_value { 2 } else { 0 }].clone();
        let declared = Declared { operation, words: self.size, symbols, layout: None, after, part: 8 };
        Ok(Recording { program: self.program, trace, declared, territory })
    }

    /// x, y, a value and the contents of scratch space, picked by `seed`.
    pub fn operands(&self, operation: Operation, seed: u64) -> [Vec<u64>; 4] {
        let random = &mut Random(seed);
        let (size, bits) = (self.size, self.bits);
        let [entries, row] = numbers_of(operation);
        let mut numbers = |count: usize| {
            let all: Vec<_> = (0..count).map(|_| number(random, size, bits - 1).to_vec()).collect();
            all.concat()
        };
        let (y, x) = (numbers(row), numbers(entries));
        let value = number(random, self.limbs, bits - 1).to_vec();
        let scratch = number(random, self.scratch, 64 * self.scratch).to_vec();
        [x, y, value, scratch]
    }

    /// Changes an instruction of the program.
    pub fn change(&mut self, address: u64, word: u32) {
        self.memory.write(address, &word.to_le_bytes());
    }

    /// The results of an operation for x, y and a value.
    ///
    /// # Errors
    /// If the interpreter stops.
    pub fn results(&self, operation: Operation, numbers: [Vec<u64>; 4], extra: u64) -> Result<[Vec<u64>; 3]> {
        Ok(self.run(operation, numbers, extra, false)?.1)
    }

    /// Words of scratch space.
    pub fn scratch_words(&self) -> usize {
        self.scratch
    }

    fn run(
        &self,
        operation: Operation,
        numbers: [Vec<u64>; 4],
        extra: u64,
        is_recorded: bool,
    ) -> Result<(Operands, [Vec<u64>; 3], Option<Trace>)> {
        let Some(code) = code(operation) else {
            return Err(Failure::new(Reason::NoTrace, "it is no operation of this kernel"));
        };
        let mut machine = self.program.with_memory(self.memory.clone(), self.heap);
        let mut told = vec![self.kernel];
        let mut places = [0; 4];
        for (place, words) in places.iter_mut().zip(&numbers) {
            *place = put(&mut machine, words)?;
            told.extend([*place, words.len() as u64]);
        }
        told.push(extra);
        let operands = put(&mut machine, &told)?;
        if is_recorded {
            machine.trace = Some(Trace::default());
        }
        if self.program.call(&mut machine, "perform", &[code, operands], OF_OPERATION)? != 0 {
            return Err(Failure::new(Reason::NoTrace, "the program does not know the operation"));
        }
        let after = [0, 1, 2].map(|i| machine.memory.words(places[i], numbers[i].len()).unwrap_or_default());
        let [x, y, value, scratch] = numbers.map(|words| Words::copy_of(&words));
        Ok((Operands { x, y, value, scratch, places }, after, machine.trace))
    }
}

/// Puts words into newly allocated memory.
fn put(machine: &mut Machine<'_>, words: &[u64]) -> Result<u64> {
    let place = machine.allocate(8 * words.len() as u64, 64);
    match machine.memory.write_words(place, words) {
        Some(()) => Ok(place),
        None => missing(),
    }
}

/// The name of a constant.
fn known_name(name: &[u8]) -> Result<&'static str> {
    const NAMES: [&str; 4] = ["modulus", "one", "one entered", "negative inverse"];
    let known = NAMES.into_iter().find(|known| known.as_bytes() == name);
    known.ok_or_else(|| Failure::new(Reason::NoTrace, "a constant of another name"))
}

impl Recording<'_> {
    /// Removes the declaration of a symbol, to test what happens if one is forgotten.
    pub fn forget(&mut self, name: &str) {
        self.declared.symbols.retain(|(other, _)| *other != name);
    }

    /// The calls of functions of the system, with their steps.
    fn calls(&self) -> impl Iterator<Item = (usize, &'static str, [u64; 3])> {
        let call = |(number, step): (usize, &Step)| step.call.map(|call| (number, call.name, call.arguments));
        self.trace.steps.iter().enumerate().filter_map(call)
    }

    /// The memory that instructions wrote, with their steps.
    fn writes(&self) -> impl Iterator<Item = (usize, Range<u64>)> {
        let steps = self.trace.steps.iter().enumerate().filter(|(_, step)| step.call.is_none());
        steps.flat_map(|(number, step)| {
            let written = self.trace.accesses(step).iter().filter(|access| access.writes);
            written.map(move |access| (number, access.address..access.address + access.size as u64))
        })
    }

    fn long_function(&self, address: u64) -> Option<LongFunction> {
        match &*self.program.name(address) {
            "moduli_kernel::karatsuba::product" => Some(LongFunction::Product),
            "moduli_kernel::karatsuba::square" => Some(LongFunction::Square),
            _ => None,
        }
    }
}

impl Recorded for Recording<'_> {
    type Registers = Registers;

    fn executed(&self) -> usize {
        self.trace.steps.len()
    }

    fn code(&self) -> BTreeMap<u64, Vec<u8>> {
        self.trace.code.iter().map(|code| (code.address, code.bytes.to_vec())).collect()
    }

    fn lift_all(&self) -> Result<(Lifted, Vec<Statement>)> {
        // The kernel is followed by two numbers with their lengths, and then by the other arguments.
        let (arguments, symbolic) = match self.declared.operation {
            Operation::Swap => (6, Some((5, Argument::Mask))),
            Operation::Replace(_) => (6, Some((5, Argument::Word))),
            Operation::Select(_) => (8, Some((7, Argument::Word))),
            Operation::MulPrepared(_) | Operation::Prepare(_) | Operation::MulPair => (8, None),
            Operation::Square => (5, None),
            _ => (7, None),
        };
        let place = |name: &str| self.declared.find(name).ok();
        let cuts = match self.declared.operation {
            Operation::Prepare(pieces) => self.declared.cuts_of_pieces(pieces, self.calls())?,
            Operation::MulPair => self.declared.cuts_of_pair(self.calls(), self.writes())?,
            _ => Vec::new(),
        };
        let part = Part {
            trace: &self.trace,
            steps: 0..self.trace.steps.len(),
            begin: self.trace.begin.clone(),
            arguments,
            symbolic,
            quotients: place("negative inverse").zip(place("modulus")),
            cuts: &cuts,
            known: &|address| self.long_function(address),
            read_only: &self.program.read_only,
        };
        let (lifted, inputs) = lift(part, &self.declared.symbols(), self.territory.clone())?;
        let statements = self.declared.statements(&lifted, &inputs)?;
        Ok((lifted, statements))
    }

    fn lift_product(&self, call: &LongCall<Registers>) -> Result<(Lifted, Statement)> {
        let LongCall { steps, begin, result, factors, function } = call;
        let is_square = factors[0].address == factors[1].address;
        let symbols = &factors[..if is_square { 1 } else { 2 }];
        // The function may write where the operation may.
        let mut territory = self.territory.clone();
        territory.public.clear();
        let arguments = if self.long_function(*function) == Some(LongFunction::Product) { 8 } else { 6 };
        let part = Part {
            trace: &self.trace,
            steps: steps.clone(),
            begin: begin.clone(),
            arguments,
            symbolic: None,
            quotients: None,
            cuts: &[],
            known: &|address| self.long_function(address),
            read_only: &self.program.read_only,
        };
        let (lifted, inputs) = lift(part, symbols, territory)?;
        let statement = product_statement(&lifted, inputs, *result)?;
        Ok((lifted, statement))
    }

    fn are_same(&self, one: &LongCall<Registers>, other: &LongCall<Registers>) -> bool {
        let code =
            |call: &LongCall<Registers>| self.trace.steps[call.steps.clone()].iter().map(|step| step.code);
        code(one).eq(code(other))
    }
}
