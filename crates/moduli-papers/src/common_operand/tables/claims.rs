//! Claims of the text: savings in sections III and V, and memory.

use alloc::vec::Vec;

use super::{
    super::{
        exponentiation::{Exponentiation, Form},
        formulas::Formulas,
        word::WordCounts,
    },
    sample::{Sample, Size},
};
use moduli::Error;

/// The saving by products with a common operand.
#[derive(Clone, Debug)]
pub struct Saving {
    /// The operations compared.
    pub what: &'static str,
    /// Without a common operand.
    pub plain: WordCounts,
    /// With it.
    pub common_operand: WordCounts,
}

impl Saving {
    /// The saved shares of ADD and of MUL. Negative if it costs more.
    pub fn shares(&self) -> (f64, f64) {
        let share = |plain: u64, other: u64| 1.0 - other as f64 / plain as f64;
        (
            share(self.plain.additions, self.common_operand.additions),
            share(self.plain.multiplications, self.common_operand.multiplications),
        )
    }
}

/// The savings of section III for n words, counted: the pair against two products, and against a
/// product and a squaring; then ℓ products by one operand, for several ℓ.
///
/// # Errors
/// Those of [`CountedMontgomery::new`](super::super::CountedMontgomery::new).
pub fn savings(n: u64) -> Result<Vec<Saving>, Error> {
    let sample = Sample::new(n)?;
    let multiply = sample.multiply(1);
    let saving = |what, plain, common_operand| Saving { what, plain, common_operand };
    let mut savings = Vec::from([
        saving("AB, AC", multiply.times(2), sample.combined()),
        saving("AB, A²", multiply + sample.square(), sample.combined()),
    ]);
    let counts = [("ℓ = 1", 1), ("ℓ = 2", 2), ("ℓ = 4", 4), ("ℓ = 8", 8), ("ℓ = n", n), ("ℓ = 4n", 4 * n)];
    for (what, times) in counts {
        savings.push(saving(what, sample.multiply(times), sample.prepared(times)));
    }
    Ok(savings)
}

/// The 64-bit words that Algorithm 10 actually keeps in memory, for n words and digits of t bits.
///
/// # Errors
/// Those of [`CountedMontgomery::new`](super::super::CountedMontgomery::new) and of its exponentiation.
pub fn stored_words(n: u64, t: u32) -> Result<u64, Error> {
    let method = Exponentiation::LeftToRight { t };
    Ok(Sample::new(n)?.power(method, Form::CommonOperand, 0)?.stored_words())
}

/// The t with the least ADD + MUL by the exact formula, and this sum.
pub fn best_window(n: u64, bits: u32, method: impl Fn(u32) -> Exponentiation, form: Form) -> (u32, u64) {
    let cost = |t: u32| {
        let k = Size { n, t, bits }.k(method(t));
        let counts = Formulas::Exact.exponentiation(method(t), form, n, k);
        counts.additions + counts.multiplications
    };
    (1..=8).map(|t| (t, cost(t))).min_by_key(|&(_, cost)| cost).unwrap_or_default()
}
