//! Powers modulo N^k by whoever knows the factors.

use pyo3::{exceptions::PyTypeError, prelude::*};
use zeroize::Zeroizing;

use crate::{
    error::exception,
    integer::{self, Integer},
    power::{exponent, residue},
    work,
};

/// N**power for N = p*q with its factors known: exponentiation modulo p**power and q**power, recombined and checked. Two to four times as fast
/// as powmod_sec modulo N**power, for the owner of a Paillier key.
///
/// p, q: different odd primes; secret. power: at least 1; N**power has at most 65,536 bits. A result that the machine got wrong modulo one
/// of them would give them away: every result is checked, and a wrong one raises RuntimeError in its place.
///
/// Cost: tests of primality, and a millisecond for what the check wants, once. It does not change, and may be used by many threads at once. It cannot be pickled.
///
/// Raises ValueError for what is no odd prime, for equal primes, and for a power of 0 or one that makes the modulus too long.
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
            // What is below zero is no prime; nor is zero.
            Ok::<Integer, PyErr>(if prime.negative { Integer::from_limbs(false, &[0]) } else { prime })
        };
        let (p, q) = (read(p, "p")?, read(q, "q")?);
        let power = integer::small(power, "power")?.unwrap_or(1);
        let made = py.detach(|| moduli::CrtModulus::new(&p.magnitude, &q.magnitude, power));
        Ok(Self(made.map_err(exception)?))
    }

    /// x**e modulo the modulus; 0**0 is 1. A negative e wants an x that has an inverse. Constant-time in x and e: the numbers of
    /// their 64-bit words may show, and the signs.
    ///
    /// Raises ValueError for a negative e without an inverse of x; RuntimeError if the result fails its check.
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
