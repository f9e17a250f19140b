//! m0m1 as published (WAIFI 2016, Algorithm 5).

use super::{
    accumulator::Accumulator,
    buckets::{FilledBuckets, MaskedBuckets},
    table::Table,
    workspace::Workspace,
};
use crate::{
    fixed::digits::ResidueRecoder,
    kernel::{Kernel, mask},
};

impl Table<'_> {
    /// The constant-time form. Two products a digit here: K_0's inverse factor must not show.
    pub(super) fn m0m1(
        &self,
        accumulator: &mut Accumulator<'_>,
        exponent: &[u64],
        recoder: &ResidueRecoder,
        m0: usize,
        m1: usize,
        workspace: &mut Workspace,
    ) {
        let (kernel, size) = (self.kernel, workspace.residue.len());
        let Workspace { entry, residue, scratch, buckets, .. } = workspace;
        let mut masked = MaskedBuckets { kernel, buckets, residue };
        masked.clear();
        let inverses = recoder.count() * m0;
        let mut row = 0;
        let carry = recoder.published(exponent, |digit| {
            let entries = self.entries(row * m0, m0);
            let (first, rest) = entries.split_at(self.one.len());
            kernel.select(entry, first, rest, digit.entry);
            masked.multiply(digit.bucket, self, entry, scratch);
            let correct = mask::equal(digit.bucket, 0) & 1;
            kernel.select(entry, self.one, self.entries(inverses + row, 1), correct);
            kernel.mul(&mut masked.buckets[..size], entry, scratch);
            row += 1;
        });
        let some = 1 - (mask::equal(carry, 0) & 1);
        kernel.select(entry, self.one, self.entries(inverses + row, 1), some);
        masked.multiply(carry, self, entry, scratch);

        let mut product = Accumulator { value: residue, started: false };
        reconstruct(m1, &mut product, kernel, scratch, |product, bucket, scratch| {
            product.multiply(kernel, &buckets[bucket * size..][..size], scratch);
        });
        accumulator.multiply(kernel, product.value, scratch);
        accumulator.multiply(kernel, &buckets[..size], scratch);
    }

    /// The public form: empty buckets are passed over.
    pub(super) fn m0m1_vartime(
        &self,
        accumulator: &mut Accumulator<'_>,
        exponent: &[u64],
        recoder: &ResidueRecoder,
        m0: usize,
        m1: usize,
        workspace: &mut Workspace,
    ) {
        let (kernel, size) = (self.kernel, workspace.residue.len());
        let Workspace { residue, scratch, buckets, filled, .. } = workspace;
        filled.fill(false);
        let mut buckets = FilledBuckets { table: *self, buckets, filled, size, pending: None };
        let inverses = recoder.count() * m0;
        let mut row = 0;
        let carry = recoder.published(exponent, |digit| {
            // A digit that is exactly 0 is skipped.
            if digit.bucket > 0 || digit.entry > 0 {
                let entry = row * m0 + digit.entry as usize;
                buckets.multiply_vartime(digit.bucket as usize, entry, scratch);
                if digit.bucket == 0 {
                    buckets.multiply_vartime(0, inverses + row, scratch);
                }
            }
            row += 1;
        });
        if carry > 0 {
            buckets.multiply_vartime(carry as usize, inverses + row, scratch);
        }
        buckets.finish(scratch);
        let mut product = Accumulator { value: residue, started: false };
        reconstruct(m1, &mut product, kernel, scratch, |product, bucket, scratch| {
            if let Some(value) = buckets.get(bucket) {
                product.multiply(kernel, value, scratch);
            }
        });
        if product.started {
            accumulator.multiply(kernel, product.value, scratch);
        }
        if let Some(value) = buckets.get(0) {
            accumulator.multiply(kernel, value, scratch);
        }
    }
}

/// Lines 11–19 of Algorithm 5: Π K_j^j over 1 ≤ j < m1, bit by bit of j.
fn reconstruct<'a>(
    m1: usize,
    product: &mut Accumulator<'a>,
    kernel: &dyn Kernel,
    scratch: &mut [u64],
    mut multiply: impl FnMut(&mut Accumulator<'a>, usize, &mut [u64]),
) {
    for bit in (0..=(m1 - 1).ilog2()).rev() {
        product.square(kernel, scratch);
        for bucket in (1..m1).rev().filter(|bucket| bucket >> bit & 1 == 1) {
            multiply(product, bucket, scratch);
        }
    }
}
