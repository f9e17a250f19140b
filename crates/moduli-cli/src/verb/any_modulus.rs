//! A modulus that may be odd or even.

use crypto_bigint::BoxedUint;
use moduli::{Error, EvenModulus, Modulus, error::ModulusError};
use rayon::prelude::*;

use crate::{
    failure::Failure,
    io::number::{self, Signed},
};

/// What verbs take that do without tables and residues.
pub enum AnyModulus {
    /// All methods.
    Odd(Modulus),
    /// By its odd part and its power of two.
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

    /// For what takes odd moduli alone.
    pub fn odd(&self) -> Result<&Modulus, Failure> {
        match self {
            Self::Odd(modulus) => Ok(modulus),
            Self::Even(_) => Err(Error::Modulus(ModulusError::Even).into()),
        }
    }

    /// The number itself.
    pub fn value(&self) -> &BoxedUint {
        match self {
            Self::Odd(modulus) => modulus.value(),
            Self::Even(modulus) => modulus.value(),
        }
    }

    /// Its length.
    pub fn bits(&self) -> u32 {
        match self {
            Self::Odd(modulus) => modulus.bits(),
            Self::Even(modulus) => modulus.bits(),
        }
    }

    /// A number that is not negative and congruent to `x`. Constant-time, but for the sign and the lengths.
    pub fn not_negative(&self, x: &Signed) -> BoxedUint {
        match self {
            _ if !x.is_negative() => x.magnitude().clone(),
            Self::Odd(modulus) => (-modulus.element(x.magnitude())).to_uint(),
            Self::Even(modulus) => {
                modulus.value().wrapping_sub(modulus.pow(x.magnitude(), &BoxedUint::one()))
            }
        }
    }

    /// The inverse of `x`. Constant-time, but for whether there is one.
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

    /// The inverses of all: together modulo an odd number, one by one modulo an even one. Constant-time, but for which have one.
    pub fn invert_batch(&self, values: &[&BoxedUint]) -> Vec<Result<BoxedUint, Error>> {
        match self {
            Self::Odd(modulus) => modulus.invert_batch(values),
            Self::Even(modulus) => values.par_iter().map(|x| modulus.invert(x)).collect(),
        }
    }
}
