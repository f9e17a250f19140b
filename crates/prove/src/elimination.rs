//! Eliminates integers from a sum of integers and of products of two: each is replaced by what its equation
//! says, the latest first.
//!
//! Both parts of a split are replaced at once if their coefficients match the split. If only the upper part
//! occurs, the lower one is left over. If the coefficients do not match, some of the upper part is left over.
//! What is left over has to be zero for other reasons, which `zeros.rs` looks for.

mod choices;
mod range;

use num_bigint::BigInt;
use std::collections::{BTreeMap, HashMap, HashSet};

use super::{
    certificate::{Case, Equation, Use},
    integers::Integers,
    system::{Definition, Id, Source, Value},
};

/// The outcome of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stepped {
    /// An integer was replaced or left.
    On,
    /// No integer is left to replace.
    Ended,
    /// The step needs the case of a choice, which is given by its selector.
    Asks(Id),
}

/// A sum during elimination.
pub struct Functional<'a> {
    integers: &'a Integers,
    zeros: &'a HashSet<Id>,
    case: &'a Case,
    /// Multiples of integers that may still be replaced.
    open: BTreeMap<Id, BigInt>,
    /// Multiples of integers that are left over.
    pub left: BTreeMap<Id, BigInt>,
    /// Multiples of products of two integers, the smaller number first.
    pub products: HashMap<(Id, Id), BigInt>,
    /// The constant.
    pub constant: BigInt,
    /// The equations that were used.
    pub uses: Vec<Use>,
    /// Products of numbers, and the multiplier of each, if they are not written out as products of words.
    pub factors: Option<Vec<(u32, BigInt)>>,
    /// Whether the lower part of a product is left over if its coefficient does not match, and not the upper
    /// one: it may be a digit of a quotient, which occurs elsewhere as well.
    pub leaves_lower_parts: bool,
    /// The interval of the sum, if it is followed step by step.
    range: Option<(BigInt, BigInt)>,
}

/// A number of several words, as a constant and multiples of integers.
#[derive(Clone, Debug, Default)]
pub struct Number {
    /// Lowest first.
    pub words: Vec<Id>,
    /// Bits of each.
    pub bits: u32,
    /// The constant.
    pub constant: BigInt,
    /// The multiples.
    pub terms: BTreeMap<Id, BigInt>,
}

/// A factor as a constant plus multiples of integers that are not sums, nor digits of sums.
pub fn factor(integers: &Integers, id: Id) -> (BigInt, Vec<(Id, BigInt)>) {
    let system = &integers.system;
    let parts = match &system.definitions[id as usize] {
        Definition::Sum(constant, terms) => Some((*constant, terms.to_vec())),
        _ => system
            .whole_of_factor(id)
            .map(|(whole, above, shift)| (0, vec![(whole, 1), (above, -1i128 << shift)])),
    };
    let Some((constant, parts)) = parts else { return (BigInt::ZERO, vec![(id, 1.into())]) };
    let mut total = (BigInt::from(constant), Vec::new());
    for (id, c) in parts {
        let (constant, terms) = factor(integers, id);
        total.0 += constant * c;
        total.1.extend(terms.into_iter().map(|(id, d)| (id, d * c)));
    }
    total
}

impl<'a> Functional<'a> {
    /// A sum that is zero. Integers in `zeros` are left out, and selectors have the values of the case.
    pub fn new(integers: &'a Integers, zeros: &'a HashSet<Id>, case: &'a Case) -> Self {
        Self {
            integers,
            zeros,
            case,
            open: BTreeMap::new(),
            left: BTreeMap::new(),
            products: HashMap::new(),
            constant: BigInt::ZERO,
            uses: Vec::new(),
            factors: None,
            leaves_lower_parts: false,
            range: None,
        }
    }

    fn add_constant(&mut self, c: BigInt) {
        if let Some((low, high)) = &mut self.range {
            *low += &c;
            *high += &c;
        }
        self.constant += c;
    }

