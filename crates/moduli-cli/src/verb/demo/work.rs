//! The report on a part of the demonstration.

use serde::Serialize;

use crate::verb::rate::Rate;

/// Repeated work, of which every result was checked.
#[derive(Serialize)]
pub struct Work {
    /// What was done.
    pub what: &'static str,
    /// How many times. Every result was checked.
    pub count: usize,
    /// The time on all cores.
    pub seconds: f64,
    /// The number of repetitions per second.
    #[serde(flatten)]
    pub rate: Rate,
    /// What was checked, as text.
    pub checked: String,
}
