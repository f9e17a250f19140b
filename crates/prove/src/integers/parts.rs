//! Parts of splits that exist already, partly or as a whole. No new integers are made for them, so that what
//! was cut in different ways and combined again is the same integer. The checker verifies each of these.

use super::{Integers, Shown};
use crate::{
    failure::Result,
    system::{Definition, Id, Source, Split, Value},
};
use Value::{Constant, Variable};

impl Integers {
    fn number_of_split(&self, x: Value, shift: u32) -> Option<u32> {
        match x {
            Variable(id) => self.splits.get(&(Source::Single(id), shift)).copied(),
            Constant(_) => None,
        }
    }

    /// The bits that a mask keeps of a word of `bits` bits, if the mask's ones are contiguous.
    pub(super) fn bits_in_a_row(&mut self, x: Value, mask: i128, bits: u32) -> Result<Option<Value>> {
        if mask == 0 {
            return Ok(Some(Constant(0)));
        }
        let below = mask.trailing_zeros();
        let top = below + (mask >> below).trailing_ones();
        if mask < 0 || mask >> top != 0 {
            return Ok(None);
        }
        let x = if below > 0 && top == bits { x } else { self.split(x, top)?.0 };
        let low = self.split(x, below)?.0;
        self.sum(0, &[(1, x), (-1, low)]).map(Some)
    }

    /// Splits a sum of adjacent pieces, of which at most one is cut.
    pub(super) fn split_of_pieces(&mut self, id: Id, shift: u32) -> Result<Option<Shown>> {
        let Definition::Sum(0, terms) = &self.system.definitions[id as usize] else { return Ok(None) };
        let mut pieces: Vec<(i128, Id)> = terms.iter().map(|&(id, c)| (c, id)).collect();
        pieces.sort_unstable();
        let mut below = 0i128;
        for &(c, of) in &pieces {
            let (low, high) = self.bounds[of as usize];
            let top = high.checked_mul(c);
            if c <= below || c & (c - 1) != 0 || low < 0 || top.is_none() {
                return Ok(None);
            }
            below = top.unwrap_or_default();
        }
        let (mut low, mut above, mut by) = (Vec::new(), Vec::new(), Vec::new());
        for (c, of) in pieces {
            let place = c.trailing_zeros();
            if place >= shift {
                above.push((c >> shift, Variable(of)));
                continue;
            }
            let (part, rest) = self.split(Variable(of), shift - place)?;
            by.extend(self.number_of_split(Variable(of), shift - place).map(|number| (number, c)));
            low.push((c, part));
            above.push((1, rest));
        }
        Ok(Some(((self.sum(0, &low)?, self.sum(0, &above)?), by)))
    }

    /// Whether the parts of this integer are cut in the same way.
    fn is_cut_alike(&self, id: Id) -> bool {
        match self.system.definitions[id as usize] {
            Definition::Input(..) => true,
            Definition::Low(_) => self.has_parts_of_digits,
            // A digit and what is carried into it.
            Definition::Sum(0, ref terms) => self.has_carried_digits && matches!(**terms, [(_, 1), (_, 1)]),
            _ => false,
        }
    }

    /// Splits a lower part: its lowest bits are those of the whole.
    pub(super) fn split_of_lower(&mut self, id: Id, shift: u32) -> Result<Option<Shown>> {
        let Definition::Low(part) = self.system.definitions[id as usize] else { return Ok(None) };
        let Split { source: Source::Single(of), shift: whole, .. } = self.system.splits[part as usize] else {
            return Ok(None);
        };
        if shift >= whole || !self.is_cut_alike(of) {
            return Ok(None);
        }
        let low = self.split(Variable(of), shift)?.0;
        let Some(lower) = self.number_of_split(Variable(of), shift) else { return Ok(None) };
        let number = self.system.splits.len() as u32;
        let (bounds, recorded) = (self.bounds[id as usize], self.recorded[id as usize]);
        let high =
            self.define(Definition::High(number), (bounds.0 >> shift, bounds.1 >> shift), recorded >> shift)?;
        Ok(Some(((low, Variable(high)), vec![(lower, 1), (part, -1)])))
    }

    /// Splits an upper part: its upper part is an upper part of the whole, and its lower part belongs to a
    /// longer lower part of the whole.
    pub(super) fn split_of_upper(&mut self, id: Id, shift: u32) -> Result<Option<(Shown, u32)>> {
        let Definition::High(part) = self.system.definitions[id as usize] else { return Ok(None) };
        let Split { source: Source::Single(of), shift: place, .. } = self.system.splits[part as usize] else {
            return Ok(None);
        };
        if !self.is_cut_alike(of) {
            return Ok(None);
        }
        let (long, above) = self.split(Variable(of), place + shift)?;
        let middle = self.split(long, place)?.1;
        let numbers = (self.number_of_split(Variable(of), place + shift), self.number_of_split(long, place));
        let (Some(whole), Some(inner)) = numbers else { return Ok(None) };
        // This is 2^place·(upper − middle − 2^shift·above), by the three other splits.
        Ok(Some((((middle, above), vec![(whole, 1), (inner, 1), (part, -1)]), place)))
    }

