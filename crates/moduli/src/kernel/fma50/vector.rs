//! Products of digits in vectors of four: the exact product in two doubles, and sums of their bits.

use alloc::vec::Vec;
use core::arch::x86_64::*;

/// 1.5·2^52: this and an integer of absolute value up to 2^51 is a double whose low bits count.
const LOW: u64 = 0x4338 << 48;
/// 1.25·2^102: rounds a product below 0.75·2^102 to a multiple of 2^50.
const HIGH: u64 = 0x4654 << 48;
/// 1.25·2^103: rounds a product below 0.75·2^103 to a multiple of 2^51.
const PAIR_HIGH: u64 = 0x4664 << 48;

/// The constants of a rounding, in all lanes.
#[derive(Clone, Copy)]
pub(super) struct Rounding {
    high: __m256d,
    /// [`LOW`] on top.
    both: __m256d,
}

impl Rounding {
    /// # Safety
    /// The processor has AVX2.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    fn new(high: u64) -> Self {
        let both = f64::from_bits(high) + f64::from_bits(LOW);
        Self { high: _mm256_set1_pd(f64::from_bits(high)), both: _mm256_set1_pd(both) }
    }

    /// For products of two digits, one of which may be doubled.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    pub(super) fn single() -> Self {
        Self::new(HIGH)
    }

    /// For products of two sums of two digits.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    pub(super) fn pair() -> Self {
        Self::new(PAIR_HIGH)
    }

    /// Adds the bits of the high and of the low part of x·y to the two sums.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    pub(super) fn multiply(&self, x: __m256d, y: __m256d, low: &mut __m256i, high: &mut __m256i) {
        let rounded = _mm256_fmadd_pd(x, y, self.high);
        let rest = _mm256_fmadd_pd(x, y, _mm256_sub_pd(self.both, rounded));
        *high = _mm256_add_epi64(*high, _mm256_castpd_si256(rounded));
        *low = _mm256_add_epi64(*low, _mm256_castpd_si256(rest));
    }
}

/// What sums begin with, so that the constants in their parts cancel.
pub(super) struct Starts {
    /// For so many groups of four digits, the last of them whole or only two digits: five classes.
    classes: Vec<[[u64; 5]; 2]>,
}

impl Starts {
    pub(super) fn new(groups: usize) -> Self {
        let class = |whole: u64, half: u64| {
            let (low, high) = (|n: u64| n.wrapping_mul(LOW), |n: u64| n.wrapping_mul(HIGH));
            let all = whole + half;
            [
                low(all),
                low(all).wrapping_add(high(all)),
                low(whole).wrapping_add(high(all)),
                low(whole).wrapping_add(high(whole)),
                high(whole),
            ]
            .map(u64::wrapping_neg)
        };
        Self { classes: (0..=groups as u64).map(|n| [class(n, 0), class(n.saturating_sub(1), 1)]).collect() }
    }

    /// The five classes for `groups` groups, `half` if the last has but two digits.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    pub(super) fn classes(&self, groups: usize, half: bool) -> [__m256i; 5] {
        self.classes[groups][usize::from(half)].map(|start| _mm256_set1_epi64x(start as i64))
    }
}

/// Low and high sums for `count` products of [`Rounding::pair`].
#[target_feature(enable = "avx2,fma")]
#[inline]
pub(super) fn pair_starts(count: usize) -> (__m256i, __m256i) {
    let start = |part: u64| _mm256_set1_epi64x((count as u64).wrapping_mul(part).wrapping_neg() as i64);
    (start(LOW), start(PAIR_HIGH))
}

/// Lanes moved up by one: the lowest is the highest of the vector below. Returns the vector, rotated, for the next one.
#[target_feature(enable = "avx2,fma")]
#[inline]
pub(super) fn lift(vector: __m256i, below: &mut __m256i) -> __m256i {
    let rotated = _mm256_permute4x64_epi64::<0x93>(vector);
    let lifted = _mm256_blend_epi32::<0x03>(rotated, *below);
    *below = rotated;
    lifted
}

/// The lowest lane alone.
#[target_feature(enable = "avx2,fma")]
#[inline]
pub(super) fn lowest_lane(vector: __m256i) -> __m256i {
    _mm256_blend_epi32::<0x03>(_mm256_setzero_si256(), vector)
}
