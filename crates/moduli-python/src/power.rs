//! `powmod` and `powmod_sec`: powers of a base that is given in the call.

use crypto_bigint::BoxedUint;
use moduli::{MAX_MODULUS_BITS, Modulus, SignedExponent};
use moduli_kernel::limbs;
use pyo3::{exceptions::PyValueError, prelude::*, sync::PyOnceLock};
use zeroize::Zeroizing;

use crate::{
    auto,
    cache::{self, Argument},
    error::exception,
    even,
    integer::{self, Integer, Target},
    short::{self, Longer, Short},
    work,
};

/// For exponents of fewer bits than this, Python's `pow` modulo an even number is done before an even modulus
/// would be prepared.
const SHORT_EXPONENT: u32 = 12;

/// x modulo m; for a negative x, m − (|x| mod m), which may be m. Constant-time except for sign and
/// precision.
pub fn residue(modulus: &Modulus, x: &Integer) -> Zeroizing<BoxedUint> {
    if !x.negative && x.precision() <= modulus.bits().next_multiple_of(64) {
        return x.magnitude.clone();
    }
    let reduced = Zeroizing::new(modulus.reduce(&x.magnitude));
    if x.negative { Zeroizing::new(modulus.value().as_ref().wrapping_sub(&*reduced)) } else { reduced }
}

/// An integer as an exponent. Its sign is public, because unsigned exponents cost less.
pub fn exponent(k: &Integer) -> SignedExponent<'_> {
    if k.negative { SignedExponent::new(true, &k.magnitude) } else { SignedExponent::from(&*k.magnitude) }
}

/// x modulo m, from 0 to m, for a public x. Variable-time.
fn public_residue(modulus: &Modulus, x: Integer) -> Zeroizing<BoxedUint> {
    if x.precision() <= modulus.bits() + 64 {
        return residue(modulus, &x);
    }
    let short = x.magnitude.rem_vartime(modulus.value().as_nz_ref());
    residue(modulus, &Integer { negative: x.negative, magnitude: Zeroizing::new(short) })
}

/// `pow(x, y, m)` by Python itself, for moduli that the library does not support.
fn by_python<'py>(
    x: &Bound<'py, PyAny>,
    y: &Bound<'py, PyAny>,
    m: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    static POW: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let (x, y) = (integer::index(x, "the base")?, integer::index(y, "the exponent")?);
    POW.import(m.py(), "builtins", "pow")?.call1((x, y, integer::index(m, "the modulus")?))
}

/// Computes x**y modulo m for public numbers, like pow(x, y, m) and gmpy2.powmod. Variable-time.
///
/// x, y and m are integers of any length and sign, or objects with `__index__`; m is not 0. If y is negative,
/// the result is a power of the inverse of x. The result has the sign of m.
///
/// If m is odd and has at most 65,536 bits, this library computes the power by sliding windows. If m is even,
/// it computes the power modulo the odd part of m and modulo the power of two in m. Python's own pow computes
/// the power if m is longer, if x or y has more than 2^31 bits, or if m is even and y is below 2^11. The odd
/// moduli that were used last stay prepared: see cache_clear.
///
/// Raises ValueError for m = 0, or if y is negative and x has no inverse; TypeError for arguments that are
/// not integers.
///
/// >>> moduli.powmod(3, 100, 1000003)
/// 189751
/// >>> moduli.powmod(3, -1, 7), moduli.powmod(3, 5, 8), moduli.powmod(3, 5, -7)
/// (5, 3, -2)
#[pyfunction]
#[pyo3(signature = (x, y, m, /))]
pub fn powmod<'py>(
    x: &Bound<'py, PyAny>,
    y: &Bound<'py, PyAny>,
    m: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    match served(x, y, m, Target::Int) {
        Ok(Some(power)) => Ok(power),
        Err(error) if ![x, y, m].into_iter().any(integer::is_too_long) => Err(error),
        Ok(None) | Err(_) => by_python(x, y, m),
    }
}

/// x**y modulo m, for public numbers. None for a modulus that is 0, 1, −1 or longer than the library
/// supports, or if the other way to compute it is faster.
pub fn served<'py>(
    x: &Bound<'py, PyAny>,
    y: &Bound<'py, PyAny>,
    m: &Bound<'py, PyAny>,
    target: Target,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = m.py();
    if let Some(power) = short_power(x, y, m) {
        return target.write(py, power.negative, &power.words).map(Some);
    }
    if let Some(power) = power_by_word(x, y, m) {
        return target.write(py, power.negative, &power.words).map(Some);
    }
    match cache::argument(m)? {
        Argument::Odd(modulus) => by_modulus(x, y, &modulus, target).map(Some),
        Argument::Other(m) => by_number(x, y, &m, target),
    }
}

/// x**y modulo a number that is even or negative.
fn by_number<'py>(
    x: &Bound<'py, PyAny>,
    y: &Bound<'py, PyAny>,
    m: &Integer,
    target: Target,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = x.py();
    let (x, y) = (integer::read(x, "the base")?, integer::read(y, "the exponent")?);
    let bits = m.magnitude.bits_vartime();
    if !(2..=MAX_MODULUS_BITS).contains(&bits) || !(m.is_odd() || pays(m, bits, &y, target)) {
        return Ok(None);
    }
    let power = if m.is_odd() {
        let modulus = cache::of_magnitude(m)?;
        let x = public_residue(&modulus, x);
        work::run(py, work::power(&modulus, y.precision()), || modulus.pow_vartime(&x, exponent(&y)))
            .map_err(exception)?
    } else {
        even::public_power(py, x, &y, &m.magnitude)?
    };
    if m.negative && !bool::from(power.is_zero()) {
        let rest = m.magnitude.wrapping_sub(&power);
        return target.write(py, true, &limbs::to_limbs(&rest, 1)).map(Some);
    }
    target.write_boxed(py, &power).map(Some)
}

