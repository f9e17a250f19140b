//! Tables II, V, VIII and IX: complete operations and exponentiations.

use alloc::{format, string::String, vec, vec::Vec};

use super::{
    super::{
        exponentiation::{Exponentiation, Form},
        formulas::Formulas,
        word::{Meter, Word, WordCounts},
    },
    sample::{Line, Sample, Size, Table},
};
use moduli::Error;

/// The six exponentiations, in the order of the paper's tables.
pub(crate) fn exponentiations(t: u32) -> impl Iterator<Item = (Exponentiation, Form)> {
    [Exponentiation::Ladder, Exponentiation::RightToLeft { t }, Exponentiation::LeftToRight { t }]
        .into_iter()
        .flat_map(|method| [(method, Form::Plain), (method, Form::CommonOperand)])
}

pub(crate) fn name(method: Exponentiation, form: Form) -> String {
    let (method, product) = match method {
        Exponentiation::Ladder => ("Montgomery ladder", "CombinedMontMul"),
        Exponentiation::RightToLeft { .. } => ("right-to-left", "CombinedMontMul"),
        Exponentiation::LeftToRight { .. } => ("left-to-right", "MultByComOp"),
    };
    match form {
        Form::Plain => method.into(),
        Form::CommonOperand => format!("{method} with {product}"),
    }
}

fn count(work: impl FnOnce(&mut Meter)) -> WordCounts {
    let mut meter = Meter::new();
    work(&mut meter);
    meter.counts()
}

/// Counts operations on the sample's operands.
impl Sample {
    fn n(&self) -> u64 {
        self.montgomery.words() as u64
    }

    fn small_reduction(&self, words: u64) -> WordCounts {
        let mut x = self.operands[0].clone();
        x.resize(words as usize, Word::ZERO);
        count(|meter| drop(self.montgomery.reduction.small_reduction(meter, &x)))
    }

    /// `times` products by one operand.
    pub(super) fn multiply(&self, times: u64) -> WordCounts {
        let [a, b, _] = &self.operands;
        count(|meter| (0..times).for_each(|_| drop(self.montgomery.reduction.multiply(meter, a, b))))
    }

    pub(super) fn square(&self) -> WordCounts {
        count(|meter| drop(self.montgomery.reduction.square(meter, &self.operands[0])))
    }

    pub(super) fn combined(&self) -> WordCounts {
        let [a, b, c] = &self.operands;
        count(|meter| drop(self.montgomery.reduction.combined(meter, a, b, c)))
    }

    /// `times` products by one operand, including its preparation.
    pub(super) fn prepared(&self, times: u64) -> WordCounts {
        let [a, b, _] = &self.operands;
        let reduction = &self.montgomery.reduction;
        count(|meter| {
            let prepared = reduction.prepare(meter, a);
            (0..times).for_each(|_| drop(reduction.multiply_prepared(meter, b, &prepared)));
        })
    }
}

fn line(what: impl Into<String>, counted: WordCounts, formula: impl Fn(Formulas) -> WordCounts) -> Line {
    let (exact, printed) = (formula(Formulas::Exact), formula(Formulas::Printed));
    Line { what: what.into(), counted, exact, printed }
}

/// Table II.
pub(super) fn table_2(sample: &Sample) -> Table {
    let n = sample.n();
    let mut lines: Vec<_> = [n, n + 1, n + 2]
        .map(|words| {
            let what = format!("SmallRed, n' = {words}");
            line(what, sample.small_reduction(words), |formulas| formulas.small_reduction(n, words))
        })
        .into();
    lines.push(line("MontSqu", sample.square(), |formulas| formulas.square(n)));
    lines.push(line("MontMul", sample.multiply(1), |formulas| formulas.multiply(n)));
    Table { name: "Table II: reduction, multiplication and squaring", lines }
}

/// Table V.
pub(super) fn table_5(sample: &Sample) -> Table {
    let n = sample.n();
    let prepared = |times: u64| {
        move |formulas: Formulas| formulas.multiply_prepared(n).times(times) + formulas.prepare(n)
    };
    let mut lines = vec![
        line("AB, AC: two MontMul", sample.multiply(2), |formulas| formulas.multiply(n).times(2)),
        line("AB, A²: MontMul and MontSqu", sample.multiply(1) + sample.square(), |formulas| {
            formulas.multiply(n) + formulas.square(n)
        }),
        line("AB, AC: CombinedMontMul", sample.combined(), |formulas| formulas.combined(n)),
    ];
    for times in [2, n] {
        let what = format!("AB_i, ℓ = {times}: MontMul");
        lines.push(line(what, sample.multiply(times), |formulas| formulas.multiply(n).times(times)));
        let what = format!("AB_i, ℓ = {times}: MultByComOp and PrecompMultByComOp");
        lines.push(line(what, sample.prepared(times), prepared(times)));
    }
    Table { name: "Table V: two and more products by A", lines }
}

/// Table VIII.
pub(super) fn table_8(sample: &Sample, size: Size) -> Result<Table, Error> {
    let lines = exponentiations(size.t).map(|(method, form)| {
        let counted = sample.power(method, form, size.bits)?.counts();
        let k = size.k(method);
        Ok::<_, Error>(line(name(method, form), counted, |formulas| {
            formulas.exponentiation(method, form, size.n, k)
        }))
    });
    Ok(Table { name: "Table VIII: exponentiations", lines: lines.collect::<Result<_, _>>()? })
}

/// The size for which Table IX was computed. The paper states only the 2048 bits.
pub const TABLE_9: Size = Size { n: 32, t: 5, bits: 2048 };

/// Table IX as printed, in thousands: ADD and MUL of the six exponentiations.
pub const TABLE_9_PRINTED: [(u64, u64); 6] =
    [(15143, 7506), (13183, 6564), (8595, 4296), (8253, 4120), (8466, 4232), (7804, 3896)];

/// The improvements in Table IX, in per cent: ADD and MUL of the three methods.
pub const TABLE_9_IMPROVEMENTS: [(f64, f64); 3] = [(12.9, 12.6), (4.0, 4.1), (7.9, 7.9)];

/// The improvements in Table X, in per cent, for 1024, 2048 and 4096 bits, of the three methods.
pub const TABLE_10_IMPROVEMENTS: [[f64; 3]; 3] = [[9.0, 9.1, 14.6], [0.1, 1.7, 4.0], [-1.0, 3.1, 8.3]];

/// Table X as printed: thousands of cycles on a Core i7-4770 for 1024, 2048 and 4096 bits, of the six
/// exponentiations. The paper does not give t; its memory figures fix t = 5 for Algorithm 10 at 2048 and 4096
/// bits.
pub const TABLE_10_PRINTED: [[u64; 3]; 6] = [
    [3068, 20643, 153_443],
    [2793, 18773, 131_011],
    [1857, 11796, 87081],
    [1855, 11596, 83599],
    [1858, 11734, 83354],
    [1877, 11368, 77745],
];
