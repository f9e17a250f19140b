//! Columns of a product, and their digits.

use core::arch::x86_64::*;

use super::{
    constants::{BIAS, BIAS_CARRY},
    digits::{DIGIT, DIGIT_BITS, TWO_52},
    own::OwnSums,
    task::Low,
    vector::{Sums, known, lift, lowest_lane, with_lowest_lane},
};

/// The columns of a product, in the scratch space. Each is the sum of four classes, where class r is shifted
/// up by r columns.
pub(super) struct Columns {
    words: *mut u64,
    /// Classes 1 to 3 of the previous vector, rotated.
    below: [__m256i; 3],
    /// The part of class 0 of the next vector that the previous vectors have contributed.
    pub(super) carried: __m256i,
}

/// The sum of classes 1 to 3, where class r is shifted up by r lanes: it is rotated, and its lowest r lanes
/// are those of the previous vector.
#[target_feature(enable = "avx2,fma")]
#[inline]
fn moved_up(classes: [__m256i; 3], below: &mut [__m256i; 3]) -> __m256i {
    let rotated = [
        _mm256_permute4x64_epi64::<0x93>(classes[0]),
        _mm256_permute4x64_epi64::<0x4e>(classes[1]),
        _mm256_permute4x64_epi64::<0x39>(classes[2]),
    ];
    let first = with_lowest_lane(rotated[0], below[0]);
    let second = _mm256_blend_epi32::<0x0f>(rotated[1], below[1]);
    let third = _mm256_blend_epi32::<0x3f>(rotated[2], below[2]);
    *below = rotated;
    _mm256_add_epi64(_mm256_add_epi64(first, third), second)
}

impl Columns {
    /// The words of the columns of a square, which has `2·vectors` vectors. A product has at most one vector
    /// more, which makes their number even.
    #[inline]
    pub(super) fn words(vectors: usize) -> usize {
        4 * (2 * vectors + 1)
    }

    /// Columns at `scratch`.
    ///
    /// # Safety
    /// The processor has AVX2; there is room for [`Columns::words`].
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    pub(super) unsafe fn new(scratch: *mut u64) -> Self {
        let zero = _mm256_setzero_si256();
        Self { words: scratch, below: [zero; 3], carried: zero }
    }

    /// Stores vectors `v` and `v + 1`, which follow the vectors stored before.
    ///
    /// # Safety
    /// The processor has AVX2; `v + 1` is a vector of the columns.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    pub(super) unsafe fn store(&mut self, v: usize, sums: &Sums) {
        let at = self.words.wrapping_add(4 * v) as *mut __m256i;
        let first = moved_up([sums[1], sums[2], sums[3]], &mut self.below);
        let second = moved_up([sums[5], sums[6], sums[7]], &mut self.below);
        // SAFETY: the caller guarantees the room.
        unsafe {
            _mm256_storeu_si256(at, _mm256_add_epi64(sums[0], first));
            _mm256_storeu_si256(at.add(1), _mm256_add_epi64(sums[4], second));
        }
        self.carried = sums[8];
    }

    /// Columns `first .. first + 4`.
    ///
    /// # Safety
    /// The processor has AVX2; the vectors up to `(first + 3)/4` are stored.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    pub(super) unsafe fn load(&self, first: usize) -> __m256i {
        // SAFETY: the caller guarantees the columns.
        unsafe { _mm256_loadu_si256(self.words.add(first) as *const __m256i) }
    }
}

/// The digits of biased columns: the low bits of each column plus the carry out of the column below.
#[target_feature(enable = "avx2,fma")]
#[inline]
pub(super) fn digits_of(columns: __m256i, below: &mut __m256i) -> __m256i {
    let carry = lift(_mm256_srli_epi64::<{ DIGIT_BITS as i32 }>(columns), below);
    let digit = _mm256_and_si256(columns, _mm256_set1_epi64x(DIGIT as i64));
    _mm256_add_epi64(digit, carry)
}

/// Digits below 2^52 as doubles.
#[target_feature(enable = "avx2,fma")]
#[inline]
pub(super) fn doubles_of(digits: __m256i) -> __m256d {
    let two_52 = _mm256_set1_epi64x(TWO_52 as i64);
    _mm256_sub_pd(_mm256_castsi256_pd(_mm256_or_si256(digits, two_52)), _mm256_castsi256_pd(two_52))
}

/// In debug builds, asserts that no column is below −[`BIAS`].
#[inline(always)]
pub(super) fn assert_columns(columns: __m256i) {
    if cfg!(debug_assertions) {
        // SAFETY: both are 32 bytes without padding.
        let lanes: [i64; 4] = unsafe { core::mem::transmute(columns) };
        assert!(lanes.iter().all(|&lane| lane >= -(BIAS as i64)), "a column of {lanes:?} is out of bounds");
    }
}

impl Columns {
    /// `t` ← the digits of the lowest `count` columns, an even number, as doubles, in whole vectors. There
    /// are `V` of these, or, if `V` is 0, any number.
    ///
    /// # Safety
    /// The processor has AVX2 and FMA; these columns are stored, and `t` has room for them.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    pub(super) unsafe fn low_digits<const V: usize>(&self, t: *mut u64, count: usize) -> Low<__m256i> {
        let vectors = known::<V>(count.div_ceil(4));
        let mut own = OwnSums::new(vectors);
        let mut below = _mm256_setzero_si256();
        let mut bias = _mm256_set1_epi64x((BIAS - BIAS_CARRY) as i64);
        bias = _mm256_add_epi64(bias, lowest_lane(_mm256_set1_epi64x(BIAS_CARRY as i64)));
        let mut digits = bias;
        for v in 0..vectors {
            // SAFETY: as the caller says.
            unsafe {
                if v > 0 {
                    let whole = doubles_of(digits);
                    _mm256_storeu_pd(t.add(4 * v - 4) as *mut f64, whole);
                    own.add(whole);
                }
                let sums = self.load(4 * v);
                assert_columns(sums);
                digits = digits_of(_mm256_add_epi64(sums, bias), &mut below);
            }
            bias = _mm256_set1_epi64x((BIAS - BIAS_CARRY) as i64);
        }
        if count % 4 == 2 {
            digits = _mm256_blend_epi32::<0xf0>(digits, _mm256_setzero_si256());
            // The carry out of lane 1.
            below = _mm256_permute4x64_epi64::<0xaa>(below);
        }
        let last = doubles_of(digits);
        // SAFETY: as the caller says.
        unsafe { _mm256_storeu_pd(t.add(4 * vectors - 4) as *mut f64, last) }
        own.add(last);
        let carry = lowest_lane(_mm256_sub_epi64(below, _mm256_set1_epi64x(BIAS_CARRY as i64)));
        Low { carry, own: own.finish() }
    }
}
