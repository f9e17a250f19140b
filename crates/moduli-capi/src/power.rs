//! Powers of a variable base.

use crate::{
    call::call_for_rows,
    failure::given,
    input::{exponents, number, numbers, signs},
    modulus::{ModulusHandle, residue},
    status::Status,
};

/// out = x^e mod p for a secret base and a secret exponent.
///
/// out, out_len: at least moduli_modulus_size bytes.
/// x: any length, reduced modulo p first. e: its length is public; x^0 = 1, and 0^0 = 1.
///
/// Constant-time in x and e except for their lengths. Cost: a squaring for each of the 8*e_len bits and a
/// product for every four to seven bits, depending on the length.
/// Fails with MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH, MODULI_STATUS_BUFFER_TOO_SMALL.
/// cbindgen:postfix=MODULI_NONNULL(1, 2)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_pow(
    modulus: Option<&ModulusHandle>,
    out: *mut u8,
    out_len: usize,
    x: *const u8,
    x_len: usize,
    e: *const u8,
    e_len: usize,
) -> Status {
    // SAFETY: the header asks for so many bytes behind each pointer.
    unsafe {
        residue(modulus, out, out_len, |modulus| {
            let (x, e) = (number("x", x, x_len)?, number("e", e, e_len)?);
            Ok(modulus.pow(x.value(), e.exponent()?))
        })
    }
}

/// out = x^e mod p, or x^(-e) if negative is not 0: as moduli_pow, and constant-time in the sign, too.
///
/// Whatever the sign, x must have an inverse. Cost: that of moduli_pow and moduli_invert.
/// Fails as moduli_pow; with MODULI_STATUS_NOT_INVERTIBLE if x has no inverse.
/// cbindgen:postfix=MODULI_NONNULL(1, 2)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_pow_signed(
    modulus: Option<&ModulusHandle>,
    out: *mut u8,
    out_len: usize,
    x: *const u8,
    x_len: usize,
    e: *const u8,
    e_len: usize,
    negative: u8,
) -> Status {
    // SAFETY: the header asks for so many bytes behind each pointer.
    unsafe {
        residue(modulus, out, out_len, |modulus| {
            let (x, e) = (number("x", x, x_len)?, number("e", e, e_len)?);
            Ok(modulus.pow_signed(x.value(), e.signed_exponent(negative != 0)?)?)
        })
    }
}

/// out = x^e mod p for a public base and a public exponent: as moduli_pow, and faster.
///
/// VARIABLE-TIME in x and e. Cost: about a squaring for each bit of e, without leading zeros, and a product
/// for every five to seven bits.
/// Fails as moduli_pow.
/// cbindgen:postfix=MODULI_NONNULL(1, 2)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_pow_vartime(
    modulus: Option<&ModulusHandle>,
    out: *mut u8,
    out_len: usize,
    x: *const u8,
    x_len: usize,
    e: *const u8,
    e_len: usize,
) -> Status {
    // SAFETY: the header asks for so many bytes behind each pointer.
    unsafe {
        residue(modulus, out, out_len, |modulus| {
            let (x, e) = (number("x", x, x_len)?, number("e", e, e_len)?);
            Ok(modulus.pow_vartime(x.value(), e.value())?)
        })
    }
}

/// count powers at once: row i of out = (row i of x)^(row i of e) mod p, on all cores and in the lanes of
/// vector registers.
///
/// statuses: NULL, or count statuses, one for each row.
/// out: count rows of out_width bytes, at least moduli_modulus_size each, contiguous.
/// x, e: count rows of x_width and e_width bytes.
/// negative: NULL, or count bytes; where one is not 0 the power is x^(-e), and every x must have an inverse
/// then.
///
/// Constant-time in x, e and the signs; which rows fail is public. Cost: on one core with AVX-512 a third
/// (256 bits) to four fifths (2048 bits on) of the time of count calls of moduli_pow, if count is large.
/// Fails as moduli_pow_signed. If only some rows fail, the call returns the status of the first of them;
/// these rows are zero, and the other rows have their results.
/// cbindgen:postfix=MODULI_NONNULL(1)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_pow_batch(
    modulus: Option<&ModulusHandle>,
    statuses: *mut Status,
    out: *mut u8,
    out_width: usize,
    x: *const u8,
    x_width: usize,
    e: *const u8,
    e_width: usize,
    negative: *const u8,
    count: usize,
) -> Status {
    // SAFETY: the header asks for count rows of these widths.
    unsafe {
        call_for_rows((out, out_width), statuses, count, || {
            let modulus = given("modulus", modulus)?;
            Ok((modulus.size(), move || {
                let (x, e) = (numbers("x", x, x_width, count)?, numbers("e", e, e_width, count)?);
                let signs = signs(negative, count)?;
                let exponents = exponents(&e, &signs)?;
                let pairs = x.iter().map(|x| x.value()).zip(exponents.iter());
                Ok(modulus.modulus.pow_batch(pairs))
            }))
        })
    }
}
