//! What a part of the demonstration reports.

use serde::Serialize;

use crate::verb::rate::Rate;

/// Something done many times, and checked as often.
#[derive(Serialize)]
pub struct Work {
    /// What was done.
    pub what: &'static str,
    /// How often, all of it checked.
    pub count: usize,
    /// How long that took on all cores.
    pub seconds: f64,
    /// How often a second.
    #[serde(flatten)]
    pub rate: Rate,
    /// What was checked, in words.
    pub checked: String,
}
