//! The header of a table file: everything about a table except its entries.

use alloc::{format, string::String, string::ToString, vec::Vec};
use crypto_bigint::{BoxedUint, Integer};
use std::io::Read;

use super::source::{DIGEST_BYTES, Source};
use crate::{
    error::{Error, FileReason, ModulusError},
    fixed::{
        method::Method,
        shape::{MAX_EXPONENT_BITS, Shape},
    },
    modulus::MAX_MODULUS_BITS,
};

/// Not text. A conversion of line ends destroys it.
const MAGIC: [u8; 8] = *b"\x89moduli\n";
const VERSION: u32 = 1;
/// The length of the fixed part, before the numbers.
const FIXED_BYTES: usize = 84;
/// The body begins at a multiple of this, in the file and in a mapping of it: the length of a cache
/// line.
const ALIGNMENT: usize = 64;

/// A header that is consistent and matches the length of the file.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) layout: [u8; 8],
    pub(super) residue_words: u64,
    pub(super) entry_words: u64,
    pub(super) shape: Shape,
    /// Odd and greater than 1.
    pub(super) modulus: BoxedUint,
    /// Nonzero and below the modulus.
    pub(super) base: BoxedUint,
    /// Nonzero. It may not be an order of the base.
    pub(super) order: Option<BoxedUint>,
}

impl Header {
    pub(super) fn encode(&self) -> Vec<u8> {
        let numbers = [Some(&self.modulus), Some(&self.base), self.order.as_ref()]
            .map(|number| number.map(BoxedUint::to_le_bytes_trimmed_vartime).unwrap_or_default());
        let total = header_bytes(numbers.iter().map(|number| number.len()).sum());
        let (method, parameters) = encode_method(self.shape.method());
        let mut out = Vec::with_capacity(total);
        out.extend(MAGIC);
        out.extend([VERSION, total as u32].iter().flat_map(|field| field.to_le_bytes()));
        out.extend(self.layout);
        let sizes = [self.residue_words, self.entry_words, self.shape.entries()];
        out.extend(sizes.iter().flat_map(|field| field.to_le_bytes()));
        let [a, b, c] = parameters;
        let fields = [method, a, b, c, self.shape.split(), self.shape.exponent_bits()];
        out.extend(fields.iter().flat_map(|field| field.to_le_bytes()));
        out.extend(numbers.iter().flat_map(|number| (number.len() as u32).to_le_bytes()));
        for number in &numbers {
            out.extend_from_slice(number);
        }
        out.resize(total, 0);
        out
    }

