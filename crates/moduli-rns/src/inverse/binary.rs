//! Binary plus-minus inversion (BMI; Bigou and Tisserand, CHES 2013), which divides by 2 and 4.

use crypto_bigint::BoxedUint;

use super::{
    super::base::{Base, BaseShape},
    plus_minus::{Options, PlusMinus, Rules, sealed::Sealed},
};
use moduli::Error;

/// Inversion modulo an odd P by divisions by 2 and 4 ([`super::plus_minus`]).
///
/// For P of ℓ bits and n channels, an inversion takes 0.71·ℓ plus-minus steps on average, and 2/3 as many
/// divisions of single values. Cost: 2.38·n·ℓ elementary multiplications (EMM) and 3.81·n·ℓ additions (EMA).
pub type Binary = PlusMinus<BinaryRules>;

/// The divisors of binary inversion. An even value is divided by 2 or 4. For two odd values, the sum or the
/// difference is divisible by 4.
#[derive(Clone, Copy, Debug)]
pub struct BinaryRules(());

/// The divisors.
const DIVISORS: [u64; 2] = [2, 4];

impl Sealed for BinaryRules {}

impl Rules for BinaryRules {
    fn modulus(&self) -> u64 {
        4
    }

    fn affine(&self) -> bool {
        true
    }

    fn alone(&self, v3: u64) -> u64 {
        match v3 {
            0 => 4,
            2 => 2,
            _ => 1,
        }
    }

    fn combined(&self, v3: u64, u3: u64) -> (bool, u64) {
        (!(v3 + u3).is_multiple_of(4), 4)
    }
}

impl Binary {
    /// Makes the inversion for an odd `p` > 1, prime or not, over a base of the given shape.
    ///
    /// # Errors
    /// [`Error::Modulus`] if `p` is not suitable. [`Error::Parameter`] if the product of the moduli is not
    /// above 26·P (4·P with [`super::Offset::Least`]), or if the number of top bits in `options` is too
    /// small. The first of these errors names shapes that are suitable.
    pub fn new(p: &BoxedUint, shape: BaseShape, options: &Options) -> Result<Self, Error> {
        Self::build(BinaryRules(()), p, shape, options, &DIVISORS)
    }

    /// Makes the inversion over a given base, for example the first of two bases for products.
    ///
    /// # Errors
    /// [`Error::Modulus`] if `p` is not suitable. [`Error::Parameter`] if the number of top bits in `options`
    /// is too small, or if no number is sufficient for this base.
    pub fn over(base: &Base, p: &BoxedUint, options: &Options) -> Result<Self, Error> {
        Self::build_on(base.clone(), BinaryRules(()), p, 1, options, &DIVISORS)
    }
}
