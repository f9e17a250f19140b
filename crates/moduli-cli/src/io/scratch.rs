//! A temporary directory that lasts for the run.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{failure::Failure, io::temporary::Temporary};

/// A directory that only its owner can use. It is removed with its contents on drop.
pub struct Scratch {
    temporary: Temporary,
}

impl Scratch {
    /// Creates a directory for temporary files.
    pub fn new(purpose: &str) -> Result<Self, Failure> {
        let parent = std::env::temp_dir();
        let parent = parent.canonicalize().map_err(|error| Failure::file(&parent, &error))?;
        let path = parent.join(format!("moduli-{purpose}-{}", std::process::id()));
        let create = |path: &Path| create(path).map_err(|error| Failure::file(path, &error));
        let (temporary, ()) = Temporary::create(path, create)?;
        Ok(Self { temporary })
    }

    /// A path inside.
    pub fn join(&self, name: impl AsRef<Path>) -> PathBuf {
        self.temporary.path().join(name)
    }
}

fn create(path: &Path) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}
