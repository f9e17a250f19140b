//! Where an index lies in a case, and what the result is by it; and what is left of a word that is cut.

use num_bigint::BigInt;

use super::{
    intervals::Checker,
    polynomial::{Interval, power, refuse},
};
use crate::{
    certificate::Case,
    failure::Result,
    specification::{Formula, Statement},
    system::{Definition, Id, Source, Split, Value},
};

/// So many indices are tried at either end of an interval.
const INDICES: usize = 32;

/// A constant and a multiple of what the index is without so many of its lowest bits.
struct Linear {
    constant: BigInt,
    times: i128,
    above: u32,
}

impl Checker<'_> {
    /// What the result is by the index in a case; None if no index is as the case has it.
    pub(super) fn by_index(&self, case: &Case) -> Result<Option<&[Id]>> {
        let Statement { specification, first, second, .. } = self.statement;
        let (low, high) = self.index_interval(case)?;
        if low > high {
            return Ok(None);
        }
        let what = || refuse("a case in which the index may be one or another");
        if let Formula::Place(place) = specification.formula {
            let place = BigInt::from(place);
            return match (low <= place && place <= high, low == high) {
                (true, true) => Ok(Some(second)),
                (false, _) => Ok(Some(first)),
                (true, false) => what(),
            };
        }
        let size = first.len();
        let entries: Vec<&[Id]> = core::iter::once(&first[..]).chain(second.chunks(size)).collect();
        if low >= BigInt::from(entries.len()) {
            return Ok(Some(&[]));
        }
        match usize::try_from(&low) {
            Ok(index) if low == high => Ok(entries.get(index).copied()),
            _ => what(),
        }
    }

    /// Where the index lies in a case. Each selector that is the upper part of a constant and the index, or what is above its lowest bits, or
    /// less these, gives an interval. Of that no end is left where a selector would not be as the case has it.
    fn index_interval(&self, case: &Case) -> Result<Interval> {
        let (mut low, mut high): (BigInt, BigInt) = (BigInt::ZERO, power(64) - 1);
        for &(id, is_above) in case {
            let Definition::High(number) = self.system.definitions[id as usize] else { continue };
            let split = &self.system.splits[number as usize];
            let Source::Single(of) = split.source else { continue };
            let Some(Linear { constant, times, above }) = self.by_the_index(of, case) else { continue };
            // constant ± index is from least on, and below most.
            let value = self.interval(Value::Variable(id))?.0 + i32::from(is_above);
            let (least, most) = (&value << split.shift, (&value + 1) << split.shift);
            let (from, to) = match times {
                1 => (least - &constant, most - constant - 1),
                -1 => (&constant - most + 1, constant - least),
                0 if constant < least || constant >= most => return Ok((BigInt::from(1), BigInt::ZERO)),
                _ => continue,
            };
            low = low.max(from << above);
            high = high.min(((to + 1) << above) - 1);
        }
        for (end, step) in [(&mut low, 1), (&mut high, -1)] {
            let mut tried = 0;
            while tried < INDICES && !self.is_as_in_case(end, case) {
                *end += step;
                tried += 1;
            }
        }
        Ok((low, high))
    }

    /// Whether an index leaves all selectors of a case as that has them, but for those that do not depend on the index alone.
    fn is_as_in_case(&self, index: &BigInt, case: &Case) -> bool {
        case.iter().all(|&(id, is_above)| match self.at_index(Value::Variable(id), index) {
            Some(value) => value == &self.intervals[id as usize].0 + i32::from(is_above),
            None => true,
        })
    }

    /// What the equations make of an index; None if it depends on more.
    fn at_index(&self, x: Value, index: &BigInt) -> Option<BigInt> {
        let id = match x {
            Value::Constant(x) => return Some(x.into()),
            Value::Variable(id) if Some(id) == self.statement.mask => return Some(index.clone()),
            Value::Variable(id) => id,
        };
        match &self.system.definitions[id as usize] {
            Definition::Input(..) | Definition::Word(_) => None,
            Definition::Sum(constant, terms) => {
                let mut total = BigInt::from(*constant);
                for &(of, c) in terms {
                    total += self.at_index(Value::Variable(of), index)? * c;
                }
                Some(total)
            }
            Definition::Low(number) | Definition::High(number) => {
                let split = &self.system.splits[*number as usize];
                let Source::Single(of) = split.source else { return None };
                let whole = self.at_index(Value::Variable(of), index)?;
                let above = &whole >> split.shift;
                Some(if split.low == x { whole - (above << split.shift) } else { above })
            }
            &Definition::Choice(selector, first, second) => {
                let value = self.at_index(Value::Variable(selector), index)?;
                let is_above = value != self.intervals[selector as usize].0;
                self.at_index(if is_above { second } else { first }, index)
            }
        }
    }

    /// An integer by the index in a case: of what is lower parts, by the upper parts that the case has.
    fn by_the_index(&self, id: Id, case: &Case) -> Option<Linear> {
        if Some(id) == self.statement.mask {
            return Some(Linear { constant: BigInt::ZERO, times: 1, above: 0 });
        }
        if let Some((_, is_above)) = case.iter().find(|(known, _)| *known == id) {
            let constant = &self.intervals[id as usize].0 + i32::from(*is_above);
            return Some(Linear { constant, times: 0, above: 0 });
        }
        match &self.system.definitions[id as usize] {
            Definition::Sum(constant, terms) => {
                let mut total = Linear { constant: BigInt::from(*constant), times: 0, above: 0 };
                for &(of, c) in terms {
                    let Linear { constant, times, above } = self.by_the_index(of, case)?;
                    if times != 0 && total.times != 0 && above != total.above {
                        return None;
                    }
                    total.above = if times != 0 { above } else { total.above };
                    total.constant += constant * c;
                    total.times = total.times.checked_add(c.checked_mul(times)?)?;
                }
                Some(total)
            }
            &Definition::Low(number) => {
                let split = &self.system.splits[number as usize];
                let (Source::Single(of), Value::Variable(high)) = (split.source, split.high) else {
                    return None;
                };
                let (part, high) = (self.by_the_index(of, case)?, self.by_the_index(high, case)?);
                let constant = part.constant - (high.constant << split.shift);
                (high.times == 0).then_some(Linear { constant, ..part })
            }
            &Definition::High(number) => {
                let split = &self.system.splits[number as usize];
                let is_of_index =
                    matches!(split.source, Source::Single(of) if Some(of) == self.statement.mask);
                is_of_index.then_some(Linear { constant: BigInt::ZERO, times: 1, above: split.shift })
            }
            _ => None,
        }
    }

    /// The lowest bits of a word: the lower part of its split, which the split's equation and the length of that part determine.
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

    /// Whether no index is as a case has it.
    pub fn is_no_index(&self, case: &Case) -> bool {
        self.index_interval(case).is_ok_and(|(low, high)| low > high)
    }
}
