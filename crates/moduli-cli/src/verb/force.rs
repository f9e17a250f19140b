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
    /// Refuses a path that is taken, before the work; what appears meanwhile is not replaced either.
    pub fn check(self, path: &Path) -> Result<(), Failure> {
        atomic_file::check_place(path)?;
        let is_taken = path.symlink_metadata().is_ok();
        if is_taken && !self.force { Err(atomic_file::exists(path)) } else { Ok(()) }
    }

    /// What becomes of a file that is there when the new one is complete.
    pub fn existing(self) -> Existing {
        if self.force { Existing::Replace } else { Existing::Keep }
    }
}
