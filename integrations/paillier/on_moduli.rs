//! Powers and inverses of num-bigint's numbers by moduli, constant-time. This file is added to the package,
//! whose own arithmetic still handles what moduli does not accept: even moduli, and those below 3.

use moduli::{
    Modulus, SignedExponent,
    convert::num_bigint_04::{from_bigint_vartime, from_biguint_vartime, to_biguint_vartime},
    crypto_bigint::BoxedUint,
};
use num_bigint::{BigInt, Sign};

/// `base^exponent`; `Some(None)` if this needs an inverse that does not exist, `None` if moduli does not
/// accept the modulus.
pub fn power(base: &BigInt, exponent: &BigInt, modulus: &BigInt) -> Option<Option<BigInt>> {
    let prepared = prepared(modulus)?;
    let base = residue(base, modulus);
    let (negative, exponent) = from_bigint_vartime(exponent);
    let power = if negative {
        prepared.pow_signed(&base, SignedExponent::new(true, &exponent)).ok()
    } else {
        Some(prepared.pow(&base, &exponent))
    };
    Some(power.as_ref().map(number))
}

/// The inverse of `x`; `Some(None)` if it does not exist, `None` if moduli does not accept the modulus.
pub fn inverse(x: &BigInt, modulus: &BigInt) -> Option<Option<BigInt>> {
    let inverse = prepared(modulus)?.invert(&residue(x, modulus)).ok();
    Some(inverse.as_ref().map(number))
}

fn prepared(modulus: &BigInt) -> Option<Modulus> {
    if modulus.sign() == Sign::Minus {
        return None;
    }
    Modulus::try_from(modulus.magnitude()).ok()
}

/// Converts `x` to a base for moduli, which reduces large bases but has no signs.
fn residue(x: &BigInt, modulus: &BigInt) -> BoxedUint {
    match x.sign() {
        Sign::Minus => from_bigint_vartime(&num_integer::Integer::mod_floor(x, modulus)).1,
        _ => from_biguint_vartime(x.magnitude()),
    }
}

fn number(x: &BoxedUint) -> BigInt {
    to_biguint_vartime(x).into()
}
