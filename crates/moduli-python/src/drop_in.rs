//! What `moduli.gmpy2` computes itself: powers and inverses, with gmpy2's integers in and out.
//!
//! This module computes if all arguments are Python's or gmpy2's integers themselves, not subclasses, and the
//! library supports the modulus. Everything else, including errors, is passed on to gmpy2, so that values and
//! exceptions are gmpy2's own.

use pyo3::{
    exceptions::{PyTypeError, PyValueError, PyZeroDivisionError},
    prelude::*,
    sync::PyOnceLock,
    types::{PyInt, PyList},
};

use crate::{
    integer::Target,
    inverse, lists,
    mpz::{self, Gmpy2},
    power,
    rows::Rows,
};

/// gmpy2's own functions.
struct Real {
    powmod: Py<PyAny>,
    powmod_sec: Py<PyAny>,
    invert: Py<PyAny>,
}

static REAL: PyOnceLock<Real> = PyOnceLock::new();

/// Sets the module gmpy2. moduli.gmpy2 calls it once, if gmpy2 is installed.
#[pyfunction]
pub fn gmpy2_is(module: &Bound<'_, PyAny>) -> PyResult<()> {
    let function = |name| module.getattr(name).map(Bound::unbind);
    let real = Real {
        powmod: function("powmod")?,
        powmod_sec: function("powmod_sec")?,
        invert: function("invert")?,
    };
    // If another thread was first, it stored the same functions.
    let _ = REAL.set(module.py(), real);
    Ok(())
}

/// gmpy2, if its integers can be read and all of these objects are Python's or gmpy2's integers themselves.
fn plain(py: Python<'_>, objects: &[&Bound<'_, PyAny>]) -> Option<&'static Gmpy2> {
    let gmpy2 = mpz::gmpy2(py)?;
    let is_plain =
        |object: &&Bound<'_, PyAny>| object.is_exact_instance_of::<PyInt>() || gmpy2.is_mpz(object);
    objects.iter().all(is_plain).then_some(gmpy2)
}

/// None for errors that gmpy2 should report itself.
fn or_none<T>(py: Python<'_>, result: PyResult<T>) -> PyResult<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error)
            if error.is_instance_of::<PyValueError>(py)
                || error.is_instance_of::<PyTypeError>(py)
                || error.is_instance_of::<PyZeroDivisionError>(py) =>
        {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Computes x**y modulo m in variable time, with the values, types and exceptions of gmpy2.powmod.
///
/// >>> from moduli import gmpy2
/// >>> gmpy2.powmod(3, 100, 1000003) == 189751
/// True
#[pyfunction]
#[pyo3(name = "powmod", signature = (x, y, m, /))]
pub fn gmpy2_powmod<'py>(
    x: &Bound<'py, PyAny>,
    y: &Bound<'py, PyAny>,
    m: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = m.py();
    let Some(real) = REAL.get(py) else { return power::powmod(x, y, m) };
    // Short numbers were read as integers proper.
    if let Some(power) = power::short_power(x, y, m)
        && let Some(gmpy2) = mpz::gmpy2(py)
    {
        return Target::Mpz(gmpy2).write(py, power.negative, &power.words);
    }
    if let Some(gmpy2) = plain(py, &[x, y, m])
        && let Some(Some(power)) = or_none(py, power::served(x, y, m, Target::Mpz(gmpy2)))?
    {
        return Ok(power);
    }
    real.powmod.bind(py).call1((x, y, m))
}

/// Computes x**y modulo m in constant time, with the values, types and exceptions of gmpy2.powmod_sec.
///
/// >>> from moduli import gmpy2
/// >>> gmpy2.powmod_sec(3, 100, 1000003) == 189751
/// True
#[pyfunction]
#[pyo3(name = "powmod_sec", signature = (x, y, m, /))]
pub fn gmpy2_powmod_sec<'py>(
    x: &Bound<'py, PyAny>,
    y: &Bound<'py, PyAny>,
    m: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = m.py();
    let Some(real) = REAL.get(py) else { return power::powmod_sec(x, y, m) };
    if let Some(gmpy2) = plain(py, &[x, y, m])
        && let Some(power) = or_none(py, power::secret(x, y, m, Target::Mpz(gmpy2)))?
    {
        return Ok(power);
    }
    real.powmod_sec.bind(py).call1((x, y, m))
}

/// Computes the inverse of x modulo m in variable time, with the values, types and exceptions of
/// gmpy2.invert.
///
/// >>> from moduli import gmpy2
/// >>> gmpy2.invert(3, 1000003) == 666669
/// True
#[pyfunction]
#[pyo3(name = "invert", signature = (x, m, /))]
pub fn gmpy2_invert<'py>(x: &Bound<'py, PyAny>, m: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = m.py();
    let Some(real) = REAL.get(py) else { return inverse::invert(x, m) };
    if let Some(inverse) = inverse::short_inverse(x, m)
        && let Some(gmpy2) = mpz::gmpy2(py)
    {
        return Target::Mpz(gmpy2).write(py, false, &inverse);
    }
    if let Some(gmpy2) = plain(py, &[x, m])
        && let Some(inverse) = or_none(py, inverse::inverse(x, m, Target::Mpz(gmpy2)))?
    {
        return Ok(inverse);
    }
    real.invert.bind(py).call1((x, m))
}

/// Computes [base**y modulo m for y in exponents] as integers of gmpy2. Returns None for moduli that are even
/// or not above 1, and for numbers that are neither int nor mpz.
///
/// Raises ValueError that names the row if an exponent is negative and the base has no inverse.
#[pyfunction]
#[pyo3(signature = (base, exponents, m, /))]
pub fn gmpy2_exp_list<'py>(
    base: &Bound<'py, PyAny>,
    exponents: &Bound<'py, PyList>,
    m: &Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some((rows, target)) = rows(base, exponents, m)? else { return Ok(None) };
    Ok(lists::of_one_base(base, &rows, m, target)?.map(|powers| powers.finish(m.py())))
}

/// Computes [x**exponent modulo m for x in bases] as integers of gmpy2, in variable time. Returns None in the
/// same cases as gmpy2_exp_list.
///
/// Raises ValueError that names the row if the exponent is negative and a base has no inverse.
#[pyfunction]
#[pyo3(signature = (bases, exponent, m, /))]
pub fn gmpy2_base_list<'py>(
    bases: &Bound<'py, PyList>,
    exponent: &Bound<'py, PyAny>,
    m: &Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some((rows, target)) = rows(exponent, bases, m)? else { return Ok(None) };
    Ok(lists::of_one_exponent_vartime(&rows, exponent, m, target)?.map(|powers| powers.finish(m.py())))
}

/// The list as rows, if all of these objects are Python's or gmpy2's integers themselves.
fn rows<'py>(
    one: &Bound<'py, PyAny>,
    list: &Bound<'py, PyList>,
    m: &Bound<'py, PyAny>,
) -> PyResult<Option<(Rows<'py>, Target)>> {
    let py = m.py();
    let items: Vec<_> = list.iter().collect();
    let Some(gmpy2) = plain(py, &[one, m]) else { return Ok(None) };
    if plain(py, &items.iter().collect::<Vec<_>>()).is_none() {
        return Ok(None);
    }
    let rows = Rows::read(PyList::new(py, items)?.as_any(), "the list", None)?;
    Ok(Some((rows, Target::Mpz(gmpy2))))
}
