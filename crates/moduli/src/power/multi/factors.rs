//! The public powers of a product.

use alloc::vec::Vec;
use zeroize::Zeroizing;

use moduli_kernel::{Words, limbs};

/// Residues, and a public exponent for each.
pub(super) struct Factors {
    /// Consecutive in memory.
    pub(super) residues: Words,
    /// Words of a residue.
    pub(super) size: usize,
    /// None of them is 0.
    pub(super) exponents: Vec<Zeroizing<Vec<u64>>>,
    /// The length of each in bits.
    pub(super) lengths: Vec<u32>,
}

impl Factors {
    /// Creates space for residues of `size` words, to be filled in, with their exponents, none of
    /// which is 0.
    pub(super) fn new(size: usize, exponents: Vec<Zeroizing<Vec<u64>>>) -> Self {
        let lengths = exponents.iter().map(|exponent| limbs::bit_length_vartime(exponent)).collect();
        Self { residues: Words::zero(size * exponents.len()), size, exponents, lengths }
    }

    /// Each residue with its exponent.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&[u64], &[u64])> {
        let exponents = self.exponents.iter().map(|exponent| &exponent[..]);
        self.residues.chunks_exact(self.size).zip(exponents)
    }

    /// Two different residues: the first for writing, the second for reading.
    pub(super) fn pair(&mut self, written: usize, read: usize) -> (&mut [u64], &[u64]) {
        let middle = self.size * written.max(read);
        let (low, high) = self.residues.split_at_mut(middle);
        let (low, high) = (&mut low[self.size * written.min(read)..][..self.size], &mut high[..self.size]);
        if written < read { (low, high) } else { (high, low) }
    }

    pub(super) fn residue(&mut self, index: usize) -> &mut [u64] {
        &mut self.residues[self.size * index..][..self.size]
    }
}
