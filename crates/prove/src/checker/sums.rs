//! Multiples of equations, and integers that are zero.

use num_bigint::BigInt;

use super::{
    intervals::Checker,
    polynomial::{Interval, Polynomial, power, product_interval, refuse, widen},
};
use crate::{
    certificate::{Equation, Use, Zero},
    failure::Result,
    system::{Definition, Id, Source, Value},
};

impl Checker<'_> {
    // Sums. Those that are defined as such are always written out.

    pub(super) fn expanded(&self, id: Id) -> (BigInt, Vec<(Id, BigInt)>) {
        let Definition::Sum(constant, terms) = &self.system.definitions[id as usize] else {
            return (BigInt::ZERO, vec![(id, 1.into())]);
        };
        let mut out = (BigInt::from(*constant), Vec::new());
        for &(of, c) in terms {
            let (constant, inner) = self.expanded(of);
            out.0 += constant * c;
            out.1.extend(inner.into_iter().map(|(id, d)| (id, d * c)));
        }
        out
    }

    pub(super) fn add(&self, sum: &mut Polynomial, c: &BigInt, x: Value) {
        let id = match x {
            Value::Constant(x) => return sum.constant += c * x,
            Value::Variable(id) => id,
        };
        let (constant, terms) = self.expanded(id);
        sum.constant += c * constant;
        for (id, d) in terms {
            if !self.zeros.contains(&id) {
                *sum.linear.entry(id).or_default() += c * d;
            }
        }
    }

    pub(super) fn add_product(&self, sum: &mut Polynomial, c: &BigInt, x: Id, y: Id) {
        let (x, y) = (self.expanded(x), self.expanded(y));
        sum.constant += c * &x.0 * &y.0;
        for (constant, (_, terms)) in [(&x.0, &y), (&y.0, &x)] {
            terms.iter().for_each(|(id, d)| self.add(sum, &(c * constant * d), Value::Variable(*id)));
        }
        for (i, d) in &x.1 {
            for (j, e) in &y.1 {
                if !self.zeros.contains(i) && !self.zeros.contains(j) {
                    *sum.products.entry((*i.min(j), *i.max(j))).or_default() += c * d * e;
                }
            }
        }
    }

    pub(super) fn add_split(&self, sum: &mut Polynomial, number: u32, c: &BigInt) {
        let split = &self.system.splits[number as usize];
        match split.source {
            Source::Single(id) => self.add(sum, c, Value::Variable(id)),
            Source::Product(x, y) => self.add_product(sum, c, x, y),
        }
        self.add(sum, &-c, split.low);
        self.add(sum, &-(c << split.shift), split.high);
    }

    /// Adds multiples of equations, of which each is zero.
    pub(super) fn add_uses(&self, sum: &mut Polynomial, uses: &[Use], case: &[(Id, bool)]) -> Result<()> {
        for Use { equation, multiplier } in uses {
            match *equation {
                Equation::Split(number) if (number as usize) < self.system.splits.len() => {
                    self.add_split(sum, number, multiplier);
                }
                Equation::Choice(id) => {
                    let Some(Definition::Choice(selector, first, second)) =
                        self.system.definitions.get(id as usize)
                    else {
                        return refuse(format!("integer {id} is no choice"));
                    };
                    let Some((_, is_above)) = case.iter().find(|(known, _)| known == selector) else {
                        return refuse(format!("choice {id} is taken without its case"));
                    };
                    self.add(sum, multiplier, if *is_above { *second } else { *first });
                    self.add(sum, &-multiplier, Value::Variable(id));
                }
                Equation::Split(number) => return refuse(format!("there is no split {number}")),
            }
        }
        Ok(())
    }

    pub(super) fn sum_interval(&self, sum: &Polynomial) -> Interval {
        let mut total = (sum.constant.clone(), sum.constant.clone());
        for (&id, c) in &sum.linear {
            widen(&mut total, c, &self.intervals[id as usize]);
        }
        for (&(x, y), c) in &sum.products {
            let product = product_interval(&self.intervals[x as usize], &self.intervals[y as usize]);
            widen(&mut total, c, &product);
        }
        total
    }

    // Integers that are zero.

    /// Checks that an integer is zero; from then on it is left out of all sums.
    pub fn add_zero(&mut self, zero: &Zero) -> Result<()> {
        let variable = match zero {
            Zero::Bounds { variable, weight, uses } => {
                let unit = power(*weight as usize);
                let mut sum = Polynomial::default();
                self.add(&mut sum, &unit, Value::Variable(*variable));
                self.add_uses(&mut sum, uses, &[])?;
                let (from, to) = self.sum_interval(&sum);
                let (low, high) = self.interval(Value::Variable(*variable))?;
                let is_not_above = high <= BigInt::ZERO || to < unit;
                let is_not_below = low >= BigInt::ZERO || from > -unit;
                if !is_not_above || !is_not_below {
                    return refuse(format!("integer {variable} may be other than zero"));
                }
                *variable
            }
            Zero::Congruence { variable, uses, quotients } => {
                self.check_congruence(*variable, uses, quotients)?;
                *variable
            }
        };
        self.zeros.insert(variable);
        Ok(())
    }

    pub(super) fn check_congruence(
        &self,
        variable: Id,
        uses: &[Use],
        quotients: &[(u32, BigInt)],
    ) -> Result<()> {
        let what = || format!("integer {variable} may be other than zero modulo 2^64");
        let (low, high) = self.interval(Value::Variable(variable))?;
        if low < BigInt::ZERO || high >= power(64) {
            return refuse(what());
        }
        let mut sum = Polynomial::default();
        self.add(&mut sum, &1.into(), Value::Variable(variable));
        self.add_uses(&mut sum, uses, &[])?;
        let (inverse, n0) = (self.statement.inverse, self.statement.modulus[0]);
        for (number, c) in quotients {
            // inverse·n0 ≡ −1 and q ≡ t·inverse, so q·n0 + t ≡ 0.
            let Some(split) = self.system.splits.get(*number as usize) else { return refuse(what()) };
            let t = match split.source {
                Source::Product(t, other) if other == inverse => t,
                Source::Product(other, t) if other == inverse => t,
                _ => return refuse(what()),
            };
            let Value::Variable(q) = split.low else { return refuse(what()) };
            if split.shift != 64 {
                return refuse(what());
            }
            self.add_product(&mut sum, c, q, n0);
            self.add(&mut sum, c, Value::Variable(t));
        }
        if sum.is_multiple_of(&power(64)) { Ok(()) } else { refuse(what()) }
    }
}
