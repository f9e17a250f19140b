//! Tables I, III, IV, VI and VII, step by step, and the lines of Algorithm 4, which has no table.

use alloc::{format, vec, vec::Vec};

use super::{
    super::{
        exponentiation::{Exponentiation, Form},
        formulas::{Formulas, cost},
        word::{Meter, WordCounts},
    },
    sample::{Line, Sample, Size, Table},
};
use moduli::Error;

/// A step: its name on the meter, a description, its printed counts, and the right ones.
type Step = (&'static str, &'static str, WordCounts, WordCounts);

/// A step whose printed counts are right.
fn right(name: &'static str, what: &'static str, additions: u64, multiplications: u64) -> Step {
    let counts = cost(additions, multiplications);
    (name, what, counts, counts)
}

fn table(
    name: &'static str,
    meter: &Meter,
    steps: Vec<Step>,
    total: impl Fn(Formulas) -> WordCounts,
) -> Table {
    let counted = |name| {
        meter
            .steps()
            .iter()
            .find(|(known, _)| *known == name)
            .map_or_else(WordCounts::default, |(_, counts)| *counts)
    };
    let line = |(name, what, printed, exact): Step| {
        let line: &str = name.split(',').next().unwrap_or(name);
        Line { what: format!("line {line}: {what}"), counted: counted(name), exact, printed }
    };
    let mut lines: Vec<_> = steps.into_iter().map(line).collect();
    lines.push(Line {
        what: "total".into(),
        counted: meter.counts(),
        exact: total(Formulas::Exact),
        printed: total(Formulas::Printed),
    });
    Table { name, lines }
}

/// Table I: Algorithm 3.
pub(super) fn table_1(sample: &Sample) -> Table {
    let n = sample.montgomery.words() as u64;
    let mut meter = Meter::recording();
    let [a, b, _] = &sample.operands;
    sample.montgomery.reduction.multiply(&mut meter, a, b);
    let steps = vec![
        right("1", "a_0·B", n, n),
        right("2", "q", 0, 1),
        right("3, q·N", "q·N", n, n),
        right("3, Y + qN", "Y + qN", n + 1, 0),
        right("5, a_i·B", "a_i·B", (n - 1) * n, (n - 1) * n),
        right("5, Y + a_i·B", "Y + a_i·B", (n - 1) * (n + 1), 0),
        right("6", "q", 0, n - 1),
        right("7, q·N", "q·N", (n - 1) * n, (n - 1) * n),
        right("7, Y + qN", "Y + qN", (n - 1) * (n + 1), 0),
        right("9", "Y − N", n, 0),
    ];
    table("Table I: Algorithm 3, MontMul", &meter, steps, |formulas| formulas.multiply(n))
}

/// The remarks on the lines of Algorithm 4.
pub(super) fn algorithm_4(sample: &Sample) -> Table {
    let n = sample.montgomery.words() as u64;
    let mut meter = Meter::recording();
    sample.montgomery.reduction.square(&mut meter, &sample.operands[0]);
    let steps = vec![
        right("1", "A' ← A + A", n, 0),
        // For i = n − 1 there is no |2a_(i+1)|.
        ("2", "Ã_0", cost(1, 0), cost(u64::from(n > 1), 0)),
        right("3", "a_0·Ã_0", n, n),
        right("4", "q", 0, 1),
        right("5", "(Y + qN)/2^w", 2 * n + 1, n),
        ("7", "Ã_i", cost(n - 1, 0), cost(n.max(2) - 2, 0)),
        right("8", "Y + a_i·Ã_i·2^(wi)", n * n - 1, (n - 1) * n / 2),
        right("10", "q", 0, n - 1),
        right("11", "(Y + qN)/2^w", (n - 1) * (2 * n + 1), (n - 1) * n),
        right("14", "Y − N", n, 0),
    ];
    table("Algorithm 4, MontSqu, by its lines", &meter, steps, |formulas| formulas.square(n))
}

/// Table III: Algorithm 5.
pub(super) fn table_3(sample: &Sample) -> Table {
    let n = sample.montgomery.words() as u64;
    let mut meter = Meter::recording();
    let [a, b, c] = &sample.operands;
    sample.montgomery.reduction.combined(&mut meter, a, b, c);
    let steps = vec![
        right("2, b_(n-1)·X", "b_(n−1)·X", n, n),
        right("2, c_(n-1)·X", "c_(n−1)·X", n, n),
        right("4", "q", 0, n - 1),
        right("5, q·N", "q·N", (n - 1) * n, (n - 1) * n),
        right("5, X + qN", "X + qN", (n - 1) * (n + 1), 0),
        right("6, b_j·X", "b_j·X", (n - 1) * n, (n - 1) * n),
        right("6, Y + b_j·X", "Y + b_j·X", (n - 1) * (n + 2), 0),
        right("6, c_j·X", "c_j·X", (n - 1) * n, (n - 1) * n),
        right("6, Z + c_j·X", "Z + c_j·X", (n - 1) * (n + 2), 0),
        right("7", "two SmallReds, n' = n + 2", 4 * n + 4, 2 * n + 2),
        right("8", "two SmallReds, n' = n + 1", 4 * n + 2, 2 * n + 2),
    ];
    table("Table III: Algorithm 5, CombinedMontMul", &meter, steps, |formulas| formulas.combined(n))
}

