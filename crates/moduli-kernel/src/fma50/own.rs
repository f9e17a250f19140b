//! Σ x_2k·x_(2k+1) over the digits of the factor of a matrix. The pairs of rows add this sum to every column,
//! and it is subtracted once.

use core::arch::x86_64::*;

use super::{
    task::Own,
    vector::{Rounding, lowest_lane, pair_starts},
};

/// The partial sums.
pub(super) struct OwnSums {
    rounding: Rounding,
    low: __m256i,
    high: __m256i,
}

impl OwnSums {
    /// For this many vectors of digits.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    pub(super) fn new(vectors: usize) -> Self {
        let (low, high) = pair_starts(vectors);
        Self { rounding: Rounding::pair(), low, high }
    }

    /// Adds both pairs of a vector. Each pair is in two neighbouring lanes.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    pub(super) fn add(&mut self, digits: __m256d) {
        let product = self.rounding.multiply(digits, _mm256_permute_pd::<5>(digits));
        self.low = _mm256_add_epi64(self.low, product[0]);
        self.high = _mm256_add_epi64(self.high, product[1]);
    }

    #[target_feature(enable = "avx2,fma")]
    #[inline]
    pub(super) fn finish(self) -> Own<__m256i> {
        let both = |sum: __m256i| _mm256_add_epi64(sum, _mm256_permute4x64_epi64::<0x4e>(sum));
        // High sums are multiples of 2^51 and belong to the next column.
        let high = both(self.high);
        let high = _mm256_add_epi64(high, high);
        Own { all: _mm256_add_epi64(both(self.low), high), lowest: lowest_lane(high) }
    }
}
