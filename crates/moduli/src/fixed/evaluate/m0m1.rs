//! m0m1 as published (WAIFI 2016, Algorithm 5).

use super::{
    accumulator::Accumulator,
    buckets::{Buckets, Filling, MaskedBuckets},
    table::Table,
    workspace::Workspace,
};
use crate::fixed::digits::ResidueRecoder;
use moduli_kernel::{Session, mask};

impl Table<'_> {
    /// The constant-time form. Two products a digit here: K_0's inverse factor must not show.
    pub(super) fn m0m1(
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
        let inverses = recoder.count() * m0;
        let mut row = 0;
        let carry = recoder.published(exponent, |digit| {
            let entries = self.entries(row * m0, m0);
            let (first, rest) = entries.split_at(self.one.len());
            masked.session.select(entry, first, rest, digit.entry);
            masked.multiply(digit.bucket, self, entry);
            let correct = mask::equal(digit.bucket, 0) & 1;
            masked.session.select(entry, self.one, self.entries(inverses + row, 1), correct);
            masked.session.mul(&mut masked.buckets[..size], entry);
            row += 1;
        });
        let some = 1 - (mask::equal(carry, 0) & 1);
        masked.session.select(entry, self.one, self.entries(inverses + row, 1), some);
        masked.multiply(carry, self, entry);

        let mut product = Accumulator { value: residue, started: false };
        reconstruct(m1, &mut product, session, |product, bucket, session| {
            product.multiply(session, &buckets[bucket * size..][..size]);
        });
        accumulator.multiply(session, product.value);
        accumulator.multiply(session, &buckets[..size]);
    }

    /// The public form: empty buckets are passed over.
    pub(super) fn m0m1_vartime(
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
        let inverses = recoder.count() * m0;
        let mut row = 0;
        let carry = recoder.published(exponent, |digit| {
            // A digit that is exactly 0 is skipped.
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
        let mut product = Accumulator { value: residue, started: false };
        reconstruct(m1, &mut product, session, |product, bucket, session| {
            if let Some(value) = buckets.get(bucket) {
                product.multiply(session, value);
            }
        });
        if product.started {
            accumulator.multiply(session, product.value);
        }
        if let Some(value) = buckets.get(0) {
            accumulator.multiply(session, value);
        }
    }
}

/// Lines 11–19 of Algorithm 5: Π K_j^j over 1 ≤ j < m1, bit by bit of j.
fn reconstruct<'a>(
    m1: usize,
    product: &mut Accumulator<'a>,
    session: &mut Session<'_>,
    mut multiply: impl FnMut(&mut Accumulator<'a>, usize, &mut Session<'_>),
) {
    for bit in (0..=(m1 - 1).ilog2()).rev() {
        product.square(session);
        for bucket in (1..m1).rev().filter(|bucket| bucket >> bit & 1 == 1) {
            multiply(product, bucket, session);
        }
    }
}
