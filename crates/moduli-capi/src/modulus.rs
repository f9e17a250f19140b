//! Moduli.

use crypto_bigint::BoxedUint;
use moduli::Modulus;
use std::ffi::{CString, c_char};

use crate::{
    call::{ask, call, call_for_number, free},
    failure::{Failure, given},
    input::number,
    output::{Buffer, Slot},
    status::Status,
};

/// An odd modulus, prime or not, with its precomputed constants. Immutable: threads may share it.
pub struct ModulusHandle {
    pub(crate) modulus: Modulus,
    kernel: CString,
}

impl ModulusHandle {
    pub(crate) fn new(modulus: Modulus) -> Self {
        let kernel = CString::new(modulus.kernel_name()).unwrap_or_default();
        Self { modulus, kernel }
    }

    /// Bytes of a result.
    pub(crate) fn size(&self) -> usize {
        bytes_of(&self.modulus)
    }
}

/// Bytes of a result modulo this.
pub(crate) fn bytes_of(modulus: &Modulus) -> usize {
    modulus.bits().div_ceil(8) as usize
}

/// Prepares a modulus: odd, at least 3, at most 65536 bits, prime or not.
///
/// out: receives the handle, or NULL if the call fails. moduli_modulus_free frees it.
/// value: the modulus, public.
///
/// Variable-time in the modulus. Cost: about a hundred products.
/// Fails with MODULI_STATUS_MODULUS, MODULI_STATUS_LENGTH, MODULI_STATUS_NULL_POINTER; MODULI_STATUS_KERNEL
/// if the environment variable MODULI_KERNEL names a kernel that this machine cannot run.
/// cbindgen:postfix=MODULI_NONNULL(1)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_modulus_new(
    out: *mut *mut ModulusHandle,
    value: *const u8,
    value_len: usize,
) -> Status {
    // SAFETY: the header asks for a place that can be written.
    let out = unsafe { Slot::handle(out) };
    call([&out], || {
        out.check()?;
        // SAFETY: the header asks for so many bytes.
        let value = unsafe { number("value", value, value_len) }?;
        out.put(ModulusHandle::new(Modulus::new(value.value())?));
        Ok(())
    })
}

/// Frees a modulus. NULL is allowed. Tables that were built from it stay usable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_modulus_free(modulus: *mut ModulusHandle) {
    // SAFETY: the header asks for NULL or a handle that is not used again.
    unsafe { free(modulus) };
}

/// Bytes of the modulus without leading zeros, and so of every result modulo it; 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn moduli_modulus_size(modulus: Option<&ModulusHandle>) -> usize {
    ask(0, || modulus.map_or(0, ModulusHandle::size))
}

/// Bits of the modulus without leading zeros; 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn moduli_modulus_bits(modulus: Option<&ModulusHandle>) -> u32 {
    ask(0, || modulus.map_or(0, |modulus| modulus.modulus.bits()))
}

/// The name of the kernel (arithmetic) that was selected for this machine and length: "ifma52", "fma50",
/// "adx", "aarch64" or "portable". Valid as long as the modulus. "" for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn moduli_modulus_kernel(modulus: Option<&ModulusHandle>) -> *const c_char {
    modulus.map_or(c"", |modulus| modulus.kernel.as_c_str()).as_ptr()
}

/// Writes the modulus, which has moduli_modulus_size bytes.
/// cbindgen:postfix=MODULI_NONNULL(1, 2)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_modulus_bytes(
    modulus: Option<&ModulusHandle>,
    out: *mut u8,
    out_len: usize,
) -> Status {
    // SAFETY: the header asks for so many bytes.
    let out = unsafe { Buffer::new("out", out, out_len) };
    call([&out], || {
        let modulus = given("modulus", modulus)?;
        out.check(modulus.size())?;
        out.write_number(modulus.modulus.value().as_ref())
    })
}

/// A call with one result modulo a modulus: `work` computes it, once there is room.
///
/// # Safety
/// `out` is NULL or leads to `out_len` bytes that can be written.
pub(crate) unsafe fn residue(
    modulus: Option<&ModulusHandle>,
    out: *mut u8,
    out_len: usize,
    work: impl FnOnce(&Modulus) -> Result<BoxedUint, Failure>,
) -> Status {
    // SAFETY: as the caller says.
    unsafe {
        call_for_number((out, out_len), || {
            let modulus = given("modulus", modulus)?;
            Ok((modulus.size(), || work(&modulus.modulus)))
        })
    }
}
