//! Buckets, in which the residue methods collect digits of one residue.

use super::{table::Table, workspace::Workspace};
use crate::{
    access::{Access, Masked},
    exponent::Magnitude,
    fixed::digits::ResidueRecoder,
    running::Running,
};
use moduli_kernel::{Session, prefetch_vartime};

/// What the residue methods work on.
pub(crate) struct Residues<'a> {
    pub(super) table: Table<'a>,
    pub(super) exponent: &'a Magnitude,
    pub(super) recoder: &'a ResidueRecoder,
    pub(super) m0: usize,
    pub(super) m1: usize,
    pub(super) workspace: &'a mut Workspace,
}

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
        Masked::update(self.session, self.residue, self.buckets, index, |session, bucket| {
            session.mul_prepared(bucket, entry, table.split);
        });
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
    pub(super) fn new_vartime(session: &'a mut Session<'k>, table: Table<'a>, buckets: Buckets<'a>) -> Self {
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
        let mut product = Running::resumed(value, filled[index]);
        product.multiply_prepared(self.session, self.table.entries(entry, 1), self.table.split);
        filled[index] = true;
    }

    /// With the product that waits.
    pub(super) fn finish(mut self) -> (&'a mut Session<'k>, Buckets<'a>) {
        self.multiply_pending();
        (self.session, self.buckets)
    }
}
