//! A modulus, its powers, products of powers, and inverses.

use moduli::{Error, EvenModulus, KernelChoice, Modulus, error::ModulusError};

use crate::memory::{begin, end, exponents, number, numbers, write};

/// A modulus, odd or even.
pub enum AnyModulus {
    /// Serves everything.
    Odd(Modulus),
    /// Serves powers and inverses.
    Even(EvenModulus),
}

impl AnyModulus {
    fn bits(&self) -> u32 {
        match self {
            Self::Odd(modulus) => modulus.bits(),
            Self::Even(modulus) => modulus.bits(),
        }
    }

    /// For what takes odd moduli alone.
    pub(crate) fn odd(&self) -> Result<&Modulus, Error> {
        match self {
            Self::Odd(modulus) => Ok(modulus),
            Self::Even(_) => Err(Error::Modulus(ModulusError::Even)),
        }
    }
}

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
pub unsafe extern "C" fn moduli_modulus_new(value: *const u8, value_len: usize) -> *mut AnyModulus {
    // SAFETY: as the caller says.
    let made = unsafe { number("modulus", value, value_len) }.and_then(|value| {
        Ok(match Modulus::new(value.value()) {
            Err(Error::Modulus(ModulusError::Even)) => AnyModulus::Even(EvenModulus::new(value.value())?),
            modulus => AnyModulus::Odd(modulus?),
        })
    });
    begin(made)
}

/// Ends a modulus.
///
/// # Safety
/// It is one, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_modulus_end(modulus: *mut AnyModulus) {
    // SAFETY: as the caller says.
    unsafe { end(modulus) }
}

/// Bytes of a residue modulo a number of so many bits.
pub(crate) fn size(bits: u32) -> usize {
    bits.div_ceil(8) as usize
}

/// `out`, as long as the modulus, ← x^e. Constant-time but for the lengths; with `vartime` the exponent may
/// show.
///
/// # Safety
/// The bytes are there, and room for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_pow(
    modulus: &AnyModulus,
    out: *mut u8,
    x: *const u8,
    x_len: usize,
    e: *const u8,
    e_len: usize,
    vartime: u32,
) -> u32 {
    // SAFETY: as the caller says.
    unsafe {
        write(out, size(modulus.bits()), || {
            let (x, e) = (number("base", x, x_len)?, number("exponent", e, e_len)?);
            Ok(match (modulus, vartime) {
                (AnyModulus::Odd(modulus), 0) => modulus.pow(x.value(), e.exponent()?),
                (AnyModulus::Odd(modulus), _) => modulus.pow_vartime(x.value(), e.value())?,
                (AnyModulus::Even(modulus), 0) => modulus.pow(x.value(), e.exponent()?),
                (AnyModulus::Even(modulus), _) => modulus.pow_vartime(x.value(), e.exponent()?),
            })
        })
    }
}

/// `out` ← the product of x_i^(e_i), for `count` rows of either. Constant-time but for the lengths and the
/// count.
///
/// # Safety
/// The rows are there, and room for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn moduli_multi_pow(
    modulus: &AnyModulus,
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
        write(out, size(modulus.bits()), || {
            let modulus = modulus.odd()?;
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
    modulus: &AnyModulus,
    out: *mut u8,
    x: *const u8,
    x_len: usize,
    vartime: u32,
) -> u32 {
    // SAFETY: as the caller says.
    unsafe {
        write(out, size(modulus.bits()), || {
            let x = number("x", x, x_len)?;
            Ok(match (modulus, vartime) {
                (AnyModulus::Odd(modulus), 0) => modulus.invert(x.value())?,
                (AnyModulus::Odd(modulus), _) => modulus.invert_vartime(x.value())?,
                (AnyModulus::Even(modulus), 0) => modulus.invert(x.value())?,
                (AnyModulus::Even(modulus), _) => modulus.invert_vartime(x.value())?,
            })
        })
    }
}
