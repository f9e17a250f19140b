//! Columns of a product, and their digits.

use core::arch::x86_64::*;

use super::{
    constants::{BIAS, BIAS_CARRY, Fma50},
    digits::{DIGIT, DIGIT_BITS, TWO_52},
    vector::{lift, lowest_lane},
};

/// The columns of a product in the scratch space: five classes, of which class r is moved up by r columns.
#[derive(Clone, Copy)]
pub(super) struct Columns {
    pub(super) classes: *mut u64,
    /// Words from one class to the next.
    pub(super) stride: usize,
}

impl Columns {
    /// Stores the classes of vector `v`.
    ///
    /// # Safety
    /// The processor has AVX2; a class has `stride` words, more than `4·(v + 1)` and three.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    pub(super) unsafe fn store(&self, v: usize, sums: [__m256i; 5]) {
        for (r, sum) in sums.into_iter().enumerate() {
            // SAFETY: the caller vouches for the room.
            unsafe {
                _mm256_storeu_si256(self.classes.add(r * self.stride + 4 * (v + 1)) as *mut __m256i, sum);
            }
        }
    }

    /// Zeros below vector 0 and at vector `end`, for [`Columns::load`] to read beyond the ends.
    ///
    /// # Safety
    /// As for [`Columns::store`] with `end`.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    pub(super) unsafe fn close(&self, end: usize) {
        let zero = [_mm256_setzero_si256(); 5];
        // SAFETY: vector −1 is the first of a class.
        unsafe {
            for (r, zero) in zero.into_iter().enumerate() {
                _mm256_storeu_si256(self.classes.add(r * self.stride) as *mut __m256i, zero);
            }
            self.store(end, zero);
        }
    }

    /// Columns `first .. first + 4`.
    ///
    /// # Safety
    /// The processor has AVX2; vectors −1 to `(first + 3)/4` are stored.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    pub(super) unsafe fn load(&self, first: usize) -> __m256i {
        // SAFETY: the addresses lie between vector −1 and the one of column first + 3.
        let class = |r: usize| unsafe {
            _mm256_loadu_si256(self.classes.add(r * self.stride + 4 + first - r) as *const __m256i)
        };
        let even = _mm256_add_epi64(class(0), class(2));
        let odd = _mm256_add_epi64(class(1), class(3));
        _mm256_add_epi64(_mm256_add_epi64(even, odd), class(4))
    }
}

/// The digits of biased columns as doubles: what a column keeps, and the carry of the one below.
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

/// Debug builds: no column is below −[`BIAS`].
#[inline(always)]
pub(super) fn assert_columns(columns: __m256i) {
    if cfg!(debug_assertions) {
        // SAFETY: both are 32 bytes without padding.
        let lanes: [i64; 4] = unsafe { core::mem::transmute(columns) };
        assert!(lanes.iter().all(|&lane| lane >= -(BIAS as i64)), "a column of {lanes:?} is out of bounds");
    }
}

impl Fma50 {
    /// `t` ← the digits of the lowest `count` columns, even, as doubles, in whole vectors. Returns the carry into column
    /// `count`, in lane 0.
    ///
    /// # Safety
    /// The processor has AVX2; all columns are stored, and `t` has room for them.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    pub(super) unsafe fn low_digits(&self, t: *mut u64, columns: Columns, count: usize) -> __m256i {
        let mut below = _mm256_setzero_si256();
        let mut bias = _mm256_set1_epi64x((BIAS - BIAS_CARRY) as i64);
        bias = _mm256_add_epi64(bias, lowest_lane(_mm256_set1_epi64x(BIAS_CARRY as i64)));
        for v in 0..count.div_ceil(4) {
            // SAFETY: as the caller says.
            unsafe {
                let sums = columns.load(4 * v);
                assert_columns(sums);
                let mut digits = digits_of(_mm256_add_epi64(sums, bias), &mut below);
                if 4 * v + 2 == count {
                    digits = _mm256_blend_epi32::<0xf0>(digits, _mm256_setzero_si256());
                    // The carry out of lane 1.
                    below = _mm256_permute4x64_epi64::<0xaa>(below);
                }
                _mm256_storeu_pd(t.add(4 * v) as *mut f64, doubles_of(digits));
            }
            bias = _mm256_set1_epi64x((BIAS - BIAS_CARRY) as i64);
        }
        lowest_lane(_mm256_sub_epi64(below, _mm256_set1_epi64x(BIAS_CARRY as i64)))
    }
}
