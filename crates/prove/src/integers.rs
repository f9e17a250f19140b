//! The integers of a trace, as they are created: each equation once, with an interval and with the recorded
//! value.
//!
//! The same sum, split or choice, if created twice, is one integer. So an identity between integers can be
//! shown by cancelling. The checker verifies everything that is created here without a new integer (the parts
//! of a split that a table or an interval gives).

mod bits;
mod carries;
mod disjunctions;
mod parts;
mod places;
mod plain;
mod signs;
mod words;

use std::collections::HashMap;

use super::{
    failure::{Failure, Reason, Result},
    system::{Definition, Id, LongProduct, Source, Split, System, Value},
};
use Value::{Constant, Variable};

/// Sums of no more terms than this are written out where they occur in others.
const SHORT: usize = 6;

/// The largest number of integers in a system: several times that of the longest proof. Wrong code may
/// request twice as many at each step.
const MOST: usize = 1 << 25;

/// Splits, and the multipliers of their equations.
type Uses = Vec<(u32, i128)>;

/// The lower part of a split and the upper one.
type Parts = (Value, Value);

/// Parts that existed before, and the splits that show that they are the parts.
type Shown = (Parts, Uses);

/// A constant and multiples, by ascending numbers.
type Sum = (i128, Box<[(Id, i128)]>);

/// A system to which integers are added.
#[derive(Default)]
pub struct Integers {
    /// The equations.
    pub system: System,
    /// Bits that are zero if two carries never occur together. A proof starts with these.
    pub doubtful: Vec<Id>,
    /// Whether words that are made of negative numbers count as negative.
    pub has_signs: bool,
    /// Whether pieces of lower parts of sums count as pieces of the sums.
    pub has_parts_of_digits: bool,
    /// Whether this holds also for digits with what is carried into them.
    pub has_carried_digits: bool,
    bounds: Vec<(i128, i128)>,
    recorded: Vec<i128>,
    sums: HashMap<Sum, Id>,
    splits: HashMap<(Source, u32), u32>,
    /// Splits of sums that were created directly, by what is left of the sums' constants.
    plain: HashMap<(Sum, u32), u32>,
    choices: HashMap<(Id, Value, Value), Id>,
    products: HashMap<[Vec<Id>; 2], u32>,
    /// Bits that say whether two words are equal, and such bits together with a carry.
    equalities: HashMap<Id, (Value, Value, u32)>,
    conjunctions: HashMap<Id, (Value, Value, Value, u32)>,
    /// Words without an equation that are the exclusive disjunction of two words.
    differing: HashMap<Id, (Value, Value)>,
    /// Words that are the disjunction of several words.
    disjunctions: HashMap<Id, Vec<Value>>,
    /// Disjunctions of two words that have an equation.
    either: HashMap<(Value, Value), Id>,
}

/// 2^bits − 1.
pub fn ones(bits: u32) -> i128 {
    (1i128 << bits) - 1
}

fn too_wide() -> Failure {
    Failure::new(Reason::TooWide, "an interval beyond 127 bits")
}

fn times(x: i128, y: i128) -> Result<i128> {
    x.checked_mul(y).ok_or_else(too_wide)
}

fn plus(x: i128, y: i128) -> Result<i128> {
    x.checked_add(y).ok_or_else(too_wide)
}

impl Integers {
    /// The recorded value.
    pub fn recorded(&self, x: Value) -> i128 {
        match x {
            Constant(x) => x,
            Variable(id) => self.recorded[id as usize],
        }
    }

    /// The interval of a value.
    pub fn bounds(&self, x: Value) -> (i128, i128) {
        match x {
            Constant(x) => (x, x),
            Variable(id) => self.bounds[id as usize],
        }
    }

    fn is_within(&self, x: Value, low: i128, high: i128) -> bool {
        let (from, to) = self.bounds(x);
        low <= from && to <= high
    }

