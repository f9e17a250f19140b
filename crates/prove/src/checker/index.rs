//! Where an index lies in a case, and what the result is by it.

use num_bigint::BigInt;

use super::{
    intervals::Checker,
    polynomial::{Interval, power, refuse},
};
use crate::{
    certificate::Case,
    failure::Result,
    specification::{Formula, Statement},
    system::{Definition, Id, Source, Value},
};

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

    /// Where the index lies in a case. Each selector that is the upper part of a constant and the index, or less it, gives an interval.
    fn index_interval(&self, case: &Case) -> Result<Interval> {
        let (mut low, mut high): (BigInt, BigInt) = (BigInt::ZERO, power(64) - 1);
        for &(id, is_above) in case {
            let Definition::High(number) = self.system.definitions[id as usize] else { continue };
            let split = &self.system.splits[number as usize];
            let Source::Single(of) = split.source else { continue };
            let Some((constant, sign)) = self.by_the_index(of, case) else { continue };
            // constant ± index is from least on, and below most.
            let value = self.interval(Value::Variable(id))?.0 + i32::from(is_above);
            let (least, most) = (&value << split.shift, (&value + 1) << split.shift);
            if sign == 1 {
                low = low.max(least - &constant);
                high = high.min(most - constant - 1);
            } else if sign == -1 {
                low = low.max(&constant - most + 1);
                high = high.min(constant - least);
            } else if sign == 0 && (constant < least || constant >= most) {
                return Ok((BigInt::from(1), BigInt::ZERO));
            }
        }
        Ok((low, high))
    }

    /// An integer as a constant and a multiple of the index in a case: of what is lower parts, by the upper parts that the case has.
    fn by_the_index(&self, id: Id, case: &Case) -> Option<(BigInt, i128)> {
        if Some(id) == self.statement.mask {
            return Some((BigInt::ZERO, 1));
        }
        if let Some((_, is_above)) = case.iter().find(|(known, _)| *known == id) {
            return Some((&self.intervals[id as usize].0 + i32::from(*is_above), 0));
        }
        match &self.system.definitions[id as usize] {
            Definition::Sum(constant, terms) => {
                let mut total = (BigInt::from(*constant), 0i128);
                for &(of, c) in terms {
                    let (constant, times) = self.by_the_index(of, case)?;
                    total = (total.0 + constant * c, total.1.checked_add(c.checked_mul(times)?)?);
                }
                Some(total)
            }
            &Definition::Low(number) => {
                let split = &self.system.splits[number as usize];
                let (Source::Single(of), Value::Variable(high)) = (split.source, split.high) else {
                    return None;
                };
                let ((constant, times), (high, 0)) =
                    (self.by_the_index(of, case)?, self.by_the_index(high, case)?)
                else {
                    return None;
                };
                Some((constant - (high << split.shift), times))
            }
            _ => None,
        }
    }

    /// Whether no index is as a case has it.
    pub fn is_no_index(&self, case: &Case) -> bool {
        self.index_interval(case).is_ok_and(|(low, high)| low > high)
    }
}
