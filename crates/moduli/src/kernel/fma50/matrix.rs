//! Products by a matrix: the reduction, and operands prepared in the most pieces.
//!
//! A matrix of D rows is stored in blocks of 16 columns, row by row in each; the last block may be narrower. What
//! follows is its correction, Σ row_2k·row_(2k+1) over all columns, as one number.

use alloc::vec;
use core::arch::x86_64::*;
use zeroize::Zeroizing;

use super::{
    columns::{Columns, assert_columns, digits_of, doubles_of},
    constants::Fma50,
    digits::{carried, to_double},
    vector::{Rounding, lift, lowest_lane, pair_starts},
};

/// Vectors of a block.
pub(super) const BLOCK: usize = 4;
/// Words to fetch ahead.
const AHEAD: usize = 128;

/// What is added to a product: columns `first ..` of another one, and a carry in lane 0.
#[derive(Clone, Copy)]
pub(super) struct High {
    pub(super) columns: Columns,
    pub(super) first: usize,
    pub(super) carry: __m256i,
}

/// A product by the last rows of a matrix.
#[derive(Clone, Copy)]
pub(super) struct Task {
    pub(super) out: *mut u64,
    /// The digits to multiply by, zeros up to a whole vector.
    pub(super) x: *const u64,
    /// How many: as many rows count, an even number.
    pub(super) rows: usize,
    pub(super) matrix: *const u64,
    /// For these rows, in doubles; none if the offsets have it.
    pub(super) correction: Option<*const u64>,
    /// What columns begin with.
    pub(super) offsets: *const u64,
    pub(super) high: Option<High>,
}

/// What goes from vector to vector.
struct Between {
    /// High sums, rotated.
    high: __m256i,
    /// Carries, rotated.
    carry: __m256i,
}

