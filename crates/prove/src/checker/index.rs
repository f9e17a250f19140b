//! Checks that words are the entry that an index names, for the indices of an interval; and what is left of a
//! word that is cut.
//!
//! Nothing is added up here. The intervals of a certificate have no gaps. In each interval, every choice that
//! the result depends on is decided by the equations that lead from the index to the choice's selector.

use super::{intervals::Checker, polynomial::refuse};
use crate::{
    failure::Result,
    specification::{Formula, Statement},
    system::{Definition, Id, Source, Split, Value},
};

/// What is known of an integer: a constant plus a multiple of the index shifted right by some bits; or only
/// that it is an integer which no equation takes further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    Linear { constant: i128, times: i128, above: u32 },
    Same(Id),
}

impl Known {
    fn constant(constant: i128) -> Self {
        Self::Linear { constant, times: 0, above: 0 }
    }

    fn as_constant(self) -> Option<i128> {
        match self {
            Self::Linear { constant, times: 0, .. } => Some(constant),
            _ => None,
        }
    }
}

/// The values of integers while the index lies in an interval.
pub struct ByIndex<'c, 'a> {
    checker: &'c Checker<'a>,
    /// The integers that the result is made of, each after all integers that it is made of itself.
    order: Vec<Id>,
    from: u64,
    to: u64,
    known: Vec<Known>,
}

impl<'c, 'a> ByIndex<'c, 'a> {
    /// Starts with the result of the checker's statement.
    pub fn new(checker: &'c Checker<'a>) -> Self {
        let mut waiting: Vec<Value> = checker.statement.result.clone();
        let mut is_there = vec![false; checker.system.definitions.len()];
        while let Some(x) = waiting.pop() {
            let Value::Variable(id) = x else { continue };
            if core::mem::replace(&mut is_there[id as usize], true) {
                continue;
            }
            match &checker.system.definitions[id as usize] {
                Definition::Input(..) | Definition::Word(_) => {}
                Definition::Sum(_, terms) => waiting.extend(terms.iter().map(|&(id, _)| Value::Variable(id))),
                &Definition::Low(number) | &Definition::High(number) => {
                    let split = &checker.system.splits[number as usize];
                    if let Source::Single(of) = split.source {
                        waiting.push(Value::Variable(of));
                    }
                }
                &Definition::Choice(selector, x, y) => waiting.extend([Value::Variable(selector), x, y]),
                &Definition::Either(x, y) => waiting.extend([x, y]),
            }
        }
        // An integer is made only of integers with smaller numbers.
        let all = 0..is_there.len() as Id;
        let known = all.clone().map(Known::Same).collect();
        let order = all.filter(|&id| is_there[id as usize]).collect();
        Self { checker, order, from: 0, to: u64::MAX, known }
    }

    /// Computes all integers for the indices `from` to `to`.
    pub fn enter(&mut self, from: u64, to: u64) {
        (self.from, self.to) = (from, to);
        for place in 0..self.order.len() {
            let id = self.order[place];
            self.known[id as usize] = self.of(id).unwrap_or(Known::Same(id));
        }
    }

    fn get(&self, x: Value) -> Known {
        match x {
            Value::Constant(x) => Known::constant(x),
            Value::Variable(id) => self.known[id as usize],
        }
    }

    /// A constant plus a multiple of the shifted index, as one constant if it is the same for all of these
    /// indices.
    fn linear(&self, constant: i128, times: i128, above: u32) -> Option<Known> {
        let [from, to] = [self.from, self.to].map(|index| i128::from(index) >> above.min(64));
        Some(if from == to {
            Known::constant(constant.checked_add(times.checked_mul(from)?)?)
        } else {
            Known::Linear { constant, times, above: if times == 0 { 0 } else { above } }
        })
    }

    /// What the equation of an integer says about it, if anything.
    fn of(&self, id: Id) -> Option<Known> {
        match &self.checker.system.definitions[id as usize] {
            Definition::Input(..) if Some(id) == self.checker.statement.mask => self.linear(0, 1, 0),
            Definition::Input(..) | Definition::Word(_) => None,
            Definition::Sum(constant, terms) => self.sum(*constant, terms),
            &Definition::Low(number) => {
                let split = &self.checker.system.splits[number as usize];
                let Known::Linear { constant, times, above } = self.source(split)? else { return None };
                let high = self.above(split)?.as_constant()?;
                let below = constant.checked_sub(high.checked_mul(unit(split)?)?)?;
                self.linear(below, times, above)
            }
            &Definition::High(number) => self.above(&self.checker.system.splits[number as usize]),
            &Definition::Choice(selector, first, second) => match self.is_above(selector) {
                Some(is_above) => Some(self.get(if is_above { second } else { first })),
                // The selector need not be known if both choices are equal.
                None => (self.get(first) == self.get(second)).then(|| self.get(first)),
            },
            &Definition::Either(first, second) => match (self.get(first), self.get(second)) {
                (zero, other) | (other, zero) if zero.as_constant() == Some(0) => Some(other),
                _ => None,
            },
        }
    }

