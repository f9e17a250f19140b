//! Directories that appear complete or not at all.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};

use crate::{
    failure::Failure,
    io::{atomic_file, temporary::Temporary},
};

/// A file to write: its name and its text.
pub type Named = (String, String);

/// Writes a directory with these files. An existing one is replaced only if `force` is true and
/// `ours` accepts the names of all its files.
pub fn write(path: &Path, files: &[Named], force: bool, ours: impl Fn(&str) -> bool) -> Result<(), Failure> {
    let exists = replaces(path, force, ours)?;
    let temporary = create_beside(path)?;
    for (name, text) in files {
        fill(&temporary.path().join(name), text).map_err(|error| Failure::file(path.join(name), &error))?;
    }
    let failed = |error: io::Error| Failure::file(path, &error);
    if !exists {
        return fs::rename(temporary.path(), path).map_err(failed);
    }
    // The old directory gets a temporary name, which is removed on interruption. It is restored if
    // the new one cannot take its place.
    let (old, ()) = Temporary::create(beside(path)?, |aside| fs::rename(path, aside)).map_err(failed)?;
    fs::rename(temporary.path(), path).map_err(|error| {
        let _ = fs::rename(old.path(), path);
        failed(error)
    })
}

/// Rejects a path before the work starts, if it exists and may not be replaced, contains files that
/// are not `ours`, or cannot be written.
pub fn check_place(path: &Path, force: bool, ours: impl Fn(&str) -> bool) -> Result<(), Failure> {
    replaces(path, force, ours)?;
    create_beside(path).map(drop)
}

fn create_beside(path: &Path) -> Result<Temporary, Failure> {
    let created = Temporary::create(beside(path)?, |path| fs::create_dir(path));
    created.map(|(temporary, ())| temporary).map_err(|error| Failure::file(path, &error))
}

/// Whether a directory must be replaced. Returns an error if it may not.
fn replaces(path: &Path, force: bool, ours: impl Fn(&str) -> bool) -> Result<bool, Failure> {
    let exists = fs::symlink_metadata(path).is_ok();
    if exists && !force {
        return Err(atomic_file::exists(path));
    }
    if exists {
        check(path, ours)?;
    }
    Ok(exists)
}

fn fill(path: &Path, text: &str) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// An unused name beside `path`.
fn beside(path: &Path) -> Result<PathBuf, Failure> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let name = path.file_name().ok_or_else(|| Failure::about(path, "is not the name of a directory"))?;
    loop {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let mut temporary = std::ffi::OsString::from(".");
        temporary.push(name);
        temporary.push(format!(".{}-{number}.tmp", std::process::id()));
        let temporary = path.with_file_name(temporary);
        if fs::symlink_metadata(&temporary).is_err() {
            return Ok(temporary);
        }
    }
}

/// Rejects a directory that contains files of other programs.
fn check(path: &Path, ours: impl Fn(&str) -> bool) -> Result<(), Failure> {
    let failed = |error: io::Error| Failure::file(path, &error);
    if !fs::symlink_metadata(path).map_err(failed)?.is_dir() {
        return Err(Failure::about(path, "exists and is not a directory"));
    }
    for entry in fs::read_dir(path).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name();
        let is_file = entry.file_type().map_err(failed)?.is_file();
        if !is_file || !name.to_str().is_some_and(&ours) {
            let reason =
                format!("holds {}, which this command did not write: it is not replaced", name.display());
            return Err(Failure::about(path, reason));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::scratch::Scratch;

    fn files(text: &str) -> Vec<Named> {
        ["a.hex", "b.hex"].map(|name| (name.to_owned(), text.to_owned())).to_vec()
    }

    #[test]
    fn directories_are_written_whole_and_replaced_only_if_they_are_ours() {
        let scratch = Scratch::new("hdl-directory").unwrap();
        let path = scratch.join("out");
        let ours = |name: &str| name.ends_with(".hex");
        write(&path, &files("one"), false, ours).unwrap();
        assert!(write(&path, &files("two"), false, ours).is_err());
        assert_eq!(fs::read_to_string(path.join("a.hex")).unwrap(), "one");
        write(&path, &files("two"), true, ours).unwrap();
        assert_eq!(fs::read_to_string(path.join("b.hex")).unwrap(), "two");
        fs::write(path.join("notes"), "mine").unwrap();
        let error = write(&path, &files("three"), true, ours).unwrap_err();
        assert!(error.to_string().contains("holds notes"), "{error}");
        assert_eq!(fs::read_to_string(path.join("b.hex")).unwrap(), "two");
        // A file that cannot be written leaves nothing behind.
        assert!(check_place(&scratch.join("none/out"), false, ours).is_err());
        check_place(&scratch.join("other"), false, ours).unwrap();
        let bad = vec![("a.hex".to_owned(), String::new()), ("no/such.hex".to_owned(), String::new())];
        assert!(write(&scratch.join("other"), &bad, false, ours).is_err());
        assert_eq!(fs::read_dir(scratch.join("")).unwrap().count(), 1);
    }
}
