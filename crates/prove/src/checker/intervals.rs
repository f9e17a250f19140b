//! Computes the intervals of all integers from their equations, and checks the splits.

use num_bigint::BigInt;
use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

use super::polynomial::{Interval, Number, Polynomial, power, product_interval, refuse, widen};
use crate::{
    certificate::{Case, Cleared},
    failure::Result,
    specification::{Formula, Statement, digits::DIGIT},
    system::{Definition, Id, LongProduct, Source, Split, System, Value},
};

/// The check of one certificate.
pub struct Checker<'a> {
    pub(super) system: &'a System,
    pub(super) statement: &'a Statement,
    pub(super) intervals: Rc<Vec<Interval>>,
    /// `zeros`: integers that are zero in the case at hand. `opposites`: for an integer, the others with
    /// which it adds up to zero. `shown`: everything that was shown to be zero, and in which case it is.
    pub(super) zeros: HashSet<Id>,
    pub(super) opposites: HashMap<Id, Vec<Id>>,
    pub(super) shown: Vec<(Vec<Id>, Case)>,
    /// What lemmas say of numbers, by the lemma's place.
    pub(super) numbers: Vec<Option<Number>>,
    /// Sums of multiples that lemmas showed to be zero.
    pub(super) relations: Vec<(BigInt, Vec<(Id, i128)>)>,
    /// Sums whose lowest digits were shown to be cleared.
    pub(super) cleared: Vec<Cleared>,
    /// The digit that was shown to be an estimate of a quotient.
    pub(super) estimate: Option<Id>,
    pub(super) quotient: Vec<(Id, u32)>,
    pub(super) atoms: Vec<Id>,
}

/// A statement for checks that need none.
static NONE: Statement = Statement::NONE;

impl<'a> Checker<'a> {
    /// Computes the intervals of all integers, and checks the splits and the statement's operands.
    pub fn new(system: &'a System, statement: &'a Statement) -> Result<Self> {
        Self::of_integers(system)?.about(statement)
    }

    /// As [`Self::new`], without a statement.
    pub fn of_integers(system: &'a System) -> Result<Self> {
        let mut checker =
            Self::with_intervals(system, &NONE, Rc::new(Vec::with_capacity(system.definitions.len())));
        for (id, definition) in system.definitions.iter().enumerate() {
            let interval = checker.interval_of(id as Id, definition)?;
            Rc::make_mut(&mut checker.intervals).push(interval);
        }
        for number in 0..system.splits.len() {
            checker.check_split(number as u32)?;
        }
        for product in &system.products {
            checker.check_product(product)?;
        }
        checker.check_claims()?;
        Ok(checker)
    }

    /// A checker of another statement about the same integers.
    pub fn about(&self, statement: &'a Statement) -> Result<Self> {
        let checker = Self::with_intervals(self.system, statement, Rc::clone(&self.intervals));
        checker.check_operands()?;
        Ok(checker)
    }

    fn with_intervals(system: &'a System, statement: &'a Statement, intervals: Rc<Vec<Interval>>) -> Self {
        Self {
            system,
            statement,
            intervals,
            zeros: HashSet::new(),
            opposites: HashMap::new(),
            shown: Vec::new(),
            numbers: Vec::new(),
            relations: Vec::new(),
            cleared: Vec::new(),
            estimate: None,
            quotient: Vec::new(),
            atoms: Vec::new(),
        }
    }