/// Table IV: Algorithm 7.
pub(super) fn table_4(sample: &Sample) -> Table {
    let n = sample.montgomery.words() as u64;
    let mut meter = Meter::recording();
    let [a, b, _] = &sample.operands;
    let prepared = sample.montgomery.reduction.prepare(&mut Meter::new(), a);
    sample.montgomery.reduction.multiply_prepared(&mut meter, b, &prepared);
    let steps = vec![
        right("1", "b_0·A^(0)", n, n),
        right("3, b_j·A^(j)", "b_j·A^(j)", (n - 1) * n, (n - 1) * n),
        right("3, Y + b_j·A^(j)", "Y + b_j·A^(j)", (n - 1) * (n + 2), 0),
        right("4", "SmallRed, n' = n + 2", 2 * n + 2, n + 1),
        right("5", "SmallRed, n' = n + 1", 2 * n + 1, n + 1),
    ];
    table("Table IV: Algorithm 7, MultByComOp", &meter, steps, |formulas| formulas.multiply_prepared(n))
}

/// A step that consists of several operations.
fn calls(
    name: &'static str,
    what: &'static str,
    times: u64,
    operation: &dyn Fn(Formulas) -> WordCounts,
) -> Step {
    (name, what, operation(Formulas::Printed).times(times), operation(Formulas::Exact).times(times))
}

/// Table VI: Algorithm 9.
pub(super) fn table_6(sample: &Sample, size: Size) -> Result<Table, Error> {
    let method = Exponentiation::RightToLeft { t: size.t };
    let meter = sample.power(method, Form::CommonOperand, size.bits)?;
    let (n, k, squarings) = (size.n, size.digits(), (u64::from(size.t) - 1) * size.digits());
    let multiply = |formulas: Formulas| formulas.multiply(n);
    let square = |formulas: Formulas| formulas.square(n);
    let reduction = |formulas: Formulas| formulas.small_reduction(n, n);
    let combined = |formulas: Formulas| formulas.combined(n);
    let steps = vec![
        calls("2, MM", "MontMul", 1, &multiply),
        calls("2, SR", "SmallRed", 1, &reduction),
        calls("6", "k CombinedMontMul", k, &combined),
        calls("8, MS", "(t − 1)k MontSqu", squarings, &square),
        calls("8, SR", "(t − 1)k SmallRed", squarings, &reduction),
        calls("11", "MontMul", 1, &multiply),
        calls("12", "SmallRed", 1, &reduction),
        calls("14", "2^t − 2 CombinedMontMul", (1 << size.t) - 2, &combined),
        calls("15, MM", "MontMul", 1, &multiply),
        calls("15, SR", "SmallRed", 1, &reduction),
        calls("16, MM", "MontMul", 1, &multiply),
        calls("16, SR", "SmallRed", 1, &reduction),
    ];
    let total = |formulas: Formulas| formulas.exponentiation(method, Form::CommonOperand, n, k);
    Ok(table("Table VI: Algorithm 9, right-to-left", &meter, steps, total))
}

/// Table VII: Algorithm 10.
pub(super) fn table_7(sample: &Sample, size: Size) -> Result<Table, Error> {
    let method = Exponentiation::LeftToRight { t: size.t };
    let meter = sample.power(method, Form::CommonOperand, size.bits)?;
    let (n, k, entries) = (size.n, size.digits(), (1 << size.t) - 1);
    let multiply = |formulas: Formulas| formulas.multiply(n);
    let square = |formulas: Formulas| formulas.square(n);
    let reduction = |formulas: Formulas| formulas.small_reduction(n, n);
    let prepare = |formulas: Formulas| formulas.prepare(n);
    let multiply_prepared = |formulas: Formulas| formulas.multiply_prepared(n);
    let steps = vec![
        calls("2", "MontMul", 1, &multiply),
        calls("3", "SmallRed", 1, &reduction),
        calls("5", "PrecompMultByComOp", 1, &prepare),
        calls("7", "2^t − 1 MultByComOp", entries, &multiply_prepared),
        calls("8", "2^t − 1 PrecompMultByComOp", entries, &prepare),
        calls("12, MS", "tk MontSqu", u64::from(size.t) * k, &square),
        calls("12, SR", "tk SmallRed", u64::from(size.t) * k, &reduction),
        calls("13", "k MultByComOp", k, &multiply_prepared),
        calls("15, MM", "MontMul", 1, &multiply),
        calls("15, SR", "SmallRed", 1, &reduction),
    ];
    let total = |formulas: Formulas| formulas.exponentiation(method, Form::CommonOperand, n, k);
    Ok(table("Table VII: Algorithm 10, left-to-right", &meter, steps, total))
}
