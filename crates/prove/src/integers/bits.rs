//! Logic on words: at least one is known or a mask, or all depend on a few bits.

use std::collections::BTreeSet;

use super::{Integers, ones};
use crate::{
    failure::{Failure, Reason, Result},
    system::{Definition, Id, Source, Value},
};
use Value::{Constant, Variable};

/// The entry of a table for given values of some integers.
type Entry<'a> = &'a dyn Fn(&Integers, &[(Id, i128)]) -> Value;

/// Words that depend on at most this many bits are tabulated.
const BITS: usize = 4;

fn fail<T>(reason: Reason, what: &str) -> Result<T> {
    Err(Failure::new(reason, what))
}

/// Adds the integers, with two values each, of which a value is a function. Returns false if there are
/// others, or too many.
fn add_support(integers: &Integers, x: Value, support: &mut BTreeSet<Id>) -> bool {
    let Variable(id) = x else { return true };
    let definition = &integers.system.definitions[id as usize];
    let (low, high) = integers.bounds(x);
    if high - low == 1 && !matches!(definition, Definition::Sum(..) | Definition::Choice(..)) {
        support.insert(id);
        return support.len() <= BITS;
    }
    match definition {
        Definition::Input(..) | Definition::Word(_) | Definition::Either(..) => false,
        Definition::Sum(_, terms) => {
            terms.len() <= BITS && terms.iter().all(|&(id, _)| add_support(integers, Variable(id), support))
        }
        &Definition::Choice(selector, first, second) => {
            [Variable(selector), first, second].into_iter().all(|x| add_support(integers, x, support))
        }
        &Definition::Low(number) | &Definition::High(number) => {
            match integers.system.splits[number as usize].source {
                Source::Single(of) => add_support(integers, Variable(of), support),
                Source::Product(..) => false,
            }
        }
    }
}

/// A value, for given values of those integers.
fn evaluate(integers: &Integers, x: Value, known: &[(Id, i128)]) -> i128 {
    let id = match x {
        Constant(x) => return x,
        Variable(id) => id,
    };
    if let Some(&(_, value)) = known.iter().find(|(other, _)| *other == id) {
        return value;
    }
    let of = |x: Value| evaluate(integers, x, known);
    match &integers.system.definitions[id as usize] {
        Definition::Input(..) | Definition::Word(_) | Definition::Either(..) => {
            unreachable!("it is in the support")
        }
        Definition::Sum(constant, terms) => {
            terms.iter().fold(*constant, |sum, &(id, c)| sum + c * of(Variable(id)))
        }
        &Definition::Choice(selector, first, second) => {
            let is_above = of(Variable(selector)) != integers.bounds(Variable(selector)).0;
            of(if is_above { second } else { first })
        }
        &Definition::Low(number) | &Definition::High(number) => {
            let split = &integers.system.splits[number as usize];
            let Source::Single(source) = split.source else { unreachable!("it is in the support") };
            let source = of(Variable(source));
            if split.low == x { source & ones(split.shift) } else { source >> split.shift }
        }
    }
}

impl Integers {
    /// Whether a value is a function of a few bits.
    pub fn hangs_on_bits(&self, x: Value) -> bool {
        add_support(self, x, &mut BTreeSet::new())
    }

    /// A function of words that depend on a few bits, as choices by these bits; None if they depend on more.
    pub fn by_bits(&mut self, operands: &[Value], f: impl Fn(&[i128]) -> i128) -> Result<Option<Value>> {
        let mut support = BTreeSet::new();
        if !operands.iter().all(|&x| add_support(self, x, &mut support)) {
            return Ok(None);
        }
        let bits: Vec<_> = support.into_iter().collect();
        self.tabulate(&bits, &mut Vec::new(), &|integers, known| {
            let operands: Vec<_> = operands.iter().map(|&x| evaluate(integers, x, known)).collect();
            Constant(f(&operands))
        })
        .map(Some)
    }

