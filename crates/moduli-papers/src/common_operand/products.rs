//! Algorithms 5, 6 and 7: products by a common operand, with R = 2^(w(n+1)).

use alloc::{vec, vec::Vec};

use super::{
    number::{accumulate, subtract_once, word_multiplication},
    reduction::Reduction,
    word::{Meter, Operation, Word},
};

impl<const W: u32> Reduction<W> {
    /// Algorithm 5, CombinedMontMul: A·B·R^(−1) and A·C·R^(−1) mod N, both below 2N.
    pub(super) fn combined(
        &self,
        meter: &mut Meter,
        a: &[Word<W>],
        b: &[Word<W>],
        c: &[Word<W>],
    ) -> [Vec<Word<W>>; 2] {
        let n = self.words();
        meter.operation(Operation::CombinedMontMul, |meter| {
            let mut x = a.to_vec(); // line 1: A^(n−1)
            let mut y = self.first_product(meter, "2, b_(n-1)·X", b[n - 1], &x); // line 2
            let mut z = self.first_product(meter, "2, c_(n-1)·X", c[n - 1], &x);
            for j in (0..n - 1).rev() {
                x = self.shifted(meter, ["4", "5, q·N", "5, X + qN"], &x); // lines 4 and 5: A^(j)
                self.add_product(meter, ["6, b_j·X", "6, Y + b_j·X"], &mut y, b[j], &x); // line 6
                self.add_product(meter, ["6, c_j·X", "6, Z + c_j·X"], &mut z, c[j], &x);
            }
            let mut results = [y, z];
            for step in ["7", "8"] {
                results = results.map(|y| meter.step(step, |meter| self.small_reduction(meter, &y)));
            }
            assert!(results.iter().all(|y| self.is_below_2n(y)), "the results are below 2N");
            results
        })
    }

    /// Algorithm 6, PrecompMultByComOp: A^(0), …, A^(n−1) with A^(j) = A·2^(−w(n−1−j)) mod N, all
    /// below 2N.
    ///
    /// Line 1 reduces A, which is below 2N, by one conditional subtraction.
    pub(super) fn prepare(&self, meter: &mut Meter, a: &[Word<W>]) -> Vec<Vec<Word<W>>> {
        let n = self.words();
        meter.operation(Operation::PrecompMultByComOp, |meter| {
            let mut prepared = vec![Vec::new(); n];
            prepared[n - 1] = meter.step("1", |meter| subtract_once(meter, a, &self.modulus)); // line 1
            for j in (0..n - 1).rev() {
                prepared[j] = meter.step("3", |meter| self.small_reduction(meter, &prepared[j + 1])); // line 3
            }
            prepared
        })
    }

    /// Algorithm 7, MultByComOp: A·B·R^(−1) mod N, below 2N, from the prepared A.
    pub(super) fn multiply_prepared(
        &self,
        meter: &mut Meter,
        b: &[Word<W>],
        prepared: &[Vec<Word<W>>],
    ) -> Vec<Word<W>> {
        meter.operation(Operation::MultByComOp, |meter| {
            let mut y = self.first_product(meter, "1", b[0], &prepared[0]); // line 1
            for (&b_j, a_j) in b.iter().zip(prepared).skip(1) {
                self.add_product(meter, ["3, b_j·A^(j)", "3, Y + b_j·A^(j)"], &mut y, b_j, a_j); // line 3
            }
            let y = meter.step("4", |meter| self.small_reduction(meter, &y)); // line 4
            let y = meter.step("5", |meter| self.small_reduction(meter, &y)); // line 5
            assert!(self.is_below_2n(&y), "the result is below 2N");
            y
        })
    }

    /// b·X in n + 2 words, enough for the following sums. The paper's tables assume this length.
    fn first_product(
        &self,
        meter: &mut Meter,
        step: &'static str,
        b: Word<W>,
        x: &[Word<W>],
    ) -> Vec<Word<W>> {
        let mut y = meter.step(step, |meter| word_multiplication(meter, b, x));
        y.push(Word::ZERO);
        y
    }

    /// Y ← Y + b·X.
    fn add_product(
        &self,
        meter: &mut Meter,
        steps: [&'static str; 2],
        y: &mut [Word<W>],
        b: Word<W>,
        x: &[Word<W>],
    ) {
        let product = meter.step(steps[0], |meter| word_multiplication(meter, b, x));
        meter.step(steps[1], |meter| accumulate(meter, y, &product));
    }

    /// q ← |X|_(2^w)·N' mod 2^w and (X + q·N)/2^w. These are the steps of SmallRed.
    fn shifted(&self, meter: &mut Meter, steps: [&'static str; 3], x: &[Word<W>]) -> Vec<Word<W>> {
        assert!(self.is_below_2n(x), "A^(j) is below 2N");
        let q = meter.step(steps[0], |meter| self.quotient(meter, x));
        let mut y = x.to_vec();
        self.add_and_shift(meter, [steps[1], steps[2]], &mut y, q);
        y
    }
}
