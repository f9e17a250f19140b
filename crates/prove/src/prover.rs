//! The search for a certificate.

use num_bigint::BigInt;
use std::collections::HashSet;

use super::{
    certificate::{Case, Certificate, Fact, Outcome, Zero},
    checker::Checker,
    elimination::Functional,
    failure::{Failure, Reason, Result},
    integers::Integers,
    specification::{Formula, Statement},
    system::{Definition, Id, Value},
    zeros,
};

/// Choices by so many selectors at most.
const SELECTORS: usize = 4;

/// Integers of so many values at most are tried value by value.
const ATOM_VALUES: i128 = 4;

struct Prover<'a> {
    integers: &'a Integers,
    statement: &'a Statement,
    /// Words of the longest sum, and some: what is taken back to its origin is lifted by as many.
    lift: u32,
    zeros: HashSet<Id>,
    certificate: Certificate,
}

/// What is left of the result in one case, once formula and modulus are taken away.
struct Left {
    quotient: Vec<(Id, u32)>,
    others: Vec<(Id, BigInt)>,
}

/// Looks for a certificate that the integers give what the statement says.
///
/// # Errors
/// With what is left over.
pub fn prove(integers: &Integers, statement: &Statement) -> Result<Certificate> {
    let words = statement.modulus.len() as u32;
    let mut prover = Prover {
        integers,
        statement,
        lift: 64 * (2 * words + 4),
        zeros: HashSet::new(),
        certificate: Certificate::default(),
    };
    let selectors = prover.outcomes()?;
    if statement.specification.formula != Formula::Copy {
        prover.find_facts(&selectors)?;
    }
    Ok(prover.certificate)
}

fn unproven<T>(what: impl Into<String>) -> Result<T> {
    Err(Failure::new(Reason::Unproven, what))
}

