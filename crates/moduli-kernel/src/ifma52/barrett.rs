//! Barrett's estimate of the multiple of N in a residue (Barrett, CRYPTO 1986).

use core::ops::Range;
use zeroize::Zeroize;

use crate::places::{Constant, bytes_of};

/// The bits of a residue from which the estimate is computed: all except those more than 32 places below the
/// top of N. Wiped on drop.
pub(super) struct Barrett {
    /// The words of the two digits that contain these bits, and the number of bits of these digits that are
    /// lower.
    words: [usize; 2],
    below: u32,
    /// 2^64 divided by these bits of N, rounded up.
    reciprocal: u64,
}

impl Barrett {
    /// For a modulus of `bits` bits, its digits, and the words that contain the digits of a residue.
    pub(super) fn new(bits: usize, digits: &[u64], mut places: impl Iterator<Item = usize>) -> Self {
        let below = bits.saturating_sub(32);
        let first = (below / 52).min(digits.len() - 2);
        let words = [places.nth(first), places.next()].map(Option::unwrap_or_default);
        let mut barrett = Self { words, below: (below - 52 * first) as u32, reciprocal: 0 };
        barrett.reciprocal = (u64::MAX / barrett.bits([digits[first], digits[first + 1]])).wrapping_add(1);
        barrett
    }

    /// The word that is computed from the modulus.
    pub(super) fn reciprocal_place(&self) -> Constant {
        Constant::of("reciprocal", core::slice::from_ref(&self.reciprocal))
    }

    /// Which bits are used: the same for all moduli of one length.
    pub(super) fn public_places(&self) -> [Range<usize>; 2] {
        [bytes_of(&self.words), bytes_of(&self.below)]
    }

    fn bits(&self, [low, high]: [u64; 2]) -> u64 {
        ((u128::from(high) << 52 | u128::from(low)) >> self.below) as u64
    }

    /// ⌊x/N⌋ or one more, for x below 12·N. If t and d are the bits that are used of x and N, x/N lies
    /// between t/(d + 1) and (t + 1)/d, which are less than one apart because d is at least 2^31; or all bits
    /// of x and N are used. Constant-time.
    pub(super) fn quotient(&self, x: &[u64]) -> u64 {
        let top = self.bits(self.words.map(|at| x[at]));
        (((u128::from(top) + 1) * u128::from(self.reciprocal)) >> 64) as u64
    }
}

impl Drop for Barrett {
    fn drop(&mut self) {
        self.reciprocal.zeroize();
    }
}
