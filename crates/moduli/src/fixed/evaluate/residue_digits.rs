//! The repaired m0m1 method.

use core::ops::DerefMut;

use super::{
    buckets::{Buckets, Filling, MaskedBuckets, Residues},
    workspace::Workspace,
};
use crate::running::{Running, Work};
use moduli_kernel::mask;

/// The constant-time form: one product per digit into its bucket, then Π `bucket[u]`^u by running
/// products.
pub(super) fn residue_digits<V: DerefMut<Target = [u64]>>(
    work: &mut Work<'_, '_, V>,
    residues: Residues<'_>,
) {
    let Residues { table, exponent, recoder, m0, m1, workspace } = residues;
    let size = workspace.residue.len();
    let Workspace { entry, residue, buckets, .. } = workspace;
    let mut masked = MaskedBuckets { session: &mut *work.session, buckets, residue };
    masked.clear();
    let mut row = 0;
    let carry = recoder.repaired(exponent.limbs(), |digit| {
        let entries = table.entries(row * m0, m0);
        let (first, rest) = entries.split_at(table.one.len());
        masked.session.select(entry, first, rest, digit.entry);
        masked.multiply(digit.bucket - 1, &table, entry);
        row += 1;
    });
    // Bucket c compensates the carry c < m1. Without a carry, bucket 1 gets a factor 1.
    let none = mask::equal(carry, 0) & 1;
    masked.session.select(entry, table.one, table.entries(recoder.count() * m0, 1), 1 - none);
    masked.multiply(carry + none - 1, &table, entry);

    // The running product P of the buckets from the top down, and the product of all P.
    let (below, top) = buckets.split_at((m1 - 1) * size);
    residue.copy_from_slice(top);
    work.product.multiply(work.session, residue);
    for bucket in below.chunks_exact(size).rev() {
        work.session.mul(residue, bucket);
        work.product.multiply(work.session, residue);
    }
}

/// The variable-time form skips empty buckets.
pub(super) fn residue_digits_vartime<V: DerefMut<Target = [u64]>>(
    work: &mut Work<'_, '_, V>,
    residues: Residues<'_>,
) {
    let Residues { table, exponent, recoder, m0, m1, workspace } = residues;
    let size = workspace.residue.len();
    let Workspace { residue, buckets, filled, .. } = workspace;
    let mut filling = Filling::new_vartime(work.session, table, Buckets { all: buckets, filled, size });
    let mut row = 0;
    let carry = recoder.repaired(exponent.limbs(), |digit| {
        filling.multiply_vartime(digit.bucket as usize - 1, row * m0 + digit.entry as usize);
        row += 1;
    });
    if carry > 0 {
        filling.multiply_vartime(carry as usize - 1, recoder.count() * m0);
    }
    let (session, buckets) = filling.finish();
    let mut running = Running::within(&mut residue[..]);
    for bucket in (0..m1).rev() {
        if let Some(value) = buckets.get(bucket) {
            running.multiply(session, value);
        }
        if let Some(running) = running.get() {
            work.product.multiply(session, running);
        }
    }
}
