//! How entries are found by digits, and the memory they lie in.

use alloc::format;

use crate::error::Error;
use moduli_kernel::Words;

/// How an entry is found by a digit of the exponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LookUp {
    /// All entries are read (and written) under a mask: constant-time.
    Masked,
    /// At its address, which the digit gives away: regular, not constant-time.
    Direct,
}

/// `entries` entries of `size` words.
///
/// # Errors
/// [`Error::Parameter`] if there is not that much memory.
pub(crate) fn entries(entries: usize, size: usize) -> Result<Words, Error> {
    entries.checked_mul(size).and_then(Words::try_zero).ok_or_else(|| {
        let reason = format!("{entries} entries of {size} words need more memory than there is");
        Error::parameter("window", reason)
    })
}
