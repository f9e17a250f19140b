//! Sessions on rows of residues.

use super::super::{
    lanes::Lanes,
    observer::{Observer, Operation, observed, observed_rows},
    words::Words,
};

/// A kernel's lanes, with their scratch space and an observer. Wiped on drop.
///
/// A *row* holds one residue in each lane, interleaved in a way that only the kernel knows. All methods are
/// constant-time.
pub struct LaneSession<'a> {
    lanes: &'a dyn Lanes,
    scratch: Words,
    observer: Option<&'a dyn Observer>,
}

impl<'a> LaneSession<'a> {
    #[inline]
    pub(crate) fn new(lanes: &'a dyn Lanes, observer: Option<&'a dyn Observer>) -> Self {
        Self { lanes, scratch: Words::zero(lanes.scratch_words()), observer }
    }

    /// Residues in a row.
    #[inline]
    pub fn lanes(&self) -> usize {
        self.lanes.lanes()
    }

    /// The number of residues from which a row is faster than processing them one by one.
    #[inline]
    pub fn enough(&self) -> usize {
        self.lanes.enough()
    }

    /// The number of entries that each square of [`square_and_select`](Self::square_and_select) also reads,
    /// at almost no cost.
    #[inline]
    pub fn looked_at(&self) -> usize {
        self.lanes.looked_at()
    }

    /// Words of a row.
    #[inline]
    pub fn row_words(&self) -> usize {
        self.lanes.row_words()
    }

    /// Space for a row, all zero.
    #[inline]
    pub fn row(&self) -> Words {
        Words::zero(self.lanes.row_words())
    }

    /// Puts a residue into a lane of `row`.
    #[inline]
    pub fn put(&self, row: &mut [u64], lane: usize, residue: &[u64]) {
        observed_rows!(
            self,
            Operation::Put { lane },
            [row, residue, &[]],
            self.lanes.put(row, lane, residue),
            row
        );
    }

    /// `residue` ← the residue in a lane of `row`.
    #[inline]
    pub fn take(&self, residue: &mut [u64], row: &[u64], lane: usize) {
        observed!(
            self,
            Operation::Take { lane },
            [residue, row, &[]],
            self.lanes.take(residue, row, lane),
            residue
        );
    }

    /// `x` ← `x·b`, lane by lane.
    #[inline]
    pub fn mul(&mut self, x: &mut [u64], b: &[u64]) {
        observed_rows!(
            self,
            Operation::MulLanes,
            [x, b, &self.scratch],
            self.lanes.mul(x, b, &mut self.scratch),
            x
        );
    }

    /// `x` ← `x²`, lane by lane.
    #[inline]
    pub fn square(&mut self, x: &mut [u64]) {
        observed_rows!(
            self,
            Operation::SquareLanes,
            [x, &self.scratch, &[]],
            self.lanes.square(x, &mut self.scratch),
            x
        );
    }

    /// For each lane, copies into `out` that lane of a row of `table`. The lane's index in `indices` selects
    /// the row. All rows are read. An index past the table gives zero words. The rows of `table` are
    /// consecutive.
    #[inline]
    pub fn select(&self, out: &mut [u64], table: &[u64], indices: &[u64]) {
        observed_rows!(
            self,
            Operation::SelectLanes,
            [out, table, indices],
            self.lanes.select(out, table, indices),
            out
        );
    }

    /// `x` ← `x^(2^times)`, and sets `out` as [`select`](Self::select) does. This takes less time than two
    /// calls.
    #[inline]
    pub fn square_and_select(
        &mut self,
        (x, times): (&mut [u64], u32),
        (out, table, indices): (&mut [u64], &[u64], &[u64]),
    ) {
        observed_rows!(
            self,
            Operation::SquareAndSelectLanes { times },
            [x, out, table],
            self.lanes.square_and_select((x, times), (out, table, indices), &mut self.scratch),
            x,
            out
        );
    }

    /// For each lane of each row of `out`, copies a residue into the lane. The lane's index in `indices`
    /// selects it: entry 0 is `first`, and entry i is the i-th of `entries`. All entries are read. An index
    /// past the last one gives zero words. The rows of `out` are consecutive.
    #[inline]
    pub fn look_up(&self, out: &mut [u64], first: &[u64], entries: &[u64], indices: &[u64]) {
        observed_rows!(
            self,
            Operation::LookUpLanes,
            [out, first, entries],
            self.lanes.look_up(out, first, entries, indices),
            out
        );
    }
}
