//! Formats the tables as Markdown.

use crate::{
    candidates::{Contest, Form},
    measure::{Costs, Value},
    model::{BreakEven, BySelection},
};

const BEGIN: &str = "<!-- measured: begin -->";
const END: &str = "<!-- measured: end -->";

/// Replaces the part of the page between its marks.
pub fn between_marks(page: &str, tables: &str) -> Result<String, String> {
    let marks = page.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let (before, after) = marks.ok_or(format!("the page lacks {BEGIN} and {END}"))?;
    Ok(format!("{before}{BEGIN}\n\n{}\n{END}{after}", tables.trim_start()))
}

/// The machine and the costs of the operations.
pub fn head(machine: &[String], costs: &Costs) -> String {
    let mut text = String::new();
    for line in machine {
        text += &format!("- {line}\n");
    }
    let ratio = |value: Value| format!("{:.3} ±{:.3}", value.median, value.spread);
    text += &format!(
        "- An addition takes {:.0} ±{:.0} ns; in additions, a doubling {}, a negation {}, a selection {}\n",
        costs.addition.median,
        costs.addition.spread,
        ratio(costs.doubling),
        ratio(costs.negation),
        ratio(costs.selection),
    );
    text
}

fn bytes(bytes: usize) -> String {
    format!("{:.1}", bytes as f64 / 1024.0)
}

fn lines(contests: &[Contest]) -> String {
    let mut text = String::from(
        "| | method | entries | KiB | additions | doublings | selections | model | µs | ratio |\n\
         |:--|:--|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for contest in contests {
        for line in &contest.lines {
            let counts = line.counts.map_or(" |  | ".into(), |[additions, doublings, selections]| {
                format!("{additions:.1} | {doublings:.1} | {selections:.0}")
            });
            text += &format!(
                "| {} | {} | {} | {} | {counts} | {} | {:.2} | {:.3} ±{:.3} |\n",
                contest.title,
                line.name,
                line.entries,
                bytes(line.bytes),
                line.price.map_or(String::new(), |price| format!("{price:.1}")),
                line.timing.time.median / 1000.0,
                line.timing.ratio.median,
                line.timing.ratio.spread,
            );
        }
    }
    text
}

/// The comparisons for one form.
pub fn contests(form: Form, contests: &[Contest]) -> String {
    let title = if form == Form::Public { "Variable-time" } else { "Constant-time" };
    format!("\n### {title}\n\n{}", lines(contests))
}

/// The comparisons with dalek's tables.
pub fn dalek(contests: &[Contest]) -> String {
    format!("\n### Beside dalek's tables, constant-time\n\n{}", lines(contests))
}

fn percent(gain: f64) -> String {
    format!("{:+.1} %", 100.0 * gain)
}

fn ranges(ranges: &[(f64, f64)]) -> String {
    let ranges: Vec<String> = ranges.iter().map(|(from, to)| format!("{from:.2}–{to:.2}")).collect();
    if ranges.is_empty() { "nowhere".into() } else { ranges.join(", ") }
}

/// The ratios at which residue digits win.
pub fn break_even(found: &[BreakEven]) -> String {
    let mut text = String::from(
        "\n### Where residue digits win, by counts\n\n\
         | KiB | form | method | wins for D/A in | at the measured D/A | at 1 | at 1.5 | over one-table combs for D/A in |\n|--:|:--|:--|:--|--:|--:|--:|:--|\n",
    );
    for row in found {
        let (wins, over_one_table) = (ranges(&row.wins), ranges(&row.wins_over_one_table));
        let [measured, one, more] = row.gains.map(|gain| gain.map_or("does not fit".into(), percent));
        let form = if row.form == Form::Public { "variable-time" } else { "constant-time" };
        text += &format!(
            "| {} | {form} | {} | {wins} | {measured} | {one} | {more} | {over_one_table} |\n",
            row.budget >> 10,
            row.method
        );
    }
    text
}

/// The constant-time winners for each cost of a masked read.
pub fn selections(found: &[BySelection]) -> String {
    let mut text = String::from(
        "\n### Constant-time, by the cost of reading an entry\n\n\
         | KiB | a selection, in additions | best of radix and combs | residue digits | gain | signed residue digits | gain |\n|--:|--:|:--|:--|--:|:--|--:|\n",
    );
    for row in found {
        let [repaired, signed] =
            row.residues.each_ref().map(|(shape, gain)| format!("{shape} | {}", percent(*gain)));
        text += &format!(
            "| {} | {:.4} | {} | {repaired} | {signed} |\n",
            row.budget >> 10,
            row.selection,
            row.other
        );
    }
    text
}
