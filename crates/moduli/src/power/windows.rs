//! Fixed windows for secret exponents. One loop computes one power, one power per lane, or powers
//! modulo two numbers.
//!
//! Digits are plain: with masked look-ups, a digit of 0 means a product by the entry 1, which costs
//! as much as any other. Recoding to digits without 0 would gain nothing.

use crate::access::Access;
use crate::{
    access::Masked,
    exponent::Magnitude,
    running::{Columns, Work},
};
use moduli_kernel::{Session, Words};

/// The width of fixed windows with the lowest cost: ⌈bits/w⌉ + 2^w products, and ⌈bits/w⌉ look-ups
/// that read 2^w entries under masks. Reading an entry of n words takes about 1/(4n) of a product.
pub(crate) fn window_width(residue_words: usize, bits: u32) -> u32 {
    least_width(4 * residue_words as u64, bits, 0)
}

/// The same for rows of residues. Products are faster per residue, and tables of rows exceed the
/// first-level cache sooner. So reading an entry takes about 1/(2n) of a product. Each squaring
/// reads `looked_at` entries at no cost; if the squarings of a window read all entries, the look-up
/// is free.
pub(crate) fn window_width_of_rows(residue_words: usize, bits: u32, looked_at: usize) -> u32 {
    least_width(2 * residue_words as u64, bits, looked_at as u64)
}

/// The width with the lowest cost, where a product takes as long as reading `product` entries.
fn least_width(product: u64, bits: u32, looked_at: u64) -> u32 {
    let cost = |w: u32| {
        let (digits, entries) = (u64::from(bits.div_ceil(w)), 1 << w);
        let read = if entries <= looked_at * u64::from(w) { 0 } else { digits * entries };
        product * (digits + entries) + read
    };
    (1..=8).min_by_key(|&w| cost(w)).unwrap_or(1)
}

/// A table of powers, filled by squarings and products: of one base, of one base per lane, or of
/// two bases modulo two numbers.
pub(crate) trait Table {
    /// Sets entry `to` to the square of the earlier entry `from`.
    fn square_entry(&mut self, from: usize, to: usize);

    /// Sets entry `to` to the earlier entry `from` times entry 1.
    fn multiply_entry(&mut self, from: usize, to: usize);
}

/// Fills a table of `count` powers of entry 1, from entry 2 on.
pub(crate) fn fill(table: &mut impl Table, count: usize) {
    for i in 2..count {
        // An even power is a square, which is cheaper.
        if i % 2 == 0 { table.square_entry(i / 2, i) } else { table.multiply_entry(i - 1, i) }
    }
}

/// The operations that the loop over windows needs: a running power, with its session and a table
/// of powers.
pub(crate) trait Power {
    /// Looks up the entry for the digit of window `window`. The loop goes from the highest window
    /// down.
    fn select(&mut self, window: u32);

    /// Sets the running power to the entry looked up last.
    fn start(&mut self);

    /// Raises the running power to 2^times, and looks up an entry as [`select`](Self::select) does.
    fn square_and_select(&mut self, times: u32, window: u32);

    /// Multiplies the running power by the entry looked up last.
    fn multiply(&mut self);
}

/// The power to an exponent of `bits` ≥ 1 public bits, in windows of `width` bits, over a filled
/// table.
///
/// The operations are the same for every exponent. Cost: `bits` squarings, and a look-up and a
/// product for each window.
pub(crate) fn run_windows(power: &mut impl Power, bits: u32, width: u32) {
    let count = bits.div_ceil(width);
    for window in (0..count).rev() {
        if window + 1 == count {
            power.select(window);
            power.start();
        } else {
            power.square_and_select(width, window);
            power.multiply();
        }
    }
}

/// Copies entry `from` of a table to the later entry `to`. Returns the copy and entry 1.
pub(crate) fn copied(table: &mut [u64], size: usize, from: usize, to: usize) -> (&mut [u64], &[u64]) {
    let (known, new) = table.split_at_mut(size * to);
    new[..size].copy_from_slice(&known[size * from..][..size]);
    (&mut new[..size], &known[size..2 * size])
}

