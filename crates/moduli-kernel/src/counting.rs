//! An observer that counts operations.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::observer::{Observer, Operation};

/// Operations performed on residues.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Products of two residues.
    pub products: u64,
    /// Squarings.
    pub squarings: u64,
    /// Products by a prepared operand in two or more pieces.
    pub prepared_products: u64,
    /// Words read by masked look-ups, and words written by masked updates and swaps.
    pub masked_words: u64,
}

#[derive(Default)]
struct Counters {
    products: AtomicU64,
    squarings: AtomicU64,
    prepared_products: AtomicU64,
    masked_words: AtomicU64,
}

/// Counts the operations of a computation. Its sessions must use the observer that it is given.
pub fn count<T, E>(run: impl FnOnce(&dyn Observer) -> Result<T, E>) -> Result<(T, Counts), E> {
    let counters = Counters::default();
    let result = run(&counters)?;
    let counts = Counts {
        products: counters.products.into_inner(),
        squarings: counters.squarings.into_inner(),
        prepared_products: counters.prepared_products.into_inner(),
        masked_words: counters.masked_words.into_inner(),
    };
    Ok((result, counts))
}

impl Observer for Counters {
    fn before(&self, operation: Operation, operands: [&[u64]; 3]) {
        let [first, second, third] = operands.map(|words| words.len() as u64);
        let (counter, amount) = match operation {
            Operation::Mul | Operation::MulDual | Operation::MulPrepared { split: 1 } => (&self.products, 1),
            Operation::MulPair => (&self.products, 2),
            Operation::MulPrepared { .. } => (&self.prepared_products, 1),
            Operation::Square => (&self.squarings, 1),
            Operation::SquareDual { times } => (&self.squarings, u64::from(times)),
            Operation::Select => (&self.masked_words, second + third),
            Operation::SelectDual { .. } => (&self.masked_words, second),
            Operation::Replace => (&self.masked_words, first),
            Operation::Swap => (&self.masked_words, first + second),
            _ => return,
        };
        counter.fetch_add(amount, Relaxed);
    }
}
