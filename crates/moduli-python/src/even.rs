//! Powers and inverses modulo even numbers.

use crypto_bigint::{BoxedUint, Resize};
use moduli::Error;
use moduli_kernel::limbs;
use pyo3::{exceptions::PyValueError, prelude::*, types::PyType};
use rayon::prelude::*;
use zeroize::Zeroizing;

use crate::{
    error::exception,
    integer::{self, Integer, Target},
    inverse::{self, not_invertible},
    work,
};

/// An even modulus, prepared once for many powers and inverses. They are computed modulo its odd part and
/// modulo its power of two, and combined.
///
/// modulus: even, at least 2, of at most 65,536 bits; public.
///
/// Numbers are integers of any length and sign, or objects with `__index__`. The
/// object is immutable, and many threads may use it at once. Its pickle contains the number itself.
///
/// Raises ValueError for an invalid modulus; TypeError if it is not an integer.
///
/// >>> m = moduli.EvenModulus(10**6)
/// >>> m.pow(3, 20), m.pow_secret(3, 20), m.invert(3), m.invert_secret(3)
/// (784401, 784401, 666667, 666667)
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
        x = Zeroizing::new(even.invert_vartime(&x).map_err(exception)?);
    }
    Ok(work::run(py, nanoseconds(even.bits(), y.precision()), || even.pow_vartime(&x, &*y.magnitude)))
}

/// The inverses of a batch, one by one on all cores. Constant-time, but for the lengths, the signs and which have no inverse.
pub fn inverses(modulus: &moduli::EvenModulus, xs: Vec<Integer>) -> Vec<Result<BoxedUint, Error>> {
    xs.into_par_iter().map(|x| modulus.invert(&not_negative(modulus.value(), x))).collect()
}

impl EvenModulus {
    /// The base from 0 to m, inverted by `invert` if the exponent is negative, and the exponent's magnitude. Constant-time but for the
    /// lengths, the signs and `invert`.
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

    /// What `power` gives, without Python's lock if that takes long.
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

    /// x**y modulo the modulus, for public numbers; x**0 is 1. Variable-time. A negative y gives a power of
    /// the inverse of x.
    ///
    /// Raises ValueError if y is negative and x has no inverse.
    #[pyo3(signature = (x, y, /))]
    fn pow<'py>(&self, x: &Bound<'py, PyAny>, y: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.computed(x.py(), self.operands(x, y, moduli::EvenModulus::invert_vartime)?, |m, x, y| {
            m.pow_vartime(x, y)
        })
    }

    /// x**y modulo the modulus in constant time, for a secret x and y; x**0 is 1. Reveals the signs of both
    /// and the numbers of 64-bit words of both. A negative y gives a power of the inverse of x, and reveals
    /// whether there is one.
    ///
    /// Raises ValueError if y is negative and x has no inverse.
    #[pyo3(signature = (x, y, /))]
    fn pow_secret<'py>(&self, x: &Bound<'py, PyAny>, y: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.computed(x.py(), self.operands(x, y, moduli::EvenModulus::invert)?, |m, x, y| m.pow(x, y))
    }

    /// The inverse of x, for a public x. Variable-time.
    ///
    /// Raises ZeroDivisionError if there is none.
    #[pyo3(signature = (x, /))]
    fn invert<'py>(&self, x: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        inverse::by_limbs(x, &limbs::to_limbs(self.0.value(), 1), Target::Int)
    }

    /// The inverse of x in constant time, for a secret x. Reveals the sign of x and whether there is an
    /// inverse.
    ///
    /// Raises ZeroDivisionError if there is none.
    #[pyo3(signature = (x, /))]
    fn invert_secret<'py>(&self, x: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let number = not_negative(self.0.value(), integer::read(x, "the number")?);
        match self.0.invert(&number) {
            Ok(inverse) => integer::write(x.py(), &Zeroizing::new(inverse)),
            Err(error) => Err(not_invertible(&error)),
        }
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