impl Prover<'_> {
    fn factor_bits(&self) -> usize {
        if self.statement.specification.is_reduced { 64 * self.statement.modulus.len() } else { 0 }
    }

    fn start(&self) -> Functional<'_> {
        let mut functional = Functional::new(self.integers, &self.zeros);
        for (i, &id) in self.statement.result.iter().enumerate() {
            functional.add(&(BigInt::from(1) << (self.factor_bits() + 64 * i)), Value::Variable(id));
        }
        functional
    }

    /// What the result is in all cases; gives the selectors that tell the cases apart.
    fn outcomes(&mut self) -> Result<Vec<Id>> {
        let mut selectors: Vec<Id> = Vec::new();
        let mut cases = vec![Case::new()];
        while let Some(case) = cases.pop() {
            let mut functional = self.start();
            if let Some(selector) = functional.run(&case, &[], true) {
                let is_known = selectors.contains(&selector);
                if !is_known && selectors.len() == SELECTORS {
                    return unproven("choices by too many bits");
                }
                if !is_known {
                    selectors.push(selector);
                }
                for is_above in [false, true] {
                    cases.push(case.iter().copied().chain([(selector, is_above)]).collect());
                }
                continue;
            }
            let left = self.left(&functional, &case)?;
            let uses = functional.uses;
            if self.certificate.outcomes.is_empty() {
                self.certificate.quotient = left.quotient;
            }
            for (id, c) in left.others {
                self.explain(id, &c, &case)?;
            }
            self.certificate.outcomes.push(Outcome { case, uses });
        }
        Ok(selectors)
    }

    /// Takes formula, quotient and modulus away.
    fn left(&self, functional: &Functional<'_>, case: &Case) -> Result<Left> {
        let Statement { modulus, first, second, specification, .. } = self.statement;
        let mut products = functional.products.clone();
        let mut linear = functional.left.clone();
        let key = |x: Id, y: Id| (x.min(y), x.max(y));
        let mut take = |x: Id, y: Id, shift: usize| {
            *products.entry(key(x, y)).or_default() -= BigInt::from(1) << shift;
        };
        let (pairs, plus, minus): (Option<&[Id]>, &[Id], &[Id]) = match specification.formula {
            Formula::Product => (Some(second), &[], &[]),
            Formula::Square => (Some(first), &[], &[]),
            Formula::First | Formula::Copy => (None, &[], &[]),
            Formula::Sum => (None, second, &[]),
            Formula::Difference => (None, &[], second),
        };
        for (i, &x) in first.iter().enumerate() {
            match pairs {
                Some(second) => {
                    second.iter().enumerate().for_each(|(j, &y)| take(x, y, 64 * (i + j)));
                }
                None => *linear.entry(x).or_default() -= BigInt::from(1) << (64 * i),
            }
        }
        plus.iter().enumerate().for_each(|(i, &y)| {
            *linear.entry(y).or_default() -= BigInt::from(1) << (64 * i);
        });
        minus.iter().enumerate().for_each(|(i, &y)| {
            *linear.entry(y).or_default() += BigInt::from(1) << (64 * i);
        });
        // Each digit of the quotient is found by its product with the lowest word of the modulus.
        let mut quotient = Vec::new();
        for (&(x, y), c) in &products {
            let digit = match (x == modulus[0], y == modulus[0]) {
                (true, false) => y,
                (false, true) => x,
                _ => continue,
            };
            if *c != BigInt::ZERO && !modulus.contains(&digit) {
                let weight = c.trailing_zeros().unwrap_or(0);
                if *c != BigInt::from(1) << weight {
                    return unproven(format!(
                        "in case {case:?} quotient {digit} has no weight that is a power of two"
                    ));
                }
                quotient.push((digit, weight as u32));
            }
        }
        quotient.sort_unstable_by_key(|&(_, weight)| weight);
        for &(digit, weight) in &quotient {
            for (i, &n) in modulus.iter().enumerate() {
                *products.entry(key(digit, n)).or_default() -= BigInt::from(1) << (64 * i + weight as usize);
            }
        }
        if let Some((&(x, y), c)) =
            products.iter().filter(|(_, c)| **c != BigInt::ZERO).min_by_key(|(key, _)| **key)
        {
            let (x, y) = (self.name(x), self.name(y));
            return unproven(format!("in case {case:?} {} times {x}·{y} is left over", short(c)));
        }
        let beta = linear.get(&modulus[0]).cloned().unwrap_or_default();
        for (i, n) in modulus.iter().enumerate() {
            *linear.entry(*n).or_default() -= &beta << (64 * i);
        }
        let others = linear.into_iter().filter(|(_, c)| *c != BigInt::ZERO).collect();
        Ok(Left { quotient, others })
    }

    /// Shows that an integer that is left over is zero, or takes it for one whose values are tried.
    fn explain(&mut self, id: Id, c: &BigInt, case: &Case) -> Result<()> {
        if self.zeros.contains(&id) || self.certificate.atoms.contains(&id) {
            return Ok(());
        }
        if let Some(zero) = self.find_zero(id) {
            self.zeros.insert(id);
            self.certificate.zeros.push(zero);
            return Ok(());
        }
        let (low, high) = self.integers.bounds(Value::Variable(id));
        if high - low >= ATOM_VALUES {
            return unproven(format!("in case {case:?} {} times {} is left over", short(c), self.name(id)));
        }
        self.certificate.atoms.push(id);
        Ok(())
    }

    fn find_zero(&self, id: Id) -> Option<Zero> {
        // What was something else when it was recorded need not be tried.
        if self.integers.recorded(Value::Variable(id)) != 0 {
            return None;
        }
        let Statement { inverse, modulus, .. } = self.statement;
        zeros::by_congruence(self.integers, id, *inverse, modulus[0])
            .or_else(|| zeros::by_bounds(self.integers, id, self.lift, &self.zeros))
    }

    /// What is known of the atoms: each by its own equation, and taken back to the operands.
    fn find_facts(&mut self, selectors: &[Id]) -> Result<()> {
        for &selector in selectors {
            if !self.certificate.atoms.contains(&selector) {
                self.certificate.atoms.push(selector);
            }
        }
        let mut done = 0;
        let mut candidates = Vec::new();
        // What is left over of a fact is explained likewise, which may make further atoms.
        while done < self.certificate.atoms.len() {
            let atom = self.certificate.atoms[done];
            done += 1;
            if !matches!(self.integers.system.definitions[atom as usize], Definition::High(_)) {
                continue;
            }
            candidates.push((atom, self.own_weight(atom), true));
            let weight = (self.factor_bits() + 64 * self.statement.modulus.len()) as u32;
            candidates.push((atom, weight, false));
            candidates.push((atom, weight + 64, false));
            // Only what a selector is made of itself: its operands' carries have chains of their own.
            for source in self.sources(atom).into_iter().filter(|_| selectors.contains(&atom)) {
                let (low, high) = self.integers.bounds(Value::Variable(source));
                let is_atom = self.certificate.atoms.contains(&source) || self.zeros.contains(&source);
                if !is_atom && high - low < ATOM_VALUES {
                    self.certificate.atoms.push(source);
                }
            }
        }
        let atoms = self.certificate.atoms.clone();
        let mut facts = Vec::new();
        let mut checker = Checker::new(&self.integers.system, self.statement)?;
        for zero in &self.certificate.zeros {
            checker.add_zero(zero)?;
        }
        checker.set_quotient(&self.certificate.quotient)?;
        for (atom, weight, is_own) in candidates {
            let mut functional = Functional::new(self.integers, &self.zeros);
            functional.add(&(BigInt::from(1) << weight), Value::Variable(atom));
            functional.step(&Case::new(), &[], false);
            functional.run(&Case::new(), if is_own { &atoms } else { &[] }, false);
            let mut found = Vec::new();
            for &id in functional.left.keys() {
                let may_be = !self.zeros.contains(&id) && !atoms.contains(&id);
                if may_be && let Some(zero) = self.find_zero(id) {
                    found.push((id, zero));
                }
            }
            let fact = Fact { atom, weight, uses: functional.uses };
            for (id, zero) in found {
                self.zeros.insert(id);
                checker.add_zero(&zero)?;
                self.certificate.zeros.push(zero);
            }
            if checker.is_of_use(&fact, &atoms) {
                facts.push(fact);
            }
        }
        self.certificate.facts = facts;
        Ok(())
    }

    fn own_weight(&self, atom: Id) -> u32 {
        match self.integers.system.definitions[atom as usize] {
            Definition::High(number) => self.integers.system.splits[number as usize].shift,
            _ => 0,
        }
    }

    /// What the split is made of that an atom is the upper part of.
    fn sources(&self, atom: Id) -> Vec<Id> {
        let system = &self.integers.system;
        let Definition::High(number) = system.definitions[atom as usize] else { return Vec::new() };
        let super::system::Source::Single(of) = system.splits[number as usize].source else {
            return Vec::new();
        };
        match &system.definitions[of as usize] {
            Definition::Sum(_, terms) => terms.iter().map(|&(id, _)| id).collect(),
            _ => vec![of],
        }
    }

    fn name(&self, id: Id) -> String {
        name(self.integers, self.statement, id)
    }
}

/// An integer in words.
pub fn name(integers: &Integers, statement: &Statement, id: Id) -> String {
    let Statement { modulus, inverse, first, second, .. } = statement;
    for (name, ids) in [("n", modulus), ("x", first), ("y", second)] {
        if let Some(place) = ids.iter().position(|&other| other == id) {
            return format!("{name}{place}");
        }
    }
    if id == *inverse {
        return "inverse".to_string();
    }
    let kind = match integers.system.definitions[id as usize] {
        Definition::Input(..) => "symbol",
        Definition::Sum(..) => "sum",
        Definition::Low(_) => "lower part",
        Definition::High(_) => "upper part",
        Definition::Choice(..) => "choice",
    };
    format!("{kind} #{id}")
}

/// A number as a multiple of a power of two.
fn short(c: &BigInt) -> String {
    let zeros = c.trailing_zeros().unwrap_or(0);
    let odd = (c >> zeros).to_string();
    match odd.len() {
        0..=20 => format!("{odd}·2^{zeros}"),
        length => format!("(a number of {length} digits)·2^{zeros}"),
    }
}
