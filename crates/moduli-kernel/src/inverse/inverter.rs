//! The data that inversions modulo one number share.

use zeroize::Zeroize;

use super::digits::{self, BITS, DIGIT, Digits};
use crate::limbs;

/// An odd modulus, prepared for inversions at the cost of copying it. Wiped on drop.
pub struct Inverter {
    /// The modulus, in digits that hold all its limbs, full or not, and a sign.
    pub(super) modulus: Digits,
    /// 1/modulus modulo 2^62.
    pub(super) inverse: u64,
    /// The number of limbs of the modulus, the values and the results.
    pub(super) limbs: usize,
}

impl Inverter {
    /// Takes an odd modulus > 1 as little-endian limbs.
    pub fn new(modulus: &[u64]) -> Self {
        let limbs = modulus.len();
        Self {
            modulus: digits::of_limbs(modulus, digits::count(64 * limbs as u32)),
            inverse: limbs::inverse_of_word(modulus[0]) & DIGIT,
            limbs,
        }
    }

    /// The number of batches of 62 steps that make g zero for every modulus and value of this many limbs.
    ///
    /// With δ = 1/2 at the beginning, at most (45907·b + 30179)/19929 division steps are needed for numbers
    /// below 2^b (P. Wuille, "safegcd-bounds", by convex hulls). If this bound were wrong, an inverse could
    /// be missing, but never false, because d·value ≡ f holds after every step.
    pub(super) fn batches(&self) -> u32 {
        let steps = (45_907 * 64 * self.limbs as u64 + 30_179) / 19_929;
        steps.div_ceil(u64::from(BITS)) as u32
    }
}

impl Drop for Inverter {
    fn drop(&mut self) {
        self.inverse.zeroize();
    }
}
