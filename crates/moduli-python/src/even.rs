//! Powers and inverses modulo even numbers.

use crypto_bigint::{BoxedUint, Resize};
use moduli::Error;
use pyo3::prelude::*;
use zeroize::Zeroizing;

use crate::{error::exception, integer::Integer, work};

/// x modulo m; if x is negative, m − (|x| mod m), which may be m. Constant-time, except for the sign and the
/// lengths.
pub fn not_negative(modulus: &BoxedUint, x: Integer) -> Zeroizing<BoxedUint> {
    if !x.negative {
        return x.magnitude;
    }
    let wide = modulus.resize_unchecked(modulus.bits_precision().max(x.precision()));
    let wide = wide.to_nz().expect("a modulus is not 0");
    let rest = Zeroizing::new(x.magnitude.rem(&wide));
    let rest = Zeroizing::new((&*rest).resize_unchecked(modulus.bits_precision()));
    Zeroizing::new(modulus.wrapping_sub(&*rest))
}

/// The approximate time of a power, in nanoseconds, for a modulus of `bits` bits and an exponent of
/// `exponent_bits` bits.
pub fn nanoseconds(bits: u32, exponent_bits: u32) -> f64 {
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

/// The inverses of a batch, computed one by one on all cores. Constant-time, except for the lengths, the
/// signs and which values have no inverse.
pub fn inverses(modulus: &moduli::EvenModulus, xs: Vec<Integer>) -> Vec<Result<BoxedUint, Error>> {
    work::map(xs, |x| modulus.invert(&not_negative(modulus.value(), x)))
}
