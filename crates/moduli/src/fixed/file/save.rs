//! Writing table files.

use alloc::{format, string::ToString};
use sha2::{Digest, Sha256};
use std::{
    ffi::OsStr,
    fs::{self, File},
    hash::{BuildHasher, RandomState},
    io::{self, Write},
    path::{Path, PathBuf},
};

use super::header::Header;
use crate::{error::Error, fixed::fixed_base::FixedBase};

/// Words that are written at a time.
const BLOCK: usize = 1 << 13;

impl FixedBase {
    /// Writes the table to a file, in the layout of the running kernel, for [`FixedBase::open`].
    ///
    /// The file appears whole or not at all: it is written under another name in the same directory, flushed to
    /// the disk, and renamed over what was there.
    ///
    /// # Errors
    /// [`Error::File`]; nothing half-written is left behind.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        replace_file(path, |file| self.write_to(file))
            .map_err(|error| Error::File { path: path.display().to_string(), reason: error.to_string() })
    }

    /// Writes the bytes of a table file to a stream.
    ///
    /// # Errors
    /// Those of the stream.
    pub fn write_to(&self, out: &mut impl Write) -> io::Result<()> {
        let kernel = self.kernel();
        let table = self.table(kernel);
        let header = Header {
            layout: kernel.layout(),
            residue_words: kernel.residue_words() as u64,
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

/// A file that is removed when dropped, until it has got its final name.
struct Unfinished(Option<PathBuf>);

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            // The error that led here is the one to report.
            let _ = fs::remove_file(path);
        }
    }
}

/// Replaces the file at `path`, or makes it, by what `write` writes.
fn replace_file(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    if path.file_name().is_none_or(OsStr::is_empty) {
        return Err(io::Error::other("is no name of a file"));
    }
    if fs::metadata(path).is_ok_and(|existing| !existing.is_file()) {
        return Err(io::Error::other("exists and is no regular file"));
    }
    let beside = path.with_file_name(format!(".moduli-{:016x}.part", RandomState::new().hash_one(0)));
    let mut file = File::create_new(&beside)?;
    let mut unfinished = Unfinished(Some(beside.clone()));
    write(&mut file)?;
    file.sync_all()?;
    drop(file);
    fs::rename(&beside, path)?;
    unfinished.0 = None;
    Ok(())
}

#[cfg(test)]
mod tests {
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
}
