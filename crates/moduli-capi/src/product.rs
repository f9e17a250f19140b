//! Products of powers.

use moduli::{FixedBase, MultiExponentiation};
use std::slice;
use zeroize::Zeroizing;

use crate::{
    call::call,
    failure::{Failure, given},
    fixed_base::{FixedBaseHandle, power},
    input::{exponents, number, numbers, signs},
    modulus::bytes_of,
    output::Buffer,
    status::Status,
};

/// out = g^a * h^b * ... mod p: the product of powers of count bases with tables, for secret exponents.
///
/// bases: count tables, at least one, all with the same modulus. out, out_len: at least
/// moduli_fixed_base_size bytes.
/// e: count rows of e_width bytes, one exponent for each table, as moduli_fixed_base_pow takes it.
/// negative: NULL, or count bytes; where one is not 0 the power is that of the negative exponent.
///
/// Constant-time in the exponents and signs, except for e_width. Cost: the products of count powers, and the
/// squarings of one.
/// Fails with MODULI_STATUS_MODULUS_MISMATCH, MODULI_STATUS_EXPONENT_TOO_LONG, MODULI_STATUS_NOT_INVERTIBLE
/// for signed exponents of a base without an inverse, MODULI_STATUS_PARAMETER if count is 0,
/// MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH, MODULI_STATUS_BUFFER_TOO_SMALL.
/// cbindgen:postfix=MODULI_NONNULL(1)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_product_pow(
    bases: *const *const FixedBaseHandle,
    out: *mut u8,
    out_len: usize,
    e: *const u8,
    e_width: usize,
    negative: *const u8,
    count: usize,
) -> Status {
    // SAFETY: the header asks for what `product` asks for.
    unsafe { product((bases, count), (out, out_len), (e, e_width), negative, false) }
}

/// out = g^a * h^b * ... mod p for public exponents: as moduli_product_pow, and faster.
///
/// VARIABLE-TIME in the exponents and signs. Fails as moduli_product_pow.
/// cbindgen:postfix=MODULI_NONNULL(1)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_product_pow_vartime(
    bases: *const *const FixedBaseHandle,
    out: *mut u8,
    out_len: usize,
    e: *const u8,
    e_width: usize,
    negative: *const u8,
    count: usize,
) -> Status {
    // SAFETY: the header asks for what `product` asks for.
    unsafe { product((bases, count), (out, out_len), (e, e_width), negative, true) }
}

/// # Safety
/// Each pointer is NULL or leads to `count` handles (that live, or are NULL), rows or signs, or to `out_len`
/// bytes that can be written.
unsafe fn product(
    (bases, count): (*const *const FixedBaseHandle, usize),
    (out, out_len): (*mut u8, usize),
    (e, e_width): (*const u8, usize),
    negative: *const u8,
    vartime: bool,
) -> Status {
    // SAFETY: as the caller says.
    let out = unsafe { Buffer::new("out", out, out_len) };
    call([&out], || {
        if bases.is_null() {
            return Err(Failure::null("bases"));
        }
        if count > isize::MAX as usize / size_of::<*const FixedBaseHandle>() {
            return Err(Failure::length("count", "more bases than an address space has"));
        }
        // SAFETY: not NULL, no longer than a slice may be; the caller says the rest.
        let handles = unsafe { slice::from_raw_parts(bases, count) };
        let mut tables: Vec<&FixedBase> = Vec::with_capacity(count);
        for &handle in handles {
            // SAFETY: NULL or a handle that lives.
            tables.push(&given("an entry of bases", unsafe { handle.as_ref() })?.table);
        }
        let product = MultiExponentiation::new(tables.iter().copied())?;
        out.check(bytes_of(tables[0].modulus()))?;
        // SAFETY: as the caller says.
        let (e, signs) = unsafe { (numbers("e", e, e_width, count)?, signs(negative, count)?) };
        let exponents = exponents(&e, &signs)?;
        let value =
            if vartime { product.pow_vartime(exponents.iter()) } else { product.pow(exponents.iter()) };
        out.write_number(&Zeroizing::new(value?))
    })
}

/// out = base^a * x^b mod p for a base with a table, a variable x, and secret exponents.
///
/// out, out_len: at least moduli_fixed_base_size bytes. a: as moduli_fixed_base_pow takes it. x, b: as
/// moduli_pow takes them.
///
/// Constant-time in a, x and b except for their lengths. Cost: that of moduli_pow for b, and the products of
/// moduli_fixed_base_pow for a.
/// Fails as moduli_fixed_base_pow.
/// cbindgen:postfix=MODULI_NONNULL(1, 2)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_fixed_base_pow_times(
    fixed_base: Option<&FixedBaseHandle>,
    out: *mut u8,
    out_len: usize,
    a: *const u8,
    a_len: usize,
    x: *const u8,
    x_len: usize,
    b: *const u8,
    b_len: usize,
) -> Status {
    // SAFETY: the header asks for so many bytes behind each pointer.
    unsafe { times(fixed_base, (out, out_len), (a, a_len), (x, x_len), (b, b_len), false) }
}

/// out = base^a * x^b mod p for public a, x and b, as verifiers of signatures and proofs need it: as
/// moduli_fixed_base_pow_times, and faster.
///
/// VARIABLE-TIME in a, x and b. Fails as moduli_fixed_base_pow.
/// cbindgen:postfix=MODULI_NONNULL(1, 2)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_fixed_base_pow_times_vartime(
    fixed_base: Option<&FixedBaseHandle>,
    out: *mut u8,
    out_len: usize,
    a: *const u8,
    a_len: usize,
    x: *const u8,
    x_len: usize,
    b: *const u8,
    b_len: usize,
) -> Status {
    // SAFETY: the header asks for so many bytes behind each pointer.
    unsafe { times(fixed_base, (out, out_len), (a, a_len), (x, x_len), (b, b_len), true) }
}

/// # Safety
/// Each pointer is NULL or leads to so many bytes, those of `out` to be written.
unsafe fn times(
    fixed_base: Option<&FixedBaseHandle>,
    (out, out_len): (*mut u8, usize),
    (a, a_len): (*const u8, usize),
    (x, x_len): (*const u8, usize),
    (b, b_len): (*const u8, usize),
    vartime: bool,
) -> Status {
    // SAFETY: as the caller says.
    unsafe {
        power(fixed_base, out, out_len, |table| {
            let (a, x, b) = (number("a", a, a_len)?, number("x", x, x_len)?, number("b", b, b_len)?);
            let (a, x, b) = (a.exponent()?, x.value(), b.exponent()?);
            Ok(if vartime { table.pow_times_vartime(a, x, b) } else { table.pow_times(a, x, b) }?)
        })
    }
}
