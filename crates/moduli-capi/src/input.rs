//! Inputs: the memory that a caller's pointers name. Secrets are copied, and the copies are wiped.

use crypto_bigint::BoxedUint;
use moduli::{Exponent, SignedExponent};
use std::{
    ffi::{CStr, c_char},
    path::PathBuf,
    slice, str,
};
use zeroize::Zeroizing;

use crate::failure::Failure;

/// The longest number that a call accepts, in bytes: 2^19 bits.
pub const MODULI_MAX_NUMBER_BYTES: usize = 65536;

/// The bytes that a caller's pointer and length name; NULL and 0 are none.
///
/// # Safety
/// `start` is NULL or points to `length` bytes that can be read, and to which nobody writes while the result
/// is used.
pub(crate) unsafe fn bytes<'a>(name: &str, start: *const u8, length: usize) -> Result<&'a [u8], Failure> {
    if length == 0 {
        return Ok(&[]);
    }
    if start.is_null() {
        return Err(Failure::null(name));
    }
    if length > isize::MAX as usize {
        return Err(Failure::length(name, "more bytes than an address space has"));
    }
    // SAFETY: not NULL, no longer than a slice may be, and by the caller's word readable and left alone.
    Ok(unsafe { slice::from_raw_parts(start, length) })
}

/// A number that may be secret, at the length that the caller gave it.
pub(crate) struct Number {
    value: Zeroizing<BoxedUint>,
    bits: u32,
}

impl Number {
    fn new(name: &str, bytes: &[u8]) -> Result<Self, Failure> {
        let too_long =
            || Failure::length(name, format!("{} bytes; at most {MODULI_MAX_NUMBER_BYTES}", bytes.len()));
        if bytes.len() > MODULI_MAX_NUMBER_BYTES {
            return Err(too_long());
        }
        // The empty string is a zero of one byte.
        let bits = 8 * bytes.len().max(1) as u32;
        let value = BoxedUint::from_be_slice(bytes, bits).map_err(|_| too_long())?;
        Ok(Self { value: Zeroizing::new(value), bits })
    }

    pub(crate) fn value(&self) -> &BoxedUint {
        &self.value
    }

    /// The number as an exponent of its declared length.
    pub(crate) fn exponent(&self) -> Result<Exponent<'_>, Failure> {
        Ok(Exponent::from(&*self.value).with_bits(self.bits)?)
    }

    /// The same with a sign, which is hidden.
    pub(crate) fn signed_exponent(&self, negative: bool) -> Result<SignedExponent<'_>, Failure> {
        Ok(SignedExponent::new(negative, &self.value).with_bits(self.bits)?)
    }
}

/// The big-endian number that a caller's pointer and length name.
///
/// # Safety
/// As for [`bytes`], until this returns.
pub(crate) unsafe fn number(name: &str, start: *const u8, length: usize) -> Result<Number, Failure> {
    // SAFETY: as the caller says; the bytes are copied here.
    Number::new(name, unsafe { bytes(name, start, length) }?)
}

/// `count` big-endian numbers of `width` bytes each, one after the other.
///
/// # Safety
/// As for [`bytes`], with `width`·`count` bytes, until this returns.
pub(crate) unsafe fn numbers(
    name: &str,
    start: *const u8,
    width: usize,
    count: usize,
) -> Result<Vec<Number>, Failure> {
    let length =
        width.checked_mul(count).ok_or_else(|| Failure::length(name, "width times count overflows"))?;
    // SAFETY: as the caller says; the bytes are copied here.
    let all = unsafe { bytes(name, start, length) }?;
    (0..count).map(|row| Number::new(name, &all[row * width..][..width])).collect()
}

/// `count` signs, or none if `start` is NULL. There is no `Option<bool>` for each number, because testing
/// whether it is `None` would read the sign.
///
/// # Safety
/// As for [`bytes`], until this returns.
pub(crate) unsafe fn signs(start: *const u8, count: usize) -> Result<Option<Zeroizing<Vec<bool>>>, Failure> {
    if start.is_null() {
        return Ok(None);
    }
    // SAFETY: as the caller says; the bytes are copied here.
    let signs = unsafe { bytes("negative", start, count) }?;
    Ok(Some(Zeroizing::new(signs.iter().map(|&sign| sign != 0).collect())))
}

/// The exponents of as many numbers and signs.
pub(crate) fn exponents<'a>(
    numbers: &'a [Number],
    signs: &Option<Zeroizing<Vec<bool>>>,
) -> Result<Zeroizing<Vec<SignedExponent<'a>>>, Failure> {
    // With its full capacity from the start, because a vector that grows leaves copies in memory.
    let mut exponents = Zeroizing::new(Vec::with_capacity(numbers.len()));
    for (i, number) in numbers.iter().enumerate() {
        exponents.push(match signs {
            None => number.exponent()?.into(),
            Some(signs) => number.signed_exponent(signs[i])?,
        });
    }
    Ok(exponents)
}

/// The PEM text of a key, of a pointer and a length.
///
/// # Safety
/// As for [`bytes`].
pub(crate) unsafe fn pem<'a>(start: *const c_char, length: usize) -> Result<&'a str, Failure> {
    // SAFETY: as the caller says.
    let bytes = unsafe { bytes("pem", start.cast(), length) }?;
    str::from_utf8(bytes).map_err(|_| {
        Failure::parameter(
            "pem",
            "is not text; a key is text in PEM, and openssl pkey -inform DER makes that of DER",
        )
    })
}

/// The UTF-8 text of a pointer to a text that ends in a zero byte.
///
/// # Safety
/// `start` is NULL or points to bytes that can be read up to a zero byte, and to which nobody writes while
/// the result is used.
pub(crate) unsafe fn name<'a>(name: &str, start: *const c_char) -> Result<&'a str, Failure> {
    if start.is_null() {
        return Err(Failure::null(name));
    }
    // SAFETY: not NULL, and by the caller's word readable up to its zero and left alone.
    unsafe { CStr::from_ptr(start) }.to_str().map_err(|_| Failure::parameter(name, "is not UTF-8"))
}

/// The path of a pointer to a text that ends in a zero byte: any bytes on Unix, UTF-8 elsewhere.
///
/// # Safety
/// As for [`name`], until this returns.
pub(crate) unsafe fn path(start: *const c_char) -> Result<PathBuf, Failure> {
    if start.is_null() {
        return Err(Failure::null("path"));
    }
    #[cfg(unix)]
    {
        use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
        // SAFETY: not NULL, and by the caller's word readable up to its zero; copied here.
        let path = unsafe { CStr::from_ptr(start) };
        Ok(PathBuf::from(OsStr::from_bytes(path.to_bytes())))
    }
    #[cfg(not(unix))]
    // SAFETY: as the caller says; copied here.
    Ok(PathBuf::from(unsafe { name("path", start) }?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_in_der_is_told_what_to_do() {
        let der = *b"\x30\x82\x01\x22";
        // SAFETY: so many bytes are there.
        let failure = unsafe { pem(der.as_ptr().cast(), der.len()) }.err();
        assert!(failure.is_some_and(|failure| failure.message.contains("openssl pkey -inform DER")));
    }
}