/// A session, and a table of residues.
struct OfOne<'a, 's>(&'a mut Session<'s>, &'a mut [u64]);

impl Table for OfOne<'_, '_> {
    fn square_entry(&mut self, from: usize, to: usize) {
        let (entry, _) = copied(self.1, self.0.residue_words(), from, to);
        self.0.square(entry);
    }

    fn multiply_entry(&mut self, from: usize, to: usize) {
        let (entry, base) = copied(self.1, self.0.residue_words(), from, to);
        self.0.mul(entry, base);
    }
}

/// Fills a table with the powers x^0, x^1, x^2 … of a residue.
pub(super) fn fill_powers(session: &mut Session<'_>, table: &mut [u64], x: &[u64]) {
    let count = table.len() / x.len();
    table[..x.len()].copy_from_slice(session.one());
    table[x.len()..2 * x.len()].copy_from_slice(x);
    fill(&mut OfOne(session, table), count);
}

/// Fixed windows of a secret exponent over powers of a base. Constant-time.
pub(crate) struct Windows<'e> {
    table: Words,
    found: Words,
    exponent: &'e Magnitude,
    width: u32,
}

impl<'e> Windows<'e> {
    /// Computes powers of x for windows of the cheapest width, at most 2^8 powers.
    pub(crate) fn new(session: &mut Session<'_>, x: &[u64], exponent: &'e Magnitude) -> Self {
        let width = window_width(x.len(), exponent.bits());
        let mut table = Words::zero(x.len() << width);
        fill_powers(session, &mut table, x);
        Self { table, found: session.residue(), exponent, width }
    }

    /// The entry for the digit of window `window`.
    fn find(&mut self, session: &Session<'_>, window: u32) -> &[u64] {
        let (one, others) = self.table.split_at(self.found.len());
        let digit = self.exponent.digit(window, self.width);
        Masked::entry(session, &mut self.found, one, others, digit)
    }
}

/// Several of them can share the squarings.
impl Columns<Work<'_, '_>> for Windows<'_> {
    fn columns(&self) -> u32 {
        self.exponent.bits()
    }

    fn multiply_column(&mut self, work: &mut Work<'_, '_>, k: u32) {
        if k.is_multiple_of(self.width) {
            let factor = self.find(work.session, k / self.width);
            work.product.multiply(work.session, factor);
        }
    }
}

/// A single power.
struct Single<'a, 's, 'e> {
    session: &'a mut Session<'s>,
    windows: Windows<'e>,
    power: &'a mut [u64],
}

impl Power for Single<'_, '_, '_> {
    fn select(&mut self, window: u32) {
        self.windows.find(self.session, window);
    }

    fn start(&mut self) {
        self.power.copy_from_slice(&self.windows.found);
    }

    fn square_and_select(&mut self, times: u32, window: u32) {
        self.select(window);
        (0..times).for_each(|_| self.session.square(self.power));
    }

    fn multiply(&mut self) {
        self.session.mul(self.power, &self.windows.found);
    }
}

/// `x ← x^exponent`. Constant-time.
///
/// Cost: as many squarings as the exponent has declared bits, ⌈bits/w⌉ + 2^w products, and ⌈bits/w⌉
/// look-ups of 2^w entries.
pub(crate) fn pow(session: &mut Session<'_>, x: &mut [u64], exponent: &Magnitude) {
    if exponent.bits() == 0 {
        return x.copy_from_slice(session.one());
    }
    let windows = Windows::new(session, x, exponent);
    let width = windows.width;
    run_windows(&mut Single { session, windows, power: x }, exponent.bits(), width);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_those_of_the_count() {
        // Words of a residue on ifma52 at these lengths.
        let sizes = [(12, 512), (20, 1024), (30, 1536), (40, 2048), (60, 3072), (80, 4096)];
        assert_eq!(sizes.map(|(words, bits)| window_width(words, bits)), [4, 5, 5, 5, 6, 6]);
        assert_eq!(sizes.map(|(words, bits)| window_width_of_rows(words, bits, 0)), [4, 4, 4, 5, 5, 5]);
        assert_eq!([(12, 512), (20, 1024)].map(|(words, bits)| window_width_of_rows(words, bits, 7)), [5, 5]);
    }
}
