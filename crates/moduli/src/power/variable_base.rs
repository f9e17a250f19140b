//! Exponentiation of a variable base: the methods of [`Modulus`] and [`Element`].

use crypto_bigint::BoxedUint;

#[cfg(feature = "rsa")]
use super::square_multiply::square_multiply_vartime;
use super::{method::PowerMethod, sliding::sliding_window_vartime, windows};
use crate::{
    access::{Access, Indexed, Masked},
    element::Element,
    error::Error,
    exponent::{Exponent, Magnitude, SignedExponent},
    modulus::Modulus,
};
use moduli_kernel::{Session, Words, limbs};

impl Modulus {
    /// `x^e mod p` for a secret base and a secret exponent.
    ///
    /// Constant-time in `x` and in the exponent; reveals the declared precision of the exponent.
    /// `x` is reduced first; `0^0 = 1`. Left-to-right 2^t-ary without prepared operands, with the
    /// cheapest window: for e of b bits, b squarings, ⌈b/t⌉ + 2^t products and ⌈b/t⌉ look-ups of
    /// 2^t entries. [`PowerPlanner`](crate::power::PowerPlanner) finds the fastest method for a
    /// kernel, and [`Modulus::pow_with`] runs it. One of the first powers of a modulus also computes
    /// constants, which takes variable time in the modulus.
    pub fn pow<'e>(&self, x: &BoxedUint, e: impl Into<Exponent<'e>>) -> BoxedUint {
        let exponent = e.into().declared();
        let mut session = self.power_session(exponent.bits()).unwrap_or_else(|| self.session());
        limbs::from_limbs(&raised(&mut session, &self.reduced_limbs(x), &exponent))
    }

    /// `x^e mod p`, as [`Modulus::pow`], for an exponent that may carry a secret sign. Constant-time in the
    /// sign, too. Cost: that of [`Modulus::pow`], and an inversion if the exponent carries a sign, whatever
    /// it is.
    ///
    /// # Errors
    /// [`Error::NotInvertible`] for a signed exponent (whatever its sign) of a base without an inverse.
    pub fn pow_signed<'e>(
        &self,
        x: &BoxedUint,
        e: impl Into<SignedExponent<'e>>,
    ) -> Result<BoxedUint, Error> {
        Ok(self.element(x).pow_signed(e)?.to_uint())
    }

    /// [`Modulus::pow_signed`] by the given method. Constant-time for every method: registers are swapped,
    /// tables read and buckets updated under masks.
    ///
    /// # Errors
    /// As for [`Modulus::pow_signed`]; [`Error::Parameter`] for a window or a split out of range.
    pub fn pow_with<'e>(
        &self,
        x: &BoxedUint,
        e: impl Into<SignedExponent<'e>>,
        method: PowerMethod,
    ) -> Result<BoxedUint, Error> {
        Ok(self.element(x).pow_with(e, method)?.to_uint())
    }

    /// `x^e mod p` for a public base and a public exponent: sliding windows.
    ///
    /// Variable-time. Cost: about t squarings and t/(w + 1) + 2^(w−1) products; none for the bases 0, 1 and
    /// −1.
    ///
    /// # Errors
    /// [`Error::NotInvertible`], with the common factor, for a negative exponent of a base without an
    /// inverse.
    pub fn pow_vartime<'e>(
        &self,
        x: &BoxedUint,
        e: impl Into<SignedExponent<'e>>,
    ) -> Result<BoxedUint, Error> {
        let e = e.into();
        let inverse;
        let x = if e.negative_mask() == 0 {
            x
        } else {
            inverse = self.invert_vartime(x)?;
            &inverse
        };
        let exponent = limbs::to_limbs(e.magnitude(), 1);
        let mut reduced = self.reduced_limbs(x);
        if self.raise_unit_vartime(&mut reduced, &exponent) {
            return Ok(limbs::from_limbs(&reduced));
        }
        // One session for all steps: for short numbers, allocations are a considerable part of the
        // time.
        let bits = limbs::bit_length_vartime(&exponent);
        let mut session = self.power_session(bits).unwrap_or_else(|| self.session());
        let (mut power, mut value) = (session.residue(), session.value());
        session.to_montgomery(&mut power, &reduced);
        sliding_window_vartime(&mut session, &mut power, &exponent);
        session.from_montgomery(&mut value, &power);
        Ok(limbs::from_limbs(&value))
    }

    /// Raises 0, 1 or −1 to the exponent, which takes no product. For other numbers returns false
    /// and changes nothing.
    fn raise_unit_vartime(&self, x: &mut [u64], exponent: &[u64]) -> bool {
        let p = self.value().as_ref().as_words();
        let Some((lowest, others)) = x.split_first_mut() else { return false };
        let is_small = *lowest < 2 && others.iter().all(|&limb| limb == 0);
        // p is odd, so p − 1 differs from it only in the lowest bit.
        let is_negative = *lowest == p[0] ^ 1 && others == &p[1..];
        let is_even = exponent.first().is_none_or(|limb| limb & 1 == 0);
        if exponent.iter().all(|&limb| limb == 0) || is_negative && is_even {
            *lowest = 1;
            others.fill(0);
            return true;
        }
        is_small || is_negative
    }

    /// `x^e mod p` by square-and-multiply, which suits RSA's public exponents: they have few ones.
    /// Variable-time in the exponent only.
    #[cfg(feature = "rsa")]
    pub(crate) fn square_multiply_vartime(&self, x: &BoxedUint, e: &BoxedUint) -> BoxedUint {
        let mut power = self.to_montgomery(x);
        let exponent = limbs::to_limbs(e, 1);
        square_multiply_vartime(&mut self.session(), &mut power, &exponent);
        self.from_montgomery(&power)
    }
}

