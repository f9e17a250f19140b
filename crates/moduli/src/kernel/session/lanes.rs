//! Rows of residues at work.

use super::super::{
    lanes::Lanes,
    observer::{Observer, Operation, observed},
    words::Words,
};

/// A kernel's lanes, their scratch space and who observes them. Wiped on drop.
///
/// The methods are those of [`Lanes`], and as constant-time.
pub(crate) struct LaneSession<'a> {
    lanes: &'a dyn Lanes,
    scratch: Words,
    observer: Option<&'a dyn Observer>,
}

impl<'a> LaneSession<'a> {
    pub(crate) fn new(lanes: &'a dyn Lanes, observer: Option<&'a dyn Observer>) -> Self {
        Self { lanes, scratch: Words::zero(lanes.scratch_words()), observer }
    }

    /// Residues in a row.
    pub(crate) fn lanes(&self) -> usize {
        self.lanes.lanes()
    }

    /// From how many residues on a row takes less time than they do one by one.
    pub(crate) fn enough(&self) -> usize {
        self.lanes.enough()
    }

    /// Words of a row.
    pub(crate) fn row_words(&self) -> usize {
        self.lanes.row_words()
    }

    /// Room for a row, all zero.
    pub(crate) fn row(&self) -> Words {
        Words::zero(self.lanes.row_words())
    }

    /// [`Lanes::put`].
    pub(crate) fn put(&self, row: &mut [u64], lane: usize, residue: &[u64]) {
        observed!(self, Operation::Put, [row, residue, &[]], self.lanes.put(row, lane, residue));
    }

    /// [`Lanes::take`].
    pub(crate) fn take(&self, residue: &mut [u64], row: &[u64], lane: usize) {
        observed!(self, Operation::Take, [residue, row, &[]], self.lanes.take(residue, row, lane), residue);
    }

    /// [`Lanes::mul`].
    pub(crate) fn mul(&mut self, x: &mut [u64], b: &[u64]) {
        observed!(self, Operation::MulLanes, [x, b, &self.scratch], self.lanes.mul(x, b, &mut self.scratch));
    }

    /// [`Lanes::square`].
    pub(crate) fn square(&mut self, x: &mut [u64]) {
        observed!(
            self,
            Operation::SquareLanes,
            [x, &self.scratch, &[]],
            self.lanes.square(x, &mut self.scratch)
        );
    }

    /// [`Lanes::select`].
    pub(crate) fn select(&self, out: &mut [u64], table: &[u64], indices: &[u64]) {
        observed!(
            self,
            Operation::SelectLanes,
            [out, table, indices],
            self.lanes.select(out, table, indices)
        );
    }

    /// [`Lanes::look_up`].
    pub(crate) fn look_up(&self, out: &mut [u64], first: &[u64], entries: &[u64], indices: &[u64]) {
        observed!(
            self,
            Operation::LookUpLanes,
            [out, first, entries],
            self.lanes.look_up(out, first, entries, indices)
        );
    }
}
