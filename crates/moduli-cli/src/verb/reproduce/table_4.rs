//! Table 4 of m0m1, measured: comb, radix-R and m0m1 with its parameters, on the kernel that
//! resembles GMP and on the fastest.

use crypto_bigint::BoxedUint;
use moduli::{Error, FixedBase, Modulus};
use moduli_papers::printed::{TABLE_4, Table4Row, m0m1_table_4_printed};
use serde_json::{Value, json};

use super::{
    machine,
    report::{Grid, Part, rounded},
    subjects::{Sequence, moduli},
    table_4_products::{self, Measured, Ratios},
    timing::{Times, Work, by_turns},
};
use crate::{failure::Failure, io::progress::Bar};

/// The largest table of the short form, in kB.
const QUICK_KILOBYTES: f64 = 16_000.0;

/// The number of exponents, and of rounds with each.
const EXPONENTS: usize = 8;
const ROUNDS: usize = 20;
const MOST_ROUNDS: usize = 120;

const COLUMNS: [&str; 13] = [
    "t",
    "field",
    "kernel",
    "comb",
    "radix-R",
    "m0m1",
    "comb, 10³ cycles, printed → ours",
    "radix-R, 10³ cycles",
    "m0m1, 10³ cycles",
    "m0m1 / comb",
    "m0m1 / radix-R",
    "m0m1 / better of both",
    "±",
];

/// Steps of the bar.
pub fn steps(quick: bool) -> u64 {
    TABLE_4.iter().filter(|row| is_measured(row, quick)).count() as u64
}

fn is_measured(row: &Table4Row, quick: bool) -> bool {
    !quick || row.kilobytes().iter().all(|&kilobytes| kilobytes <= QUICK_KILOBYTES)
}

/// Measures, and checks the printed values for consistency.
pub fn run(quick: bool, bar: &Bar) -> Result<Part, Failure> {
    let mut part = Part::of(&[m0m1_table_4_printed()]);
    let (mut rows, mut measured) = (Vec::new(), Vec::new());
    let mut left_out = Vec::new();
    for row in TABLE_4.iter().filter(|row| is_measured(row, quick)) {
        let bytes: f64 = row.kilobytes().iter().sum::<f64>() * 1100.0;
        if machine::free_memory().is_some_and(|free| bytes > 0.8 * free as f64) {
            left_out.push(format!("t = {}, {}", row.exponent_bits, row.methods()[0]));
        } else {
            for modulus in moduli(row.field_bits)? {
                let times = measure(row, &modulus, quick)?;
                let ratios = ratios(&times);
                rows.push(line(row, modulus.kernel_name(), &times, ratios));
                measured.push(Measured { row, kernel: modulus.kernel_name().to_owned(), ratios });
            }
        }
        bar.inc(1);
    }
    part.tables.push(Grid {
        title: "Table 4, measured".to_owned(),
        about: String::new(),
        columns: COLUMNS.to_vec(),
        rows,
    });
    part.tables.push(table_4_products::grid(&measured, exponents)?);
    part.notes.push(format!(
        "Exponentiations of public exponents, as in the paper: {EXPONENTS} random exponents, {ROUNDS} rounds with \
         each after one for warming up, and up to {MOST_ROUNDS} if the times do not settle (--quick: no more). \
         Each round runs the three methods in turn. The time is the mean over exponents of the minimum for each \
         exponent, as in the paper. Before the timing, all results are compared with each other, and some with an \
         exponentiation without a table. Cycles are core cycles, measured by a chain of products that is timed in \
         each round. The printed cycles are of a Xeon E5-2650 with GMP's multiplication. ± is the difference \
         between the minima of even and of odd rounds, the largest of the three methods."
    ));
    if quick {
        part.notes.push(format!("The short form leaves out rows with a table above {QUICK_KILOBYTES} kB."));
    }
    if !left_out.is_empty() {
        part.notes
            .push(format!("Left out because they need more memory than there is: {}.", left_out.join("; ")));
    }
    Ok(part)
}

