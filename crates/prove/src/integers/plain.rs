//! Splits that are made directly, without regard to earlier splits.

use super::{Integers, Parts};
use crate::{
    failure::Result,
    system::{Definition, Id, Source, Split, Value},
};
use Value::{Constant, Variable};

impl Integers {
    /// As [`split`](Self::split), but both parts are new integers unless the interval determines them. Terms
    /// of sums are left out of the parts, so that these are short.
    pub fn split_plainly(&mut self, x: Value, shift: u32) -> Result<Parts> {
        let (Variable(id), (low, high)) = (x, self.bounds(x)) else { return self.split(x, shift) };
        if low >> shift == high >> shift || self.splits.contains_key(&(Source::Single(id), shift)) {
            return self.split(x, shift);
        }
        let number = self.system.splits.len() as u32;
        let recorded = self.recorded[id as usize];
        let unit = 1i128 << shift;
        // Sums that differ by multiples of 2^shift have the same lower part: compilers omit what a mask
        // clears.
        if let Definition::Sum(constant, terms) = &self.system.definitions[id as usize] {
            let (constant, key) = (*constant, ((constant & (unit - 1), terms.clone()), shift));
            if let Some(&other) = self.plain.get(&key) {
                let Split { source: Source::Single(of), low, high, .. } = self.system.splits[other as usize]
                else {
                    return self.split(x, shift);
                };
                let Definition::Sum(before, _) = self.system.definitions[of as usize] else {
                    return self.split(x, shift);
                };
                let high = self.sum((constant - before) >> shift, &[(1, high)])?;
                return Ok(self.keep((Source::Single(id), shift), (low, high), vec![(other, 1)]));
            }
            self.plain.insert(key, number);
        }
        let below = self.define(Definition::Low(number), (0, unit - 1), recorded & (unit - 1))?;
        let above =
            self.define(Definition::High(number), (low >> shift, high >> shift), recorded >> shift)?;
        Ok(self.keep((Source::Single(id), shift), (Variable(below), Variable(above)), Vec::new()))
    }

    /// The number of the split of a product.
    pub fn number_of_product(&self, x: Id, y: Id, shift: u32) -> Option<u32> {
        self.splits.get(&(Source::Product(x.min(y), x.max(y)), shift)).copied()
    }

    /// A sum as a constant plus multiples of integers that are not sums.
    pub fn written_out(&self, x: Value) -> (i128, Vec<(i128, Value)>) {
        let mut out = (0, Vec::new());
        let mut open = vec![(1i128, x)];
        while let Some((c, x)) = open.pop() {
            match x {
                Constant(x) => out.0 += c * x,
                Variable(id) => match &self.system.definitions[id as usize] {
                    Definition::Sum(constant, terms) => {
                        out.0 += c * constant;
                        open.extend(terms.iter().map(|&(id, d)| (c * d, Variable(id))));
                    }
                    _ => out.1.push((c, x)),
                },
            }
        }
        out
    }
}
