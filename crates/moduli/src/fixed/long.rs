//! Exponents of any length: the bits beyond the table's exponent length are the exponent of a
//! second power.

use crypto_bigint::BoxedUint;
use zeroize::Zeroizing;

use super::fixed_base::FixedBase;
use crate::{
    error::Error,
    exponent::{Exponent, Magnitude},
};
use moduli_kernel::limbs;

impl FixedBase {
    /// `base^k mod p` for a secret exponent of any length. If the order of the base is known, an
    /// exponent that is too long for the table is reduced modulo it, as in [`FixedBase::pow`].
    /// Otherwise the exponent is split as `k = l + h·2^t`, where `l` is below 2^t and fits the
    /// table. The result is `base^l · (base^(2^t))^h`, whose second factor is a power of a variable
    /// base.
    ///
    /// Constant-time in `k`; reveals its declared precision, which alone determines whether there
    /// is a second factor. Cost: that of [`FixedBase::pow`] and, without an order, that of
    /// [`crate::Modulus::pow`] for the bits beyond t. So declare no more bits than needed.
    ///
    /// # Errors
    /// [`Error::Table`] if the entries are unverified.
    ///
    /// ```
    /// # use crypto_bigint::BoxedUint;
    /// # use moduli::{FixedBase, Modulus};
    /// let p = Modulus::new(&BoxedUint::from(1_000_003u64))?;
    /// let base = BoxedUint::from(5u64);
    /// let table = FixedBase::builder(&p, &base).exponent_bits(16).build()?;
    /// let k = BoxedUint::from(1u64 << 40);
    /// assert!(table.pow(&k).is_err());
    /// assert_eq!(table.pow_long(&k)?, p.pow(&base, &k));
    /// # Ok::<(), moduli::Error>(())
    /// ```
    pub fn pow_long<'e>(&self, k: impl Into<Exponent<'e>>) -> Result<BoxedUint, Error> {
        let k = k.into();
        let bits = self.shape().exponent_bits();
        if self.order().is_some() || k.bits() <= bits {
            return self.pow(k);
        }
        let [low, high] = parts(&k.declared(), bits);
        let (low, high) = (Exponent::from(&*low).with_bits(bits)?, Exponent::from(&*high));
        self.pow_times(low, self.beyond(), high.with_bits(k.bits() - bits)?)
    }

    /// The same for a public exponent, as [`FixedBase::pow_vartime`]. Variable-time: the length of
    /// `k` counts, not its declared precision.
    ///
    /// # Errors
    /// No error depends on the exponent.
    pub fn pow_long_vartime<'e>(&self, k: impl Into<Exponent<'e>>) -> Result<BoxedUint, Error> {
        let k = k.into();
        let bits = self.shape().exponent_bits();
        if self.order().is_some() || limbs::bit_length_vartime(k.declared().limbs()) <= bits {
            return self.pow_vartime(k);
        }
        let [low, high] = parts(&k.declared(), bits);
        self.pow_times_vartime(&*low, self.beyond(), &*high)
    }
}

/// `k mod 2^bits` and `⌊k/2^bits⌋`. Constant-time.
fn parts(k: &Magnitude, bits: u32) -> [Zeroizing<BoxedUint>; 2] {
    let part = |start: u32, end: u32| {
        let mut limbs = limbs::zeros((end - start).div_ceil(64).max(1) as usize);
        for (limb, at) in limbs.iter_mut().zip((start..end).step_by(64)) {
            // `bit_field` returns at most half a limb.
            let count = (end - at).min(64);
            let low = limbs::bit_field(k.limbs(), at, count.min(32));
            *limb = low | limbs::bit_field(k.limbs(), at + 32, count.saturating_sub(32)) << 32;
        }
        Zeroizing::new(limbs::from_limbs(&limbs))
    };
    [part(0, bits), part(bits, k.bits().max(bits))]
}
