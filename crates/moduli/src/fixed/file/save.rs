//! Writes table files.

use alloc::string::ToString;
use sha2::{Digest, Sha256};
use std::{
    ffi::OsStr,
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};

use super::{header::Header, part};
use crate::{error::Error, fixed::fixed_base::FixedBase};

/// Words per write.
const BLOCK: usize = 1 << 13;

impl FixedBase {
    /// Writes the table to a file, in the layout of the running kernel, for [`FixedBase::open`].
    ///
    /// The file appears complete or not at all. The method writes it under another name
    /// (`.moduli-PROCESS-RANDOM.part`) in the same directory, syncs it to the disk, renames it over
    /// an existing file, whose permissions it gets, and then syncs its name. If `path` is a
    /// symbolic link, this replaces its target; a link without a target is an error. Temporary
    /// files that killed processes left there are removed first; those that a process is still
    /// writing are locked, and stay.
    ///
    /// # Errors
    /// [`Error::File`]; no half-written file is left behind.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        replace_file(path, |file| self.write_to(file))
            .map_err(|error| Error::file(path.display().to_string(), error))
    }

    /// Writes the bytes of a table file to a stream.
    ///
    /// # Errors
    /// Those of the stream.
    pub fn write_to(&self, out: &mut impl Write) -> io::Result<()> {
        let kernel = self.modulus().dimensions();
        let table = self.table();
        let header = Header {
            layout: self.modulus().kernel().layout(),
            residue_words: kernel.residue_words as u64,
            entry_words: table.one.len() as u64,
            shape: *self.shape(),
            modulus: self.modulus().value().as_ref().clone(),
            base: self.base().clone(),
            order: self.order().cloned(),
        };
        let mut hash = Sha256::new();
        let mut write = |bytes: &[u8]| {
            hash.update(bytes);
            out.write_all(bytes)
        };
        write(&header.encode())?;
        let mut block = alloc::vec::Vec::with_capacity(8 * BLOCK);
        for words in table.words.chunks(BLOCK) {
            block.clear();
            block.extend(words.iter().flat_map(|word| word.to_le_bytes()));
            write(&block)?;
        }
        out.write_all(&hash.finalize())
    }
}

/// A file that is removed on drop, unless it has its final name.
struct Unfinished(Option<PathBuf>);

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            // Ignores this error: the caller reports an earlier one.
            let _ = fs::remove_file(path);
        }
    }
}

/// Creates or replaces the file at `path`. `write` writes its content.
fn replace_file(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let path = &part::target(path)?;
    let existing = fs::metadata(path);
    if path.file_name().is_none_or(OsStr::is_empty) || existing.as_ref().is_ok_and(fs::Metadata::is_dir) {
        // Returns the system's error for this name.
        OpenOptions::new().write(true).open(path)?;
        return Err(io::Error::other("is not the name of a file"));
    }
    if existing.is_ok_and(|existing| !existing.is_file()) {
        return Err(io::Error::other("exists and is not a regular file"));
    }
    part::clear(path);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    let (mut file, beside) = loop {
        let beside = part::beside(path);
        if let Some(file) = part::create(&beside, &options)? {
            break (file, beside);
        }
    };
    let mut unfinished = Unfinished(Some(beside.clone()));
    part::keep_mode(&file, path)?;
    write(&mut file)?;
    file.sync_all()?;
    // The file is still open, and so locked: no process treats it as stale.
    fs::rename(&beside, path)?;
    unfinished.0 = None;
    part::sync_name(path)
}

#[cfg(test)]
mod tests {
    use alloc::{format, vec::Vec};

    use super::*;

    #[test]
    fn a_write_that_fails_leaves_the_old_file_and_nothing_else() {
        let directory = std::env::temp_dir().join(format!("moduli-save-{}", std::process::id()));
        fs::create_dir_all(&directory).unwrap();
        let path = directory.join("table");
        fs::write(&path, b"old").unwrap();
        let result = replace_file(&path, |file| {
            file.write_all(b"half")?;
            assert_eq!(fs::read_dir(&directory)?.count(), 2);
            Err(io::Error::other("no more room"))
        });
        assert_eq!(result.unwrap_err().to_string(), "no more room");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 1);
        fs::remove_dir_all(&directory).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_followed_and_the_mode_is_kept() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let directory = std::env::temp_dir().join(format!("moduli-link-{}", std::process::id()));
        fs::create_dir_all(directory.join("there")).unwrap();
        let (file, link, lost) =
            (directory.join("there/table"), directory.join("link"), directory.join("lost"));
        fs::write(&file, b"old").unwrap();
        symlink("there/table", &link).unwrap();
        symlink("nowhere", &lost).unwrap();
        for mode in [0o640, 0o600, 0o444] {
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
            replace_file(&link, |out| {
                assert_eq!(out.metadata()?.permissions().mode() & 0o777, mode);
                out.write_all(b"new")
            })
            .unwrap();
            assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, mode);
        }
        assert!(link.is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(replace_file(&lost, |_| Ok(())).unwrap_err().kind(), io::ErrorKind::NotFound);
        assert_eq!(replace_file(&directory, |_| Ok(())).unwrap_err().kind(), io::ErrorKind::IsADirectory);
        assert_eq!(replace_file(Path::new(""), |_| Ok(())).unwrap_err().kind(), io::ErrorKind::NotFound);
        fs::remove_dir_all(&directory).unwrap();
    }

    #[test]
    fn a_name_reaches_the_disk_and_stale_files_go() {
        let directory = std::env::temp_dir().join(format!("moduli-stale-{}", std::process::id()));
        fs::create_dir_all(&directory).unwrap();
        let path = directory.join("table");
        fs::write(part::beside(&path), b"half").unwrap();
        part::SYNCED.take();
        replace_file(&path, |file| {
            // The stale file is removed, and the new one exists.
            assert_eq!(fs::read_dir(&directory)?.count(), 1);
            assert!(part::SYNCED.with_borrow(Vec::is_empty));
            file.write_all(b"whole")
        })
        .unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"whole");
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 1);
        assert_eq!(part::SYNCED.take(), core::slice::from_ref(&directory));
        fs::remove_dir_all(&directory).unwrap();
    }
}
