//! Exponents: a magnitude of declared precision and, optionally, a secret sign.

use alloc::vec::Vec;
use crypto_bigint::BoxedUint;
use zeroize::{Zeroize, Zeroizing};

use crate::error::Error;
use moduli_kernel::{limbs, mask};

/// An unsigned exponent.
///
/// Its *declared precision* is public: the precision of the `BoxedUint`, or the bits given to
/// [`with_bits`](Exponent::with_bits). Its value and its leading zeros are treated as secret by every
/// function whose name does not end in `_vartime`. `&BoxedUint` converts into one.
#[derive(Clone, Copy)]
pub struct Exponent<'a> {
    magnitude: &'a BoxedUint,
    bits: u32,
}

impl<'a> Exponent<'a> {
    /// Declares that the exponent is below 2^bits, with `bits` public. Constant-time; reveals whether it is.
    ///
    /// # Errors
    /// [`Error::ExponentTooLong`] if it is not.
    pub fn with_bits(self, bits: u32) -> Result<Self, Error> {
        self.below(bits)?;
        Ok(Self { bits, ..self })
    }

    /// The declared precision in bits.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// The value.
    pub fn magnitude(&self) -> &'a BoxedUint {
        self.magnitude
    }

    /// The value at the declared precision.
    pub(crate) fn declared(&self) -> Magnitude {
        self.split(self.bits).0
    }

    /// The value, if it is below 2^bits. Reveals only whether it is.
    ///
    /// # Errors
    /// [`Error::ExponentTooLong`].
    pub(crate) fn below(&self, bits: u32) -> Result<Magnitude, Error> {
        match self.split(bits) {
            (magnitude, 0) => Ok(magnitude),
            _ => Err(Error::ExponentTooLong { bits: None, max: bits }),
        }
    }

    /// The value modulo 2^bits, and a word that is 0 if and only if the value is below 2^bits.
    /// Constant-time.
    fn split(&self, bits: u32) -> (Magnitude, u64) {
        let count = bits.div_ceil(64) as usize;
        let mut all = limbs::to_limbs(self.magnitude, count);
        let mut excess = all[count..].iter().fold(0, |excess, limb| excess | limb);
        if !bits.is_multiple_of(64) {
            excess |= all[count - 1] >> (bits % 64);
        }
        all.truncate(count);
        (Magnitude { limbs: all, bits }, excess)
    }
}

impl<'a> From<&'a BoxedUint> for Exponent<'a> {
    fn from(magnitude: &'a BoxedUint) -> Self {
        Self { magnitude, bits: magnitude.bits_precision() }
    }
}

impl<'a> From<&Exponent<'a>> for Exponent<'a> {
    fn from(exponent: &Exponent<'a>) -> Self {
        *exponent
    }
}

/// An exponent that may carry a secret sign.
///
/// Public are the declared precision of its magnitude, as for an [`Exponent`], and whether it carries a sign
/// at all. The sign itself is treated as secret by every function whose name does not end in `_vartime`.
/// `&BoxedUint` and [`Exponent`] convert into one without a sign.
#[derive(Clone, Copy)]
pub struct SignedExponent<'a> {
    magnitude: Exponent<'a>,
    /// `None` if unsigned; otherwise all ones if negative, zero if not.
    sign: Option<u64>,
}

impl<'a> SignedExponent<'a> {
    /// `magnitude`, or `−magnitude` if `negative`. The sign stays secret; that there is one is public.
    /// Constant-time.
    pub fn new(negative: bool, magnitude: &'a BoxedUint) -> Self {
        Self { magnitude: magnitude.into(), sign: Some(mask::equal(u64::from(negative), 1)) }
    }

    /// Declares that the magnitude is below 2^bits, with `bits` public. Constant-time; reveals whether it is.
    ///
    /// # Errors
    /// [`Error::ExponentTooLong`] if it is not.
    pub fn with_bits(self, bits: u32) -> Result<Self, Error> {
        Ok(Self { magnitude: self.magnitude.with_bits(bits)?, ..self })
    }

    /// The declared precision of the magnitude in bits.
    pub fn bits(&self) -> u32 {
        self.magnitude.bits
    }

