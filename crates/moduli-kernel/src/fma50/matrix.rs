//! Products by a matrix: the reduction, and operands prepared in the most pieces.
//!
//! The module `layout` describes how a matrix is stored.

use core::arch::x86_64::*;

use super::{
    columns::{assert_columns, digits_of, doubles_of},
    constants::Fma50,
    layout::BLOCK,
    task::Task,
    vector::{Rounding, known, lift, pair_starts},
};

/// How many words ahead to prefetch.
const AHEAD: usize = 128;
/// The part of the first-level cache that is available for a matrix.
const NEAR_BYTES: usize = 24 << 10;

/// The state that a vector passes to the next one.
struct Between {
    /// The high sums, rotated.
    high: __m256i,
    /// The carries, rotated.
    carry: __m256i,
}

impl Fma50 {
    /// `out` ← x·matrix + high, in digits, for residues of `V` vectors, or, if `V` is 0, of any number. There
    /// is only one call for each `V` and `CALL`, so that the compiler inlines it.
    ///
    /// # Safety
    /// The processor has AVX2 and FMA; the task's pointers lead to what it says, `out` to room for a residue.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    pub(super) unsafe fn multiply_matrix<const V: usize, const CALL: usize>(&self, task: &Task<__m256i>) {
        let vectors = known::<V>(self.vectors);
        // A larger matrix does not stay in the first-level cache.
        let far = V == 0 && 32 * vectors * task.rows > NEAR_BYTES;
        let mut between = Between { high: _mm256_setzero_si256(), carry: _mm256_setzero_si256() };
        // SAFETY: blocks cover the vectors of a residue.
        unsafe {
            if const { V > 0 } {
                macro_rules! block {
                    ($place:literal) => {
                        match const { V.saturating_sub(BLOCK * $place) } {
                            0 => {}
                            1 => self.multiply_block::<1, V, $place, CALL, false>(
                                task,
                                BLOCK * $place,
                                &mut between,
                            ),
                            2 => self.multiply_block::<2, V, $place, CALL, false>(
                                task,
                                BLOCK * $place,
                                &mut between,
                            ),
                            3 => self.multiply_block::<3, V, $place, CALL, false>(
                                task,
                                BLOCK * $place,
                                &mut between,
                            ),
                            _ => self.multiply_block::<BLOCK, V, $place, CALL, false>(
                                task,
                                BLOCK * $place,
                                &mut between,
                            ),
                        }
                    };
                }
                block!(0);
                block!(1);
                block!(2);
                return;
            }
            for first in (0..vectors).step_by(BLOCK) {
                match vectors - first {
                    1 => self.multiply_block::<1, V, 0, CALL, false>(task, first, &mut between),
                    2 => self.multiply_block::<2, V, 0, CALL, false>(task, first, &mut between),
                    3 => self.multiply_block::<3, V, 0, CALL, false>(task, first, &mut between),
                    _ if far => self.multiply_block::<BLOCK, V, 0, CALL, true>(task, first, &mut between),
                    _ => self.multiply_block::<BLOCK, V, 0, CALL, false>(task, first, &mut between),
                }
            }
        }
    }

    /// Vectors `first .. first + W` of a product. `FAR` tells whether to prefetch the matrix.
    ///
    /// # Safety
    /// As for [`Fma50::multiply_matrix`]; these vectors are a block.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    unsafe fn multiply_block<
        const W: usize,
        const V: usize,
        const PLACE: usize,
        const CALL: usize,
        const FAR: bool,
    >(
        &self,
        task: &Task<__m256i>,
        first: usize,
        between: &mut Between,
    ) {
        let rounding = Rounding::pair();
        let (low, high) = pair_starts(task.rows / 2);
        let (mut low, mut high) = ([low; W], [high; W]);
        // SAFETY: the block begins behind D rows of all columns before it; rows have W vectors here.
        unsafe {
            let mut row =
                task.matrix.add(4 * first * self.digits + 4 * W * (self.digits - task.rows)) as *const f64;
            let mut x = task.x as *const f64;
            for _ in 0..task.rows / 2 {
                let (x1, x2) = (_mm256_broadcast_sd(&*x), _mm256_broadcast_sd(&*x.add(1)));
                for v in 0..W {
                    let (y1, y2) = (_mm256_loadu_pd(row.add(4 * v)), _mm256_loadu_pd(row.add(4 * (W + v))));
                    let (left, right) = (_mm256_add_pd(x1, y2), _mm256_add_pd(x2, y1));
                    let product = rounding.multiply(left, right);
                    low[v] = _mm256_add_epi64(low[v], product[0]);
                    high[v] = _mm256_add_epi64(high[v], product[1]);
                }
                // Prefetching beyond the end is allowed: it reads nothing.
                if FAR {
                    for v in 0..W {
                        _mm_prefetch::<_MM_HINT_T0>(row.wrapping_add(AHEAD + 8 * v) as *const i8);
                    }
                }
                x = x.add(2);
                row = row.add(8 * W);
            }
        }
        for v in 0..W {
            // High sums are multiples of 2^51.
            let lifted = lift(_mm256_add_epi64(high[v], high[v]), &mut between.high);
            // Subtracted late, because `own` is complete only after the digits, and products need not wait
            // for it.
            let mut sum = _mm256_add_epi64(_mm256_sub_epi64(low[v], task.own.all), lifted);
            // SAFETY: corrections, offsets, `high` and `out` have a vector for each vector of a residue.
            unsafe {
                if first + v == 0 {
                    sum = _mm256_add_epi64(sum, task.own.lowest);
                }
                if let Some(high) = task.high {
                    let columns = high.columns.add(4 * (first + v));
                    sum = _mm256_add_epi64(sum, _mm256_loadu_si256(columns as *const __m256i));
                    if first + v == 0 {
                        sum = _mm256_add_epi64(sum, high.carry);
                    }
                }
                assert_columns(sum);
                let at = 4 * (first + v);
                if let Some(correction) = task.correction {
                    let two_52 = _mm256_set1_pd((1u64 << 52) as f64);
                    let correction = _mm256_add_pd(_mm256_loadu_pd(correction.add(at) as *const f64), two_52);
                    sum = _mm256_sub_epi64(sum, _mm256_castpd_si256(correction));
                }
                let offsets = _mm256_loadu_si256(task.offsets.add(at) as *const __m256i);
                let digits = digits_of(_mm256_add_epi64(sum, offsets), &mut between.carry);
                _mm256_storeu_pd(task.out.add(at) as *mut f64, doubles_of(digits));
            }
        }
    }
}
