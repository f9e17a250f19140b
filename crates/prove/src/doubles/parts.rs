//! Operations of `fma50` that have several parts: where each part ends, and the statements about the parts.

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

/// The integers that a part begins with, by the number of the cut before it.
pub(super) fn behind(lifted: &Lifted, place: usize) -> Vec<Id> {
    lifted.after[place].iter().copied().flatten().collect()
}

impl Recording {
    /// Whether the operation converts a residue into a value.
    pub(super) fn is_left(&self) -> bool {
        matches!(self.operation, Operation::Store | Operation::FromMontgomery)
    }

    /// Whether a residue is divided by N.
    pub(super) fn is_divided(&self) -> bool {
        self.is_left() || matches!(self.operation, Operation::Prepare(_))
    }

    /// The cuts of an operation. A value that is converted into a residue is loaded and multiplied. For a
    /// conversion back, there is T first, and then digits of V'.
    pub(super) fn cuts(&self, shape: &Doubles) -> Result<Vec<Cut>> {
        match self.operation {
            Operation::ToMontgomery => self.cut_behind_load(shape).map(|cut| vec![cut]),
            Operation::Prepare(pieces) => self.cuts_of_pieces(pieces, shape),
            _ if self.is_left() => self.cuts_around_division(shape),
            _ => Ok(Vec::new()),
        }
    }

    pub(super) fn uses(&self, step: &Step, range: &core::ops::Range<u64>, writes: bool) -> bool {
        let is_there = |access: &Access| {
            range.contains(&access.address) && if writes { access.writes } else { access.reads }
        };
        self.trace.accesses(step).iter().any(is_there)
    }

    /// The cut between a load and a product: the residue that was loaded.
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

    /// The cut where K has been subtracted: the digits of T, in allocated memory.
    pub(super) fn cut_before_division(&self, shape: &Doubles) -> Result<Cut> {
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
        Ok(self.cut_of_digits(last + stored + 1, address, |i| shape.highest_of_reduced(i)))
    }

    /// The cut from which on digits are any digits up to these.
    pub(super) fn cut_of_digits(&self, step: usize, address: u64, highest: impl Fn(usize) -> BigInt) -> Cut {
        let highest = (0..self.digits).map(|i| word(highest(i))).collect();
        Cut { step, symbol: Symbol { address, words: Vec::new(), highest }, are_doubles: false }
    }

    /// The cuts at the digits of T, and at the digits of V' before they are converted into words.
    fn cuts_around_division(&self, shape: &Doubles) -> Result<Vec<Cut>> {
        let before = self.cut_before_division(shape)?;
        let address = before.symbol.address;
        let lowest = address..address + 8;
        let is_read = |step: &Step| self.uses(step, &lowest, false) && !self.uses(step, &lowest, true);
        let Some(read) = self.trace.steps.iter().rposition(is_read) else {
            return unproven("the digits are not read");
        };
        Ok(vec![before, self.cut_of_digits(read, address, |i| shape.highest_below(i))])
    }

    /// Divides a statement about a whole operation: into one about what comes before a division, and one
    /// about the division.
    pub(super) fn division(&self, whole: &Statement, formula: Formula, lifted: &Lifted) -> Statement {
        let of_part = |part| {
            let is_reduced = part == Part::Reduced;
            let formula = if is_reduced { formula } else { Formula::Remainder };
            let doubles = whole.doubles.clone().map(|shape| Doubles {
                part,
                multiple: if is_reduced { Vec::new() } else { shape.multiple.clone() },
                ..shape
            });
            Statement {
                specification: Specification { formula, is_reduced, second: None, ..whole.specification },
                first: if is_reduced { whole.first.clone() } else { behind(lifted, 0) },
                second: if is_reduced { whole.second.clone() } else { Vec::new() },
                result: lifted.before[usize::from(!is_reduced)].clone(),
                result_bits: whole.first_bits,
                doubles,
                ..whole.clone()
            }
        };
        Statement { before: Some(Box::new(of_part(Part::Reduced))), ..of_part(Part::Divided) }
    }

    /// The statement of the last part, with those of the parts before.
    pub(super) fn parts(&self, last: Statement, lifted: &Lifted, value: &[Id]) -> Statement {
        if !self.is_left() {
            let before = Statement {
                specification: Operation::Load.specification(self.words),
                first: value.to_vec(),
                first_bits: 64,
                second: Vec::new(),
                result: lifted.before[0].clone(),
                ..last.clone()
            };
            return Statement { first: behind(lifted, 0), before: Some(Box::new(before)), ..last };
        }
        let is_product = self.operation == Operation::Store;
        let formula = if is_product { Formula::Product } else { Formula::First };
        // K has been subtracted.
        let divided = self.division(&last, formula, lifted);
        let specification =
            Specification { formula: Formula::Copy, is_reduced: false, second: None, ..last.specification };
        let doubles = last.doubles.clone().map(|shape| Doubles { part: Part::Left, ..shape });
        Statement {
            specification,
            first: behind(lifted, 1),
            second: Vec::new(),
            doubles,
            before: Some(Box::new(divided)),
            ..last
        }
    }
}
