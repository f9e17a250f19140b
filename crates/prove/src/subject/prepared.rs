//! Statements about how `ifma52` prepares an operand: products and reductions, each of which starts from what
//! the one before left, and has its own statement.

use checkmem::{Access, Step};
use iced_x86::Mnemonic;
use std::ops::Range;

use super::{Recording, declared::Declared};
use crate::{
    failure::{Failure, Reason, Result},
    layout::Layout,
    lift::{Cut, Lifted, Symbol},
    specification::{
        Formula, Operation, Specification, Statement,
        digits::{DIGIT, Digits},
    },
    system::{Id, Value},
};

/// The number of products before the lowest piece is reduced: that of the residue and one; the power of two;
/// both; and the power again.
const PRODUCTS: usize = 4;

/// The numbers before the lowest piece, in the order in which they are cut: the residue, as its product by
/// one leaves it, and reduced; the power; the number that becomes the lowest piece; the power for all others.
const UNREDUCED: usize = 0;
const VALUE: usize = 1;
const POWER: usize = 2;
const LOWEST: usize = 3;
const NEXT: usize = 4;

/// The indices, among the numbers that are cut, of the number that becomes a piece and of the piece.
fn places(piece: usize) -> [usize; 2] {
    let unreduced = if piece == 0 { LOWEST } else { NEXT + 2 * piece };
    [unreduced, NEXT + 2 * piece + 1]
}

fn unproven<T>(what: &str) -> Result<T> {
    Err(Failure::new(Reason::Unproven, what))
}

impl Recording {
    /// The steps of a function that is called at a step.
    fn called(&self, number: usize) -> Option<Range<usize>> {
        let is_call = self.trace.is_call(&self.trace.steps[number]);
        let length = is_call.then(|| self.trace.steps_of_function(number + 1)).flatten()?;
        Some(number + 1..number + 1 + length)
    }

    /// Adds the steps of functions that multiply, which may call others that multiply, up to a depth. Returns
    /// how deep they go.
    fn add_products(
        &self,
        within: Range<usize>,
        depth: usize,
        found: &mut Vec<Range<usize>>,
    ) -> Option<usize> {
        let multiplies = |number: usize| {
            let code = self.trace.steps[number].code as usize;
            let mnemonic = self.trace.code[code].instruction.mnemonic();
            matches!(mnemonic, Mnemonic::Vpmadd52luq | Mnemonic::Vpmadd52huq)
        };
        let (mut number, mut deepest) = (within.start, None);
        while number < within.end {
            deepest = deepest.max(multiplies(number).then_some(0));
            let called = self.called(number);
            number += 1;
            if let Some(called) = called {
                number = called.end;
                let inside = self.add_products(called, depth, found);
                deepest = deepest.max(inside.map(|inside| inside + 1));
            }
        }
        if deepest == Some(depth) {
            found.push(within);
        }
        deepest
    }

