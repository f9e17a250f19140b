//! m0m1 repaired.

use super::{
    accumulator::Accumulator,
    buckets::{Buckets, Filling, MaskedBuckets},
    table::Table,
    workspace::Workspace,
};
use crate::fixed::digits::ResidueRecoder;
use moduli_kernel::mask;

impl Table<'_> {
    /// The constant-time form: one product a digit into its bucket, then Π bucket[u]^u by running products.
    pub(super) fn residue_digits(
        &self,
        accumulator: &mut Accumulator<'_>,
        exponent: &[u64],
        recoder: &ResidueRecoder,
        m0: usize,
        m1: usize,
        workspace: &mut Workspace<'_>,
    ) {
        let size = workspace.residue.len();
        let Workspace { session, entry, residue, buckets, .. } = workspace;
        let mut masked = MaskedBuckets { session, buckets, residue };
        masked.clear();
        let mut row = 0;
        let carry = recoder.repaired(exponent, |digit| {
            let entries = self.entries(row * m0, m0);
            let (first, rest) = entries.split_at(self.one.len());
            masked.session.select(entry, first, rest, digit.entry);
            masked.multiply(digit.bucket - 1, self, entry);
            row += 1;
        });
        // The carry c < m1 is paid by bucket c, and by a factor 1 into bucket 1 if there is none.
        let none = mask::equal(carry, 0) & 1;
        masked.session.select(entry, self.one, self.entries(recoder.count() * m0, 1), 1 - none);
        masked.multiply(carry + none - 1, self, entry);

        // Running product P of the buckets from the top, and the product of all P.
        let (below, top) = buckets.split_at((m1 - 1) * size);
        residue.copy_from_slice(top);
        accumulator.multiply(session, residue);
        for bucket in below.chunks_exact(size).rev() {
            session.mul(residue, bucket);
            accumulator.multiply(session, residue);
        }
    }

    /// The public form: empty buckets are passed over.
    pub(super) fn residue_digits_vartime(
        &self,
        accumulator: &mut Accumulator<'_>,
        exponent: &[u64],
        recoder: &ResidueRecoder,
        m0: usize,
        m1: usize,
        workspace: &mut Workspace<'_>,
    ) {
        let size = workspace.residue.len();
        let Workspace { session, residue, buckets, filled, .. } = workspace;
        let mut filling = Filling::new(session, *self, Buckets { all: buckets, filled, size });
        let mut row = 0;
        let carry = recoder.repaired(exponent, |digit| {
            filling.multiply_vartime(digit.bucket as usize - 1, row * m0 + digit.entry as usize);
            row += 1;
        });
        if carry > 0 {
            filling.multiply_vartime(carry as usize - 1, recoder.count() * m0);
        }
        let (session, buckets) = filling.finish();
        let mut running = Accumulator { value: residue, started: false };
        for bucket in (0..m1).rev() {
            if let Some(value) = buckets.get(bucket) {
                running.multiply(session, value);
            }
            if running.started {
                accumulator.multiply(session, running.value);
            }
        }
    }
}
