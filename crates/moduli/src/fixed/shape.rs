//! The shape of a table: method, parameters, split, and the length of exponents.

use alloc::{format, string::ToString};
use core::fmt;

use super::{comb, digits, euclid::gcd_vartime, memory_size::MemorySize, method::Method};
use crate::error::Error;
use moduli_kernel::Dimensions;

/// The longest exponent of a table, in bits.
pub const MAX_EXPONENT_BITS: u32 = 131_072;

/// The most entries of a table.
pub const MAX_ENTRIES: u64 = 1 << 32;

/// A method together with the split of its entries and the length of its exponents, which together determine
/// the table of a given base. Only consistent shapes can be created.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    method: Method,
    split: u32,
    exponent_bits: u32,
}

impl Shape {
    /// A shape for exponents below 2^`exponent_bits`. The entries are prepared in `split` pieces
    /// (1: not split).
    ///
    /// # Errors
    /// [`Error::Parameter`] names the parameter that is out of range.
    pub fn new(method: Method, split: u32, exponent_bits: u32) -> Result<Self, Error> {
        let range = |name, value: u32, low: u32, high: u32| {
            if (low..=high).contains(&value) {
                return Ok(());
            }
            Err(Error::out_of_range(name, value, [low, high]))
        };
        range("exponent bits", exponent_bits, 1, MAX_EXPONENT_BITS)?;
        range("split", split, 1, u32::MAX)?;
        if split > 1 && !method.can_split() {
            return Err(Error::parameter("split", "m0m1 as published is not split"));
        }
        match method {
            Method::Radix { radix } => range("radix", radix, 2, (1 << 24) - 1)?,
            Method::Comb { teeth, tables, short_tables } => {
                range("teeth", teeth, 1, 24)?;
                range("tables", tables, 1, exponent_bits)?;
                range("short tables", short_tables, 0, if teeth == 1 { 0 } else { tables - 1 })?;
            }
            Method::M0m1 { m0, m1 } | Method::ResidueDigits { m0, m1 } => {
                range("m1", m1, 2, 255)?;
                range("m0", m0, 2, (1 << 24) - 1)?;
                // Both recodings divide by the multiplier u modulo m0, up to u = m1: the repaired
                // form needs it for the digits, the published form for its Chinese remainder
                // theorem.
                if let Some(u) = (1..=m1).find(|&u| gcd_vartime(u, m0) != 1) {
                    return Err(Error::parameter("m0", format!("{m0} shares a factor with {u}")));
                }
            }
        }
        let shape = Self { method, split, exponent_bits };
        let entries = shape.entries();
        if entries > MAX_ENTRIES {
            return Err(Error::parameter("table", format!("{entries} entries; at most {MAX_ENTRIES}")));
        }
        Ok(shape)
    }

    /// The method and its parameters.
    pub fn method(&self) -> Method {
        self.method
    }

    /// The number of pieces of each entry.
    pub fn split(&self) -> u32 {
        self.split
    }

    /// Whether several exponentiations can run side by side in the lanes of a kernel.
    pub(crate) fn serves_lanes(&self) -> bool {
        match self.method {
            Method::Comb { .. } | Method::Radix { .. } => self.split == 1,
            Method::M0m1 { .. } | Method::ResidueDigits { .. } => false,
        }
    }

    /// The exponent bits t: exponents are below 2^t.
    pub fn exponent_bits(&self) -> u32 {
        self.exponent_bits
    }

    /// The number of digits ℓ: the least with R^ℓ ≥ 2^t for the radix of the method, or the columns
    /// of a comb.
    pub fn digits(&self) -> u32 {
        match self.method {
            Method::Radix { radix } => digits::digit_count(u64::from(radix), self.exponent_bits),
            Method::Comb { .. } => comb::columns(&self.method, self.exponent_bits),
            Method::M0m1 { m0, m1 } | Method::ResidueDigits { m0, m1 } => {
                digits::digit_count(u64::from(m0) * u64::from(m1), self.exponent_bits)
            }
        }
    }

    /// Number of table entries.
    pub fn entries(&self) -> u64 {
        let digits = u64::from(self.digits());
        match self.method {
            Method::Radix { radix } => digits * u64::from(radix - 1),
            Method::Comb { .. } => comb::entries(&self.method, self.exponent_bits),
            // All rows, and the inverses of the first entry of each row and of the first entry of a
            // further row.
            Method::M0m1 { m0, .. } => digits * u64::from(m0) + digits + 1,
            // All rows, and the inverse that compensates the last carry.
            Method::ResidueDigits { m0, .. } => digits * u64::from(m0) + 1,
        }
    }

    /// The bytes that an exponentiation writes: running value, a second residue, buckets, an entry,
    /// scratch.
    pub(crate) fn scratch_bytes(&self, kernel: &Dimensions) -> MemorySize {
        let residues = (2 + self.method.buckets() as usize) * kernel.residue_words;
        let entry = kernel.prepared_words(self.split as usize);
        MemorySize(8 * (residues + entry + kernel.scratch_words) as u64)
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.method.to_string())?;
        if self.split > 1 {
            write!(f, " split {}", self.split)?;
        }
        Ok(())
    }
}