    /// The steps of products. If digits are in order, these call functions that multiply.
    fn products(&self, layout: &Layout) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        self.add_products(0..self.trace.steps.len(), usize::from(!layout.in_strips()), &mut found);
        found
    }

    /// The cut behind a product: the number that it leaves in allocated memory is any residue from then on.
    fn cut_behind(&self, layout: &Layout, product: &Range<usize>) -> Result<Cut> {
        let writable = &self.territory.writable;
        let is_left =
            |access: &&Access| access.writes && !writable.iter().any(|range| range.contains(&access.address));
        let steps = self.trace.steps[product.clone()].iter();
        let all = steps.flat_map(|step| self.trace.accesses(step).iter().filter(is_left));
        let ends = |access: &Access| [access.address, access.address + access.size as u64];
        let bounds = all.map(ends).reduce(|one, other| [one[0].min(other[0]), one[1].max(other[1])]);
        match bounds {
            Some([from, to]) if to - from == 8 * self.declared.words as u64 => {
                Ok(self.cut_at(layout, product.end, from))
            }
            _ => unproven("a product that leaves no residue"),
        }
    }

    fn cut_at(&self, layout: &Layout, step: usize, address: u64) -> Cut {
        let highest = layout.highest(self.declared.operation, "y", self.declared.words);
        Cut { step, symbol: Symbol { address, words: Vec::new(), highest }, are_doubles: false }
    }

    /// The cuts behind each product, and where a reduced number is used; for a piece, where it is copied. The
    /// highest piece is not used again.
    pub(super) fn cuts_of_pieces_of_digits(&self, pieces: usize) -> Result<Vec<Cut>> {
        let Some(layout) = &self.declared.layout else { return unproven("no digits") };
        let products = self.products(layout);
        if pieces < 2 || products.len() != PRODUCTS + pieces - 1 {
            return unproven("pieces that are made by other products");
        }
        let behind =
            products.iter().map(|product| self.cut_behind(layout, product)).collect::<Result<Vec<_>>>()?;
        let (first, others) = behind.split_at(PRODUCTS);
        let address = first[0].symbol.address;
        let mut cuts = vec![first[0].clone(), self.cut_at(layout, first[1].step, address)];
        cuts.extend_from_slice(&first[1..]);
        for (piece, product) in others.iter().enumerate() {
            let to = self.declared.piece(piece)?;
            let is_copied = |step: &Step| {
                let call = step.call.filter(|call| matches!(call.name, "memcpy" | "memmove"));
                call.is_some_and(|call| call.arguments[..2] == [to, address])
            };
            let Some(step) = self.trace.steps.iter().position(is_copied) else {
                return unproven("a piece that is not copied");
            };
            cuts.extend([self.cut_at(layout, step, address), product.clone()]);
        }
        let is_right = |(i, cut): (usize, &Cut)| {
            let is_power = matches!(i, POWER | NEXT);
            (cut.symbol.address == address) != is_power
        };
        if !cuts.is_sorted_by_key(|cut| cut.step) || !cuts.iter().enumerate().all(is_right) {
            return unproven("pieces that are not made one after the other");
        }
        Ok(cuts)
    }
}

impl Declared {
    /// A statement for each product and each reduction, by what the part before left.
    pub(super) fn pieces_of_digits<R>(
        &self,
        layout: &Layout,
        lifted: &Lifted<R>,
        inputs: &[Vec<Id>],
        pieces: usize,
    ) -> Result<Vec<Statement>> {
        let number = |name: &str| self.number(layout, inputs, name);
        let begun =
            |place: usize| layout.in_order(&lifted.after[place]).into_iter().flatten().collect::<Vec<_>>();
        let left = |place: usize| layout.in_order(&lifted.before[place]);
        let (of_division, entered) = (number("modulus digits")?, number("one entered")?);
        let digits = Digits { are_residues: true, ..self.digits(layout, inputs)? };
        let product = Statement {
            specification: Operation::Mul.specification(self.words),
            modulus: number("modulus")?,
            inverse: number("negative inverse")?[0],
            first_bits: DIGIT,
            result_bits: DIGIT,
            digits: Some(digits),
            ..Statement::NONE
        };
        let of_one = |formula, is_reduced, first, result| Statement {
            specification: Specification { formula, is_reduced, second: None, ..product.specification },
            first,
            result,
            ..product.clone()
        };
        let reduction = |first, result| Statement {
            modulus: of_division.clone(),
            ..of_one(Formula::Remainder, false, first, result)
        };
        let raised = Formula::Raised(layout.part(pieces));
        let power = |place| of_one(raised, true, entered.clone(), left(place));
        let product_of = |[first, second, result]: [usize; 3]| Statement {
            first: begun(first),
            second: begun(second),
            result: left(result),
            ..product.clone()
        };
        let mut statements = vec![
            of_one(Formula::First, true, number("y")?, left(UNREDUCED)),
            reduction(begun(UNREDUCED), left(VALUE)),
            power(POWER),
            product_of([VALUE, POWER, LOWEST]),
            power(NEXT),
        ];
        for piece in 0..pieces {
            let [unreduced, reduced] = places(piece);
            let recorded = &self.after[piece * self.words..(piece + 1) * self.words];
            let there = lifted.values(self.piece(piece)?, recorded)?;
            let Some(after) = lifted.after.get(reduced) else {
                statements.push(reduction(begun(unreduced), layout.in_order(&there)));
                continue;
            };
            // A piece that was made stays as it is.
            let value = |id: &Option<Id>| id.map_or(Value::Constant(0), Value::Variable);
            if there != after.iter().map(value).collect::<Vec<_>>() {
                return unproven("a piece that is changed afterwards");
            }
            statements.push(reduction(begun(unreduced), left(reduced)));
            statements.push(product_of([reduced, NEXT, places(piece + 1)[0]]));
        }
        Ok(statements)
    }
}