    fn tabulate(&mut self, bits: &[Id], known: &mut Vec<(Id, i128)>, f: Entry<'_>) -> Result<Value> {
        let Some((&bit, others)) = bits.split_first() else { return Ok(f(self, known)) };
        let low = self.bounds(Variable(bit)).0;
        let mut parts = [Constant(0); 2];
        for (part, value) in parts.iter_mut().zip([low, low + 1]) {
            known.push((bit, value));
            *part = self.tabulate(others, known, f)?;
            known.pop();
        }
        self.choose_between(bit, parts[0], parts[1])
    }

    /// One value or another, by a mask that is all ones or zero.
    pub(super) fn by_mask(
        &mut self,
        mask: Value,
        bits: u32,
        one: Value,
        zero: Value,
    ) -> Result<Option<Value>> {
        let mut support = BTreeSet::new();
        if !add_support(self, mask, &mut support) {
            return Ok(None);
        }
        let names: Vec<_> = support.into_iter().collect();
        let is_mask = std::cell::Cell::new(true);
        let result = self.tabulate(&names, &mut Vec::new(), &|integers, known| match evaluate(
            integers, mask, known,
        ) {
            0 => zero,
            x if x == ones(bits) => one,
            _ => {
                is_mask.set(false);
                zero
            }
        })?;
        Ok(is_mask.get().then_some(result))
    }

    /// Whether this is the bit that says whether two words are equal.
    pub fn is_equality(&self, id: Id) -> bool {
        self.equalities.contains_key(&id)
    }

    /// A bit that is 1 if two words of `bits` bits are equal. With d = x − y: d is not positive if d − 1 is
    /// negative, and then it is zero unless it is negative.
    pub fn equal(&mut self, x: Value, y: Value, bits: u32) -> Result<Value> {
        let equal = self.not_above(x, y, Constant(1), bits)?;
        if let Variable(id) = equal {
            self.equalities.insert(id, (x, y, bits));
        }
        Ok(equal)
    }

    /// A bit that is 1 if x − y is negative with the borrow, but not without it: that is, if x = y and there
    /// is a borrow.
    fn not_above(&mut self, x: Value, y: Value, borrow: Value, bits: u32) -> Result<Value> {
        let difference = self.sum(0, &[(1, x), (-1, y)])?;
        let sign = self.split(difference, bits)?.1;
        let not_negative = self.sum(1, &[(1, sign)])?;
        let less = self.sum(0, &[(1, x), (-1, y), (-1, borrow)])?;
        let borrowed = self.split(less, bits)?.1;
        let borrowed = self.sum(0, &[(-1, borrowed)])?;
        self.choose(borrowed, not_negative, Constant(0))
    }

    /// A conjunction.
    ///
    /// # Errors
    /// If there is no rule for it.
    pub fn and(&mut self, x: Value, y: Value, bits: u32) -> Result<Value> {
        if x == y {
            return Ok(x);
        }
        if (matches!(x, Constant(_)) || matches!(y, Constant(_)))
            && let Some(result) = self.by_bits(&[x, y], |x| x[0] & x[1])?
        {
            return Ok(result);
        }
        for (x, y) in [(x, y), (y, x)] {
            if let Constant(mask) = x
                && let Some(result) = self.bits_in_a_row(y, mask, bits)?
            {
                return Ok(result);
            }
        }
        for (x, carry) in [(x, y), (y, x)] {
            if let Variable(id) = x
                && let Some(&(a, b, bits)) = self.equalities.get(&id)
                && self.bounds(carry) == (0, 1)
            {
                let both = self.not_above(a, b, carry, bits)?;
                if let Variable(id) = both {
                    self.conjunctions.insert(id, (a, b, carry, bits));
                }
                return Ok(both);
            }
        }
        if let Some(result) = self.by_bits(&[x, y], |x| x[0] & x[1])? {
            return Ok(result);
        }
        for (mask, other) in [(x, y), (y, x)] {
            if let Some(result) = self.by_mask(mask, bits, other, Constant(0))? {
                return Ok(result);
            }
        }
        fail(Reason::NoRule, "a conjunction")
    }

