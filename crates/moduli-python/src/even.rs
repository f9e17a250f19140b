//! Powers modulo even numbers.

use crypto_bigint::{BoxedUint, Resize};
use pyo3::{exceptions::PyValueError, prelude::*, types::PyType};
use zeroize::Zeroizing;

use crate::{
    error::exception,
    integer::{self, Integer},
    work,
};

/// An even modulus, prepared once for many powers: those modulo its odd part and modulo its power of two, put together.
///
/// modulus: even, from 2, of at most 65,536 bits; public. Numbers are integers of any length and sign, or have `__index__`; exponents are
/// not negative. It does not change, and may be used by many threads at once. A pickle of one holds the number itself.
///
/// Raises ValueError for another modulus; TypeError for what is no integer.
///
/// >>> m = moduli.EvenModulus(10**6)
/// >>> m.pow(3, 20), m.pow_secret(3, 20)
/// (784401, 784401)
#[pyclass(frozen, module = "moduli")]
pub struct EvenModulus(moduli::EvenModulus);

impl EvenModulus {
    /// The base from 0 to m, and the exponent. Constant-time, but for the lengths and signs.
    fn operands(&self, x: &Bound<'_, PyAny>, y: &Bound<'_, PyAny>) -> PyResult<[Integer; 2]> {
        let (x, y) = (integer::read(x, "the base")?, integer::read(y, "the exponent")?);
        if y.negative {
            return Err(PyValueError::new_err("the exponent is negative, which even moduli do not take"));
        }
        if !x.negative {
            return Ok([x, y]);
        }
        let modulus = self.0.value();
        let wide = modulus.resize_unchecked(modulus.bits_precision().max(x.precision()));
        let wide = wide.to_nz().expect("a modulus is not 0");
        let rest = Zeroizing::new(x.magnitude.rem(&wide));
        let rest = Zeroizing::new((&*rest).resize_unchecked(modulus.bits_precision()));
        let magnitude = Zeroizing::new(modulus.wrapping_sub(&*rest));
        Ok([Integer { negative: false, magnitude }, y])
    }

    /// What `power` gives, without Python's lock if that takes long.
    fn computed<'py>(
        &self,
        py: Python<'py>,
        [x, y]: [Integer; 2],
        power: fn(&moduli::EvenModulus, &BoxedUint, &BoxedUint) -> BoxedUint,
    ) -> PyResult<Bound<'py, PyAny>> {
        let limbs = f64::from(self.0.bits().div_ceil(64));
        let found = work::run(py, f64::from(y.precision()) * limbs * limbs, || {
            Zeroizing::new(power(&self.0, &x.magnitude, &y.magnitude))
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

    /// x**y modulo the modulus, for public numbers; x**0 is 1. Variable-time.
    ///
    /// Raises ValueError if y is negative.
    #[pyo3(signature = (x, y, /))]
    fn pow<'py>(&self, x: &Bound<'py, PyAny>, y: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.computed(x.py(), self.operands(x, y)?, |m, x, y| m.pow_vartime(x, y))
    }

    /// x**y modulo the modulus in constant time, for a secret x and y; x**0 is 1. The sign of x shows, and how many 64-bit words both have.
    ///
    /// Raises ValueError if y is negative.
    #[pyo3(signature = (x, y, /))]
    fn pow_secret<'py>(&self, x: &Bound<'py, PyAny>, y: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.computed(x.py(), self.operands(x, y)?, |m, x, y| m.pow(x, y))
    }

    /// The number itself.
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