    fn define(&mut self, definition: Definition, bounds: (i128, i128), recorded: i128) -> Result<Id> {
        if recorded < bounds.0 || bounds.1 < recorded {
            let what = format!("{recorded:#x} is not from {:#x} to {:#x}", bounds.0, bounds.1);
            return Err(Failure::new(Reason::WrongRule, what));
        }
        if self.bounds.len() >= MOST {
            return Err(Failure::new(Reason::TooWide, format!("more than {MOST} integers are needed")));
        }
        let id = self.bounds.len() as Id;
        self.system.definitions.push(definition);
        self.bounds.push(bounds);
        self.recorded.push(recorded);
        Ok(id)
    }

    /// Adds a symbol: any integer of an interval.
    pub fn input(&mut self, low: i128, high: i128, recorded: i128) -> Result<Value> {
        Ok(Variable(self.define(Definition::Input(low, high), (low, high), recorded)?))
    }

    /// A constant plus multiples of values.
    pub fn sum(&mut self, constant: i128, terms: &[(i128, Value)]) -> Result<Value> {
        let mut constant = constant;
        let mut total: Vec<(Id, i128)> = Vec::with_capacity(terms.len());
        for &(c, x) in terms {
            match x {
                Constant(x) => constant = plus(constant, times(c, x)?)?,
                Variable(id) => match &self.system.definitions[id as usize] {
                    Definition::Sum(d, inner) if inner.len() <= SHORT => {
                        constant = plus(constant, times(c, *d)?)?;
                        for &(id, d) in inner {
                            total.push((id, times(c, d)?));
                        }
                    }
                    _ => total.push((id, c)),
                },
            }
        }
        total.sort_unstable_by_key(|&(id, _)| id);
        let mut merged: Vec<(Id, i128)> = Vec::with_capacity(total.len());
        for (id, c) in total {
            match merged.last_mut() {
                Some((last, d)) if *last == id => *d = plus(*d, c)?,
                _ => merged.push((id, c)),
            }
        }
        merged.retain(|&(_, c)| c != 0);
        match merged[..] {
            [] => return Ok(Constant(constant)),
            [(id, 1)] if constant == 0 => return Ok(Variable(id)),
            _ => {}
        }
        let key = (constant, merged.into_boxed_slice());
        if let Some(&id) = self.sums.get(&key) {
            return Ok(Variable(id));
        }
        let (mut low, mut high, mut recorded) = (constant, constant, constant);
        for &(id, c) in &key.1 {
            let (from, to) = self.bounds[id as usize];
            let (from, to) = if c > 0 { (from, to) } else { (to, from) };
            low = plus(low, times(c, from)?)?;
            high = plus(high, times(c, to)?)?;
            recorded = plus(recorded, times(c, self.recorded[id as usize])?)?;
        }
        if low == high {
            return Ok(Constant(low));
        }
        let id = self.define(Definition::Sum(key.0, key.1.clone()), (low, high), recorded)?;
        self.sums.insert(key, id);
        Ok(Variable(id))
    }

    /// For a value with two possible values: an integer with two values that determines it, and the value at
    /// that integer's lower end and above.
    pub fn two_valued(&self, x: Value) -> Option<(Id, i128, i128)> {
        let Variable(id) = x else { return None };
        let (low, high) = self.bounds[id as usize];
        match &self.system.definitions[id as usize] {
            Definition::Sum(constant, terms) => match terms[..] {
                [(of, c)] => {
                    let (low, high) = self.bounds[of as usize];
                    let at = |x: i128| constant.checked_add(c.checked_mul(x)?);
                    (high.checked_sub(low)? == 1).then_some((of, at(low)?, at(high)?))
                }
                _ => None,
            },
            _ => (high.checked_sub(low)? == 1).then_some((id, low, high)),
        }
    }

