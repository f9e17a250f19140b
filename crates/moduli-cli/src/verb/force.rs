//! The one rule for files that exist already: none is replaced unless `--force` says so.

use std::path::Path;

use clap::Args;

use crate::{
    failure::Failure,
    io::atomic_file::{self, Existing},
};

/// Whether files that exist are replaced.
#[derive(Args, Clone, Copy)]
pub struct Force {
    /// Replace files that exist.
    #[arg(long)]
    force: bool,
}

impl Force {
    /// Refuses a file that exists, before the work; what appears meanwhile is not replaced either.
    pub fn check(self, path: &Path) -> Result<(), Failure> {
        if !self.force && path.is_file() { Err(atomic_file::exists(path)) } else { Ok(()) }
    }

    /// What becomes of a file that is there when the new one is complete.
    pub fn existing(self) -> Existing {
        if self.force { Existing::Replace } else { Existing::Keep }
    }
}
