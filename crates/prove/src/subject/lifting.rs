//! The integers of what was recorded, and what has to hold of them.

use checkmem::{Access, Registers, Step};
use iced_x86::OpKind;
use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap},
    ops::Range,
};

use super::{
    Recorded, Recording,
    declared::{Declared, product_statement},
};
use crate::{
    failure::{Failure, Reason, Result},
    lift::{Cut, Declarations, Lifted, LongCall, LongFunction, Part, Symbol, lift_declared, lift_part},
    program::{Program, program},
    specification::{Operation, Statement},
};

/// The register of the sixth argument, after the kernel and two slices: a mask, or an index.
const SIXTH: usize = 9;

/// The functions that cut products in halves, by their names. If the compiler has made others of them, they are followed.
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
    /// Declares a symbol no more: to see what happens if one is forgotten.
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

    /// Between the parts of what prepares pieces, the highest first: where the highest one, which is a product, was last copied, to be reduced;
    /// and where one that was reduced is copied to the next. From there on it is any residue.
    fn cuts_of_pieces(&self, pieces: usize) -> Result<Vec<Cut>> {
        let mut cuts: Vec<Cut> = Vec::new();
        // The one that is copied next.
        let mut left = pieces - 1;
        for (step, call) in self.trace.steps.iter().enumerate().filter_map(|(i, step)| Some((i, step.call?)))
        {
            let (to, from) = (call.arguments[0], call.arguments[1]);
            if !matches!(call.name, "memcpy" | "memmove") || from != self.declared.piece(left)? {
                continue;
            }
            let symbol =
                Symbol { address: from, words: Vec::new(), highest: vec![u64::MAX; self.declared.words] };
            let cut = Cut { step, symbol, are_doubles: false };
            if left > 0 && to == self.declared.piece(left - 1)? {
                cuts.push(cut);
                left -= 1;
            } else if left + 1 == pieces {
                cuts = vec![cut];
            }
        }
        if cuts.len() != pieces {
            return Err(Failure::new(Reason::Unproven, "pieces that are not made one after the other"));
        }
        Ok(cuts)
    }

    /// Between the parts of a long pair: where the operand that both have in common, which is at the beginning of the scratch space, has moved
    /// down by a part and is multiplied by the next part of the first; where each sum is done; and where N was taken off it, or
    /// not. From there on these are any such numbers.
    fn cuts_of_pair(&self) -> Result<Vec<Cut>> {
        let Declared { words: n, part, .. } = self.declared;
        let address =
            |name: &str| Ok::<_, Failure>(self.declared.symbols[self.declared.find(name)?].1.address);
        let (scratch, common) = (address("scratch")?, address("y")?);
        let steps = &self.trace.steps;
        let is_copied = |step: &Step| {
            step.call.is_some_and(|call| (call.arguments[0], call.arguments[1]) == (scratch, common))
        };
        // It is copied to there; a short pair is two products.
        let Some(copied) = steps.iter().position(is_copied) else { return Ok(Vec::new()) };
        let parts = n.saturating_sub(part + 1) / part;
        let end = scratch + 8 * (n + 1 + part * parts) as u64;
        let length = 2 * n - part * parts;
        let sums = [0, 1].map(|i| end + 8 * i * (length as u64 + 1));
        let cut = |step: usize, address: u64, highest: Vec<u64>| {
            let symbol = Symbol { address, words: Vec::new(), highest };
            Cut { step, symbol, are_doubles: false }
        };
        let (mut moved, mut last, mut cuts) = (None, None, Vec::new());
        // Where each sum was written last before the other one was, and where it was written to its end for the first time after that.
        let (mut written, mut done, mut ends) = ([0; 2], [0; 2], [None; 2]);
        for (number, step) in steps.iter().enumerate().skip(copied).filter(|(_, step)| step.call.is_none()) {
            for access in self.trace.accesses(step).iter().filter(|access| access.writes) {
                let to = |sum: &u64| (*sum..sum + 8 * (length as u64 + 1)).contains(&access.address);
                if (scratch..end).contains(&access.address) && last.is_some() {
                    moved = Some(number + 1);
                } else if let Some(sum) = sums.iter().position(to) {
                    if let Some(step) = moved.take() {
                        cuts.push(cut(
                            step,
                            scratch + 8 * (part * (cuts.len() + 1)) as u64,
                            vec![u64::MAX; n],
                        ));
                    }
                    if last != Some(sum) {
                        (done[sum], ends[sum]) = (written[sum], None);
                    }
                    (last, written[sum]) = (Some(sum), number + 1);
                    let highest = sums[sum] + 8 * (length as u64 - 1);
                    if access.address <= highest && highest < access.address + access.size as u64 {
                        ends[sum].get_or_insert(number + 1);
                    }
                }
            }
        }
        let ([Some(first), Some(second)], true) = (ends, cuts.len() == parts) else {
            return Err(Failure::new(Reason::Unproven, "an operand that does not move part by part"));
        };
        let words = vec![u64::MAX; length];
        for (step, sum) in done.into_iter().zip(sums) {
            cuts.push(cut(step, sum, words.iter().copied().chain([1]).collect()));
        }
        for (step, sum) in [first, second].into_iter().zip(sums) {
            cuts.push(cut(step, sum, words.clone()));
        }
        Ok(cuts)
    }

    /// A residue of digits is multiplied by one before it is divided: two parts, and in between a residue at the beginning of the scratch
    /// space. The first part ends with the last vector that is stored there.
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

    /// The integers of the trace, and what has to hold of them.
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
        // It may write where the operation may, and finds its return address and two arguments on the stack.
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
            Operation::Prepare(pieces) => self.cuts_of_pieces(pieces)?,
            Operation::MulPair if self.declared.layout.is_none() => self.cuts_of_pair()?,
            _ => self.cut()?.into_iter().collect(),
        };
        let mut part = self.part(0..self.trace.steps.len(), self.trace.begin.clone());
        part.cuts = &cuts;
        match self.declared.operation {
            Operation::Swap => part.masks = &[SIXTH],
            Operation::Replace => part.words = &[SIXTH],
            _ => {}
        }
        let declare = |declarations: &mut Declarations<'_>| self.declared.declare_copies(declarations);
        let (lifted, inputs) =
            lift_declared(part, &self.declared.symbols(), self.territory.clone(), declare)?;
        let statements = self.declared.statements(&lifted, &inputs)?;
        Ok((lifted, statements))
    }
}
