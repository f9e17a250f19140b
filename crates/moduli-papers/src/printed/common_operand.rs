//! The paper on products by a common operand: its Tables I to X, and claims of its text.

use alloc::{format, vec, vec::Vec};

use super::cell::{Compared, Precision, PrintedTable};
use crate::common_operand::{
    Exponentiation, Form, Formulas, Sample, TABLE_9, TABLE_9_IMPROVEMENTS, TABLE_9_PRINTED,
    TABLE_10_IMPROVEMENTS, TABLE_10_PRINTED, WordCounts, exponentiations, name, savings, slip, stored_words,
    tables,
};
use moduli::Error;

/// A number of words for the formulas that represents "large n".
const LARGE: u64 = 1 << 20;

/// Tables I to VIII and the lines of Algorithm 4 for n = 32, t = 5, k = 410, then Table IX. All
/// values are counted.
///
/// # Errors
/// None for this size.
pub fn common_operand_tables() -> Result<Vec<PrintedTable>, Error> {
    const NAMES: [&str; 9] = [
        "common operand, Table I",
        "common operand, Algorithm 4",
        "common operand, Table II",
        "common operand, Table III",
        "common operand, Table IV",
        "common operand, Table V",
        "common operand, Table VI",
        "common operand, Table VII",
        "common operand, Table VIII",
    ];
    let mut printed = Vec::new();
    for (table, name) in tables(TABLE_9)?.iter().zip(NAMES) {
        let mut cells = Vec::new();
        for line in &table.lines {
            let counts = [
                ("ADD", line.printed.additions, line.counted.additions),
                ("MUL", line.printed.multiplications, line.counted.multiplications),
            ];
            for (i, (column, in_print, counted)) in counts.into_iter().enumerate() {
                let cell = Compared::count(&line.what, column, in_print, counted);
                cells.push(match slip(table, &line.what, TABLE_9) {
                    None => cell,
                    Some(slip) => {
                        let of = |counts: (u64, u64)| [counts.0, counts.1][i] as f64;
                        cell.because(slip.reason, counted as f64 + of(slip.too_much) - of(slip.left_out))
                    }
                });
            }
        }
        let about =
            "The printed formulas at n = 32, t = 5, k = 410, compared with counters in the word operations.";
        printed.push(PrintedTable { name, about, cells });
    }
    printed.push(table_9()?);
    Ok(printed)
}

fn saved(plain: f64, other: f64) -> f64 {
    100.0 * (1.0 - other / plain)
}

fn both(counts: WordCounts) -> [f64; 2] {
    [counts.additions as f64 / 1e3, counts.multiplications as f64 / 1e3]
}

/// The ladder's MUL in Table IX: it contains 5n/2 instead of Table VIII's 7n/2.
fn ladder_slip() -> f64 {
    let (n, k) = (TABLE_9.n, u64::from(TABLE_9.bits));
    (k * (7 * n * n / 2 + 5 * n / 2 - 1) + 4 * n * n + 2 * n) as f64 / 1e3
}

fn table_9() -> Result<PrintedTable, Error> {
    let sample = Sample::new(TABLE_9.n)?;
    let mut cells = Vec::new();
    let mut plain = [0.0; 2];
    for (i, ((method, form), printed)) in exponentiations(TABLE_9.t).zip(TABLE_9_PRINTED).enumerate() {
        let row = name(method, form);
        let counted = both(sample.power(method, form, TABLE_9.bits)?.counts());
        let table_8 = both(Formulas::Printed.exponentiation(method, form, TABLE_9.n, TABLE_9.k(method)));
        let in_print = [printed.0 as f64, printed.1 as f64];
        for (j, column) in ["ADD, thousands", "MUL, thousands"].into_iter().enumerate() {
            let cell = Compared::new(&row, column, in_print[j], Precision::Unit(1.0), counted[j]);
            cells.push(if (method, form, j) == (Exponentiation::Ladder, Form::Plain, 1) {
                cell.because(
                    "Table VIII's formula gives 7571.5; with 5n/2 in place of its 7n/2, it gives the printed value",
                    ladder_slip(),
                )
            } else {
                cell.because("computed by Table VIII's formula, with its slips", table_8[j])
            });
        }
        if form == Form::Plain {
            plain = counted;
            continue;
        }
        let before = TABLE_9_PRINTED[i - 1];
        let own = [saved(before.0 as f64, in_print[0]), saved(before.1 as f64, in_print[1])];
        let improvements = TABLE_9_IMPROVEMENTS[i / 2];
        for (j, printed) in [improvements.0, improvements.1].into_iter().enumerate() {
            let column = ["ADD, % saved", "MUL, % saved"][j];
            let whole = (printed - printed as u64 as f64).abs() < 1e-9;
            let unit = Precision::Unit(if whole { 1.0 } else { 0.1 });
            let cell = Compared::new(&row, column, printed, unit, saved(plain[j], counted[j]));
            cells.push(if unit.prints(own[j], printed) {
                cell.because("computed from the printed counts, not from the true ones", own[j])
            } else {
                cell.because(format!("off by a tenth: the printed counts give {:.1}", own[j]), None)
            });
        }
    }
    Ok(PrintedTable {
        name: "common operand, Table IX",
        about: "Thousands of word operations of whole exponentiations with a modulus of 2046 bits, the exponent of 2048, and digits \
                of 5 bits, counted; and the savings.",
        cells,
    })
}