/// x^exponent for a value below the modulus of the session. Constant-time.
fn raised(session: &mut Session<'_>, x: &[u64], exponent: &Magnitude) -> Words {
    let (mut base, mut value) = (session.residue(), session.value());
    session.to_montgomery(&mut base, x);
    let mut power = Words::copy_of(&base);
    windows::pow(session, &mut power, exponent);
    session.from_montgomery(&mut value, &power);
    value
}

impl Element {
    /// `self^e`, as [`Modulus::pow`].
    #[must_use]
    pub fn pow<'e>(&self, e: impl Into<Exponent<'e>>) -> Self {
        self.clone().raised(&e.into().declared())
    }

    /// `self^e`, as [`Modulus::pow_signed`].
    ///
    /// # Errors
    /// [`Error::NotInvertible`] for a signed exponent (whatever its sign) of an element without an inverse.
    pub fn pow_signed<'e>(&self, e: impl Into<SignedExponent<'e>>) -> Result<Self, Error> {
        let e = e.into();
        Ok(self.signed(&e)?.raised(&e.declared()))
    }

    fn raised(self, exponent: &Magnitude) -> Self {
        let modulus = self.modulus().clone();
        let mut session = modulus.session();
        let mut power = self.into_residue();
        match modulus.power_session(exponent.bits()) {
            Some(mut other) => {
                let mut value = session.value();
                session.from_montgomery(&mut value, &power);
                session.to_montgomery(&mut power, &raised(&mut other, &value, exponent));
            }
            None => windows::pow(&mut session, &mut power, exponent),
        }
        Self::from_residue(&modulus, power)
    }

    /// `self^e`, as [`Modulus::pow_with`]. Constant-time.
    ///
    /// # Errors
    /// As for [`Modulus::pow_with`].
    pub fn pow_with<'e>(&self, e: impl Into<SignedExponent<'e>>, method: PowerMethod) -> Result<Self, Error> {
        self.pow_by::<Masked>(&e.into(), method)
    }

    /// [`Element::pow_with`] without masks, as in the papers. **Regular only**, not constant-time:
    /// the sequence of operations is the same for all exponents of a declared precision, but the
    /// addresses of table entries and buckets depend on the exponent. Another program on the same
    /// core can observe them in the cache. The ladder has no table, so it is constant-time here,
    /// too.
    ///
    /// # Errors
    /// As for [`Modulus::pow_with`].
    pub fn pow_regular_vartime<'e>(
        &self,
        e: impl Into<SignedExponent<'e>>,
        method: PowerMethod,
    ) -> Result<Self, Error> {
        self.pow_by::<Indexed>(&e.into(), method)
    }

    fn pow_by<A: Access>(&self, e: &SignedExponent<'_>, method: PowerMethod) -> Result<Self, Error> {
        let exponent = e.declared();
        let modulus = self.modulus();
        method.bytes(modulus.dimensions())?;
        let mut power = self.signed(e)?.into_residue();
        method.run::<A>(&mut modulus.session(), &mut power, &exponent)?;
        Ok(Self::from_residue(modulus, power))
    }
}
