//! The rule for existing files: `--force` is required to replace one.

use std::{io::ErrorKind, path::Path};

use clap::Args;

use crate::{
    failure::Failure,
    io::atomic_file::{self, Existing},
};

/// Whether to replace existing files.
#[derive(Args, Clone, Copy)]
pub struct Force {
    /// Replace files that exist.
    #[arg(long)]
    force: bool,
}

impl Force {
    /// Rejects an existing path before the work starts. A file that appears meanwhile is not
    /// replaced either.
    pub fn check(self, path: &Path) -> Result<(), Failure> {
        atomic_file::check_place(path)?;
        let is_taken = path.symlink_metadata().is_ok();
        if is_taken && path.metadata().is_err_and(|error| error.kind() == ErrorKind::NotFound) {
            return Err(Failure::about(path, "is a symbolic link to a file that does not exist"));
        }
        if is_taken && !self.force { Err(atomic_file::exists(path)) } else { Ok(()) }
    }

    /// What to do with a file that exists when the new one is complete.
    pub fn existing(self) -> Existing {
        if self.force { Existing::Replace } else { Existing::Keep }
    }
}
