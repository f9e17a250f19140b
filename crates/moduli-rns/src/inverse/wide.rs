//! Wide plus-minus inversion, in which each step divides by the largest possible divisor of a constant Q.
//!
//! The Cox computes values modulo Q. V3 or V3 ± U3, the values of the loop ([`super::plus_minus`]), is
//! divided by its greatest common divisor with Q. For Q = 12, the steps are those of binary-ternary
//! inversion. A larger Q needs fewer steps. It also needs one constant per channel for every divisor and
//! residue, and weights in the Cox if the moduli are not ≡ 1 modulo Q. Values are stored without the offset
//! C0, so that sums, differences and single values use the same constants. The offset is added before the Cox
//! reads a value.

use alloc::{format, vec::Vec};
use crypto_bigint::BoxedUint;

use super::{
    super::{
        base::{Base, BaseShape},
        word,
    },
    plus_minus::{Options, PlusMinus, Rules, sealed::Sealed},
};
use moduli::Error;

/// The default Q, 144 = 16·9.
pub const DEFAULT_WIDE_MODULUS: u64 = 144;

/// The largest Q, 4096. The sum of the divisors of Q is the number of constants per channel.
pub const MAX_WIDE_MODULUS: u64 = 4096;

/// Inversion modulo a P coprime to Q by divisions by all divisors of Q.
///
/// For Q = 144, P of ℓ bits and n channels, an inversion takes 1.08·n·ℓ elementary multiplications (EMM) on
/// average. `docs/plus-minus.md` has the costs for other Q.
pub type Wide = PlusMinus<WideRules>;

/// The divisors of wide inversion: a value is divided by its greatest common divisor with Q. Of the sum and
/// the difference, the one with the larger divisor is used.
#[derive(Clone, Debug)]
pub struct WideRules {
    /// gcd(x, Q) for every x below Q.
    divisors: Vec<u64>,
}

impl Sealed for WideRules {}

impl Rules for WideRules {
    fn modulus(&self) -> u64 {
        self.divisors.len() as u64
    }

    fn affine(&self) -> bool {
        false
    }

    fn alone(&self, v3: u64) -> u64 {
        self.divisors.get(v3 as usize).copied().unwrap_or(1)
    }

    fn combined(&self, v3: u64, u3: u64) -> (bool, u64) {
        let q = self.modulus();
        let [plus, minus] = [v3 + u3, v3 + q - u3].map(|result| self.alone(result % q));
        (minus > plus, plus.max(minus))
    }
}

impl Wide {
    /// Makes the inversion for a `p` coprime to `q`, prime or not, over a base of the given shape. `q` is a
    /// multiple of 4, at most [`MAX_WIDE_MODULUS`] and below 2^w, where w is the width of a channel.
    ///
    /// # Errors
    /// [`Error::Modulus`] if `p` is not suitable. [`Error::Parameter`] for any other `q`, if `p` and `q` have
    /// a common factor, if the product of the moduli is not above 26·P (4·P with [`super::Offset::Least`]),
    /// or if the number of top bits in `options` is too small. If the product is too small, the error names
    /// shapes that are suitable.
    pub fn new(p: &BoxedUint, q: u64, shape: BaseShape, options: &Options) -> Result<Self, Error> {
        check(q)?;
        shape.check()?;
        if shape.width < 13 && q >> shape.width != 0 {
            return Err(Error::parameter(
                "Q",
                format!("{q} has more than the {} bits of a modulus", shape.width),
            ));
        }
        let (rules, divisors) = WideRules::new(q);
        Self::build(rules, p, shape, options, &divisors)
    }

    /// Makes the inversion over a given base, for example the first of two bases for products.
    ///
    /// # Errors
    /// [`Error::Modulus`] if `p` is not suitable. [`Error::Parameter`] for any other `q`, if `p` and `q` have
    /// a common factor, if a modulus of the base is not coprime to `q`, if the number of top bits in
    /// `options` is too small, or if no number is sufficient for this base.
    pub fn over(base: &Base, p: &BoxedUint, q: u64, options: &Options) -> Result<Self, Error> {
        check(q)?;
        let (rules, divisors) = WideRules::new(q);
        Self::build_on(base.clone(), rules, p, 1, options, &divisors)
    }
}

/// Rejects a Q that is not supported.
fn check(q: u64) -> Result<(), Error> {
    if q == 0 || !q.is_multiple_of(4) || q > MAX_WIDE_MODULUS {
        return Err(Error::parameter(
            "Q",
            format!("{q}; it must be a multiple of 4 of at most {MAX_WIDE_MODULUS}"),
        ));
    }
    Ok(())
}

impl WideRules {
    /// The rules for a Q, and its divisors.
    pub(super) fn new(q: u64) -> (Self, Vec<u64>) {
        let divisors = (2..=q).filter(|divisor| q.is_multiple_of(*divisor)).collect();
        (Self { divisors: (0..q).map(|x| word::gcd(x, q)).collect() }, divisors)
    }
}
