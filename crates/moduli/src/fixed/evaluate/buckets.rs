//! Buckets, in which the residue methods collect digits of one residue.

use super::{accumulator::Accumulator, table::Table};
use moduli_kernel::{Session, prefetch_vartime};

/// Buckets under masks, for the constant-time forms of the two residue methods.
pub(super) struct MaskedBuckets<'a, 'k> {
    pub(super) session: &'a mut Session<'k>,
    pub(super) buckets: &'a mut [u64],
    pub(super) residue: &'a mut [u64],
}

impl MaskedBuckets<'_, '_> {
    /// All buckets 1.
    pub(super) fn clear(&mut self) {
        for bucket in self.buckets.chunks_exact_mut(self.residue.len()) {
            bucket.copy_from_slice(self.session.one());
        }
    }

    /// bucket[index] *= a prepared entry; all buckets are read and written.
    pub(super) fn multiply(&mut self, index: u64, table: &Table<'_>, entry: &[u64]) {
        let (first, rest) = self.buckets.split_at(self.residue.len());
        self.session.select(self.residue, first, rest, index);
        self.session.mul_prepared(self.residue, entry, table.split);
        self.session.replace(self.buckets, self.residue, index);
    }
}

/// Buckets of which some are empty, for the public forms.
pub(super) struct Buckets<'a> {
    pub(super) all: &'a mut [u64],
    /// Which of them hold something.
    pub(super) filled: &'a mut [bool],
    /// Words of one.
    pub(super) size: usize,
}

impl Buckets<'_> {
    /// What bucket `index` holds, if anything.
    pub(super) fn get(&self, index: usize) -> Option<&[u64]> {
        self.filled[index].then(|| &self.all[index * self.size..][..self.size])
    }
}

/// Public buckets while they are filled.
pub(super) struct Filling<'a, 'k> {
    session: &'a mut Session<'k>,
    table: Table<'a>,
    buckets: Buckets<'a>,
    /// A product that waits for its entry, which has been asked for: bucket and entry.
    pending: Option<(usize, usize)>,
}

impl<'a, 'k> Filling<'a, 'k> {
    /// All buckets empty.
    pub(super) fn new(session: &'a mut Session<'k>, table: Table<'a>, buckets: Buckets<'a>) -> Self {
        buckets.filled.fill(false);
        Self { session, table, buckets, pending: None }
    }

    /// bucket[index] *= entry `entry` of the table, with the next product or by [`Filling::finish`].
    pub(super) fn multiply_vartime(&mut self, index: usize, entry: usize) {
        prefetch_vartime(self.table.entries(entry, 1));
        self.multiply_pending();
        self.pending = Some((index, entry));
    }

    fn multiply_pending(&mut self) {
        let Some((index, entry)) = self.pending.take() else { return };
        let Buckets { all, filled, size } = &mut self.buckets;
        let value = &mut all[index * *size..][..*size];
        let mut product = Accumulator { value, started: filled[index] };
        product.multiply_prepared(self.session, self.table.entries(entry, 1), self.table.split);
        filled[index] = true;
    }

    /// With the product that waits.
    pub(super) fn finish(mut self) -> (&'a mut Session<'k>, Buckets<'a>) {
        self.multiply_pending();
        (self.session, self.buckets)
    }
}
