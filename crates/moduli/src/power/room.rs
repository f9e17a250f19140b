//! Memory for tables.

use alloc::format;

use crate::error::Error;
use moduli_kernel::Words;

/// Allocates `entries` entries of `size` words.
///
/// # Errors
/// [`Error::Parameter`] if there is not enough memory.
pub(super) fn entries(entries: usize, size: usize) -> Result<Words, Error> {
    entries
        .checked_mul(size)
        .and_then(Words::try_zero)
        .ok_or_else(|| Error::memory("window", format!("{entries} entries of {size} words")))
}
