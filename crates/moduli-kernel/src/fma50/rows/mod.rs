//! Products of rows: four residues side by side, digit j of all of them in vector j.
//!
//! Columns are whole vectors here, so carries run to the end at the price of two additions a column, and digits come out
//! canonical. Blocks of two digits by two are multiplied with their six sums in registers; a block's upper two columns
//! are the lower two of the next. The reduction reads the matrix of the single residue, each digit in all lanes.

mod blocks;
mod columns;

use core::arch::x86_64::*;

use self::{
    blocks::{GROUP, multiply_blocks, multiply_four_columns},
    columns::{ColumnPairs, Parts, all_lanes, digit_of},
};
use super::{
    columns::assert_columns,
    constants::{BIAS_CARRY, Fma50},
    layout::BLOCK,
    vector::Rounding,
};

impl Fma50 {
    /// `x` ← `x·b`, lane by lane.
    ///
    /// # Safety
    /// The processor has AVX2 and FMA; both are rows, `scratch` has three.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    pub(super) unsafe fn multiply_rows(&self, x: *mut u64, b: *const u64, scratch: *mut u64) {
        let rounding = Rounding::single();
        let half = self.digits / 2;
        let (factor, other) = (x as *const __m256d, b as *const __m256d);
        let sums = scratch.wrapping_add(4 * self.digits);
        // SAFETY: pair i of x meets pair m − i of b, which the ranges keep within both.
        unsafe {
            let mut columns = ColumnPairs::new(half, scratch, sums);
            for m in 0..2 * half {
                let (from, to) = ((m + 1).saturating_sub(half), (m + 1).min(half));
                let count = to.saturating_sub(from);
                if count > 0 {
                    let y = other.add(2 * (m - from));
                    multiply_blocks(
                        &rounding,
                        &mut columns.low,
                        &mut columns.high,
                        factor.add(2 * from),
                        y,
                        count,
                    );
                }
                columns.finish(m, Parts { outer: count as u64, inner: 2 * count as u64 });
            }
            self.reduce_rows(x, scratch, sums, columns.carry);
        }
    }

    /// `x` ← `x²`, lane by lane.
    ///
    /// # Safety
    /// The processor has AVX2 and FMA; `x` is a row, `scratch` has three.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    pub(super) unsafe fn square_rows(&self, x: *mut u64, scratch: *mut u64) {
        let rounding = Rounding::single();
        let half = self.digits / 2;
        let factor = x as *const __m256d;
        let sums = scratch.wrapping_add(4 * self.digits);
        let doubled = scratch.wrapping_add(8 * self.digits) as *mut __m256d;
        // SAFETY: pair i of x doubled meets pair m − i of x, which the ranges keep above i and within x.
        unsafe {
            let digit = |j: usize| _mm256_loadu_pd(factor.add(j) as *const f64);
            for j in 0..self.digits {
                _mm256_storeu_pd(doubled.add(j) as *mut f64, _mm256_add_pd(digit(j), digit(j)));
            }
            let mut columns = ColumnPairs::new(half, scratch, sums);
            for m in 0..2 * half {
                let (from, to) = ((m + 1).saturating_sub(half), m.div_ceil(2));
                let count = to.saturating_sub(from);
                let ColumnPairs { low, high, .. } = &mut columns;
                if count > 0 {
                    let y = factor.add(2 * (m - from));
                    multiply_blocks(&rounding, low, high, doubled.add(2 * from), y, count);
                }
                let mut parts = Parts { outer: count as u64, inner: 2 * count as u64 };
                if m % 2 == 0 {
                    // Pair m/2 meets itself.
                    let (x0, x1) = (digit(m), digit(m + 1));
                    for (place, left, right) in [(0, x0, x0), (1, _mm256_add_pd(x0, x0), x1), (2, x1, x1)] {
                        let product = rounding.multiply(left, right);
                        low[place] = _mm256_add_epi64(low[place], product[0]);
                        high[place] = _mm256_add_epi64(high[place], product[1]);
                    }
                    parts = Parts { outer: parts.outer + 1, inner: parts.inner + 1 };
                }
                columns.finish(m, parts);
            }
            self.reduce_rows(x, scratch, sums, columns.carry);
        }
    }

    /// `out` ← t·matrix of the reduction + `high`, in canonical digits; `carry`, of the biased digits t, goes into the first
    /// sum.
    ///
    /// # Safety
    /// The processor has AVX2 and FMA; `t` is a row of canonical digits, `high` as many vectors of sums, and `out` has
    /// room for a row.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    unsafe fn reduce_rows(&self, out: *mut u64, t: *const u64, high: *const u64, carry: __m256i) {
        let rounding = Rounding::canonical_pair();
        let (t, zero) = (t as *const __m256d, _mm256_setzero_si256());
        let pairs = self.digits / 2;
        // Σ t_2k·t_(2k+1), low and high parts: what every column takes off, constants included.
        let (mut own_low, mut own_high) = (zero, zero);
        for k in 0..pairs {
            // SAFETY: t has D vectors.
            let (left, right) = unsafe {
                let t = t.add(2 * k) as *const f64;
                (_mm256_loadu_pd(t), _mm256_loadu_pd(t.add(4)))
            };
            let product = rounding.multiply(left, right);
            own_low = _mm256_add_epi64(own_low, product[0]);
            own_high = _mm256_add_epi64(own_high, product[1]);
        }
        let own = _mm256_add_epi64(own_low, own_high);
        let offsets = &self.fold_offsets[self.words() * (self.vectors - 1)..][..self.words()];
        let mut carry = _mm256_sub_epi64(carry, all_lanes(BIAS_CARRY));
        // Column `j` is complete: its digit.
        let mut finish = |j: usize, sum: __m256i| {
            // SAFETY: column j is below D.
            unsafe {
                let high = _mm256_loadu_si256((high as *const __m256i).add(j));
                let sum = _mm256_add_epi64(_mm256_sub_epi64(sum, own), high);
                assert_columns(sum);
                let column = _mm256_add_epi64(sum, all_lanes(offsets[j]));
                _mm256_storeu_pd((out as *mut f64).add(4 * j), digit_of(column, &mut carry));
            }
        };
        // The lowest column has no column below, whose high parts it would get.
        let mut below = own_high;
        for first in (0..self.digits).step_by(GROUP) {
            let (block, within) = (first / (4 * BLOCK) * 4 * BLOCK, first % (4 * BLOCK));
            let width = (self.words() - block).min(4 * BLOCK);
            let row = (self.fold.as_ptr() as *const f64).wrapping_add(block * self.digits + within);
            let mut sums = [below, zero, zero, zero, zero];
            // SAFETY: rows have four columns from each `first` on, zeros past D; t has D vectors.
            unsafe { multiply_four_columns(&rounding, &mut sums, t, row, 8 * width, pairs) };
            // D is even.
            finish(first, sums[0]);
            finish(first + 1, sums[1]);
            if first + 2 < self.digits {
                finish(first + 2, sums[2]);
                finish(first + 3, sums[3]);
            }
            below = sums[GROUP];
        }
    }
}
