//! Files that have a temporary name until they are complete.
//! [`FixedBase::save`](crate::FixedBase::save) writes such files. The module is public for programs
//! that write other files in this way and remove unfinished ones when interrupted, as the command
//! does.
//!
//! [`target`] returns the file to replace. [`beside`] returns a temporary name in the folder of the
//! destination, `.moduli-PROCESS-RANDOM.part`. [`create`] creates and locks a file of that name,
//! and [`keep_mode`] gives it the permissions of the file that it replaces. Finally the caller
//! renames it and calls [`sync_name`]. [`clear`] removes files that killed processes have left.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    hash::{BuildHasher, RandomState},
    io,
    path::{Path, PathBuf},
};

/// The file that `path` names: the target of symbolic links, or `path` itself. Renaming onto a link
/// would replace the link.
///
/// # Errors
/// Those of the file system, for example if a link has no target, or the system does not follow it.
pub fn target(path: &Path) -> io::Result<PathBuf> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => {
            // The system does not follow links of other users in a shared folder such as /tmp.
            // `metadata` asks it.
            fs::metadata(path)?;
            fs::canonicalize(path)
        }
        _ => Ok(path.to_owned()),
    }
}

/// Gives `file`, which is still empty, the permissions of the file at `existing`, if there is one, and its
/// owner and group if the process may do so.
///
/// # Errors
/// Those of the file system.
pub fn keep_mode(file: &File, existing: &Path) -> io::Result<()> {
    match fs::metadata(existing) {
        Ok(found) if cfg!(unix) && found.is_file() => {
            // First the owner, because a change of the owner clears some permissions.
            keep_owner(file, &found);
            file.set_permissions(found.permissions())
        }
        _ => Ok(()),
    }
}

#[cfg(unix)]
fn keep_owner(file: &File, existing: &fs::Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    let is_other = |own: fs::Metadata| (own.uid(), own.gid()) != (existing.uid(), existing.gid());
    if file.metadata().is_ok_and(is_other) {
        // Only an administrator may give a file away, but any process may choose one of its groups.
        let _ = fchown(file, Some(existing.uid()), Some(existing.gid()))
            .or_else(|_| fchown(file, None, Some(existing.gid())));
    }
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &fs::Metadata) {}

/// A temporary path beside `destination`, from which a file can be renamed to `destination`.
pub fn beside(destination: &Path) -> PathBuf {
    let random = RandomState::new().hash_one(0);
    destination.with_file_name(format!(".moduli-{}-{random:016x}.part", std::process::id()))
}

/// Whether [`beside`] can have returned this name.
fn is_ours(name: &str) -> bool {
    let parts = name.strip_prefix(".moduli-").and_then(|name| name.strip_suffix(".part")?.split_once('-'));
    parts.is_some_and(|(process, random)| {
        let all = |text: &str, radix| text.chars().all(|character| character.is_digit(radix));
        !process.is_empty() && all(process, 10) && random.len() == 16 && all(random, 16)
    })
}

/// Creates the file and locks it while it is open. Returns `None` if another process removed it as
/// stale before the lock. On a file system without locks it is not locked, and nobody removes it.
///
/// # Errors
/// Those of the file system.
pub fn create(path: &Path, options: &OpenOptions) -> io::Result<Option<File>> {
    let file = options.open(path)?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Ok(None),
        Ok(()) if !path.try_exists().unwrap_or(true) => Ok(None),
        Ok(()) | Err(TryLockError::Error(_)) => Ok(Some(file)),
    }
}

/// Removes files that killed processes have left beside `destination`. Keeps files that a process
/// is still writing, which are locked, and files that cannot be removed.
pub fn clear(destination: &Path) {
    let Ok(entries) = fs::read_dir(folder(destination)) else { return };
    for entry in entries.flatten() {
        let is_part = entry.file_name().to_str().is_some_and(is_ours);
        if is_part && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            let path = entry.path();
            // Holds the lock until the file is removed.
            let stale = File::open(&path).ok().filter(|file| file.try_lock().is_ok());
            if stale.is_some() {
                let _ = fs::remove_file(&path);
            }
        }
    }
}

/// Writes the new name of `destination` to the disk, if the system can sync a folder.
///
/// # Errors
/// Those of the disk.
pub fn sync_name(destination: &Path) -> io::Result<()> {
    let folder = folder(destination);
    #[cfg(test)]
    SYNCED.with_borrow_mut(|synced| synced.push(folder.to_owned()));
    // Some systems cannot open or sync folders, and some folders can be written but not read.
    let Ok(folder) = File::open(folder) else { return Ok(()) };
    match folder.sync_all() {
        Err(error) if !matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => {
            Err(error)
        }
        _ => Ok(()),
    }
}

fn folder(destination: &Path) -> &Path {
    match destination.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

#[cfg(test)]
std::thread_local! {
    /// The folders that this thread has synced.
    pub(crate) static SYNCED: core::cell::RefCell<alloc::vec::Vec<PathBuf>> = const { core::cell::RefCell::new(alloc::vec::Vec::new()) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_recognised() {
        for destination in ["table", "folder/table", "/table"] {
            let path = beside(Path::new(destination));
            assert!(is_ours(path.file_name().unwrap().to_str().unwrap()), "{path:?}");
            assert_ne!(path, beside(Path::new(destination)));
        }
        for name in [
            "table",
            ".moduli-1-0123456789abcdef.par",
            ".moduli-0123456789abcdef.part",
            ".moduli--0123456789abcdef.part",
            ".moduli-1-0123456789abcde.part",
            ".moduli-x-0123456789abcdef.part",
        ] {
            assert!(!is_ours(name), "{name}");
        }
    }

    #[test]
    fn what_is_still_written_stays() {
        let folder = std::env::temp_dir().join(std::format!("moduli-part-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let destination = folder.join("table");
        let names = || fs::read_dir(&folder).unwrap().count();
        let path = beside(&destination);
        let file = create(&path, OpenOptions::new().write(true).create_new(true)).unwrap().unwrap();
        fs::write(folder.join("other.part"), "theirs").unwrap();
        clear(&destination);
        assert!(path.exists());
        assert_eq!(names(), 2);
        // Simulates the end of its process.
        drop(file);
        clear(&destination);
        assert!(!path.exists());
        assert_eq!(names(), 1);
        fs::remove_dir_all(&folder).unwrap();
    }
}
