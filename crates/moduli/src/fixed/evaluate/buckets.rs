//! Buckets, in which the residue methods collect digits of one residue.

use super::{accumulator::Accumulator, table::Table};
use crate::kernel::{Kernel, prefetch_vartime};

/// Buckets under masks, for the constant-time forms of the two residue methods.
pub(super) struct MaskedBuckets<'a> {
    pub(super) kernel: &'a dyn Kernel,
    pub(super) buckets: &'a mut [u64],
    pub(super) residue: &'a mut [u64],
}

impl MaskedBuckets<'_> {
    /// All buckets 1.
    pub(super) fn clear(&mut self) {
        for bucket in self.buckets.chunks_exact_mut(self.residue.len()) {
            bucket.copy_from_slice(self.kernel.one());
        }
    }

    /// bucket[index] *= a prepared entry; all buckets are read and written.
    pub(super) fn multiply(&mut self, index: u64, table: &Table<'_>, entry: &[u64], scratch: &mut [u64]) {
        let (first, rest) = self.buckets.split_at(self.residue.len());
        self.kernel.select(self.residue, first, rest, index);
        self.kernel.mul_prepared(self.residue, entry, table.split, scratch);
        self.kernel.replace(self.buckets, self.residue, index);
    }
}

/// Buckets of which some are empty, for the public forms.
pub(super) struct FilledBuckets<'a> {
    pub(super) table: Table<'a>,
    pub(super) buckets: &'a mut [u64],
    /// Which of them hold something.
    pub(super) filled: &'a mut [bool],
    /// Words of one.
    pub(super) size: usize,
    /// A product that waits for its entry, which has been asked for: bucket and entry.
    pub(super) pending: Option<(usize, usize)>,
}

impl FilledBuckets<'_> {
    /// bucket[index] *= entry `entry` of the table, with the next product or by [`FilledBuckets::finish`].
    pub(super) fn multiply_vartime(&mut self, index: usize, entry: usize, scratch: &mut [u64]) {
        prefetch_vartime(self.table.entries(entry, 1));
        self.finish(scratch);
        self.pending = Some((index, entry));
    }

    /// The product that waits.
    pub(super) fn finish(&mut self, scratch: &mut [u64]) {
        let Some((index, entry)) = self.pending.take() else { return };
        let Table { kernel, split, .. } = self.table;
        let value = &mut self.buckets[index * self.size..][..self.size];
        let mut product = Accumulator { value, started: self.filled[index] };
        product.multiply_prepared(kernel, self.table.entries(entry, 1), split, scratch);
        self.filled[index] = true;
    }

    /// What bucket `index` holds, if anything.
    pub(super) fn get(&self, index: usize) -> Option<&[u64]> {
        self.filled[index].then(|| &self.buckets[index * self.size..][..self.size])
    }
}
