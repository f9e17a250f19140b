//! Powers by the owner of the factors.

use moduli::CrtModulus;

use crate::{
    call::{ask, call, call_for_number, free},
    failure::given,
    input::number,
    modulus::{ModulusHandle, bytes_of},
    output::Slot,
    status::Status,
};

/// The modulus N^k = (p*q)^k, for the owner of the secret primes p and q. Immutable: threads may share it.
pub struct CrtModulusHandle {
    modulus: CrtModulus,
}

/// Prepares N^k = (p*q)^k for powers by the Chinese remainder theorem: k = 1 for RSA, k = 2 for Paillier.
///
/// out: receives the handle, or NULL if the call fails. moduli_crt_modulus_free frees it and wipes the
/// factors.
/// p, q: two different odd primes. k: at least 1.
///
/// Not claimed constant-time in p and q, once per modulus. Cost: primality tests, a search (milliseconds) and
/// an inversion.
/// Fails with MODULI_STATUS_PARAMETER if p or q is not an odd prime, if they are equal, or if k is 0;
/// MODULI_STATUS_MODULUS if N^k has more than 65536 bits, or one of p^k and q^k more than 65472;
/// MODULI_STATUS_NULL_POINTER, MODULI_STATUS_LENGTH.
/// cbindgen:postfix=MODULI_NONNULL(1)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_crt_modulus_new(
    out: *mut *mut CrtModulusHandle,
    p: *const u8,
    p_len: usize,
    q: *const u8,
    q_len: usize,
    k: u32,
) -> Status {
    // SAFETY: the header asks for a place that can be written.
    let out = unsafe { Slot::handle(out) };
    call([&out], || {
        out.check()?;
        // SAFETY: the header asks for so many bytes.
        let (p, q) = unsafe { (number("p", p, p_len)?, number("q", q, q_len)?) };
        out.put(CrtModulusHandle { modulus: CrtModulus::new(p.value(), q.value(), k)? });
        Ok(())
    })
}

/// Frees the handle and wipes the factors. NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_crt_modulus_free(crt_modulus: *mut CrtModulusHandle) {
    // SAFETY: the header asks for NULL or a handle that is not used again.
    unsafe { free(crt_modulus) };
}

/// Bytes of N^k without leading zeros, and so of every result; 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn moduli_crt_modulus_size(crt_modulus: Option<&CrtModulusHandle>) -> usize {
    ask(0, || crt_modulus.map_or(0, |handle| bytes_of(handle.modulus.modulus())))
}

/// Returns N^k, which is public, as a modulus for other computations.
///
/// out: receives the handle, or NULL if the call fails. moduli_modulus_free frees it. It stays usable when
/// the other handle is freed.
///
/// Cost: negligible.
/// Fails with MODULI_STATUS_NULL_POINTER.
/// cbindgen:postfix=MODULI_NONNULL(1, 2)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_crt_modulus_public(
    crt_modulus: Option<&CrtModulusHandle>,
    out: *mut *mut ModulusHandle,
) -> Status {
    // SAFETY: the header asks for a place that can be written.
    let out = unsafe { Slot::handle(out) };
    call([&out], || {
        let crt_modulus = given("crt_modulus", crt_modulus)?;
        out.check()?;
        out.put(ModulusHandle::new(crt_modulus.modulus.modulus().clone()));
        Ok(())
    })
}

/// out = x^e mod N^k for a secret base and a secret exponent, checked before it is released.
///
/// out, out_len: at least moduli_crt_modulus_size bytes. x: any length; it need not be coprime to N. e: its
/// length is public; x^0 = 1.
///
/// Constant-time in x, e and the factors, except for their lengths and for whether the check failed. Cost:
/// two powers of half the length, with exponents of at most as many bits: a quarter to a third of moduli_pow
/// for exponents as long as N^k.
/// Fails with MODULI_STATUS_FAULT if the result fails its check; MODULI_STATUS_NULL_POINTER,
/// MODULI_STATUS_LENGTH, MODULI_STATUS_BUFFER_TOO_SMALL.
/// cbindgen:postfix=MODULI_NONNULL(1, 2)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_crt_pow(
    crt_modulus: Option<&CrtModulusHandle>,
    out: *mut u8,
    out_len: usize,
    x: *const u8,
    x_len: usize,
    e: *const u8,
    e_len: usize,
) -> Status {
    // SAFETY: the header asks for what `power` asks for.
    unsafe { power(crt_modulus, (out, out_len), (x, x_len), (e, e_len), None) }
}

/// out = x^e mod N^k, or x^(-e) if negative is not 0: as moduli_crt_pow, and constant-time in the sign, too.
///
/// Whatever the sign, x must have an inverse. Cost: one more inversion.
/// Fails as moduli_crt_pow; with MODULI_STATUS_NOT_INVERTIBLE if x has no inverse.
/// cbindgen:postfix=MODULI_NONNULL(1, 2)
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_crt_pow_signed(
    crt_modulus: Option<&CrtModulusHandle>,
    out: *mut u8,
    out_len: usize,
    x: *const u8,
    x_len: usize,
    e: *const u8,
    e_len: usize,
    negative: u8,
) -> Status {
    // SAFETY: the header asks for what `power` asks for.
    unsafe { power(crt_modulus, (out, out_len), (x, x_len), (e, e_len), Some(negative != 0)) }
}

/// # Safety
/// Each pointer is NULL or points to as many bytes as its length says; those of `out` can be written.
unsafe fn power(
    crt_modulus: Option<&CrtModulusHandle>,
    (out, out_len): (*mut u8, usize),
    (x, x_len): (*const u8, usize),
    (e, e_len): (*const u8, usize),
    negative: Option<bool>,
) -> Status {
    // SAFETY: as the caller says.
    unsafe {
        call_for_number((out, out_len), || {
            let modulus = &given("crt_modulus", crt_modulus)?.modulus;
            Ok((bytes_of(modulus.modulus()), move || {
                let (x, e) = (number("x", x, x_len)?, number("e", e, e_len)?);
                Ok(match negative {
                    Some(negative) => modulus.pow(x.value(), e.signed_exponent(negative)?),
                    None => modulus.pow(x.value(), e.exponent()?),
                }?)
            }))
        })
    }
}
