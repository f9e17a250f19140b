//! Memory that is handed to and fro, and what is read in it.

use moduli::{Exponent, SignedExponent, crypto_bigint::BoxedUint};
use std::{hint::black_box, ptr, slice};
use zeroize::{Zeroize, Zeroizing};

use crate::error::Failure;

/// The longest number in bytes.
pub(crate) const MAX_NUMBER_BYTES: usize = 1 << 16;

/// Room for `length` bytes, zeros; whoever asked gives it back to [`moduli_release`].
#[unsafe(no_mangle)]
pub extern "C" fn moduli_reserve(length: usize) -> *mut u8 {
    Box::into_raw(vec![0u8; length].into_boxed_slice()).cast()
}

/// Wipes the bytes, and gives their room back; and wipes the stack, where compilers leave what they had no
/// register for.
///
/// # Safety
/// It came of [`moduli_reserve`] with the same length, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_release(start: *mut u8, length: usize) {
    // SAFETY: as the caller says.
    let mut bytes = unsafe { Box::from_raw(ptr::slice_from_raw_parts_mut(start, length)) };
    bytes.zeroize();
    wipe_stack();
}

/// Overwrites what calls that have returned left on the stack of linear memory.
#[inline(never)]
fn wipe_stack() {
    // More than any function here goes down; of the megabyte that there is.
    let mut words = [0u64; 1 << 13];
    words.zeroize();
    black_box(&words);
}

/// Where what was made is, for [`end`]; or keeps why it was not, and gives NULL.
pub(crate) fn begin<T>(made: Result<T, Failure>) -> *mut T {
    match made {
        Ok(made) => Box::into_raw(Box::new(made)),
        Err(failure) => {
            failure.keep();
            ptr::null_mut()
        }
    }
}

/// Ends what a function made.
///
/// # Safety
/// The function made it of this type, and it is not used again.
pub(crate) unsafe fn end<T>(made: *mut T) {
    // SAFETY: as the caller says.
    drop(unsafe { Box::from_raw(made) });
}

/// A number as it came, wiped on drop. Its length is public.
pub(crate) struct Number {
    value: Zeroizing<BoxedUint>,
    bits: u32,
}

impl Number {
    fn new(name: &'static str, bytes: &[u8]) -> Result<Self, Failure> {
        let bits = 8 * bytes.len().max(1) as u32;
        let value = (bytes.len() <= MAX_NUMBER_BYTES).then(|| BoxedUint::from_be_slice(bytes, bits));
        match value {
            Some(Ok(value)) => Ok(Self { value: Zeroizing::new(value), bits }),
            _ => Err(Failure::length(name, bytes.len())),
        }
    }

    /// The value.
    pub(crate) fn value(&self) -> &BoxedUint {
        &self.value
    }

    /// The value as an exponent of as many bits as there were bytes for.
    pub(crate) fn exponent(&self) -> Result<Exponent<'_>, Failure> {
        Ok(Exponent::from(&*self.value).with_bits(self.bits)?)
    }
}

/// A number of `length` bytes.
///
/// # Safety
/// They are there.
pub(crate) unsafe fn number(name: &'static str, start: *const u8, length: usize) -> Result<Number, Failure> {
    // SAFETY: as the caller says.
    Number::new(name, unsafe { slice::from_raw_parts(start, length) })
}

/// `count` numbers of `width` bytes each, one after the other.
///
/// # Safety
/// They are there.
pub(crate) unsafe fn numbers(
    name: &'static str,
    start: *const u8,
    width: usize,
    count: usize,
) -> Result<Vec<Number>, Failure> {
    // SAFETY: as the caller says.
    let bytes = unsafe { slice::from_raw_parts(start, width * count) };
    (0..count).map(|i| Number::new(name, &bytes[width * i..][..width])).collect()
}

/// The numbers as exponents.
pub(crate) fn exponents(numbers: &[Number]) -> Result<Vec<SignedExponent<'_>>, Failure> {
    numbers.iter().map(|number| Ok(number.exponent()?.into())).collect()
}

/// Writes a result of `length` bytes, or keeps why there is none; whether there is one.
///
/// # Safety
/// There is room for it.
pub(crate) unsafe fn write(
    out: *mut u8,
    length: usize,
    work: impl FnOnce() -> Result<BoxedUint, Failure>,
) -> u32 {
    match work() {
        Ok(value) => {
            let value = Zeroizing::new(value);
            let bytes = Zeroizing::new(value.to_be_bytes());
            // SAFETY: as the caller says.
            let out = unsafe { slice::from_raw_parts_mut(out, length) };
            let (zeros, digits) = out.split_at_mut(length.saturating_sub(bytes.len()));
            zeros.fill(0);
            digits.copy_from_slice(&bytes[bytes.len() - digits.len()..]);
            1
        }
        Err(failure) => failure.keep(),
    }
}
