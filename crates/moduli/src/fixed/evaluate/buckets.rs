//! The buckets of the residue methods, each of which collects the digits of one residue.

use super::{table::Table, workspace::Workspace};
use crate::{
    access::{Access, Masked},
    exponent::Magnitude,
    fixed::digits::ResidueRecoder,
    running::Running,
};
use moduli_kernel::{Session, prefetch_vartime};

/// The inputs and buffers of the residue methods.
pub(crate) struct Residues<'a> {
    pub(super) table: Table<'a>,
    pub(super) exponent: &'a Magnitude,
    pub(super) recoder: &'a ResidueRecoder,
    pub(super) m0: usize,
    pub(super) m1: usize,
    pub(super) workspace: &'a mut Workspace,
}

/// Masked buckets, for the constant-time forms of the two residue methods.
pub(super) struct MaskedBuckets<'a, 'k> {
    pub(super) session: &'a mut Session<'k>,
    pub(super) buckets: &'a mut [u64],
    pub(super) residue: &'a mut [u64],
}

impl MaskedBuckets<'_, '_> {
    /// Sets all buckets to 1.
    pub(super) fn clear(&mut self) {
        for bucket in self.buckets.chunks_exact_mut(self.residue.len()) {
            bucket.copy_from_slice(self.session.one());
        }
    }

    /// `bucket[index]` *= a prepared entry. Reads and writes all buckets.
    pub(super) fn multiply(&mut self, index: u64, table: &Table<'_>, entry: &[u64]) {
        Masked::update(self.session, self.residue, self.buckets, index, |session, bucket| {
            session.mul_prepared(bucket, entry, table.split);
        });
    }
}

/// Buckets that may be empty, for the variable-time forms.
pub(super) struct Buckets<'a> {
    pub(super) all: &'a mut [u64],
    /// Which buckets are not empty.
    pub(super) filled: &'a mut [bool],
    /// Words of a bucket.
    pub(super) size: usize,
}

impl Buckets<'_> {
    /// The content of bucket `index`, or `None` if it is empty.
    pub(super) fn get(&self, index: usize) -> Option<&[u64]> {
        self.filled[index].then(|| &self.all[index * self.size..][..self.size])
    }
}

/// Fills the buckets of the variable-time forms.
pub(super) struct Filling<'a, 'k> {
    session: &'a mut Session<'k>,
    table: Table<'a>,
    buckets: Buckets<'a>,
    /// The bucket and the entry of a product that is delayed until the prefetched entry has
    /// arrived.
    pending: Option<(usize, usize)>,
}

impl<'a, 'k> Filling<'a, 'k> {
    /// Starts with empty buckets.
    pub(super) fn new_vartime(session: &'a mut Session<'k>, table: Table<'a>, buckets: Buckets<'a>) -> Self {
        buckets.filled.fill(false);
        Self { session, table, buckets, pending: None }
    }

    /// `bucket[index]` *= entry `entry` of the table. The product is computed by the next call or by
    /// [`Filling::finish`].
    pub(super) fn multiply_vartime(&mut self, index: usize, entry: usize) {
        prefetch_vartime(self.table.entries(entry, 1));
        self.multiply_pending();
        self.pending = Some((index, entry));
    }

    fn multiply_pending(&mut self) {
        let Some((index, entry)) = self.pending.take() else { return };
        let Buckets { all, filled, size } = &mut self.buckets;
        let value = &mut all[index * *size..][..*size];
        let mut product = Running::resumed(value, filled[index]);
        product.multiply_prepared(self.session, self.table.entries(entry, 1), self.table.split);
        filled[index] = true;
    }

    /// Computes the delayed product and returns the buckets.
    pub(super) fn finish(mut self) -> (&'a mut Session<'k>, Buckets<'a>) {
        self.multiply_pending();
        (self.session, self.buckets)
    }
}