    /// Adds a multiple of a value.
    pub fn add(&mut self, c: &BigInt, x: Value) {
        match x {
            Value::Constant(x) => self.add_constant(c * x),
            Value::Variable(id) if self.zeros.contains(&id) => {}
            Value::Variable(id) => {
                let old = self.open.remove(&id);
                let new = old.as_ref().map_or_else(|| c.clone(), |old| old + c);
                self.follow(old.as_ref(), Some(&new), |this| this.interval(id));
                self.open.insert(id, new);
                if self.range.is_some() {
                    self.replace_product_of_words(id);
                }
            }
        }
    }

    /// Replaces the parts of a product of two words by the product as soon as both parts occur with matching
    /// coefficients. If the product existed before, as in squares, its parts would otherwise be replaced
    /// too late.
    fn replace_product_of_words(&mut self, id: Id) {
        let (Definition::Low(number) | Definition::High(number)) =
            self.integers.system.definitions[id as usize]
        else {
            return;
        };
        let split = &self.integers.system.splits[number as usize];
        let (Source::Product(..), Value::Variable(low), Value::Variable(high)) =
            (split.source, split.low, split.high)
        else {
            return;
        };
        let (Some(c), Some(d)) = (self.open.get(&low), self.open.get(&high)) else { return };
        if *c != BigInt::ZERO && *d == c << split.shift {
            let (c, d) = (self.take(split.low), self.take(split.high));
            self.split(number, c, d);
        }
    }

    /// Adds a multiple of a product.
    pub fn add_product(&mut self, c: &BigInt, x: Id, y: Id) {
        let (x, y) = (factor(self.integers, x), factor(self.integers, y));
        self.add_constant(c * &x.0 * &y.0);
        for ((constant, _), (_, terms)) in [(&x, &y), (&y, &x)] {
            if *constant != BigInt::ZERO {
                terms.iter().for_each(|(id, d)| self.add(&(c * constant * d), Value::Variable(*id)));
            }
        }
        for (i, d) in &x.1 {
            for (j, e) in &y.1 {
                if !self.zeros.contains(i) && !self.zeros.contains(j) {
                    let key = (*i.min(j), *i.max(j));
                    let old = self.products.remove(&key);
                    let new = c * d * e + old.clone().unwrap_or_default();
                    self.follow(old.as_ref(), Some(&new), |this| this.product_interval(key.0, key.1));
                    self.products.insert(key, new);
                }
            }
        }
    }

    /// Writes out all sums, so that pieces of the same integer are combined before one of them is replaced.
    pub fn write_out(&mut self) {
        let is_sum = |id: &Id| matches!(self.integers.system.definitions[*id as usize], Definition::Sum(..));
        let mut ids: Vec<_> = self.open.keys().copied().filter(is_sum).collect();
        while let Some(id) = ids.pop() {
            let (Some(c), Definition::Sum(constant, terms)) =
                (self.open.remove(&id), &self.integers.system.definitions[id as usize])
            else {
                continue;
            };
            self.add_constant(&c * constant);
            for &(of, d) in terms {
                self.add(&(&c * d), Value::Variable(of));
                if is_sum(&of) {
                    ids.push(of);
                }
            }
        }
    }

    /// Moves an integer to what is left over.
    fn leave(&mut self, id: Id, c: BigInt) {
        if let Some((_, is_above)) = self.case.iter().find(|(known, _)| *known == id) {
            self.add_constant(c * (self.integers.bounds(Value::Variable(id)).0 + i128::from(*is_above)));
        } else if c != BigInt::ZERO && !self.zeros.contains(&id) {
            let old = self.left.remove(&id);
            let new = c + old.clone().unwrap_or_default();
            self.follow(old.as_ref(), Some(&new), |this| this.interval(id));
            self.left.insert(id, new);
        }
    }

    fn take(&mut self, x: Value) -> BigInt {
        match x {
            Value::Variable(id) => {
                let c = self.open.remove(&id);
                self.follow(c.as_ref(), None, |this| this.interval(id));
                c.unwrap_or_default()
            }
            Value::Constant(_) => BigInt::ZERO,
        }
    }

    /// Replaces the latest integer. Atoms are left as they are. Choices without a case are too, unless
    /// `asks`.
    pub fn step(&mut self, atoms: &[Id], asks: bool) -> Stepped {
        let Some((id, c)) = self.open.pop_last() else { return Stepped::Ended };
        self.replace(id, c, atoms, asks)
    }

