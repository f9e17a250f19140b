//! The layout of residues and matrices in memory.
//!
//! A matrix of D rows is stored in blocks of 16 columns, each row by row; the last block may be narrower.
//! After the blocks follows the correction of the matrix, Σ row_2k·row_(2k+1) over all columns, as one
//! number.

use alloc::vec;
use zeroize::Zeroizing;

use super::{
    constants::Fma50,
    digits::{carried, to_double},
};

/// The vectors in a block, of four columns each.
pub(super) const BLOCK: usize = 4;

impl Fma50 {
    /// Writes rows `D − 1` to 0 of a matrix, and its correction. `row` is row `D − 1`; each other row is the
    /// one above it divided by 2^50 modulo N. Calls `visit` with the corrections for the last 2, 4, … rows,
    /// before carries.
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

/// Writes digits as doubles.
pub(super) fn write_digits(out: &mut [u64], digits: &[u64]) {
    for (word, &digit) in out.iter_mut().zip(digits) {
        *word = to_double(digit);
    }
}
