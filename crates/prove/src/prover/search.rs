//! The state of a search, and how it shows that what is left over is zero.

use num_bigint::BigInt;
use std::{cell::OnceCell, collections::HashSet, rc::Rc};

use crate::{
    certificate::{Case, Certificate, Lemma},
    checker::Checker,
    elimination::{Functional, Number, Stepped},
    failure::{Failure, Reason, Result},
    integers::Integers,
    specification::Statement,
    system::{Definition, Id, Value},
    zeros,
};

/// Integers with at most this many values are tried value by value.
pub(super) const ATOM_VALUES: i128 = 4;

/// A search for the certificate of one statement.
pub(super) struct Prover<'a> {
    pub(super) integers: &'a Integers,
    pub(super) statement: &'a Statement,
    /// The power of two by which an integer is multiplied before it is traced back to its origin: the length
    /// of the longest sum, and some more.
    pub(super) lift: u32,
    /// Integers that are zero in all cases, and those that are zero in some cases.
    pub(super) zeros: HashSet<Id>,
    pub(super) zeros_of_cases: Vec<(Id, Case)>,
    /// Integers that could not be shown to be zero without a case.
    pub(super) hopeless: HashSet<Id>,
    /// Integers whose sum is zero in a case.
    pub(super) sums: Vec<(Vec<Id>, Case)>,
    /// Numbers of several words, the cases in which they are known, and the places of their lemmas.
    pub(super) numbers: Vec<(Number, Case, u32)>,
    /// The digit that is the estimate of a quotient.
    pub(super) estimate: Option<Id>,
    /// Pairs of borrows that are known to be equal.
    pub(super) equals: Vec<[Id; 2]>,
    /// Carries that are not replaced.
    pub(super) kept: Vec<Id>,
    pub(super) certificate: Certificate,
    /// A checker of the same integers, once it is made.
    checkers: Rc<OnceCell<Checker<'a>>>,
}

pub(super) fn unproven<T>(what: impl Into<String>) -> Result<T> {
    Err(Failure::new(Reason::Unproven, what))
}

impl<'a> Prover<'a> {
    pub(super) fn new(integers: &'a Integers, statement: &'a Statement) -> Self {
        let words = statement.modulus.len().max(statement.result.len()) as u32;
        Prover {
            integers,
            statement,
            lift: 64 * (2 * words + 4),
            zeros: HashSet::new(),
            zeros_of_cases: Vec::new(),
            hopeless: HashSet::new(),
            sums: Vec::new(),
            numbers: Vec::new(),
            estimate: None,
            equals: Vec::new(),
            kept: Vec::new(),
            certificate: Certificate::default(),
            checkers: Rc::default(),
        }
    }

    /// A search for another statement about the same integers.
    pub(super) fn about(&self, statement: &'a Statement) -> Self {
        Prover { checkers: Rc::clone(&self.checkers), ..Self::new(self.integers, statement) }
    }