    /// The magnitude.
    pub fn magnitude(&self) -> &'a BoxedUint {
        self.magnitude.magnitude
    }

    /// Whether the exponent has a sign, which is public.
    pub(crate) fn is_signed(&self) -> bool {
        self.sign.is_some()
    }

    /// All ones if negative, otherwise zero.
    pub(crate) fn negative_mask(&self) -> u64 {
        self.sign.unwrap_or(0)
    }

    /// The magnitude at the declared precision.
    pub(crate) fn declared(&self) -> Magnitude {
        self.magnitude.declared()
    }

    /// The magnitude, if it is below 2^bits. Reveals only whether it is.
    ///
    /// # Errors
    /// [`Error::ExponentTooLong`].
    pub(crate) fn below(&self, bits: u32) -> Result<Magnitude, Error> {
        self.magnitude.below(bits)
    }
}

/// Wipes and removes the sign. The magnitude is borrowed and stays.
impl Zeroize for SignedExponent<'_> {
    fn zeroize(&mut self) {
        self.sign.zeroize();
    }
}

impl<'a> From<Exponent<'a>> for SignedExponent<'a> {
    fn from(magnitude: Exponent<'a>) -> Self {
        Self { magnitude, sign: None }
    }
}

impl<'a> From<&'a BoxedUint> for SignedExponent<'a> {
    fn from(magnitude: &'a BoxedUint) -> Self {
        Exponent::from(magnitude).into()
    }
}

impl<'a> From<&SignedExponent<'a>> for SignedExponent<'a> {
    fn from(exponent: &SignedExponent<'a>) -> Self {
        *exponent
    }
}

/// A number below 2^bits. Only `bits` is public. Wiped on drop.
#[derive(Clone)]
pub(crate) struct Magnitude {
    limbs: Zeroizing<Vec<u64>>,
    bits: u32,
}

impl Magnitude {
    /// Takes ⌈bits/64⌉ limbs, whose value must be below 2^bits.
    pub(crate) fn new(limbs: Zeroizing<Vec<u64>>, bits: u32) -> Self {
        debug_assert!(limbs.len() == bits.div_ceil(64) as usize);
        Self { limbs, bits }
    }

    /// The public bound on its length in bits.
    pub(crate) fn bits(&self) -> u32 {
        self.bits
    }

    /// The ⌈bits/64⌉ limbs, least significant first.
    pub(crate) fn limbs(&self) -> &[u64] {
        &self.limbs
    }

    /// For tests that change the limbs.
    #[cfg(test)]
    pub(crate) fn limbs_mut(&mut self) -> &mut Zeroizing<Vec<u64>> {
        &mut self.limbs
    }

    /// The `width` bits from bit `width·index` on; bits past the end are 0. Constant-time.
    pub(crate) fn digit(&self, index: u32, width: u32) -> u64 {
        limbs::bit_field(&self.limbs, index * width, width)
    }

    /// 2^bits − 1 − x if the mask is all ones, x if it is zero. Constant-time.
    #[must_use]
    pub(crate) fn complemented(mut self, mask: u64) -> Self {
        for limb in self.limbs.iter_mut() {
            *limb ^= mask;
        }
        if !self.bits.is_multiple_of(64)
            && let Some(top) = self.limbs.last_mut()
        {
            *top &= u64::MAX >> (64 - self.bits % 64);
        }
        self
    }
}

/// An exponent whose sign can be wiped.
pub(crate) trait Signed: Copy {
    fn wipe_sign(&mut self);
}

impl Signed for SignedExponent<'_> {
    fn wipe_sign(&mut self) {
        self.zeroize();
    }
}

/// An exponent with its base.
impl Signed for (&BoxedUint, SignedExponent<'_>) {
    fn wipe_sign(&mut self) {
        self.1.zeroize();
    }
}

/// The exponents passed to one call. Wipes their signs on drop.
pub(crate) struct Given<T: Signed>(Vec<T>);

impl<T: Signed> Given<T> {
    pub(crate) fn collect(all: impl Iterator<Item = T>) -> Self {
        let mut given = Self(Vec::with_capacity(all.size_hint().0));
        for exponent in all {
            if given.0.len() == given.0.capacity() {
                // If the vector grew by itself, it would leave a copy behind.
                let mut more = Vec::with_capacity(2 * given.0.len() + 4);
                more.extend_from_slice(&given.0);
                given = Self(more);
            }
            given.0.push(exponent);
        }
        given
    }
}

impl<T: Signed> core::ops::Deref for Given<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T: Signed> Drop for Given<T> {
    fn drop(&mut self) {
        self.0.iter_mut().for_each(T::wipe_sign);
    }
}
