//! `invert` and its batch.

use crypto_bigint::BoxedUint;
use moduli::{Error, Modulus};
use pyo3::{
    exceptions::{PyValueError, PyZeroDivisionError},
    prelude::*,
};

use crate::{
    cache::{self, Argument},
    error::exception,
    integer,
    power::{push, residue},
    rows::{Results, Rows},
    work,
};

/// About how long an inversion takes, in nanoseconds.
fn nanoseconds(modulus: &Modulus) -> f64 {
    let limbs = f64::from(modulus.bits().div_ceil(64));
    2.34 * limbs * limbs + 350.0 * limbs
}

/// The inverse of x modulo m, between 0 and |m|, as `gmpy2.invert`: for public numbers. Variable-time.
///
/// x and m are integers of any length and sign, or have `__index__`. Odd m from 3 to 65,536 bits are served by this library,
/// others by Python's own `pow`.
///
/// Raises ZeroDivisionError for m = 0, or if x has no inverse; TypeError for what is no integer.
///
/// >>> moduli.invert(3, 1000003)
/// 666669
/// >>> moduli.invert(3, 9)
/// Traceback (most recent call last):
/// ZeroDivisionError: not invertible: the common factor with the modulus is 3
#[pyfunction]
#[pyo3(signature = (x, m, /))]
pub fn invert<'py>(x: &Bound<'py, PyAny>, m: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = m.py();
    let modulus = match cache::argument(m)? {
        Argument::Odd(modulus) => modulus,
        Argument::Other(number) => {
            let x = integer::index(x, "the number")?;
            if number.is_zero() {
                return Err(PyZeroDivisionError::new_err("the modulus is 0"));
            }
            let magnitude = integer::write(py, &number.magnitude)?;
            return x.pow(-1, magnitude).map_err(|error| {
                if error.is_instance_of::<PyValueError>(py) {
                    PyZeroDivisionError::new_err("not invertible modulo the modulus")
                } else {
                    error
                }
            });
        }
    };
    let x = integer::read(x, "the number")?;
    let inverse = work::run(py, nanoseconds(&modulus), || modulus.invert_vartime(&residue(&modulus, &x)));
    match inverse {
        Ok(inverse) => integer::write(py, &inverse),
        Err(error @ Error::NotInvertible { .. }) => Err(PyZeroDivisionError::new_err(error.to_string())),
        Err(error) => Err(exception(error)),
    }
}

/// [invert(x, m) for x in xs]: one inversion and three products each, on all cores.
///
/// `xs` is a sequence of integers, or bytes (big-endian numbers of `width` bytes each), or an array `uint8[n, width]`
/// (big-endian) or `uint64[n, limbs]` (the least limb first). The inverses come in the same kind, of bytes and arrays each as long
/// as m. m is odd, from 3 to 65,536 bits. Constant-time but for the lengths of the numbers (of bytes and arrays: of their rows)
/// and for which have no inverse. Ctrl-C interrupts.
///
/// Raises ValueError for another m, and naming the first row that has no inverse; TypeError for what is no integer.
///
/// >>> moduli.invert_batch([1, 2, 3], 1000003)
/// [1, 500002, 666669]
#[pyfunction]
#[pyo3(signature = (xs, m, /, *, width=None))]
pub fn invert_batch<'py>(
    xs: &Bound<'py, PyAny>,
    m: &Bound<'py, PyAny>,
    width: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = m.py();
    let rows = Rows::read(xs, "xs", width)?;
    let modulus = cache::odd(m)?;
    let mut results = Results::new(py, rows.kind(), rows.count(), modulus.bits())?;
    // A tenth of an inversion: three products and the share of one.
    work::in_pieces(py, rows.count(), 0.1 * nanoseconds(&modulus), |range| {
        let start = range.start;
        let values: Vec<_> = rows.get(py, range)?.iter().map(|x| residue(&modulus, x)).collect();
        let values: Vec<&BoxedUint> = values.iter().map(|value| &**value).collect();
        let inverses = work::on_all_cores(py, || modulus.invert_batch(&values));
        push(py, &mut results, start, inverses)
    })?;
    Ok(results.finish(py))
}
