//! Products by a matrix: the reduction, and operands prepared in the most pieces.

use core::arch::wasm32::*;

use super::{
    columns::assert_columns,
    vector::{Digits, Rounding, broadcast, lift, load, pair_starts, store},
};
use crate::fma50::{constants::Fma50, digits::DIGIT_BITS, layout::BLOCK, task::Task};

/// A product in progress, computed from the lowest vector up. The types tell whether it has a correction and
/// `high`.
struct Product<'a, const CORRECTED: bool, const RAISED: bool> {
    task: &'a Task<v128>,
    rounding: Rounding,
    digits: Digits,
    /// The next column.
    column: usize,
    /// The high sums of the previous vector.
    high: v128,
    carry: v128,
}

impl<const CORRECTED: bool, const RAISED: bool> Product<'_, CORRECTED, RAISED> {
    /// Computes `N` vectors. The first row is at `row`, and each row is `stride` words after the one before
    /// it.
    ///
    /// # Safety
    /// There are so many vectors, and the pointers of the task lead to what it says.
    #[inline(always)]
    unsafe fn multiply<const N: usize>(&mut self, mut row: *const u64, stride: usize) {
        let (low, high) = pair_starts(self.task.rows / 2);
        let (mut low, mut high) = ([low; N], [high; N]);
        let mut x = self.task.x;
        let end = x.wrapping_add(self.task.rows);
        while x != end {
            // SAFETY: there are so many digits, and a row for each.
            unsafe {
                let (x1, x2) = (broadcast(x), broadcast(x.add(1)));
                let next = row.add(stride);
                for v in 0..N {
                    let (y1, y2) = (load(row.add(2 * v)), load(next.add(2 * v)));
                    let sums = (&mut low[v], &mut high[v]);
                    self.rounding.add_product(f64x2_add(x1, y2), f64x2_add(x2, y1), sums);
                }
                x = x.add(2);
                row = next.add(stride);
            }
        }
        for v in 0..N {
            // High sums are multiples of 2^51.
            // SAFETY: as the caller says.
            unsafe { self.push(low[v], i64x2_add(high[v], high[v])) }
        }
    }

    /// Completes the next vector of the result.
    ///
    /// # Safety
    /// Corrections, offsets, `high` and `out` have a word for each of its columns.
    #[inline(always)]
    unsafe fn push(&mut self, low: v128, high: v128) {
        let task = self.task;
        let mut sum = i64x2_add(i64x2_sub(low, task.own.all), lift(high, &mut self.high));
        // SAFETY: as the caller says.
        unsafe {
            if RAISED && let Some(high) = task.high {
                sum = i64x2_add(sum, load(high.columns.add(self.column)));
            }
            assert_columns(sum);
            if CORRECTED && let Some(correction) = task.correction {
                sum = i64x2_sub(sum, self.digits.bits_of(load(correction.add(self.column))));
            }
            let biased = i64x2_add(sum, load(task.offsets.add(self.column)));
            store(task.out.add(self.column), self.digits.of(biased, &mut self.carry));
        }
        self.column += 2;
    }
}

impl Fma50 {
    /// `out` ← x·matrix + high, in digits.
    ///
    /// # Safety
    /// The task's pointers lead to what it says, `out` to room for a residue; it has a correction, and
    /// `high`, if the types say so.
    #[inline(always)]
    pub(super) unsafe fn multiply_matrix<const CORRECTED: bool, const RAISED: bool>(
        &self,
        task: &Task<v128>,
    ) {
        // The lowest column has no column below, which would add to it. It gets these values here: the high
        // parts of `own`, and the carry.
        let mut lowest = task.own.lowest;
        if RAISED && let Some(high) = task.high {
            lowest = i64x2_add(lowest, high.carry);
        }
        let mut product = Product::<CORRECTED, RAISED> {
            task,
            rounding: Rounding::pair(),
            digits: Digits::new(),
            column: 0,
            high: i64x2_shuffle::<0, 0>(lowest, lowest),
            carry: i64x2_splat(0),
        };
        // Rows are below N, so they are zero above its digits.
        let (words, filled) = (self.words(), 2 * (self.top_bit + 2).div_ceil(2 * DIGIT_BITS));
        for block in (0..filled).step_by(4 * BLOCK) {
            let stride = (words - block).min(4 * BLOCK);
            // SAFETY: the block begins behind D rows of all columns before it; rows have `stride` columns
            // here.
            unsafe {
                let row = task.matrix.add(block * self.digits + stride * (self.digits - task.rows));
                let end = filled.min(block + stride);
                while product.column < end {
                    let row = row.add(product.column - block);
                    // Engines have enough registers for the sums of four vectors.
                    match (end - product.column) / 2 {
                        1 => product.multiply::<1>(row, stride),
                        2 => product.multiply::<2>(row, stride),
                        3 | 5 | 6 => product.multiply::<3>(row, stride),
                        _ => product.multiply::<4>(row, stride),
                    }
                }
            }
        }
        // In these columns, the product of a pair of rows is that of `own`.
        while product.column < words {
            // SAFETY: as the caller says.
            unsafe { product.push(i64x2_sub(task.own.all, task.own.lowest), task.own.lowest) }
        }
    }
}