/// Claims of the text: savings in section III, the abstract and section V, and the memory of
/// Algorithm 10.
///
/// # Errors
/// None for these sizes.
pub fn common_operand_claims() -> Result<PrintedTable, Error> {
    let mut cells = Vec::new();
    let n = TABLE_9.n;
    let found = savings(n)?;
    let share = |what: &str| {
        let saving = found.iter().find(|saving| saving.what == what);
        saving.map_or([f64::NAN; 2], |saving| {
            let shares = saving.shares();
            [100.0 * shares.0, 100.0 * shares.1]
        })
    };
    let of = |counts: WordCounts| [counts.additions as f64, counts.multiplications as f64];
    let formulas = Formulas::Printed;
    let two = |size| [of(formulas.multiply(size).times(2)), of(formulas.combined(size))];
    let square = |size| [of(formulas.multiply(size) + formulas.square(size)), of(formulas.combined(size))];
    let many = |size: u64| {
        let prepared = formulas.multiply_prepared(size).times(4 * size) + formulas.prepare(size);
        [of(formulas.multiply(size).times(4 * size)), of(prepared)]
    };
    let rows = [
        ("AB, AC", "section III: two products by A", 25.0, two(LARGE)),
        ("AB, A²", "section III: product and squaring", 13.0, square(n)),
        ("ℓ = 4n", "section III: many products by A", 50.0, many(1 << 10)),
    ];
    for (what, row, printed, [before, after]) in rows {
        for (j, column) in ["ADD, % saved", "MUL, % saved"].into_iter().enumerate() {
            let cell = Compared::new(
                row,
                format!("{column} at n = {n}"),
                printed,
                Precision::Unit(1.0),
                share(what)[j],
            );
            cells.push(if what == "AB, A²" {
                cell.because(
                    "by Table II's squaring, whose MUL count is n − 1 too high",
                    saved(before[j], after[j]),
                )
            } else {
                cell.because(
                    "the share of the leading terms, which is the limit for large n",
                    saved(before[j], after[j]),
                )
            });
        }
    }
    for (bits, printed) in [(2048u64, 256), (4096, 1024)] {
        let kilobytes = stored_words(bits / 64, 5)? * 8 / 1024;
        cells.push(Compared::count(
            "section V: memory of Algorithm 10",
            format!("{bits} bits, KB"),
            printed,
            kilobytes,
        ));
    }
    Ok(PrintedTable {
        name: "common operand, claims of the text",
        about: "What sections III and V say apart from the tables, compared with counts; the memory is for t = 5.",
        cells,
    })
}

/// The improvements in Table X and those computed from its own cycles. Measured ratios are not
/// compared.
pub fn table_10_improvements() -> PrintedTable {
    let mut cells = vec![];
    for (i, (method, form)) in exponentiations(5).enumerate().filter(|(i, _)| i % 2 == 1) {
        for (column, bits) in [1024, 2048, 4096].into_iter().enumerate() {
            let [before, after] = [i - 1, i].map(|i| TABLE_10_PRINTED[i][column]);
            let own = saved(before as f64, after as f64);
            let printed = TABLE_10_IMPROVEMENTS[i / 2][column];
            let unit = Precision::Unit(if printed < 0.0 { 1.0 } else { 0.1 });
            let cell = Compared::new(name(method, form), format!("{bits} bits, % saved"), printed, unit, own);
            let reason =
                format!("a slip: the printed cycles, {before} and {after} thousand, give {own:.1} %");
            cells.push(cell.because(reason, None));
        }
    }
    PrintedTable {
        name: "common operand, Table X in itself",
        about: "The printed improvements, compared with those that the printed cycles give.",
        cells,
    }
}
