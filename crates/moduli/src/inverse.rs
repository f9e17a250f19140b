//! Inverses modulo numbers that have no prepared [`Modulus`](crate::Modulus).

use alloc::vec::Vec;
use crypto_bigint::{BoxedUint, NonZero};
use moduli_kernel::{invert_vartime as euclid, limbs};

use crate::error::{Error, ModulusError};

/// `x^(−1) mod m` for public `x` and `m`, odd or even, of any length, without a
/// [`Modulus`](crate::Modulus). Modulo 1 the inverse is 0. Variable-time.
///
/// Cost: that of [`Modulus::invert_vartime`](crate::Modulus::invert_vartime). Nothing is prepared, so a
/// single inverse modulo a number costs a third of what it costs with [`Modulus::new`](crate::Modulus::new).
/// Grows with the square of the length.
///
/// ```
/// # use crypto_bigint::BoxedUint;
/// let inverse = moduli::invert_vartime(&BoxedUint::from(3u64), &BoxedUint::from(1_000_000u64))?;
/// assert_eq!(inverse, BoxedUint::from(666_667u64));
/// # Ok::<(), moduli::Error>(())
/// ```
///
/// # Errors
/// [`Error::NotInvertible`] with the common factor; [`ModulusError::TooSmall`] for a modulus of 0.
pub fn invert_vartime(x: &BoxedUint, m: &BoxedUint) -> Result<BoxedUint, Error> {
    let mut modulus = limbs::to_limbs(m, 1);
    trim(&mut modulus);
    match modulus[..] {
        [] => return Err(Error::Modulus(ModulusError::TooSmall)),
        [1] => return Ok(BoxedUint::zero_with_precision(m.bits_precision())),
        _ => {}
    }
    let mut value = limbs::to_limbs(x, 1);
    trim(&mut value);
    if value.len() > modulus.len()
        && let Some(divisor) = NonZero::new(limbs::from_limbs(&modulus)).into_option()
    {
        value = limbs::to_limbs(&x.rem_vartime(&divisor), 1);
        trim(&mut value);
    }
    let mut scratch = limbs::zeros(4 * modulus.len() + 2);
    match euclid(&modulus, &value, &mut scratch) {
        Ok(inverse) => Ok(limbs::from_limbs(inverse)),
        Err(factor) => {
            let factor = limbs::from_limbs(factor).to_string_radix_vartime(16);
            Err(Error::NotInvertible { gcd: Some(factor) })
        }
    }
}

/// Removes leading zeros.
fn trim(limbs: &mut Vec<u64>) {
    limbs.truncate(limbs.iter().rposition(|&limb| limb != 0).map_or(0, |top| top + 1));
}
