//! A printed value and a computed one.

use alloc::{string::String, vec::Vec};

/// The precision of a printed value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Precision {
    /// In multiples of this, rounded or truncated.
    Unit(f64),
    /// A mean, or a formula that holds on average: a computed value may differ by this much.
    Within(f64),
}

impl Precision {
    /// Whether `value` would be printed as `printed`.
    pub(super) fn prints(self, value: f64, printed: f64) -> bool {
        match self {
            Self::Within(distance) => (value - printed).abs() <= distance,
            Self::Unit(unit) => {
                // Truncated or rounded. A tiny tolerance is for sums that are exactly between two
                // steps.
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

/// The reason why a printed value differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The reason as a sentence.
    pub reason: String,
    /// The value that this reason would give, if it can be computed. It must be the printed one.
    pub gives: Option<f64>,
    /// The tolerance of `gives` beyond the printed precision: 0 unless the reason says otherwise.
    pub within: f64,
}

/// A printed cell and the computed value for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// The row.
    pub row: String,
    /// The column.
    pub column: String,
    /// The printed value.
    pub printed: f64,
    /// The precision of the printed value.
    pub precision: Precision,
    /// The value computed anew.
    pub computed: f64,
    /// The reason why the two differ; `None` if they are equal, or the reason is unknown.
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

    /// Adds an explanation, if the values differ.
    #[must_use]
    pub(super) fn because(mut self, reason: impl Into<String>, gives: impl Into<Option<f64>>) -> Self {
        if !self.is_equal() {
            self.explanation = Some(Explanation { reason: reason.into(), gives: gives.into(), within: 0.0 });
        }
        self
    }

    /// Sets the tolerance of the reason.
    #[must_use]
    pub(super) fn within(mut self, within: f64) -> Self {
        if let Some(explanation) = &mut self.explanation {
            explanation.within = within;
        }
        self
    }

    /// Whether the computed value, in the printed precision, equals the printed one.
    pub fn is_equal(&self) -> bool {
        self.precision.prints(self.computed, self.printed)
    }

    /// Whether the values are equal, or differ for a reason that gives the printed value, if it can
    /// be computed.
    pub fn is_explained(&self) -> bool {
        self.is_equal()
            || self.explanation.as_ref().is_some_and(|explanation| {
                explanation.gives.is_none_or(|gives| {
                    self.precision.prints(gives, self.printed)
                        || (gives - self.printed).abs() < explanation.within
                })
            })
    }

    /// The computed value minus the printed one.
    pub fn difference(&self) -> f64 {
        self.computed - self.printed
    }
}

/// A printed table, or figures from the text, with the computed values.
#[derive(Clone, Debug, PartialEq)]
pub struct PrintedTable {
    /// Its name, the same in every run.
    pub name: &'static str,
    /// The subject and the method of the comparison, in one or two sentences.
    pub about: &'static str,
    /// Its cells, row by row.
    pub cells: Vec<Compared>,
}
