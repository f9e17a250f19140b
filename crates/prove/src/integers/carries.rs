//! Carries that code computes other than by adding: by comparing, by doubling, and from two carries that
//! never occur together.

use super::{Integers, Parts, SHORT, Shown, Uses};
use crate::{
    failure::Result,
    system::{Definition, Id, Source, Value},
};
use Value::{Constant, Variable};

/// The largest number of lower parts that are replaced by their sources.
const DEPTH: usize = 4;

impl Integers {
    /// Replaces lower parts by their sums. If the result is no longer than a lower part itself, its carry is
    /// what those splits carried. So a comparison of a sum with one of its terms gives its carry.
    pub(super) fn split_of_lower_part(&mut self, id: Id, shift: u32) -> Result<Option<(Parts, Uses)>> {
        let Definition::Sum(constant, terms) = &self.system.definitions[id as usize] else { return Ok(None) };
        // This is only for comparisons, also of complements: for others, sums would be made in vain.
        if terms.len() > SHORT || (*constant >= 0 && terms.iter().all(|&(_, c)| c > 0)) {
            return Ok(None);
        }
        let (mut whole, mut carries, mut by) = (id, Vec::new(), Vec::new());
        for _ in 0..DEPTH {
            let Definition::Sum(_, terms) = &self.system.definitions[whole as usize] else { break };
            if terms.len() > SHORT {
                break;
            }
            // Search from the latest part.
            let found = terms.iter().rev().find_map(|&(part, c)| {
                let Definition::Low(number) = self.system.definitions[part as usize] else { return None };
                let split = &self.system.splits[number as usize];
                let Source::Single(of) = split.source else { return None };
                (c.abs() == 1 && split.shift == shift).then_some((part, c, number, of, split.high))
            });
            let Some((part, c, number, of, high)) = found else { break };
            carries.push((-c, high));
            by.push((number, -c));
            let next = self.sum(0, &[(1, Variable(whole)), (-c, Variable(part)), (c, Variable(of))])?;
            if self.is_within(next, 0, (1 << shift) - 1) {
                let (from, to) = self.bounds(Variable(id));
                let high = self.sum(0, &carries)?;
                if self.is_within(high, from >> shift, to >> shift) {
                    return Ok(Some(((next, high), by)));
                }
                let recorded = self.recorded[id as usize] >> shift;
                let number = self.system.splits.len() as u32;
                let high = self.define(Definition::High(number), (from >> shift, to >> shift), recorded)?;
                return Ok(Some(((next, Variable(high)), by)));
            }
            let Variable(next) = next else { break };
            whole = next;
        }
        Ok(None)
    }

    /// If a sum is twice another sum plus a bit, the other sum is split one place lower: doubling a word
    /// carries the bit that a shift takes from its top.
    pub(super) fn split_of_double(&mut self, id: Id, shift: u32) -> Result<Option<Shown>> {
        let Definition::Sum(constant, terms) = &self.system.definitions[id as usize] else { return Ok(None) };
        let (twice, others): (Vec<_>, Vec<_>) = terms.iter().partition(|(_, c)| c % 2 == 0);
        let (rest, doubled) = match others[..] {
            [] if constant & 1 == 0 => (Constant(0), *constant),
            [] => (Constant(1), constant - 1),
            [&(bit, 1)] if self.bounds(Variable(bit)) == (0, 1) && constant & 1 == 0 => {
                (Variable(bit), *constant)
            }
            _ => return Ok(None),
        };
        if twice.is_empty() || shift < 2 {
            return Ok(None);
        }
        let halves: Vec<_> = twice.iter().map(|&&(id, c)| (c / 2, Variable(id))).collect();
        let half = self.sum(doubled / 2, &halves)?;
        let (low, high) = self.split(half, shift - 1)?;
        let number = match half {
            Variable(id) => self.splits.get(&(Source::Single(id), shift - 1)).copied(),
            Constant(_) => None,
        };
        let by = number.map(|number| (number, 2)).into_iter().collect();
        Ok(Some(((self.sum(0, &[(2, low), (1, rest)])?, high), by)))
    }

