//! The integers of what was recorded, and what has to hold of them.

use checkmem::{Access, Registers, Step};
use iced_x86::OpKind;
use std::{cell::RefCell, collections::HashMap, ops::Range};

use super::Recording;
use crate::{
    failure::{Failure, Reason, Result},
    layout::Layout,
    lift::{Cut, Lifted, LongCall, LongFunction, Part, Symbol, Territory, lift_part},
    specification::{Formula, Operation, Specification, Statement, digits::DIGIT},
    system::{Id, Value},
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
        self.symbols.retain(|(other, _)| *other != name);
    }

    fn part(&self, steps: Range<usize>, begin: Registers) -> Part<'_> {
        Part { known: &long_function, ..Part::of(&self.trace, steps, begin) }
    }

    /// Whether two calls took the same instructions.
    pub fn are_same(&self, one: &LongCall, other: &LongCall) -> bool {
        let code = |call: &LongCall| self.trace.steps[call.steps.clone()].iter().map(|step| step.code);
        code(one).eq(code(other))
    }

    /// The integers of a function that multiplies, and what has to hold of them.
    ///
    /// # Errors
    /// As [`lift_part`].
    pub fn lift_product(&self, call: &LongCall) -> Result<(Lifted, Statement)> {
        let LongCall { steps, begin, result, factors, .. } = call;
        let is_square = factors[0].address == factors[1].address;
        let symbols = &factors[..if is_square { 1 } else { 2 }];
        // It may write where the operation may, and finds its return address and two arguments on the stack.
        let mut territory = self.territory.clone();
        let top = begin.general[4];
        territory.public.clear();
        territory.public.push(top..top + 24);
        let part = self.part(steps.clone(), begin.clone());
        let (lifted, mut inputs) = lift_part(part, symbols, territory)?;
        let second = inputs.pop().unwrap_or_default();
        let statement = Statement {
            specification: Specification::WHOLE,
            modulus: Vec::new(),
            inverse: 0,
            first: inputs.pop().unwrap_or_else(|| second.clone()),
            result: words_of(&lifted, *result, 2 * second.len())?,
            first_bits: 64,
            result_bits: 64,
            second,
            mask: None,
            digits: None,
            doubles: None,
            before: None,
        };
        Ok((lifted, statement))
    }

    /// What was executed, and where in which operand, constant, field or part of the stack memory was used: the same for two lengths
    /// of the modulus, and what is proved of one holds of the other.
    pub fn program(&self) -> Vec<(u64, Vec<(usize, u64)>)> {
        let of_symbol =
            |(_, symbol): &(&str, Symbol)| symbol.address..symbol.address + 8 * symbol.words.len() as u64;
        let Territory { public, writable } = &self.territory;
        let ranges: Vec<Range<u64>> =
            self.symbols.iter().map(of_symbol).chain(public.iter().chain(writable).cloned()).collect();
        let place = |access: &Access| match ranges.iter().position(|range| range.contains(&access.address)) {
            Some(number) => (number, access.address - ranges[number].start),
            None => (ranges.len(), access.address),
        };
        let step = |step: &Step| {
            let places = self.trace.accesses(step).iter().map(place).collect();
            (self.trace.code[step.code as usize].instruction.ip(), places)
        };
        self.trace.steps.iter().map(step).collect()
    }

    fn find(&self, name: &str) -> Result<usize> {
        let place = self.symbols.iter().position(|(other, _)| *other == name);
        place.ok_or_else(|| Failure::new(Reason::Unproven, format!("{name} is not declared")))
    }

    /// A residue of digits is multiplied by one before it is divided: two parts, and in between a residue at the beginning of the scratch
    /// space. The first part ends with the last vector that is stored there.
    fn cut(&self) -> Result<Option<Cut>> {
        let (Some(layout), Operation::FromMontgomery) = (&self.layout, self.operation) else {
            return Ok(None);
        };
        let address = self.symbols[self.find("scratch")?].1.address;
        let range = address..address + 8 * self.words as u64;
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
        let highest = layout.highest(self.operation, "x", self.words);
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

    /// As [`Self::lift`], with a statement for each place of a row.
    ///
    /// # Errors
    /// As [`Self::lift`].
    pub fn lift_all(&self) -> Result<(Lifted, Vec<Statement>)> {
        let symbols: Vec<_> = self.symbols.iter().map(|(_, symbol)| symbol.clone()).collect();
        let cut = self.cut()?;
        let mut part = self.part(0..self.trace.steps.len(), self.trace.begin.clone());
        part.cuts = cut.as_slice();
        match self.operation {
            Operation::Swap => part.masks = &[SIXTH],
            Operation::Replace => part.words = &[SIXTH],
            _ => {}
        }
        let (lifted, inputs) = lift_part(part, &symbols, self.territory.clone())?;
        let get = |name: &str| Ok::<_, Failure>(inputs[self.find(name)?].clone());
        let (first, second, result) = match self.operation {
            Operation::Mul
            | Operation::MulTwo
            | Operation::MulRows
            | Operation::SelectRows
            | Operation::Add
            | Operation::Sub
            | Operation::Swap
            | Operation::Replace
            | Operation::Select
            | Operation::MulPrepared(_) => ("x", Some("y"), "x"),
            Operation::Square | Operation::SquareTwo | Operation::SquareRows => ("x", None, "x"),
            Operation::ToMontgomery => ("value", Some("one entered"), "x"),
            Operation::FromMontgomery | Operation::Store => ("x", None, "value"),
            Operation::Load => ("value", None, "x"),
            Operation::Jump | Operation::UpdateFg | Operation::UpdateDe => {
                return Err(Failure::new(Reason::NoTrace, "it is no operation of a kernel"));
            }
        };
        let words = |name: &str| {
            let symbol = &self.symbols[self.find(name)?].1;
            words_of(&lifted, symbol.address, symbol.words.len())
        };
        let mut statement = Statement {
            specification: self.operation.specification(self.words),
            modulus: Vec::new(),
            inverse: get("negative inverse")?[0],
            first: get(first)?,
            first_bits: 64,
            result_bits: 64,
            second: second.map_or_else(|| Ok(Vec::new()), get)?,
            mask: match self.operation {
                Operation::Select => Some(get("index")?[0]),
                _ => inputs.get(symbols.len()).map(|mask| mask[0]),
            },
            result: Vec::new(),
            digits: None,
            doubles: None,
            before: None,
        };
        match (&self.layout, self.operation) {
            // As words, wherever digits are, and whatever the modulus is.
            (_, Operation::Swap) => statement.result = [words("x")?, words("y")?].concat(),
            (_, Operation::Replace) => {
                statement.result = words("x")?;
                let statements = self.places(&statement);
                return Ok((lifted, statements));
            }
            (_, Operation::Select) => {
                statement.result = words("x")?;
                (statement.first, statement.second) = {
                    let (first, row) = statement.second.split_at(self.words);
                    (first.to_vec(), row.to_vec())
                };
            }
            (Some(layout), _) => {
                self.use_digits(layout, &lifted, &inputs, (first, second, result), &mut statement)?;
            }
            (None, _) => {
                statement.modulus = get("modulus")?;
                statement.result = words(result)?;
            }
        }
        Ok((lifted, vec![statement]))
    }

    /// A statement for each place of a row.
    fn places(&self, statement: &Statement) -> Vec<Statement> {
        let place = |(i, (first, result)): (usize, (&[Id], &[Value]))| Statement {
            specification: Specification { formula: Formula::Place(i as u64), ..statement.specification },
            first: first.to_vec(),
            result: result.to_vec(),
            ..statement.clone()
        };
        let places = statement.first.chunks(self.words).zip(statement.result.chunks(self.words));
        places.enumerate().map(place).collect()
    }

    /// What a statement says where numbers are digits of 52 bits, by the names of both operands and of the result.
    fn use_digits(
        &self,
        layout: &Layout,
        lifted: &Lifted,
        inputs: &[Vec<Id>],
        (first, second, result): (&str, Option<&str>, &str),
        statement: &mut Statement,
    ) -> Result<()> {
        // Digits that can only be 0 are none.
        let number = |name: &str| {
            let place = self.find(name)?;
            let highest = &self.symbols[place].1.highest;
            let mut ids = inputs[place].iter().copied();
            let words: Vec<_> =
                highest.iter().map(|&most| (most > 0).then(|| ids.next()).flatten()).collect();
            let of_strips = !matches!(name, "value" | "bound" | "modulus digits");
            let numbers = words.chunks(if of_strips { self.words } else { words.len() });
            let in_order =
                |words: &[Option<Id>]| if of_strips { layout.in_order(words) } else { words.to_vec() };
            Ok::<Vec<Id>, Failure>(numbers.flat_map(in_order).flatten().collect())
        };
        let bits = |name: &str| if name == "value" { 64 } else { DIGIT };
        let modulus = match self.operation {
            Operation::Add | Operation::Sub => "bound",
            Operation::Store | Operation::FromMontgomery => "modulus digits",
            _ => "modulus",
        };
        let reciprocal = inputs[self.find("reciprocal")?][0];
        let digits = layout.digits(self.operation, number("high")?, number("step")?, reciprocal);
        if let Operation::MulPrepared(_) = self.operation {
            statement.specification.formula = Formula::Pieces(digits.reduced);
        }
        statement.digits = Some(digits);
        statement.modulus = number(modulus)?;
        (statement.first, statement.first_bits) = (number(first)?, bits(first));
        statement.second = second.map_or_else(|| Ok(Vec::new()), number)?;
        let symbol = &self.symbols[self.find(result)?].1;
        let values = lifted.values(symbol.address, &self.after)?;
        statement.result = if result == "x" { layout.in_order(&values) } else { values };
        statement.result_bits = bits(result);
        if self.operation == Operation::FromMontgomery {
            let mut before = statement.clone();
            before.modulus = number("modulus")?;
            (before.result, before.result_bits) = (layout.in_order(&lifted.before[0]), DIGIT);
            statement.first = layout.in_order(&lifted.after[0]).into_iter().flatten().collect();
            statement.before = Some(Box::new(before));
        }
        if matches!(self.operation, Operation::Store | Operation::FromMontgomery) {
            let formula = Formula::Remainder;
            statement.specification = Specification { formula, is_reduced: false, ..statement.specification };
        }
        Ok(())
    }
}

/// Words of memory as they are afterwards.
fn words_of(lifted: &Lifted, address: u64, count: usize) -> Result<Vec<Value>> {
    Ok(lifted.words(address, count)?.into_iter().map(Value::Variable).collect())
}
