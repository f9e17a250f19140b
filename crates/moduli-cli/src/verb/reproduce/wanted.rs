//! The options that sections depend on.

use std::path::Path;

/// The options of a run.
pub struct Wanted<'a> {
    pub quick: bool,
    pub long: bool,
    /// The folder with the results for the hardware.
    pub hardware: &'a Path,
}
