//! Powers and inverses of num-bigint's numbers by moduli, constant-time. Put beside the package's own arithmetic, which is left what moduli
//! does not take: even moduli, and those below 3.

use moduli::{
    Modulus, SignedExponent,
    convert::num_bigint_04::{from_bigint_vartime, from_biguint_vartime, to_biguint_vartime},
    crypto_bigint::BoxedUint,
};
use num_bigint::{BigInt, Sign};

/// `base^exponent`, `Some(None)` if that wants an inverse and there is none. `None`: moduli does not take the modulus.
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

/// The inverse of `x`, `Some(None)` if there is none. `None`: moduli does not take the modulus.
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

/// What moduli takes for a base: it reduces what is too large, and knows no signs.
fn residue(x: &BigInt, modulus: &BigInt) -> BoxedUint {
    match x.sign() {
        Sign::Minus => from_bigint_vartime(&num_integer::Integer::mod_floor(x, modulus)).1,
        _ => from_biguint_vartime(x.magnitude()),
    }
}

fn number(x: &BoxedUint) -> BigInt {
    to_biguint_vartime(x).into()
}
