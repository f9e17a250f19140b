//! Table X of the paper on products by a common operand, measured: six regular exponentiations.

use crypto_bigint::BoxedUint;
use moduli::power::PowerMethod;
use moduli_papers::{
    common_operand::{TABLE_10_IMPROVEMENTS, TABLE_10_PRINTED},
    printed::table_10_improvements,
};
use serde_json::{Value, json};

use super::{
    report::{Grid, Part, rounded},
    subjects::{Sequence, moduli},
    timing::{Times, Work, by_turns},
};
use crate::{failure::Failure, io::progress::Bar};

const SIZES: [u32; 3] = [1024, 2048, 4096];
const WINDOW: u32 = 5;
const NAMES: [&str; 6] = [
    "Montgomery ladder",
    "with CombinedMontMul",
    "right-to-left",
    "with CombinedMontMul",
    "left-to-right",
    "with MultByComOp",
];

fn sizes(quick: bool) -> &'static [u32] {
    if quick { &SIZES[..2] } else { &SIZES }
}

/// Steps of the bar.
pub fn steps(quick: bool) -> u64 {
    sizes(quick).len() as u64
}

/// Measures, and checks the printed values for consistency.
pub fn run(quick: bool, bar: &Bar) -> Result<Part, Failure> {
    let mut part = Part::of(&[table_10_improvements()]);
    let mut rows = Vec::new();
    let (rounds, most) = if quick { (8, 8) } else { (40, 200) };
    for (column, &bits) in sizes(quick).iter().enumerate() {
        for modulus in moduli(bits)? {
            let methods = [
                PowerMethod::Ladder { common_operand: false },
                PowerMethod::Ladder { common_operand: true },
                PowerMethod::RightToLeft { window: WINDOW, common_operand: false },
                PowerMethod::RightToLeft { window: WINDOW, common_operand: true },
                PowerMethod::LeftToRight { window: WINDOW, split: 1 },
                PowerMethod::LeftToRight { window: WINDOW, split: modulus.max_split() },
            ];
            let mut sequence = Sequence(u64::from(bits) + 1);
            let (x, exponent) = (modulus.element(&sequence.below(bits - 1)), sequence.below(bits));
            let power = |method: PowerMethod| -> Result<BoxedUint, Failure> {
                Ok(x.pow_regular_vartime(&exponent, method)?.to_uint())
            };
            let expected = modulus.pow(&x.to_uint(), &exponent);
            for method in methods {
                if power(method)? != expected {
                    return Err(Failure::Wrong(format!("{method} is wrong at {bits} bits")));
                }
            }
            let works: Vec<Work<'_>> = methods
                .iter()
                .map(|&method| {
                    let power = &power;
                    Box::new(move |_| {
                        std::hint::black_box(power(method)?);
                        Ok(())
                    }) as Work<'_>
                })
                .collect();
            let times = by_turns(&works, 1, rounds..=most)?;
            rows.extend((0..NAMES.len()).map(|i| line(column, modulus.kernel_name(), i, &times)));
        }
        bar.inc(1);
    }
    let columns = vec![
        "bits",
        "kernel",
        "exponentiation",
        "10³ cycles, printed → ours",
        "µs",
        "saved, %, printed → ours",
        "±",
    ];
    part.tables.push(Grid { title: "Table X, measured".to_owned(), about: String::new(), columns, rows });
    part.notes.push(format!(
        "Regular exponentiations without masks, as in the paper, digits of {WINDOW} bits, {rounds} rounds in turn, up to {most} \
         if the times do not settle; the minimum counts. Before the timing, results are compared with the \
         constant-time exponentiation. MultByComOp prepares the powers in as many pieces as the kernel accepts, as \
         Algorithm 10 does; fewer pieces are faster (docs/common-operand.md). The printed cycles are of a Core \
         i7-4770 with GMP's word functions. Cycles and ± as in Table 4."
    ));
    if quick {
        part.notes.push("The short form leaves out 4096 bits.".to_owned());
    }
    Ok(part)
}

fn line(column: usize, kernel: &str, i: usize, times: &[Times]) -> Vec<Value> {
    let ours = times[i].kilocycles.map_or("–".to_owned(), |cycles| format!("{cycles:.0}"));
    let saved = if i % 2 == 1 {
        let found = 100.0 * (1.0 - times[i].over(&times[i - 1]));
        json!(format!("{} → {found:.1}", TABLE_10_IMPROVEMENTS[i / 2][column]).replace('-', "−"))
    } else {
        Value::Null
    };
    vec![
        json!(SIZES[column]),
        json!(kernel),
        json!(NAMES[i]),
        json!(format!("{} → {ours}", TABLE_10_PRINTED[i][column])),
        json!(rounded(times[i].microseconds, 0)),
        saved,
        json!(format!("{} %", rounded(100.0 * times[i].spread, 1))),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_stands_in_its_column() {
        let times = [16.0, 8.0, 12.0, 9.0, 6.0, 9.0].map(|microseconds| Times {
            microseconds,
            kilocycles: Some(4.0 * microseconds),
            spread: 0.002,
        });
        let lines: Vec<_> = (0..6).map(|i| json!(line(1, "adx", i, &times))).collect();
        let expected = [
            json!([2048, "adx", NAMES[0], "20643 → 64", 16.0, null, "0.2 %"]),
            json!([2048, "adx", NAMES[1], "18773 → 32", 8.0, "9.1 → 50.0", "0.2 %"]),
            json!([2048, "adx", NAMES[2], "11796 → 48", 12.0, null, "0.2 %"]),
            json!([2048, "adx", NAMES[3], "11596 → 36", 9.0, "1.7 → 25.0", "0.2 %"]),
            json!([2048, "adx", NAMES[4], "11734 → 24", 6.0, null, "0.2 %"]),
            json!([2048, "adx", NAMES[5], "11368 → 36", 9.0, "3.1 → −50.0", "0.2 %"]),
        ];
        assert_eq!(lines, expected);
    }
}
