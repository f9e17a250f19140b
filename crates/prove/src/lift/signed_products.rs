//! Rules for products of signed words, and for the sums of two words in which they are accumulated, as
//! inversion computes them.
//!
//! A word that is the lower 64 bits of an integer is that integer modulo 2^64. If the integer lies in [−2^63,
//! 2^63[, it is the signed value of the word. So the upper word of a product, or of a sum of two words, is
//! followed as a signed integer, from which nothing is carried. The flags of sums of such words are not
//! followed.
//!
//! These rules are used only for code that is declared to have signed products.

use iced_x86::{Instruction, Mnemonic, OpKind, Register};

use super::{Lifter, fail};
use crate::{
    failure::{Reason, Result},
    system::{Definition, Id, Source, Value},
};
use Value::{Constant, Variable};

const HALF: i128 = 1 << 63;
const WORD: i128 = 1 << 64;

/// The bound of a digit of an inversion, which is below it.
const DIGIT: i128 = 1 << 62;

/// The signed value of a word.
fn signed(x: i128) -> i128 {
    if x >= HALF { x - WORD } else { x }
}

impl Lifter<'_> {
    fn lies_within(&self, x: Value, low: i128, high: i128) -> bool {
        let (from, to) = self.integers.bounds(x);
        low <= from && to <= high
    }

    /// The integer, possibly negative, which a word represents modulo 2^64.
    fn of_which(&self, x: Value) -> Option<Value> {
        let Variable(id) = x else { return None };
        let Definition::Low(number) = self.integers.system.definitions[id as usize] else { return None };
        let split = &self.integers.system.splits[number as usize];
        match split.source {
            Source::Single(of) if split.shift == 64 && self.integers.bounds(Variable(of)).0 < 0 => {
                Some(Variable(of))
            }
            _ => None,
        }
    }

    /// The integer of `of_which`, or else the word itself. For a word with two values, a choice between their
    /// signed values.
    fn modulo_word(&mut self, x: Value) -> Result<Value> {
        match (self.of_which(x), self.integers.two_valued(x)) {
            (Some(of), _) => Ok(of),
            (None, Some((of, first, second))) => self.integers.table(of, signed(first), signed(second)),
            (None, None) => Ok(x),
        }
    }

    /// For a word with two possible values: an integer with two values that determines it, and both values.
    /// This includes words that are known as the residue of such an integer modulo 2^64.
    fn two_valued_word(&self, x: Value) -> Option<(Id, i128, i128)> {
        let of_which = || {
            let (of, first, second) = self.integers.two_valued(self.of_which(x)?)?;
            Some((of, first & (WORD - 1), second & (WORD - 1)))
        };
        self.integers.two_valued(x).or_else(of_which)
    }

    fn is_signed_word(&self, x: Value) -> bool {
        self.lies_within(x, -HALF, HALF - 1)
    }

    /// The word that is an integer modulo 2^64. The integer can be found again from it.
    fn word_modulo(&mut self, x: Value) -> Result<Value> {
        match self.integers.two_valued(x) {
            Some(_) => Ok(self.integers.split(x, 64)?.0),
            None => Ok(self.integers.split_plainly(x, 64)?.0),
        }
    }

    /// The signed value of a word.
    fn signed_value(&mut self, x: Value) -> Result<Value> {
        if let Constant(x) = x {
            return Ok(Constant(signed(x)));
        }
        if self.is_signed_word(x) {
            return Ok(x);
        }
        let of = self.modulo_word(x)?;
        if self.is_signed_word(of) {
            return Ok(of);
        }
        // If the integer may be longer, take its residue modulo 2^64.
        let moved = self.integers.sum(HALF, &[(1, of)])?;
        let low = self.integers.split(moved, 64)?.0;
        self.integers.sum(-HALF, &[(1, low)])
    }

    /// Lifts an instruction on signed words. Returns whether it was one.
    pub(super) fn on_signed_products(&mut self, i: &Instruction) -> Result<bool> {
        use Mnemonic as M;
        if !self.has_signed_products
            || i.op_count() == 0
            || i.op0_kind() != OpKind::Register && i.op_count() != 1
        {
            return Ok(false);
        }
        if self.size(i, 0) != 64 || i.op0_kind() == OpKind::Register && !i.op0_register().is_gpr64() {
            return Ok(false);
        }
        let result = match i.mnemonic() {
            M::Imul if i.op_count() == 1 => {
                let (x, y) = (self.read_register(Register::RAX)?, self.get(i, 0)?);
                let (x, y) = (self.signed_value(x)?, self.signed_value(y)?);
                let (low, high) = self.integers.split_signed_product(x, y, 64)?;
                let high = self.word_modulo(high)?;
                self.write_register(Register::RAX, low)?;
                self.write_register(Register::RDX, high)?;
                self.forget_flags();
                return Ok(true);
            }
            M::Imul => self.multiple(i)?,
            M::Adc => {
                let Some(carry) = self.flags[super::CARRY] else { return fail(Reason::UnfollowedFlag, "") };
                let (x, y) = (self.get(i, 0)?, self.get(i, 1)?);
                let terms = [self.modulo_word(x)?, self.modulo_word(y)?, carry].map(|x| (1, x));
                let sum = self.integers.sum(0, &terms)?;
                Some(self.word_modulo(sum)?)
            }
            M::Add | M::Sub => {
                let (x, y) = (self.get(i, 0)?, self.get(i, 1)?);
                if self.of_which(x).is_none() && self.of_which(y).is_none() {
                    return Ok(false);
                }
                let sign = if i.mnemonic() == M::Add { 1 } else { -1 };
                let terms = [(1, self.modulo_word(x)?), (sign, self.modulo_word(y)?)];
                let sum = self.integers.sum(0, &terms)?;
                Some(self.word_modulo(sum)?)
            }
            M::Neg => {
                let x = self.get(i, 0)?;
                let Some(of) = self.of_which(x) else { return Ok(false) };
                let negative = self.integers.sum(0, &[(-1, of)])?;
                Some(self.word_modulo(negative)?)
            }
            M::Lea => {
                let result = self.sum_of_registers(i)?;
                if let Some(result) = result {
                    // This instruction sets no flags.
                    self.put(i, 0, result)?;
                }
                return Ok(result.is_some());
            }
            M::Sar => {
                let (x, Constant(count)) = (self.get(i, 0)?, self.get(i, 1)?) else { return Ok(false) };
                match self.of_which(x) {
                    Some(of) if self.is_signed_word(of) && count & 63 != 0 => {
                        let above = self.integers.split(of, (count & 63) as u32)?.1;
                        Some(self.word_modulo(above)?)
                    }
                    _ => None,
                }
            }
            M::And => self.under_a_mask(i)?,
            M::Xor => self.inverted(i)?,
            M::Shrd | M::Shld => {
                let Constant(count) = self.get(i, 2)? else { return fail(Reason::SymbolicCount, "") };
                let count = (count & 63) as u32;
                let (x, y) = (self.get(i, 0)?, self.get(i, 1)?);
                let is_right = i.mnemonic() == M::Shrd;
                let (low, high, places) = if is_right { (x, y, count) } else { (y, x, 64 - count) };
                match self.of_which(high) {
                    Some(of) if count != 0 => {
                        let above = self.integers.split(low, places)?.1;
                        let below = self.integers.split(of, places)?.0;
                        Some(self.integers.sum(0, &[(1, above), (1 << (64 - places), below)])?)
                    }
                    _ => None,
                }
            }
            _ => None,
        };
        let Some(result) = result else { return Ok(false) };
        self.put(i, 0, result)?;
        self.forget_flags();
        Ok(true)
    }

    pub(super) fn forget_flags(&mut self) {
        self.flags = [None; 6];
        self.compared = None;
    }

    /// The product of a word and a constant, modulo 2^64: multiples of 2^64 in it are left out.
    fn multiple(&mut self, i: &Instruction) -> Result<Option<Value>> {
        let from = if i.op_count() == 2 { 0 } else { 1 };
        let (x, y) = (self.get(i, from)?, self.get(i, from + 1)?);
        let (of, c) = match (x, y) {
            (Constant(c), other) | (other, Constant(c)) => match self.of_which(other) {
                Some(of) => (of, signed(c)),
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        let (constant, terms) = self.integers.written_out(of);
        // The result has at most 126 bits, as the factor is a sum of words.
        let reduced = |d: i128| d.checked_mul(c).map(|d| signed(d & (WORD - 1)));
        let (Some(constant), Some(terms)) = (
            reduced(constant),
            terms.iter().map(|&(d, x)| Some((reduced(d)?, x))).collect::<Option<Vec<_>>>(),
        ) else {
            return fail(Reason::TooWide, "a multiple");
        };
        let sum = self.integers.sum(constant, &terms)?;
        self.word_modulo(sum).map(Some)
    }

    /// A sum of registers, computed as an address.
    fn sum_of_registers(&mut self, i: &Instruction) -> Result<Option<Value>> {
        let mut terms = Vec::new();
        let mut is_signed = false;
        for (register, scale) in [(i.memory_base(), 1), (i.memory_index(), i.memory_index_scale())] {
            if register.is_gpr() {
                let x = self.read_register(register)?;
                is_signed |= self.of_which(x).is_some();
                terms.push((scale.into(), self.modulo_word(x)?));
            }
        }
        if !is_signed {
            return Ok(None);
        }
        let sum = self.integers.sum(i128::from(i.memory_displacement64() as i64), &terms)?;
        self.word_modulo(sum).map(Some)
    }

    /// A digit with its lowest bit changed, or a digit, signed or not, that a mask inverts: ^x = −1 − x.
    fn inverted(&mut self, i: &Instruction) -> Result<Option<Value>> {
        let (x, y) = (self.get(i, 0)?, self.get(i, 1)?);
        if let (Variable(_), Constant(1)) = (x, y)
            && self.lies_within(x, 0, DIGIT - 1)
        {
            let bit = self.integers.split(x, 1)?.0;
            return self.integers.sum(1, &[(1, x), (-2, bit)]).map(Some);
        }
        for (x, mask) in [(x, y), (y, x)] {
            let (Variable(_), Some((selector, first, second))) = (x, self.two_valued_word(mask)) else {
                continue;
            };
            let of = self.of_which(x).unwrap_or(x);
            if !self.lies_within(of, -DIGIT, DIGIT) {
                continue;
            }
            let inverse = self.integers.sum(-1, &[(-1, of)])?;
            let all = |mask: i128| match mask {
                0 => Some(of),
                mask if mask == WORD - 1 => Some(inverse),
                _ => None,
            };
            if let (Some(first), Some(second)) = (all(first), all(second)) {
                let chosen = self.integers.choose_between(selector, first, second)?;
                return self.word_modulo(chosen).map(Some);
            }
        }
        Ok(None)
    }

    /// A conjunction that keeps the lowest bits, or all others, or all or none by a mask.
    fn under_a_mask(&mut self, i: &Instruction) -> Result<Option<Value>> {
        let (x, y) = (self.get(i, 0)?, self.get(i, 1)?);
        for (x, mask) in [(x, y), (y, x)] {
            let Some(of) = self.of_which(x) else { continue };
            if let Constant(mask) = mask {
                let below = mask ^ (WORD - 1);
                if mask & (mask + 1) == 0 {
                    return self.integers.split(of, mask.trailing_ones()).map(|parts| Some(parts.0));
                }
                if below & (below + 1) == 0 {
                    let low = self.integers.split(of, below.trailing_ones())?.0;
                    let above = self.integers.sum(0, &[(1, of), (-1, low)])?;
                    return self.word_modulo(above).map(Some);
                }
            } else if let Some((selector, first, second)) = self.two_valued_word(mask) {
                let all = |mask: i128| match mask {
                    0 => Some(Constant(0)),
                    mask if mask == WORD - 1 => Some(of),
                    _ => None,
                };
                if let (Some(first), Some(second)) = (all(first), all(second)) {
                    let chosen = self.integers.choose_between(selector, first, second)?;
                    return self.word_modulo(chosen).map(Some);
                }
            }
        }
        Ok(None)
    }
}
