//! Operations of `fma50` in two parts: where the first one ends, and what it has to do.

use checkmem::{Access, Change, Step};
use iced_x86::Mnemonic;
use num_bigint::BigInt;

use super::{Recording, word};
use crate::{
    failure::{Failure, Reason, Result},
    lift::{Cut, Lifted, Symbol},
    specification::{
        Formula, Operation, Specification, Statement,
        doubles::{Doubles, Part},
    },
    system::Id,
};

fn unproven<T>(what: &str) -> Result<T> {
    Err(Failure::new(Reason::Unproven, what))
}

impl Recording {
    /// Whether a value leaves.
    pub(super) fn is_left(&self) -> bool {
        matches!(self.operation, Operation::Store | Operation::FromMontgomery)
    }

    /// What enters is loaded and multiplied; of what leaves there is T first, and then digits of V'.
    pub(super) fn cuts(&self, shape: &Doubles) -> Result<Vec<Cut>> {
        match self.operation {
            Operation::ToMontgomery => self.cut_behind_load(shape).map(|cut| vec![cut]),
            _ if self.is_left() => self.cuts_around_division(shape),
            _ => Ok(Vec::new()),
        }
    }

    fn uses(&self, step: &Step, range: &core::ops::Range<u64>, writes: bool) -> bool {
        let is_there = |access: &Access| {
            range.contains(&access.address) && if writes { access.writes } else { access.reads }
        };
        self.trace.accesses(step).iter().any(is_there)
    }

    /// Between a load and a product: the residue that was loaded.
    fn cut_behind_load(&self, shape: &Doubles) -> Result<Cut> {
        let address = self.symbol("x")?.address;
        let range = address..address + 8 * self.words as u64;
        let steps = &self.trace.steps;
        let is_product =
            |step: &Step| self.trace.code[step.code as usize].instruction.mnemonic() == Mnemonic::Vfmadd231pd;
        let product = steps.iter().position(is_product).unwrap_or(0);
        let Some(last) = steps[..product].iter().rposition(|step| self.uses(step, &range, true)) else {
            return unproven("nothing is loaded");
        };
        let highest = |i| if i < self.digits { word(shape.highest_digit(i)) } else { 0 };
        let highest = (0..self.words).map(highest).collect();
        let symbol = Symbol { address, words: Vec::new(), highest };
        Ok(Cut { step: last + 1, symbol, are_doubles: true })
    }

    /// Where K has been taken off, the digits of T, in memory that was allocated for them; and where they are made words, those of V'.
    fn cuts_around_division(&self, shape: &Doubles) -> Result<Vec<Cut>> {
        let Symbol { address, words, .. } = self.symbol("multiple")?;
        let multiple = *address..address + 8 * words.len() as u64;
        let steps = &self.trace.steps;
        let Some(last) = steps.iter().rposition(|step| self.uses(step, &multiple, false)) else {
            return unproven("nothing is taken off");
        };
        let bytes = 8 * self.digits as u64;
        let allocated = steps[..last].iter().rev().find_map(|step| {
            let call = step.call.filter(|call| call.name == "malloc" && call.arguments[0] == bytes)?;
            let result = |change: &Change| match *change {
                Change::General(0, address) => Some(address),
                _ => None,
            };
            self.trace.changes(step).iter().find_map(result).filter(|_| call.arguments[0] == bytes)
        });
        let Some(address) = allocated else { return unproven("there is no memory for digits") };
        let top = address + bytes - 8..address + bytes;
        let Some(stored) = steps[last..].iter().position(|step| self.uses(step, &top, true)) else {
            return unproven("the highest digit is not stored");
        };
        let lowest = address..address + 8;
        let is_read = |step: &Step| self.uses(step, &lowest, false) && !self.uses(step, &lowest, true);
        let Some(read) = steps.iter().rposition(is_read) else { return unproven("the digits are not read") };
        let cut = |step, highest: &dyn Fn(usize) -> BigInt| {
            let highest = (0..self.digits).map(|i| word(highest(i))).collect();
            Cut { step, symbol: Symbol { address, words: Vec::new(), highest }, are_doubles: false }
        };
        Ok(vec![
            cut(last + stored + 1, &|i| shape.highest_of_reduced(i)),
            cut(read, &|i| shape.highest_below(i)),
        ])
    }

    /// The statement of the last part, with those of the parts before.
    pub(super) fn parts(&self, last: Statement, lifted: &Lifted, value: &[Id]) -> Statement {
        let behind = |place: usize| lifted.after[place].iter().copied().flatten().collect::<Vec<_>>();
        if !self.is_left() {
            let before = Statement {
                specification: Operation::Load.specification(self.words),
                first: value.to_vec(),
                first_bits: 64,
                second: Vec::new(),
                result: lifted.before[0].clone(),
                ..last.clone()
            };
            return Statement { first: behind(0), before: Some(Box::new(before)), ..last };
        }
        let of_part = |part, formula, place: usize, before: Option<Statement>| {
            let multiple = if part == Part::Reduced {
                Vec::new()
            } else {
                last.doubles.as_ref().map(|shape| shape.multiple.clone()).unwrap_or_default()
            };
            Statement {
                specification: Specification {
                    formula,
                    is_reduced: part == Part::Reduced,
                    second: None,
                    ..last.specification
                },
                first: if part == Part::Reduced { last.first.clone() } else { behind(place - 1) },
                second: if part == Part::Reduced { last.second.clone() } else { Vec::new() },
                result: lifted.before.get(place).unwrap_or(&last.result).clone(),
                result_bits: if part == Part::Left { last.result_bits } else { last.first_bits },
                doubles: last.doubles.clone().map(|shape| Doubles { part, multiple, ..shape }),
                before: before.map(Box::new),
                ..last.clone()
            }
        };
        let is_product = self.operation == Operation::Store;
        let formula = if is_product { Formula::Product } else { Formula::First };
        // K has been taken off.
        let reduced = of_part(Part::Reduced, formula, 0, None);
        let divided = of_part(Part::Divided, Formula::Remainder, 1, Some(reduced));
        of_part(Part::Left, Formula::Copy, 2, Some(divided))
    }
}