    /// A bit that is 1 if a < b, or if a = b and there is a borrow. It is the borrow of a − b with that
    /// borrow.
    fn lexical(&mut self, less: Value, both: Value) -> Result<Option<Value>> {
        let Variable(id) = both else { return Ok(None) };
        let Some(&(a, b, carry, bits)) = self.conjunctions.get(&id) else { return Ok(None) };
        let difference = self.sum(0, &[(1, a), (-1, b)])?;
        let sign = self.split(difference, bits)?.1;
        if self.sum(0, &[(-1, sign)])? != less {
            return Ok(None);
        }
        let difference = self.sum(0, &[(1, a), (-1, b), (-1, carry)])?;
        let sign = self.split(difference, bits)?.1;
        Ok(Some(self.sum(0, &[(-1, sign)])?))
    }

    /// A function of two words, at least one of which is a choice: the choice between the function's results.
    fn by_selector(
        &mut self,
        x: Value,
        y: Value,
        f: &mut dyn FnMut(&mut Self, Value, Value) -> Result<Value>,
    ) -> Result<Option<Value>> {
        let choice = |integers: &Self, x: Value| match x {
            Variable(id) => match integers.system.definitions[id as usize] {
                Definition::Choice(selector, first, second) => Some((selector, [first, second])),
                _ => None,
            },
            Constant(_) => None,
        };
        let (selector, x, y) = match (choice(self, x), choice(self, y)) {
            (Some((s, x)), Some((t, y))) if s == t => (s, x, y),
            _ => return Ok(None),
        };
        let first = f(self, x[0], y[0])?;
        let second = f(self, x[1], y[1])?;
        self.choose_between(selector, first, second).map(Some)
    }

    /// A disjunction.
    ///
    /// # Errors
    /// If there is no rule for it.
    pub fn or(&mut self, x: Value, y: Value, bits: u32) -> Result<Value> {
        if x == y || y == Constant(0) {
            return Ok(x);
        }
        if x == Constant(0) {
            return Ok(y);
        }
        for (x, y) in [(x, y), (y, x)] {
            if let Some(result) = self.lexical(x, y)? {
                return Ok(result);
            }
        }
        // These are known bits above a short word.
        for (x, y) in [(x, y), (y, x)] {
            if let Constant(known) = y {
                let (low, high) = self.bounds(x);
                if low >= 0 && high < 1 << known.trailing_zeros() {
                    return self.sum(known, &[(1, x)]);
                }
            }
        }
        // If two carries never occur together, their disjunction is their sum.
        if let Some(result) = self.carry_of_both(x, y)? {
            return Ok(result);
        }
        if let Some(result) = self.either(x, y)? {
            return Ok(result);
        }
        if let Some(result) = self.by_bits(&[x, y], |x| x[0] | x[1])? {
            return Ok(result);
        }
        if let Some(result) = self.by_selector(x, y, &mut |integers, x, y| integers.or(x, y, bits))? {
            return Ok(result);
        }
        for (mask, other) in [(x, y), (y, x)] {
            if let Some(result) = self.by_mask(mask, bits, Constant(ones(bits)), other)? {
                return Ok(result);
            }
        }
        self.or_of_choices(x, y, bits)
    }

    /// A disjunction of choices, by the latest selector. For two words of which nothing is known it is any
    /// word: in selections by an index, no case has both.
    fn or_of_choices(&mut self, x: Value, y: Value, bits: u32) -> Result<Value> {
        let choice = |x: Value| match x {
            Variable(id) => match self.system.definitions[id as usize] {
                Definition::Choice(selector, first, second) => Some((selector, [first, second])),
                _ => None,
            },
            Constant(_) => None,
        };
        let ((selector, parts), other) = match (choice(x), choice(y)) {
            (None, None) if self.are_beside(x, y, bits) => return self.sum(0, &[(1, x), (1, y)]),
            // Each entry of a look-up is chosen or not. If these choices were written out, every entry would
            // double their number.
            (Some(_), Some(_)) if bits == 64 => return self.either_word(x, y),
            (None, _) if bits == 64 && self.is_either(x) => return self.either_word(x, y),
            (_, None) if bits == 64 && self.is_either(y) => return self.either_word(x, y),
            (None, None) if x != y && bits == 64 => return self.any_with_zeros_of(x, y),
            (Some(x), Some(y_parts)) if x.0 >= y_parts.0 => (x, y),
            (_, Some(y)) => (y, x),
            (Some(x), None) => (x, y),
            (None, None) => return fail(Reason::NoRule, "a disjunction"),
        };
        let first = self.or(parts[0], other, bits)?;
        let second = self.or(parts[1], other, bits)?;
        self.choose_between(selector, first, second)
    }

