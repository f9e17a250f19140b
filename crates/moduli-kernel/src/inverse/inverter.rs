//! What inversions modulo one number share.

use zeroize::Zeroize;

use super::digits::{self, BITS, DIGIT, Digits};
use crate::limbs;

/// An odd modulus, prepared for inversions. Its cost is that of copying it. Wiped on drop.
pub struct Inverter {
    /// In digits that hold all limbs of the modulus, full or not, and a sign.
    pub(super) modulus: Digits,
    /// 1/modulus modulo 2^62.
    pub(super) inverse: u64,
    /// Limbs of the modulus, hence of values and results.
    pub(super) limbs: usize,
}

impl Inverter {
    /// For an odd modulus > 1 in little-endian limbs.
    pub fn new(modulus: &[u64]) -> Self {
        let limbs = modulus.len();
        Self {
            modulus: digits::of_limbs(modulus, digits::count(64 * limbs as u32)),
            inverse: limbs::inverse_of_word(modulus[0]) & DIGIT,
            limbs,
        }
    }

    /// Batches of 62 steps that make g zero for every modulus and every value of this many limbs.
    ///
    /// Division steps that begin with δ = 1/2 number at most (45907·b + 30179)/19929 for numbers below 2^b (P. Wuille,
    /// "safegcd-bounds", by convex hulls). Were it wrong, the error would be a missing inverse and never a false one:
    /// d·value ≡ f holds after every step.
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
