//! A modulus that may be odd or even.

use crypto_bigint::BoxedUint;
use moduli::{Error, EvenModulus, Modulus, error::ModulusError};
use rayon::prelude::*;

use crate::{
    failure::Failure,
    io::number::{self, Signed},
};

/// A modulus for verbs that need neither tables nor residues.
pub enum AnyModulus {
    /// Odd: all methods are available.
    Odd(Modulus),
    /// Even: computes with its odd part and its power of two.
    Even(EvenModulus),
}

impl AnyModulus {
    /// Reads the value of `--modulus`.
    pub fn read(text: &str) -> Result<Self, Failure> {
        let value = number::argument("--modulus", text)?;
        Ok(match Modulus::new(&value) {
            Err(Error::Modulus(ModulusError::Even)) => Self::Even(EvenModulus::new(&value)?),
            modulus => Self::Odd(modulus?),
        })
    }

    /// The modulus, for operations that require an odd one.
    pub fn odd(&self) -> Result<&Modulus, Failure> {
        match self {
            Self::Odd(modulus) => Ok(modulus),
            Self::Even(_) => Err(Error::Modulus(ModulusError::Even).into()),
        }
    }

    /// The value.
    pub fn value(&self) -> &BoxedUint {
        match self {
            Self::Odd(modulus) => modulus.value(),
            Self::Even(modulus) => modulus.value(),
        }
    }

    /// Its length in bits.
    pub fn bits(&self) -> u32 {
        match self {
            Self::Odd(modulus) => modulus.bits(),
            Self::Even(modulus) => modulus.bits(),
        }
    }

    /// A nonnegative number that is congruent to `x`. Constant-time except for the sign and the
    /// lengths.
    pub fn not_negative(&self, x: &Signed) -> BoxedUint {
        match self {
            _ if !x.is_negative() => x.magnitude().clone(),
            Self::Odd(modulus) => (-modulus.element(x.magnitude())).to_uint(),
            Self::Even(modulus) => {
                modulus.value().wrapping_sub(modulus.pow(x.magnitude(), &BoxedUint::one()))
            }
        }
    }

    /// The inverse of `x`. Constant-time except for whether it exists.
    pub fn invert(&self, x: &BoxedUint) -> Result<BoxedUint, Error> {
        match self {
            Self::Odd(modulus) => modulus.invert(x),
            Self::Even(modulus) => modulus.invert(x),
        }
    }

    /// The inverse of `x`. Variable-time.
    pub fn invert_vartime(&self, x: &BoxedUint) -> Result<BoxedUint, Error> {
        match self {
            Self::Odd(modulus) => modulus.invert_vartime(x),
            Self::Even(modulus) => modulus.invert_vartime(x),
        }
    }

    /// The inverses of all values: together for an odd modulus, one by one for an even one.
    /// Constant-time except for which exist.
    pub fn invert_batch(&self, values: &[&BoxedUint]) -> Vec<Result<BoxedUint, Error>> {
        match self {
            Self::Odd(modulus) => modulus.invert_batch(values),
            Self::Even(modulus) => values.par_iter().map(|x| modulus.invert(x)).collect(),
        }
    }
}