/// The timed exponents, which are always the same.
pub fn exponents(row: &Table4Row) -> Vec<BoxedUint> {
    let mut sequence = Sequence(u64::from(row.exponent_bits));
    (0..EXPONENTS).map(|_| sequence.below(row.exponent_bits)).collect()
}

fn measure(row: &Table4Row, modulus: &Modulus, quick: bool) -> Result<Vec<Times>, Failure> {
    // A power of two is invertible modulo any odd number; this one has the full length.
    let base = modulus.pow_vartime(&BoxedUint::from(2u64), &BoxedUint::from(1_000_003u64))?;
    let build =
        |method| FixedBase::builder(modulus, &base).exponent_bits(row.exponent_bits).method(method).build();
    let tables = row.methods().map(build).into_iter().collect::<Result<Vec<_>, Error>>()?;
    let exponents = exponents(row);
    for (i, exponent) in exponents.iter().enumerate() {
        let expected = tables[0].pow_vartime(exponent)?;
        let mut are_equal = i > 1 || modulus.pow_vartime(&base, exponent)? == expected;
        for table in &tables[1..] {
            are_equal &= table.pow_vartime(exponent)? == expected;
        }
        if !are_equal {
            let methods = row.methods();
            return Err(Failure::Wrong(format!("{}, {} and {} differ", methods[0], methods[1], methods[2])));
        }
    }
    let works: Vec<Work<'_>> = tables
        .iter()
        .map(|table| {
            let exponents = &exponents;
            Box::new(move |i: usize| {
                std::hint::black_box(table.pow_vartime(&exponents[i])?);
                Ok(())
            }) as Work<'_>
        })
        .collect();
    by_turns(&works, EXPONENTS, ROUNDS..=if quick { ROUNDS } else { MOST_ROUNDS })
}

/// The ratios with three decimal places, as printed.
fn ratios(times: &[Times]) -> Ratios {
    let over = |other: usize| rounded(times[2].over(&times[other]), 3);
    Ratios { over_comb: over(0), over_radix: over(1) }
}

fn line(row: &Table4Row, kernel: &str, times: &[Times], ratios: Ratios) -> Vec<Value> {
    let mut line = vec![json!(row.exponent_bits), json!(row.field_bits), json!(kernel)];
    line.extend(
        row.methods().iter().zip(row.kilobytes()).map(|(method, kb)| json!(format!("{method}, {kb} kB"))),
    );
    for (times, printed) in times.iter().zip(row.cycles()) {
        let ours = times.kilocycles.map_or("–".to_owned(), |cycles| format!("{cycles:.1}"));
        line.push(json!(format!("{:.1} → {ours} ({:.0} µs)", printed as f64 / 1e3, times.microseconds)));
    }
    let [comb, radix, m0m1] = row.cycles().map(|cycles| cycles as f64);
    let Ratios { over_comb, over_radix } = ratios;
    for (printed, found) in [
        (m0m1 / comb, over_comb),
        (m0m1 / radix, over_radix),
        (m0m1 / comb.min(radix), over_comb.max(over_radix)),
    ] {
        line.push(json!(format!("{printed:.3} → {found:.3}")));
    }
    let spread = times.iter().map(|times| times.spread).fold(0.0, f64::max);
    line.push(json!(format!("{} %", rounded(100.0 * spread, 1))));
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_stands_in_its_column() {
        let times = [(20.0, 80.0, 0.001), (40.0, 160.0, 0.004), (10.0, 40.0, 0.002)].map(
            |(microseconds, kilocycles, spread)| Times { microseconds, kilocycles: Some(kilocycles), spread },
        );
        let line = line(&TABLE_4[1], "adx", &times, ratios(&times));
        let expected = json!([
            224,
            2048,
            "adx",
            "comb:13,1, 2047.5 kB",
            "radix:163, 1324 kB",
            "m0m1:127,7, 766 kB",
            "210.1 → 80.0 (20 µs)",
            "206.9 → 160.0 (40 µs)",
            "207.1 → 40.0 (10 µs)",
            "0.986 → 0.500",
            "1.001 → 0.250",
            "1.001 → 0.500",
            "0.4 %",
        ]);
        assert_eq!(json!(line), expected);
        assert_eq!(line.len(), COLUMNS.len());
    }
}