    /// A checker for the statement.
    pub(super) fn checker(&self) -> Result<Checker<'a>> {
        if self.checkers.get().is_none() {
            let checker = Checker::of_integers(&self.integers.system)?;
            self.checkers.get_or_init(|| checker);
        }
        match self.checkers.get() {
            Some(checker) => checker.about(self.statement),
            None => unproven("no check"),
        }
    }

    /// Bits of a digit of all numbers.
    pub(super) fn digit_bits(&self) -> usize {
        self.statement.digit_bits() as usize
    }

    pub(super) fn factor_bits(&self) -> usize {
        self.statement.factor_bits()
    }

    /// The integers that are zero in a case.
    pub(super) fn zeros_in(&self, case: &Case) -> HashSet<Id> {
        let holds = |other: &Case| other.iter().all(|part| case.contains(part));
        let more = self.zeros_of_cases.iter().filter(|(_, other)| holds(other)).map(|&(id, _)| id);
        self.zeros.iter().copied().chain(more).collect()
    }

    /// Shows that integers which are left over are zero, or that their sum is; or makes them atoms, whose
    /// values are tried.
    pub(super) fn explain(&mut self, ids: &[Id], c: &BigInt, case: &Case) -> Result<()> {
        let mut others = Vec::new();
        for &id in ids {
            if !self.certificate.atoms.contains(&id) && !self.show_zero(id, case)? {
                others.push(id);
            }
        }
        // Look for two that cancel each other; the others may then be zero by themselves.
        for i in 1..others.len() {
            if self.show_sum_zero(&others[i - 1..=i], case)? {
                others.drain(i - 1..=i);
                return self.explain(&others, c, case);
            }
        }
        for id in others {
            let (low, high) = self.integers.bounds(Value::Variable(id));
            if high - low >= ATOM_VALUES {
                return unproven(format!(
                    "in case {case:?} {} times {} is left over",
                    short(c),
                    self.name(id)
                ));
            }
            self.certificate.atoms.push(id);
        }
        Ok(())
    }

    /// Tries to show that an integer is zero, in all cases or in this one. Returns whether it did.
    pub(super) fn show_zero(&mut self, id: Id, case: &Case) -> Result<bool> {
        if self.zeros_in(case).contains(&id) {
            return Ok(true);
        }
        if !self.hopeless.contains(&id) {
            if let Some(zero) = self.find_zero(id) {
                self.zeros.insert(id);
                self.certificate.lemmas.push(zero);
                return Ok(true);
            }
            self.hopeless.insert(id);
        }
        // Try it in the case, and with products of numbers.
        Ok(!case.is_empty() && self.show_sum_zero(&[id], case)?)
    }

    /// Tries to show that the sum of some integers is zero in a case. Returns whether it did.
    pub(super) fn show_sum_zero(&mut self, ids: &[Id], case: &Case) -> Result<bool> {
        let zeros = self.zeros_in(case);
        let mut functional = Functional::new(self.integers, &zeros, case);
        functional.factors = Some(Vec::new());
        let unit = BigInt::from(1) << self.lift;
        let (mut low, mut high) = (0, 0);
        for &id in ids {
            functional.add(&unit, Value::Variable(id));
            let (from, to) = self.integers.bounds(Value::Variable(id));
            (low, high) = (low + from, high + to);
        }
        let is_short = |functional: &Functional<'_>| functional.allows_zero_alone(&unit, (low, high));
        let (mut wait, mut is_zero) = (0, false);
        while !is_zero && functional.step(&[], false) == Stepped::On {
            if wait == 0 {
                wait = functional.len() / 8;
                self.substitute(&mut functional, case);
                is_zero = is_short(&functional);
            } else {
                wait -= 1;
            }
        }
        let mut products = Vec::new();
        if !is_zero {
            if self.resolve(&mut functional, case, &mut products)?.is_some() {
                return Ok(false);
            }
            self.show_zeros(&functional)?;
            self.substitute(&mut functional, case);
            functional.left.retain(|id, _| !self.zeros.contains(id));
            is_zero = is_short(&functional);
        }
        if is_zero {
            let Functional { uses, .. } = functional;
            if let [id] = *ids {
                self.zeros_of_cases.push((id, case.clone()));
            } else {
                self.sums.push((ids.to_vec(), case.clone()));
            }
            self.certificate.lemmas.push(Lemma::Bounds {
                case: case.clone(),
                variables: ids.to_vec(),
                weight: self.lift,
                uses,
                products,
            });
        }
        Ok(is_zero)
    }

    /// Shows that carries which are left over are zero, if they are zero in all cases.
    pub(super) fn show_zeros(&mut self, functional: &Functional<'_>) -> Result<()> {
        for &id in functional.left.keys() {
            let is_input = matches!(self.integers.system.definitions[id as usize], Definition::Input(..));
            if !is_input && !self.zeros.contains(&id) && !self.hopeless.contains(&id) {
                match self.find_zero(id) {
                    Some(zero) => {
                        self.zeros.insert(id);
                        self.certificate.lemmas.push(zero);
                    }
                    None => drop(self.hopeless.insert(id)),
                }
            }
        }
        Ok(())
    }

    /// Replaces the first of some integers by the others, if their sum is zero.
    pub(super) fn substitute(&self, functional: &mut Functional<'_>, case: &Case) {
        for (ids, _) in self.sums.iter().filter(|(_, other)| other.iter().all(|part| case.contains(part))) {
            if let [first, others @ ..] = &ids[..]
                && let Some(c) = functional.left.remove(first)
            {
                others.iter().for_each(|&id| *functional.left.entry(id).or_default() -= &c);
                functional.left.retain(|_, c| *c != BigInt::ZERO);
            }
        }
    }

    pub(super) fn find_zero(&self, id: Id) -> Option<Lemma> {
        // An integer whose recorded value is not 0 need not be tried.
        if self.integers.recorded(Value::Variable(id)) != 0 {
            return None;
        }
        let Statement { inverse, modulus, .. } = self.statement;
        let bits = self.statement.digit_bits();
        let by_congruence =
            modulus.first().and_then(|&n0| zeros::by_congruence(self.integers, id, *inverse, n0, bits));
        by_congruence.or_else(|| zeros::by_bounds(self.integers, id, self.lift, &self.zeros))
    }

    pub(super) fn name(&self, id: Id) -> String {
        name(self.integers, self.statement, id)
    }
}

/// A number as a multiple of a power of two.
pub(super) fn short(c: &BigInt) -> String {
    let zeros = c.trailing_zeros().unwrap_or(0);
    let odd = (c >> zeros).to_string();
    match odd.len() {
        0..=20 => format!("{odd}·2^{zeros}"),
        length => format!("(a number of {length} digits)·2^{zeros}"),
    }
}

/// A description of an integer.
fn name(integers: &Integers, statement: &Statement, id: Id) -> String {
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
        Definition::Either(..) => "disjunction",
        Definition::Word(_) => "word of a product",
    };
    format!("{kind} #{id}")
}
