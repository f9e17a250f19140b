//! Shows that what is left over is zero: because its interval leaves nothing else once equations are used; or
//! because it is a lower part of 64 bits that is 0 modulo 2^64 (or of 52 bits, modulo 2^52), by the way in
//! which a quotient was made.

use num_bigint::BigInt;
use std::collections::{BTreeMap, HashMap, HashSet};

use super::{
    certificate::{Case, Equation, Lemma, Use},
    elimination::{Functional, Stepped, factor},
    integers::Integers,
    system::{Definition, Id, Source, Value},
};

/// The largest number of integers of a product whose words all stay in registers.
const IN_REGISTERS: usize = 1000;

/// Shows it by bounds: 2^weight times the integer is traced back to its origin, until the interval of that is
/// short enough.
pub fn by_bounds(integers: &Integers, id: Id, weight: u32, zeros: &HashSet<Id>) -> Option<Lemma> {
    let bounds = integers.bounds(Value::Variable(id));
    let unit = BigInt::from(1) << weight;
    let everywhere = Case::new();
    // Only short code keeps all words of a product in registers, and so makes a row before the sum that it is
    // added to is complete.
    let is_short = integers.system.definitions.len() <= IN_REGISTERS;
    for to_words in [false, true].into_iter().take(1 + usize::from(is_short)) {
        let mut functional = Functional::with_range(integers, zeros, &everywhere);
        functional.add(&unit, Value::Variable(id));
        let mut stepped = Stepped::On;
        while stepped == Stepped::On {
            if functional.allows_zero_alone(&unit, bounds) {
                let Functional { uses, .. } = functional;
                let (variables, products) = (vec![id], Vec::new());
                return Some(Lemma::Bounds { case: everywhere, variables, weight, uses, products });
            }
            stepped = if to_words { functional.step_to_words() } else { functional.step(&[], false) };
        }
    }
    None
}

/// Shows it by congruence modulo 2^bits, with q·n0 ≡ −t for the lower part q of a product t·inverse.
pub fn by_congruence(integers: &Integers, id: Id, inverse: Id, n0: Id, bits: u32) -> Option<Lemma> {
    let Definition::Low(number) = integers.system.definitions[id as usize] else { return None };
    if integers.system.splits[number as usize].shift != bits {
        return None;
    }
    let mut search = Congruence {
        integers,
        bits,
        inverse,
        n0,
        constant: BigInt::ZERO,
        open: BTreeMap::new(),
        products: HashMap::new(),
        uses: Vec::new(),
        quotients: Vec::new(),
    };
    search.add(id, BigInt::from(1));
    while let Some((id, c)) = search.open.pop_last() {
        search.replace(id, c)?;
    }
    let is_zero = |c: &BigInt| reduced(c, bits) == BigInt::ZERO;
    (is_zero(&search.constant) && search.products.values().all(is_zero)).then_some(Lemma::Congruence {
        variable: id,
        uses: search.uses,
        quotients: search.quotients,
    })
}

/// c modulo 2^bits.
fn reduced(c: &BigInt, bits: u32) -> BigInt {
    let unit = BigInt::from(1) << bits;
    ((c % &unit) + &unit) % unit
}

struct Congruence<'a> {
    integers: &'a Integers,
    bits: u32,
    inverse: Id,
    n0: Id,
    constant: BigInt,
    open: BTreeMap<Id, BigInt>,
    products: HashMap<(Id, Id), BigInt>,
    uses: Vec<Use>,
    quotients: Vec<(u32, BigInt)>,
}

impl Congruence<'_> {
    fn add(&mut self, id: Id, c: BigInt) {
        let total = reduced(&(self.open.remove(&id).unwrap_or_default() + c), self.bits);
        if total != BigInt::ZERO {
            self.open.insert(id, total);
        }
    }

    fn add_all(&mut self, c: &BigInt, (constant, terms): (BigInt, Vec<(Id, BigInt)>)) {
        self.constant += c * constant;
        terms.into_iter().for_each(|(id, d)| self.add(id, c * d));
    }

    /// A quotient's split and t, if this is a quotient times n0.
    fn quotient(&self, q: Id, n: Id) -> Option<(u32, Id)> {
        let Definition::Low(number) = self.integers.system.definitions[q as usize] else { return None };
        let (a, b) = self.integers.system.lower_part_of_product(number)?;
        let shift = self.integers.system.splits[number as usize].shift;
        let t = if a == self.inverse { b } else { a };
        (n == self.n0 && shift >= self.bits && (a == self.inverse || b == self.inverse))
            .then_some((number, t))
    }

    fn add_product(&mut self, c: BigInt, x: Id, y: Id) {
        // The product is replaced at once, so that the integers of t are cancelled before they are replaced
        // themselves.
        if let Some((number, t)) = self.quotient(x, y).or_else(|| self.quotient(y, x)) {
            self.add_all(&-&c, factor(self.integers, t));
            self.quotients.push((number, -c));
        } else {
            *self.products.entry((x.min(y), x.max(y))).or_default() += c;
        }
    }

    fn replace(&mut self, id: Id, c: BigInt) -> Option<()> {
        let system = &self.integers.system;
        match &system.definitions[id as usize] {
            Definition::Sum(constant, terms) => {
                self.constant += &c * constant;
                terms.iter().for_each(|&(of, d)| self.add(of, &c * d));
            }
            // The lower part may have more bits, if it is that of a product as a word.
            &Definition::Low(number) if system.splits[number as usize].shift >= self.bits => {
                match system.splits[number as usize].source {
                    Source::Single(of) => self.add(of, c.clone()),
                    Source::Product(x, y) => {
                        let (x, y) = (factor(self.integers, x), factor(self.integers, y));
                        self.constant += &c * &x.0 * &y.0;
                        x.1.iter().for_each(|(i, d)| self.add(*i, &c * d * &y.0));
                        y.1.iter().for_each(|(j, e)| self.add(*j, &c * e * &x.0));
                        for (i, d) in &x.1 {
                            y.1.iter().for_each(|(j, e)| self.add_product(&c * d * e, *i, *j));
                        }
                    }
                }
                self.uses.push(Use { equation: Equation::Split(number), multiplier: c });
            }
            _ => return None,
        }
        Some(())
    }
}
