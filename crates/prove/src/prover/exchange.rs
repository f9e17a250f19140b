//! Operands that change places, or stay.

use num_bigint::BigInt;
use std::collections::HashSet;

use super::search::{Prover, unproven};
use crate::{certificate::Outcome, elimination::Functional, failure::Result};

impl Prover<'_> {
    /// What both results are, one after the other, in either case.
    pub(super) fn exchange(&mut self) -> Result<()> {
        let Some(selector) = self.statement.selector else { return unproven("there is no selector") };
        for is_above in [false, true] {
            let (nothing, case) = (HashSet::new(), vec![(selector, is_above)]);
            let mut functional = Functional::new(self.integers, &nothing, &case);
            for (i, &word) in self.statement.result.iter().enumerate() {
                functional.add(&(BigInt::from(1) << (self.statement.result_bits as usize * i)), word);
            }
            functional.run(&[], false);
            let Functional { uses, .. } = functional;
            self.certificate.outcomes.push(Outcome { case, uses, products: Vec::new() });
        }
        Ok(())
    }
}