    fn sum(&self, constant: i128, terms: &[(Id, i128)]) -> Option<Known> {
        let mut total = (constant, 0i128, 0);
        for &(of, c) in terms {
            let Known::Linear { constant, times, above } = self.get(Value::Variable(of)) else {
                return None;
            };
            if times != 0 && total.1 != 0 && above != total.2 {
                return None;
            }
            total.2 = if times != 0 { above } else { total.2 };
            total.0 = total.0.checked_add(constant.checked_mul(c)?)?;
            total.1 = total.1.checked_add(times.checked_mul(c)?)?;
        }
        self.linear(total.0, total.1, total.2)
    }

    fn source(&self, split: &Split) -> Option<Known> {
        match split.source {
            Source::Single(of) => Some(self.get(Value::Variable(of))),
            Source::Product(..) => None,
        }
    }

    /// The upper part of a split: one value for all of these indices, or the index without some low bits.
    fn above(&self, split: &Split) -> Option<Known> {
        let source = self.source(split)?;
        let ends = [part_above(source, split, self.from)?, part_above(source, split, self.to)?];
        match source {
            _ if ends[0] == ends[1] => Some(Known::constant(ends[0])),
            Known::Linear { constant: 0, times: 1, above } => self.linear(0, 1, above + split.shift),
            _ => None,
        }
    }

    /// Whether a selector is above the lower end of its interval, if it has one value for all of these
    /// indices.
    pub fn is_above(&self, selector: Id) -> Option<bool> {
        let value = self.get(Value::Variable(selector)).as_constant()?;
        Some(i128::try_from(&self.checker.intervals[selector as usize].0) != Ok(value))
    }

    /// The first selectors, in the order of their numbers, that have both values for these indices.
    pub fn open_selectors(&self) -> impl Iterator<Item = Id> + '_ {
        self.order.iter().filter_map(|&id| match self.checker.system.definitions[id as usize] {
            Definition::Choice(selector, ..) if self.is_above(selector).is_none() => Some(selector),
            _ => None,
        })
    }

    /// The first of these indices at which the selector differs from its value at the index before, if it is
    /// cut from a multiple of the index.
    pub fn change(&self, selector: Id) -> Option<u64> {
        let Definition::High(number) = self.checker.system.definitions[selector as usize] else {
            return None;
        };
        let split = &self.checker.system.splits[number as usize];
        let source = self.source(split)?;
        let first = part_above(source, split, self.from)?;
        // The part only rises, or only falls.
        if part_above(source, split, self.to)? == first {
            return None;
        }
        let (mut same, mut other) = (self.from, self.to);
        while other - same > 1 {
            let middle = same + (other - same) / 2;
            if part_above(source, split, middle)? == first {
                same = middle;
            } else {
                other = middle;
            }
        }
        Some(other)
    }

    /// Whether the result is what the formula says, for all of these indices.
    pub fn is_right(&self) -> bool {
        let Statement { specification, first, second, result, .. } = self.checker.statement;
        let wanted: &[Id] = match specification.formula {
            Formula::Place(place) if place == self.from && place == self.to => second,
            Formula::Place(place) if place < self.from || self.to < place => first,
            Formula::Entry => {
                let mut entries = core::iter::once(&first[..]).chain(second.chunks(first.len().max(1)));
                let entry = usize::try_from(self.from).ok().and_then(|index| entries.nth(index));
                match entry {
                    Some(entry) if self.from == self.to => entry,
                    // The index is past the last entry.
                    None => &[],
                    _ => return false,
                }
            }
            _ => return false,
        };
        let word = |i: usize| wanted.get(i).map_or(Value::Constant(0), |&id| Value::Variable(id));
        wanted.len() <= result.len()
            && result.iter().enumerate().all(|(i, &value)| self.get(value) == self.get(word(i)))
    }
}

/// The upper part of a split at one index.
fn part_above(source: Known, split: &Split, index: u64) -> Option<i128> {
    let Known::Linear { constant, times, above } = source else { return None };
    unit(split)?;
    let part = i128::from(index) >> above.min(64);
    Some(constant.checked_add(times.checked_mul(part)?)? >> split.shift)
}

/// 2^shift, unless it is too long.
fn unit(split: &Split) -> Option<i128> {
    (split.shift < 126).then(|| 1 << split.shift)
}

impl Checker<'_> {
    /// Checks that for each index the result is the entry that it names, or that a place is written if the
    /// index names it. `begins` are the indices at which the intervals begin.
    pub(super) fn check_indices(&self, begins: &[u64]) -> Result<()> {
        if begins.first() != Some(&0) || !begins.is_sorted_by(|one, next| one < next) {
            return refuse("there are other indices");
        }
        let mut by_index = ByIndex::new(self);
        for (i, &from) in begins.iter().enumerate() {
            let to = begins.get(i + 1).map_or(u64::MAX, |next| next - 1);
            by_index.enter(from, to);
            if !by_index.is_right() {
                return refuse(format!(
                    "for indices from {from} to {to} the result is not what the formula says"
                ));
            }
        }
        Ok(())
    }

    /// The lowest bits of a word: the lower part of its split, which is determined by the split's equation
    /// and the length of that part.
    pub(super) fn lowest(&self, word: Id, bits: u32) -> Result<Value> {
        if bits == 64 {
            return Ok(Value::Variable(word));
        }
        let is_there = |split: &&Split| split.source == Source::Single(word) && split.shift == bits;
        match self.system.splits.iter().find(is_there) {
            Some(split) => Ok(split.low),
            None => refuse(format!("integer {word} is not cut")),
        }
    }
}
