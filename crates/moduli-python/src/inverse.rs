//! `invert` and its batch.

use crypto_bigint::{BoxedUint, NonZero};
use moduli::{Error, Modulus};
use moduli_kernel::{invert_vartime, limbs};
use pyo3::{exceptions::PyZeroDivisionError, prelude::*};
use zeroize::Zeroizing;

use crate::{
    cache::{self, Argument},
    error::exception,
    even,
    integer::{self, Integer, Target},
    lists::push,
    power::residue,
    rows::{Results, Rows},
    short::{self, Short},
    work,
};

/// The approximate time of an inversion, in nanoseconds.
fn nanoseconds(limbs: usize) -> f64 {
    let limbs = limbs as f64;
    2.34 * limbs * limbs + 350.0 * limbs
}

/// Computes the inverse of x modulo m, between 0 and |m|, like gmpy2.invert, for public numbers.
/// Variable-time.
///
/// x and m are integers of any sign, odd or even, or objects with `__index__`. x has any length, and m at
/// most 2^31 bits.
///
/// Raises ZeroDivisionError for m = 0, or if x has no inverse; ValueError for a longer m; TypeError for
/// arguments that are not integers.
///
/// >>> moduli.invert(3, 1000003)
/// 666669
/// >>> moduli.invert(3, 9)
/// Traceback (most recent call last):
/// ZeroDivisionError: not invertible: the common factor with the modulus is 0x3
#[pyfunction]
#[pyo3(signature = (x, m, /))]
pub fn invert<'py>(x: &Bound<'py, PyAny>, m: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    match inverse(x, m, Target::Int) {
        // Python reduces a number that is too long to be read.
        Err(_) if integer::is_too_long(x) && !integer::is_too_long(m) => {
            let short = integer::index(x, "the number")?.rem(integer::index(m, "the modulus")?)?;
            inverse(&short, m, Target::Int)
        }
        result => result,
    }
}

/// The inverse of x modulo m, between 0 and |m|, for public numbers.
pub fn inverse<'py>(
    x: &Bound<'py, PyAny>,
    m: &Bound<'py, PyAny>,
    target: Target,
) -> PyResult<Bound<'py, PyAny>> {
    let py = m.py();
    if let Some(inverse) = short_inverse(x, m) {
        return target.write(py, false, &inverse);
    }
    let (_, modulus) = integer::read_limbs(m, "the modulus")?;
    by_limbs(x, &modulus, target)
}

/// The inverse of x modulo m, if both are short and it exists.
#[inline]
pub fn short_inverse(x: &Bound<'_, PyAny>, m: &Bound<'_, PyAny>) -> Option<[u64; short::WORDS]> {
    if let (Some(m), Some(x)) = (short::word(m), short::word(x)) {
        return short::inverse_of_word(x, m).map(|inverse| [inverse, 0, 0, 0]);
    }
    let m = Short::read(m)?;
    short::inverse(&Short::read(x)?, &m)
}

/// The inverse of x modulo a number, the least limb first, for public numbers.
pub fn by_limbs<'py>(x: &Bound<'py, PyAny>, modulus: &[u64], target: Target) -> PyResult<Bound<'py, PyAny>> {
    let py = x.py();
    let (negative, mut value) = integer::read_limbs(x, "the number")?;
    let modulus = trimmed(modulus);
    match modulus {
        [] => return Err(PyZeroDivisionError::new_err("the modulus is 0")),
        [1] => return target.write(py, false, &[0]),
        _ => {}
    }
    let count = modulus.len();
    if trimmed(&value).len() > count
        && let Some(divisor) = NonZero::new(limbs::from_limbs(modulus)).into_option()
    {
        let short = Zeroizing::new(limbs::from_limbs(&value).rem_vartime(&divisor));
        value = limbs::to_limbs(&short, 1);
    }
    let mut scratch = limbs::zeros(4 * count + 2);
    let inverse =
        work::run(py, nanoseconds(count), || invert_vartime(modulus, trimmed(&value), &mut scratch));
    match inverse {
        Ok(inverse) if negative => target.write(py, false, &negated(inverse, modulus)),
        Ok(inverse) => target.write(py, false, inverse),
        Err(factor) => {
            let factor = limbs::from_limbs(factor).to_string_radix_vartime(16);
            Err(not_invertible(&Error::NotInvertible { gcd: Some(factor) }))
        }
    }
}

