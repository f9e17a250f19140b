//! Opening table files.

use std::path::Path;

use crypto_bigint::BoxedUint;
use moduli::{
    FixedBase, Modulus,
    fixed::{Expected, TableInfo},
};

use crate::{
    failure::{self, Failure},
    number,
};

/// Opens the table of a base that is known from elsewhere.
pub fn for_base(path: &Path, mmap: bool, modulus: &Modulus, base: &BoxedUint) -> Result<FixedBase, Failure> {
    open(path, mmap, &Expected::base(modulus, base))
}

/// Opens the table with this checksum or, without one, whatever table the file holds: then it is the caller who
/// trusts the file.
pub fn on_trust(path: &Path, mmap: bool, digest: Option<&str>) -> Result<FixedBase, Failure> {
    let digest = match digest {
        Some(hex) => number::digest_argument("--digest", hex)?,
        None => TableInfo::read(path)?.digest(),
    };
    with_digest(path, mmap, digest)
}

/// Opens the file with this checksum.
pub fn with_digest(path: &Path, mmap: bool, digest: [u8; 32]) -> Result<FixedBase, Failure> {
    open(path, mmap, &Expected::digest(digest))
}

fn open(path: &Path, mmap: bool, expected: &Expected<'_>) -> Result<FixedBase, Failure> {
    let table = if mmap { map(path, expected)? } else { FixedBase::open(path, expected)? };
    if table.was_converted() {
        failure::say(format_args!(
            "note: {}: written for another kernel than {}; converted in memory",
            path.display(),
            table.modulus().kernel_name()
        ));
    }
    Ok(table)
}

#[allow(unsafe_code, reason = "the contract of a map can only be handed on to the user")]
fn map(path: &Path, expected: &Expected<'_>) -> Result<FixedBase, Failure> {
    // SAFETY: whoever asks for a map promises, as the help of `--mmap` says, that nobody changes or cuts the file
    // while the command runs. The command itself only replaces files, by renaming, which leaves a map alone.
    Ok(unsafe { FixedBase::open_mmap(path, expected) }?)
}