    /// As [`Self::step`], but words that are lower parts come last. If a row's carries were made before and
    /// after the words that the row is added to, these words stay as they are until the row is complete.
    pub fn step_to_words(&mut self) -> Stepped {
        let is_word = |id: Id| match self.integers.system.definitions[id as usize] {
            Definition::Low(number) => {
                let high = self.integers.system.splits[number as usize].high;
                !matches!(high, Value::Variable(high) if self.open.contains_key(&high))
            }
            _ => false,
        };
        let last = self.open.keys().rev().find(|&&id| !is_word(id)).or_else(|| self.open.keys().next_back());
        let Some(&id) = last else { return Stepped::Ended };
        let c = self.open.remove(&id).unwrap_or_default();
        self.replace(id, c, &[], false)
    }

    fn replace(&mut self, id: Id, c: BigInt, atoms: &[Id], asks: bool) -> Stepped {
        self.follow(Some(&c), None, |this| this.interval(id));
        if c == BigInt::ZERO {
            return Stepped::On;
        }
        // An integer that was left over before, as a part of another split, may cancel this one.
        if self.left.get(&id).is_some_and(|left| *left == -&c) {
            let left = self.left.remove(&id);
            self.follow(left.as_ref(), None, |this| this.interval(id));
            return Stepped::On;
        }
        if atoms.contains(&id) {
            self.leave(id, c);
            return Stepped::On;
        }
        let integers = self.integers;
        match &integers.system.definitions[id as usize] {
            Definition::Input(..) | Definition::Either(..) => self.leave(id, c),
            Definition::Sum(constant, terms) => {
                self.add_constant(&c * constant);
                for &(of, d) in terms {
                    self.add(&(&c * d), Value::Variable(of));
                }
            }
            Definition::Choice(selector, first, second) => {
                let of_case =
                    self.case.iter().find(|(known, _)| known == selector).map(|(_, is_above)| *is_above);
                // A selector that was shown to be zero has the higher or the lower of its two values.
                let is_zero = self.zeros.contains(selector);
                match of_case.or_else(|| is_zero.then(|| integers.bounds(Value::Variable(*selector)).0 != 0))
                {
                    Some(is_above) => {
                        self.add(&c, if is_above { *second } else { *first });
                        self.uses.push(Use { equation: Equation::Choice(id), multiplier: c });
                    }
                    None if asks => return Stepped::Asks(*selector),
                    None => self.leave(id, c),
                }
            }
            &Definition::Low(number) => self.split(number, c, BigInt::ZERO),
            &Definition::Word(number) => self.long_product(number, id, c),
            &Definition::High(number) => {
                let low = integers.system.splits[number as usize].low;
                let is_atom = matches!(low, Value::Variable(low) if atoms.contains(&low));
                let c_low = if is_atom { BigInt::ZERO } else { self.take(low) };
                // A selector by itself is replaced by its value.
                if c_low == BigInt::ZERO && self.case.iter().any(|(known, _)| *known == id) {
                    self.leave(id, c);
                } else {
                    self.split(number, c_low, c);
                }
            }
        }
        Stepped::On
    }

    fn split(&mut self, number: u32, c_low: BigInt, c_high: BigInt) {
        let split = &self.integers.system.splits[number as usize];
        let unit = BigInt::from(1) << split.shift;
        // What is left over of a product is its lower part, which may be a digit of a quotient.
        let is_by_high =
            c_low == BigInt::ZERO || matches!(split.source, Source::Product(..)) && c_high != BigInt::ZERO;
        let multiplier = if !(is_by_high && &c_high % &unit == BigInt::ZERO) && c_low != BigInt::ZERO {
            c_low.clone()
        } else if &c_high % &unit == BigInt::ZERO {
            &c_high >> split.shift
        } else {
            if let Value::Variable(high) = split.high {
                self.leave(high, c_high);
            }
            return;
        };
        match split.source {
            Source::Single(of) => self.add(&multiplier, Value::Variable(of)),
            Source::Product(x, y) => self.add_product(&multiplier, x, y),
        }
        let is_sum = |id: Id| matches!(self.integers.system.definitions[id as usize], Definition::Sum(..));
        for (part, c) in [(split.low, c_low - &multiplier), (split.high, c_high - &multiplier * &unit)] {
            match part {
                Value::Constant(x) => self.add_constant(c * x),
                Value::Variable(id) if is_sum(id) => self.add(&c, part),
                Value::Variable(id) => self.leave(id, c),
            }
        }
        self.uses.push(Use { equation: Equation::Split(number), multiplier });
    }

