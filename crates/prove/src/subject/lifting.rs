//! Lifts a recorded operation: its integers, and the statements about them.

use checkmem::{Access, Registers, Step};
use iced_x86::OpKind;
use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap},
    ops::Range,
};

use super::{Recorded, Recording, declared::product_statement};
use crate::{
    failure::{Failure, Reason, Result},
    lift::{Cut, Lifted, LongCall, LongFunction, Part, Symbol, lift_part},
    program::{Program, program},
    specification::{Operation, Statement},
};

/// The register of the sixth argument, after the kernel and two slices: a mask, or an index.
const SIXTH: usize = 9;

/// The functions that cut products in halves, by their names. If the compiler has merged them into others, they are followed.
fn long_function(address: u64) -> Option<LongFunction> {
    thread_local! {
        static KNOWN: RefCell<HashMap<u64, Option<LongFunction>>> = RefCell::default();
    }
    let look = || match &*checkmem::function_at(address + 1) {
        "moduli_kernel::karatsuba::product" => Some(LongFunction::Product),
        "moduli_kernel::karatsuba::square" => Some(LongFunction::Square),
        _ => None,
    };
    KNOWN.with_borrow_mut(|known| *known.entry(address).or_insert_with(look))
}

impl Recording {
    /// Removes the declaration of a symbol, to test what happens if one is forgotten.
    pub fn forget(&mut self, name: &str) {
        self.declared.symbols.retain(|(other, _)| *other != name);
    }

    fn part(&self, steps: Range<usize>, begin: Registers) -> Part<'_> {
        Part { known: &long_function, ..Part::of(&self.trace, steps, begin) }
    }

    /// See [`Program`].
    pub fn program(&self) -> Program {
        program(&self.trace, &self.declared.symbols, &self.territory)
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

    /// The cut of a division. A residue of digits is multiplied by one before it is divided, which gives two parts; the residue between
    /// them is at the beginning of the scratch space. The first part ends with the last vector that is stored there.
    fn cut(&self) -> Result<Option<Cut>> {
        let (Some(layout), Operation::FromMontgomery) = (&self.declared.layout, self.declared.operation)
        else {
            return Ok(None);
        };
        let address = self.declared.symbols[self.declared.find("scratch")?].1.address;
        let range = address..address + 8 * self.declared.words as u64;
        let is_store = |step: &Step| {
            let instruction = &self.trace.code[step.code as usize].instruction;
            let is_vector = instruction.op_count() == 2
                && instruction.op1_kind() == OpKind::Register
                && instruction.op1_register().is_vector_register();
            let writes = |access: &Access| access.writes && range.contains(&access.address);
            is_vector && self.trace.accesses(step).iter().any(writes)
        };
        let last = self.trace.steps.iter().rposition(is_store);
        let Some(last) = last else { return Err(Failure::new(Reason::Unproven, "there is no residue")) };
        let highest = layout.highest(self.declared.operation, "x", self.declared.words);
        let symbol = Symbol { address, words: Vec::new(), highest };
        Ok(Some(Cut { step: last + 1, symbol, are_doubles: false }))
    }

    /// The integers of the trace, and the statement about them.
    ///
    /// # Errors
    /// As [`crate::lift::lift`].
    pub fn lift(&self) -> Result<(Lifted, Statement)> {
        let (lifted, mut statements) = self.lift_all()?;
        Ok((lifted, statements.remove(0)))
    }
}

impl Recorded for Recording {
    type Registers = Registers;

    fn executed(&self) -> usize {
        self.trace.steps.len()
    }

    fn code(&self) -> BTreeMap<u64, Vec<u8>> {
        let executed = self.trace.steps.iter().map(|step| &self.trace.code[step.code as usize]);
        executed.map(|code| (code.instruction.ip(), code.bytes.clone())).collect()
    }

    fn are_same(&self, one: &LongCall, other: &LongCall) -> bool {
        let code = |call: &LongCall| self.trace.steps[call.steps.clone()].iter().map(|step| step.code);
        code(one).eq(code(other))
    }

    fn lift_product(&self, call: &LongCall) -> Result<(Lifted, Statement)> {
        let LongCall { steps, begin, result, factors, .. } = call;
        let is_square = factors[0].address == factors[1].address;
        let symbols = &factors[..if is_square { 1 } else { 2 }];
        // The function may write where the operation may. Its return address and two arguments are on the stack.
        let mut territory = self.territory.clone();
        let top = begin.general[4];
        territory.public.clear();
        territory.public.push(top..top + 24);
        let part = self.part(steps.clone(), begin.clone());
        let (lifted, inputs) = lift_part(part, symbols, territory)?;
        let statement = product_statement(&lifted, inputs, *result)?;
        Ok((lifted, statement))
    }

    fn lift_all(&self) -> Result<(Lifted, Vec<Statement>)> {
        let cuts = match self.declared.operation {
            Operation::Prepare(pieces) if self.declared.layout.is_some() => {
                self.cuts_of_pieces_of_digits(pieces)?
            }
            Operation::Prepare(pieces) => self.declared.cuts_of_pieces(pieces, self.calls())?,
            Operation::MulPair if self.declared.layout.is_none() => {
                self.declared.cuts_of_pair(self.calls(), self.writes())?
            }
            _ => self.cut()?.into_iter().collect(),
        };
        let mut part = self.part(0..self.trace.steps.len(), self.trace.begin.clone());
        part.cuts = &cuts;
        match self.declared.operation {
            Operation::Swap => part.masks = &[SIXTH],
            Operation::Replace(_) => part.words = &[SIXTH],
            _ => {}
        }
        let (lifted, inputs) = lift_part(part, &self.declared.symbols(), self.territory.clone())?;
        let statements = self.declared.statements(&lifted, &inputs)?;
        Ok((lifted, statements))
    }
}
