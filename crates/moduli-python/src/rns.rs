//! Inversion in residue numbers.

use crypto_bigint::BoxedUint;
use moduli::Error;
use moduli_rns::{
    base::BaseShape,
    inverse::{Binary, BinaryTernary, DivisionSteps, Jump, Options},
};
use pyo3::{
    exceptions::{PyValueError, PyZeroDivisionError},
    prelude::*,
};

use crate::{cache, error::exception, integer, power::residue};

/// Computes the inverse of x modulo an odd p, by an algorithm that uses a residue number system throughout.
/// It models the hardware core.
///
/// method: "binary-ternary" plus-minus (p > 3 coprime to 6); "binary" plus-minus, "jump" (the lattice jump),
/// or "divstep" (division steps), for any odd p > 1.
/// width: the bits of a modulus of the base, 8 to 64.
/// channels: the number of these moduli; by default as many as p needs.
///
/// p has at most 16,384 bits, and may be composite. Variable-time. Cost: each call builds the base, which
/// takes milliseconds. For a fast inverse, use moduli.invert.
///
/// Raises ZeroDivisionError if x has no inverse; ValueError if the method does not support p, or if the base
/// is too small for p, with bases that are large enough; TypeError for arguments that are not integers.
///
/// >>> moduli.rns.invert(3, 2**255 - 19) == pow(3, -1, 2**255 - 19)
/// True
#[pyfunction]
#[pyo3(signature = (x, p, *, method="binary-ternary", width=32, channels=None))]
pub fn invert<'py>(
    x: &Bound<'py, PyAny>,
    p: &Bound<'py, PyAny>,
    method: &str,
    width: u32,
    channels: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = p.py();
    let modulus = cache::odd(p)?;
    let x = residue(&modulus, &integer::read(x, "the number")?);
    let p = modulus.value().as_ref();
    if modulus.bits() > 16_384 {
        return Err(PyValueError::new_err(format!("p has {} bits; the maximum is 16,384", modulus.bits())));
    }
    // The base must hold 26·p (less for the other methods). Its moduli are above 2^w·(1 − 2^(−w/2)).
    let least = (modulus.bits() + 5).div_ceil(width.max(1)) as usize;
    let first = channels.unwrap_or(least);
    let last = channels.unwrap_or(least + 2);
    let inverse = py.detach(|| {
        let mut result = Err(Error::parameter("channels", "none"));
        for channels in first..=last {
            result = by(method, p, &x, BaseShape::new(channels, width));
            if !matches!(result, Err(Error::Parameter(_))) {
                break;
            }
        }
        result
    });
    match inverse {
        Ok(inverse) => integer::write(py, &inverse),
        Err(error @ Error::NotInvertible { .. }) => Err(PyZeroDivisionError::new_err(error.to_string())),
        Err(error) => Err(exception(error)),
    }
}

fn by(method: &str, p: &BoxedUint, x: &BoxedUint, shape: BaseShape) -> Result<BoxedUint, Error> {
    let (options, jump_bits) = (Options::default(), shape.width.saturating_sub(1).clamp(1, 32));
    match method {
        "binary-ternary" => BinaryTernary::new(p, shape, &options)?.invert_vartime(x),
        "binary" => Binary::new(p, shape, &options)?.invert_vartime(x),
        "jump" => Jump::new(p, shape, jump_bits)?.invert_vartime(x),
        "divstep" => DivisionSteps::new(p, shape, jump_bits)?.invert(x),
        _ => Err(Error::parameter(
            "method",
            format!("{method:?} is not one of binary-ternary, binary, jump, divstep"),
        )),
    }
}
