//! Amounts of memory.

use alloc::format;
use core::{fmt, str::FromStr};

use crate::error::Error;

/// An amount of memory in bytes. Parsed from `64KiB`, `1MiB`, `2GiB` or a number of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemorySize(pub u64);

impl MemorySize {
    /// `n`·2^10 bytes, or the largest possible amount.
    pub const fn kib(n: u64) -> Self {
        Self(n.saturating_mul(1 << 10))
    }

    /// `n`·2^20 bytes, or the largest possible amount.
    pub const fn mib(n: u64) -> Self {
        Self(n.saturating_mul(1 << 20))
    }
}

impl FromStr for MemorySize {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let malformed = || {
            Error::parameter("bytes", format!("{text:?} is not an amount such as 65536, 64KiB, 1MiB or 2GiB"))
        };
        let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (number, unit) = text.split_at(digits);
        let factor = match unit.trim_start() {
            "" | "B" => 1,
            "KiB" => 1 << 10,
            "MiB" => 1 << 20,
            "GiB" => 1 << 30,
            _ => return Err(malformed()),
        };
        let number: u64 = number.parse().map_err(|_| malformed())?;
        number.checked_mul(factor).map(Self).ok_or_else(malformed)
    }
}

impl fmt::Display for MemorySize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(bytes) = *self;
        match bytes {
            0..1024 => write!(f, "{bytes} B"),
            1024..0x10_0000 => write!(f, "{:.1} KiB", bytes as f64 / 1024.0),
            0x10_0000..0x4000_0000 => write!(f, "{:.2} MiB", bytes as f64 / 1_048_576.0),
            _ => write!(f, "{:.2} GiB", bytes as f64 / 1_073_741_824.0),
        }
    }
}
