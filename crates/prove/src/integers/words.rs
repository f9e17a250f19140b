//! Sums, differences and shifts of words, as instructions of any processor compute them.

use super::{Integers, Parts, ones};
use crate::{
    failure::Result,
    system::{Definition, Id, Source, Value},
};
use Value::{Constant, Variable};

impl Integers {
    /// The sum of two words and a carry, and its carry.
    pub fn add(&mut self, x: Value, y: Value, carry: Value, bits: u32) -> Result<Parts> {
        // The carries of a sum of three terms that is computed in two steps: they are one bit together,
        // though it looks like two.
        let terms = match self.carry_of_both(x, carry)? {
            Some(both) => [both, y, Constant(0)],
            None => match self.carry_of_both(y, carry)? {
                Some(both) => [x, both, Constant(0)],
                None => [x, y, carry],
            },
        };
        let sum = self.sum(0, &terms.map(|x| (1, x)))?;
        self.split(sum, bits)
    }

    /// The difference of two words, less a borrow, and its borrow.
    pub fn subtract(&mut self, x: Value, y: Value, borrow: Value, bits: u32) -> Result<Parts> {
        let difference = self.sum(0, &[(1, x), (-1, y), (-1, borrow)])?;
        let (low, high) = self.split(difference, bits)?;
        Ok((low, self.sum(0, &[(-1, high)])?))
    }

    /// The sum of two words of 64 bits, without its carry. A word that is all ones if a bit is set, and else
    /// zero, represents the subtraction of that bit; a word with its highest bit set represents a
    /// negative number.
    pub fn add_without_carry(&mut self, x: Value, y: Value) -> Result<Value> {
        for (x, y) in [(x, y), (y, x)] {
            if self.bounds(x).1 >= 1 << 63 {
                continue;
            }
            let less = match y {
                Constant(y) if y >= 1 << 63 => Some(Constant((1 << 64) - y)),
                Constant(_) => None,
                Variable(_) => self.by_mask(y, 64, Constant(1), Constant(0))?,
            };
            if let Some(less) = less {
                let difference = self.sum(0, &[(1, x), (-1, less)])?;
                return Ok(self.split(difference, 64)?.0);
            }
        }
        Ok(self.add(x, y, Constant(0), 64)?.0)
    }

    /// A word, shifted to the right and filled up with its sign.
    pub fn shift_with_sign(&mut self, x: Value, count: u32, bits: u32) -> Result<Value> {
        let shifted = move |x: i128| ((x - (x >> (bits - 1) << bits)) >> count) & ones(bits);
        if let Some(result) = self.by_bits(&[x], |x| shifted(x[0]))? {
            return Ok(result);
        }
        let sign = self.split(x, bits - 1)?.1;
        let signed = self.sum(0, &[(1, x), (-1 << bits, sign)])?;
        let above = self.split(signed, count)?.1;
        Ok(self.split(above, bits)?.0)
    }

    /// Some bits of a word, moved down and then up, and filled up with zeros or with the sign.
    pub fn field(
        &mut self,
        x: Value,
        from: u32,
        width: u32,
        up: u32,
        is_signed: bool,
        bits: u32,
    ) -> Result<Value> {
        let above = self.split(x, from)?.1;
        let part = self.split(above, width)?.0;
        let sign = if is_signed { self.split(part, width - 1)?.1 } else { Constant(0) };
        self.sum(0, &[(1 << up, part), ((1 << bits) - (1 << (width + up)), sign)])
    }

    /// 0 if a word t is zero, else 1, where code relies on a product that clears t: if q is the lower word of
    /// t·inverse, this is the carry of t + q·n0. A proof has to show that both are the same, by a
    /// difference that has to be zero. So what is made here is right in any case.
    pub fn carry_of_quotient(&mut self, t: Value, inverse: Id, n0: Id) -> Result<Option<Value>> {
        let Variable(id) = t else { return Ok(None) };
        let Some(number) = self.number_of_product(id, inverse, 64) else { return Ok(None) };
        let quotient = self.system.splits[number as usize].low;
        let product = self.split_product(quotient, Variable(n0), 64)?.0;
        let sum = self.sum(0, &[(1, t), (1, product)])?;
        let (cleared, carry) = self.split(sum, 64)?;
        // This is −1 if t is not zero.
        let negative = self.sum(0, &[(-1, t)])?;
        let sign = self.split_plainly(negative, 64)?.1;
        // The difference of both, and the rest of its split: a bit, whatever the difference is.
        let apart = self.sum(0, &[(1 << 64, carry), (1 << 64, sign)])?;
        let (nothing, difference) = self.split_plainly(apart, 64)?;
        let whole = self.sum(0, &[(1, carry), (-1, difference)])?;
        let (bit, above) = self.split_plainly(whole, 1)?;
        for x in [cleared, nothing, difference, above] {
            if let Variable(id) = x {
                self.doubtful.push(id);
            }
        }
        Ok(Some(bit))
    }

    /// A word as the sum of another one and a constant, modulo 2^64.
    pub fn after(&self, x: Value) -> (Value, i128) {
        let Variable(id) = x else { return (x, 0) };
        let Definition::Low(number) = self.system.definitions[id as usize] else { return (x, 0) };
        let split = &self.system.splits[number as usize];
        let Source::Single(of) = split.source else { return (x, 0) };
        if split.shift != 64 {
            return (x, 0);
        }
        let Definition::Sum(constant, terms) = &self.system.definitions[of as usize] else { return (x, 0) };
        let [(word, 1)] = terms[..] else { return (x, 0) };
        let (word, before) = self.after(Variable(word));
        (word, (constant + before) & ones(64))
    }
}