    /// `first` where the integer is at its lower end, `second` where it is one above.
    pub fn table(&mut self, of: Id, first: i128, second: i128) -> Result<Value> {
        let slope = plus(second, times(-1, first)?)?;
        let start = times(slope, self.bounds[of as usize].0)?;
        self.sum(plus(first, times(-1, start)?)?, &[(slope, Variable(of))])
    }

    /// The lower `shift` bits of a value and what is above them.
    pub fn split(&mut self, x: Value, shift: u32) -> Result<Parts> {
        if shift == 0 {
            return Ok((Constant(0), x));
        }
        let unit = 1i128 << shift;
        let id = match x {
            Constant(x) => return Ok((Constant(x & (unit - 1)), Constant(x >> shift))),
            Variable(id) => id,
        };
        let (low, high) = self.bounds[id as usize];
        if low >= 0 && high < unit {
            return Ok((x, Constant(0)));
        }
        let key = (Source::Single(id), shift);
        if let Some(&number) = self.splits.get(&key) {
            let split = &self.system.splits[number as usize];
            return Ok((split.low, split.high));
        }
        let ((parts, by), scale) = if low >> shift == high >> shift {
            let above = low >> shift;
            (((self.sum(-above * unit, &[(1, x)])?, Constant(above)), Uses::new()), 0)
        } else if let Some((of, first, second)) = self.two_valued(x) {
            let low = self.table(of, first & (unit - 1), second & (unit - 1))?;
            (((low, self.table(of, first >> shift, second >> shift)?), Uses::new()), 0)
        } else if let Some(shown) = self.split_by_others(id, shift)? {
            shown
        } else {
            let number = self.system.splits.len() as u32;
            let recorded = self.recorded[id as usize];
            let low_part = self.define(Definition::Low(number), (0, unit - 1), recorded & (unit - 1))?;
            let bounds = (low >> shift, high >> shift);
            let high_part = self.define(Definition::High(number), bounds, recorded >> shift)?;
            (((Variable(low_part), Variable(high_part)), Uses::new()), 0)
        };
        let parts = self.keep(key, parts, by);
        if let Some(split) = self.system.splits.last_mut() {
            split.scale = scale;
        }
        Ok(parts)
    }

    /// The parts, expressed by existing integers in the first way that works, and the power of two by which
    /// its equations multiply the split.
    fn split_by_others(&mut self, id: Id, shift: u32) -> Result<Option<(Shown, u32)>> {
        type Way = fn(&mut Integers, Id, u32) -> Result<Option<(Shown, u32)>>;
        /// A way whose equations add up to the split itself.
        macro_rules! plain {
            ($way:ident) => {
                |integers, id, shift| Ok(integers.$way(id, shift)?.map(|shown| (shown, 0)))
            };
        }
        const WAYS: [Way; 10] = [
            plain!(split_of_sign),
            plain!(split_of_pieces),
            plain!(split_of_lower),
            Integers::split_of_upper,
            plain!(split_of_parts),
            plain!(split_of_double),
            plain!(split_of_lower_part),
            plain!(split_with_sign),
            plain!(split_of_all_ones),
            plain!(split_without_multiples),
        ];
        for way in WAYS {
            if let Some(shown) = way(self, id, shift)? {
                return Ok(Some(shown));
            }
        }
        Ok(None)
    }

    fn keep(&mut self, key: (Source, u32), parts: Parts, by: Vec<(u32, i128)>) -> Parts {
        self.splits.insert(key, self.system.splits.len() as u32);
        let (low, high) = parts;
        self.system.splits.push(Split { source: key.0, shift: key.1, low, high, by, scale: 0 });
        parts
    }