    /// Reads a header and checks it, as far as possible without the base. Checks sizes first, so
    /// that no claim of the header causes an allocation beyond the library's bounds.
    pub(super) fn read(source: &mut Source<impl Read>) -> Result<Self, FileReason> {
        if source.length() < (FIXED_BYTES + DIGEST_BYTES) as u64 {
            return Err("is too short to be a table file".into());
        }
        if source.array()? != MAGIC {
            return Err("is not a table file".into());
        }
        let version = source.u32()?;
        if version != VERSION {
            return Err(format!("is a table file of version {version}; version {VERSION} can be read").into());
        }
        let total = source.u32()?;
        let layout = source.array()?;
        let (residue_words, entry_words, entries) = (source.u64()?, source.u64()?, source.u64()?);
        let method = source.u32()?;
        let parameters = [source.u32()?, source.u32()?, source.u32()?];
        let (split, exponent_bits) = (source.u32()?, source.u32()?);
        let (modulus_bytes, base_bytes, order_bytes) = (source.u32()?, source.u32()?, source.u32()?);

        let bound = |what: &str, bytes: u32, max: u32| {
            if bytes <= max {
                Ok(bytes as usize)
            } else {
                Err(FileReason::from(format!("claims {what} of {bytes} bytes; at most {max}")))
            }
        };
        let modulus_bytes = bound("a modulus", modulus_bytes, MAX_MODULUS_BITS.div_ceil(8))?;
        let base_bytes = bound("a base", base_bytes, MAX_MODULUS_BITS.div_ceil(8))?;
        let order_bytes = bound("an order", order_bytes, MAX_EXPONENT_BITS / 8 + 1)?;
        let number_bytes = modulus_bytes + base_bytes + order_bytes;
        if total as usize != header_bytes(number_bytes) {
            return Err(format!(
                "claims a header of {total} bytes; its numbers need {}",
                header_bytes(number_bytes)
            )
            .into());
        }
        let length = entry_words
            .checked_mul(8)
            .and_then(|bytes| bytes.checked_mul(entries))
            .and_then(|bytes| bytes.checked_add(u64::from(total) + DIGEST_BYTES as u64));
        if length != Some(source.length()) {
            let length = length.map_or("far more".to_string(), |length| length.to_string());
            return Err(format!("has {} bytes; its header requires {length}", source.length()).into());
        }
        let shape =
            decode_method(method, parameters).and_then(|method| Shape::new(method, split, exponent_bits))?;
        if shape.entries() != entries {
            return Err(format!("claims {entries} entries; {shape} has {}", shape.entries()).into());
        }

        let modulus = read_number(source, "modulus", modulus_bytes)?;
        let base = read_number(source, "base", base_bytes)?;
        let order = if order_bytes > 0 { Some(read_number(source, "order", order_bytes)?) } else { None };
        let mut padding = [0; ALIGNMENT];
        let padding = &mut padding[..total as usize - FIXED_BYTES - number_bytes];
        source.read(padding)?;
        if padding.iter().any(|&byte| byte != 0) {
            return Err("has a header that is not padded with zeros".into());
        }
        if modulus.bits_vartime() < 2 {
            return Err(Error::Modulus(ModulusError::TooSmall).into());
        }
        if !bool::from(modulus.is_odd()) {
            return Err(Error::Modulus(ModulusError::Even).into());
        }
        if base >= modulus {
            return Err("has a base that is not below the modulus".into());
        }
        Ok(Self { layout, residue_words, entry_words, shape, modulus, base, order })
    }

    /// Words of the body. This does not overflow, because the file contains them.
    pub(super) fn body_words(&self) -> u64 {
        self.entry_words * self.shape.entries()
    }

    /// The layout as text.
    pub(super) fn layout_name(&self) -> String {
        self.layout.trim_ascii_end().escape_ascii().to_string()
    }
}

fn header_bytes(number_bytes: usize) -> usize {
    (FIXED_BYTES + number_bytes).next_multiple_of(ALIGNMENT)
}

/// A little-endian number of a given length whose last byte must not be zero.
fn read_number(source: &mut Source<impl Read>, name: &str, length: usize) -> Result<BoxedUint, FileReason> {
    let mut bytes = alloc::vec![0; length];
    source.read(&mut bytes)?;
    if bytes.last().is_none_or(|&top| top == 0) {
        return Err(format!("has a {name} that is zero or begins with zeros").into());
    }
    Ok(BoxedUint::from_le_slice_vartime(&bytes))
}

fn encode_method(method: Method) -> (u32, [u32; 3]) {
    match method {
        Method::Radix { radix } => (1, [radix, 0, 0]),
        Method::Comb { teeth, tables, short_tables } => (2, [teeth, tables, short_tables]),
        Method::M0m1 { m0, m1 } => (3, [m0, m1, 0]),
        Method::ResidueDigits { m0, m1 } => (4, [m0, m1, 0]),
    }
}

fn decode_method(method: u32, parameters: [u32; 3]) -> Result<Method, Error> {
    match (method, parameters) {
        (1, [radix, 0, 0]) => Ok(Method::Radix { radix }),
        (2, [teeth, tables, short_tables]) => Ok(Method::Comb { teeth, tables, short_tables }),
        (3, [m0, m1, 0]) => Ok(Method::M0m1 { m0, m1 }),
        (4, [m0, m1, 0]) => Ok(Method::ResidueDigits { m0, m1 }),
        _ => {
            Err(Error::parameter("method", format!("{method} with the parameters {parameters:?} is unknown")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_is_read_as_it_was_written() {
        for method in Method::EXAMPLES {
            let (number, parameters) = encode_method(method);
            assert_eq!(decode_method(number, parameters), Ok(method));
        }
    }
}
