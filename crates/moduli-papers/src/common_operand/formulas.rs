//! The paper's formulas, as printed and as derived from the steps of its algorithms.

use super::{
    exponentiation::{Exponentiation, Form},
    word::WordCounts,
};

/// Where a formula comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formulas {
    /// The printed formulas.
    Printed,
    /// The sums over the steps of the algorithms. They differ from the printed formulas in three
    /// places: Algorithm 4 takes n − 1 MUL and one ADD less, the first step of Algorithm 6 takes n
    /// ADD, and each digit that may be missing takes n selections.
    Exact,
}

/// A short form of [`WordCounts::new`].
pub(super) fn cost(additions: u64, multiplications: u64) -> WordCounts {
    WordCounts::new(additions, multiplications)
}

impl Formulas {
    /// SmallRed of a number of n' words. N has n words.
    pub fn small_reduction(self, n: u64, n_x: u64) -> WordCounts {
        cost(n_x.max(n + 1) + n, n + 1)
    }

    /// MontMul.
    pub fn multiply(self, n: u64) -> WordCounts {
        cost(4 * n * n + 2 * n - 1, 2 * n * n + n)
    }

    /// MontSqu.
    pub fn square(self, n: u64) -> WordCounts {
        match self {
            Self::Printed => cost(3 * n * n + 5 * n - 1, (3 * n * n + 5 * n) / 2 - 1),
            Self::Exact => cost(3 * n * n + 5 * n - 2, (3 * n * n + 3 * n) / 2),
        }
    }

    /// CombinedMontMul.
    pub fn combined(self, n: u64) -> WordCounts {
        cost(6 * n * n + 9 * n + 1, 3 * n * n + 4 * n + 3)
    }

    /// PrecompMultByComOp.
    pub fn prepare(self, n: u64) -> WordCounts {
        let reductions = cost((2 * n + 1) * (n - 1), n * n - 1);
        match self {
            Self::Printed => reductions,
            Self::Exact => reductions + cost(n, 0),
        }
    }

    /// MultByComOp.
    pub fn multiply_prepared(self, n: u64) -> WordCounts {
        cost(2 * n * n + 5 * n + 1, n * n + 2 * n + 2)
    }

    /// An exponentiation with k digits (bits, for the ladder).
    ///
    /// The printed form is Table VIII. The exact form is the sum over the operations of the
    /// algorithm.
    pub fn exponentiation(self, method: Exponentiation, form: Form, n: u64, k: u64) -> WordCounts {
        match self {
            Self::Printed => printed(method, form, n, k),
            Self::Exact => exact(method, form, n, k),
        }
    }
}

fn printed(method: Exponentiation, form: Form, n: u64, k: u64) -> WordCounts {
    let square = n * n;
    // tk·MontSqu, and tk·(MontSqu + SmallRed).
    let squarings =
        |t: u32| cost(3 * square + 5 * n - 1, (3 * square + 5 * n) / 2 - 1).times(u64::from(t) * k);
    let extended = |t: u32| cost(3 * square + 7 * n, (3 * square + 7 * n) / 2).times(u64::from(t) * k);
    match (method, form) {
        (Exponentiation::Ladder, Form::Plain) => {
            cost(7 * square + 7 * n - 2, (7 * square + 7 * n) / 2 - 1).times(k)
                + cost(8 * square + 4 * n - 2, 4 * square + 2 * n)
        }
        (Exponentiation::Ladder, Form::CommonOperand) => {
            cost(6 * square + 9 * n + 1, 3 * square + 4 * n + 3).times(k)
                + cost(8 * square + 8 * n, 4 * square + 4 * n + 2)
        }
        (Exponentiation::RightToLeft { t }, Form::Plain) => {
            squarings(t)
                + cost(4 * square + 2 * n - 1, 2 * square + n).times(k)
                + cost(8 * square + 4 * n - 2, 4 * square + 2 * n).times(1 << t)
        }
        (Exponentiation::RightToLeft { t }, Form::CommonOperand) => {
            extended(t)
                + cost(3 * square + 2 * n + 1, (3 * square + n) / 2 + 3).times(k)
                + cost(6 * square + 9 * n + 1, 3 * square + 4 * n + 3).times(1 << t)
                + cost(4 * square - 2 * n - 2, 2 * square - 2)
        }
        (Exponentiation::LeftToRight { t }, Form::Plain) => {
            squarings(t)
                + cost(4 * square + 2 * n - 1, 2 * square + n).times(k)
                + cost(4 * square + 2 * n - 1, 2 * square + n).times(1 << t)
                + cost(4 * square + 2 * n - 1, 2 * square + n)
        }
        (Exponentiation::LeftToRight { t }, Form::CommonOperand) => {
            extended(t)
                + cost(2 * square + 5 * n + 1, square + 2 * n + 2).times(k)
                + cost(4 * square + 4 * n, 2 * square + 2 * n + 1).times(1 << t)
                + cost(6 * square + 3 * n - 1, 3 * square + 2 * n)
        }
    }
}

fn exact(method: Exponentiation, form: Form, n: u64, k: u64) -> WordCounts {
    let formulas = Formulas::Exact;
    let (multiply, square) = (formulas.multiply(n), formulas.square(n));
    // Each is followed by a SmallRed.
    let reduction = formulas.small_reduction(n, n);
    let (multiply_extended, square_extended) = (multiply + reduction, square + reduction);
    let combined = formulas.combined(n);
    // Each digit selects n words.
    let select = WordCounts { selections: n, ..WordCounts::default() };
    match (method, form) {
        (Exponentiation::Ladder, Form::Plain) => (multiply + square).times(k) + multiply.times(2),
        (Exponentiation::Ladder, Form::CommonOperand) => combined.times(k) + multiply_extended.times(2),
        (Exponentiation::RightToLeft { t }, Form::Plain) => {
            square.times(u64::from(t) * k) + (multiply + select).times(k) + multiply.times(2 << t)
        }
        (Exponentiation::RightToLeft { t }, Form::CommonOperand) => {
            square_extended.times((u64::from(t) - 1) * k)
                + (combined + select).times(k)
                + combined.times((1 << t) - 2)
                + multiply_extended.times(4)
        }
        (Exponentiation::LeftToRight { t }, Form::Plain) => {
            square.times(u64::from(t) * k) + (multiply + select).times(k) + multiply.times((1 << t) + 1)
        }
        (Exponentiation::LeftToRight { t }, Form::CommonOperand) => {
            let (prepare, multiply_prepared) = (formulas.prepare(n), formulas.multiply_prepared(n));
            square_extended.times(u64::from(t) * k)
                + (multiply_prepared + select).times(k)
                + multiply_prepared.times((1 << t) - 1)
                + prepare.times(1 << t)
                + multiply_extended.times(2)
        }
    }
}
