//! Two moduli at a time, such as the two primes of an RSA key: the processor overlaps their products.

use super::places::Places;

/// Arithmetic on a pair of Montgomery residues, each modulo its own number, between [`begin`](Dual::begin)
/// and [`end`](Dual::end). It owns its scratch space. All methods are constant-time.
///
/// All calls pass the same pair `x`. Its content is undefined between [`begin`](Dual::begin) and
/// [`end`](Dual::end), because a kernel may keep the pair in its own form.
pub trait Dual {
    /// Takes over a pair.
    fn begin(&mut self, x: [&mut [u64]; 2]);

    /// `x` ← `x·b`, for a pair `b` of residues.
    fn mul(&mut self, x: [&mut [u64]; 2], b: [&[u64]; 2]);

    /// `x` ← `x^(2^times)`.
    fn square(&mut self, x: [&mut [u64]; 2], times: u32);

    /// Writes the pair back.
    fn end(&mut self, x: [&mut [u64]; 2]);

    /// The places of the scratch space, as a constant of that name, and of the addresses and lengths: for
    /// proofs.
    fn places(&self) -> Places {
        Places::default()
    }

    /// `out` ← two entries of a row of residues modulo number `which` (0 or 1) of the two, for the digits of
    /// two exponents. All entries are read. An index past the row gives zero words, which are not a residue.
    fn select(&mut self, which: usize, out: [&mut [u64]; 2], row: &[u64], indices: [u64; 2]);
}
