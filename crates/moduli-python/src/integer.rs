//! Converts between Python's integers and the library's numbers.

use crypto_bigint::BoxedUint;
use moduli::fixed::MAX_EXPONENT_BITS;
use moduli_kernel::limbs;
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    ffi, intern,
    prelude::*,
    sync::PyOnceLock,
    types::{PyBytes, PyInt},
};
use std::ffi::c_int;
use zeroize::Zeroizing;

use crate::{
    digits,
    mpz::{self, Gmpy2},
    text,
};

/// The most bits of a number: the library counts them in 32 bits.
pub const LONGEST: usize = 1 << 31;

/// An integer from the caller: a sign, and a magnitude that is wiped on drop. The Python object that it came
/// from cannot be wiped.
pub struct Integer {
    /// Whether it is below zero.
    pub negative: bool,
    /// Its absolute value, at a precision of whole limbs.
    pub magnitude: Zeroizing<BoxedUint>,
}

impl Integer {
    /// The number of these limbs, the least first.
    pub fn from_limbs(negative: bool, limbs: &[u64]) -> Self {
        Self { negative, magnitude: Zeroizing::new(limbs::from_limbs(limbs)) }
    }

    /// The precision of the magnitude, in bits.
    pub fn precision(&self) -> u32 {
        self.magnitude.bits_precision()
    }

    /// Whether it is zero. Variable-time.
    pub fn is_zero(&self) -> bool {
        self.magnitude.bits_vartime() == 0
    }

    /// Whether it is odd.
    pub fn is_odd(&self) -> bool {
        self.magnitude.as_words().first().is_some_and(|word| word & 1 == 1)
    }
}

/// The Python integer that an argument is, or that its `__index__` returns (`gmpy2.mpz`, NumPy's integers).
/// The result is always an `int` itself: the methods of a subclass could return anything, so its value is
/// extracted.
///
/// # Errors
/// `TypeError` that names the argument.
pub fn index<'py>(object: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyInt>> {
    if let Ok(integer) = object.cast_exact::<PyInt>() {
        return Ok(integer.clone());
    }
    text::refuse_masked(object, name)?;
    // For a subclass of int this gives the value, whatever methods it has.
    let py = object.py();
    static INDEX: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let index = INDEX.import(py, "operator", "index")?;
    match index.call1((object,)) {
        Ok(integer) => Ok(integer.cast_into::<PyInt>()?),
        Err(error) if error.is_instance_of::<PyTypeError>(py) => {
            let kind = object.get_type().name()?;
            Err(PyTypeError::new_err(format!("{name} must be an integer, not {kind}")))
        }
        Err(error) => Err(error),
    }
}

/// An argument that is a count or a length, if it was given.
///
/// # Errors
/// `TypeError` that names the argument; `ValueError` that names it and the bound.
pub fn small<T: TryFrom<u64>>(object: Option<&Bound<'_, PyAny>>, name: &str) -> PyResult<Option<T>> {
    from(0, object, name)
}

/// As [`small`], but 0 is an error too.
///
/// # Errors
/// As [`small`].
pub fn positive(object: Option<&Bound<'_, PyAny>>, name: &str) -> PyResult<Option<u64>> {
    from(1, object, name)
}

/// The argument `exponent_bits`, which is a length, if it was given.
///
/// # Errors
/// As [`small`].
pub fn exponent_bits(object: Option<&Bound<'_, PyAny>>) -> PyResult<Option<u32>> {
    let Some(object) = object else { return Ok(None) };
    let value = index(object, "exponent_bits")?.extract::<u32>().ok();
    let refuse =
        || PyValueError::new_err(format!("exponent_bits: must lie between 1 and {MAX_EXPONENT_BITS}"));
    value.filter(|bits| (1..=MAX_EXPONENT_BITS).contains(bits)).map(Some).ok_or_else(refuse)
}

