//! Exponentiation of a variable base: what moduli and elements offer.

use crypto_bigint::BoxedUint;

use super::{
    left_to_right::{fixed_window, sliding_window_vartime},
    square_multiply::square_multiply_vartime,
};
#[cfg(feature = "std")]
use crate::kernel::{Step, trace};
use crate::{
    element::Element,
    error::Error,
    exponent::Exponent,
    kernel::{Kernel, Words},
    limbs,
    modulus::Modulus,
};

impl Modulus {
    /// `x^e mod p` for a secret base and a secret exponent.
    ///
    /// Uniform in `x`, in the exponent and in its sign; what shows is the declared precision of the exponent and
    /// whether it carries a sign. `x` is reduced first; `0^0 = 1`. Fixed windows of w bits with masked look-ups
    /// (ARITH 2015 calls the unprotected form left-to-right 2^t-ary): for e of t bits, t squarings,
    /// ⌈t/w⌉ + 2^w products.
    ///
    /// # Errors
    /// [`Error::NotInvertible`] for a signed exponent (whatever its sign) and a base without inverse.
    pub fn pow<'e>(&self, x: &BoxedUint, e: impl Into<Exponent<'e>>) -> Result<BoxedUint, Error> {
        Ok(self.element(x).pow(e)?.to_uint())
    }

    /// `x^e mod p` for a public base and a public exponent: sliding windows.
    ///
    /// Variable-time. Cost: about t squarings and t/(w + 1) + 2^(w−1) products.
    ///
    /// # Errors
    /// [`Error::NotInvertible`], with the common factor, for a negative exponent and a base without inverse.
    pub fn pow_vartime<'e>(&self, x: &BoxedUint, e: impl Into<Exponent<'e>>) -> Result<BoxedUint, Error> {
        let e = e.into();
        let inverse;
        let x = if e.negative_mask() == 0 {
            x
        } else {
            inverse = self.invert_vartime(x)?;
            &inverse
        };
        let kernel = self.kernel();
        let exponent = limbs::to_limbs(e.magnitude(), 1);
        let mut power = self.enter(x);
        sliding_window_vartime(kernel, &mut power, &exponent, &mut Words::zero(kernel.scratch_words()));
        Ok(self.leave(&power))
    }

    /// `x^e mod p` by square-and-multiply (WAIFI 2016, Algorithm 1), the yardstick of the papers.
    ///
    /// Variable-time. Cost: t − 1 squarings, one product for each further set bit of the exponent.
    pub fn pow_square_multiply_vartime(&self, x: &BoxedUint, e: &BoxedUint) -> BoxedUint {
        let kernel = self.kernel();
        let mut power = self.enter(x);
        let exponent = limbs::to_limbs(e, 1);
        square_multiply_vartime(kernel, &mut power, &exponent, &mut Words::zero(kernel.scratch_words()));
        self.leave(&power)
    }
}

impl Element {
    /// `self^e`, as [`Modulus::pow`].
    ///
    /// # Errors
    /// [`Error::NotInvertible`] for a signed exponent (whatever its sign) and an element without inverse.
    pub fn pow<'e>(&self, e: impl Into<Exponent<'e>>) -> Result<Self, Error> {
        self.pow_by(self.modulus().kernel(), &e.into())
    }

    /// The operations and addresses of [`Element::pow`], for the tests of uniformity.
    #[doc(hidden)]
    #[cfg(feature = "std")]
    pub fn trace_pow(&self, e: &Exponent<'_>) -> Result<alloc::vec::Vec<Step>, Error> {
        trace(self.modulus().kernel(), |kernel| self.pow_by(kernel, e))
    }

    /// `self^e` by `kernel`, which is the modulus's own or a wrapper of it.
    pub(crate) fn pow_by(&self, kernel: &dyn Kernel, e: &Exponent<'_>) -> Result<Self, Error> {
        let exponent = e.limbs(e.bits())?;
        let modulus = self.modulus();
        let mut result = Words::copy_of(self.signed(e)?.residue());
        let mut scratch = Words::zero(kernel.scratch_words());
        fixed_window(kernel, &mut result, &exponent, e.bits(), &mut scratch);
        Ok(Self::from_residue(modulus, result))
    }
}
