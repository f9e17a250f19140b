//! The state that every section uses: how much to measure, the kernels, and the findings.

use std::collections::BTreeMap;

use moduli::{KernelChoice, Modulus};

use crate::{
    contest::{Contest, Effort, Outcome},
    numbers::to_uint,
};

/// A part of the measurements.
pub struct Section {
    /// Its name for `--section`.
    pub name: &'static str,
    /// The heading.
    pub title: &'static str,
    /// The page's text on what is measured and how.
    pub about: &'static str,
    /// The candidate that all others are compared with in the page's table.
    pub baseline: &'static str,
    /// Takes the measurements.
    pub run: fn(&mut Bench),
}

/// The findings of a section.
#[derive(serde::Serialize)]
pub struct Findings {
    /// The section.
    pub section: &'static str,
    /// Its contests.
    pub outcomes: Vec<Outcome>,
    /// Tables of its own: a heading, column names, rows.
    pub tables: Vec<Table>,
}

/// A table that does not come from a contest.
#[derive(serde::Serialize)]
pub struct Table {
    /// The heading.
    pub title: String,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

/// The measurements of one run.
pub struct Bench {
    /// Whether the run may take only two minutes.
    pub quick: bool,
    /// The kernels of this machine, fastest first.
    pub kernels: Vec<KernelChoice>,
    /// The findings so far.
    pub findings: Vec<Findings>,
    /// Numbers by name, for the table of required ratios.
    pub figures: BTreeMap<String, f64>,
}

impl Bench {
    /// A run in which nothing has been measured yet.
    pub fn new(quick: bool) -> Self {
        let kernels = KernelChoice::ALL.iter().copied().filter(|kernel| kernel.is_supported()).collect();
        Self { quick, kernels, findings: Vec::new(), figures: BTreeMap::new() }
    }

    /// Runs a section.
    pub fn section(&mut self, section: &Section) {
        println!("\n== {}", section.title);
        self.findings.push(Findings { section: section.name, outcomes: Vec::new(), tables: Vec::new() });
        (section.run)(self);
    }

    fn effort(&self) -> Effort {
        match self.quick {
            true => Effort { run: 1e5, contest: 3e8, rounds: 5 },
            false => Effort { run: 3e5, contest: 1.2e9, rounds: 5 },
        }
    }

    /// Runs a contest and prints the results: times in microseconds, and how many times faster each candidate
    /// is than the first.
    pub fn contest(&mut self, contest: Contest<'_>) -> &Outcome {
        let outcome = contest.run(self.effort());
        let state = if outcome.quiet.quiet { "quiet" } else { "busy" };
        println!(
            "\n{} ({} rounds; {state}: waited {:.1} %, speed drifted {:.1} %)",
            outcome.name,
            outcome.rounds,
            100.0 * outcome.quiet.waited,
            100.0 * outcome.quiet.drift
        );
        let first = outcome.standings.first().map(|standing| standing.name.clone()).unwrap_or_default();
        for standing in &outcome.standings {
            println!(
                "  {:<28} {:<26} {:>12.3} us  ± {:>4.1} %  {:>7.3}",
                standing.name,
                standing.detail,
                standing.median / 1e3,
                50.0 * standing.spread,
                outcome.ratio(&first, &standing.name).unwrap_or(f64::NAN),
            );
        }
        let findings = self.findings.last_mut().expect("a section runs");
        findings.outcomes.push(outcome);
        findings.outcomes.last().expect("it was just pushed")
    }

    /// Adds a table to the section.
    pub fn table(&mut self, table: Table) {
        println!("\n{}\n  {}", table.title, table.columns.join(" | "));
        table.rows.iter().for_each(|row| println!("  {}", row.join(" | ")));
        self.findings.last_mut().expect("a section runs").tables.push(table);
    }

    /// The outcome of a contest of an earlier section.
    pub fn outcome(&self, section: &str, contest: &str) -> Option<&Outcome> {
        let findings = self.findings.iter().find(|findings| findings.section == section)?;
        findings.outcomes.iter().find(|outcome| outcome.name == contest)
    }

    /// The modulus with every kernel that supports its length.
    pub fn moduli(&self, modulus: &[u64]) -> Vec<Modulus> {
        let value = to_uint(modulus);
        let modulus = |&kernel| Modulus::with_kernel(&value, kernel).ok();
        self.kernels.iter().filter_map(modulus).collect()
    }
}