    /// An exclusive disjunction.
    ///
    /// # Errors
    /// If an interval is too wide.
    pub fn exclusive_or(&mut self, x: Value, y: Value, bits: u32) -> Result<Value> {
        if x == y {
            return Ok(Constant(0));
        }
        for (x, y) in [(x, y), (y, x)] {
            if x == Constant(0) {
                return Ok(y);
            }
            if x == Constant(ones(bits)) {
                return self.sum(ones(bits), &[(-1, y)]);
            }
        }
        // The exclusive disjunction with the same word, twice, gives the other word.
        for (x, y) in [(x, y), (y, x)] {
            let Variable(id) = x else { continue };
            if let Some(&(a, b)) = self.differing.get(&id) {
                if a == y {
                    return Ok(b);
                }
                if b == y {
                    return Ok(a);
                }
            }
            if let Definition::Choice(selector, first, second) = self.system.definitions[id as usize] {
                let first = self.exclusive_or(first, y, bits)?;
                let second = self.exclusive_or(second, y, bits)?;
                return self.choose_between(selector, first, second);
            }
        }
        if let Some(result) = self.by_bits(&[x, y], |x| x[0] ^ x[1])? {
            return Ok(result);
        }
        for (mask, other) in [(x, y), (y, x)] {
            let inverted = self.sum(ones(bits), &[(-1, other)])?;
            if let Some(result) = self.by_mask(mask, bits, inverted, other)? {
                return Ok(result);
            }
        }
        // These are known bits above a short word, or known bits with a short word below.
        for (x, known) in [(x, y), (y, x)] {
            if let Constant(known) = known {
                let ((low, high), unit) = (self.bounds(x), 1 << known.trailing_zeros());
                if low >= 0 && high < unit {
                    return self.sum(known, &[(1, x)]);
                }
                if low >= known && high < known + unit {
                    return self.sum(-known, &[(1, x)]);
                }
            }
        }
        // The result is any word no longer than both, as far as equations say. With one of the two it gives
        // the other.
        let recorded = self.recorded(x) ^ self.recorded(y);
        let (from, most) = (self.bounds(x).0.min(self.bounds(y).0), self.bounds(x).1.max(self.bounds(y).1));
        let length = if from < 0 { bits } else { bits.min(128 - most.leading_zeros()) };
        let result = self.input(0, ones(length), recorded)?;
        if let Variable(id) = result {
            self.differing.insert(id, (x, y));
        }
        Ok(result)
    }

    /// The number of lowest bits that are 0 according to the equation of a sum.
    fn zeros_below(&self, x: Value) -> u32 {
        match x {
            Constant(x) => x.trailing_zeros(),
            Variable(id) => match &self.system.definitions[id as usize] {
                Definition::Sum(constant, terms) => {
                    terms.iter().map(|&(_, c)| c.trailing_zeros()).fold(constant.trailing_zeros(), u32::min)
                }
                _ => 0,
            },
        }
    }

    /// Whether one of two words is shorter than the run of zeros at the end of the other.
    pub fn are_beside(&self, x: Value, y: Value, bits: u32) -> bool {
        [(x, y), (y, x)].iter().any(|&(above, below)| {
            let zeros = self.zeros_below(above).min(bits);
            let (low, high) = self.bounds(below);
            zeros > 0 && low >= 0 && high < 1 << zeros
        })
    }
}
