//! Claims of the text of m0m1 about its Tables 3 and 4, compared with the tables.

use alloc::{format, vec::Vec};

use super::{
    cell::{Compared, Precision, PrintedTable},
    table_4::TABLE_4,
};
use crate::table3::{Row, table3};

/// t; the label of the row; how many times smaller than the comb; how many per cent less than
/// radix-R.
type Claim = (u32, f64, f64, f64);

/// "5 to 8 times", which is about two rows, is compared separately.
const CLAIMS: [Claim; 3] = [(256, 32.0, 6.0, 44.0), (384, 35.0, 15.0, 19.0), (512, 41.0, 22.0, 27.0)];

fn row(rows: &[Row], t: u32, label: f64) -> Option<&Row> {
    rows.iter().find(|row| row.exponent_bits == t && (row.printed_products - label).abs() < 0.5)
}

/// The printed kB of comb and radix-R, divided by those of m0m1.
fn gains(row: &Row) -> Option<(f64, f64)> {
    let m0m1 = row.m0m1?.printed_kb;
    Some((row.comb.printed_kb / m0m1, 100.0 * (1.0 - m0m1 / row.radix.printed_kb)))
}

/// The gains stated in section 4.3 and in the conclusion, computed from the printed values of
/// Tables 3 and 4.
pub fn m0m1_claims() -> PrintedTable {
    let rows = table3();
    let found = |t, label| row(&rows, t, label).and_then(gains).unwrap_or((f64::NAN, f64::NAN));
    let mut cells = Vec::new();
    for (label, times) in [(30.0, 5.0), (24.0, 8.0)] {
        let name = format!("t = 224, {label} MM");
        let unit = Precision::Unit(1.0);
        cells.push(Compared::new(name, "times less than the comb", times, unit, found(224, label).0));
    }
    let exchanged = "the figures of t = 224 and t = 256 have changed places";
    let percent = Precision::Unit(1.0);
    let best_224 = Compared::new("t = 224, 30 MM", "% less than radix-R", 35.0, percent, found(224, 30.0).1);
    cells.push(best_224.because(exchanged, found(256, 32.0).1));
    for (t, label, times, less) in CLAIMS {
        let name = format!("t = {t}, {label} MM");
        let (comb, radix) = found(t, label);
        cells.push(Compared::new(&name, "times less than the comb", times, Precision::Unit(1.0), comb));
        let cell = Compared::new(&name, "% less than radix-R", less, percent, radix);
        cells.push(cell.because(exchanged, found(224, 30.0).1));
    }
    let last = &TABLE_4[TABLE_4.len() - 1];
    let [comb, radix, m0m1] = last.kilobytes();
    let name = "section 5.2, 512 bits";
    cells.push(Compared::new(name, "times less than the comb", 10.0, Precision::Unit(1.0), comb / m0m1));
    let less = 100.0 * (1.0 - m0m1 / radix);
    cells.push(Compared::new(name, "% less than radix-R", 14.0, percent, less));
    PrintedTable {
        name: "m0m1, gains named in the text",
        about: "The best gains that sections 4.3 and 5.2 name, compared with those that the printed cells of Tables 3 and 4 give.",
        cells,
    }
}
