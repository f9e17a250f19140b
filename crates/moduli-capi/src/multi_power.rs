//! Products of powers of variable bases.

use crate::{
    failure::Failure,
    input::{exponents, numbers, signs},
    modulus::{ModulusHandle, residue},
    status::Status,
};

/// out = x_0^e_0 * x_1^e_1 * ... mod p: the product of powers of count variable bases, for secret bases and
/// exponents.
///
/// out, out_len: at least moduli_modulus_size bytes. x, e: count rows of x_width and e_width bytes.
/// negative: NULL, or count bytes; where one is not 0 the power is x^(-e), and every x must have an inverse
/// then.
/// count: 0 gives 1. Otherwise one of the widths must not be 0.
///
/// Constant-time in x, e and the signs, except for the widths and count. Runs on all cores. Cost: the
/// products of count calls of moduli_pow, but all bases whose tables together fit into half a megabyte share
/// the squarings of one call; with signs, also an inversion for up to 1024 bases.
/// Fails with MODULI_STATUS_NOT_INVERTIBLE if there are signs and an x has no inverse;
/// MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH, MODULI_STATUS_BUFFER_TOO_SMALL.
/// cbindgen:postfix=MODULI_NONNULL(1, 2)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_multi_pow(
    modulus: Option<&ModulusHandle>,
    out: *mut u8,
    out_len: usize,
    x: *const u8,
    x_width: usize,
    e: *const u8,
    e_width: usize,
    negative: *const u8,
    count: usize,
) -> Status {
    // SAFETY: the header asks for what `product` asks for.
    unsafe { product(modulus, (out, out_len), (x, x_width), (e, e_width), negative, count, false) }
}

/// out = x_0^e_0 * x_1^e_1 * ... mod p for public bases and exponents: as moduli_multi_pow, and faster.
///
/// VARIABLE-TIME in x, e and the signs. Only an x with a negative exponent must have an inverse. Cost: that
/// of the method that needs the fewest products for these lengths: sliding windows that share their
/// squarings, buckets, or Euclid's algorithm on the exponents.
/// Fails as moduli_multi_pow; if there is no inverse, moduli_last_error() gives the common factor in
/// hexadecimal.
/// cbindgen:postfix=MODULI_NONNULL(1, 2)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_multi_pow_vartime(
    modulus: Option<&ModulusHandle>,
    out: *mut u8,
    out_len: usize,
    x: *const u8,
    x_width: usize,
    e: *const u8,
    e_width: usize,
    negative: *const u8,
    count: usize,
) -> Status {
    // SAFETY: the header asks for what `product` asks for.
    unsafe { product(modulus, (out, out_len), (x, x_width), (e, e_width), negative, count, true) }
}

/// # Safety
/// Each pointer is NULL or points to `count` rows of its width or signs, or to `out_len` bytes that can be
/// written.
unsafe fn product(
    modulus: Option<&ModulusHandle>,
    (out, out_len): (*mut u8, usize),
    (x, x_width): (*const u8, usize),
    (e, e_width): (*const u8, usize),
    negative: *const u8,
    count: usize,
    vartime: bool,
) -> Status {
    // SAFETY: as the caller says.
    unsafe {
        residue(modulus, out, out_len, |modulus| {
            // Rows without bytes take no memory of the caller, so their number is not limited by it.
            if x_width == 0 && e_width == 0 && count > 0 {
                return Err(Failure::length("x and e", "both widths are 0"));
            }
            let (x, e) = (numbers("x", x, x_width, count)?, numbers("e", e, e_width, count)?);
            let signs = signs(negative, count)?;
            let exponents = exponents(&e, &signs)?;
            let pairs = x.iter().map(|x| x.value()).zip(exponents.iter());
            Ok(if vartime { modulus.multi_pow_vartime(pairs) } else { modulus.multi_pow(pairs) }?)
        })
    }
}
