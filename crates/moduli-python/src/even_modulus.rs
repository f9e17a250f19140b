//! Prepared even moduli.

use crypto_bigint::BoxedUint;
use moduli::Error;
use moduli_kernel::limbs;
use pyo3::{exceptions::PyValueError, prelude::*, types::PyType};
use zeroize::Zeroizing;

use crate::{
    error::exception,
    even::{nanoseconds, not_negative},
    integer::{self, Target},
    inverse::{self, not_invertible},
    work,
};

/// An even modulus, prepared once for many powers and inverses. They are computed modulo the odd part and
/// modulo the power of two, and then combined.
///
/// modulus: even, at least 2, of at most 65,536 bits; public.
///
/// Numbers are integers of any length and sign, or objects with `__index__`. The object is immutable, and
/// many threads may use it at once. The pickle of an object contains the number itself.
///
/// Raises ValueError for an invalid modulus; TypeError if the modulus is not an integer.
///
/// >>> m = moduli.EvenModulus(10**6)
/// >>> m.pow(3, 20), m.pow_secret(3, 20), m.invert(3), m.invert_secret(3)
/// (784401, 784401, 666667, 666667)
#[pyclass(frozen, module = "moduli")]
pub struct EvenModulus(moduli::EvenModulus);

impl EvenModulus {
    /// The base, from 0 to m, inverted by `invert` if the exponent is negative; and the exponent's magnitude.
    /// Constant-time, except for the lengths, the signs and `invert`.
    fn operands(
        &self,
        x: &Bound<'_, PyAny>,
        y: &Bound<'_, PyAny>,
        invert: fn(&moduli::EvenModulus, &BoxedUint) -> Result<BoxedUint, Error>,
    ) -> PyResult<[Zeroizing<BoxedUint>; 2]> {
        let (x, y) = (integer::read(x, "the base")?, integer::read(y, "the exponent")?);
        let mut x = not_negative(self.0.value(), x);
        if y.negative {
            x = Zeroizing::new(invert(&self.0, &x).map_err(exception)?);
        }
        Ok([x, y.magnitude])
    }

    /// The result of `power`, computed without Python's lock if that takes long.
    fn computed<'py>(
        &self,
        py: Python<'py>,
        [x, y]: [Zeroizing<BoxedUint>; 2],
        power: fn(&moduli::EvenModulus, &BoxedUint, &BoxedUint) -> BoxedUint,
    ) -> PyResult<Bound<'py, PyAny>> {
        let found = work::run(py, nanoseconds(self.0.bits(), y.bits_precision()), || {
            Zeroizing::new(power(&self.0, &x, &y))
        });
        integer::write(py, &found)
    }
}

#[pymethods]
impl EvenModulus {
    #[new]
    #[pyo3(signature = (modulus, /))]
    fn new(modulus: &Bound<'_, PyAny>) -> PyResult<Self> {
        let value = integer::read(modulus, "the modulus")?;
        if value.negative {
            return Err(PyValueError::new_err("the modulus is negative"));
        }
        Ok(Self(moduli::EvenModulus::new(&value.magnitude).map_err(exception)?))
    }

    /// Computes x**y modulo the modulus for public numbers. x**0 is 1. Variable-time. If y is negative, the
    /// result is a power of the inverse of x.
    ///
    /// Raises ValueError if y is negative and x has no inverse.
    #[pyo3(signature = (x, y, /))]
    fn pow<'py>(&self, x: &Bound<'py, PyAny>, y: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.computed(x.py(), self.operands(x, y, moduli::EvenModulus::invert_vartime)?, |m, x, y| {
            m.pow_vartime(x, y)
        })
    }

    /// Computes x**y modulo the modulus in constant time, for a secret x and y. x**0 is 1. If y is negative,
    /// the result is a power of the inverse of x. The time reveals the signs of x and y, their numbers of
    /// 64-bit words and, if y is negative, whether x has an inverse.
    ///
    /// Raises ValueError if y is negative and x has no inverse.
    #[pyo3(signature = (x, y, /))]
    fn pow_secret<'py>(&self, x: &Bound<'py, PyAny>, y: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.computed(x.py(), self.operands(x, y, moduli::EvenModulus::invert)?, |m, x, y| m.pow(x, y))
    }

    /// The inverse of x, for a public x. Variable-time.
    ///
    /// Raises ZeroDivisionError if x has no inverse.
    #[pyo3(signature = (x, /))]
    fn invert<'py>(&self, x: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        inverse::by_limbs(x, &limbs::to_limbs(self.0.value(), 1), Target::Int)
    }

    /// The inverse of x in constant time, for a secret x. Reveals the length and sign of x, and whether x has
    /// an inverse.
    ///
    /// Raises ZeroDivisionError if x has no inverse.
    #[pyo3(signature = (x, /))]
    fn invert_secret<'py>(&self, x: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let number = not_negative(self.0.value(), integer::read(x, "the number")?);
        match self.0.invert(&number) {
            Ok(inverse) => integer::write(x.py(), &Zeroizing::new(inverse)),
            Err(error) => Err(not_invertible(&error)),
        }
    }

    /// The modulus as an integer.
    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        integer::write(py, self.0.value())
    }

    fn __repr__(&self) -> String {
        format!("<EvenModulus of {} bits>", self.0.bits())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyType>, (Bound<'py, PyAny>,))> {
        Ok((py.get_type::<Self>(), (self.value(py)?,)))
    }
}
