//! The sections: their names, their work, and their durations.

use super::{counts, hardware, inversion, report::Part, table_4, table_10, wanted::Wanted};
use crate::{failure::Failure, io::progress::Bar};

/// A part of the report that can be computed alone.
pub struct Section {
    pub name: &'static str,
    title: &'static str,
    /// Steps of the bar.
    steps: fn(&Wanted<'_>) -> u64,
    run: fn(&Wanted<'_>, &Bar) -> Result<Part, Failure>,
}

const fn section(
    name: &'static str,
    title: &'static str,
    steps: fn(&Wanted<'_>) -> u64,
    run: fn(&Wanted<'_>, &Bar) -> Result<Part, Failure>,
) -> Section {
    Section { name, title, steps, run }
}

const HARDWARE: &str = "hardware";

/// All sections, in the order of the report.
pub static SECTIONS: [Section; 11] = [
    section("m0m1-table-1", "m0m1, Table 1: formulas of the known methods", |_| 1, counts::m0m1_table_1),
    section("m0m1-table-2", "m0m1, Table 2: formulas of m0m1", |_| 1, counts::m0m1_table_2),
    section("m0m1-table-3", "m0m1, Table 3: storage at equal cost", |_| 1, counts::m0m1_table_3),
    section("m0m1-figure-1", "m0m1, Figure 1: cost over storage", |_| 1, counts::m0m1_figure_1),
    section(
        "m0m1-table-4",
        "m0m1, Table 4: cycles",
        |wanted| table_4::steps(wanted.quick),
        |wanted, bar| table_4::run(wanted.quick, bar),
    ),
    section(
        "common-operand-tables",
        "Common operand, Tables I to IX: word operations",
        |_| 1,
        counts::common_operand,
    ),
    section(
        "common-operand-claims",
        "Common operand: what the text says",
        |_| 1,
        counts::common_operand_claims,
    ),
    section(
        "common-operand-table-10",
        "Common operand, Table X: cycles",
        |wanted| table_10::steps(wanted.quick),
        |wanted, bar| table_10::run(wanted.quick, bar),
    ),
    section("inversion-table-1", "Inversion in residues, Table I", |_| 1, |_, bar| inversion::table_1(bar)),
    section(
        "inversion-statistics",
        "Inversion in residues: average costs and Figure 2",
        |wanted| inversion::steps(wanted.long),
        |wanted, bar| inversion::statistics(wanted.long, bar),
    ),
    section(
        HARDWARE,
        "Inversion in residues: Tables II to IV, Figures 1 and 5 of the hardware",
        |_| 1,
        |wanted, bar| hardware::run(wanted.hardware, bar),
    ),
];

impl Section {
    /// Whether `name` is this section's name, or its beginning up to a hyphen.
    pub fn is_called(&self, name: &str) -> bool {
        self.name.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    }

    /// Rejects a section before the work starts, if one of its inputs is missing.
    pub fn check(&self, wanted: &Wanted<'_>) -> Result<(), Failure> {
        if self.name == HARDWARE { hardware::check(wanted.hardware) } else { Ok(()) }
    }

    pub fn steps(&self, wanted: &Wanted<'_>) -> u64 {
        (self.steps)(wanted)
    }

    pub fn run(&self, wanted: &Wanted<'_>, bar: &Bar) -> Result<Part, Failure> {
        let part = (self.run)(wanted, bar)?;
        Ok(Part { section: self.name, title: self.title, ..part })
    }
}

/// Accepts the names of sections.
pub fn named(name: &str) -> Result<String, String> {
    if !name.is_empty() && SECTIONS.iter().any(|section| section.is_called(name)) {
        return Ok(name.to_owned());
    }
    let names: Vec<&str> = SECTIONS.iter().map(|section| section.name).collect();
    Err(format!("no section has this name; the sections are {}", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_for_sections() {
        let called = |name: &str| SECTIONS.iter().filter(|section| section.is_called(name)).count();
        assert_eq!(called("m0m1"), 5);
        assert_eq!(called("m0m1-table"), 4);
        assert_eq!(called("common-operand-table-10"), 1);
        assert_eq!(called("common-operand-table"), 1);
        assert_eq!(called("hardware"), 1);
        assert!(named("m0m").is_err() && named("").is_err() && named("m0m1-").is_err());
    }
}
