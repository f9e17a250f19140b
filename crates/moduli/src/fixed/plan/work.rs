//! How much work an exponentiation is: exact for secret exponents, the average over random public ones.

use moduli_kernel::Counts;

/// Operations of one exponentiation, as [`Counts`] has them: exact numbers for secret exponents, averages
/// over all exponents of the declared length for public ones. Averages are accurate to 0.05 products, except
/// to half a product for the residue methods in radices below 16 and with a single digit.
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

/// The work that follows from method and exponents, whatever the split and the kernel.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Work {
    /// Entries of the table.
    pub(super) entries: u64,
    /// Products by table entries, first factors included.
    pub(super) table_products: f64,
    /// First factors: where entries are not split, these are copied.
    pub(super) copies: f64,
    /// Products of two residues.
    pub(super) products: f64,
    pub(super) squarings: f64,
    /// Masked look-ups: how many, over how many entries, the entry 1 included.
    pub(super) look_ups: [(f64, u64); 2],
    /// Masked choices between two entries.
    pub(super) choices: f64,
    pub(super) buckets: u32,
    /// Products into a masked bucket: all are read, and written.
    pub(super) bucket_products: f64,
    /// Digits cut off the exponent, in a radix that is no power of two.
    pub(super) divided_digits: u32,
    /// Digits recoded as residues.
    pub(super) recoded_digits: u32,
    /// Bits or digits read off the exponent one by one.
    pub(super) read_digits: u32,
    /// About how many products it takes to build the generators of the rows.
    pub(super) generators: f64,
    /// Inversions for that.
    pub(super) inversions: u32,
}

impl Work {
    /// Operations with entries of `entry_words` words in `split` pieces and residues of `residue_words` words.
    pub(super) fn counts(&self, split: u32, entry_words: usize, residue_words: usize) -> ExpectedCounts {
        let (entry, residue) = (entry_words as f64, residue_words as f64);
        let read: f64 = self.look_ups.iter().map(|&(count, entries)| count * entries as f64).sum();
        let updated = 2.0 * f64::from(self.buckets) * residue;
        let unsplit = if split == 1 { self.table_products - self.copies } else { 0.0 };
        ExpectedCounts {
            // Not below 0 by what rounding leaves.
            products: (self.products + unsplit).max(0.0),
            squarings: self.squarings,
            prepared_products: if split == 1 { 0.0 } else { self.table_products },
            masked_words: (read + 2.0 * self.choices) * entry + self.bucket_products * updated,
        }
    }
}
