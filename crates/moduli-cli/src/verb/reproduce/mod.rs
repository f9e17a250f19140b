//! `moduli reproduce`: the tables and figures of the three papers, computed anew.

mod counts;
mod hardware;
mod inversion;
mod machine;
mod markdown;
mod report;
mod section;
mod subjects;
mod svg;
mod table_10;
mod table_4;
mod table_4_products;
mod timing;
mod wanted;

use std::{path::PathBuf, time::Instant};

use clap::Args;
use serde::Serialize;

use crate::{
    failure::Failure,
    io::{directory, output::Output, progress},
};
use machine::Machine;
use report::{Report, Tally};
use section::{SECTIONS, Section};
use wanted::Wanted;

/// The page and the data. The figures are in the same folder.
const PAGE: &str = "report.md";
const DATA: &str = "report.json";
const FIGURES: [&str; 5] = [
    "m0m1-figure-1.svg",
    "inversion-figure-2-left.svg",
    "inversion-figure-2-right.svg",
    "inversion-figure-1.svg",
    "inversion-figure-5.svg",
];

/// Compute the tables and figures of the three papers again, next to the printed values.
///
/// Writes report.md, report.json and a chart for each figure to the folder. Sections: m0m1-table-1,
/// m0m1-table-2, m0m1-table-3, m0m1-figure-1, m0m1-table-4; common-operand-tables, common-operand-claims,
/// common-operand-table-10; inversion-table-1, inversion-statistics; hardware. A prefix selects all sections
/// that begin with it: m0m1, common-operand, inversion. By default: all sections.
#[derive(Args)]
pub struct Reproduce {
    /// The sections; by default all.
    #[arg(value_name = "SECTION", value_parser = section::named)]
    sections: Vec<String>,

    /// The folder to write.
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,

    /// Replace the folder if it exists and contains only what this command writes.
    #[arg(long)]
    force: bool,

    /// The short form, less than two minutes on two cores: fewer exponents and rounds, and no table above 16
    /// MB.
    #[arg(long, conflicts_with = "long")]
    quick: bool,

    /// As many inversions as in the paper, 700,000 per field: takes minutes.
    #[arg(long)]
    long: bool,

    /// The folder hdl of this project's sources, for the measurements of the hardware.
    #[arg(long, value_name = "DIR", default_value = "hdl")]
    hardware: PathBuf,
}

/// A short summary of the files written.
#[derive(Serialize)]
struct Summary<'a> {
    directory: String,
    sections: Vec<&'static str>,
    left_out: &'a [&'static str],
    #[serde(flatten)]
    tally: Tally,
    seconds: f64,
}

impl Reproduce {
    /// Computes, compares and writes the report.
    pub fn run(&self, output: &Output) -> Result<(), Failure> {
        directory::check_place(&self.output, self.force, is_ours)?;
        let wanted = Wanted { quick: self.quick, long: self.long, hardware: &self.hardware };
        let (chosen, left_out) = self.choose(&wanted)?;
        let start = Instant::now();
        let mut machine = Machine::here();
        let steps = chosen.iter().map(|section| section.steps(&wanted)).sum();
        let bar = progress::bar(Some(steps), "reproduce");
        let mut sections = Vec::new();
        for section in &chosen {
            bar.set_message(section.name);
            sections.push(section.run(&wanted, &bar)?);
        }
        drop(bar);
        machine.finish();
        let seconds = start.elapsed().as_secs_f64();
        let report = Report { machine, quick: self.quick, seconds, sections, left_out };
        self.write(&report)?;

        let tally = report.tally();
        let summary = Summary {
            directory: self.output.display().to_string(),
            sections: chosen.iter().map(|section| section.name).collect(),
            left_out: &report.left_out,
            tally,
            seconds,
        };
        output.print(&summary, |out| {
            for part in &report.sections {
                let Tally { cells, equal, explained, unexplained } = part.tally();
                writeln!(
                    out,
                    "{:<26} {cells:>4} cells: {equal:>4} equal, {explained:>3} explained, {unexplained} not",
                    part.section
                )?;
            }
            for name in &report.left_out {
                writeln!(out, "{name:<26} left out: {} has no results", self.hardware.display())?;
            }
            writeln!(out, "{} in {:.1} s", self.output.join(PAGE).display(), seconds)
        })?;
        if tally.unexplained == 0 {
            return Ok(());
        }
        Err(Failure::Wrong(format!(
            "{} cells differ from what is printed, and no reason is known",
            tally.unexplained
        )))
    }

    /// The sections to compute, and the names of those to omit. Inputs from outside the program are
    /// required only for sections that were selected explicitly.
    fn choose(&self, wanted: &Wanted<'_>) -> Result<(Vec<&'static Section>, Vec<&'static str>), Failure> {
        let all = self.sections.is_empty();
        let (mut chosen, mut left_out) = (Vec::new(), Vec::new());
        for section in &SECTIONS {
            if !all && !self.sections.iter().any(|name| section.is_called(name)) {
                continue;
            }
            match section.check(wanted) {
                Ok(()) => chosen.push(section),
                Err(_) if all => left_out.push(section.name),
                Err(failure) => return Err(failure),
            }
        }
        Ok((chosen, left_out))
    }

    fn write(&self, report: &Report) -> Result<(), Failure> {
        let data = serde_json::to_string_pretty(report)
            .map_err(|error| Failure::about(self.output.join(DATA), error.to_string()))?;
        let mut files = vec![(PAGE.to_owned(), markdown::page(report)), (DATA.to_owned(), data + "\n")];
        let figures = report.sections.iter().flat_map(|part| &part.figures);
        files.extend(figures.map(|figure| (figure.file.to_owned(), svg::draw(figure))));
        directory::write(&self.output, &files, self.force, is_ours)
    }
}

/// Whether a file with this name may come from an earlier run. Other pictures do not.
fn is_ours(name: &str) -> bool {
    [PAGE, DATA].contains(&name) || FIGURES.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_replaced_is_what_is_written() {
        let committed = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reproduction");
        let names = std::fs::read_dir(committed).unwrap().map(|entry| entry.unwrap().file_name());
        let names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
        assert_eq!(names.len(), FIGURES.len() + 2);
        assert!(names.iter().all(|name| is_ours(name)), "{names:?}");
        assert!(!is_ours("drawing.svg"));
    }

    #[test]
    fn what_is_not_there_is_left_out_unless_it_is_asked_for() {
        let choose = |names: &[&str]| {
            let sections = names.iter().map(|&name| name.to_owned()).collect();
            let (output, hardware) = (PathBuf::from("out"), PathBuf::from("no/such/folder"));
            let verb = Reproduce { sections, output, force: false, quick: false, long: false, hardware };
            let wanted = Wanted { quick: false, long: false, hardware: &verb.hardware };
            verb.choose(&wanted).map(|(chosen, left_out)| (chosen.len(), left_out))
        };
        assert_eq!(choose(&[]).unwrap(), (SECTIONS.len() - 1, vec!["hardware"]));
        assert_eq!(choose(&["inversion", "m0m1-table-3"]).unwrap(), (3, vec![]));
        assert!(choose(&["m0m1", "hardware"]).is_err());
    }
}
