//! Wide plus-minus inversion: the Cox delivers values modulo Q, and V3 or V3 ± U3 is divided by the largest divisor of Q
//! that divides it.
//!
//! For Q = 12 it takes the steps of binary-ternary inversion. A larger Q takes fewer, at the price of one constant a
//! channel for every divisor and residue, and of weights in the Cox where the moduli are not ≡ 1 modulo Q. Values are
//! kept without the offset C0, so that one set of constants serves sums, differences and single values; the offset is
//! added on the way to the Cox.

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

/// The Q that is chosen where nobody chooses: 16·9.
pub const DEFAULT_WIDE_MODULUS: u64 = 144;

/// The largest Q: its divisors sum to the constants that are stored.
pub const MAX_WIDE_MODULUS: u64 = 4096;

/// Inversion modulo a P coprime to Q by divisions by all divisors of Q.
///
/// With Q = 144 on average 1.08·n·ℓ EMM; `docs/plus-minus.md` has the counts of other Q.
pub type Wide = PlusMinus<WideRules>;

/// Division by the greatest common divisor with Q; of sum and difference the one whose is larger.
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
    /// For a `p` coprime to `q`, prime or not, over a base of the given shape; `q` is a multiple of 4 up to
    /// [`MAX_WIDE_MODULUS`] and below 2^w.
    ///
    /// # Errors
    /// [`Error::Modulus`]; [`Error::Parameter`] for another `q`, if `p` shares a factor with
    /// it, if the shape cannot hold 26·P (4·P with [`super::Offset::Least`]), naming the shapes that can, or if t is too
    /// small.
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

    /// The same over a given base, the first of a pair for products for instance.
    ///
    /// # Errors
    /// [`Error::Modulus`]; [`Error::Parameter`] for another `q`, if `p` shares a factor with
    /// it, if a modulus of the base is not coprime to it, if t is too small, or no t is enough because the base is.
    pub fn over(base: &Base, p: &BoxedUint, q: u64, options: &Options) -> Result<Self, Error> {
        check(q)?;
        let (rules, divisors) = WideRules::new(q);
        Self::build_on(base.clone(), rules, p, 1, options, &divisors)
    }
}

/// Refuses a Q that is not served.
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
    /// The rules of a Q, and its divisors.
    pub(super) fn new(q: u64) -> (Self, Vec<u64>) {
        let divisors = (2..=q).filter(|divisor| q.is_multiple_of(*divisor)).collect();
        (Self { divisors: (0..q).map(|x| word::gcd(x, q)).collect() }, divisors)
    }
}
