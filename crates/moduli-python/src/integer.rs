//! Between Python's integers and the library's numbers.

use crypto_bigint::BoxedUint;
use moduli_kernel::limbs;
use pyo3::{
    exceptions::{PyOverflowError, PyTypeError, PyValueError},
    ffi, intern,
    prelude::*,
    sync::PyOnceLock,
    types::{PyBytes, PyInt},
};
use std::ffi::c_int;
use zeroize::Zeroizing;

/// The most bits of a number: the library counts them in 32 bits.
pub const LONGEST: usize = 1 << 31;

/// An integer of the caller's: a sign, and a magnitude that is wiped on drop. The Python objects that it came from cannot be.
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

    /// Bits of the magnitude, at the precision that it is kept at.
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

/// The Python integer that an argument is, or says that it is by `__index__` (`gmpy2.mpz`, NumPy's integers). Always an `int`
/// proper: a subclass could answer as it likes what is asked of it, so that its value is taken out.
///
/// # Errors
/// `TypeError` naming the argument.
pub fn index<'py>(object: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyInt>> {
    if let Ok(integer) = object.cast_exact::<PyInt>() {
        return Ok(integer.clone());
    }
    // Of a subclass of int this gives the value, whatever methods it has.
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

/// The count or length that an argument is, if it is there.
///
/// # Errors
/// `TypeError` naming the argument; `ValueError` naming it and the bound.
pub fn small<T: TryFrom<u64>>(object: Option<&Bound<'_, PyAny>>, name: &str) -> PyResult<Option<T>> {
    let Some(object) = object else { return Ok(None) };
    let value = index(object, name)?.extract::<u64>().ok().and_then(|value| T::try_from(value).ok());
    let bound = 8 * size_of::<T>();
    let refuse = || PyValueError::new_err(format!("{name}: must lie between 0 and 2^{bound}"));
    value.map(Some).ok_or_else(refuse)
}

/// [`read`] of what has a name that is only made up when it is wanted.
///
/// # Errors
/// `TypeError` with that name.
pub fn read_named(object: &Bound<'_, PyAny>, name: impl Fn() -> String) -> PyResult<Integer> {
    match object.cast_exact::<PyInt>() {
        Ok(integer) => read_int(integer),
        Err(_) => read(object, &name()),
    }
}

/// The number that an argument is.
///
/// # Errors
/// `TypeError` naming the argument.
pub fn read(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Integer> {
    read_int(&index(object, name)?)
}

/// [`read`] of a number that is likely to fit so many bits: then it gets the precision of as many limbs, and is not asked how
/// long it is.
///
/// # Errors
/// `TypeError` naming the argument.
pub fn read_within(object: &Bound<'_, PyAny>, bits: u32, name: &str) -> PyResult<Integer> {
    if let Ok(integer) = object.cast_exact::<PyInt>()
        && let Ok(magnitude) = limbs_of(integer, bits.div_ceil(64) as usize)
    {
        return Ok(Integer::from_limbs(false, &magnitude));
    }
    read(object, name)
}

/// The limbs of a Python integer, which is no subclass of int.
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

/// The number that a Python integer is, which is no subclass of int. Cost: some 50 ns below 64 bits, else 200 ns and 2 ns a byte.
fn read_int(integer: &Bound<'_, PyInt>) -> PyResult<Integer> {
    let py = integer.py();
    let mut overflow: c_int = 0;
    // SAFETY: the pointer is that of a live Python integer, this thread is attached, and `overflow` outlives the call.
    #[allow(unsafe_code)]
    let small = unsafe { ffi::PyLong_AsLongLongAndOverflow(integer.as_ptr(), &mut overflow) };
    if overflow == 0 {
        return Ok(Integer::from_limbs(small < 0, &[small.unsigned_abs()]));
    }
    let negative = overflow < 0;
    let bits: usize = integer.call_method0(intern!(py, "bit_length"))?.extract()?;
    if bits > LONGEST {
        return Err(PyOverflowError::new_err(format!("a number of {bits} bits; at most 2^31 are served")));
    }
    let count = bits.div_ceil(64);
    let positive;
    let magnitude = if negative {
        positive = integer.neg()?;
        &positive
    } else {
        integer.as_any()
    };
    Ok(Integer::from_limbs(negative, &limbs_of(magnitude, count)?))
}

/// The Python integer of a number.
pub fn write<'py>(py: Python<'py>, value: &BoxedUint) -> PyResult<Bound<'py, PyAny>> {
    let limbs = limbs::to_limbs(value, 1);
    let count = limbs.iter().rposition(|&limb| limb != 0).map_or(1, |top| top + 1);
    if count == 1 {
        return Ok(limbs[0].into_pyobject(py)?.into_any());
    }
    let bytes = PyBytes::new_with(py, 8 * count, |bytes| {
        for (chunk, limb) in bytes.chunks_exact_mut(8).zip(limbs.iter()) {
            chunk.copy_from_slice(&limb.to_le_bytes());
        }
        Ok(())
    })?;
    static FROM_BYTES: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let from_bytes = FROM_BYTES.get_or_try_init(py, || {
        py.get_type::<PyInt>().getattr(intern!(py, "from_bytes")).map(Bound::unbind)
    })?;
    from_bytes.bind(py).call1((bytes, intern!(py, "little")))
}

/// The Python integer of a number with a sign.
pub fn write_signed<'py>(py: Python<'py>, negative: bool, value: &BoxedUint) -> PyResult<Bound<'py, PyAny>> {
    let magnitude = write(py, value)?;
    if negative { magnitude.neg() } else { Ok(magnitude) }
}
