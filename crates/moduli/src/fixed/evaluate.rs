//! Running a method over its table: the uniform and the public form of each.

use alloc::{vec, vec::Vec};

use super::{comb::Block, digits::ResidueRecoder, layout::Layout, secrecy::Secrecy};
use crate::kernel::{Kernel, Words, mask};

/// Everything an exponentiation writes to, allocated once and wiped on drop.
pub(crate) struct Workspace {
    /// A looked-up table entry, prepared.
    entry: Words,
    /// One residue, plain: the bucket at work, a running product, or a last factor.
    pub(crate) residue: Words,
    pub(crate) scratch: Words,
    /// Radix digits, and what is left of the exponent while they are cut.
    digits: Words,
    rest: Words,
    buckets: Words,
    /// Public form only: which buckets hold something.
    filled: Vec<bool>,
}

impl Workspace {
    pub(crate) fn new(kernel: &dyn Kernel, layout: &Layout, split: usize, exponent_limbs: usize) -> Self {
        let digits = if let Layout::Radix { digits, .. } = layout { digits.count() } else { 0 };
        let size = kernel.residue_words();
        Self {
            entry: Words::zero(kernel.prepared_words(split)),
            residue: Words::zero(size),
            scratch: Words::zero(kernel.scratch_words()),
            digits: Words::zero(digits),
            rest: Words::zero(exponent_limbs),
            buckets: Words::zero(layout.buckets() * size),
            filled: vec![false; layout.buckets()],
        }
    }
}

/// A running product that knows whether it is still 1: the first factor is copied, not multiplied.
///
/// `started` is public in the uniform forms, where it depends on the sequence alone.
pub(crate) struct Accumulator<'a> {
    pub(crate) value: &'a mut [u64],
    pub(crate) started: bool,
}

impl Accumulator<'_> {
    pub(crate) fn square(&mut self, kernel: &dyn Kernel, scratch: &mut [u64]) {
        if self.started {
            kernel.square(self.value, scratch);
        }
    }

    /// Times a plain residue.
    pub(crate) fn multiply(&mut self, kernel: &dyn Kernel, b: &[u64], scratch: &mut [u64]) {
        if self.started {
            kernel.mul(self.value, b, scratch);
        } else {
            self.value.copy_from_slice(b);
            self.started = true;
        }
    }

    /// Times a prepared table entry.
    fn multiply_entry(&mut self, table: &Table<'_>, b: &[u64], scratch: &mut [u64]) {
        if !self.started && table.split == 1 {
            self.value.copy_from_slice(b);
        } else {
            self.start(table.kernel);
            table.kernel.mul_prepared(self.value, b, table.split, scratch);
        }
        self.started = true;
    }

    /// Times `b` where the mask is all ones; in uniform mode times 1 where it is zero.
    pub(crate) fn multiply_if(
        &mut self,
        kernel: &dyn Kernel,
        secrecy: Secrecy,
        mask: u64,
        b: &[u64],
        workspace: &mut Workspace,
    ) {
        let Workspace { residue, scratch, .. } = workspace;
        match secrecy {
            Secrecy::Uniform => {
                kernel.select(residue, kernel.one(), b, mask & 1);
                self.multiply(kernel, residue, scratch);
            }
            Secrecy::Public if mask != 0 => self.multiply(kernel, b, scratch),
            Secrecy::Public => {}
        }
    }

    fn start(&mut self, kernel: &dyn Kernel) {
        if !self.started {
            self.value.copy_from_slice(kernel.one());
            self.started = true;
        }
    }

    /// The value, 1 if nothing was multiplied in.
    pub(crate) fn finish(mut self, kernel: &dyn Kernel) {
        self.start(kernel);
    }
}

/// A table as the methods read it.
#[derive(Clone, Copy)]
pub(crate) struct Table<'a> {
    pub(crate) kernel: &'a dyn Kernel,
    pub(crate) layout: &'a Layout,
    pub(crate) words: &'a [u64],
    pub(crate) split: usize,
    /// The entry 1, prepared.
    pub(crate) one: &'a [u64],
}