    /// If a sum has multiples of integers that were split before at the requested place, only their lower
    /// parts are split again. So digits that are split before they are doubled, or before a carry is
    /// added, give the same parts as others.
    pub(super) fn split_of_parts(&mut self, id: Id, shift: u32) -> Result<Option<Shown>> {
        // Upper parts of whole words are flags, which are compared directly.
        if shift >= 64 {
            return Ok(None);
        }
        let Definition::Sum(constant, terms) = &self.system.definitions[id as usize] else { return Ok(None) };
        let (constant, terms) = (*constant, terms.clone());
        let (mut rest, mut above, mut by) = (Vec::new(), Vec::new(), Vec::new());
        for &(of, c) in &terms {
            let zeros = c.trailing_zeros();
            let is_power = c > 0 && c == 1 << zeros && zeros < shift;
            let known = if is_power { self.splits.get(&(Source::Single(of), shift - zeros)) } else { None };
            match known {
                Some(&number) => {
                    let split = &self.system.splits[number as usize];
                    rest.push((c, split.low));
                    above.push((1, split.high));
                    by.push((number, c));
                }
                None => rest.push((c, Variable(of))),
            }
        }
        if by.is_empty() {
            // All terms except the bits that were added last.
            let is_bit = |&&(id, c): &&(Id, i128)| c == 1 && self.bounds[id as usize] == (0, 1);
            let bits = terms.iter().rev().take_while(is_bit).count();
            let found = (1..=bits).find_map(|bits| {
                let (others, bits) = terms.split_at(terms.len() - bits);
                let of = self.sums.get(&(constant, others.into()))?;
                Some((bits, *self.splits.get(&(Source::Single(*of), shift))?))
            });
            let Some((bits, number)) = found else { return Ok(None) };
            let Split { low, high, .. } = self.system.splits[number as usize];
            let mut sum = vec![(1, low)];
            sum.extend(bits.iter().map(|&(bit, c)| (c, Variable(bit))));
            let sum = self.sum(0, &sum)?;
            return self.split_rest(id, sum, shift, vec![(1, high)], vec![(number, 1)]).map(Some);
        }
        let sum = self.sum(constant, &rest)?;
        self.split_rest(id, sum, shift, above, by).map(Some)
    }

    /// The parts of a sum of which some was split before.
    pub(super) fn split_rest(
        &mut self,
        whole: Id,
        rest: Value,
        shift: u32,
        mut above: Vec<(i128, Value)>,
        mut by: Vec<(u32, i128)>,
    ) -> Result<Shown> {
        let (low, high) = self.split(rest, shift)?;
        if let Variable(id) = rest
            && let Some(&number) = self.splits.get(&(Source::Single(id), shift))
        {
            by.push((number, 1));
        }
        above.push((1, high));
        let high = self.sum(0, &above)?;
        // If the sum of two bits is itself a bit, it gets an integer of its own, and its being a sum is
        // forgotten.
        let (bounds, recorded) = (self.bounds[whole as usize], self.recorded[whole as usize]);
        let (from, to) = (bounds.0 >> shift, bounds.1 >> shift);
        let (lowest, highest) = self.bounds(high);
        if to - from == 1 && highest - lowest > 1 {
            let number = self.system.splits.len() as u32;
            let high = self.define(Definition::High(number), (from, to), recorded >> shift)?;
            return Ok(((low, Variable(high)), by));
        }
        Ok(((low, high), by))
    }

    /// If a sum has multiples of 2^shift, only the rest is split.
    pub(super) fn split_without_multiples(&mut self, id: Id, shift: u32) -> Result<Option<Shown>> {
        let unit = 1i128 << shift;
        let Definition::Sum(constant, terms) = &self.system.definitions[id as usize] else { return Ok(None) };
        let above = constant >> shift;
        let (multiples, others): (Vec<_>, Vec<_>) = terms.iter().partition(|(_, c)| c % unit == 0);
        if multiples.is_empty() && above == 0 {
            return Ok(None);
        }
        let others: Vec<_> = others.iter().map(|&(id, c)| (c, Variable(id))).collect();
        let rest = self.sum(constant - above * unit, &others)?;
        let (low, high) = self.split(rest, shift)?;
        let number = match rest {
            Variable(id) => self.splits.get(&(Source::Single(id), shift)).copied(),
            Constant(_) => None,
        };
        let mut terms: Vec<_> = multiples.iter().map(|&(id, c)| (c >> shift, Variable(id))).collect();
        terms.push((1, high));
        let by = number.map(|number| (number, 1)).into_iter().collect();
        Ok(Some(((low, self.sum(above, &terms)?), by)))
    }
}
