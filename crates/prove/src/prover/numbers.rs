//! Resolves products of numbers of several words that are not operands, as they occur in Karatsuba's method.

use num_bigint::BigInt;

use super::search::{Prover, unproven};
use crate::{
    certificate::{Case, Lemma, Product},
    elimination::{Functional, Number},
    failure::Result,
    system::{Definition, Id, LongProduct, Value},
};

/// Bits of the words of such numbers.
const WORD: u32 = 64;

impl Prover<'_> {
    /// Replaces products of numbers that are not operands by what these numbers are equal to. Returns the
    /// selector of a choice that has no case.
    pub(super) fn resolve(
        &mut self,
        functional: &mut Functional<'_>,
        case: &Case,
        products: &mut Vec<Product>,
    ) -> Result<Option<Id>> {
        for (product, c) in functional.factors.take().unwrap_or_default() {
            let LongProduct { first, second, .. } = &self.integers.system.products[product as usize];
            let mut factors = Vec::new();
            for words in [first, second] {
                match self.number(words.clone(), case)? {
                    Ok(factor) => factors.push(factor),
                    Err(selector) => return Ok(Some(selector)),
                }
            }
            functional.add_product_of_numbers([&factors[0].0, &factors[1].0], &c);
            products.push((factors[0].1, factors[1].1, c));
        }
        Ok(None)
    }

    /// The value of a number of several words in a case, and the place of the lemma that shows it; or the
    /// selector of a choice.
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
