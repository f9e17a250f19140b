//! Products of digits in vectors of four: each product exactly as two doubles, and sums of their bits.

use core::arch::x86_64::*;

use super::parts::{HIGH, LOW, PAIR_HIGH};

/// 2^102, which rounds a product below 2^102 − 2^50 to a multiple of 2^50.
const CANONICAL_PAIR_HIGH: u64 = 0x4650 << 48;

/// The sums of two vectors: classes 0 to 3 of the first, 0 to 3 of the second, and 0 of the following one.
pub(super) type Sums = [__m256i; 9];

/// `V`, or, if `V` is 0, the number that is known only at run time.
#[inline(always)]
pub(super) fn known<const V: usize>(otherwise: usize) -> usize {
    if V > 0 { V } else { otherwise }
}

/// The constants of a rounding, in all lanes.
#[derive(Clone, Copy)]
pub(super) struct Rounding {
    high: __m256d,
    /// `high` plus [`LOW`].
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

    /// For products of two sums of two digits below 2^50.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    pub(super) fn canonical_pair() -> Self {
        Self::new(CANONICAL_PAIR_HIGH)
    }

    /// The constant that [`Rounding::multiply`] adds, and the constant from which it subtracts the high part.
    #[inline]
    pub(super) fn constants(&self) -> [__m256d; 2] {
        [self.high, self.both]
    }

    /// The bits of the low and of the high part of x·y.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    pub(super) fn multiply(&self, x: __m256d, y: __m256d) -> [__m256i; 2] {
        let high = _mm256_fmadd_pd(x, y, self.high);
        let low = _mm256_fmadd_pd(x, y, _mm256_sub_pd(self.both, high));
        [_mm256_castpd_si256(low), _mm256_castpd_si256(high)]
    }
}

/// The initial values of sums, from the `multiples` for the first of two vectors and for the other.
#[target_feature(enable = "avx2,fma")]
#[inline]
pub(super) fn starts(first: [u64; 3], second: [u64; 3]) -> Sums {
    let vectors = |multiples: [u64; 3]| multiples.map(|multiple| _mm256_set1_epi64x(multiple as i64));
    let ([low, both, high], [next_low, next_both, next_high]) = (vectors(first), vectors(second));
    let middle = _mm256_add_epi64(high, next_low);
    [low, both, both, both, middle, next_both, next_both, next_both, next_high]
}

/// The initial values of low and high sums for `count` products of [`Rounding::pair`].
#[target_feature(enable = "avx2,fma")]
#[inline]
pub(super) fn pair_starts(count: usize) -> (__m256i, __m256i) {
    let start = |part: u64| _mm256_set1_epi64x((count as u64).wrapping_mul(part).wrapping_neg() as i64);
    (start(LOW), start(PAIR_HIGH))
}

/// Moves lanes up by one. The new lowest lane is the highest one of the previous vector. Keeps the rotated
/// vector in `below` for the next call.
#[target_feature(enable = "avx2,fma")]
#[inline]
pub(super) fn lift(vector: __m256i, below: &mut __m256i) -> __m256i {
    let rotated = _mm256_permute4x64_epi64::<0x93>(vector);
    let lifted = with_lowest_lane(rotated, *below);
    *below = rotated;
    lifted
}

/// `vector` with the lowest lane of another one.
///
/// In assembly: for `_mm256_blend_epi32` with a vector that is known to be zero, the compiler emits a form of
/// `vmovq` that valgrind does not support.
#[target_feature(enable = "avx2,fma")]
#[inline]
pub(super) fn with_lowest_lane(mut vector: __m256i, lowest: __m256i) -> __m256i {
    // SAFETY: one instruction of AVX2, on registers.
    unsafe {
        core::arch::asm!(
            "vpblendd {0}, {0}, {1}, 3", inout(ymm_reg) vector, in(ymm_reg) lowest,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    vector
}

/// The lowest lane of the vector; the others are zero.
#[target_feature(enable = "avx2,fma")]
#[inline]
pub(super) fn lowest_lane(vector: __m256i) -> __m256i {
    with_lowest_lane(_mm256_setzero_si256(), vector)
}