impl<'a> Table<'a> {
    /// Entries `first .. first + count`.
    fn entries(&self, first: usize, count: usize) -> &'a [u64] {
        let size = self.one.len();
        &self.words[first * size..(first + count) * size]
    }

    /// Multiplies column `k` of a comb in; nothing for other methods.
    pub(crate) fn multiply_column(
        &self,
        secrecy: Secrecy,
        accumulator: &mut Accumulator<'_>,
        exponent: &[u64],
        k: u32,
        workspace: &mut Workspace,
    ) {
        for block in self.blocks().iter().filter(|block| k < block.columns) {
            let row = self.entries(block.first_entry, block.entries());
            self.multiply_entry(secrecy, accumulator, row, block.teeth_at(exponent, k), workspace);
        }
    }

    /// `accumulator *= row[index − 1]`, or nothing for index 0. In uniform mode the whole row is read, and 0 is
    /// a product by 1.
    fn multiply_entry(
        &self,
        secrecy: Secrecy,
        accumulator: &mut Accumulator<'_>,
        row: &[u64],
        index: u64,
        workspace: &mut Workspace,
    ) {
        let Workspace { entry, scratch, .. } = workspace;
        match secrecy {
            Secrecy::Uniform => {
                self.kernel.select(entry, self.one, row, index);
                accumulator.multiply_entry(self, entry, scratch);
            }
            Secrecy::Public if index > 0 => {
                let size = self.one.len();
                accumulator.multiply_entry(self, &row[(index as usize - 1) * size..][..size], scratch);
            }
            Secrecy::Public => {}
        }
    }

    fn blocks(&self) -> &'a [Block] {
        match self.layout {
            Layout::Comb { blocks, .. } => blocks,
            _ => &[],
        }
    }

    /// Multiplies in what takes no squarings: everything but the columns of a comb.
    pub(crate) fn multiply_digits(
        &self,
        secrecy: Secrecy,
        accumulator: &mut Accumulator<'_>,
        exponent: &[u64],
        workspace: &mut Workspace,
    ) {
        match self.layout {
            Layout::Comb { .. } => {}
            Layout::Radix { digits, row } => {
                digits.cut(&mut workspace.digits, exponent, &mut workspace.rest);
                for i in 0..digits.count() {
                    let (entries, digit) = (self.entries(i * row, *row), workspace.digits[i]);
                    self.multiply_entry(secrecy, accumulator, entries, digit, workspace);
                }
            }
            Layout::ResidueDigits { recoder, m0, m1 } => {
                let run = match secrecy {
                    Secrecy::Uniform => Self::residue_digits,
                    Secrecy::Public => Self::residue_digits_vartime,
                };
                run(self, accumulator, exponent, recoder, *m0, *m1, workspace);
            }
            Layout::M0m1 { recoder, m0, m1 } => {
                let run = match secrecy {
                    Secrecy::Uniform => Self::m0m1,
                    Secrecy::Public => Self::m0m1_vartime,
                };
                run(self, accumulator, exponent, recoder, *m0, *m1, workspace);
            }
        }
    }
}

/// Buckets under masks, for the uniform forms of the two residue methods.
struct MaskedBuckets<'a> {
    kernel: &'a dyn Kernel,
    buckets: &'a mut [u64],
    residue: &'a mut [u64],
}

impl MaskedBuckets<'_> {
    /// All buckets 1.
    fn clear(&mut self) {
        for bucket in self.buckets.chunks_exact_mut(self.residue.len()) {
            bucket.copy_from_slice(self.kernel.one());
        }
    }

    /// bucket[index] *= a prepared entry; all buckets are read and written.
    fn multiply(&mut self, index: u64, table: &Table<'_>, entry: &[u64], scratch: &mut [u64]) {
        let (first, rest) = self.buckets.split_at(self.residue.len());
        self.kernel.select(self.residue, first, rest, index);
        self.kernel.mul_prepared(self.residue, entry, table.split, scratch);
        self.kernel.replace(self.buckets, self.residue, index);
    }
}