    /// Checks that the operands are distinct symbols that can be any words, and that numbers have the same
    /// length.
    fn check_operands(&self) -> Result<()> {
        if let Some(doubles) = &self.statement.doubles {
            return self.check_operands_in_doubles(doubles);
        }
        if let Some(digits) = &self.statement.digits {
            return self.check_digit_operands(digits);
        }
        let Statement {
            specification,
            modulus,
            inverse,
            first,
            first_bits,
            second,
            mask,
            result,
            result_bits,
            ..
        } = self.statement;
        if *first_bits != 64 || *result_bits != 64 {
            return refuse("words of another length");
        }
        self.check_result()?;
        let mut seen = HashSet::new();
        let formula = specification.formula;
        if let Formula::Estimated(bits) = formula {
            return self.check_operands_of_estimate(bits);
        }
        if !formula.is_modular() && specification.is_reduced {
            return refuse("a quotient where nothing is reduced");
        }
        let is_whole = formula == Formula::Whole;
        // A number may be multiplied by itself: its words are then seen once.
        let second = if is_whole && first == second { &Vec::new() } else { second };
        // Formulas without a modulus do not constrain it.
        let has_modulus = formula.is_modular() || formula == Formula::Copy;
        let constants = if has_modulus { &modulus[..] } else { &[] };
        let inverse = has_modulus.then_some(inverse);
        for &id in constants.iter().chain(first).chain(second).chain(inverse) {
            // If a number is below a multiple of N, the word above those of N is below the multiple.
            let highest = match formula {
                Formula::Once(times) if first.last() == Some(&id) => i128::from(times) - 1,
                _ => (1 << 64) - 1,
            };
            let is_word = self.system.definitions.get(id as usize) == Some(&Definition::Input(0, highest));
            if !is_word || !seen.insert(id) {
                return refuse("an operand that is not any word");
            }
        }
        if is_whole {
            let is_long = result.len() == first.len() + self.statement.second.len();
            return if modulus.is_empty() && is_long {
                Ok(())
            } else {
                refuse("a product of another length")
            };
        }
        let bit =
            mask.filter(|&mask| seen.insert(mask)).map(|mask| self.system.definitions.get(mask as usize));
        if formula == Formula::Exchange {
            let is_right = bit == Some(Some(&Definition::Input(0, 1)))
                && first.len() == second.len()
                && result.len() == 2 * first.len();
            return if is_right { Ok(()) } else { refuse("an exchange of other operands") };
        }
        if formula.is_by_index() {
            let is_row = formula == Formula::Entry && second.len().is_multiple_of(first.len().max(1));
            // A result may have more words than it needs: the words above are then zero.
            let is_long = if is_row { result.len() >= first.len() } else { result.len() == first.len() };
            let is_right = bit == Some(Some(&Definition::Input(0, (1 << 64) - 1)))
                && !first.is_empty()
                && is_long
                && (is_row || second.len() == first.len());
            return if is_right { Ok(()) } else { refuse("a row of other numbers") };
        }
        if let Formula::Lowest(bits) = formula {
            let is_right = (1..=64).contains(&bits)
                && !first.is_empty()
                && result.len() >= first.len()
                && second.is_empty()
                && mask.is_none();
            return if is_right { Ok(()) } else { refuse("words of another length") };
        }
        if let Formula::Pieces(part) = formula {
            // The last pieces may belong to no part.
            let least = first.len().div_ceil(part.max(1)) * modulus.len();
            let is_long =
                part > 0 && second.len() >= least && second.len().is_multiple_of(modulus.len().max(1));
            let is_right =
                is_long && !modulus.is_empty() && [first.len(), result.len()] == [modulus.len(); 2];
            return if is_right { Ok(()) } else { refuse("pieces of another length") };
        }
        if let Formula::Blocks { part, parts } = formula {
            // Every word of the first operand belongs to a part, and each part has its piece.
            let is_right = part > 0
                && part * parts < first.len()
                && second.len() == (parts + 1) * modulus.len()
                && first.len() == modulus.len()
                && result.len() == modulus.len() + first.len() - part * parts + 1
                && !specification.is_reduced;
            return if is_right { Ok(()) } else { refuse("parts of another length") };
        }
        if let Formula::Once(times) = formula {
            // The number may still have the word above.
            let is_right = !modulus.is_empty()
                && times > 1
                && (modulus.len()..=first.len()).contains(&result.len())
                && first.len() == modulus.len() + 1
                && second.is_empty()
                && !specification.is_reduced;
            return if is_right { Ok(()) } else { refuse("a sum of another length") };
        }
        if formula == Formula::Long {
            let is_right = !modulus.is_empty()
                && first.len() > modulus.len()
                && second.is_empty()
                && result.len() == modulus.len()
                && specification.is_reduced;
            return if is_right { Ok(()) } else { refuse("a long number of another length") };
        }
        let lengths =
            [first.len(), result.len(), if second.is_empty() { modulus.len() } else { second.len() }];
        if modulus.is_empty() || lengths != [modulus.len(); 3] {
            return refuse("operands of unequal length");
        }
        Ok(())
    }

    /// Checks that each digit of the result is in its range, so that the number which they form has no more
    /// digits.
    pub(super) fn check_result(&self) -> Result<()> {
        let Statement { result, result_bits, digits, .. } = self.statement;
        // If the digits that no residue has are shown to be 0, the highest digit needs no bound: it is what
        // the result, which is not negative, has above the others.
        let has_empty = digits.as_ref().is_some_and(|digits| !digits.empty.is_empty());
        for (i, &digit) in result.iter().enumerate() {
            let (low, high) = self.interval(digit)?;
            let is_any = has_empty && i + 1 == result.len();
            let limit = match digits {
                Some(digits) if *result_bits == DIGIT && !digits.are_in_order[1] => {
                    (digits.highest(i, true) + 1).into()
                }
                _ => power(*result_bits as usize),
            };
            if !is_any && (low < BigInt::ZERO || high >= limit) {
                return refuse(format!("digit {i} of the result is no digit"));
            }
        }
        Ok(())
    }

    // Intervals.

    pub(super) fn interval(&self, x: Value) -> Result<Interval> {
        match x {
            Value::Constant(x) => Ok((x.into(), x.into())),
            Value::Variable(id) => match self.intervals.get(id as usize) {
                Some(interval) => Ok(interval.clone()),
                None => refuse(format!("integer {id} is named before it is there")),
            },
        }
    }

    fn source_interval(&self, source: Source) -> Result<Interval> {
        match source {
            Source::Single(id) => self.interval(Value::Variable(id)),
            Source::Product(x, y) => {
                let (x, y) = (self.interval(Value::Variable(x))?, self.interval(Value::Variable(y))?);
                Ok(product_interval(&x, &y))
            }
        }
    }