impl Fma50 {
    /// `out` ← x·matrix + high, in digits.
    ///
    /// # Safety
    /// The processor has AVX2 and FMA; the task's pointers lead to what it says, `out` to room for a residue.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    pub(super) unsafe fn multiply_matrix(&self, task: &Task) {
        // SAFETY: blocks cover the vectors of a residue.
        unsafe {
            let own = own_products(task.x, task.rows);
            let mut between = Between { high: _mm256_setzero_si256(), carry: _mm256_setzero_si256() };
            for first in (0..self.vectors).step_by(BLOCK) {
                match self.vectors - first {
                    1 => self.multiply_block::<1>(task, first, own, &mut between),
                    2 => self.multiply_block::<2>(task, first, own, &mut between),
                    3 => self.multiply_block::<3>(task, first, own, &mut between),
                    _ => self.multiply_block::<BLOCK>(task, first, own, &mut between),
                }
            }
        }
    }

    /// Vectors `first .. first + V` of a product.
    ///
    /// # Safety
    /// As for [`Fma50::multiply_matrix`]; these vectors are a block.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    unsafe fn multiply_block<const V: usize>(
        &self,
        task: &Task,
        first: usize,
        own: [__m256i; 2],
        between: &mut Between,
    ) {
        let rounding = Rounding::pair();
        let (low, high) = pair_starts(task.rows / 2);
        let (mut low, mut high) = ([_mm256_sub_epi64(low, own[0]); V], [high; V]);
        // SAFETY: the block begins behind D rows of all columns before it; rows have V vectors here.
        unsafe {
            let mut row =
                task.matrix.add(4 * first * self.digits + 4 * V * (self.digits - task.rows)) as *const f64;
            let mut x = task.x as *const f64;
            for _ in 0..task.rows / 2 {
                let (x1, x2) = (_mm256_broadcast_sd(&*x), _mm256_broadcast_sd(&*x.add(1)));
                for v in 0..V {
                    let (y1, y2) = (_mm256_loadu_pd(row.add(4 * v)), _mm256_loadu_pd(row.add(4 * (V + v))));
                    let (left, right) = (_mm256_add_pd(x1, y2), _mm256_add_pd(x2, y1));
                    let product = rounding.multiply(left, right);
                    low[v] = _mm256_add_epi64(low[v], product[0]);
                    high[v] = _mm256_add_epi64(high[v], product[1]);
                }
                // Long matrices do not fit the first-level cache. Beyond the end nothing is read.
                for v in 0..V {
                    _mm_prefetch::<_MM_HINT_T0>(row.wrapping_add(AHEAD + 8 * v) as *const i8);
                }
                x = x.add(2);
                row = row.add(8 * V);
            }
        }
        for v in 0..V {
            // High sums count 2^51.
            let lifted = lift(_mm256_add_epi64(high[v], high[v]), &mut between.high);
            let mut sum = _mm256_add_epi64(low[v], lifted);
            // SAFETY: corrections, offsets, `high` and `out` have a vector for each vector of a residue.
            unsafe {
                if first + v == 0 {
                    sum = _mm256_add_epi64(sum, own[1]);
                }
                if let Some(high) = task.high {
                    sum = _mm256_add_epi64(sum, high.columns.load(high.first + 4 * (first + v)));
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

    /// Rows `D − 1` to 0 of a matrix and its correction: `row` is the first of them, each other one is the one above over
    /// 2^50. `visit` is told the corrections for the last 2, 4, … rows, before their carries.
    pub(super) fn write_matrix(
        &self,
        out: &mut [u64],
        row: &mut [u64],
        mut visit: impl FnMut(usize, &[u128]),
    ) {
        let (digits, words) = (self.digits, self.words());
        let mut sums = Zeroizing::new(vec![0u128; digits]);
        let mut above = Zeroizing::new(row.to_vec());
        for j in (0..digits).rev() {
            for (i, &digit) in row.iter().enumerate() {
                let block = i / (4 * BLOCK) * 4 * BLOCK;
                let width = (words - block).min(4 * BLOCK);
                out[block * digits + j * width + i - block] = to_double(digit);
            }
            if j % 2 == 0 {
                for (sum, (&a, &b)) in sums.iter_mut().zip(row.iter().zip(above.iter())) {
                    *sum += u128::from(a) * u128::from(b);
                }
                visit(digits - j, &sums);
            }
            above.copy_from_slice(row);
            if j > 0 {
                self.shift_down(row);
            }
        }
        write_digits(&mut out[words * digits..], &Zeroizing::new(carried(&sums)));
    }
}

/// Digits as doubles.
pub(super) fn write_digits(out: &mut [u64], digits: &[u64]) {
    for (word, &digit) in out.iter_mut().zip(digits) {
        *word = to_double(digit);
    }
}

/// Σ x_2k·x_(2k+1): what a column takes off, and what the lowest column gets back, in its lane.
///
/// # Safety
/// The processor has AVX2 and FMA; there are `count` digits at `x`, and zeros up to a whole vector.
#[target_feature(enable = "avx2,fma")]
#[inline]
unsafe fn own_products(x: *const u64, count: usize) -> [__m256i; 2] {
    let rounding = Rounding::pair();
    let vectors = count.div_ceil(4);
    let (mut low, mut high) = pair_starts(vectors);
    for v in 0..vectors {
        // SAFETY: x has whole vectors.
        let digits = unsafe { _mm256_loadu_pd(x.add(4 * v) as *const f64) };
        // Both pairs twice, in neighbouring lanes.
        let product = rounding.multiply(digits, _mm256_permute_pd::<5>(digits));
        low = _mm256_add_epi64(low, product[0]);
        high = _mm256_add_epi64(high, product[1]);
    }
    low = _mm256_add_epi64(low, _mm256_permute4x64_epi64::<0x4e>(low));
    high = _mm256_add_epi64(high, _mm256_permute4x64_epi64::<0x4e>(high));
    // High sums count 2^51, in the next column: the lowest has no column below.
    high = _mm256_add_epi64(high, high);
    [_mm256_add_epi64(low, high), lowest_lane(high)]
}
