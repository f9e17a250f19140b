//! The contract of kernels with lanes: several independent products at once, one in each lane.
//!
//! A *row* holds one residue of the kernel in each lane, interleaved in a way that only the kernel knows. A
//! product of rows takes longer than one product of residues, but less time than one product per lane.

use crate::places::Places;

/// Arithmetic on rows. All methods are constant-time; `scratch` has at least [`Lanes::scratch_words`] words.
pub trait Lanes: Send + Sync {
    /// The places of its constants, for proofs.
    fn places(&self) -> Places {
        Places::default()
    }

    /// Residues in a row.
    fn lanes(&self) -> usize;

    /// The number of residues from which a row is faster than the residues one by one; at most
    /// [`Lanes::lanes`].
    fn enough(&self) -> usize;

    /// The number of entries that each square of [`square_and_select`](Self::square_and_select) also reads,
    /// at almost no cost.
    fn looked_at(&self) -> usize {
        0
    }

    /// 64-bit words of a row.
    fn row_words(&self) -> usize;

    /// Words that `mul` and `square` need as `scratch`.
    fn scratch_words(&self) -> usize;

    /// Puts a residue into a lane of `row`.
    fn put(&self, row: &mut [u64], lane: usize, residue: &[u64]);

    /// `residue` ← the residue in a lane of `row`.
    fn take(&self, residue: &mut [u64], row: &[u64], lane: usize);

    /// `x` ← `x·b`, lane by lane.
    fn mul(&self, x: &mut [u64], b: &[u64], scratch: &mut [u64]);

    /// `x` ← `x²`, lane by lane.
    fn square(&self, x: &mut [u64], scratch: &mut [u64]);

    /// For each lane, copies into `out` that lane of a row of `table`. The lane's index in `indices` selects
    /// the row. All rows are read. An index past the table gives zero words. The rows of `table` are
    /// consecutive.
    fn select(&self, out: &mut [u64], table: &[u64], indices: &[u64]);

    /// `x` ← `x^(2^times)`, and sets `out` as [`select`](Self::select) does. A kernel may do the look-up
    /// while it squares.
    fn square_and_select(
        &self,
        (x, times): (&mut [u64], u32),
        (out, table, indices): (&mut [u64], &[u64], &[u64]),
        scratch: &mut [u64],
    ) {
        (0..times).for_each(|_| self.square(x, scratch));
        self.select(out, table, indices);
    }

    /// For each lane of each row of `out`, copies a residue into the lane. The lane's index in `indices`
    /// selects it: entry 0 is `first`, and entry i is the i-th of `entries`. All entries are read. An index
    /// past the last one gives zero words. The rows of `out` are consecutive.
    fn look_up(&self, out: &mut [u64], first: &[u64], entries: &[u64], indices: &[u64]);
}
