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

#[cfg(test)]
mod tests {
    use crate::{
        certificate::{Certificate, Equation, Outcome, Use},
        checker::check,
        specification::{Bound, Formula, Specification, Statement},
        system::{Definition, Source, Split, System, Value::Variable},
    };

    /// A choice by whether the index is at least so much is no look at one place.
    #[test]
    fn an_index_that_may_be_another_one() {
        let word = Definition::Input(0, u64::MAX.into());
        // 0 is the index, 1 and 2 are words, 3 is the inverse, which nothing is made of; 6 says whether the index is below `least`.
        let system = |least: i128| System {
            definitions: vec![
                word.clone(),
                word.clone(),
                word.clone(),
                word.clone(),
                Definition::Sum(-least, [(0, 1)].into()),
                Definition::Low(0),
                Definition::High(0),
                Definition::Choice(6, Variable(1), Variable(2)),
            ],
            splits: vec![Split {
                source: Source::Single(4),
                shift: 64,
                low: Variable(5),
                high: Variable(6),
                by: Vec::new(),
                scale: 0,
            }],
            products: Vec::new(),
            claims: Vec::new(),
        };
        let outcome = |is_above| Outcome {
            case: vec![(6, is_above)],
            uses: vec![Use { equation: Equation::Choice(7), multiplier: 1.into() }],
            products: Vec::new(),
        };
        let certificate =
            Certificate { outcomes: vec![outcome(false), outcome(true)], ..Certificate::default() };
        let is_accepted = |least: i128, formula: Formula| {
            let specification =
                Specification { first: Bound::Words, second: Some(Bound::Words), formula, is_reduced: false };
            let statement = Statement {
                specification,
                modulus: Vec::new(),
                inverse: 3,
                first: vec![1],
                first_bits: 64,
                result_bits: 64,
                second: vec![2],
                mask: Some(0),
                result: vec![Variable(7)],
                digits: None,
                doubles: None,
                before: None,
            };
            check(&system(least), &statement, &certificate).is_ok()
        };
        let most = i128::from(u64::MAX);
        for place in [0, 3, 5, 7] {
            assert!(!is_accepted(5, Formula::Place(place)), "place {place}");
        }
        assert!(is_accepted(most, Formula::Place(u64::MAX)));
        assert!(!is_accepted(most, Formula::Place(u64::MAX - 1)));
        // Past the row there is nothing.
        assert!(!is_accepted(1, Formula::Entry));
        assert!(!is_accepted(2, Formula::Entry));
    }
}
