//! Powers and inverses modulo even numbers.

use crypto_bigint::BoxedUint;
use moduli::EvenModulus;

use crate::{
    call::{ask, call, call_for_number, free},
    failure::{Failure, given},
    input::{Number, number},
    output::Slot,
    status::Status,
};

/// An even modulus. Immutable: threads may share it.
pub struct EvenModulusHandle {
    modulus: EvenModulus,
}

impl EvenModulusHandle {
    fn size(&self) -> usize {
        self.modulus.bits().div_ceil(8) as usize
    }
}

/// Prepares an even modulus m = 2^k*n with n odd, of at most 65536 bits, for powers and inverses.
///
/// out: receives the handle, or NULL if the call fails. moduli_even_modulus_free frees it.
/// value: the modulus, public.
///
/// Variable-time in the modulus. Cost: about a hundred products modulo n and some of k bits.
/// Fails with MODULI_STATUS_MODULUS if it is 0, 1 or too long, MODULI_STATUS_PARAMETER if it is another odd
/// number, MODULI_STATUS_LENGTH, MODULI_STATUS_NULL_POINTER, MODULI_STATUS_KERNEL as moduli_modulus_new.
/// cbindgen:postfix=MODULI_NONNULL(1)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_even_modulus_new(
    out: *mut *mut EvenModulusHandle,
    value: *const u8,
    value_len: usize,
) -> Status {
    // SAFETY: the header asks for a place that can be written.
    let out = unsafe { Slot::handle(out) };
    call([&out], || {
        out.check()?;
        // SAFETY: the header asks for so many bytes.
        let value = unsafe { number("value", value, value_len) }?;
        out.put(EvenModulusHandle { modulus: EvenModulus::new(value.value())? });
        Ok(())
    })
}

/// Frees an even modulus. NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_even_modulus_free(even_modulus: *mut EvenModulusHandle) {
    // SAFETY: the header asks for NULL or a handle that is not used again.
    unsafe { free(even_modulus) };
}

/// Bytes of the modulus without leading zeros, and so of every result modulo it; 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn moduli_even_modulus_size(even_modulus: Option<&EvenModulusHandle>) -> usize {
    ask(0, || even_modulus.map_or(0, EvenModulusHandle::size))
}

/// out = x^e mod m for a secret base and a secret exponent.
///
/// out, out_len: at least moduli_even_modulus_size bytes. x: any length. e: its length is public; x^0 = 1,
/// and 0^0 = 1.
///
/// Constant-time in x and e except for their lengths. Cost: that of moduli_pow modulo n, and 1.25 truncated
/// schoolbook products of k bits for each bit of e, of which at most k + 1 count.
/// Fails with MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH, MODULI_STATUS_BUFFER_TOO_SMALL.
/// cbindgen:postfix=MODULI_NONNULL(1, 2)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_even_pow(
    even_modulus: Option<&EvenModulusHandle>,
    out: *mut u8,
    out_len: usize,
    x: *const u8,
    x_len: usize,
    e: *const u8,
    e_len: usize,
) -> Status {
    // SAFETY: the header asks for what `power` asks for.
    unsafe {
        power(even_modulus, (out, out_len), (x, x_len), (e, e_len), |modulus, x, e| {
            Ok(modulus.pow(x.value(), e.exponent()?))
        })
    }
}

/// out = x^e mod m for a public base and a public exponent: as moduli_even_pow, and faster.
///
/// VARIABLE-TIME in x and e. Fails as moduli_even_pow.
/// cbindgen:postfix=MODULI_NONNULL(1, 2)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_even_pow_vartime(
    even_modulus: Option<&EvenModulusHandle>,
    out: *mut u8,
    out_len: usize,
    x: *const u8,
    x_len: usize,
    e: *const u8,
    e_len: usize,
) -> Status {
    // SAFETY: the header asks for what `power` asks for.
    unsafe {
        power(even_modulus, (out, out_len), (x, x_len), (e, e_len), |modulus, x, e| {
            Ok(modulus.pow_vartime(x.value(), e.value()))
        })
    }
}

/// out = x^(-1) mod m for a secret x.
///
/// out, out_len: at least moduli_even_modulus_size bytes. x: any length, reduced modulo m first.
///
/// Constant-time in x except for its length and for whether there is an inverse. Cost: that of moduli_invert
/// modulo n, and two truncated schoolbook products of k bits for each doubling of the length from 3 bits to
/// k.
/// Fails with MODULI_STATUS_NOT_INVERTIBLE if x and m have a common factor, which is not revealed; with
/// MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH, MODULI_STATUS_BUFFER_TOO_SMALL.
/// cbindgen:postfix=MODULI_NONNULL(1, 2)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_even_invert(
    even_modulus: Option<&EvenModulusHandle>,
    out: *mut u8,
    out_len: usize,
    x: *const u8,
    x_len: usize,
) -> Status {
    // SAFETY: the header asks for what `residue` asks for.
    unsafe {
        residue(even_modulus, (out, out_len), |modulus| Ok(modulus.invert(number("x", x, x_len)?.value())?))
    }
}

/// out = x^(-1) mod m for a public x: as moduli_even_invert.
///
/// VARIABLE-TIME in x.
/// Fails as moduli_even_invert; if there is no inverse, moduli_last_error() gives the common factor in
/// hexadecimal.
/// cbindgen:postfix=MODULI_NONNULL(1, 2)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_even_invert_vartime(
    even_modulus: Option<&EvenModulusHandle>,
    out: *mut u8,
    out_len: usize,
    x: *const u8,
    x_len: usize,
) -> Status {
    // SAFETY: the header asks for what `residue` asks for.
    unsafe {
        residue(even_modulus, (out, out_len), |modulus| {
            Ok(modulus.invert_vartime(number("x", x, x_len)?.value())?)
        })
    }
}

/// # Safety
/// Each pointer is NULL or leads to so many bytes, those of `out` to be written.
unsafe fn power(
    even_modulus: Option<&EvenModulusHandle>,
    (out, out_len): (*mut u8, usize),
    (x, x_len): (*const u8, usize),
    (e, e_len): (*const u8, usize),
    compute: impl FnOnce(&EvenModulus, &Number, &Number) -> Result<BoxedUint, Failure>,
) -> Status {
    // SAFETY: as the caller says.
    unsafe {
        residue(even_modulus, (out, out_len), |modulus| {
            compute(modulus, &number("x", x, x_len)?, &number("e", e, e_len)?)
        })
    }
}

/// A call whose result is one number modulo m.
///
/// # Safety
/// `out` is NULL or leads to so many bytes that can be written.
unsafe fn residue(
    even_modulus: Option<&EvenModulusHandle>,
    (out, out_len): (*mut u8, usize),
    compute: impl FnOnce(&EvenModulus) -> Result<BoxedUint, Failure>,
) -> Status {
    // SAFETY: as the caller says.
    unsafe {
        call_for_number((out, out_len), || {
            let handle = given("even_modulus", even_modulus)?;
            Ok((handle.size(), move || compute(&handle.modulus)))
        })
    }
}
