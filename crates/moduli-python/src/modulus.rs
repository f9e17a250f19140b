//! A prepared modulus.

use moduli::Error;
use moduli_kernel::limbs;
use pyo3::{exceptions::PyValueError, prelude::*, types::PyType};
use zeroize::Zeroizing;

use crate::{
    cache,
    error::exception,
    integer::{self, Target},
    inverse::{self, not_invertible},
    lists,
    power::{self, residue},
};

/// An odd modulus, prepared once for many powers, inverses and products.
///
/// modulus: odd, at least 3, of at most 65,536 bits; public.
///
/// powmod and similar functions also keep moduli prepared. A Modulus object makes the search for a prepared
/// modulus unnecessary, and is wiped when the last reference to it is gone. Numbers are integers of any
/// length and sign, or objects with `__index__`. The object is immutable, and many threads may use it at
/// once. Two objects are equal if their numbers are equal. The pickle of an object contains the number
/// itself.
///
/// Raises ValueError for an invalid modulus; TypeError if the modulus is not an integer.
///
/// >>> m = moduli.Modulus(1000003)
/// >>> m.pow(3, 100), m.pow_secret(3, 100), m.invert(3), m.mul(1000, 1001)
/// (189751, 189751, 666669, 997)
#[pyclass(frozen, eq, hash, module = "moduli")]
#[derive(PartialEq, Eq, Hash)]
pub struct Modulus {
    number: Number,
}

struct Number(moduli::Modulus);

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.0.value() == other.0.value()
    }
}

impl Eq for Number {}

impl std::hash::Hash for Number {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        limbs::to_limbs(self.0.value().as_ref(), 1).hash(state);
    }
}

impl Modulus {
    /// The prepared modulus.
    pub fn prepared(&self) -> &moduli::Modulus {
        &self.number.0
    }
}

#[pymethods]
impl Modulus {
    #[new]
    fn new(modulus: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Some(known) = cache::known(modulus) {
            return Ok(Self { number: Number(known) });
        }
        let value = integer::read(modulus, "the modulus")?;
        if value.negative {
            return Err(PyValueError::new_err("the modulus is negative"));
        }
        Ok(Self { number: Number(moduli::Modulus::new(&value.magnitude).map_err(exception)?) })
    }

    /// Computes x**y modulo the modulus for public numbers. Variable-time. If y is negative, the result is a
    /// power of the inverse of x.
    ///
    /// Raises ValueError if y is negative and x has no inverse.
    #[pyo3(signature = (x, y, /))]
    fn pow<'py>(&self, x: &Bound<'py, PyAny>, y: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        power::by_modulus(x, y, &self.number.0, Target::Int)
    }

    /// Computes x**y modulo the modulus in constant time, for a secret x and y. y may be 0 or negative. If y
    /// is negative, the result is a power of the inverse of x. The time reveals the signs of x and y,
    /// their numbers of 64-bit words and, if y is negative, whether x has an inverse.
    ///
    /// Raises ValueError if y is negative and x has no inverse.
    #[pyo3(signature = (x, y, /))]
    fn pow_secret<'py>(
        &self,
        py: Python<'py>,
        x: &Bound<'py, PyAny>,
        y: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (x, y) = (integer::read(x, "the base")?, integer::read(y, "the exponent")?);
        integer::write(py, &*power::of_secrets(py, &self.number.0, &x, &y)?)
    }

    /// The inverse of x, for a public x. Variable-time.
    ///
    /// Raises ZeroDivisionError if x has no inverse.
    #[pyo3(signature = (x, /))]
    fn invert<'py>(&self, x: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        inverse::by_limbs(x, &limbs::to_limbs(self.number.0.value().as_ref(), 1), Target::Int)
    }

    /// The inverse of x in constant time, for a secret x. Reveals the length and sign of x, and whether x has
    /// an inverse.
    ///
    /// Raises ZeroDivisionError if x has no inverse.
    #[pyo3(signature = (x, /))]
    fn invert_secret<'py>(&self, py: Python<'py>, x: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let modulus = &self.number.0;
        let x = residue(modulus, &integer::read(x, "the number")?);
        match modulus.invert(&x) {
            Ok(inverse) => integer::write(py, &Zeroizing::new(inverse)),
            Err(error @ Error::NotInvertible { .. }) => Err(not_invertible(&error)),
            Err(error) => Err(exception(error)),
        }
    }

    /// x·y modulo the modulus. Constant-time except for the lengths and signs of x and y.
    #[pyo3(signature = (x, y, /))]
    fn mul<'py>(
        &self,
        py: Python<'py>,
        x: &Bound<'py, PyAny>,
        y: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let modulus = &self.number.0;
        let x = residue(modulus, &integer::read(x, "the first factor")?);
        let y = residue(modulus, &integer::read(y, "the second factor")?);
        integer::write(py, &Zeroizing::new(modulus.mul(&x, &y)))
    }

    /// Computes [x**y modulo the modulus for x, y in zip(bases, exponents)], as moduli.powmod_batch does:
    /// constant-time, on all cores.
    ///
    /// Raises ValueError if the counts differ; ValueError that names the row if an exponent is negative and
    /// its base has no inverse.
    #[pyo3(signature = (bases, exponents, /, *, width=None, exponent_width=None))]
    fn pow_batch<'py>(
        &self,
        py: Python<'py>,
        bases: &Bound<'py, PyAny>,
        exponents: &Bound<'py, PyAny>,
        width: Option<&Bound<'py, PyAny>>,
        exponent_width: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (bases, exponents) = lists::rows_of_pairs(bases, exponents, width, exponent_width)?;
        lists::of_pairs(py, &self.number.0, &bases, &exponents)
    }

    /// Computes [invert(x) for x in xs], as moduli.invert_batch does: on all cores, and in constant time
    /// except for lengths, signs, and which values have no inverse.
    ///
    /// Raises ValueError that names the first row without an inverse.
    #[pyo3(signature = (xs, /, *, width=None))]
    fn invert_batch<'py>(
        &self,
        xs: &Bound<'py, PyAny>,
        width: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        inverse::batch(xs, &self.number.0, width)
    }

    /// The modulus as an integer.
    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        integer::write(py, self.number.0.value().as_ref())
    }

    /// The length of the modulus in bits.
    #[getter]
    fn bits(&self) -> u32 {
        self.number.0.bits()
    }

    /// The name of the kernel that computes modulo this modulus.
    #[getter]
    fn kernel(&self) -> &'static str {
        self.number.0.kernel_name()
    }

    /// Without the value, which may be a prime of a key.
    fn __repr__(&self) -> String {
        format!("<Modulus of {} bits, {}>", self.bits(), self.kernel())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyType>, (Bound<'py, PyAny>,))> {
        Ok((py.get_type::<Self>(), (self.value(py)?,)))
    }
}
