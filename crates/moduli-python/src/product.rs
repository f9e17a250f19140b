//! Multi-exponentiation.

use crypto_bigint::BoxedUint;
use moduli::{Error, Modulus, MultiExponentiation, SignedExponent, error::ModulusError};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
};
use zeroize::Zeroizing;

use crate::{
    cache,
    error::exception,
    fixed_base::FixedBase,
    integer::{self, Integer},
    power::{exponent, residue},
    work,
};

/// Computes the product of base**exponent modulo a modulus, for as many bases as exponents.
///
/// bases: either FixedBase objects with the same modulus, or integers.
///
/// With FixedBase objects, the modulus is theirs, and each exponent is as long as its table allows. The
/// powers share the squarings. The result is constant-time in all exponents if secret=True, or if one of the
/// tables is for secret exponents.
///
/// With integers, you must give the modulus: odd, at least 3, of at most 65,536 bits. The powers share the
/// squarings and, for many bases, most of the products. With secret=True, the result is constant-time in
/// bases and exponents, except for their lengths and signs. By default it is variable-time.
///
/// Without bases, but with a modulus, the result is 1.
///
/// Raises ValueError for different counts, different moduli, exponents that are too long for their table, and
/// negative exponents of bases without an inverse; TypeError for arguments that are not integers.
///
/// >>> moduli.multi_pow([2, 3], [10, 5], 1000003)
/// 248832
#[pyfunction]
#[pyo3(signature = (bases, exponents, modulus=None, *, secret=false))]
pub fn multi_pow<'py>(
    py: Python<'py>,
    bases: Vec<Bound<'py, PyAny>>,
    exponents: Vec<Bound<'py, PyAny>>,
    modulus: Option<&Bound<'py, PyAny>>,
    secret: bool,
) -> PyResult<Bound<'py, PyAny>> {
    if bases.len() != exponents.len() {
        let text = format!("{} bases and {} exponents: they must be as many", bases.len(), exponents.len());
        return Err(PyValueError::new_err(text));
    }
    let modulus = modulus.map(cache::odd).transpose()?;
    let numbered =
        |(index, k): (usize, &Bound<'py, PyAny>)| integer::read_named(k, || format!("exponent {index}"));
    let exponents = exponents.iter().enumerate().map(numbered).collect::<PyResult<Vec<Integer>>>()?;
    let fixed: Vec<_> = bases.iter().filter_map(|base| base.cast::<FixedBase>().ok()).collect();
    let product = if !fixed.is_empty() && fixed.len() == bases.len() {
        let fixed: Vec<&FixedBase> = fixed.iter().map(|base| base.get()).collect();
        of_tables(py, &fixed, &exponents, modulus.as_ref(), secret)
    } else if fixed.is_empty() {
        let Some(modulus) = modulus else {
            return Err(PyTypeError::new_err("powers of integers need a modulus"));
        };
        let numbered = |(index, base): (usize, &Bound<'py, PyAny>)| {
            Ok(residue(&modulus, &integer::read_named(base, || format!("base {index}"))?))
        };
        let bases = bases.iter().enumerate().map(numbered).collect::<PyResult<Vec<_>>>()?;
        of_numbers(py, &bases, &exponents, &modulus, secret)
    } else {
        return Err(PyTypeError::new_err("bases must all be FixedBase objects or all be integers"));
    };
    integer::write(py, &Zeroizing::new(product.map_err(exception)?))
}

fn of_tables(
    py: Python<'_>,
    bases: &[&FixedBase],
    exponents: &[Integer],
    modulus: Option<&Modulus>,
    secret: bool,
) -> Result<BoxedUint, Error> {
    let first = bases[0].table.modulus();
    if modulus.is_some_and(|modulus| modulus.value() != first.value()) {
        return Err(Error::Modulus(ModulusError::Mismatch));
    }
    let product = MultiExponentiation::new(bases.iter().map(|base| &*base.table))?;
    let secret = secret || bases.iter().any(|base| base.secret);
    let time = work::power(first, bases.iter().map(|base| base.table.shape().exponent_bits()).sum());
    let exponents: Vec<SignedExponent<'_>> = exponents.iter().map(exponent).collect();
    work::run(py, time, || if secret { product.pow(exponents) } else { product.pow_vartime(exponents) })
}

fn of_numbers(
    py: Python<'_>,
    bases: &[Zeroizing<BoxedUint>],
    exponents: &[Integer],
    modulus: &Modulus,
    secret: bool,
) -> Result<BoxedUint, Error> {
    let time = work::power(modulus, exponents.iter().map(Integer::precision).fold(0, u32::saturating_add));
    let pairs = || bases.iter().map(|base| &**base).zip(exponents.iter().map(exponent));
    work::run(
        py,
        time,
        || if secret { modulus.multi_pow(pairs()) } else { modulus.multi_pow_vartime(pairs()) },
    )
}
