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

/// The product of base**exponent modulo a modulus, for as many bases as exponents.
///
/// bases: FixedBase objects of one modulus, or integers, not both. With FixedBase objects the squarings are shared, each takes
/// exponents of the length of its table, and the modulus is theirs; the result is constant-time in all exponents if one of the
/// tables is for secret exponents. With integers the modulus must be given, odd and from 3 to 65,536 bits; the squarings are
/// shared, too, and of many bases most of the products. It is constant-time in bases and exponents (but for their lengths and
/// signs) with secret=True, by default variable-time. No base at all, with a modulus, gives 1.
///
/// Raises ValueError for different counts, moduli that differ, exponents that are too long for their table, and negative
/// ones of bases without an inverse; TypeError for what is no integer.
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
            return Err(PyTypeError::new_err("powers of integers want a modulus"));
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
