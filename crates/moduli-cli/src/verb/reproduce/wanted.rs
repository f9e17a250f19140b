//! The options that sections depend on.

use std::path::Path;

/// What a run was asked for.
pub struct Wanted<'a> {
    pub quick: bool,
    pub long: bool,
    /// Where the hardware's results are.
    pub hardware: &'a Path,
}
