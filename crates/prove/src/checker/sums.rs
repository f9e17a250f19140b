//! Adds multiples of equations, and shows that integers are zero.

use num_bigint::BigInt;

use super::{
    intervals::Checker,
    polynomial::{Interval, Number, Polynomial, power, product_interval, refuse, widen},
};
use crate::{
    certificate::{Case, Equation, Lemma, Product, Use},
    failure::Result,
    system::{Definition, Id, LongProduct, Source, Value},
};

impl Checker<'_> {
    // Sums. Integers that are defined as sums are always written out.

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
        if !matches!(self.system.definitions[id as usize], Definition::Sum(..)) {
            return self.add_term(sum, c.clone(), id);
        }
        let (constant, terms) = self.expanded(id);
        sum.constant += c * constant;
        for (id, d) in terms {
            self.add_term(sum, c * d, id);
        }
    }

    /// Adds a multiple of an integer that is not a sum.
    fn add_term(&self, sum: &mut Polynomial, c: BigInt, id: Id) {
        // None of the others is the first integer of another such sum: this is checked where the sums are
        // shown.
        if let Some(others) = self.opposites.get(&id) {
            others.iter().for_each(|&other| *sum.linear.entry(other).or_default() -= &c);
        } else if !self.zeros.contains(&id) {
            *sum.linear.entry(id).or_default() += c;
        }
    }

    /// Expands a factor further than [`Self::expanded`]: an input without its highest bit, or a digit of a
    /// sum of two numbers, is the whole less what is above it.
    fn expanded_factor(&self, id: Id) -> (BigInt, Vec<(Id, BigInt)>) {
        let (mut constant, terms) = self.expanded(id);
        let mut out = Vec::with_capacity(terms.len());
        for (id, c) in terms {
            let Some((whole, above, shift)) = self.system.whole_of_factor(id) else {
                out.push((id, c));
                continue;
            };
            for (part, c) in [(above, -&c << shift), (whole, c)] {
                let (of_part, terms) = self.expanded_factor(part);
                constant += of_part * &c;
                out.extend(terms.into_iter().map(|(id, d)| (id, d * &c)));
            }
        }
        (constant, out)
    }

    pub(super) fn add_product(&self, sum: &mut Polynomial, c: &BigInt, x: Id, y: Id) {
        let is_alone = |id: Id| {
            !matches!(self.system.definitions[id as usize], Definition::Sum(..))
                && self.system.whole_of_factor(id).is_none()
        };
        if is_alone(x) && is_alone(y) {
            if !self.zeros.contains(&x) && !self.zeros.contains(&y) {
                *sum.products.entry((x.min(y), x.max(y))).or_default() += c;
            }
            return;
        }
        let (x, y) = (self.expanded_factor(x), self.expanded_factor(y));
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

    fn add_long_product(&self, sum: &mut Polynomial, product: &LongProduct, c: &BigInt) {
        for (i, &x) in product.first.iter().enumerate() {
            for (j, &y) in product.second.iter().enumerate() {
                self.add_product(sum, &(c << (64 * (i + j))), x, y);
            }
        }
        for (i, &word) in product.words.iter().enumerate() {
            self.add(sum, &-(c << (64 * i)), Value::Variable(word));
        }
    }

    /// Adds c times a choice as a product, less the choice. The selector s is l or l + 1, so the choice
    /// between x and y is x + (s − l)·(y − x).
    fn add_chosen(&self, sum: &mut Polynomial, id: Id, c: &BigInt) -> Result<()> {
        let Some(&Definition::Choice(selector, first, second)) = self.system.definitions.get(id as usize)
        else {
            return refuse(format!("integer {id} is no choice"));
        };
        self.add(sum, c, first);
        for (c, x) in [(-c, first), (c.clone(), second)] {
            match x {
                Value::Variable(x) => self.add_product(sum, &c, selector, x),
                Value::Constant(x) => self.add(sum, &(&c * x), Value::Variable(selector)),
            }
            self.add(sum, &-(c * &self.intervals[selector as usize].0), x);
        }
        self.add(sum, &-c, Value::Variable(id));
        Ok(())
    }

    /// Adds multiples of equations, each of which is zero.
    pub(super) fn add_uses(&self, sum: &mut Polynomial, uses: &[Use], case: &Case) -> Result<()> {
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
                    let is_above = match case.iter().find(|(known, _)| known == selector) {
                        Some((_, is_above)) => *is_above,
                        // The selector has the one of its two values that is 0.
                        None if self.zeros.contains(selector) => {
                            self.intervals[*selector as usize].0 != BigInt::ZERO
                        }
                        None => return refuse(format!("choice {id} is taken without its case")),
                    };
                    self.add(sum, multiplier, if is_above { *second } else { *first });
                    self.add(sum, &-multiplier, Value::Variable(id));
                }
                Equation::Chosen(id) => self.add_chosen(sum, id, multiplier)?,
                Equation::Relation(number) => match self.relations.get(number as usize) {
                    Some((constant, relation)) => {
                        for &(id, c) in relation {
                            self.add(sum, &(multiplier * c), Value::Variable(id));
                        }
                        sum.constant += multiplier * constant;
                    }
                    None => return refuse(format!("there is no relation {number}")),
                },
                Equation::Correction => self.add_correction(sum, multiplier)?,
                Equation::Cleared(number) => self.add_cleared(sum, number, multiplier)?,
                Equation::Split(number) => return refuse(format!("there is no split {number}")),
                Equation::Product(number) => match self.system.products.get(number as usize) {
                    Some(product) => self.add_long_product(sum, product, multiplier),
                    None => return refuse(format!("there is no product {number}")),
                },
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

    // Cases.

    /// Enters a case, or all cases: integers that are known to be zero there are left out from then on.
    pub(super) fn enter(&mut self, case: &Case) {
        let holds = |other: &Case| other.iter().all(|part| case.contains(part));
        self.zeros.clear();
        self.opposites.clear();
        for (ids, other) in &self.shown {
            match &ids[..] {
                [id] if holds(other) => drop(self.zeros.insert(*id)),
                [id, others @ ..] if holds(other) => drop(self.opposites.insert(*id, others.to_vec())),
                _ => {}
            }
        }
    }

    /// Gives selectors the values of a case.
    pub(super) fn settle(&self, sum: &mut Polynomial, case: &Case) -> Result<()> {
        for &(id, is_above) in case {
            let (low, high) = self.interval(Value::Variable(id))?;
            if &high - &low != BigInt::from(1) {
                return refuse(format!("selector {id} has not two values"));
            }
            if let Some(c) = sum.linear.remove(&id) {
                sum.constant += c * (low + i32::from(is_above));
            }
        }
        Ok(())
    }

    /// Adds products of numbers, with each number replaced by what its lemma says.
    pub(super) fn add_products(&self, sum: &mut Polynomial, products: &[Product], case: &Case) -> Result<()> {
        for (a, b, c) in products {
            let number = |place: u32| match self.numbers.get(place as usize) {
                Some(Some(number)) if number.case.iter().all(|part| case.contains(part)) => Ok(number),
                _ => refuse(format!("lemma {place} is about no number in this case")),
            };
            let (a, b) = (number(*a)?, number(*b)?);
            for (i, &x) in a.words.iter().enumerate() {
                for (j, &y) in b.words.iter().enumerate() {
                    self.add_product(sum, &-(c << (a.bits * i + b.bits * j)), x, y);
                }
            }
            sum.constant += c * &a.sum.constant * &b.sum.constant;
            for (constant, other) in [(&a.sum.constant, &b.sum), (&b.sum.constant, &a.sum)] {
                for (&id, d) in &other.linear {
                    self.add(sum, &(c * constant * d), Value::Variable(id));
                }
            }
            for (&x, d) in &a.sum.linear {
                for (&y, e) in &b.sum.linear {
                    self.add_product(sum, &(c * d * e), x, y);
                }
            }
        }
        Ok(())
    }

    // Lemmas.

    /// Checks a lemma, which may be used from then on.
    pub fn add_lemma(&mut self, lemma: &Lemma) -> Result<()> {
        let mut number = None;
        match lemma {
            Lemma::Bounds { case, variables, weight, uses, products } => {
                self.enter(case);
                let unit = power(*weight as usize);
                let mut sum = Polynomial::default();
                let mut whole = (BigInt::ZERO, BigInt::ZERO);
                for &id in variables {
                    self.add(&mut sum, &unit, Value::Variable(id));
                    widen(&mut whole, &BigInt::from(1), &self.interval(Value::Variable(id))?);
                }
                self.add_uses(&mut sum, uses, case)?;
                self.add_products(&mut sum, products, case)?;
                self.settle(&mut sum, case)?;
                let (from, to) = self.interval_with_product(sum);
                let is_not_above = whole.1 <= BigInt::ZERO || to < unit;
                let is_not_below = whole.0 >= BigInt::ZERO || from > -unit;
                let is_new = |id: &Id| {
                    let is_part =
                        |(ids, _): &(Vec<Id>, Case)| ids.len() > 1 && ids.contains(id) && ids != variables;
                    let is_sum = matches!(self.system.definitions[*id as usize], Definition::Sum(..));
                    !is_sum && !self.shown.iter().any(is_part)
                };
                let is_well_formed = match &variables[..] {
                    [] => false,
                    [_] => true,
                    [first, others @ ..] => variables.iter().all(is_new) && !others.contains(first),
                };
                if !is_not_above || !is_not_below || !is_well_formed {
                    return refuse(format!("the integers {variables:?} may be other than zero"));
                }
                self.shown.push((variables.clone(), case.clone()));
            }
            Lemma::Constant { variables, value, weight, uses, products } => {
                self.enter(&Case::new());
                let unit = power(*weight as usize);
                let mut sum = Polynomial { constant: -(&unit * value), ..Polynomial::default() };
                for &id in variables {
                    self.add(&mut sum, &unit, Value::Variable(id));
                }
                self.add_uses(&mut sum, uses, &Case::new())?;
                self.add_products(&mut sum, products, &Case::new())?;
                let (from, to) = self.interval_with_product(sum);
                if from <= -&unit || to >= unit {
                    return refuse(format!("the sum of {variables:?} may be other than {value}"));
                }
                self.relations.push((-value, variables.iter().map(|&id| (id, 1)).collect()));
            }
            Lemma::Congruence { variable, uses, quotients } => {
                self.enter(&Case::new());
                self.check_congruence(*variable, uses, quotients)?;
                self.shown.push((vec![*variable], Case::new()));
            }
            Lemma::Cleared(cleared) => {
                self.enter(&Case::new());
                self.check_cleared(cleared)?;
                self.cleared.push(cleared.clone());
            }
            Lemma::Estimate { digit, uses } => {
                self.enter(&Case::new());
                self.check_estimate(*digit, uses)?;
                self.estimate = Some(*digit);
            }
            Lemma::Table { atoms, terms } => {
                self.enter(&Case::new());
                self.check_table(atoms, terms)?;
                self.relations.push((BigInt::ZERO, terms.clone()));
            }
            Lemma::Number { case, words, bits, uses } => {
                self.enter(case);
                let mut sum = Polynomial::default();
                for (i, &word) in words.iter().enumerate() {
                    self.add(&mut sum, &power(*bits as usize * i), Value::Variable(word));
                }
                self.add_uses(&mut sum, uses, case)?;
                self.settle(&mut sum, case)?;
                if sum.products.values().any(|c| *c != BigInt::ZERO) {
                    return refuse("a number that is no sum of multiples");
                }
                sum.linear.retain(|_, c| *c != BigInt::ZERO);
                number = Some(Number { words: words.clone(), bits: *bits as usize, case: case.clone(), sum });
            }
        }
        self.numbers.push(number);
        self.enter(&Case::new());
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
        // The last digit that a product in strips with spare bits clears has so many bits less.
        let spare = self.statement.digits.as_ref().map_or(0, |digits| digits.spare as u32);
        let whole = self.statement.digit_bits();
        let bits = if high < power((whole - spare) as usize) { whole - spare } else { whole };
        // For sums of digits the modulus is 12·N, and the inverse is not that of 12·N.
        if !quotients.is_empty() && !self.statement.specification.is_reduced {
            return refuse(what());
        }
        if low < BigInt::ZERO || high >= power(bits as usize) {
            return refuse(what());
        }
        let mut sum = Polynomial::default();
        self.add(&mut sum, &1.into(), Value::Variable(variable));
        self.add_uses(&mut sum, uses, &Case::new())?;
        let inverse = self.statement.inverse;
        for (number, c) in quotients {
            // inverse·n0 ≡ −1 and q ≡ t·inverse, so q·n0 + t ≡ 0, modulo 2^64 or 2^52.
            let (Some(split), Some(&n0)) =
                (self.system.splits.get(*number as usize), self.statement.modulus.first())
            else {
                return refuse(what());
            };
            let t = match self.system.lower_part_of_product(*number) {
                Some((t, other)) if other == inverse => t,
                Some((other, t)) if other == inverse => t,
                _ => return refuse(what()),
            };
            let Value::Variable(q) = split.low else { return refuse(what()) };
            if split.shift != whole {
                return refuse(what());
            }
            self.add_product(&mut sum, c, q, n0);
            self.add(&mut sum, c, Value::Variable(t));
        }
        if sum.is_multiple_of(&power(bits as usize)) { Ok(()) } else { refuse(what()) }
    }
}
