//! Files that have a temporary name until they are complete, as [`FixedBase::save`](crate::FixedBase::save)
//! writes them; for programs that write other files in this way, and remove unfinished files when they are
//! interrupted, as the command does.
//!
//! [`target`] says which file is replaced. Names come from [`beside`]: `.moduli-PROCESS-RANDOM.part` in the
//! folder of the destination. [`create`] creates and locks such a file, [`keep_mode`] gives it the
//! permissions of the file that it replaces, the caller finally renames it and calls [`sync_name`], and
//! [`clear`] removes files that killed processes have left.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    hash::{BuildHasher, RandomState},
    io,
    path::{Path, PathBuf},
};

/// The file that `path` names: that at the end of symbolic links, or `path` itself. Renaming to a link would replace the link.
///
/// # Errors
/// Those of the file system: a link that leads nowhere, or that the system does not follow.
pub fn target(path: &Path) -> io::Result<PathBuf> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => {
            // Asks the system, which follows no link that others put into a shared folder such as /tmp.
            fs::metadata(path)?;
            fs::canonicalize(path)
        }
        _ => Ok(path.to_owned()),
    }
}

/// Gives `file`, which is still empty, the permissions of the file at `existing`, if there is one.
///
/// # Errors
/// Those of the file system.
pub fn keep_mode(file: &File, existing: &Path) -> io::Result<()> {
    match fs::metadata(existing) {
        Ok(found) if cfg!(unix) && found.is_file() => file.set_permissions(found.permissions()),
        _ => Ok(()),
    }
}

/// A path beside `destination` for what will be renamed to it, or moved there as the file system can.
pub fn beside(destination: &Path) -> PathBuf {
    let random = RandomState::new().hash_one(0);
    destination.with_file_name(format!(".moduli-{}-{random:016x}.part", std::process::id()))
}

/// Whether a name is one that [`beside`] gives.
fn is_ours(name: &str) -> bool {
    let parts = name.strip_prefix(".moduli-").and_then(|name| name.strip_suffix(".part")?.split_once('-'));
    parts.is_some_and(|(process, random)| {
        let all = |text: &str, radix| text.chars().all(|character| character.is_digit(radix));
        !process.is_empty() && all(process, 10) && random.len() == 16 && all(random, 16)
    })
}

/// Creates the file, and locks it for as long as it is open; `None` if another process removed it as stale
/// before it was locked. If the file system has no locks, it is not locked, and nobody clears it.
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

/// Removes files that killed processes have left beside `destination`. Files that a process still writes are
/// locked, and stay; so do files that cannot be removed.
pub fn clear(destination: &Path) {
    let Ok(entries) = fs::read_dir(folder(destination)) else { return };
    for entry in entries.flatten() {
        let is_part = entry.file_name().to_str().is_some_and(is_ours);
        if is_part && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            let path = entry.path();
            // The lock is held until the file is gone.
            let stale = File::open(&path).ok().filter(|file| file.try_lock().is_ok());
            if stale.is_some() {
                let _ = fs::remove_file(&path);
            }
        }
    }
}

/// Syncs the new name of `destination` to the disk, if the system can sync a folder.
///
/// # Errors
/// Those of the disk.
pub fn sync_name(destination: &Path) -> io::Result<()> {
    let folder = folder(destination);
    #[cfg(test)]
    SYNCED.with_borrow_mut(|synced| synced.push(folder.to_owned()));
    // Some systems open no folders, some let one write to a folder but not read it, and some cannot sync it.
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
        // As if its process had ended.
        drop(file);
        clear(&destination);
        assert!(!path.exists());
        assert_eq!(names(), 1);
        fs::remove_dir_all(&folder).unwrap();
    }
}
