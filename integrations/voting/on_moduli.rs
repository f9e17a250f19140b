//! Powers and products of powers of rug's numbers by moduli. They replace those of GMP and GMPMEE in a
//! package. They are variable-time, because what the package verifies is public. GMP still handles what
//! moduli does not accept.

use moduli::{Modulus, crypto_bigint::BoxedUint};
use rug::{Integer, integer::Order};
use std::cell::RefCell;

thread_local! {
    static LAST: RefCell<Option<(Integer, Modulus)>> = const { RefCell::new(None) };
}

/// `base ← base^exponent`; an error if this needs an inverse that does not exist.
pub fn power(base: &mut Integer, exponent: &Integer, modulus: &Integer) -> Result<(), ()> {
    let found = match !base.is_negative() && !exponent.is_negative() {
        true => prepared(modulus).and_then(|p| p.pow_vartime(&taken(base), &taken(exponent)).ok()),
        false => None,
    };
    match found {
        Some(power) => *base = number(&power),
        None => base.pow_mod_mut(exponent, modulus).map_err(|_| ())?,
    }
    Ok(())
}

/// The product of all `base^exponent`; `None` if moduli does not accept one of the numbers.
pub fn product(bases: &[Integer], exponents: &[Integer], modulus: &Integer) -> Option<Integer> {
    if bases.iter().chain(exponents).any(Integer::is_negative) {
        return None;
    }
    let [bases, exponents] = [bases, exponents].map(|numbers| numbers.iter().map(taken).collect::<Vec<_>>());
    let product = prepared(modulus)?.multi_pow_vartime(bases.iter().zip(&exponents)).ok()?;
    Some(number(&product))
}

/// The prepared modulus. It keeps the last one, because nearly all calls use that.
pub fn prepared(modulus: &Integer) -> Option<Modulus> {
    LAST.with_borrow_mut(|last| {
        if last.as_ref().is_none_or(|(value, _)| value != modulus) {
            *last = match modulus.is_negative() {
                true => None,
                false => Modulus::new(&taken(modulus)).ok().map(|prepared| (modulus.clone(), prepared)),
            };
        }
        last.as_ref().map(|(_, prepared)| prepared.clone())
    })
}

pub fn taken(x: &Integer) -> BoxedUint {
    let words = x.to_digits::<u64>(Order::Lsf);
    BoxedUint::from_words(if words.is_empty() { vec![0] } else { words })
}

pub fn number(x: &BoxedUint) -> Integer {
    Integer::from_digits(x.as_words(), Order::Lsf)
}
