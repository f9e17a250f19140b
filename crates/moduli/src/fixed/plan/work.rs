//! The work of an exponentiation: exact for secret exponents, an average for public ones.

use moduli_kernel::Counts;

/// The operations of one exponentiation, as in [`Counts`]: exact numbers for secret exponents,
/// averages over all exponents of the declared length for public ones. Averages are accurate to
/// 0.05 products, except for the residue methods in radices below 16 or with a single digit, where
/// they are accurate to half a product.
/// product.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ExpectedCounts {
    /// Products of two residues.
    pub products: f64,
    /// Squarings.
    pub squarings: f64,
    /// Products by a prepared operand in two or more pieces.
    pub prepared_products: f64,
    /// Words read by masked look-ups and words written by masked updates.
    pub masked_words: f64,
}

impl From<Counts> for ExpectedCounts {
    fn from(counts: Counts) -> Self {
        Self {
            products: counts.products as f64,
            squarings: counts.squarings as f64,
            prepared_products: counts.prepared_products as f64,
            masked_words: counts.masked_words as f64,
        }
    }
}

/// The work that the method and the exponents determine, independent of the split and the kernel.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Work {
    /// Entries of the table.
    pub(super) entries: u64,
    /// Products by table entries, including first factors.
    pub(super) table_products: f64,
    /// First factors. If entries are not split, these are copied.
    pub(super) copies: f64,
    /// Products of two residues.
    pub(super) products: f64,
    pub(super) squarings: f64,
    /// Masked look-ups: their number, and the number of entries that each reads, including the
    /// entry 1.
    pub(super) look_ups: [(f64, u64); 2],
    /// Masked choices between two entries.
    pub(super) choices: f64,
    pub(super) buckets: u32,
    /// Products into a masked bucket, each of which reads and writes all buckets.
    pub(super) bucket_products: f64,
    /// Digits that a division of the exponent gives, in a radix that is not a power of two.
    pub(super) divided_digits: u32,
    /// Digits recoded as residues.
    pub(super) recoded_digits: u32,
    /// Bits or digits that are read from the exponent one by one.
    pub(super) read_digits: u32,
    /// The approximate number of products for the generators of the rows.
    pub(super) generators: f64,
    /// Inversions for the generators.
    pub(super) inversions: u32,
}

impl Work {
    /// The operation counts with entries of `entry_words` words in `split` pieces and residues of
    /// `residue_words` words.
    pub(super) fn counts(&self, split: u32, entry_words: usize, residue_words: usize) -> ExpectedCounts {
        let (entry, residue) = (entry_words as f64, residue_words as f64);
        let read: f64 = self.look_ups.iter().map(|&(count, entries)| count * entries as f64).sum();
        let updated = 2.0 * f64::from(self.buckets) * residue;
        let unsplit = if split == 1 { self.table_products - self.copies } else { 0.0 };
        ExpectedCounts {
            // Rounding must not make this negative.
            products: (self.products + unsplit).max(0.0),
            squarings: self.squarings,
            prepared_products: if split == 1 { 0.0 } else { self.table_products },
            masked_words: (read + 2.0 * self.choices) * entry + self.bucket_products * updated,
        }
    }
}
