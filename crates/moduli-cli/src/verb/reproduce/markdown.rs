//! Formats the report as a page.

use std::fmt::Write;

use serde_json::Value;

use super::report::{Cell, Comparison, Grid, Part, Report};

/// The complete page.
pub fn page(report: &Report) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_page(report, &mut text);
    text
}

fn write_page(report: &Report, out: &mut String) -> std::fmt::Result {
    let (machine, tally) = (&report.machine, report.tally());
    writeln!(out, "# The three papers, reproduced\n")?;
    writeln!(
        out,
        "Written by `moduli reproduce`{}. Tables show the printed value and, after an arrow, ours. Values that \
         differ are **bold**, with a letter that refers to the reason under the table. Values are equal if ours, \
         rounded or truncated to the last printed place, is the printed one. A reason that can be computed is \
         computed: it must give the printed value, or the run fails.\n",
        if report.quick { " --quick" } else { "" }
    )?;
    writeln!(
        out,
        "{} printed cells: {} equal, {} different with a reason, {} without.\n",
        tally.cells, tally.equal, tally.explained, tally.unexplained
    )?;
    let load = |load: Option<f64>| load.map_or("unknown".to_owned(), |load| format!("{load:.2}"));
    writeln!(
        out,
        "- Processor: {}; {} cores; kernels {}",
        machine.processor,
        machine.cores,
        machine.kernels.join(", ")
    )?;
    writeln!(
        out,
        "- Date: {}; version {}, commit {}",
        machine.date,
        machine.version,
        machine.commit.unwrap_or("unknown")
    )?;
    writeln!(
        out,
        "- Load of the machine: {} at the beginning, {} at the end; {:.0} s in all",
        load(machine.load[0]),
        load(machine.load[1]),
        report.seconds
    )?;
    if !report.left_out.is_empty() {
        writeln!(out, "- Left out, because their input files are missing: {}", report.left_out.join(", "))?;
    }
    report.sections.iter().try_for_each(|part| write_part(part, out))
}

fn write_part(part: &Part, out: &mut String) -> std::fmt::Result {
    writeln!(out, "\n## {}\n\n`moduli reproduce {}`", part.title, part.section)?;
    for note in &part.notes {
        writeln!(out, "\n{note}")?;
    }
    for figure in &part.figures {
        writeln!(out, "\n![{}]({})\n\n{}", figure.title, figure.file, figure.description)?;
    }
    part.comparisons.iter().try_for_each(|comparison| write_comparison(comparison, out))?;
    part.tables.iter().try_for_each(|grid| write_grid(grid, out))
}

fn line(out: &mut String, cells: impl IntoIterator<Item = String>) -> std::fmt::Result {
    out.push('|');
    for cell in cells {
        // A vertical bar would end the cell.
        write!(out, " {} |", cell.replace('|', "\\|"))?;
    }
    writeln!(out)
}

fn write_grid(grid: &Grid, out: &mut String) -> std::fmt::Result {
    writeln!(out, "\n### {}\n", grid.title)?;
    if !grid.about.is_empty() {
        writeln!(out, "{}\n", grid.about)?;
    }
    line(out, grid.columns.iter().map(|&column| column.to_owned()))?;
    line(out, grid.columns.iter().map(|_| "---".to_owned()))?;
    for row in &grid.rows {
        line(
            out,
            row.iter().map(|value| match value {
                Value::Null => "–".to_owned(),
                Value::String(text) => text.clone(),
                value => value.as_f64().map_or_else(|| value.to_string(), |value| number(value, 4)),
            }),
        )?;
    }
    Ok(())
}

/// The distinct names in order.
fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut distinct: Vec<&str> = Vec::new();
    for name in names {
        if !distinct.contains(&name) {
            distinct.push(name);
        }
    }
    distinct
}

/// A number with enough decimal places to differ from the printed value.
fn number(value: f64, places: usize) -> String {
    let text = format!("{value:.places$}").replace('-', "−");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

fn pair(cell: &Cell, reasons: &mut Vec<String>) -> String {
    let is_whole = cell.printed.fract() == 0.0 && cell.computed.fract() == 0.0;
    let places = match cell.computed.abs() {
        _ if is_whole => 0,
        size if size >= 1000.0 => 0,
        size if size >= 10.0 => 2,
        _ => 4,
    };
    let (printed, computed) = (number(cell.printed, 4), number(cell.computed, places));
    let Some(reason) = &cell.reason else { return format!("{printed} → {computed}") };
    let known = reasons.iter().position(|known| known == reason);
    let at = known.unwrap_or_else(|| {
        reasons.push(reason.clone());
        reasons.len() - 1
    });
    let (sign, difference) = (if cell.difference < 0.0 { "−" } else { "+" }, cell.difference.abs());
    format!("**{printed} → {computed}** ({sign}{}) {}", number(difference, places), letter(at))
}

/// a, b, …, z, aa, …
fn letter(index: usize) -> String {
    let last = char::from(b'a' + (index % 26) as u8);
    if index < 26 { last.to_string() } else { format!("{}{last}", letter(index / 26 - 1)) }
}

fn write_comparison(comparison: &Comparison, out: &mut String) -> std::fmt::Result {
    writeln!(out, "\n### {}\n\n{}\n", comparison.name, comparison.about)?;
    let columns = distinct(comparison.cells.iter().map(|cell| cell.column.as_str()));
    line(out, std::iter::once("").chain(columns.iter().copied()).map(str::to_owned))?;
    line(out, std::iter::repeat_n("---".to_owned(), columns.len() + 1))?;
    let mut reasons = Vec::new();
    for row in distinct(comparison.cells.iter().map(|cell| cell.row.as_str())) {
        let cells = columns.iter().map(|column| {
            let cell = comparison.cells.iter().find(|cell| cell.row == row && cell.column == *column);
            cell.map_or(String::new(), |cell| pair(cell, &mut reasons))
        });
        let cells: Vec<String> = std::iter::once(row.to_owned()).chain(cells).collect();
        line(out, cells)?;
    }
    for (i, reason) in reasons.iter().enumerate() {
        writeln!(out, "\n{}: {reason}.", letter(i))?;
    }
    Ok(())
}