fn from<T: TryFrom<u64>>(least: u64, object: Option<&Bound<'_, PyAny>>, name: &str) -> PyResult<Option<T>> {
    let Some(object) = object else { return Ok(None) };
    let value = index(object, name)?.extract::<u64>().ok().filter(|&value| value >= least);
    let bound = 8 * size_of::<T>();
    let refuse = || PyValueError::new_err(format!("{name}: must lie between {least} and 2^{bound}"));
    value.and_then(|value| T::try_from(value).ok()).map(Some).ok_or_else(refuse)
}

/// As [`read`], with a name that is only composed when an error needs it.
///
/// # Errors
/// As [`read`], with that name.
pub fn read_named(object: &Bound<'_, PyAny>, name: impl Fn() -> String) -> PyResult<Integer> {
    let (negative, limbs) = limbs_named(object, &name)?;
    Ok(Integer::from_limbs(negative, &limbs))
}

/// An argument as a number.
///
/// # Errors
/// `TypeError`; `ValueError` for more bits than [`LONGEST`]. Both name the argument.
pub fn read(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Integer> {
    read_named(object, || name.to_owned())
}

/// The sign and the limbs of an `mpz` that can be read directly from memory. There is at least one limb.
fn limbs_of_mpz(
    object: &Bound<'_, PyAny>,
    name: &dyn Fn() -> String,
) -> Option<PyResult<(bool, Zeroizing<Vec<u64>>)>> {
    mpz::gmpy2(object.py())?.read(object, |negative, limbs| {
        if limbs.len() > LONGEST / 64 {
            return Err(too_long(&name(), limbs::bit_length_vartime(limbs) as usize));
        }
        Ok((negative, Zeroizing::new(if limbs.is_empty() { vec![0] } else { limbs.to_vec() })))
    })
}

/// The sign and the limbs of an argument, the least first. There is at least one limb.
///
/// # Errors
/// As [`read`].
pub fn read_limbs(object: &Bound<'_, PyAny>, name: &str) -> PyResult<(bool, Zeroizing<Vec<u64>>)> {
    limbs_named(object, &|| name.to_owned())
}

fn limbs_named(
    object: &Bound<'_, PyAny>,
    name: &dyn Fn() -> String,
) -> PyResult<(bool, Zeroizing<Vec<u64>>)> {
    if let Ok(integer) = object.cast_exact::<PyInt>() {
        return limbs_of_int(integer, name);
    }
    match limbs_of_mpz(object, name) {
        Some(limbs) => limbs,
        None => limbs_of_int(&index(object, &name())?, name),
    }
}

fn too_long(name: &str, bits: usize) -> PyErr {
    PyValueError::new_err(format!("{name} has {bits} bits; the maximum is {LONGEST}"))
}

/// Whether it is an integer of more bits than [`LONGEST`]. Call this only after an error.
pub fn is_too_long(object: &Bound<'_, PyAny>) -> bool {
    let bits = index(object, "").and_then(|integer| integer.call_method0("bit_length")?.extract::<usize>());
    bits.is_ok_and(|bits| bits > LONGEST)
}

/// The limbs of a Python integer that is an `int` itself, not of a subclass.
///
/// # Errors
/// `OverflowError` unless it lies between 0 and 2^(64·count).
fn limbs_of(integer: &Bound<'_, PyAny>, count: usize) -> PyResult<Zeroizing<Vec<u64>>> {
    let py = integer.py();
    let bytes = integer.call_method1(intern!(py, "to_bytes"), (8 * count, intern!(py, "little")))?;
    let bytes = bytes.cast_into::<PyBytes>()?;
    let (words, _) = bytes.as_bytes().as_chunks::<8>();
    Ok(Zeroizing::new(words.iter().map(|word| u64::from_le_bytes(*word)).collect()))
}

/// The sign and the limbs of a Python integer that is an `int` itself, not of a subclass.
fn limbs_of_int(
    integer: &Bound<'_, PyInt>,
    name: &dyn Fn() -> String,
) -> PyResult<(bool, Zeroizing<Vec<u64>>)> {
    let read = digits::read(integer, |negative, digits| {
        let bits = digits.bits();
        if bits > LONGEST {
            return Err(too_long(&name(), bits));
        }
        let mut limbs = limbs::zeros(bits.div_ceil(64).max(1));
        digits.to_limbs(&mut limbs);
        Ok((negative, limbs))
    });
    read.unwrap_or_else(|| limbs_by_bytes(integer, name))
}

/// As `limbs_of_int`, by the stable interface. Cost: about 50 ns below 64 bits, else 200 ns plus 2 ns a byte.
fn limbs_by_bytes(
    integer: &Bound<'_, PyInt>,
    name: &dyn Fn() -> String,
) -> PyResult<(bool, Zeroizing<Vec<u64>>)> {
    let py = integer.py();
    let mut overflow: c_int = 0;
    // SAFETY: the pointer is that of a live Python integer, this thread is attached, and `overflow` outlives
    // the call.
    #[allow(unsafe_code)]
    let small = unsafe { ffi::PyLong_AsLongLongAndOverflow(integer.as_ptr(), &mut overflow) };
    if overflow == 0 {
        return Ok((small < 0, Zeroizing::new(vec![small.unsigned_abs()])));
    }
    let negative = overflow < 0;
    let bits: usize = integer.call_method0(intern!(py, "bit_length"))?.extract()?;
    if bits > LONGEST {
        return Err(too_long(&name(), bits));
    }
    let count = bits.div_ceil(64);
    let positive;
    let magnitude = if negative {
        positive = integer.neg()?;
        &positive
    } else {
        integer.as_any()
    };
    Ok((negative, limbs_of(magnitude, count)?))
}

/// The type of results.
#[derive(Clone, Copy)]
pub enum Target {
    /// Python's integers.
    Int,
    /// gmpy2's.
    Mpz(&'static Gmpy2),
}

impl Target {
    /// The object for a number, the least limb first.
    pub fn write<'py>(self, py: Python<'py>, negative: bool, limbs: &[u64]) -> PyResult<Bound<'py, PyAny>> {
        let Self::Mpz(gmpy2) = self else { return write_limbs(py, negative, limbs) };
        match gmpy2.write(py, negative, limbs)? {
            Some(number) => Ok(number),
            None => gmpy2.kind(py).call1((write_limbs(py, negative, limbs)?,)),
        }
    }

    /// The object for a number.
    pub fn write_boxed<'py>(self, py: Python<'py>, value: &BoxedUint) -> PyResult<Bound<'py, PyAny>> {
        self.write(py, false, &limbs::to_limbs(value, 1))
    }
}

