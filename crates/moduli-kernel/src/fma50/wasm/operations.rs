//! Products and squares of residues: their columns, and the reduction.

use core::arch::wasm32::*;

use super::{
    columns::{OwnSums, low_digits},
    product::{convolve, square_columns},
    vector::{load, store},
};
use crate::fma50::{
    constants::Fma50,
    task::{High, Task},
};

impl Fma50 {
    /// The groups of four digits in a part of the other factor, for an operand in `split` pieces.
    #[inline]
    pub(in crate::fma50) fn groups(&self, split: usize) -> usize {
        self.vectors.div_ceil(split)
    }

    /// The words of the columns of a product.
    fn column_words(&self) -> usize {
        4 * (2 * self.vectors + 1)
    }

    /// `x` ← `x·b`, for b in `count` pieces.
    ///
    /// # Safety
    /// `x` is a residue, `pieces` are `count` of them, `scratch` is long enough.
    pub(in crate::fma50) unsafe fn multiply_residue(
        &self,
        x: *mut u64,
        pieces: *const u64,
        count: usize,
        scratch: *mut u64,
    ) {
        let rows = self.digits.min(4 * self.groups(count));
        // SAFETY: count·rows ≥ digits, or there is one piece.
        unsafe {
            convolve(scratch, x, pieces, (self.digits / 2, rows / 2, self.words()));
            self.reduce(x, scratch, rows);
        }
    }

    /// `x` ← `x²`.
    ///
    /// # Safety
    /// `x` is a residue, `scratch` is long enough.
    pub(in crate::fma50) unsafe fn square_residue(&self, x: *mut u64, scratch: *mut u64) {
        // SAFETY: the scratch space has room for columns and two residues behind them; the last digits of x
        // doubled and zeros end there, and nobody needs them when the digits of the low columns are
        // written.
        unsafe {
            let doubled = scratch.add(self.column_words() + self.words() - 2);
            for pair in 0..self.digits / 2 {
                let digits = load(x.add(2 * pair));
                store(doubled.add(2 * pair), f64x2_add(digits, digits));
            }
            store(doubled.add(self.digits), f64x2_splat(0.0));
            square_columns(scratch, x, doubled, self.digits / 2);
            self.reduce(x, scratch, self.digits);
        }
    }

    /// `x` ← the value of the columns at `scratch`, after reducing the lowest `rows` of them.
    ///
    /// # Safety
    /// The columns are there, and behind all that there may be room for the digits of `rows` of them; `x` has
    /// room for a residue.
    #[inline]
    unsafe fn reduce(&self, x: *mut u64, scratch: *mut u64, rows: usize) {
        // SAFETY: the matrix and its corrections are as long as the modulus asks for.
        unsafe {
            let t = scratch.add(self.column_words());
            let low = low_digits(scratch, t, rows / 2);
            self.multiply_matrix::<false, true>(&Task {
                out: x,
                x: t,
                rows,
                own: low.own,
                matrix: self.fold.as_ptr(),
                correction: None,
                offsets: self.fold_offsets.as_ptr().add(self.words() * (rows.div_ceil(4) - 1)),
                high: Some(High { columns: scratch.add(rows), carry: low.carry }),
            });
        }
    }

    /// `x` ← `x·matrix`.
    ///
    /// # Safety
    /// `x` is a residue, `matrix` is one, `scratch` is long enough.
    pub(in crate::fma50) unsafe fn multiply_prepared(
        &self,
        x: *mut u64,
        matrix: *const u64,
        scratch: *mut u64,
    ) {
        // SAFETY: a residue fits the scratch space; the correction follows D rows.
        unsafe {
            core::ptr::copy_nonoverlapping(x, scratch, self.words());
            self.multiply_matrix::<true, false>(&Task {
                out: x,
                x: scratch,
                rows: self.digits,
                own: OwnSums::of(scratch, self.digits / 2),
                matrix,
                correction: Some(matrix.add(self.words() * self.digits)),
                offsets: self.offsets.as_ptr(),
                high: None,
            });
        }
    }

    /// `out` ← a·R^(−1), below D·2^51·N except for the multiple that is added to every result.
    ///
    /// # Safety
    /// `a` is a residue, and `out` has room for one.
    pub(in crate::fma50) unsafe fn reduce_alone(&self, out: *mut u64, a: *const u64) {
        // SAFETY: the matrix and its corrections are as long as the modulus asks for.
        unsafe {
            self.multiply_matrix::<false, false>(&Task {
                out,
                x: a,
                rows: self.digits,
                own: OwnSums::of(a, self.digits / 2),
                matrix: self.fold.as_ptr(),
                correction: None,
                offsets: self.fold_offsets.as_ptr().add(self.words() * (self.vectors - 1)),
                high: None,
            });
        }
    }
}
