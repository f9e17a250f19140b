//! A modulus, its powers, products of powers, and inverses.

use moduli::{KernelChoice, Modulus};

use crate::memory::{begin, end, exponents, number, numbers, write};

/// Whether the kernel `wasm` can serve: this module has relaxed SIMD, and the engine fuses it.
#[unsafe(no_mangle)]
pub extern "C" fn moduli_is_fast() -> u32 {
    KernelChoice::WASM.is_supported().into()
}

/// The modulus of so many bytes; NULL if it is refused.
///
/// # Safety
/// The bytes are there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_modulus_new(value: *const u8, value_len: usize) -> *mut Modulus {
    // SAFETY: as the caller says.
    let made =
        unsafe { number("modulus", value, value_len) }.and_then(|value| Ok(Modulus::new(value.value())?));
    begin(made)
}

/// Ends a modulus.
///
/// # Safety
/// It is one, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_modulus_end(modulus: *mut Modulus) {
    // SAFETY: as the caller says.
    unsafe { end(modulus) }
}

/// Bytes of a residue.
pub(crate) fn size(modulus: &Modulus) -> usize {
    modulus.bits().div_ceil(8) as usize
}

/// `out`, as long as the modulus, ← x^e. Constant-time but for the lengths; with `vartime` the exponent may show.
///
/// # Safety
/// The bytes are there, and room for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_pow(
    modulus: &Modulus,
    out: *mut u8,
    x: *const u8,
    x_len: usize,
    e: *const u8,
    e_len: usize,
    vartime: u32,
) -> u32 {
    // SAFETY: as the caller says.
    unsafe {
        write(out, size(modulus), || {
            let (x, e) = (number("base", x, x_len)?, number("exponent", e, e_len)?);
            Ok(match vartime {
                0 => modulus.pow(x.value(), e.exponent()?),
                _ => modulus.pow_vartime(x.value(), e.value())?,
            })
        })
    }
}

/// `out` ← the product of x_i^(e_i), for `count` rows of either. Constant-time but for the lengths and the count.
///
/// # Safety
/// The rows are there, and room for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_multi_pow(
    modulus: &Modulus,
    out: *mut u8,
    x: *const u8,
    x_width: usize,
    e: *const u8,
    e_width: usize,
    count: usize,
    vartime: u32,
) -> u32 {
    // SAFETY: as the caller says.
    unsafe {
        write(out, size(modulus), || {
            let x = numbers("a base", x, x_width, count)?;
            let e = numbers("an exponent", e, e_width, count)?;
            let exponents = exponents(&e)?;
            let pairs = x.iter().map(|x| x.value()).zip(exponents.iter());
            Ok(match vartime {
                0 => modulus.multi_pow(pairs)?,
                _ => modulus.multi_pow_vartime(pairs)?,
            })
        })
    }
}

/// `out` ← 1/x. Constant-time but for the lengths; with `vartime` x may show.
///
/// # Safety
/// The bytes are there, and room for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_invert(
    modulus: &Modulus,
    out: *mut u8,
    x: *const u8,
    x_len: usize,
    vartime: u32,
) -> u32 {
    // SAFETY: as the caller says.
    unsafe {
        write(out, size(modulus), || {
            let x = number("x", x, x_len)?;
            Ok(match vartime {
                0 => modulus.invert(x.value())?,
                _ => modulus.invert_vartime(x.value())?,
            })
        })
    }
}