/// Whether a power modulo an even number is faster here than by Python's or gmpy2's `pow`. The bounds were
/// measured on a kernel of 64-bit limbs, with the modulus prepared for the call. gmpy2's `pow` is fast modulo
/// powers of two.
fn pays(m: &Integer, bits: u32, y: &Integer, target: Target) -> bool {
    let length = y.magnitude.bits_vartime();
    match target {
        Target::Int => length >= SHORT_EXPONENT,
        Target::Mpz(_) => {
            let twos = m.magnitude.trailing_zeros_vartime();
            bits >= 512 && twos <= bits / 4 && length >= 128
        }
    }
}

/// x**y modulo a prepared modulus, for public numbers.
pub fn by_modulus<'py>(
    x: &Bound<'py, PyAny>,
    y: &Bound<'py, PyAny>,
    modulus: &Modulus,
    target: Target,
) -> PyResult<Bound<'py, PyAny>> {
    let py = x.py();
    let (x, y) = (integer::read(x, "the base")?, integer::read(y, "the exponent")?);
    let x = public_residue(modulus, x);
    let power = match auto::table(py, modulus, &x, &y, false) {
        Some(table) => table.pow_vartime(exponent(&y)),
        None => work::run(py, work::power(modulus, y.precision()), || modulus.pow_vartime(&x, exponent(&y))),
    };
    target.write_boxed(py, &power.map_err(exception)?)
}

/// x**y modulo m, if all numbers are short and the power exists.
#[inline]
pub fn short_power(x: &Bound<'_, PyAny>, y: &Bound<'_, PyAny>, m: &Bound<'_, PyAny>) -> Option<Short> {
    let m = Short::read(m)?;
    short::power(&Short::read(x)?, &Short::read(y)?, &m)
}

/// x**y modulo an m of five to eight words, if y is a word and the power exists.
fn power_by_word(x: &Bound<'_, PyAny>, y: &Bound<'_, PyAny>, m: &Bound<'_, PyAny>) -> Option<Longer> {
    let m = Longer::read(m)?;
    short::power_by_word(&Longer::read(x)?, short::word(y)?, &m)
}

/// Computes x**y modulo m in constant time, like gmpy2.powmod_sec, for a secret x and y.
///
/// m is public and odd, and has at most 65,536 bits. If m is negative, its magnitude is used. y is above 0.
/// The result lies between 0 and |m|.
///
/// The time reveals the numbers of 64-bit words of x and y, and the sign of x. This is true of the
/// arithmetic. Python's integers are converted in a time that depends on their lengths, and stay in memory
/// until Python reuses it.
///
/// Raises ValueError for an invalid m or y, and for x or y of more than 2^31 bits; TypeError for arguments
/// that are not integers.
///
/// >>> moduli.powmod_sec(3, 100, 1000003)
/// 189751
#[pyfunction]
#[pyo3(signature = (x, y, m, /))]
pub fn powmod_sec<'py>(
    x: &Bound<'py, PyAny>,
    y: &Bound<'py, PyAny>,
    m: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    secret(x, y, m, Target::Int)
}

/// x**y modulo m in constant time.
pub fn secret<'py>(
    x: &Bound<'py, PyAny>,
    y: &Bound<'py, PyAny>,
    m: &Bound<'py, PyAny>,
    target: Target,
) -> PyResult<Bound<'py, PyAny>> {
    let py = m.py();
    let argument = cache::argument(m)?;
    let (x, y) = (integer::read(x, "the base")?, integer::read(y, "the exponent")?);
    if y.negative || y.is_zero() {
        return Err(PyValueError::new_err("the exponent must be above 0"));
    }
    let modulus = match argument {
        Argument::Odd(modulus) => modulus,
        Argument::Other(m) if !m.is_odd() => return Err(PyValueError::new_err("the modulus must be odd")),
        Argument::Other(m) if m.magnitude.bits_vartime() == 1 => {
            return target.write(py, false, &[]);
        }
        Argument::Other(m) => cache::of_magnitude(&m)?,
    };
    target.write_boxed(py, &*of_secrets(py, &modulus, &x, &y)?)
}

/// x**y modulo a prepared modulus, in constant time except for the sign of y. For a negative y, whether there
/// is a result is public.
pub fn of_secrets(
    py: Python<'_>,
    modulus: &Modulus,
    x: &Integer,
    y: &Integer,
) -> PyResult<Zeroizing<BoxedUint>> {
    let x = residue(modulus, x);
    if let Some(table) = auto::table(py, modulus, &x, y, true) {
        return table.pow(exponent(y)).map(Zeroizing::new).map_err(exception);
    }
    let power = work::run(py, work::power(modulus, y.precision()), || {
        if y.negative { modulus.pow_signed(&x, exponent(y)) } else { Ok(modulus.pow(&x, &*y.magnitude)) }
    });
    power.map(Zeroizing::new).map_err(exception)
}
