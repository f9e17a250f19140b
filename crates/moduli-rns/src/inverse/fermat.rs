//! Inversion by Fermat's little theorem: A^(P−2) modulo a prime P, in Montgomery products.

use crypto_bigint::BoxedUint;

use super::super::{
    base::BaseShape,
    channels::Instructions,
    montgomery::{RnsMontgomery, Schedule},
    observe::{ChannelObserver, Phase},
};
use moduli::Error;

/// How A^(P−2) is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ladder {
    /// Bit by bit, as the papers count it: 1.5·ℓ products on average over exponents.
    SquareMultiply,
    /// The sliding window with the fewest products for this P.
    #[default]
    BestWindow,
}

/// Inversion modulo a prime P by exponentiation. Constant-time in the operand: the sequence of operations depends on P alone.
#[derive(Clone)]
pub struct Fermat {
    field: RnsMontgomery,
    schedule: Schedule,
}

impl Fermat {
    /// For a prime `p` > 2 over two bases of the given shape. That `p` is prime is not tested here; each inversion is.
    ///
    /// # Errors
    /// As for [`RnsMontgomery::new`].
    pub fn new(p: &BoxedUint, shape: BaseShape, ladder: Ladder) -> Result<Self, Error> {
        Ok(Self::over(RnsMontgomery::new(p, shape)?, ladder))
    }

    /// The same modulo the P of a field, over its bases.
    pub fn over(field: RnsMontgomery, ladder: Ladder) -> Self {
        let exponent = field.modulus().wrapping_sub(BoxedUint::from(2u64));
        let schedule = match ladder {
            Ladder::SquareMultiply => Schedule::binary(&exponent),
            Ladder::BestWindow => Schedule::best_window(&exponent),
        };
        Self { field, schedule }
    }

    /// The same with a choice of instructions for its channels.
    #[must_use]
    pub fn with_instructions(self, instructions: Instructions) -> Self {
        Self { field: self.field.with_instructions(instructions), ..self }
    }

    /// The arithmetic underneath.
    pub fn field(&self) -> &RnsMontgomery {
        &self.field
    }

    /// The products of the exponentiation.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// A^(−1) modulo P, for any A, which is reduced. Constant-time but for an error. The result is checked by one product.
    ///
    /// # Errors
    /// [`Error::NotInvertible`] for A ≡ 0; [`Error::Parameter`] if the result is wrong, which proves P composite.
    pub fn invert(&self, a: &BoxedUint) -> Result<BoxedUint, Error> {
        self.invert_observed(a, &mut ())
    }

    /// The same with an observer. The loop is the exponentiation; the check belongs to the way out.
    ///
    /// # Errors
    /// As for [`Fermat::invert`].
    pub fn invert_observed(
        &self,
        a: &BoxedUint,
        observer: &mut impl ChannelObserver,
    ) -> Result<BoxedUint, Error> {
        observer.phase(Phase::Enter);
        let a = self.field.to_montgomery(a, observer);
        observer.phase(Phase::Loop);
        let inverse = self.field.pow(&a, &self.schedule, observer);
        observer.phase(Phase::Leave);
        let mut product = inverse.clone();
        self.field.multiply(&mut product, &a, observer);
        let product = self.field.from_montgomery(&product, observer)?;
        if bool::from(product.is_one()) {
            return self.field.from_montgomery(&inverse, observer);
        }
        if bool::from(self.field.from_montgomery(&a, &mut ())?.is_zero()) {
            return Err(Error::NotInvertible { gcd: None });
        }
        Err(Error::parameter("modulus", "not prime: exponentiation did not yield an inverse"))
    }
}
