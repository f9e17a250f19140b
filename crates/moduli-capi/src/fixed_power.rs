//! Powers of a fixed base.

use crate::{
    call::call_for_rows,
    failure::given,
    fixed_base::{FixedBaseHandle, power},
    input::{exponents, number, numbers, signs},
    status::Status,
};

/// out = base^e mod p for a secret exponent.
///
/// out, out_len: at least moduli_fixed_base_size bytes.
/// e: below 2^exponent_bits of the table, or any if the table was built with an order; its length is public.
///
/// Constant-time in e except for its length. Cost: as moduli_fixed_base_plan predicts.
/// Fails with MODULI_STATUS_EXPONENT_TOO_LONG, MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH,
/// MODULI_STATUS_BUFFER_TOO_SMALL.
/// cbindgen:postfix=MODULI_NONNULL(1, 2)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_fixed_base_pow(
    fixed_base: Option<&FixedBaseHandle>,
    out: *mut u8,
    out_len: usize,
    e: *const u8,
    e_len: usize,
) -> Status {
    // SAFETY: the header asks for so many bytes behind each pointer.
    unsafe { power(fixed_base, out, out_len, |table| Ok(table.pow(number("e", e, e_len)?.exponent()?)?)) }
}

/// out = base^e mod p for a secret exponent that may be longer than exponent_bits of the table: as
/// moduli_fixed_base_pow.
///
/// e: any length. If the table was built with an order, e is reduced modulo it. Otherwise the bits beyond
/// exponent_bits are the exponent of a power of base^(2^exponent_bits), which has no table.
///
/// Constant-time in e except for its length, which alone decides whether there is such a power. Cost: that of
/// moduli_fixed_base_pow, and that of moduli_pow for the 8*e_len - exponent_bits bits beyond: give no more
/// leading zeros than needed.
/// Fails as moduli_fixed_base_pow, except with MODULI_STATUS_EXPONENT_TOO_LONG.
/// cbindgen:postfix=MODULI_NONNULL(1, 2)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_fixed_base_pow_long(
    fixed_base: Option<&FixedBaseHandle>,
    out: *mut u8,
    out_len: usize,
    e: *const u8,
    e_len: usize,
) -> Status {
    // SAFETY: the header asks for so many bytes behind each pointer.
    unsafe {
        power(fixed_base, out, out_len, |table| Ok(table.pow_long(number("e", e, e_len)?.exponent()?)?))
    }
}

/// out = base^e mod p for a public exponent that may be longer than exponent_bits of the table: as
/// moduli_fixed_base_pow_long, and faster.
///
/// VARIABLE-TIME in e. Cost: leading zeros do not count. Fails as moduli_fixed_base_pow_long.
/// cbindgen:postfix=MODULI_NONNULL(1, 2)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_fixed_base_pow_long_vartime(
    fixed_base: Option<&FixedBaseHandle>,
    out: *mut u8,
    out_len: usize,
    e: *const u8,
    e_len: usize,
) -> Status {
    // SAFETY: the header asks for so many bytes behind each pointer.
    unsafe {
        power(fixed_base, out, out_len, |table| Ok(table.pow_long_vartime(number("e", e, e_len)?.value())?))
    }
}

/// out = base^e mod p, or base^(-e) if negative is not 0: as moduli_fixed_base_pow, and constant-time in the
/// sign, too.
///
/// Cost: one more product. Fails as moduli_fixed_base_pow; with MODULI_STATUS_NOT_INVERTIBLE if the base has
/// no inverse.
/// cbindgen:postfix=MODULI_NONNULL(1, 2)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_fixed_base_pow_signed(
    fixed_base: Option<&FixedBaseHandle>,
    out: *mut u8,
    out_len: usize,
    e: *const u8,
    e_len: usize,
    negative: u8,
) -> Status {
    // SAFETY: the header asks for so many bytes behind each pointer.
    unsafe {
        power(fixed_base, out, out_len, |table| {
            Ok(table.pow(number("e", e, e_len)?.signed_exponent(negative != 0)?)?)
        })
    }
}

/// out = base^e mod p for a public exponent: as moduli_fixed_base_pow, and faster.
///
/// VARIABLE-TIME in e. Fails as moduli_fixed_base_pow.
/// cbindgen:postfix=MODULI_NONNULL(1, 2)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_fixed_base_pow_vartime(
    fixed_base: Option<&FixedBaseHandle>,
    out: *mut u8,
    out_len: usize,
    e: *const u8,
    e_len: usize,
) -> Status {
    // SAFETY: the header asks for so many bytes behind each pointer.
    unsafe {
        power(fixed_base, out, out_len, |table| Ok(table.pow_vartime(number("e", e, e_len)?.exponent()?)?))
    }
}

/// count powers of the base at once: row i of out = base^(row i of e) mod p, on all cores and in the lanes of
/// vector registers.
///
/// statuses: NULL, or count statuses, one for each row.
/// out: count rows of out_width bytes, at least moduli_fixed_base_size each. e: count rows of e_width bytes.
/// negative: NULL, or count bytes; where one is not 0 the power is base^(-e).
///
/// Constant-time in e and the signs; which rows fail is public.
/// Fails as moduli_fixed_base_pow_signed. If only some rows fail, the call returns the status of the first of
/// them; these rows are zero, and the other rows have their results.
/// cbindgen:postfix=MODULI_NONNULL(1)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_fixed_base_pow_batch(
    fixed_base: Option<&FixedBaseHandle>,
    statuses: *mut Status,
    out: *mut u8,
    out_width: usize,
    e: *const u8,
    e_width: usize,
    negative: *const u8,
    count: usize,
) -> Status {
    // SAFETY: the header asks for what `batch` asks for.
    unsafe { batch(fixed_base, statuses, (out, out_width), (e, e_width), negative, count, false) }
}

/// count powers of the base for public exponents: as moduli_fixed_base_pow_batch, and faster.
///
/// VARIABLE-TIME in e and the signs. Fails as moduli_fixed_base_pow_batch.
/// cbindgen:postfix=MODULI_NONNULL(1)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_fixed_base_pow_batch_vartime(
    fixed_base: Option<&FixedBaseHandle>,
    statuses: *mut Status,
    out: *mut u8,
    out_width: usize,
    e: *const u8,
    e_width: usize,
    negative: *const u8,
    count: usize,
) -> Status {
    // SAFETY: the header asks for what `batch` asks for.
    unsafe { batch(fixed_base, statuses, (out, out_width), (e, e_width), negative, count, true) }
}

/// # Safety
/// Each pointer is NULL or points to `count` rows of its width, of a status or of a sign.
unsafe fn batch(
    fixed_base: Option<&FixedBaseHandle>,
    statuses: *mut Status,
    (out, out_width): (*mut u8, usize),
    (e, e_width): (*const u8, usize),
    negative: *const u8,
    count: usize,
    vartime: bool,
) -> Status {
    // SAFETY: as the caller says.
    unsafe {
        call_for_rows((out, out_width), statuses, count, || {
            let fixed_base = given("fixed_base", fixed_base)?;
            Ok((fixed_base.size(), move || {
                let (e, signs) = (numbers("e", e, e_width, count)?, signs(negative, count)?);
                let (table, exponents) = (&fixed_base.table, exponents(&e, &signs)?);
                Ok(if vartime {
                    table.pow_batch_vartime(exponents.iter())
                } else {
                    table.pow_batch(exponents.iter())
                })
            }))
        })
    }
}
