//! Formats the tables as Markdown for `docs/common-operand.md`.

use alloc::{format, string::String, vec::Vec};

use super::{
    super::{
        exponentiation::{Exponentiation, Form},
        formulas::Formulas,
        word::WordCounts,
    },
    all::tables,
    claims::{best_window, savings, stored_words},
    sample::{Sample, Size, Table},
    totals::{TABLE_9, TABLE_9_IMPROVEMENTS, TABLE_9_PRINTED, TABLE_10_PRINTED, exponentiations, name},
};
use moduli::Error;

/// All counts for the page as Markdown, one table after another: Tables I to IX, the claims of
/// sections III and V, the memory of Algorithm 10, and the sizes for Table X.
///
/// # Errors
/// None for these sizes.
pub fn common_operand_text() -> Result<String, Error> {
    let texts = [nine_tables()?, thousands(TABLE_9)?, real_modulus()?, savings_text()?, memory()?, sizes()];
    Ok(texts.join("\n"))
}

fn percent(before: u64, after: u64) -> String {
    format!("{:.1} %", 100.0 * (1.0 - after as f64 / before as f64))
}

/// A printed value, in bold if it differs from the counted one.
fn marked(printed: u64, counted: u64) -> String {
    if printed == counted { format!("{printed}") } else { format!("**{printed}**") }
}

fn table_text(table: &Table) -> String {
    let mut text = format!(
        "| {} | ADD counted | formula | printed | MUL counted | formula | printed |\n\
         |:--|--:|--:|--:|--:|--:|--:|\n",
        table.name
    );
    for line in &table.lines {
        let (counted, exact, printed) = (line.counted, line.exact, line.printed);
        text += &format!(
            "| {} | {} | {} | {} | {} | {} | {} |\n",
            line.what,
            counted.additions,
            exact.additions,
            marked(printed.additions, counted.additions),
            counted.multiplications,
            exact.multiplications,
            marked(printed.multiplications, counted.multiplications),
        );
    }
    text
}

/// Tables I to VIII for the size of Table IX.
fn nine_tables() -> Result<String, Error> {
    Ok(tables(TABLE_9)?.iter().map(table_text).collect::<Vec<_>>().join("\n"))
}

/// Table IX: thousands of ADD and MUL.
fn thousands(size: Size) -> Result<String, Error> {
    let mut text = String::from(
        "| Table IX, thousands | ADD counted | Table VIII | printed | MUL counted | Table VIII | printed |\n\
         |:--|--:|--:|--:|--:|--:|--:|\n",
    );
    let sample = Sample::new(size.n)?;
    let mut plain = WordCounts::default();
    for ((method, form), printed) in exponentiations(size.t).zip(TABLE_9_PRINTED) {
        let counted = sample.power(method, form, size.bits)?.counts();
        let table_8 = Formulas::Printed.exponentiation(method, form, size.n, size.k(method));
        text += &format!(
            "| {} | {:.1} | {:.1} | {} | {:.1} | {:.1} | {} |\n",
            name(method, form),
            counted.additions as f64 / 1e3,
            table_8.additions as f64 / 1e3,
            printed.0,
            counted.multiplications as f64 / 1e3,
            table_8.multiplications as f64 / 1e3,
            printed.1,
        );
        if form == Form::Plain {
            plain = counted;
            continue;
        }
        let (additions, multiplications) = match method {
            Exponentiation::Ladder => TABLE_9_IMPROVEMENTS[0],
            Exponentiation::RightToLeft { .. } => TABLE_9_IMPROVEMENTS[1],
            Exponentiation::LeftToRight { .. } => TABLE_9_IMPROVEMENTS[2],
        };
        let table_8_plain = Formulas::Printed.exponentiation(method, Form::Plain, size.n, size.k(method));
        text += &format!(
            "| improvement | {} | {} | {additions} % | {} | {} | {multiplications} % |\n",
            percent(plain.additions, counted.additions),
            percent(table_8_plain.additions, table_8.additions),
            percent(plain.multiplications, counted.multiplications),
            percent(table_8_plain.multiplications, table_8.multiplications),
        );
    }
    Ok(text)
}

