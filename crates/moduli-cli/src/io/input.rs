//! Reads files and standard input.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

use moduli::scheme::dsa::Hash;
use zeroize::Zeroizing;

use crate::failure::Failure;

/// Whether this path means standard input or output.
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Opens standard input, but only once: a second reader would find it empty, and silently sign or
/// compute that. On Unix without the buffer of the standard library, which cannot be wiped.
pub fn standard() -> Result<Box<dyn Read>, Failure> {
    static TAKEN: AtomicBool = AtomicBool::new(false);
    if TAKEN.swap(true, Ordering::Relaxed) {
        return Err(Failure::Usage("standard input is given twice; it can be read only once".into()));
    }
    #[cfg(unix)]
    if let Ok(file) = std::os::fd::AsFd::as_fd(&io::stdin()).try_clone_to_owned() {
        return Ok(Box::new(File::from(file)));
    }
    Ok(Box::new(io::stdin().lock()))
}

/// Opens a file or, for `-`, standard input. Returns its length in bytes, if it is known.
pub fn open(path: &Path) -> Result<(Box<dyn Read>, Option<u64>), Failure> {
    if is_standard(path) {
        return Ok((standard()?, None));
    }
    let file = File::open(path).map_err(|error| Failure::file(path, &error))?;
    let metadata = file.metadata().map_err(|error| Failure::file(path, &error))?;
    let length = metadata.is_file().then_some(metadata.len());
    Ok((Box::new(file), length))
}

/// Reads all of a file, or of standard input for `-`, if it has at most `limit` bytes.
pub fn read(path: &Path, limit: u64) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let (source, _) = open(path)?;
    // Allocated at once, because a growing buffer would leave copies behind that are not wiped, and
    // the file may be a key.
    let mut bytes = Zeroizing::new(Vec::with_capacity(limit as usize + 1));
    source.take(limit + 1).read_to_end(&mut bytes).map_err(|error| Failure::file(path, &error))?;
    if bytes.len() as u64 > limit {
        return Err(Failure::about(path, format!("longer than {limit} bytes")));
    }
    Ok(bytes)
}

/// The digest of a file, or of standard input for `-`, in constant memory.
pub fn digest(path: &Path, hash: Hash) -> Result<Vec<u8>, Failure> {
    let (source, _) = open(path)?;
    hash.digest_stream(source).map_err(|error| Failure::file(path, &error))
}
