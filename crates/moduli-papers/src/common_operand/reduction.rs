//! Algorithms 2, 3 and 4: reduction by one word, Montgomery multiplication and squaring, with R = 2^(wn).

use alloc::{vec, vec::Vec};

use super::{
    number::{accumulate, is_negative, subtract_once, word_multiplication},
    word::{Meter, Operation, Word},
};

/// The constants of a modulus for Algorithms 2 to 7. Operands are not checked here: they must have
/// n words and be below 2N.
#[derive(Clone, Debug)]
pub(super) struct Reduction<const W: u32> {
    /// N, n words.
    pub(super) modulus: Vec<Word<W>>,
    /// N' = −N^(−1) mod 2^w.
    pub(super) n_prime: Word<W>,
}

impl<const W: u32> Reduction<W> {
    /// The number of words n.
    pub(super) fn words(&self) -> usize {
        self.modulus.len()
    }

    /// q ← |X|_(2^w)·N' mod 2^w.
    pub(super) fn quotient(&self, meter: &mut Meter, x: &[Word<W>]) -> Word<W> {
        meter.multiply(x[0], self.n_prime).1
    }

    /// X ← (X + q·N)/2^w, one word shorter, in two steps: q·N, and the sum.
    pub(super) fn add_and_shift(
        &self,
        meter: &mut Meter,
        steps: [&'static str; 2],
        x: &mut Vec<Word<W>>,
        q: Word<W>,
    ) {
        let q_n = meter.step(steps[0], |meter| word_multiplication(meter, q, &self.modulus));
        x.resize(x.len().max(q_n.len()), Word::ZERO);
        meter.step(steps[1], |meter| accumulate(meter, x, &q_n));
        assert_eq!(x[0], Word::ZERO, "the division by 2^w is exact");
        x.remove(0);
    }

    /// Algorithm 2, SmallRed: X·2^(−w) mod N, one word shorter than X, but at least n words.
    ///
    /// Lemma 1: the result is below X/2^w + N, and below 2N if X was.
    pub(super) fn small_reduction(&self, meter: &mut Meter, x: &[Word<W>]) -> Vec<Word<W>> {
        meter.operation(Operation::SmallRed, |meter| {
            let mut y = x.to_vec();
            let q = meter.step("1", |meter| self.quotient(meter, x)); // line 1
            self.add_and_shift(meter, ["2, q·N", "2, X + qN"], &mut y, q); // line 2
            // i) Y < N + ⌈X/2^w⌉.
            let up = i64::from(x[0] != Word::ZERO);
            assert!(is_negative(-up, &[(1, &y), (-1, &self.modulus), (-1, &x[1..])]), "Lemma 1, i");
            assert!(!self.is_below_2n(x) || self.is_below_2n(&y), "Lemma 1, ii");
            y
        })
    }

    /// Whether X < 2N.
    pub(super) fn is_below_2n(&self, x: &[Word<W>]) -> bool {
        is_negative(0, &[(1, x), (-2, &self.modulus)])
    }

    /// Whether 2A + N ≤ 2^(wn), as Algorithm 4 requires.
    pub(super) fn can_square(&self, a: &[Word<W>]) -> bool {
        let power: Vec<_> = (0..=self.words()).map(|i| Word::new(u64::from(i == self.words()))).collect();
        is_negative(-1, &[(2, a), (1, &self.modulus), (-1, &power)])
    }

    /// Algorithm 3, MontMul: A·B·2^(−wn) mod N, below N if A·B < N·2^(wn).
    pub(super) fn multiply(&self, meter: &mut Meter, a: &[Word<W>], b: &[Word<W>]) -> Vec<Word<W>> {
        meter.operation(Operation::MontMul, |meter| {
            let mut y = meter.step("1", |meter| word_multiplication(meter, a[0], b)); // line 1
            let q = meter.step("2", |meter| self.quotient(meter, &y)); // line 2
            self.add_and_shift(meter, ["3, q·N", "3, Y + qN"], &mut y, q); // line 3
            for &a_i in &a[1..] {
                let product = meter.step("5, a_i·B", |meter| word_multiplication(meter, a_i, b));
                y.push(Word::ZERO);
                meter.step("5, Y + a_i·B", |meter| accumulate(meter, &mut y, &product)); // line 5
                let q = meter.step("6", |meter| self.quotient(meter, &y)); // line 6
                self.add_and_shift(meter, ["7, q·N", "7, Y + qN"], &mut y, q); // line 7
            }
            self.below_modulus(meter, "9", &y) // lines 8 and 9
        })
    }

    /// Algorithm 4, MontSqu: A²·2^(−wn) mod N, below N if A² < N·2^(wn).
    ///
    /// A product a_i·a_j with i < j is added early and doubled, so Y grows up to 2A + N before the
    /// last lines reduce it. Y has n words at the end of each iteration, so 2A + N ≤ 2^(wn) is
    /// required. N < 2^(wn−2) suffices for A ≤ 3N/2, but not for every A < 2N.
    pub(super) fn square(&self, meter: &mut Meter, a: &[Word<W>]) -> Vec<Word<W>> {
        let n = self.words();
        assert!(self.can_square(a), "2A + N is at most 2^(wn)");
        meter.operation(Operation::MontSqu, |meter| {
            let mut double = a.to_vec(); // A'
            meter.step("1", |meter| accumulate(meter, &mut double, a)); // line 1
            // Ã_i without its low words, which are zero.
            let row = |meter: &mut Meter, i: usize| {
                let mut row = vec![a[i]];
                if let Some(&next) = a.get(i + 1) {
                    row.push(meter.add(next, next, &mut false)); // |2a_(i+1)|: its carry is part of a'_(i+2)
                    row.extend_from_slice(&double[i + 2..]);
                }
                row
            };
            let row_0 = meter.step("2", |meter| row(meter, 0)); // line 2
            let mut y = meter.step("3", |meter| word_multiplication(meter, a[0], &row_0)); // line 3
            let q = meter.step("4", |meter| self.quotient(meter, &y)); // line 4
            self.add_and_shift(meter, ["5", "5"], &mut y, q); // line 5
            for i in 1..n {
                let row_i = meter.step("7", |meter| row(meter, i)); // line 7
                meter.step("8", |meter| {
                    let product = word_multiplication(meter, a[i], &row_i);
                    y.push(Word::ZERO);
                    accumulate(meter, &mut y[i..], &product);
                }); // line 8
                let q = meter.step("10", |meter| self.quotient(meter, &y)); // line 10
                self.add_and_shift(meter, ["11", "11"], &mut y, q); // line 11
            }
            self.below_modulus(meter, "14", &y) // lines 13 and 14
        })
    }

    /// Y − N if Y ≥ N, otherwise Y. (The paper's condition is Y > N, which does not reduce N
    /// itself.)
    fn below_modulus(&self, meter: &mut Meter, step: &'static str, y: &[Word<W>]) -> Vec<Word<W>> {
        assert!(self.is_below_2n(y), "one subtraction is enough");
        meter.step(step, |meter| subtract_once(meter, y, &self.modulus))
    }
}
