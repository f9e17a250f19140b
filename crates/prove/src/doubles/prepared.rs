//! Statements about how `fma50` prepares operands in pieces, or as a matrix: the value of the residue, or its
//! product by R, is divided by powers of 2^50 again and again.

use checkmem::Step;
use num_bigint::BigInt;

use super::{Recording, declare::place, parts::behind};
use crate::{
    failure::{Failure, Reason, Result},
    lift::{Cut, Lifted},
    specification::{
        Bound, Formula, Specification, Statement,
        doubles::{Doubles, Part},
    },
    system::{Id, Value},
};

/// The number of times the lowest digit is read while a number is divided by N, without the estimate of the
/// quotient.
const READ: usize = 3;

/// The number of cuts around the division.
const BEFORE: usize = 2;

fn unproven<T>(what: &str) -> Result<T> {
    Err(Failure::new(Reason::Unproven, what))
}

impl Recording {
    /// The digits of a part of the other factor.
    fn part(&self, pieces: usize) -> usize {
        4 * (self.words / 4).div_ceil(pieces)
    }

    /// Whether this many pieces form a matrix, of as many rows as there are digits.
    pub(super) fn is_matrix(&self, pieces: usize) -> bool {
        pieces > self.words / 4
    }

    /// Whether the highest piece is made from R times the residue.
    pub(super) fn is_raised(&self, pieces: usize) -> bool {
        !self.is_matrix(pieces) && self.part(pieces) * pieces > self.digits
    }

    /// The places of the words of a piece, or of a row, among those of all pieces.
    fn places(&self, pieces: usize, piece: usize) -> impl Iterator<Item = usize> {
        let (is_matrix, words, digits) = (self.is_matrix(pieces), self.words, self.digits);
        (0..words).map(move |i| if is_matrix { place(words, digits, i, piece) } else { piece * words + i })
    }

    /// The integers that these words hold at the end.
    fn made(&self, places: impl Iterator<Item = usize>, lifted: &Lifted) -> Result<Vec<Value>> {
        let address = self.symbol("x")?.address;
        let made = places.map(|at| lifted.doubles(address + 8 * at as u64, &self.after[at..=at]));
        made.collect::<Result<Vec<_>>>().map(|made| made.concat())
    }

    /// The number of digits by which the number before a piece is shifted.
    fn shift(&self, pieces: usize, piece: usize) -> usize {
        if self.is_matrix(pieces) {
            return 1;
        }
        let top = self.part(pieces) * pieces;
        let height = if self.is_raised(pieces) { 2 * self.digits } else { self.digits };
        if piece + 1 == pieces { height - top } else { self.part(pieces) }
    }

    /// The number of pieces, or of rows.
    fn count(&self, pieces: usize) -> usize {
        if self.is_matrix(pieces) { self.digits } else { pieces }
    }

    /// The cuts at the dividend, behind the division, and where each piece or row is written, from the
    /// highest one down. From there on it is any number below N.
    pub(super) fn cuts_of_pieces(&self, pieces: usize, shape: &Doubles) -> Result<Vec<Cut>> {
        let before = self.cut_before_division(shape)?;
        let address = before.symbol.address;
        let (steps, lowest) = (&self.trace.steps, address..address + 8);
        let is_read = |step: &Step| self.uses(step, &lowest, false);
        let below = |i: usize| -> BigInt { shape.highest_below(i) };
        let reads = (before.step..steps.len()).filter(|&step| is_read(&steps[step]));
        let is_seen = shape.estimated().1 == 0;
        let Some(divided) = reads.clone().nth(READ + usize::from(is_seen)) else {
            return unproven("what is divided is not read");
        };
        let mut cuts = vec![before, self.cut_of_digits(divided, address, below)];
        for piece in (0..self.count(pieces)).rev() {
            let Some(at) = self.places(pieces, piece).next() else { return unproven("no digits") };
            let at = self.symbol("x")?.address + 8 * at as u64;
            let out = at..at + 8;
            let is_written = |step: &Step| step.call.is_none() && self.uses(step, &out, true);
            let from = cuts[cuts.len() - 1].step;
            let Some(written) = steps[from..].iter().position(is_written) else {
                return unproven("a piece that is not written");
            };
            let Some(read) = reads.clone().take_while(|&step| step <= from + written).last() else {
                return unproven("a piece that is not read");
            };
            cuts.push(self.cut_of_digits(read, address, below));
        }
        if !cuts.is_sorted_by_key(|cut| cut.step) {
            return unproven("pieces that are not made one after the other");
        }
        Ok(cuts)
    }

    /// A statement for the value, one for each piece or row, by what the part before left, and for rows one
    /// for the sum of their products.
    pub(super) fn pieces(&self, pieces: usize, whole: &Statement, lifted: &Lifted) -> Result<Vec<Statement>> {
        let mut statements = vec![self.division(whole, Formula::Product, lifted)];
        let value = |id: &Option<Id>| id.map_or(Value::Constant(0), Value::Variable);
        let begun = |place: usize| lifted.after[place].iter().map(value).collect::<Vec<_>>();
        for (place, piece) in (0..self.count(pieces)).rev().enumerate() {
            let (shift, place) = (self.shift(pieces, piece), BEFORE + place);
            // A finished piece is not changed.
            let mut expected = begun(place);
            expected.resize(self.words, Value::Constant(0));
            if self.made(self.places(pieces, piece), lifted)? != expected {
                return unproven("a piece that is changed afterwards");
            }
            if shift == 0 {
                if lifted.before[place] != begun(place - 1) {
                    return unproven("a piece that is another number");
                }
                continue;
            }
            let specification = Specification {
                first: Bound::BelowModulus,
                second: None,
                formula: Formula::Shifted(shift),
                is_reduced: true,
            };
            let doubles = whole.doubles.clone().map(|shape| Doubles { part: Part::Shifted, ..shape });
            statements.push(Statement {
                specification,
                first: behind(lifted, place - 1),
                second: Vec::new(),
                result: lifted.before[place].clone(),
                result_bits: whole.first_bits,
                doubles,
                ..whole.clone()
            });
        }
        if self.is_matrix(pieces) {
            let behind_rows = self.words * self.digits;
            let rows = (0..self.digits).rev().map(|place| behind(lifted, BEFORE + place)).collect();
            let doubles = whole.doubles.clone();
            let doubles = doubles.map(|shape| Doubles { part: Part::Correction, pieces: rows, ..shape });
            statements.push(Statement {
                specification: Specification::WHOLE,
                first: Vec::new(),
                second: Vec::new(),
                result: self.made(behind_rows..behind_rows + self.words, lifted)?,
                doubles,
                ..whole.clone()
            });
        }
        Ok(statements)
    }
}
