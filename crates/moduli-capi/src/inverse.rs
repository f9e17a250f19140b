//! Products and inverses.

use crate::{
    call::{call_for_number, call_for_rows},
    failure::given,
    input::{number, numbers},
    modulus::{ModulusHandle, residue},
    status::Status,
};

/// out = x mod p.
///
/// out, out_len: at least moduli_modulus_size bytes. x: any length.
///
/// Constant-time in x except for its length. Cost: negligible for an x no longer than p, otherwise a
/// division.
/// Fails with MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH, MODULI_STATUS_BUFFER_TOO_SMALL.
/// cbindgen:postfix=MODULI_NONNULL(1, 2)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_reduce(
    modulus: Option<&ModulusHandle>,
    out: *mut u8,
    out_len: usize,
    x: *const u8,
    x_len: usize,
) -> Status {
    // SAFETY: the header asks for so many bytes behind each pointer.
    unsafe { residue(modulus, out, out_len, |modulus| Ok(modulus.reduce(number("x", x, x_len)?.value()))) }
}

/// out = x*y mod p.
///
/// out, out_len: at least moduli_modulus_size bytes. x, y: any lengths, reduced modulo p first.
///
/// Constant-time in x and y except for their lengths. Cost: four products.
/// Fails with MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH, MODULI_STATUS_BUFFER_TOO_SMALL.
/// cbindgen:postfix=MODULI_NONNULL(1, 2)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_mul(
    modulus: Option<&ModulusHandle>,
    out: *mut u8,
    out_len: usize,
    x: *const u8,
    x_len: usize,
    y: *const u8,
    y_len: usize,
) -> Status {
    // SAFETY: the header asks for so many bytes behind each pointer.
    unsafe {
        residue(modulus, out, out_len, |modulus| {
            let (x, y) = (number("x", x, x_len)?, number("y", y, y_len)?);
            Ok(modulus.mul(x.value(), y.value()))
        })
    }
}

/// out = x^(-1) mod p for a secret x.
///
/// out, out_len: at least moduli_modulus_size bytes. x: any length, reduced modulo p first.
///
/// Constant-time in x except for its length and for whether there is an inverse. Cost: fifty to a hundred
/// products.
/// Fails with MODULI_STATUS_NOT_INVERTIBLE if x and p have a common factor, which is not revealed; with
/// MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH, MODULI_STATUS_BUFFER_TOO_SMALL.
/// cbindgen:postfix=MODULI_NONNULL(1, 2)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_invert(
    modulus: Option<&ModulusHandle>,
    out: *mut u8,
    out_len: usize,
    x: *const u8,
    x_len: usize,
) -> Status {
    // SAFETY: the header asks for so many bytes behind each pointer.
    unsafe { residue(modulus, out, out_len, |modulus| Ok(modulus.invert(number("x", x, x_len)?.value())?)) }
}

/// out = x^(-1) mod p for a public x: as moduli_invert.
///
/// VARIABLE-TIME in x. Cost: a half (256 bits) to a third (4096 bits) of moduli_invert.
/// Fails as moduli_invert; if there is no inverse, moduli_last_error() gives the common factor in
/// hexadecimal.
/// cbindgen:postfix=MODULI_NONNULL(1, 2)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_invert_vartime(
    modulus: Option<&ModulusHandle>,
    out: *mut u8,
    out_len: usize,
    x: *const u8,
    x_len: usize,
) -> Status {
    // SAFETY: the header asks for so many bytes behind each pointer.
    unsafe {
        residue(modulus, out, out_len, |modulus| Ok(modulus.invert_vartime(number("x", x, x_len)?.value())?))
    }
}

/// out = x^(-1) mod m for public numbers and any m above 0, odd or even, which is not prepared; 0 modulo 1.
///
/// out, out_len: at least as many bytes as m has without leading zeros; m_len is always enough. x, m: any
/// lengths.
///
/// VARIABLE-TIME in x and m. Cost: that of moduli_invert_vartime, a third of preparing m and calling that.
/// Fails with MODULI_STATUS_NOT_INVERTIBLE if x and m have a common factor: moduli_last_error() gives it in
/// hexadecimal; with MODULI_STATUS_MODULUS for m = 0, MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH,
/// MODULI_STATUS_BUFFER_TOO_SMALL.
/// cbindgen:postfix=MODULI_NONNULL(1)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_invert_modulo_vartime(
    out: *mut u8,
    out_len: usize,
    x: *const u8,
    x_len: usize,
    m: *const u8,
    m_len: usize,
) -> Status {
    // SAFETY: the header asks for so many bytes behind each pointer.
    unsafe {
        call_for_number((out, out_len), || {
            let (x, m) = (number("x", x, x_len)?, number("m", m, m_len)?);
            let size = m.value().bits_vartime().div_ceil(8) as usize;
            Ok((size, move || Ok(moduli::invert_vartime(x.value(), m.value())?)))
        })
    }
}

/// count inverses at once: row i of out = (row i of x)^(-1) mod p, on all cores.
///
/// statuses: NULL, or count statuses, one for each row.
/// out: count rows of out_width bytes, at least moduli_modulus_size each. x: count rows of x_width bytes.
///
/// Constant-time in x; which rows have no inverse is public. Cost: three products a row, and one inversion
/// for up to 1024 of them; a row without an inverse costs a few more inversions.
/// Fails as moduli_invert. If only some rows fail, the call returns MODULI_STATUS_NOT_INVERTIBLE; these rows
/// are zero, and the other rows have their results.
/// cbindgen:postfix=MODULI_NONNULL(1)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_invert_batch(
    modulus: Option<&ModulusHandle>,
    statuses: *mut Status,
    out: *mut u8,
    out_width: usize,
    x: *const u8,
    x_width: usize,
    count: usize,
) -> Status {
    // SAFETY: the header asks for count rows of these widths.
    unsafe {
        call_for_rows((out, out_width), statuses, count, || {
            let modulus = given("modulus", modulus)?;
            Ok((modulus.size(), move || {
                let x = numbers("x", x, x_width, count)?;
                let values: Vec<_> = x.iter().map(|x| x.value()).collect();
                Ok(modulus.modulus.invert_batch(&values))
            }))
        })
    }
}
