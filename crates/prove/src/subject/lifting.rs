//! Lifts a recorded operation: its integers, and the statements about them.

use checkmem::{Registers, Step};
use iced_x86::{Mnemonic, OpKind};
use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap},
    ops::Range,
};

use super::{Recorded, Recording, declared::product_statement};
use crate::{
    failure::{Failure, Reason, Result},
    layout::Layout,
    lift::{Cut, Lifted, LongCall, LongFunction, Part, Symbol, lift_declared, lift_part},
    program::{Program, program},
    specification::{Operation, Statement},
};

/// The register of the sixth argument, after the kernel and two slices: a mask, or an index.
const SIXTH: usize = 9;

/// The functions that cut products in halves, by their names. If the compiler has merged them into others,
/// they are followed.
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

    /// Whether an instruction writes to these addresses.
    fn writes_to(&self, step: &Step, range: &Range<u64>) -> bool {
        let accesses = self.trace.accesses(step);
        accesses.iter().any(|access| access.writes && range.contains(&access.address))
    }

    /// The cuts of a conversion of digits.
    ///
    /// Of a division: a residue is multiplied by one before it is divided, which gives two parts; the residue
    /// between them is at the beginning of the scratch space. The first part ends with the last vector
    /// that is stored there. If strips have spare bits, the digits are then put in order, each once,
    /// which is a part as well.
    ///
    /// Of words that become a residue, if strips have spare bits: from the first product on, the digits may
    /// be those of any number.
    fn cuts(&self) -> Result<Vec<Cut>> {
        let Some(layout) = &self.declared.layout else { return Ok(Vec::new()) };
        let address =
            |name: &str| Ok::<_, Failure>(self.declared.symbols[self.declared.find(name)?].1.address);
        let words = self.declared.words;
        let steps = || self.trace.steps.iter().enumerate();
        let instruction = |step: &Step| &self.trace.code[step.code as usize].instruction;
        let cut = |step, address, layout: &Layout, operation, name| {
            let highest = layout.highest(operation, name, words);
            Cut { step, symbol: Symbol { address, words: Vec::new(), highest }, are_doubles: false }
        };
        match self.declared.operation {
            Operation::ToMontgomery if layout.spare() > 0 => {
                let is_product = |step: &Step| {
                    matches!(instruction(step).mnemonic(), Mnemonic::Vpmadd52luq | Mnemonic::Vpmadd52huq)
                };
                let address = address("x")?;
                let range = address..address + 8 * words as u64;
                let writes = |step: &Step| self.writes_to(step, &range);
                let first = self.trace.steps.iter().position(is_product).unwrap_or(0);
                let Some(last) = self.trace.steps[..first].iter().rposition(writes) else {
                    return Err(Failure::new(Reason::Unproven, "there is no residue to multiply"));
                };
                Ok(vec![cut(last + 1, address, layout, Operation::Mul, "modulus")])
            }
            Operation::FromMontgomery => {
                let address = address("scratch")?;
                let range = address..address + 8 * words as u64;
                let writes = |step: &Step| self.writes_to(step, &range);
                let is_store = |step: &Step| {
                    let instruction = instruction(step);
                    let is_vector = instruction.op_count() == 2
                        && instruction.op1_kind() == OpKind::Register
                        && instruction.op1_register().is_vector_register();
                    is_vector && writes(step)
                };
                let Some(last) = self.trace.steps.iter().rposition(is_store) else {
                    return Err(Failure::new(Reason::Unproven, "there is no residue"));
                };
                let operation = self.declared.operation;
                let mut cuts = vec![cut(last + 1, address, layout, operation, "x")];
                if layout.spare() > 0 {
                    let ordered = steps().skip(last + 1).filter(|(_, step)| writes(step)).nth(words - 1);
                    let Some((ordered, _)) = ordered else {
                        return Err(Failure::new(Reason::Unproven, "digits that are not put in order"));
                    };
                    cuts.push(cut(ordered + 1, address, &layout.without_spare(), operation, "x"));
                }
                Ok(cuts)
            }
            _ => Ok(Vec::new()),
        }
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
        // The function may write where the operation may. Its return address and two arguments are on the
        // stack.
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
            _ => self.cuts()?,
        };
        let mut part = self.part(0..self.trace.steps.len(), self.trace.begin.clone());
        part.cuts = &cuts;
        match self.declared.operation {
            Operation::Swap => part.masks = &[SIXTH],
            Operation::Replace(_) => part.words = &[SIXTH],
            _ => {}
        }
        // Digits that are moved to strips with spare bits, or back, are cut again.
        let is_spaced = self.declared.layout.as_ref().is_some_and(|layout| layout.spare() > 0);
        let (lifted, inputs) =
            lift_declared(part, &self.declared.symbols(), self.territory.clone(), |declarations| {
                if is_spaced {
                    declarations.has_carried_digits();
                }
                Ok(())
            })?;
        let statements = self.declared.statements(&lifted, &inputs)?;
        Ok((lifted, statements))
    }
}
