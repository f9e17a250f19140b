//! Tests of public numbers: whether they are members of a subgroup, and whether they are prime.

use crypto_bigint::BoxedUint;
use moduli::{primality::is_probable_prime_vartime, subgroup::are_members_vartime};
use pyo3::{exceptions::PyValueError, prelude::*};

use crate::{cache, error::exception, integer, rows::Rows, work};

/// Tests whether all of xs are members of the subgroup of an order: 0 < x < modulus, and x**order is 1. For
/// public numbers. Variable-time.
///
/// `xs` is a sequence of integers, or bytes (big-endian numbers of `width` bytes each), or an array `uint8[n,
/// width]` (big-endian) or `uint64[n, limbs]` (the least significant limb first). order is above 0. modulus
/// is odd, at least 3, and has at most 65,536 bits. rounds is 128 by default.
///
/// If all are members, the result is always True. If some are not, the result is True with a probability of
/// at most 2**-rounds. Each round raises the product of a subset to the order. The random number generator of
/// the system chooses the subsets.
///
/// Cost: for n elements about n*rounds/8 products, and `rounds` powers. From `rounds` elements on, this is
/// less than a power of each element, and for thousands of elements a tenth of that. The test runs on one
/// core, and releases the GIL if it is predicted to take more than a millisecond.
///
/// Raises ValueError for an invalid order or modulus, or rounds of 0; TypeError for arguments that are not
/// integers.
///
/// >>> moduli.are_members([2, 4, 16], 11, 23), moduli.are_members([2, 4, -2], 11, 23)
/// (True, False)
#[pyfunction]
#[pyo3(signature = (xs, order, modulus, /, *, rounds=None, width=None))]
pub fn are_members(
    xs: &Bound<'_, PyAny>,
    order: &Bound<'_, PyAny>,
    modulus: &Bound<'_, PyAny>,
    rounds: Option<&Bound<'_, PyAny>>,
    width: Option<&Bound<'_, PyAny>>,
) -> PyResult<bool> {
    let py = xs.py();
    let modulus = cache::odd(modulus)?;
    let order = integer::read(order, "the order")?;
    if order.negative || order.is_zero() {
        return Err(PyValueError::new_err("the order must be above 0"));
    }
    let rounds = integer::small(rounds, "rounds")?.unwrap_or(128);
    let rows = Rows::read(xs, "xs", width)?;
    let xs = rows.get(py, 0..rows.count())?;
    if xs.iter().any(|x| x.negative) {
        return Ok(false);
    }
    let elements: Vec<BoxedUint> = xs.iter().map(|x| (*x.magnitude).clone()).collect();
    drop(xs);
    let time = f64::from(rounds) * work::power(&modulus, order.precision());
    let mut random = getrandom::SysRng;
    work::run(py, time, || are_members_vartime(&modulus, &order.magnitude, &elements, rounds, &mut random))
        .map_err(exception)
}

/// Tests whether a public integer is prime, by trial division and rounds of the Miller-Rabin test, whose
/// bases are hashed from the integer. Variable-time.
///
/// rounds is 64 by default. For a prime, the result is always True. For a composite number the result is True
/// with a probability of at most 4**-rounds, even if an adversary chose the number. Below 2**32 the answer is
/// exact. Negative numbers and those of more than 65,536 bits give False.
///
/// Cost: one power of the length of n for each round. Most composite numbers need only one round. The test
/// releases the GIL.
///
/// Raises ValueError for rounds of 0; TypeError for arguments that are not integers.
///
/// >>> moduli.is_probable_prime(2**521 - 1), moduli.is_probable_prime(2**523 - 1)
/// (True, False)
#[pyfunction]
#[pyo3(signature = (n, /, *, rounds=None))]
pub fn is_probable_prime(n: &Bound<'_, PyAny>, rounds: Option<&Bound<'_, PyAny>>) -> PyResult<bool> {
    let py = n.py();
    let n = integer::read(n, "n")?;
    let rounds = integer::small::<u32>(rounds, "rounds")?.unwrap_or(64);
    if rounds == 0 {
        return Err(PyValueError::new_err("rounds must be above 0"));
    }
    Ok(!n.negative && py.detach(|| is_probable_prime_vartime(&n.magnitude, rounds)))
}
