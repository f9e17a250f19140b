//! The estimate of a quotient, by the highest bits of the number that is divided.

use num_bigint::BigInt;
use std::collections::HashSet;

use super::search::{Prover, unproven};
use crate::{
    certificate::{Case, Lemma},
    elimination::Functional,
    failure::Result,
    specification::{digits::DIGIT, doubles},
    system::{Source, Value},
};

impl Prover<'_> {
    /// The upper part of a product by the reciprocal, and why what is multiplied is what is seen of the number, and one more.
    pub(super) fn find_estimate(&mut self) -> Result<()> {
        let (reciprocal, (_, from, place), bits, digits) =
            match (&self.statement.digits, &self.statement.doubles) {
                (Some(digits), _) => (digits.reciprocal, digits.estimated(), DIGIT as usize, 2),
                (None, Some(doubles)) => {
                    (doubles.reciprocal, doubles.estimated(), doubles::DIGIT as usize, doubles.digits)
                }
                (None, None) => return unproven("a quotient of words"),
            };
        let estimates =
            self.integers.system.splits.iter().filter_map(|split| match (split.source, split.high) {
                (Source::Product(x, y), Value::Variable(digit)) if y == reciprocal => Some((x, digit)),
                (Source::Product(y, x), Value::Variable(digit)) if y == reciprocal => Some((x, digit)),
                _ => None,
            });
        let (nothing, everywhere) = (HashSet::new(), Case::new());
        let mut checker = self.checker()?;
        let mut failure = None;
        // Where several numbers are divided, it is the estimate of this one that the checker takes.
        for (above, digit) in estimates {
            let mut functional = Functional::new(self.integers, &nothing, &everywhere);
            for (i, &id) in self.statement.first.iter().skip(from).take(digits).enumerate() {
                functional.add(&(BigInt::from(1) << (bits * i)), Value::Variable(id));
            }
            functional.add(&-(BigInt::from(1) << place), Value::Variable(above));
            functional.write_out();
            functional.run(&[], false);
            let lemma = Lemma::Estimate { digit, uses: functional.uses };
            if let Err(other) = checker.add_lemma(&lemma) {
                failure = Some(other);
                continue;
            }
            self.certificate.lemmas.push(lemma);
            self.estimate = Some(digit);
            return Ok(());
        }
        failure.map_or_else(|| unproven("there is no product by the reciprocal"), Err)
    }
}