    /// Replaces the words of a product of numbers by the product, with the multiplier of the lowest word that
    /// occurs, or of the highest.
    fn long_product(&mut self, number: u32, id: Id, c: BigInt) {
        let product = &self.integers.system.products[number as usize];
        let coefficient = |of: Id| if of == id { c.clone() } else { self.take(Value::Variable(of)) };
        let coefficients: Vec<_> = product.words.iter().copied().map(coefficient).collect();
        let highest = coefficients.iter().rposition(|c| *c != BigInt::ZERO).unwrap_or(0);
        let by_highest = match &coefficients[highest] {
            c if c.trailing_zeros().unwrap_or(0) < 64 * highest as u64 => BigInt::ZERO,
            c => c >> (64 * highest),
        };
        // If the lowest words also occur above others, what is left over of them is short. Otherwise the
        // highest word would be left over, which is not short.
        let is_whole = highest + 1 == coefficients.len() && by_highest != BigInt::ZERO;
        let multiplier = match &coefficients[0] {
            c if *c == BigInt::ZERO || is_whole && by_highest.magnitude() < c.magnitude() => by_highest,
            c => c.clone(),
        };
        if multiplier != BigInt::ZERO {
            let are_operands = |ids: &[Id]| {
                let is_input =
                    |id: &Id| matches!(self.integers.system.definitions[*id as usize], Definition::Input(..));
                ids.iter().all(is_input)
            };
            let is_known = are_operands(&product.first) && are_operands(&product.second);
            match &mut self.factors {
                Some(factors) if !is_known => factors.push((number, multiplier.clone())),
                _ => {
                    for (i, &x) in product.first.iter().enumerate() {
                        for (j, &y) in product.second.iter().enumerate() {
                            self.add_product(&(&multiplier << (64 * (i + j))), x, y);
                        }
                    }
                }
            }
            self.uses.push(Use { equation: Equation::Product(number), multiplier: multiplier.clone() });
        }
        for (i, (&word, c)) in product.words.iter().zip(coefficients).enumerate() {
            self.leave(word, c - (&multiplier << (64 * i)));
        }
    }

    /// Runs steps until no integer is left; or returns the selector of a choice that has no case.
    pub fn run(&mut self, atoms: &[Id], asks: bool) -> Option<Id> {
        loop {
            match self.step(atoms, asks) {
                Stepped::On => {}
                Stepped::Ended => {
                    self.left.retain(|_, c| *c != BigInt::ZERO);
                    self.products.retain(|_, c| *c != BigInt::ZERO);
                    return None;
                }
                Stepped::Asks(selector) => return Some(selector),
            }
        }
    }

    /// Adds c times the product of two numbers, each as a constant plus multiples of integers.
    pub fn add_product_of_numbers(&mut self, [a, b]: [&Number; 2], c: &BigInt) {
        self.add_constant(c * &a.constant * &b.constant);
        for (constant, terms) in [(&a.constant, &b.terms), (&b.constant, &a.terms)] {
            for (&id, d) in terms {
                self.leave(id, c * constant * d);
            }
        }
        for (&x, d) in &a.terms {
            for (&y, e) in &b.terms {
                self.add_product(&(c * d * e), x, y);
            }
        }
        self.left.retain(|_, c| *c != BigInt::ZERO);
        self.products.retain(|_, c| *c != BigInt::ZERO);
    }

    /// The number of terms.
    pub fn len(&self) -> usize {
        self.open.len() + self.left.len() + self.products.len()
    }

    /// Whether there are no terms.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
