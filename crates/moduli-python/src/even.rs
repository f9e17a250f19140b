//! Powers modulo even numbers.

use crypto_bigint::{BoxedUint, Resize};
use moduli::Error;
use moduli_kernel::{invert_vartime, limbs};
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

/// x modulo m, from 0 to m, if x is negative: m − (|x| mod m). Constant-time, but for the sign and the lengths.
fn not_negative(modulus: &BoxedUint, x: Integer) -> Zeroizing<BoxedUint> {
    if !x.negative {
        return x.magnitude;
    }
    let wide = modulus.resize_unchecked(modulus.bits_precision().max(x.precision()));
    let wide = wide.to_nz().expect("a modulus is not 0");
    let rest = Zeroizing::new(x.magnitude.rem(&wide));
    let rest = Zeroizing::new((&*rest).resize_unchecked(modulus.bits_precision()));
    Zeroizing::new(modulus.wrapping_sub(&*rest))
}

/// About how long a power modulo so many bits takes, with an exponent of so many, in nanoseconds.
fn nanoseconds(bits: u32, exponent_bits: u32) -> f64 {
    let limbs = f64::from(bits.div_ceil(64));
    f64::from(exponent_bits) * limbs * limbs
}

/// x**y modulo an even number of at most 65,536 bits, for public numbers.
///
/// # Errors
/// `ValueError` if y is negative and x has no inverse.
pub fn public_power(py: Python<'_>, x: Integer, y: &Integer, modulus: &BoxedUint) -> PyResult<BoxedUint> {
    let even = moduli::EvenModulus::new(modulus).map_err(exception)?;
    let mut x = not_negative(even.value(), x);
    if y.negative {
        x = Zeroizing::new(inverse(&x, even.value())?);
    }
    Ok(work::run(py, nanoseconds(even.bits(), y.precision()), || even.pow_vartime(&x, &*y.magnitude)))
}

/// The inverse of x modulo an even number. Variable-time.
fn inverse(x: &BoxedUint, modulus: &BoxedUint) -> PyResult<BoxedUint> {
    let nonzero = modulus.to_nz().expect("a modulus is not 0");
    let (x, modulus) = (limbs::to_limbs(&x.rem_vartime(&nonzero), 1), limbs::to_limbs(modulus, 1));
    let trimmed = x.iter().rposition(|&limb| limb != 0).map_or(0, |top| top + 1);
    let mut scratch = limbs::zeros(4 * modulus.len() + 2);
    match invert_vartime(&modulus, &x[..trimmed], &mut scratch) {
        Ok(inverse) => Ok(limbs::from_limbs(inverse)),
        Err(factor) => {
            let factor = limbs::from_limbs(factor).to_string_radix_vartime(16);
            Err(exception(Error::NotInvertible { gcd: Some(factor) }))
        }
    }
}

impl EvenModulus {
    /// The base from 0 to m, and the exponent. Constant-time, but for the lengths and signs.
    fn operands(&self, x: &Bound<'_, PyAny>, y: &Bound<'_, PyAny>) -> PyResult<[Integer; 2]> {
        let (x, y) = (integer::read(x, "the base")?, integer::read(y, "the exponent")?);
        if y.negative {
            return Err(PyValueError::new_err("the exponent is negative, which even moduli do not take"));
        }
        Ok([Integer { negative: false, magnitude: not_negative(self.0.value(), x) }, y])
    }

    /// What `power` gives, without Python's lock if that takes long.
    fn computed<'py>(
        &self,
        py: Python<'py>,
        [x, y]: [Integer; 2],
        power: fn(&moduli::EvenModulus, &BoxedUint, &BoxedUint) -> BoxedUint,
    ) -> PyResult<Bound<'py, PyAny>> {
        let found = work::run(py, nanoseconds(self.0.bits(), y.precision()), || {
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
