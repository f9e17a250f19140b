//! Named groups.

use crypto_bigint::BoxedUint;
use moduli::groups;
use pyo3::prelude::*;

use crate::{error::exception, integer};

/// A group of prime order q modulo a prime p, with a generator g. Public.
#[pyclass(frozen, module = "moduli")]
pub struct Group(pub groups::Group);

/// The hash of an object that is compared by public numbers, from one of them. Equal numbers of different
/// precisions have equal hashes.
pub fn hash_of(number: &BoxedUint) -> u64 {
    number.as_words().iter().fold(0, |hash, word| hash ^ *word)
}

#[pymethods]
impl Group {
    /// The name of the group.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.name()
    }

    /// The modulus p, a prime.
    #[getter]
    fn p<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        integer::write(py, self.0.modulus())
    }

    /// The order q of the group, a prime.
    #[getter]
    fn q<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        integer::write(py, self.0.order())
    }

    /// The generator, of order q.
    #[getter]
    fn g<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        integer::write(py, self.0.generator())
    }

    /// The number of bits that a secret exponent needs: the length of q if q is short, and otherwise the
    /// length that RFC 7919 requires.
    #[getter]
    fn exponent_bits(&self) -> u32 {
        self.0.exponent_bits()
    }

    /// Whether p = 2*q + 1.
    #[getter]
    fn is_safe_prime(&self) -> bool {
        self.0.is_safe_prime()
    }

    /// Checks an untrusted public value. Raises ValueError unless the value is a member of the group other
    /// than 1. Variable-time.
    fn validate(&self, y: &Bound<'_, PyAny>) -> PyResult<()> {
        let y = integer::read(y, "the public value")?;
        if y.negative {
            return Err(pyo3::exceptions::PyValueError::new_err("not in the group: it is negative"));
        }
        self.0.validate_public_value_vartime(&y.magnitude).map_err(exception)
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    fn __hash__(&self) -> u64 {
        hash_of(self.0.modulus())
    }

    /// By its name.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (&'static str,))> {
        Ok((py.import("moduli")?.getattr("group")?, (self.0.name(),)))
    }

    fn __repr__(&self) -> String {
        let (name, p, q) = (self.0.name(), self.0.modulus().bits_vartime(), self.0.order().bits_vartime());
        format!("<Group {name}: p of {p} bits, q of {q}>")
    }
}

/// Returns the group with this name. groups() lists the names.
///
/// Raises ValueError, which lists all names, if there is no such group.
///
/// >>> group = moduli.group("ffdhe3072")
/// >>> group.p == 2 * group.q + 1, group.g
/// (True, 2)
#[pyfunction]
pub fn group(name: &str) -> PyResult<Group> {
    groups::Group::named(name).map(Group).map_err(exception)
}

/// The names of all groups: the Diffie–Hellman groups of RFC 7919 and RFC 3526, the groups of ElectionGuard,
/// and groups for DSA.
///
/// >>> "ffdhe3072" in moduli.groups()
/// True
#[pyfunction(name = "groups")]
pub fn names() -> Vec<&'static str> {
    groups::Group::names().collect()
}
