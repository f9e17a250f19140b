//! Files that appear whole or not at all.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};

use crate::{failure::Failure, temporary::Temporary};

/// Who may read a new file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// As the process creates files.
    Usual,
    /// Its owner alone.
    Private,
}

/// What may happen to a file of the same name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// It is replaced.
    Replace,
    /// It stays, and that is an error.
    Keep,
}

/// A temporary file beside its destination, renamed when it is complete and removed when it is not.
pub struct AtomicFile {
    file: File,
    temporary: Temporary,
    destination: PathBuf,
}

impl AtomicFile {
    /// Begins the file `destination`.
    pub fn create(destination: &Path, access: Access) -> Result<Self, Failure> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let failed = |error: io::Error| Failure::file(destination, &error);
        // Renaming would put a file in the place of a directory or, for the administrator, of a device.
        if destination.metadata().is_ok_and(|existing| !existing.is_file()) {
            return Err(Failure::about(destination, "exists and is no regular file"));
        }
        let name = destination.file_name().ok_or_else(|| Failure::about(destination, "is no file name"))?;
        loop {
            let mut temporary = std::ffi::OsString::from(".");
            temporary.push(name);
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            temporary.push(format!(".{}-{number}.tmp", std::process::id()));
            let temporary = destination.with_file_name(temporary);
            match Temporary::create(temporary, |path| options(access).open(path)) {
                Ok((temporary, file)) => {
                    return Ok(Self { file, temporary, destination: destination.to_owned() });
                }
                // Of a process with the same number, elsewhere or killed.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(failed(error)),
            }
        }
    }

    /// Gives the complete file its name.
    pub fn finish(self, existing: Existing) -> Result<(), Failure> {
        let failed = |error: io::Error| Failure::file(&self.destination, &error);
        self.file.sync_all().map_err(failed)?;
        match existing {
            Existing::Replace => fs::rename(self.temporary.path(), &self.destination).map_err(failed),
            // Unlike a rename, a link never replaces; the temporary name goes when `self` does.
            Existing::Keep => match fs::hard_link(self.temporary.path(), &self.destination) {
                Ok(()) => Ok(()),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(exists(&self.destination)),
                // A file system without links.
                Err(_) if !self.destination.exists() => {
                    fs::rename(self.temporary.path(), &self.destination).map_err(failed)
                }
                Err(_) => Err(exists(&self.destination)),
            },
        }
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The refusal to replace a file.
pub fn exists(path: &Path) -> Failure {
    Failure::about(path, "exists already; --force replaces it")
}

/// Writes a whole file.
pub fn write(path: &Path, bytes: &[u8], access: Access, existing: Existing) -> Result<(), Failure> {
    let mut file = AtomicFile::create(path, access)?;
    file.write_all(bytes).map_err(|error| Failure::file(path, &error))?;
    file.finish(existing)
}

#[cfg(unix)]
fn options(access: Access) -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    if access == Access::Private {
        options.mode(0o600);
    }
    options
}

#[cfg(not(unix))]
fn options(_: Access) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    options
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn only_files_are_replaced() {
        let scratch = Scratch::new("atomic-file-kinds").unwrap();
        let directory = scratch.join("directory");
        fs::create_dir(&directory).unwrap();
        let mut paths = vec![directory];
        if cfg!(unix) {
            paths.push("/dev/null".into());
        }
        for path in paths {
            let error = AtomicFile::create(&path, Access::Usual).err().unwrap();
            assert!(error.to_string().ends_with("is no regular file"), "{error}");
        }
    }

    #[test]
    fn what_appears_meanwhile_is_kept() {
        let scratch = Scratch::new("atomic-file").unwrap();
        let path = scratch.join("file");
        let mut file = AtomicFile::create(&path, Access::Usual).unwrap();
        file.write_all(b"new").unwrap();
        fs::write(&path, "old").unwrap();
        assert!(file.finish(Existing::Keep).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        write(&path, b"new", Access::Usual, Existing::Replace).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        fs::remove_file(&path).unwrap();
        write(&path, b"newer", Access::Private, Existing::Keep).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "newer");
        assert_eq!(fs::read_dir(scratch.join("")).unwrap().count(), 1);
    }
}
