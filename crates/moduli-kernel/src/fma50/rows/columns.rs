//! The columns of products of rows, and their digits.

use core::arch::x86_64::*;

use crate::fma50::{
    columns::{assert_columns, doubles_of},
    constants::{BIAS, BIAS_CARRY},
    digits::{DIGIT, DIGIT_BITS},
    parts::{HIGH, LOW},
};

#[target_feature(enable = "avx2,fma")]
#[inline]
pub(super) fn all_lanes(word: u64) -> __m256i {
    _mm256_set1_epi64x(word as i64)
}

/// The digit of a biased column as a double. Adds `carry` to the column and sets it to the new carry.
#[target_feature(enable = "avx2,fma")]
#[inline]
pub(super) fn digit_of(column: __m256i, carry: &mut __m256i) -> __m256d {
    let column = _mm256_add_epi64(column, *carry);
    *carry = _mm256_srli_epi64::<{ DIGIT_BITS as i32 }>(column);
    doubles_of(_mm256_and_si256(column, all_lanes(DIGIT)))
}

/// How many products of a block are added to each column: `outer` to the first and the last column of its low
/// parts or high parts, `inner` to the middle one.
#[derive(Clone, Copy, Default)]
pub(super) struct Parts {
    pub(super) outer: u64,
    pub(super) inner: u64,
}

/// The columns of a product of rows, two at a time. The lower half becomes digits, the upper half stays sums.
pub(super) struct ColumnPairs {
    /// Half the number of digits of a residue.
    half: usize,
    digits: *mut f64,
    sums: *mut __m256i,
    /// The low parts and the high parts of the current block. The low parts begin with the sums that the
    /// previous block has left in its upper two columns; `before` is the number of these parts.
    pub(super) low: [__m256i; 3],
    pub(super) high: [__m256i; 3],
    before: Parts,
    pub(super) carry: __m256i,
}

impl ColumnPairs {
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    pub(super) fn new(half: usize, digits: *mut u64, sums: *mut u64) -> Self {
        let zero = _mm256_setzero_si256();
        Self {
            half,
            digits: digits as *mut f64,
            sums: sums as *mut __m256i,
            low: [zero; 3],
            high: [zero; 3],
            before: Parts::default(),
            carry: zero,
        }
    }

    /// Completes columns 2·m and 2·m + 1, to which these parts were added.
    ///
    /// # Safety
    /// The processor has AVX2 and FMA; m counts up from 0 to `2·half − 1`, and there is room for `2·half`
    /// vectors of digits, and of sums.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    pub(super) unsafe fn finish(&mut self, m: usize, now: Parts) {
        let Parts { outer, inner } = self.before;
        let (low, high) = (self.low, self.high);
        // Subtracts the constants in the parts, and adds a bias where digits follow.
        let below = m < self.half;
        let biases = match m {
            0 => [BIAS, BIAS - BIAS_CARRY],
            _ if below => [BIAS - BIAS_CARRY; 2],
            _ => [0; 2],
        };
        let parts = [(now.outer.wrapping_add(outer), inner), (now.inner, now.outer.wrapping_add(outer))];
        let second = _mm256_add_epi64(low[1], high[0]);
        let [first, second] = [(low[0], 0), (second, 1)].map(|(sum, i)| {
            let (lows, highs) = parts[i];
            let constants = lows.wrapping_mul(LOW).wrapping_add(highs.wrapping_mul(HIGH));
            let column = _mm256_add_epi64(sum, all_lanes(biases[i].wrapping_sub(constants)));
            assert_columns(_mm256_sub_epi64(column, all_lanes(biases[i])));
            column
        });
        // SAFETY: vectors 2·m and 2·m + 1, or those less 2·half, are in range.
        unsafe {
            if below {
                _mm256_storeu_pd(self.digits.add(8 * m), digit_of(first, &mut self.carry));
                _mm256_storeu_pd(self.digits.add(8 * m + 4), digit_of(second, &mut self.carry));
            } else {
                let at = 2 * (m - self.half);
                _mm256_storeu_si256(self.sums.add(at), first);
                _mm256_storeu_si256(self.sums.add(at + 1), second);
            }
        }
        let zero = _mm256_setzero_si256();
        self.low = [_mm256_add_epi64(low[2], high[1]), high[2], zero];
        self.high = [zero; 3];
        self.before = now;
    }
}
