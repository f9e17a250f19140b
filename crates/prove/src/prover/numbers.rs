//! Products of numbers of several words that are no operands, as Karatsuba's method has them.

use num_bigint::BigInt;
use std::collections::HashSet;

use super::search::{Prover, unproven};
use crate::{
    certificate::{Case, Lemma, Product},
    elimination::{Functional, Number},
    failure::Result,
    specification::Statement,
    system::{Definition, Id, Value},
};

/// Bits of the words of such numbers.
const WORD: u32 = 64;

impl Prover<'_> {
    /// Takes products of numbers that are no operands by what these numbers are. Gives the selector of a choice that has no case.
    pub(super) fn resolve(
        &mut self,
        functional: &mut Functional<'_>,
        case: &Case,
        products: &mut Vec<Product>,
    ) -> Result<Option<Id>> {
        let Statement { modulus, first, second, .. } = self.statement;
        let operands: HashSet<Id> = first.iter().chain(second).copied().collect();
        let is_foreign = |&(x, y): &(Id, Id)| {
            let are_operands = operands.contains(&x) && operands.contains(&y);
            !(modulus.contains(&x) || modulus.contains(&y) || are_operands)
        };
        loop {
            let foreign = functional.products.iter().filter(|(key, _)| is_foreign(key));
            let Some((&(x, y), c)) = foreign.min_by_key(|(key, c)| (c.trailing_zeros(), **key)) else {
                return Ok(None);
            };
            let c = c.clone();
            // The words by which one lowest word is multiplied make the other number.
            let words = |of: Id| {
                let mut words = Vec::new();
                for i in 0.. {
                    let at = &c << (64 * i);
                    let found =
                        functional.products.iter().find(|((a, b), d)| (*a == of || *b == of) && **d == at);
                    let Some((&(a, b), _)) = found else { break };
                    words.push(if a == of { b } else { a });
                }
                words
            };
            let factors = [words(y), words(x)];
            let mut places = [0; 2];
            let mut numbers = [Number::default(), Number::default()];
            for (i, words) in factors.into_iter().enumerate() {
                match self.number(words, case)? {
                    Ok((number, place)) => (numbers[i], places[i]) = (number, place),
                    Err(selector) => return Ok(Some(selector)),
                }
            }
            let before = functional.products.len();
            functional.replace_product([&numbers[0], &numbers[1]], &c);
            if functional.products.contains_key(&(x, y)) {
                return unproven(format!("{before} products of words are no product of numbers"));
            }
            products.push((places[0], places[1], c));
        }
    }

    /// What a number of several words is in a case, and the place of the lemma that says so; or the selector of a choice.
    pub(super) fn number(
        &mut self,
        words: Vec<Id>,
        case: &Case,
    ) -> Result<std::result::Result<(Number, u32), Id>> {
        let holds = |other: &Case| other.iter().all(|part| case.contains(part));
        if let Some((number, _, place)) =
            self.numbers.iter().find(|(number, other, _)| number.words == words && holds(other))
        {
            return Ok(Ok((number.clone(), *place)));
        }
        let zeros = self.zeros_in(case);
        let mut functional = Functional::new(self.integers, &zeros, case);
        for (i, &word) in words.iter().enumerate() {
            functional.add(&(BigInt::from(1) << (64 * i)), Value::Variable(word));
        }
        if let Some(selector) = functional.run(&[], true) {
            return Ok(Err(selector));
        }
        let Functional { left, products, constant, uses, .. } = functional;
        if !products.is_empty() {
            return unproven("a factor is no sum of operands");
        }
        let mut terms = left;
        for id in terms.keys().copied().collect::<Vec<_>>() {
            if matches!(self.integers.system.definitions[id as usize], Definition::Input(..)) {
                continue;
            }
            if !self.show_zero(id, case)? {
                return unproven(format!("in case {case:?} {} is left over of a factor", self.name(id)));
            }
            terms.remove(&id);
        }
        let number = Number { words: words.clone(), bits: WORD, constant, terms };
        let place = self.certificate.lemmas.len() as u32;
        self.certificate.lemmas.push(Lemma::Number { case: case.clone(), words, bits: WORD, uses });
        self.numbers.push((number.clone(), case.clone(), place));
        Ok(Ok((number, place)))
    }
}
