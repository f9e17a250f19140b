//! A printed value beside a computed one.

use alloc::{string::String, vec::Vec};

/// How exactly a value is printed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Precision {
    /// In multiples of this, rounded or cut.
    Unit(f64),
    /// As a mean or by a formula that holds on average: a computed value may lie this far off.
    Within(f64),
}

impl Precision {
    /// Whether `value` is printed as `printed`.
    pub(super) fn prints(self, value: f64, printed: f64) -> bool {
        match self {
            Self::Within(distance) => (value - printed).abs() <= distance,
            Self::Unit(unit) => {
                // Cut, or to the nearest; a hair allows for sums that lie on an edge.
                let steps = value / unit;
                let cut = (steps.abs() + 1e-9) as u64 as f64;
                let rounded = (steps.abs() + 0.5 + 1e-9) as u64 as f64;
                let wanted = printed.abs() / unit;
                let same_sign = wanted < 0.5 || (printed < 0.0) == (value < 0.0);
                same_sign && ((cut - wanted).abs() < 1e-6 || (rounded - wanted).abs() < 1e-6)
            }
        }
    }
}

/// Why a printed value differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The reason, in a sentence.
    pub reason: String,
    /// What would be printed for this reason, where that can be computed: it has to be what is printed.
    pub gives: Option<f64>,
    /// How far beyond the printed precision `gives` may lie off: 0 but where the reason says so.
    pub within: f64,
}

/// One printed cell and what is computed for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// The row.
    pub row: String,
    /// The column.
    pub column: String,
    /// The printed value.
    pub printed: f64,
    /// How exactly it is printed.
    pub precision: Precision,
    /// The value computed anew.
    pub computed: f64,
    /// Why the two differ; `None` where they are equal, or nobody knows.
    pub explanation: Option<Explanation>,
}

impl Compared {
    pub(super) fn new(
        row: impl Into<String>,
        column: impl Into<String>,
        printed: f64,
        precision: Precision,
        computed: f64,
    ) -> Self {
        Self { row: row.into(), column: column.into(), printed, precision, computed, explanation: None }
    }

    /// An exact count.
    pub(super) fn count(
        row: impl Into<String>,
        column: impl Into<String>,
        printed: u64,
        computed: u64,
    ) -> Self {
        Self::new(row, column, printed as f64, Precision::Unit(1.0), computed as f64)
    }

    /// Explains the cell, if its values differ.
    #[must_use]
    pub(super) fn because(mut self, reason: impl Into<String>, gives: impl Into<Option<f64>>) -> Self {
        if !self.is_equal() {
            self.explanation = Some(Explanation { reason: reason.into(), gives: gives.into(), within: 0.0 });
        }
        self
    }

    /// Allows the reason to be off by so much.
    #[must_use]
    pub(super) fn within(mut self, within: f64) -> Self {
        if let Some(explanation) = &mut self.explanation {
            explanation.within = within;
        }
        self
    }

    /// Whether the computed value is printed as it stands in the paper.
    pub fn is_equal(&self) -> bool {
        self.precision.prints(self.computed, self.printed)
    }

    /// Whether the values are equal, or differ for a reason that, where it can be put in numbers, gives what is printed.
    pub fn is_explained(&self) -> bool {
        self.is_equal()
            || self.explanation.as_ref().is_some_and(|explanation| {
                explanation.gives.is_none_or(|gives| {
                    self.precision.prints(gives, self.printed)
                        || (gives - self.printed).abs() < explanation.within
                })
            })
    }

    /// The computed value less the printed one.
    pub fn difference(&self) -> f64 {
        self.computed - self.printed
    }
}

/// A printed table, or figures from the text, beside what is computed.
#[derive(Clone, Debug, PartialEq)]
pub struct PrintedTable {
    /// Its name, the same in every run.
    pub name: &'static str,
    /// What is compared and how, in a sentence or two.
    pub about: &'static str,
    /// Its cells, row by row.
    pub cells: Vec<Compared>,
}
