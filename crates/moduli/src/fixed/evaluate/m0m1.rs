//! The published m0m1 method (WAIFI 2016, Algorithm 5).

use core::ops::DerefMut;

use super::{
    buckets::{Buckets, Filling, MaskedBuckets, Residues},
    workspace::Workspace,
};
use crate::running::{Running, Work};
use moduli_kernel::{Session, mask};

/// The constant-time form. It takes two products per digit, to hide whether bucket K_0 needs the
/// factor for u = 0.
pub(super) fn m0m1<V: DerefMut<Target = [u64]>>(work: &mut Work<'_, '_, V>, residues: Residues<'_>) {
    let Residues { table, exponent, recoder, m0, m1, workspace } = residues;
    let size = workspace.residue.len();
    let Workspace { entry, residue, buckets, .. } = workspace;
    let mut masked = MaskedBuckets { session: &mut *work.session, buckets, residue };
    masked.clear();
    let inverses = recoder.count() * m0;
    let mut row = 0;
    let carry = recoder.published(exponent.limbs(), |digit| {
        let entries = table.entries(row * m0, m0);
        let (first, rest) = entries.split_at(table.one.len());
        masked.session.select(entry, first, rest, digit.entry);
        masked.multiply(digit.bucket, &table, entry);
        let correct = mask::equal(digit.bucket, 0) & 1;
        masked.session.select(entry, table.one, table.entries(inverses + row, 1), correct);
        masked.session.mul(&mut masked.buckets[..size], entry);
        row += 1;
    });
    let some = 1 - (mask::equal(carry, 0) & 1);
    masked.session.select(entry, table.one, table.entries(inverses + row, 1), some);
    masked.multiply(carry, &table, entry);

    let mut product = Running::within(&mut residue[..]);
    reconstruct(m1, &mut product, work.session, |bucket| Some(&buckets[bucket * size..][..size]));
    let product = product.finish(work.session);
    work.multiply(product);
    work.multiply(&buckets[..size]);
}

/// The variable-time form skips empty buckets.
pub(super) fn m0m1_vartime<V: DerefMut<Target = [u64]>>(work: &mut Work<'_, '_, V>, residues: Residues<'_>) {
    let Residues { table, exponent, recoder, m0, m1, workspace } = residues;
    let size = workspace.residue.len();
    let Workspace { residue, buckets, filled, .. } = workspace;
    let mut filling = Filling::new_vartime(work.session, table, Buckets { all: buckets, filled, size });
    let inverses = recoder.count() * m0;
    let mut row = 0;
    let carry = recoder.published(exponent.limbs(), |digit| {
        // A digit that is exactly 0 needs no product.
        if digit.bucket > 0 || digit.entry > 0 {
            let entry = row * m0 + digit.entry as usize;
            filling.multiply_vartime(digit.bucket as usize, entry);
            if digit.bucket == 0 {
                filling.multiply_vartime(0, inverses + row);
            }
        }
        row += 1;
    });
    if carry > 0 {
        filling.multiply_vartime(carry as usize, inverses + row);
    }
    let (session, buckets) = filling.finish();
    let mut product = Running::within(&mut residue[..]);
    reconstruct(m1, &mut product, session, |bucket| buckets.get(bucket));
    for value in [product.get(), buckets.get(0)].into_iter().flatten() {
        work.product.multiply(session, value);
    }
}

/// Lines 11–19 of Algorithm 5: Π K_j^j over 1 ≤ j < m1, bit by bit of j, over the buckets that are
/// not empty.
fn reconstruct<'a>(
    m1: usize,
    product: &mut Running<&mut [u64]>,
    session: &mut Session<'_>,
    bucket: impl Fn(usize) -> Option<&'a [u64]>,
) {
    for bit in (0..=(m1 - 1).ilog2()).rev() {
        product.square(session);
        for value in (1..m1).rev().filter(|j| j >> bit & 1 == 1).filter_map(&bucket) {
            product.multiply(session, value);
        }
    }
}