    pub(super) fn interval_of(&self, id: Id, definition: &Definition) -> Result<Interval> {
        let part = |number: u32, is_low: bool| -> Result<(&Split, Interval)> {
            let split = &self.system.splits[number as usize];
            let part = if is_low { split.low } else { split.high };
            if part != Value::Variable(id) {
                return refuse(format!("integer {id} is no part of its split"));
            }
            Ok((split, self.source_interval(split.source)?))
        };
        match definition {
            &Definition::Input(low, high) => Ok((low.into(), high.into())),
            Definition::Sum(constant, terms) => {
                let mut total = (BigInt::from(*constant), BigInt::from(*constant));
                for &(of, c) in terms {
                    widen(&mut total, &c.into(), &self.interval(Value::Variable(of))?);
                }
                Ok(total)
            }
            &Definition::Low(number) => {
                let (split, (low, high)) = part(number, true)?;
                let top: BigInt = power(split.shift as usize) - 1;
                Ok((BigInt::ZERO, if low >= BigInt::ZERO { high.min(top) } else { top }))
            }
            &Definition::High(number) => {
                let (split, (low, high)) = part(number, false)?;
                Ok((low >> split.shift, high >> split.shift))
            }
            &Definition::Word(number) => match self.system.products.get(number as usize) {
                Some(product) if product.words.contains(&id) => Ok((BigInt::ZERO, power(64) - 1)),
                _ => refuse(format!("integer {id} is no word of its product")),
            },
            &Definition::Choice(selector, first, second) => {
                let (low, high) = self.interval(Value::Variable(selector))?;
                if high - low != BigInt::from(1) {
                    return refuse(format!("integer {id} is a choice by what has no two values"));
                }
                let (a, b) = (self.interval(first)?, self.interval(second)?);
                Ok((a.0.min(b.0), a.1.max(b.1)))
            }
            &Definition::Either(first, second) => {
                for (low, high) in [self.interval(first)?, self.interval(second)?] {
                    if low < BigInt::ZERO || high >= power(64) {
                        return refuse(format!("integer {id} is a disjunction of what is no word"));
                    }
                }
                Ok((BigInt::ZERO, power(64) - 1))
            }
        }
    }

    /// Checks a product of numbers: its words are integers that only it defines, as many as both factors have
    /// together, and the factors' words have smaller numbers.
    fn check_product(&self, product: &LongProduct) -> Result<()> {
        let LongProduct { first, second, words } = product;
        let is_word = |&id: &Id| {
            let (low, high) = self.interval(Value::Variable(id))?;
            Ok(low >= BigInt::ZERO && high < power(64) && words.iter().all(|&word| id < word))
        };
        let are_words = first.iter().chain(second).map(is_word).collect::<Result<Vec<_>>>()?;
        let mut seen = HashSet::new();
        if are_words.contains(&false)
            || words.len() != first.len() + second.len()
            || !words.iter().all(|&id| self.is_word_of(id, product) && seen.insert(id))
        {
            return refuse("a product of numbers");
        }
        Ok(())
    }

    fn is_word_of(&self, id: Id, product: &LongProduct) -> bool {
        match self.system.definitions.get(id as usize) {
            Some(&Definition::Word(number)) => {
                self.system.products.get(number as usize).is_some_and(|other| core::ptr::eq(other, product))
            }
            _ => false,
        }
    }

    /// Checks a split. A part that is an integer of its own is defined by the split. Parts that existed
    /// before have to add up to the source, and the lower one has to be short enough. An upper part of
    /// its own may go with a lower one that existed before.
    fn check_split(&self, number: u32) -> Result<()> {
        let split = &self.system.splits[number as usize];
        let is_own = |part: Value, definition: &Definition| match part {
            Value::Variable(id) => self.system.definitions[id as usize] == *definition,
            Value::Constant(_) => false,
        };
        let (low_is_own, high_is_own) =
            (is_own(split.low, &Definition::Low(number)), is_own(split.high, &Definition::High(number)));
        let what = || format!("split {number}");
        match (low_is_own, high_is_own, split.high) {
            (true, true, _) => Ok(()),
            (true, false, Value::Constant(high)) => {
                let (from, to) = self.source_interval(split.source)?;
                let high = BigInt::from(high);
                if from >> split.shift != high || to >> split.shift != high {
                    return refuse(what());
                }
                Ok(())
            }
            (false, _, _) => {
                // The equations of the other splits are subtracted. Then the source less the lower part has
                // to be a multiple of 2^shift; or, if the upper part existed before as well,
                // the source less both parts has to be 0.
                let mut sum = Polynomial::default();
                self.add_split(&mut sum, number, &power(split.scale as usize));
                for &(other, times) in &split.by {
                    if other >= number {
                        return refuse(what());
                    }
                    self.add_split(&mut sum, other, &BigInt::from(-times));
                }
                let unit = power(split.shift as usize);
                let holds =
                    if high_is_own { split.scale == 0 && sum.is_multiple_of(&unit) } else { sum.is_zero() };
                let (low, high) = self.interval(split.low)?;
                if !holds || low < BigInt::ZERO || high >= unit {
                    return refuse(what());
                }
                Ok(())
            }
            _ => refuse(what()),
        }
    }
}