/// The same for a modulus of exactly 2048 bits, which takes one more word.
fn real_modulus() -> Result<String, Error> {
    let mut text = String::from(
        "| A modulus of exactly 2048 bits: n = 33 | ADD counted | more than at n = 32 | MUL counted | more |\n\
         |:--|--:|--:|--:|--:|\n",
    );
    let samples = (Sample::new(TABLE_9.n)?, Sample::new(TABLE_9.n + 1)?);
    for (method, form) in exponentiations(TABLE_9.t) {
        let short = samples.0.power(method, form, TABLE_9.bits)?.counts();
        let long = samples.1.power(method, form, TABLE_9.bits)?.counts();
        let more = |long: u64, short: u64| 100.0 * (long as f64 / short as f64 - 1.0);
        text += &format!(
            "| {} | {} | {:.1} % | {} | {:.1} % |\n",
            name(method, form),
            long.additions,
            more(long.additions, short.additions),
            long.multiplications,
            more(long.multiplications, short.multiplications),
        );
    }
    Ok(text)
}

/// Section III: the savings, ADD / MUL.
fn savings_text() -> Result<String, Error> {
    let columns = [1, 2, 3, 4, 5, 8, 16, 32, 64].map(|n| Ok((n, savings(n)?)));
    let columns = columns.into_iter().collect::<Result<Vec<_>, Error>>()?;
    let mut text = String::from("| saved, ADD / MUL |");
    columns.iter().for_each(|(n, _)| text += &format!(" n = {n} |"));
    text += "\n|:--|";
    columns.iter().for_each(|_| text += "--:|");
    for row in 0..columns[0].1.len() {
        text += &format!("\n| {} |", columns[0].1[row].what);
        for (_, savings) in &columns {
            let (additions, multiplications) = savings[row].shares();
            text += &format!(" {:.1} / {:.1} % |", 100.0 * additions, 100.0 * multiplications);
        }
    }
    Ok(text + "\n")
}

/// Algorithm 10: its memory.
fn memory() -> Result<String, Error> {
    let mut text = String::from(
        "| modulus | n | words stored, t = 5 | KiB | n² · 2^t words | paper |\n|--:|--:|--:|--:|--:|--:|\n",
    );
    for (bits, paper) in [(1024, ""), (2048, "256 KB"), (4096, "1 MB")] {
        for n in [bits / 64, bits / 64 + 1] {
            let words = stored_words(n, 5)?;
            let paper = if n == bits / 64 { paper } else { "" };
            text += &format!(
                "| {} | {n} | {words} | {} | {} | {paper} |\n",
                if n == bits / 64 { format!("{} bits", bits - 2) } else { format!("{bits} bits") },
                words * 8 / 1024,
                n * n * 32,
            );
        }
    }
    Ok(text)
}

/// The sizes for Table X, its timings per counted word operation, and the windows with the least
/// ADD + MUL.
fn sizes() -> String {
    let mut text = String::from(
        "| Table X | bits | n | t | k | ADD + MUL, thousands | fewer | cycles printed, thousands | fewer | \
         cycles an operation | least ADD + MUL at t |\n\
         |:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for (column, bits) in [1024u32, 2048, 4096].into_iter().enumerate() {
        let size = Size { n: u64::from(bits) / 64, t: 5, bits };
        let mut plain = (0, 0);
        for ((method, form), printed) in exponentiations(size.t).zip(TABLE_10_PRINTED) {
            let counts = Formulas::Exact.exponentiation(method, form, size.n, size.k(method));
            let (sum, cycles) = (counts.additions + counts.multiplications, printed[column]);
            let fewer = match form {
                Form::Plain => {
                    plain = (sum, cycles);
                    (String::new(), String::new())
                }
                Form::CommonOperand => (percent(plain.0, sum), percent(plain.1, cycles)),
            };
            let best = |method: fn(u32) -> Exponentiation| best_window(size.n, bits, method, form).0;
            let (t, best) = match method {
                Exponentiation::Ladder => (String::new(), String::new()),
                Exponentiation::RightToLeft { t } => {
                    (format!("{t}"), format!("{}", best(|t| Exponentiation::RightToLeft { t })))
                }
                Exponentiation::LeftToRight { t } => {
                    (format!("{t}"), format!("{}", best(|t| Exponentiation::LeftToRight { t })))
                }
            };
            text += &format!(
                "| {} | {bits} | {} | {t} | {} | {:.0} | {} | {cycles} | {} | {:.2} | {best} |\n",
                name(method, form),
                size.n,
                size.k(method),
                sum as f64 / 1e3,
                fewer.0,
                fewer.1,
                cycles as f64 * 1e3 / sum as f64,
            );
        }
    }
    text
}
