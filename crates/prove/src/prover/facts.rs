//! Finds facts that exclude values of the integers that are tried value by value.

use num_bigint::BigInt;

use super::search::{ATOM_VALUES, Prover};
use crate::{
    certificate::{Case, Fact},
    elimination::Functional,
    failure::Result,
    system::{Definition, Id, Source, Value},
};

impl Prover<'_> {
    /// Finds facts about the atoms, each by its own equation, traced back to the operands.
    pub(super) fn find_facts(&mut self, selectors: &[Id]) -> Result<()> {
        for &selector in selectors {
            if !self.certificate.atoms.contains(&selector) {
                self.certificate.atoms.push(selector);
            }
        }
        let mut done = 0;
        let mut candidates = Vec::new();
        // What is left over of a fact is explained in the same way, which may add more atoms.
        while done < self.certificate.atoms.len() {
            let atom = self.certificate.atoms[done];
            done += 1;
            if !matches!(self.integers.system.definitions[atom as usize], Definition::High(_)) {
                continue;
            }
            candidates.push((atom, self.own_weight(atom), true));
            let weight = (self.factor_bits() + self.digit_bits() * self.places()) as u32;
            candidates.push((atom, weight, false));
            candidates.push((atom, weight + self.statement.digit_bits(), false));
            // Use only the source of a selector itself: the carries of its operands have chains of their own.
            for source in self.sources(atom).into_iter().filter(|_| selectors.contains(&atom)) {
                let (low, high) = self.integers.bounds(Value::Variable(source));
                let is_atom = self.certificate.atoms.contains(&source) || self.zeros.contains(&source);
                if !is_atom && high - low < ATOM_VALUES {
                    self.certificate.atoms.push(source);
                }
            }
        }
        let atoms = self.certificate.atoms.clone();
        // If products of numbers depend on the case, so do facts, including those about what the case carries
        // out.
        let cases: Vec<Case> = match self.numbers.is_empty() && !self.is_longer_than_result() {
            true => vec![Case::new()],
            false => self.certificate.outcomes.iter().map(|outcome| outcome.case.clone()).collect(),
        };
        let mut facts = Vec::new();
        for (atom, weight, is_own) in candidates {
            let is_selector = selectors.contains(&atom);
            let everywhere = [Case::new()];
            for case in if is_own || is_selector { &everywhere[..] } else { &cases } {
                let zeros = self.zeros_in(case);
                let mut functional = Functional::new(self.integers, &zeros, case);
                functional.factors = Some(Vec::new());
                functional.add(&(BigInt::from(1) << weight), Value::Variable(atom));
                functional.step(&[], false);
                functional.run(if is_own { &atoms } else { &[] }, false);
                let mut products = Vec::new();
                if !is_own && self.resolve(&mut functional, case, &mut products)?.is_some() {
                    continue;
                }
                self.show_zeros(&functional)?;
                facts.push(Fact { case: case.clone(), atom, weight, uses: functional.uses, products });
            }
        }
        let mut checker = self.checker()?;
        for lemma in &self.certificate.lemmas {
            checker.add_lemma(lemma)?;
        }
        checker.set_quotient(&self.certificate.quotient)?;
        facts.retain(|fact| checker.is_of_use(fact, &atoms));
        self.certificate.facts = facts;
        Ok(())
    }

    /// The number of digits of the longest number.
    fn places(&self) -> usize {
        match (&self.statement.digits, &self.statement.doubles) {
            (Some(digits), _) => digits.places,
            (None, Some(doubles)) => doubles.digits,
            (None, None) => self.statement.result.len().max(self.statement.modulus.len()),
        }
    }

    /// Whether the stored result has fewer bits than what it is made of.
    pub(super) fn is_longer_than_result(&self) -> bool {
        self.statement.result_bits as usize * self.statement.result.len() < self.digit_bits() * self.places()
    }

    pub(super) fn own_weight(&self, atom: Id) -> u32 {
        match self.integers.system.definitions[atom as usize] {
            Definition::High(number) => self.integers.system.splits[number as usize].shift,
            _ => 0,
        }
    }

    /// The integers in the source of the split of which an atom is the upper part.
    pub(super) fn sources(&self, atom: Id) -> Vec<Id> {
        let system = &self.integers.system;
        let Definition::High(number) = system.definitions[atom as usize] else { return Vec::new() };
        let Source::Single(of) = system.splits[number as usize].source else {
            return Vec::new();
        };
        match &system.definitions[of as usize] {
            Definition::Sum(_, terms) => terms.iter().map(|&(id, _)| id).collect(),
            _ => vec![of],
        }
    }
}
