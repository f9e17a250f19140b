//! Sliding windows, for public exponents.

use alloc::vec::Vec;
use core::ops::DerefMut;
use zeroize::Zeroizing;

use crate::running::{Columns, Running, Work, walk};
use moduli_kernel::{Session, Words, limbs};

/// The width of sliding windows with the lowest cost: about bits/(w + 1) + 2^(w−1) products.
pub(crate) fn sliding_width(bits: u32) -> u32 {
    (1..=8).min_by_key(|&w| bits / (w + 1) + (1 << (w - 1))).unwrap_or(1)
}

/// Sliding windows of a public exponent over odd powers of a base.
pub(crate) struct SlidingWindows {
    /// x^1, x^3, x^5 …
    table: Words,
    size: usize,
    /// For each position, one plus the index of the entry to multiply by, or 0 if there is none.
    /// Wiped, because it reveals the exponent.
    entries: Zeroizing<Vec<usize>>,
}

impl SlidingWindows {
    /// Variable-time.
    pub(crate) fn new_vartime(session: &mut Session<'_>, x: &[u64], exponent: &[u64]) -> Self {
        let bits = limbs::bit_length_vartime(exponent);
        let width = sliding_width(bits);
        let mut entries = limbs::zeros(bits as usize);
        let mut top = bits; // bits not yet read
        while top > 0 {
            if limbs::bit(exponent, top - 1) == 0 {
                top -= 1;
                continue;
            }
            let longest = width.min(top);
            let digit = limbs::bit_field(exponent, top - longest, longest);
            let zeros = digit.trailing_zeros();
            entries[(top - longest + zeros) as usize] = (digit as usize >> zeros >> 1) + 1;
            top -= longest - zeros;
        }
        Self { table: odd_powers(session, x, width), size: x.len(), entries }
    }
}

impl<V: DerefMut<Target = [u64]>> Columns<Work<'_, '_, V>> for SlidingWindows {
    fn columns(&self) -> u32 {
        self.entries.len() as u32
    }

    fn multiply_column(&mut self, work: &mut Work<'_, '_, V>, k: u32) {
        if let Some(index) = self.entries[k as usize].checked_sub(1) {
            work.multiply(&self.table[index * self.size..][..self.size]);
        }
    }
}

/// The powers x^1, x^3, x^5 … x^(2^width − 1).
fn odd_powers(session: &mut Session<'_>, x: &[u64], width: u32) -> Words {
    let size = x.len();
    let mut table = Words::zero(size << (width - 1));
    table[..size].copy_from_slice(x);
    if width > 1 {
        let mut square = Words::copy_of(x);
        session.square(&mut square);
        for i in 1..1 << (width - 1) {
            let (known, new) = table.split_at_mut(size * i);
            new[..size].copy_from_slice(&known[size * (i - 1)..]);
            session.mul(&mut new[..size], &square);
        }
    }
    table
}

/// `x ← x^exponent` by sliding windows over odd powers. Variable-time.
pub(crate) fn sliding_window_vartime(session: &mut Session<'_>, x: &mut [u64], exponent: &[u64]) {
    let mut windows = SlidingWindows::new_vartime(session, x, exponent);
    let mut work = Work { session, product: Running::within(x) };
    walk(&mut work, &mut windows);
    work.product.finish(work.session);
}
