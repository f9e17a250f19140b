//! Opens table files.

use std::path::Path;

use crypto_bigint::BoxedUint;
use moduli::{
    FixedBase, Modulus,
    fixed::{Expected, TableInfo, others_can_write},
};

use crate::{
    failure::{self, Failure},
    io::number,
};

/// Where to store the words of a table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Memory {
    /// In memory of this process.
    Own,
    /// In the file, mapped and shared with other processes.
    Mapped,
    /// In the file, unless users other than this one and root can write to it. Otherwise in memory
    /// of this process.
    MappedIfSafe,
}

impl Memory {
    /// The choice for the options `--mmap` and `--public`.
    pub fn asked_for(mmap: bool, public: bool) -> Self {
        match (mmap, public) {
            (false, _) => Self::Own,
            (true, true) => Self::Mapped,
            (true, false) => Self::MappedIfSafe,
        }
    }

    fn is_mapped(self, path: &Path) -> bool {
        match self {
            Self::Own => false,
            Self::Mapped => true,
            Self::MappedIfSafe => {
                let unsafe_to_map = others_can_write(path);
                if unsafe_to_map {
                    failure::say(format_args!(
                        "note: {}: others can write to it; read into memory instead of mapped",
                        path.display()
                    ));
                }
                !unsafe_to_map
            }
        }
    }
}

/// Opens the table of a given base and verifies all its entries.
pub fn for_base(
    path: &Path,
    memory: Memory,
    modulus: &Modulus,
    base: &BoxedUint,
) -> Result<FixedBase, Failure> {
    open(path, memory, &Expected::base(modulus, base))
}

/// Opens the table with this checksum or, without one, any table, and verifies all its entries. In
/// the second case, the caller trusts the modulus and the base in the file.
pub fn on_trust(path: &Path, memory: Memory, digest: Option<&str>) -> Result<FixedBase, Failure> {
    if let Some(hex) = digest {
        return with_digest(path, memory, hex);
    }
    let info = TableInfo::read(path)?;
    for_base(path, memory, &Modulus::new(info.modulus())?, info.base())
}

/// Opens the file with this checksum, the value of `--digest`.
pub fn with_digest(path: &Path, memory: Memory, hex: &str) -> Result<FixedBase, Failure> {
    open(path, memory, &Expected::digest(number::digest_argument("--digest", hex)?))
}

/// Opens any table without verifying its entries.
pub fn unverified(path: &Path, memory: Memory, info: &TableInfo) -> Result<FixedBase, Failure> {
    open(path, memory, &Expected::base_unverified(&Modulus::new(info.modulus())?, info.base()))
}

fn open(path: &Path, memory: Memory, expected: &Expected<'_>) -> Result<FixedBase, Failure> {
    let table = if memory.is_mapped(path) { map(path, expected)? } else { FixedBase::open(path, expected)? };
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
    // SAFETY: a user who requests a mapping guarantees, as the help of `--mmap` says, that nobody
    // changes or truncates the file while the command runs. The command itself only replaces files
    // by renaming, which does not affect a mapping.
    Ok(unsafe { FixedBase::open_mmap(path, expected) }?)
}
