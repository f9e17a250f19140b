//! Products by a matrix: the reduction, and operands prepared in the most pieces.

use core::arch::wasm32::*;

use super::{
    columns::assert_columns,
    vector::{Rounding, broadcast, digits_of, doubles_of, lift, load, pair_starts, store},
};
use crate::fma50::{constants::Fma50, layout::BLOCK, task::Task};

/// What goes from vector to vector.
struct Between {
    high: v128,
    carry: v128,
}

/// Where a strip of columns stands.
struct Strip {
    /// Its first row.
    row: *const u64,
    /// Words from row to row.
    stride: usize,
    /// Its first column.
    column: usize,
}

impl Fma50 {
    /// `out` ← x·matrix + high, in digits.
    ///
    /// # Safety
    /// The task's pointers lead to what it says, `out` to room for a residue.
    pub(super) unsafe fn multiply_matrix(&self, task: &Task<v128>) {
        let mut between = Between { high: i64x2_splat(0), carry: i64x2_splat(0) };
        let words = self.words();
        for block in (0..words).step_by(4 * BLOCK) {
            let stride = (words - block).min(4 * BLOCK);
            // SAFETY: the block begins behind D rows of all columns before it; rows have `stride` columns here.
            unsafe {
                let row = task.matrix.add(block * self.digits + stride * (self.digits - task.rows));
                let mut at = 0;
                while at < stride {
                    let strip = Strip { row: row.add(at), stride, column: block + at };
                    if stride - at >= 8 {
                        multiply_strip::<4>(task, &strip, &mut between);
                        at += 8;
                    } else {
                        multiply_strip::<2>(task, &strip, &mut between);
                        at += 4;
                    }
                }
            }
        }
    }
}

/// `N` vectors of a product.
///
/// # Safety
/// As for [`Fma50::multiply_matrix`]; the strip has so many vectors.
#[inline(always)]
unsafe fn multiply_strip<const N: usize>(task: &Task<v128>, strip: &Strip, between: &mut Between) {
    let rounding = Rounding::pair();
    let (low, high) = pair_starts(task.rows / 2);
    let (mut low, mut high) = ([low; N], [high; N]);
    let (mut row, mut x) = (strip.row, task.x);
    for _ in 0..task.rows / 2 {
        // SAFETY: there are so many digits, and a row for each.
        unsafe {
            let (x1, x2) = (broadcast(x), broadcast(x.add(1)));
            let next = row.add(strip.stride);
            for v in 0..N {
                let (y1, y2) = (load(row.add(2 * v)), load(next.add(2 * v)));
                let product = rounding.multiply(f64x2_add(x1, y2), f64x2_add(x2, y1));
                low[v] = i64x2_add(low[v], product[0]);
                high[v] = i64x2_add(high[v], product[1]);
            }
            x = x.add(2);
            row = next.add(strip.stride);
        }
    }
    for v in 0..N {
        let column = strip.column + 2 * v;
        // High sums count 2^51.
        let lifted = lift(i64x2_add(high[v], high[v]), &mut between.high);
        let mut sum = i64x2_add(i64x2_sub(low[v], task.own.all), lifted);
        // SAFETY: corrections, offsets, `high` and `out` have a word for each column.
        unsafe {
            if column == 0 {
                sum = i64x2_add(sum, task.own.lowest);
            }
            if let Some(high) = task.high {
                sum = i64x2_add(sum, load(high.columns.add(column)));
                if column == 0 {
                    sum = i64x2_add(sum, high.carry);
                }
            }
            assert_columns(sum);
            if let Some(correction) = task.correction {
                let two_52 = f64x2_splat((1u64 << 52) as f64);
                sum = i64x2_sub(sum, f64x2_add(load(correction.add(column)), two_52));
            }
            let offsets = load(task.offsets.add(column));
            let digits = digits_of(i64x2_add(sum, offsets), &mut between.carry);
            store(task.out.add(column), doubles_of(digits));
        }
    }
}