impl Table<'_> {
    /// Repaired m0m1: one product a digit into its bucket, then Π bucket[u]^u by running products.
    fn residue_digits(
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
        let mut row = 0;
        let carry = recoder.repaired(exponent, |digit| {
            let entries = self.entries(row * m0, m0);
            let (first, rest) = entries.split_at(self.one.len());
            kernel.select(entry, first, rest, digit.entry);
            masked.multiply(digit.bucket - 1, self, entry, scratch);
            row += 1;
        });
        // The carry c < m1 is paid by bucket c, and by a factor 1 into bucket 1 if there is none.
        let none = mask::equal(carry, 0) & 1;
        kernel.select(entry, self.one, self.entries(recoder.count() * m0, 1), 1 - none);
        masked.multiply(carry + none - 1, self, entry, scratch);

        // Running product P of the buckets from the top, and the product of all P.
        let (below, top) = buckets.split_at((m1 - 1) * size);
        residue.copy_from_slice(top);
        accumulator.multiply(kernel, residue, scratch);
        for bucket in below.chunks_exact(size).rev() {
            kernel.mul(residue, bucket, scratch);
            accumulator.multiply(kernel, residue, scratch);
        }
    }

    fn residue_digits_vartime(
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
        let mut multiply = |bucket: u64, entry: usize| {
            let bucket = bucket as usize - 1;
            let value = &mut buckets[bucket * size..][..size];
            let mut product = Accumulator { value, started: filled[bucket] };
            product.multiply_entry(self, self.entries(entry, 1), scratch);
            filled[bucket] = true;
        };
        let mut row = 0;
        let carry = recoder.repaired(exponent, |digit| {
            multiply(digit.bucket, row * m0 + digit.entry as usize);
            row += 1;
        });
        if carry > 0 {
            multiply(carry, recoder.count() * m0);
        }
        let mut running = Accumulator { value: residue, started: false };
        for bucket in (0..m1).rev() {
            if filled[bucket] {
                running.multiply(kernel, &buckets[bucket * size..][..size], scratch);
            }
            if running.started {
                accumulator.multiply(kernel, running.value, scratch);
            }
        }
    }

    /// m0m1 as published, Algorithm 5. Two products a digit here: K_0's inverse factor must not show.
    fn m0m1(
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

    fn m0m1_vartime(
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
        let mut multiply = |bucket: u64, entry: usize| {
            let bucket = bucket as usize;
            let value = &mut buckets[bucket * size..][..size];
            let mut product = Accumulator { value, started: filled[bucket] };
            product.multiply_entry(self, self.entries(entry, 1), scratch);
            filled[bucket] = true;
        };
        let inverses = recoder.count() * m0;
        let mut row = 0;
        let carry = recoder.published(exponent, |digit| {
            // A digit that is exactly 0 is skipped.
            if digit.bucket > 0 || digit.entry > 0 {
                multiply(digit.bucket, row * m0 + digit.entry as usize);
                if digit.bucket == 0 {
                    multiply(0, inverses + row);
                }
            }
            row += 1;
        });
        if carry > 0 {
            multiply(carry, inverses + row);
        }
        let mut product = Accumulator { value: residue, started: false };
        reconstruct(m1, &mut product, kernel, scratch, |product, bucket, scratch| {
            if filled[bucket] {
                product.multiply(kernel, &buckets[bucket * size..][..size], scratch);
            }
        });
        if product.started {
            accumulator.multiply(kernel, product.value, scratch);
        }
        if filled[0] {
            accumulator.multiply(kernel, &buckets[..size], scratch);
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
