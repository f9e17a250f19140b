//! Inversion by Fermat's little theorem, A^(P−2) modulo a prime P, with Montgomery products.

use crypto_bigint::BoxedUint;

use super::super::{
    base::BaseShape,
    channels::Instructions,
    montgomery::{RnsMontgomery, Schedule},
    observe::{ChannelObserver, Phase},
};
use moduli::Error;

/// The method of exponentiation for A^(P−2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ladder {
    /// Square and multiply, bit by bit, to which published counts refer. It takes 1.5·ℓ products for an
    /// average exponent of ℓ bits.
    SquareMultiply,
    /// The sliding window with the fewest products for this P.
    #[default]
    BestWindow,
}

/// Inversion modulo a prime P by exponentiation. Constant-time in the operand: the sequence of operations
/// depends only on P. An error reveals that there is no inverse.
#[derive(Clone)]
pub struct Fermat {
    field: RnsMontgomery,
    schedule: Schedule,
}

impl Fermat {
    /// Makes the inversion for a prime `p` > 2 over two bases of the given shape. The function does not test
    /// whether `p` is prime; each inversion checks its result.
    ///
    /// # Errors
    /// As for [`RnsMontgomery::new`].
    pub fn new(p: &BoxedUint, shape: BaseShape, ladder: Ladder) -> Result<Self, Error> {
        Ok(Self::over(RnsMontgomery::new(p, shape)?, ladder))
    }

    /// Makes the inversion modulo the P of a field, over the bases of that field.
    pub fn over(field: RnsMontgomery, ladder: Ladder) -> Self {
        let exponent = field.modulus().wrapping_sub(BoxedUint::from(2u64));
        let schedule = match ladder {
            Ladder::SquareMultiply => Schedule::binary(&exponent),
            Ladder::BestWindow => Schedule::best_window(&exponent),
        };
        Self { field, schedule }
    }

    /// Returns the same inversion with this choice of instructions for its channels.
    #[must_use]
    pub fn with_instructions(self, instructions: Instructions) -> Self {
        Self { field: self.field.with_instructions(instructions), ..self }
    }

    /// Returns the Montgomery arithmetic that the inversion uses.
    pub fn field(&self) -> &RnsMontgomery {
        &self.field
    }

    /// Returns the schedule of the exponentiation.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// Returns A^(−1) modulo P for any A, which need not be below P. Constant-time, except that an error is
    /// visible. One product checks the result.
    ///
    /// # Errors
    /// [`Error::NotInvertible`] for A ≡ 0. [`Error::Parameter`] if the result is wrong, which proves that P
    /// is composite.
    pub fn invert(&self, a: &BoxedUint) -> Result<BoxedUint, Error> {
        self.invert_observed(a, &mut ())
    }

    /// Inverts as [`Fermat::invert`] does, and reports all operations to an observer. The phase of the loop
    /// is the exponentiation; the check belongs to the last phase.
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
