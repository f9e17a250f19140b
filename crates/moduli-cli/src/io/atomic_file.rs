//! Files that appear complete or not at all.

use std::{
    collections::BTreeSet,
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::Mutex,
};

use moduli::fixed::part;

use crate::{failure::Failure, io::temporary::Temporary};

/// Who may read a new file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// The default of the process, or the permissions of the file that it replaces.
    Usual,
    /// Only its owner, whatever it replaces.
    Private,
}

/// What to do with an existing file of the same name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// Replace it.
    Replace,
    /// Keep it, and return an error.
    Keep,
}

/// A temporary file beside its destination, which is renamed when it is complete and removed
/// otherwise. A symbolic link is kept: the file that it points to is replaced. The first such file
/// in a folder also removes files that killed runs have left there.
pub struct AtomicFile {
    // Open, and so locked, until it has its final name.
    file: File,
    temporary: Temporary,
    destination: PathBuf,
}

impl AtomicFile {
    /// Creates the temporary file for `destination`.
    pub fn create(destination: &Path, access: Access) -> Result<Self, Failure> {
        let failed = |error: io::Error| Failure::file(destination, &error);
        check_place(destination)?;
        if destination.file_name().is_none() {
            return Err(Failure::about(destination, "is not a file name"));
        }
        let target = part::target(destination).map_err(failed)?;
        clear_once(&target);
        loop {
            let create = |path: &Path| part::create(path, &options(access));
            let (temporary, file) = Temporary::create(part::beside(&target), create).map_err(failed)?;
            if let Some(file) = file {
                if access == Access::Usual {
                    part::keep_mode(&file, &target).map_err(failed)?;
                }
                return Ok(Self { file, temporary, destination: target });
            }
        }
    }

    /// Gives the complete file its final name.
    pub fn finish(self, existing: Existing) -> Result<(), Failure> {
        self.finish_by(existing, part::sync_name)
    }

    /// The same, with the function that writes the name to the disk.
    fn finish_by(
        self,
        existing: Existing,
        sync_name: impl Fn(&Path) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let failed = |error: io::Error| Failure::file(&self.destination, &error);
        self.file.sync_all().map_err(failed)?;
        let named = match existing {
            Existing::Replace => fs::rename(self.temporary.path(), &self.destination).map_err(failed),
            // Unlike a rename, a link never replaces a file. The temporary name is removed when
            // `self` is dropped.
            Existing::Keep => match fs::hard_link(self.temporary.path(), &self.destination) {
                Ok(()) => Ok(()),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(exists(&self.destination)),
                // The file system does not support links.
                Err(_) if !self.destination.exists() => {
                    fs::rename(self.temporary.path(), &self.destination).map_err(failed)
                }
                Err(_) => Err(exists(&self.destination)),
            },
        };
        named.and_then(|()| sync_name(&self.destination).map_err(failed))
    }
}

/// Clears the folder of `destination`, but only once, because a run may write thousands of
/// signatures there.
fn clear_once(destination: &Path) {
    static CLEARED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let folder = destination.parent().unwrap_or(destination).to_owned();
    let mut cleared = CLEARED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if cleared.insert(folder) {
        part::clear(destination);
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

/// Rejects a path that a rename must not replace: a directory or, for the administrator, a device.
pub fn check_place(path: &Path) -> Result<(), Failure> {
    match path.metadata() {
        Ok(existing) if !existing.is_file() => Err(Failure::about(path, "exists and is not a regular file")),
        _ => Ok(()),
    }
}

/// An identity of the file at `path`: the same for all paths that lead to it.
pub fn identity(path: &Path) -> PathBuf {
    let path = part::target(path).unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (folder.canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path,
    }
}

/// The error for a file that exists and must not be replaced.
pub fn exists(path: &Path) -> Failure {
    Failure::about(path, "exists already; --force replaces it")
}

/// Writes a complete file.
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
    use std::cell::Cell;

    use super::*;
    use crate::io::scratch::Scratch;

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
            assert!(error.to_string().ends_with("is not a regular file"), "{error}");
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
        for existing in [Existing::Replace, Existing::Keep] {
            let synced = Cell::new(0);
            let file = AtomicFile::create(&path, Access::Usual).unwrap();
            let named = file.finish_by(existing, |named| {
                assert_eq!(named, path);
                synced.set(synced.get() + 1);
                Ok(())
            });
            // A kept file already has its name.
            assert_eq!(
                (named.is_ok(), synced.get()),
                if existing == Existing::Replace { (true, 1) } else { (false, 0) }
            );
        }
        assert_eq!(fs::read_dir(scratch.join("")).unwrap().count(), 1);
    }
}
