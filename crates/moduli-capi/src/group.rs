//! Named groups, and public values of strangers.

use crypto_bigint::BoxedUint;
use moduli::{groups::Group, subgroup::validate_public_value_vartime};
use std::{
    ffi::{CString, c_char},
    sync::OnceLock,
};

use crate::{
    call::{ask, call},
    failure::given,
    input::{name as name_of, number},
    modulus::ModulusHandle,
    output::{Buffer, Slot},
    status::Status,
};

/// The name of the group with this index, counted from 0, such as "ffdhe3072"; NULL if there are no more.
/// Never free it.
#[unsafe(no_mangle)]
pub extern "C" fn moduli_group_name(index: usize) -> *const c_char {
    static NAMES: OnceLock<Vec<CString>> = OnceLock::new();
    ask(std::ptr::null(), || {
        let names = NAMES.get_or_init(|| Group::names().filter_map(|name| CString::new(name).ok()).collect());
        names.get(index).map_or(std::ptr::null(), |name| name.as_ptr())
    })
}

fn size(number: &BoxedUint) -> usize {
    number.bits_vartime().div_ceil(8) as usize
}

/// The sizes of a named group of prime order q modulo a prime p.
///
/// p_size, q_size: NULL, or receive the bytes of p (and of its generator g), and of q.
/// exponent_bits: NULL, or receives the bits that a secret exponent needs in this group: the length of q if
/// it is short; for p = 2q + 1 twice the strength of the group, as RFC 7919 requires.
/// name: ends in a zero byte; moduli_group_name lists all.
///
/// Fails with MODULI_STATUS_PARAMETER for a name that is unknown; MODULI_STATUS_NULL_POINTER.
/// cbindgen:postfix=MODULI_NONNULL(1)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_group_sizes(
    name: *const c_char,
    p_size: *mut usize,
    q_size: *mut usize,
    exponent_bits: *mut u32,
) -> Status {
    // SAFETY: the header asks for NULL or places that can be written.
    let (p_size, q_size, bits) = unsafe {
        (
            Slot::new("p_size", p_size, 0),
            Slot::new("q_size", q_size, 0),
            Slot::new("exponent_bits", exponent_bits, 0),
        )
    };
    call([&p_size, &q_size, &bits], || {
        // SAFETY: the header asks for a text that ends in a zero byte.
        let group = Group::named(unsafe { name_of("name", name) }?)?;
        p_size.write(size(group.modulus()));
        q_size.write(size(group.order()));
        bits.write(group.exponent_bits());
        Ok(())
    })
}

/// The numbers of a named group: the primes p and q, and a generator g of order q modulo p.
///
/// p, q, g: buffers of at least the sizes that moduli_group_sizes returns (g has the size of p), or NULL and
/// 0 to omit a number. name: ends in a zero byte.
///
/// Fails with MODULI_STATUS_PARAMETER for a name that is unknown; MODULI_STATUS_BUFFER_TOO_SMALL,
/// MODULI_STATUS_NULL_POINTER.
/// cbindgen:postfix=MODULI_NONNULL(1)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_group_numbers(
    name: *const c_char,
    p: *mut u8,
    p_len: usize,
    q: *mut u8,
    q_len: usize,
    g: *mut u8,
    g_len: usize,
) -> Status {
    // SAFETY: the header asks for NULL or so many bytes behind each pointer.
    let outputs =
        unsafe { [Buffer::new("p", p, p_len), Buffer::new("q", q, q_len), Buffer::new("g", g, g_len)] };
    let [p, q, g] = &outputs;
    call([p, q, g], || {
        // SAFETY: the header asks for a text that ends in a zero byte.
        let group = Group::named(unsafe { name_of("name", name) }?)?;
        let p_size = size(group.modulus());
        let values = [
            (p, group.modulus(), p_size),
            (q, group.order(), size(group.order())),
            (g, group.generator(), p_size),
        ];
        for (out, value, size) in values {
            if !out.is_left_out() {
                out.check(size)?;
                out.write_number(value)?;
            }
        }
        Ok(())
    })
}

/// Validates an untrusted public value y, as Diffie-Hellman and ElGamal require: 1 < y < p - 1 and y^order =
/// 1 modulo the prime p (NIST SP 800-56A, 5.6.2.3.1).
///
/// modulus: p, prime. order: the order q of the group. MODULI_STATUS_OK means that y is a member.
///
/// VARIABLE-TIME in y. Cost: for p = 2q + 1 a Jacobi symbol, otherwise a power with an exponent as long as q.
/// Fails with MODULI_STATUS_NOT_IN_GROUP; MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH.
/// cbindgen:postfix=MODULI_NONNULL(1)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_validate_public_value_vartime(
    modulus: Option<&ModulusHandle>,
    order: *const u8,
    order_len: usize,
    y: *const u8,
    y_len: usize,
) -> Status {
    call([], || {
        let modulus = &given("modulus", modulus)?.modulus;
        // SAFETY: the header asks for so many bytes behind each pointer.
        let (order, y) = unsafe { (number("order", order, order_len)?, number("y", y, y_len)?) };
        Ok(validate_public_value_vartime(modulus, order.value(), y.value())?)
    })
}
