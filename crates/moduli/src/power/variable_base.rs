//! Exponentiation of a variable base: what moduli and elements offer.

use crypto_bigint::BoxedUint;

use super::{
    left_to_right::{regular_width, sliding_window_vartime},
    look_up::LookUp,
    method::PowerMethod,
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
    /// Constant-time in `x`, in the exponent and in its sign; what shows is the declared precision of the exponent and
    /// whether it carries a sign. `x` is reduced first; `0^0 = 1`. Left-to-right 2^t-ary without prepared operands,
    /// with the window that costs least by the count: for e of b bits, b squarings, ⌈b/t⌉ + 2^t products and ⌈b/t⌉
    /// look-ups of 2^t entries.
    /// [`PowerPlanner`](crate::PowerPlanner) and [`Modulus::pow_with`] choose by measurement.
    ///
    /// # Errors
    /// [`Error::NotInvertible`] for a signed exponent (whatever its sign) and a base without inverse.
    pub fn pow<'e>(&self, x: &BoxedUint, e: impl Into<Exponent<'e>>) -> Result<BoxedUint, Error> {
        Ok(self.element(x).pow(e)?.to_uint())
    }

    /// [`Modulus::pow`] by a method of the caller's choice. Constant-time, whatever the method: registers are swapped, tables
    /// read and buckets updated under masks.
    ///
    /// # Errors
    /// As for [`Modulus::pow`]; [`Error::Parameter`] for a window or a split out of range.
    pub fn pow_with<'e>(
        &self,
        x: &BoxedUint,
        e: impl Into<Exponent<'e>>,
        method: PowerMethod,
    ) -> Result<BoxedUint, Error> {
        Ok(self.element(x).pow_with(e, method)?.to_uint())
    }

    /// [`Modulus::pow_with`] without masks, as the papers have it. **Regular only**: the sequence of operations is the
    /// same for all exponents of a declared precision, but the addresses of table entries and buckets depend on the
    /// exponent, which a neighbour on the same core can see in the cache. The ladder has no table: it is constant-time here, too.
    ///
    /// # Errors
    /// As for [`Modulus::pow_with`].
    pub fn pow_regular_with<'e>(
        &self,
        x: &BoxedUint,
        e: impl Into<Exponent<'e>>,
        method: PowerMethod,
    ) -> Result<BoxedUint, Error> {
        Ok(self.element(x).pow_regular_with(e, method)?.to_uint())
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
        self.pow_on(self.modulus().kernel(), &e.into())
    }

    /// [`Element::pow`] by `kernel`, which is the modulus's own or a wrapper of it.
    pub(crate) fn pow_on(&self, kernel: &dyn Kernel, e: &Exponent<'_>) -> Result<Self, Error> {
        let method = PowerMethod::LeftToRight { window: regular_width(kernel, e.bits()), split: 1 };
        self.pow_by(kernel, e, method, LookUp::Masked)
    }

    /// `self^e`, as [`Modulus::pow_with`]. Constant-time.
    ///
    /// # Errors
    /// As for [`Modulus::pow_with`].
    pub fn pow_with<'e>(&self, e: impl Into<Exponent<'e>>, method: PowerMethod) -> Result<Self, Error> {
        self.pow_by(self.modulus().kernel(), &e.into(), method, LookUp::Masked)
    }

    /// `self^e`, as [`Modulus::pow_regular_with`]. **Regular only**, not constant-time.
    ///
    /// # Errors
    /// As for [`Modulus::pow_with`].
    pub fn pow_regular_with<'e>(
        &self,
        e: impl Into<Exponent<'e>>,
        method: PowerMethod,
    ) -> Result<Self, Error> {
        self.pow_by(self.modulus().kernel(), &e.into(), method, LookUp::Direct)
    }

    /// The operations and addresses of [`Element::pow`], for the tests of constant time.
    #[doc(hidden)]
    #[cfg(feature = "std")]
    pub fn trace_pow(&self, e: &Exponent<'_>) -> Result<alloc::vec::Vec<Step>, Error> {
        trace(self.modulus().kernel(), |kernel| self.pow_on(kernel, e))
    }

    /// The operations and addresses of [`Element::pow_with`], for the tests of constant time.
    #[doc(hidden)]
    #[cfg(feature = "std")]
    pub fn trace_pow_with(
        &self,
        e: &Exponent<'_>,
        method: PowerMethod,
    ) -> Result<alloc::vec::Vec<Step>, Error> {
        trace(self.modulus().kernel(), |kernel| self.pow_by(kernel, e, method, LookUp::Masked))
    }

    /// The operations and addresses of [`Element::pow_regular_with`], for the tests of regularity.
    #[doc(hidden)]
    #[cfg(feature = "std")]
    pub fn trace_pow_regular_with(
        &self,
        e: &Exponent<'_>,
        method: PowerMethod,
    ) -> Result<alloc::vec::Vec<Step>, Error> {
        trace(self.modulus().kernel(), |kernel| self.pow_by(kernel, e, method, LookUp::Direct))
    }

    /// `self^e` by `kernel`, which is the modulus's own or a wrapper of it.
    fn pow_by(
        &self,
        kernel: &dyn Kernel,
        e: &Exponent<'_>,
        method: PowerMethod,
        look_up: LookUp,
    ) -> Result<Self, Error> {
        let exponent = e.limbs(e.bits())?;
        let modulus = self.modulus();
        let mut result = Words::copy_of(self.signed(e)?.residue());
        let mut scratch = Words::zero(kernel.scratch_words());
        method.run(kernel, &mut result, (&exponent, e.bits()), look_up, &mut scratch)?;
        Ok(Self::from_residue(modulus, result))
    }
}