/// The Python integer for a number, the least limb first.
fn write_limbs<'py>(py: Python<'py>, negative: bool, limbs: &[u64]) -> PyResult<Bound<'py, PyAny>> {
    let count = limbs.iter().rposition(|&limb| limb != 0).map_or(0, |top| top + 1);
    let magnitude = if count <= 1 {
        limbs.first().copied().unwrap_or(0).into_pyobject(py)?.into_any()
    } else {
        let bytes = PyBytes::new_with(py, 8 * count, |bytes| {
            for (chunk, limb) in bytes.chunks_exact_mut(8).zip(limbs) {
                chunk.copy_from_slice(&limb.to_le_bytes());
            }
            Ok(())
        })?;
        static FROM_BYTES: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let from_bytes = FROM_BYTES.get_or_try_init(py, || {
            py.get_type::<PyInt>().getattr(intern!(py, "from_bytes")).map(Bound::unbind)
        })?;
        from_bytes.bind(py).call1((bytes, intern!(py, "little")))?
    };
    if negative { magnitude.neg() } else { Ok(magnitude) }
}

/// The Python integer for a number.
pub fn write<'py>(py: Python<'py>, value: &BoxedUint) -> PyResult<Bound<'py, PyAny>> {
    Target::Int.write_boxed(py, value)
}

/// The Python integer for a number with a sign.
pub fn write_signed<'py>(py: Python<'py>, negative: bool, value: &BoxedUint) -> PyResult<Bound<'py, PyAny>> {
    write_limbs(py, negative, &limbs::to_limbs(value, 1))
}
