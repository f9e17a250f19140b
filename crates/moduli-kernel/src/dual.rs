//! Two moduli at a time, as the two primes of an RSA key: products that a processor overlaps.

use super::places::Places;

/// Arithmetic on a pair of Montgomery residues, each modulo its own number, between [`begin`](Dual::begin) and
/// [`end`](Dual::end). It owns its scratch space. All methods are constant-time.
///
/// All calls pass the same pair `x`. Its content is undefined until the end, because a kernel may keep the
/// pair in its own form.
pub trait Dual {
    /// Takes a pair over.
    fn begin(&mut self, x: [&mut [u64]; 2]);

    /// `x` ← `x·b`, for a pair `b` of residues as they are.
    fn mul(&mut self, x: [&mut [u64]; 2], b: [&[u64]; 2]);

    /// `x` ← `x^(2^times)`.
    fn square(&mut self, x: [&mut [u64]; 2], times: u32);

    /// Hands the pair back.
    fn end(&mut self, x: [&mut [u64]; 2]);

    /// Where it keeps its scratch space, by that name, and what it has of addresses and lengths: for proofs.
    fn places(&self) -> Places {
        Places::default()
    }

    /// Two entries of a row of residues to the modulus `which`, 0 or 1, for two exponents' digits at a time.
    /// All entries are read. An index past the row gives zero words, which are not a residue.
    fn select(&mut self, which: usize, out: [&mut [u64]; 2], row: &[u64], indices: [u64; 2]);
}
