//! Exponents: a magnitude of declared precision and, where wanted, a secret sign.

use alloc::vec::Vec;
use crypto_bigint::BoxedUint;
use zeroize::Zeroizing;

use crate::error::Error;
use moduli_kernel::{limbs, mask};

/// An exponent as the exponentiations take it.
///
/// Public about it are its *declared precision* (the precision of the `BoxedUint`, or what
/// [`with_bits`](Exponent::with_bits) says) and whether it carries a sign at all. Its value, its leading zeros
/// and the sign itself are treated as secret by every function whose name does not end in `_vartime`.
///
/// `&BoxedUint` converts into an unsigned exponent.
#[derive(Clone, Copy)]
pub struct Exponent<'a> {
    magnitude: &'a BoxedUint,
    bits: u32,
    /// `None`: unsigned. Else all ones for negative, zero for positive.
    sign: Option<u64>,
}

impl<'a> Exponent<'a> {
    /// `magnitude`, or `−magnitude` if `negative`. The sign stays secret; that there is one is public.
    pub fn signed(negative: bool, magnitude: &'a BoxedUint) -> Self {
        let sign = mask::equal(u64::from(negative), 1);
        Self { sign: Some(sign), ..Self::from(magnitude) }
    }

    /// Declares that the magnitude is below 2^bits, with `bits` public.
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

    /// Whether there is a sign, public.
    pub(crate) fn is_signed(&self) -> bool {
        self.sign.is_some()
    }

    /// All ones if negative, else zero.
    pub(crate) fn negative_mask(&self) -> u64 {
        self.sign.unwrap_or(0)
    }

    /// The magnitude.
    pub fn magnitude(&self) -> &'a BoxedUint {
        self.magnitude
    }

    /// The magnitude at the declared precision.
    pub(crate) fn declared(&self) -> Result<Magnitude, Error> {
        self.below(self.bits)
    }

    /// The magnitude, which must be below 2^bits. Reveals only whether it is.
    ///
    /// # Errors
    /// [`Error::ExponentTooLong`].
    pub(crate) fn below(&self, bits: u32) -> Result<Magnitude, Error> {
        let count = bits.div_ceil(64) as usize;
        let mut all = limbs::to_limbs(self.magnitude, count);
        let mut excess = all[count..].iter().fold(0, |excess, limb| excess | limb);
        if !bits.is_multiple_of(64) {
            excess |= all[count - 1] >> (bits % 64);
        }
        if excess != 0 {
            return Err(Error::ExponentTooLong { bits: self.bits, max: bits });
        }
        all.truncate(count);
        Ok(Magnitude { limbs: all, bits })
    }
}

/// A number below 2^bits, of which `bits` alone is public. Wiped on drop.
#[derive(Clone)]
pub(crate) struct Magnitude {
    limbs: Zeroizing<Vec<u64>>,
    bits: u32,
}

impl Magnitude {
    /// Of ⌈bits/64⌉ limbs, whose value is below 2^bits.
    pub(crate) fn new(limbs: Zeroizing<Vec<u64>>, bits: u32) -> Self {
        debug_assert!(limbs.len() == bits.div_ceil(64) as usize);
        Self { limbs, bits }
    }

    /// The public bound on its length.
    pub(crate) fn bits(&self) -> u32 {
        self.bits
    }

    /// Little-endian, ⌈bits/64⌉ of them.
    pub(crate) fn limbs(&self) -> &[u64] {
        &self.limbs
    }

    /// For tests that spoil them.
    #[cfg(test)]
    pub(crate) fn limbs_mut(&mut self) -> &mut Zeroizing<Vec<u64>> {
        &mut self.limbs
    }

    /// Bits `width·index` and on, `width` of them; those past the end are 0. Constant-time.
    pub(crate) fn digit(&self, index: u32, width: u32) -> u64 {
        limbs::bit_field(&self.limbs, index * width, width)
    }

    /// 2^bits − 1 − x where the mask is all ones, x where it is zero. Constant-time.
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

impl<'a> From<&'a BoxedUint> for Exponent<'a> {
    fn from(magnitude: &'a BoxedUint) -> Self {
        Self { magnitude, bits: magnitude.bits_precision(), sign: None }
    }
}

impl<'a> From<&Exponent<'a>> for Exponent<'a> {
    fn from(exponent: &Exponent<'a>) -> Self {
        *exponent
    }
}