    /// Splits the sum of a bit and a word that is all ones if another bit is 0, and else 0: the word is that
    /// other bit less one, modulo 2^shift. So a carry less a borrow is split as such, and not as a word.
    pub(super) fn split_of_all_ones(&mut self, id: Id, shift: u32) -> Result<Option<Shown>> {
        let Definition::Sum(constant, terms) = &self.system.definitions[id as usize] else { return Ok(None) };
        let ones = (1i128 << shift) - 1;
        let is_bit = |id: Id| self.bounds[id as usize] == (0, 1);
        let (word, bit) = match terms[..] {
            [(x, c), (y, 1)] | [(y, 1), (x, c)] if c == -ones => (x, y),
            _ => return Ok(None),
        };
        if *constant != ones || !is_bit(word) || !is_bit(bit) {
            return Ok(None);
        }
        let above = self.sum(1, &[(-1, Variable(word))])?;
        let rest = self.sum(-1, &[(1, Variable(word)), (1, Variable(bit))])?;
        // Split it directly, so that the upper part is 0 if nothing is borrowed.
        self.split_plainly(rest, shift)?;
        self.split_rest(id, rest, shift, vec![(1, above)], Vec::new()).map(Some)
    }

    /// The upper part that a value is, with its sign.
    fn upper_part(&self, x: Value) -> Option<(u32, i128)> {
        let Variable(id) = x else { return None };
        match self.system.definitions[id as usize] {
            Definition::High(number) => Some((number, 1)),
            Definition::Sum(0, ref terms) => match terms[..] {
                [(of, sign)] if sign.abs() == 1 => match self.system.definitions[of as usize] {
                    Definition::High(number) => Some((number, sign)),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    /// The sum of two carries (or two borrows), one of a sum and the other of an addition to its lower part,
    /// if both together are one bit: it is the carry of the whole sum. Its lower part is that of the
    /// second sum.
    pub fn carry_of_both(&mut self, a: Value, b: Value) -> Result<Option<Value>> {
        let (Some(a), Some(b)) = (self.upper_part(a), self.upper_part(b)) else { return Ok(None) };
        for ((second, sign), (first, other)) in [(a, b), (b, a)] {
            let [second_split, first_split] =
                [second, first].map(|number| &self.system.splits[number as usize]);
            let (Source::Single(of_second), Source::Single(of_first)) =
                (second_split.source, first_split.source)
            else {
                continue;
            };
            let (Variable(low), shift) = (first_split.low, first_split.shift) else { continue };
            let result = second_split.low;
            let adds = match &self.system.definitions[of_second as usize] {
                Definition::Sum(_, terms) => terms.contains(&(low, 1)),
                _ => false,
            };
            if sign != other || shift != second_split.shift || !adds {
                continue;
            }
            let all = [(1, Variable(of_second)), (-1, Variable(low)), (1, Variable(of_first))];
            let Variable(all) = self.sum(0, &all)? else { continue };
            let key = (Source::Single(all), shift);
            let high = match self.splits.get(&key) {
                Some(&number) => self.system.splits[number as usize].high,
                None => {
                    let (from, to) = self.bounds[all as usize];
                    let bounds = (from >> shift, to >> shift);
                    if bounds.1 - bounds.0 != 1 {
                        continue;
                    }
                    let number = self.system.splits.len() as u32;
                    let recorded = self.recorded[all as usize] >> shift;
                    let high = Variable(self.define(Definition::High(number), bounds, recorded)?);
                    self.keep(key, (result, high), vec![(second, 1), (first, 1)]).1
                }
            };
            let sum = self.sum(0, &[(sign, high)])?;
            return Ok((self.bounds(sum) == (0, 1)).then_some(sum));
        }
        Ok(None)
    }

    /// The disjunction of two bits: the upper bit of their sum plus one. If both never occur together it is
    /// the sum; a proof then has to show that the upper bit of the sum itself is zero.
    pub fn either(&mut self, x: Value, y: Value) -> Result<Option<Value>> {
        if [x, y].iter().any(|&bit| self.bounds(bit) != (0, 1) || self.upper_part(bit).is_none()) {
            return Ok(None);
        }
        let sum = self.sum(0, &[(1, x), (1, y)])?;
        let (one, both) = self.split(sum, 1)?;
        let more = self.sum(1, &[(1, sum)])?;
        let (Variable(sum), Variable(more), Variable(both)) = (sum, more, both) else { return Ok(None) };
        let key = (Source::Single(more), 1);
        if let Some(&number) = self.splits.get(&key) {
            return Ok(Some(self.system.splits[number as usize].high));
        }
        let Some(&by) = self.splits.get(&(Source::Single(sum), 1)) else { return Ok(None) };
        let neither = self.sum(1, &[(-1, one)])?;
        let recorded = self.recorded[more as usize] >> 1;
        let number = self.system.splits.len() as u32;
        let either = Variable(self.define(Definition::High(number), (0, 1), recorded)?);
        self.doubtful.push(both);
        Ok(Some(self.keep(key, (neither, either), vec![(by, 1)]).1))
    }
}
