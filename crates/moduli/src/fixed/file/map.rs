//! Maps table files into memory.

use alloc::{boxed::Box, string::ToString};
use memmap2::Mmap;
use std::path::Path;

use super::{
    expected::Expected,
    header::Header,
    load::{load, open_regular},
    source::{DIGEST_BYTES, Source},
};
use crate::{
    error::{Error, FileReason},
    fixed::{fixed_base::FixedBase, storage::Storage},
};

impl FixedBase {
    /// Like [`FixedBase::open`], but maps the file read-only: processes that open the same file
    /// share one copy of its pages. Reads all pages once for the checksum and, with
    /// [`Expected::base`], a second time to verify the entries.
    ///
    /// On a big-endian machine, and for a file written for a kernel of another layout, the table is read into
    /// memory instead; see [`FixedBase::is_mapped`].
    ///
    /// # Errors
    /// As for [`FixedBase::open`].
    ///
    /// # Safety
    /// As long as the table exists, nobody may change or truncate the file, neither this process nor another.
    /// A change breaks Rust's rules for shared memory (and makes results wrong); a truncated page ends the
    /// process with a signal. Replacing the file by renaming another one over it, as [`FixedBase::save`]
    /// does, is safe: the mapping keeps the old file.
    ///
    /// Verified entries and a trusted digest describe the file at the time when it was opened. Anyone who can
    /// write to it later can insert entries and compute secret exponents from the results. So map only files
    /// to which nobody else can write, and read others into memory with [`FixedBase::open`].
    pub unsafe fn open_mmap(path: impl AsRef<Path>, expected: &Expected<'_>) -> Result<Self, Error> {
        let path = path.as_ref();
        // SAFETY: the caller guarantees that nobody changes or truncates the file while the table
        // exists.
        unsafe { open(path, expected) }.map_err(|reason| Error::file(path.display().to_string(), reason))
    }
}

/// Whether anyone other than this user and root can change a file. If so, read a table for secret exponents
/// into memory with [`FixedBase::open`] instead of mapping it. Checks the owner and mode of the file, but not
/// whether others can replace it in its directory, because that does not affect a mapping. False for a
/// missing file, and on systems other than Unix.
#[cfg(unix)]
pub fn others_can_write(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    path.metadata().is_ok_and(|metadata| {
        let owner = metadata.uid();
        metadata.mode() & 0o022 != 0 || (owner != 0 && owner != rustix::process::geteuid().as_raw())
    })
}

/// Always false: only on Unix can the library find out who can change a file.
#[cfg(not(unix))]
pub fn others_can_write(_: &Path) -> bool {
    false
}

/// # Safety
/// As for [`FixedBase::open_mmap`].
unsafe fn open(path: &Path, expected: &Expected<'_>) -> Result<FixedBase, FileReason> {
    let (file, length) = open_regular(path)?;
    if length == 0 {
        return Err("is empty".into());
    }
    // SAFETY: the caller guarantees that nobody changes or truncates the file while it is mapped.
    let map = unsafe { Mmap::map(&file) }?;
    let mut source = Source::new(&map[..], map.len() as u64);
    let header = Header::read(&mut source)?;
    let body = if cfg!(target_endian = "little") {
        source.skip_words(header.body_words())?;
        None
    } else {
        Some(source.words(header.body_words())?)
    };
    let digest = source.finish()?;
    let body = match body {
        Some(words) => Storage::Owned(words),
        None => Storage::Mapped(Box::new(Body::new(map, &header)?)),
    };
    load(&header, &digest, body, expected)
}

/// The words of the body in the mapping.
struct Body {
    map: Mmap,
    /// The byte offset of the body. The mapping contains `words` aligned words from there on.
    start: usize,
    words: usize,
}

impl Body {
    fn new(map: Mmap, header: &Header) -> Result<Self, FileReason> {
        let words = usize::try_from(header.body_words()).ok();
        let after = words.and_then(|words| words.checked_mul(8)?.checked_add(DIGEST_BYTES));
        let start = after.and_then(|after| map.len().checked_sub(after));
        match (start, words) {
            (Some(start), Some(words)) if map[start..].as_ptr().cast::<u64>().is_aligned() => {
                Ok(Self { map, start, words })
            }
            _ => Err("cannot be mapped".into()),
        }
    }
}

impl AsRef<[u64]> for Body {
    fn as_ref(&self) -> &[u64] {
        let bytes = &self.map[self.start..];
        // SAFETY: `new` has checked that the mapping contains this many words from here on, and
        // that they are aligned. Every bit pattern is a u64. Whoever opened the mapping guarantees
        // that nobody writes to it while it exists.
        unsafe { core::slice::from_raw_parts(bytes.as_ptr().cast(), self.words) }
    }
}
