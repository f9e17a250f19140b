//! Words that represent negative numbers, as differences of digits do. They are cut as these numbers, and not
//! as residues modulo 2^64.

use super::{Integers, Parts, SHORT, Shown, too_wide};
use crate::{
    failure::Result,
    system::{Definition, Id, Source, Split, Value},
};
use Value::{Constant, Variable};

/// A word of ones.
const ONES: i128 = (1 << 64) - 1;

impl Integers {
    /// The signed integer that a word represents modulo 2^64, if the word is the lower part of one of 63 bits
    /// and a sign that may be negative, or is -1 or 0; otherwise the word.
    pub fn signed(&mut self, x: Value) -> Result<Value> {
        let Variable(id) = x else { return Ok(x) };
        if let Some((of, first, second)) = self.two_valued(x) {
            return match [first, second] {
                [0, ONES] => self.table(of, 0, -1),
                [ONES, 0] => self.table(of, -1, 0),
                _ => Ok(x),
            };
        }
        let Definition::Low(number) = self.system.definitions[id as usize] else { return Ok(x) };
        match self.system.splits[number as usize] {
            Split { source: Source::Single(of), shift: 64, .. }
                if self.bounds[of as usize].0 < 0
                    && self.is_within(Variable(of), -(1 << 63), (1 << 63) - 1) =>
            {
                Ok(Variable(of))
            }
            _ => Ok(x),
        }
    }

    /// As [`split_product`](Self::split_product), for two signed integers of 63 bits besides the sign.
    pub fn split_signed_product(&mut self, x: Value, y: Value, shift: u32) -> Result<Parts> {
        const HALF: i128 = 1 << 63;
        let (x, y) = match (x, y) {
            (Variable(x), Variable(y)) => (x.min(y), x.max(y)),
            (Constant(c), other) | (other, Constant(c)) => {
                let product = self.sum(0, &[(c, other)])?;
                return self.split(product, shift);
            }
        };
        if !self.is_within(Variable(x), -HALF, HALF - 1) || !self.is_within(Variable(y), -HALF, HALF - 1) {
            return Err(too_wide());
        }
        let key = (Source::Product(x, y), shift);
        if let Some(&number) = self.splits.get(&key) {
            let Split { low, high, .. } = self.system.splits[number as usize];
            return Ok((low, high));
        }
        let (a, b) = (self.bounds[x as usize], self.bounds[y as usize]);
        let corners = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
        let (low, high) = corners.iter().fold((i128::MAX, i128::MIN), |(l, h), &c| (l.min(c), h.max(c)));
        let recorded = self.recorded[x as usize] * self.recorded[y as usize];
        let number = self.system.splits.len() as u32;
        let mask = (1i128 << shift) - 1;
        let below = self.define(Definition::Low(number), (0, mask), recorded & mask)?;
        let above = if low >> shift == high >> shift {
            Constant(low >> shift)
        } else {
            Variable(self.define(
                Definition::High(number),
                (low >> shift, high >> shift),
                recorded >> shift,
            )?)
        };
        Ok(self.keep(key, (Variable(below), above), Vec::new()))
    }

    /// Splits a sum of words, some of which represent negative numbers: these are taken as such numbers, and
    /// lower parts as their sources. So what is added and subtracted again in several steps is cut once,
    /// and its upper part is 0 if it is not negative.
    pub(super) fn split_with_sign(&mut self, id: Id, shift: u32) -> Result<Option<Shown>> {
        let Definition::Sum(constant, terms) = &self.system.definitions[id as usize] else { return Ok(None) };
        let nearest = |c: i128| ((c >> (shift - 1)) + 1) >> 1;
        let start = nearest(*constant);
        let is_signed = start != 0 || terms.iter().any(|&(_, c)| nearest(c) != 0);
        if !self.has_signs || terms.len() > SHORT || !is_signed {
            return Ok(None);
        }
        let (mut rest, mut above, mut by) = (Vec::new(), vec![(start, Constant(1))], Vec::new());
        for &(of, c) in terms {
            let times = nearest(c);
            let c = c - (times << shift);
            above.push((times, Variable(of)));
            let source = match self.system.definitions[of as usize] {
                Definition::Low(number) if c.abs() == 1 => {
                    Some((number, &self.system.splits[number as usize]))
                }
                _ => None,
            };
            match source {
                Some((number, &Split { source: Source::Single(whole), shift: of_part, high, .. }))
                    if of_part == shift =>
                {
                    rest.push((c, Variable(whole)));
                    above.push((-c, high));
                    by.push((number, -c));
                }
                _ => rest.push((c, Variable(of))),
            }
        }
        let constant = constant - (start << shift);
        let rest = self.sum(constant, &rest)?;
        self.split_plainly(rest, shift)?;
        self.split_rest(id, rest, shift, above, by).map(Some)
    }

    /// Splits a short number that may be negative as a word, and such a word into a lower and an upper part:
    /// by its sign, and by the number as a digit.
    pub(super) fn split_of_sign(&mut self, id: Id, shift: u32) -> Result<Option<Shown>> {
        const DIGIT: u32 = 50;
        const SIGN: i128 = (1 << 64) - (1 << DIGIT);
        if !self.has_signs || !(DIGIT..=64).contains(&shift) {
            return Ok(None);
        }
        if shift == 64 {
            let low = self.bounds[id as usize].0;
            if low >= 0 || !self.is_within(Variable(id), -(1 << DIGIT), (1 << DIGIT) - 1) {
                return Ok(None);
            }
            let (digit, sign) = self.split(Variable(id), DIGIT)?;
            let word = self.sum(0, &[(1, digit), (-SIGN, sign)])?;
            if !self.is_within(word, 0, u64::MAX.into()) {
                return Ok(None);
            }
            let by = self.splits.get(&(Source::Single(id), DIGIT)).map(|&number| (number, 1));
            return Ok(Some(((word, sign), by.into_iter().collect())));
        }
        let Definition::Sum(0, terms) = &self.system.definitions[id as usize] else { return Ok(None) };
        let (digit, sign) = match terms[..] {
            [(digit, 1), (sign, c)] | [(sign, c), (digit, 1)] if c.abs() == SIGN => (digit, (c / SIGN, sign)),
            _ => return Ok(None),
        };
        let extended = (1 << shift) - (1 << DIGIT);
        let low = self.sum(0, &[(1, Variable(digit)), (sign.0 * extended, Variable(sign.1))])?;
        if !self.is_within(low, 0, (1 << shift) - 1) {
            return Ok(None);
        }
        let high = self.sum(0, &[(sign.0 * ((1 << (64 - shift)) - 1), Variable(sign.1))])?;
        Ok(Some(((low, high), Vec::new())))
    }
}
