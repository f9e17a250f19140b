//! Products of rows: four residues side by side. Vector j has digit j of all of them.
//!
//! Here columns are whole vectors. So carries propagate to the end for two additions per column, and digits
//! are canonical. Blocks of two digits by two are multiplied with their six sums in registers; the upper two
//! columns of a block are the lower two of the next block. The reduction uses the matrix of the single
//! residue, and broadcasts each digit to all lanes.

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
                    // Pair m/2 is multiplied by itself.
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

    /// `out` ← t·matrix of the reduction + `high`, in canonical digits. `carry`, from the biased digits t, is
    /// added to the first sum.
    ///
    /// # Safety
    /// The processor has AVX2 and FMA; `t` is a row of canonical digits, `high` as many vectors of sums, and
    /// `out` has room for a row.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    unsafe fn reduce_rows(&self, out: *mut u64, t: *const u64, high: *const u64, carry: __m256i) {
        let rounding = Rounding::canonical_pair();
        let (t, zero) = (t as *const __m256d, _mm256_setzero_si256());
        let pairs = self.digits / 2;
        // The low and high parts of Σ t_2k·t_(2k+1), which are subtracted from every column, constants
        // included.
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
        // Completes column `j`, and stores its digit.
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
        // The lowest column has no column below, whose high parts would be added to it.
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