    /// The lower `shift` bits of the product of two words and what is above them.
    pub fn split_product(&mut self, x: Value, y: Value, shift: u32) -> Result<Parts> {
        let (x, y) = match (x, y) {
            (Variable(x), Variable(y)) => (x.min(y), x.max(y)),
            (Constant(c), other) | (other, Constant(c)) => {
                let product = self.sum(0, &[(c, other)])?;
                return self.split(product, shift);
            }
        };
        let word = (1i128 << 64) - 1;
        if !self.is_within(Variable(x), 0, word) || !self.is_within(Variable(y), 0, word) {
            return Err(too_wide());
        }
        let key = (Source::Product(x, y), shift);
        if let Some(&number) = self.splits.get(&key) {
            let split = &self.system.splits[number as usize];
            return Ok((split.low, split.high));
        }
        let corner = |at: fn((i128, i128)) -> i128| {
            at(self.bounds[x as usize]) as u128 * at(self.bounds[y as usize]) as u128
        };
        let (low, high) = (corner(|bounds| bounds.0), corner(|bounds| bounds.1));
        let recorded = self.recorded[x as usize] as u128 * self.recorded[y as usize] as u128;
        let number = self.system.splits.len() as u32;
        let mask = (1u128 << shift) - 1;
        let bounds = (0, high.min(mask) as i128);
        let low_part = self.define(Definition::Low(number), bounds, (recorded & mask) as i128)?;
        let (from, to) = ((low >> shift) as i128, (high >> shift) as i128);
        let high_part = if from == to {
            Constant(from)
        } else {
            Variable(self.define(Definition::High(number), (from, to), (recorded >> shift) as i128)?)
        };
        Ok(self.keep(key, (Variable(low_part), high_part), Vec::new()))
    }

    /// The words of the product of two numbers of several words. `recorded` are the recorded words.
    pub fn long_product(&mut self, first: &[Id], second: &[Id], recorded: &[u64]) -> Result<Vec<Id>> {
        let key = [first.to_vec(), second.to_vec()];
        if let Some(&number) = self.products.get(&key) {
            return Ok(self.system.products[number as usize].words.clone());
        }
        if first.iter().chain(second).any(|&id| !self.is_within(Variable(id), 0, u64::MAX.into())) {
            return Err(too_wide());
        }
        let number = self.system.products.len() as u32;
        let define = |&word: &u64| self.define(Definition::Word(number), (0, u64::MAX.into()), word.into());
        let words: Vec<Id> = recorded.iter().map(define).collect::<Result<_>>()?;
        let product = LongProduct { first: first.to_vec(), second: second.to_vec(), words: words.clone() };
        self.system.products.push(product);
        self.products.insert(key, number);
        Ok(words)
    }

    /// `one` where the bit is one, else `zero`.
    pub fn choose(&mut self, bit: Value, one: Value, zero: Value) -> Result<Value> {
        match (bit, self.two_valued(bit)) {
            (Constant(bit), _) => Ok(if bit == 0 { zero } else { one }),
            (_, Some((selector, 0, 1))) => self.choose_between(selector, zero, one),
            (_, Some((selector, 1, 0))) => self.choose_between(selector, one, zero),
            _ => Err(Failure::new(Reason::NoRule, "a choice by what is no bit")),
        }
    }

    /// `first` where the selector, which has two values, is at its lower end, and `second` where it is above.
    pub fn choose_between(&mut self, selector: Id, first: Value, second: Value) -> Result<Value> {
        if first == second {
            return Ok(first);
        }
        if let (Constant(first), Constant(second)) = (first, second) {
            return self.table(selector, first, second);
        }
        let key = (selector, first, second);
        if let Some(&id) = self.choices.get(&key) {
            return Ok(Variable(id));
        }
        let (a, b) = (self.bounds(first), self.bounds(second));
        let is_above = self.recorded[selector as usize] != self.bounds[selector as usize].0;
        let recorded = self.recorded(if is_above { second } else { first });
        let definition = Definition::Choice(selector, first, second);
        let id = self.define(definition, (a.0.min(b.0), a.1.max(b.1)), recorded)?;
        self.choices.insert(key, id);
        Ok(Variable(id))
    }
}
