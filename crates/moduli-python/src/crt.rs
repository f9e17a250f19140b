//! Powers modulo N^k by whoever knows the factors.

use pyo3::{exceptions::PyTypeError, prelude::*};
use zeroize::Zeroizing;

use crate::{
    error::exception,
    integer::{self, Integer},
    power::{exponent, residue},
    work,
};

/// The modulus N**power with N = p*q, for whoever knows the factors, for example the owner of a Paillier key.
/// pow computes powers modulo p**power and q**power, combines them, and checks the result. This is two to
/// four times as fast as powmod_sec modulo N**power.
///
/// p, q: different odd primes; secret.
/// power: at least 1; N**power has at most 65,536 bits.
///
/// A wrong result modulo one of the factors would reveal both. For this reason every result is checked, and a
/// wrong one raises RuntimeError.
///
/// Cost, once: primality tests, and a millisecond to prepare the check. The object is immutable, and many
/// threads may use it at once. It cannot be pickled.
///
/// Raises ValueError if p or q is not an odd prime, if p and q are equal, or if power is 0 or makes the
/// modulus too long.
///
/// >>> owner = moduli.CrtModulus(1000003, 2**127 - 1, 2)
/// >>> owner.pow(5, 12345) == pow(5, 12345, owner.modulus)
/// True
#[pyclass(frozen, module = "moduli")]
pub struct CrtModulus(moduli::CrtModulus);

#[pymethods]
impl CrtModulus {
    #[new]
    #[pyo3(signature = (p, q, power=None), text_signature = "(p, q, power=1)")]
    fn new(p: &Bound<'_, PyAny>, q: &Bound<'_, PyAny>, power: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let py = p.py();
        let read = |object, name| {
            let prime = integer::read(object, name)?;
            // A negative number is no prime, and neither is zero.
            Ok::<Integer, PyErr>(if prime.negative { Integer::from_limbs(false, &[0]) } else { prime })
        };
        let (p, q) = (read(p, "p")?, read(q, "q")?);
        let power = integer::small(power, "power")?.unwrap_or(1);
        let made = py.detach(|| moduli::CrtModulus::new(&p.magnitude, &q.magnitude, power));
        Ok(Self(made.map_err(exception)?))
    }

    /// Computes x**e modulo the modulus. 0**0 is 1. If e is negative, x must have an inverse. Constant-time
    /// in x and e, except for their signs and their numbers of 64-bit words. If e is negative, reveals
    /// whether x has an inverse.
    ///
    /// Raises ValueError if e is negative and x has no inverse; RuntimeError if the result fails the check.
    fn pow<'py>(&self, x: &Bound<'py, PyAny>, e: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = x.py();
        let modulus = self.0.modulus();
        let x = residue(modulus, &integer::read(x, "the base")?);
        let e = integer::read(e, "the exponent")?;
        let nanoseconds = work::power(modulus, e.precision().min(modulus.bits() / 2)) / 4.0;
        let power = work::run(py, nanoseconds, || self.0.pow(&x, exponent(&e)));
        integer::write(py, &Zeroizing::new(power.map_err(exception)?))
    }

    /// N**power, which is public.
    #[getter]
    fn modulus<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        integer::write(py, self.0.modulus().value().as_ref())
    }

    fn __repr__(&self) -> String {
        format!("<CrtModulus of {} bits>", self.0.modulus().bits())
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err("a CrtModulus cannot be pickled: it holds secret primes"))
    }
}
