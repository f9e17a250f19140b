//! Describes the machine, and writes the JSON file and the page.

use std::{fmt, fs, process::Command, time::SystemTime};

use crate::{
    bench::{Bench, Findings},
    contest::Outcome,
    rivals, sections,
};

/// The section that compares the results with the required ratios. It is for developers of the library, so it
/// is not on the pages.
const INTERNAL: &str = "must";

/// The machine and the time of the run.
#[derive(serde::Serialize)]
pub struct Machine {
    processor: String,
    /// Maker, family and model, as in the files' names.
    pub id: String,
    core: Option<usize>,
    date: String,
    commit: String,
    form: &'static str,
    versions: Vec<(&'static str, String)>,
    /// The cycles of the time-stamp counter for each product of words in GMP, which distinguish a tuned
    /// build from a generic one.
    gmp_word_product: Option<f64>,
}

impl Machine {
    /// Collects the data of the machine.
    pub fn look(core: Option<usize>, quick: bool) -> Self {
        let information = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let field = |name: &str| {
            let line = information.lines().find(|line| line.split(':').next().map(str::trim) == Some(name));
            line.and_then(|line| line.split(':').nth(1)).map_or("?", str::trim).to_string()
        };
        let processor =
            format!("{}, family {}, model {}", field("model name"), field("cpu family"), field("model"));
        let maker = match field("vendor_id").as_str() {
            "GenuineIntel" => "intel",
            "AuthenticAMD" => "amd",
            _ => "other",
        };
        let id = format!("{maker}-{}-{}", field("cpu family"), field("model"));
        let git = |arguments: &[&str]| {
            let output =
                Command::new("git").args(arguments).output().ok().filter(|output| output.status.success());
            output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string())
        };
        let changed =
            git(&["status", "--porcelain", "--untracked-files=no"]).is_none_or(|changes| !changes.is_empty());
        let commit = git(&["rev-parse", "--short=12", "HEAD"]).unwrap_or_else(|| "unknown".to_string());
        Self {
            processor,
            id,
            core,
            date: today(),
            commit: commit + if changed { ", with changes" } else { "" },
            form: if quick { "quick" } else { "full" },
            versions: rivals::versions(),
            gmp_word_product: rivals::gmp::word_product_cycles(),
        }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let core = self.core.map_or("not pinned".to_string(), |core| format!("pinned to core {core}"));
        writeln!(f, "- Processor: {}; {core}", self.processor)?;
        writeln!(f, "- Date: {}; commit: {}; {} run", self.date, self.commit, self.form)?;
        for (name, version) in &self.versions {
            writeln!(f, "- {name}: {version}")?;
        }
        if let Some(cycles) = self.gmp_word_product {
            writeln!(
                f,
                "- GMP takes {cycles:.2} cycles (time-stamp counter) for a word product of 32 limbs by 32"
            )?;
        }
        Ok(())
    }
}

/// The date of today, UTC.
fn today() -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    // Converts days to a date in the Gregorian calendar, with years that begin in March.
    let days = (now.as_secs() / 86400) as i64 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let (day, month) =
        (day_of_year - (153 * shifted + 2) / 5 + 1, if shifted < 10 { shifted + 3 } else { shifted - 9 });
    format!("{:04}-{month:02}-{day:02}", year_of_era + 400 * era + i64::from(month <= 2))
}

/// Writes all findings, for programs.
pub fn write_json(path: &str, machine: &Machine, bench: &Bench) -> Result<(), String> {
    let all = serde_json::json!({ "machine": machine, "sections": bench.findings, "figures": bench.figures });
    let text = serde_json::to_string_pretty(&all).map_err(|error| error.to_string())?;
    fs::write(path, text + "\n").map_err(|error| format!("{path}: {error}"))
}

/// Writes the tables as a page.
pub fn write_markdown(path: &str, machine: &Machine, bench: &Bench) -> Result<(), String> {
    let head = format!(
        "# Benchmarks: {}\n\n`make bench` wrote this page. [benchmarks.md](../benchmarks.md) explains the method and the \
         columns, and compares processors.\n",
        machine.processor
    );
    fs::write(path, head + &markdown(machine, bench)).map_err(|error| format!("{path}: {error}"))
}

fn markdown(machine: &Machine, bench: &Bench) -> String {
    let mut text = format!("\n{machine}");
    for findings in bench.findings.iter().filter(|findings| findings.section != INTERNAL) {
        let Some(section) = sections::ALL.iter().find(|section| section.name == findings.section) else {
            continue;
        };
        text += &format!("\n### {}\n\n{}\n", section.title, section.about);
        text += &contests(findings, section.baseline);
        for table in &findings.tables {
            text += &format!("\n{}:\n\n", table.title);
            text += &lines(&table.columns, &table.rows);
        }
    }
    text
}

fn lines(columns: &[String], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let mut text = line(columns) + &format!("|{}\n", " --- |".repeat(columns.len()));
    rows.iter().for_each(|row| text += &line(row));
    text
}

/// A row for each contest, a column for each candidate: time, spread, and how many times faster than the
/// baseline.
fn contests(findings: &Findings, baseline: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    for standing in findings.outcomes.iter().flat_map(|outcome| &outcome.standings) {
        if !names.contains(&standing.name.as_str()) {
            names.push(&standing.name);
        }
    }
    if names.is_empty() || baseline == "reference" {
        return String::new();
    }
    let mut columns = vec![String::new()];
    columns.extend(names.iter().map(|name| name.to_string()));
    columns.push("core".to_string());
    let row = |outcome: &Outcome| {
        let mut row = vec![outcome.name.clone()];
        row.extend(names.iter().map(|name| cell(outcome, baseline, name)));
        row.push(if outcome.quiet.quiet { "quiet" } else { "busy" }.to_string());
        row
    };
    let rows: Vec<_> = findings.outcomes.iter().map(row).collect();
    format!("\n{}", lines(&columns, &rows))
}

fn cell(outcome: &Outcome, baseline: &str, name: &str) -> String {
    let Some(standing) = outcome.standing(name) else { return String::new() };
    let (value, unit) = match standing.median {
        ns if ns < 1e4 => (ns, "ns"),
        ns if ns < 1e7 => (ns / 1e3, "µs"),
        ns => (ns / 1e6, "ms"),
    };
    let digits = if value < 100.0 { 1 } else { 0 };
    let mut cell = format!("{value:.digits$} {unit} ±{:.0} %", 50.0 * standing.spread);
    match outcome.ratio(baseline, name) {
        Some(ratio) if name != baseline => cell += &format!(", **{ratio:.2}**"),
        _ => {}
    }
    if !standing.detail.is_empty() {
        cell += &format!(" ({})", standing.detail);
    }
    cell
}