/// The exception for a number that has no inverse.
pub fn not_invertible(error: &Error) -> PyErr {
    PyZeroDivisionError::new_err(error.to_string())
}

/// The limbs without leading zeros.
fn trimmed(limbs: &[u64]) -> &[u64] {
    &limbs[..limbs.iter().rposition(|&limb| limb != 0).map_or(0, |top| top + 1)]
}

/// modulus − value, for a value of at most the modulus.
fn negated(value: &[u64], modulus: &[u64]) -> Zeroizing<Vec<u64>> {
    let mut borrow = false;
    let word = |(&m, &v): (&u64, &u64)| {
        let (partial, first) = m.overflowing_sub(v);
        let (word, second) = partial.overflowing_sub(u64::from(borrow));
        borrow = first | second;
        word
    };
    Zeroizing::new(modulus.iter().zip(value).map(word).collect())
}

/// Computes [invert(x, m) for x in xs] in constant time, on all cores.
///
/// `xs` is a sequence of integers, or bytes (big-endian numbers of `width` bytes each), or an array `uint8[n,
/// width]` (big-endian) or `uint64[n, limbs]` (the least significant limb first). The inverses have the same
/// type as xs. In bytes and arrays, each inverse is as long as m. m is at least 2 and has at most 65,536
/// bits. Modulo an odd m, all numbers share one inversion, and each costs three further products. Ctrl-C
/// interrupts.
///
/// Constant-time except for the lengths of the numbers (in bytes and arrays: of their rows), their signs, and
/// which values have no inverse.
///
/// Raises ValueError for an invalid m; ValueError (not ZeroDivisionError, which invert raises) that names the
/// first row without an inverse; TypeError for arguments that are not integers.
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
    match cache::argument(m)? {
        Argument::Other(value) if !value.negative && !value.is_odd() => {
            let modulus = moduli::EvenModulus::new(&value.magnitude).map_err(exception)?;
            let each = 3.0 * nanoseconds(modulus.bits().div_ceil(64) as usize);
            in_batches(xs, width, (modulus.bits(), each), |xs| even::inverses(&modulus, xs))
        }
        _ => batch(xs, &cache::odd(m)?, width),
    }
}

/// The inverses of a batch, in constant time.
pub fn batch<'py>(
    xs: &Bound<'py, PyAny>,
    modulus: &Modulus,
    width: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    // A value takes about a tenth of an inversion: three products, and its share of one inversion.
    let each = 0.1 * nanoseconds(modulus.bits().div_ceil(64) as usize);
    in_batches(xs, width, (modulus.bits(), each), |xs| {
        let values: Vec<_> = xs.iter().map(|x| residue(modulus, x)).collect();
        let values: Vec<&BoxedUint> = values.iter().map(|value| &**value).collect();
        modulus.invert_batch(&values)
    })
}

/// The inverses of a batch by `invert`, of `bits` bits each, which take about this many nanoseconds.
fn in_batches<'py>(
    xs: &Bound<'py, PyAny>,
    width: Option<&Bound<'py, PyAny>>,
    (bits, each): (u32, f64),
    invert: impl Fn(Vec<Integer>) -> Vec<Result<BoxedUint, Error>> + Sync,
) -> PyResult<Bound<'py, PyAny>> {
    let py = xs.py();
    let rows = Rows::read(xs, "xs", width)?;
    let mut results = Results::new(py, rows.kind(), rows.count(), bits)?;
    work::in_pieces(py, rows.count(), each, |range| {
        let start = range.start;
        let values = rows.get(py, range)?;
        let inverses = work::on_all_cores(py, || invert(values));
        push(py, &mut results, start, inverses)
    })?;
    Ok(results.finish(py))
}
