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

/// The inverse of x modulo an odd p, by an algorithm that stays in a residue number system throughout: the model of the hardware core.
///
/// method: "binary-ternary" plus-minus (p > 3 coprime to 6), "binary" plus-minus, "jump", the lattice jump, or "divstep", division
/// steps (all three any odd p > 1).
/// width: bits of a modulus of the base, 8 to 64. channels: how many there are; by default as many as p wants. p has at
/// most 16,384 bits, and may be composite. Variable-time. Cost: the base is built anew in each call, milliseconds; where an
/// inverse is wanted fast, invert gives it.
///
/// Raises ZeroDivisionError if x has no inverse; ValueError for a p that the method does not serve and for a base that
/// cannot hold it, naming those that can; TypeError for what is no integer.
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
        return Err(PyValueError::new_err(format!(
            "p has {} bits; at most 16,384 are served",
            modulus.bits()
        )));
    }
    // The base must hold 26·p and less for the others; its moduli lie above 2^w·(1 − 2^(−w/2)).
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
            format!("{method:?} is none of binary-ternary, binary, jump, divstep"),
        )),
    }
}
