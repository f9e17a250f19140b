//! Left-to-right 2^t-ary exponentiation (ARITH 2015, Algorithm 10): regular windows over a table of powers, and sliding
//! windows for public exponents.

use alloc::vec::Vec;
use zeroize::Zeroizing;

use super::{
    look_up::{LookUp, entries},
    recode::regular_digits,
};
use crate::error::Error;
use moduli_kernel::{Session, Words, limbs};

/// Powers of a base and the windows of an exponent: after the squaring for bit `position`, multiply by what
/// [`WindowTable::factor`] finds there.
pub(crate) struct WindowTable {
    table: Words,
    /// Pieces that the entries are prepared in.
    split: usize,
    windows: Windows,
    positions: u32,
}

/// The width of regular windows that costs least: ⌈bits/w⌉ + 2^w products, and ⌈bits/w⌉ look-ups that read 2^w entries
/// under masks. To read an entry of n words takes about 1/(4n) of a product.
pub(crate) fn regular_width(residue_words: usize, bits: u32) -> u32 {
    least_width(4 * residue_words as u64, bits)
}

/// The same for rows of residues: a residue of a row is multiplied in less time, and tables of rows do not fit the first-level cache
/// as long as those of residues do. To read an entry takes about 1/(2n) of a product.
pub(crate) fn regular_width_of_rows(residue_words: usize, bits: u32) -> u32 {
    least_width(2 * residue_words as u64, bits)
}

/// The width that costs least where a product takes as long as to read so many entries.
fn least_width(product: u64, bits: u32) -> u32 {
    let cost = |w: u32| {
        let (digits, entries) = (u64::from(bits.div_ceil(w)), 1 << w);
        product * (digits + entries) + digits * entries
    };
    (1..=8).min_by_key(|&w| cost(w)).unwrap_or(1)
}

/// The width of sliding windows that costs least: about bits/(w + 1) + 2^(w−1) products.
pub(crate) fn sliding_width(bits: u32) -> u32 {
    (1..=8).min_by_key(|&w| bits / (w + 1) + (1 << (w - 1))).unwrap_or(1)
}

enum Windows {
    /// A digit of `width` bits at every multiple of it. The table holds x^0 … x^(2^width).
    Regular { width: u32, digits: Zeroizing<Vec<u64>>, look_up: LookUp },
    /// For each position the entry to multiply by, if any. The table holds odd powers.
    Sliding { entries: Vec<Option<usize>> },
}

impl WindowTable {
    /// Regular windows for an exponent of `bits` public bits, over powers prepared in `split` pieces. Regular; constant-time
    /// if look-ups are masked.
    ///
    /// # Errors
    /// [`Error::Parameter`] if there is not enough memory for 2^width + 1 entries.
    pub(crate) fn regular(
        session: &mut Session<'_>,
        x: &[u64],
        (exponent, bits): (&[u64], u32),
        width: u32,
        split: usize,
        look_up: LookUp,
    ) -> Result<Self, Error> {
        let mut table = entries((1 << width) + 1, session.prepared_words(split))?;
        if split == 1 {
            powers(session, &mut table, x);
        } else {
            prepared_powers(session, &mut table, x, split);
        }
        let digits = regular_digits(exponent, bits, width);
        Ok(Self { table, split, windows: Windows::Regular { width, digits, look_up }, positions: bits })
    }

    /// Sliding windows over odd powers. Variable-time.
    pub(crate) fn sliding_vartime(session: &mut Session<'_>, x: &[u64], exponent: &[u64]) -> Self {
        let bits = limbs::bit_length_vartime(exponent);
        let width = sliding_width(bits);
        let mut entries = alloc::vec![None; bits as usize];
        let mut top = bits; // bits still to come
        while top > 0 {
            if limbs::bit_field(exponent, top - 1, 1) == 0 {
                top -= 1;
                continue;
            }
            let longest = width.min(top);
            let digit = limbs::bit_field(exponent, top - longest, longest);
            let zeros = digit.trailing_zeros();
            entries[(top - longest + zeros) as usize] = Some(digit as usize >> zeros >> 1);
            top -= longest - zeros;
        }
        let windows = Windows::Sliding { entries };
        Self { table: odd_powers(session, x, width), split: 1, windows, positions: bits }
    }

    /// Bits of the exponent: positions run below this.
    pub(crate) fn positions(&self) -> u32 {
        self.positions
    }

    /// A place for [`WindowTable::factor`].
    pub(crate) fn place(&self, session: &Session<'_>) -> Words {
        Words::zero(session.prepared_words(self.split))
    }

    /// The factor at `position`, if there is one; in `place` if it is read under a mask.
    pub(crate) fn factor<'a>(
        &'a self,
        session: &Session<'_>,
        position: u32,
        place: &'a mut [u64],
    ) -> Option<&'a [u64]> {
        let size = place.len();
        match &self.windows {
            Windows::Regular { width, digits, look_up } => {
                if !position.is_multiple_of(*width) {
                    return None;
                }
                let &digit = digits.get((position / width) as usize)?;
                match look_up {
                    LookUp::Masked => {
                        session.select(place, &self.table[..size], &self.table[size..], digit);
                        Some(place)
                    }
                    LookUp::Direct => Some(&self.table[digit as usize * size..][..size]),
                }
            }
            Windows::Sliding { entries } => {
                let index = (*entries.get(position as usize)?)?;
                Some(&self.table[index * size..][..size])
            }
        }
    }

    /// `x` ← the power, alone.
    pub(crate) fn run(&self, session: &mut Session<'_>, x: &mut [u64]) {
        let mut place = self.place(session);
        let mut started = false;
        x.copy_from_slice(session.one());
        for position in (0..self.positions).rev() {
            if started {
                session.square(x);
            }
            if let Some(factor) = self.factor(session, position, &mut place) {
                if started || self.split > 1 {
                    session.mul_prepared(x, factor, self.split);
                } else {
                    x.copy_from_slice(factor);
                }
                started = true;
            }
        }
    }
}

/// Fills `table` with the powers x^0, x^1, x^2 …
fn powers(session: &mut Session<'_>, table: &mut [u64], x: &[u64]) {
    let size = x.len();
    table[..size].copy_from_slice(session.one());
    table[size..2 * size].copy_from_slice(x);
    for i in 2..table.len() / size {
        let (known, new) = table.split_at_mut(size * i);
        let entry = &mut new[..size];
        if i % 2 == 0 {
            entry.copy_from_slice(&known[size * (i / 2)..][..size]);
            session.square(entry);
        } else {
            entry.copy_from_slice(&known[size * (i - 1)..]);
            session.mul(entry, x);
        }
    }
}

/// Fills `table` with the powers x^0, x^1, x^2 …, prepared in `split` pieces, by products with the prepared x.
fn prepared_powers(session: &mut Session<'_>, table: &mut [u64], x: &[u64], split: usize) {
    let size = session.prepared_words(split);
    let (first, rest) = table.split_at_mut(size);
    let (prepared, rest) = rest.split_at_mut(size);
    session.prepare(first, session.one(), split);
    session.prepare(prepared, x, split);
    let mut power = Words::copy_of(x);
    for entry in rest.chunks_exact_mut(size) {
        session.mul_prepared(&mut power, prepared, split);
        session.prepare(entry, &power, split);
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
    WindowTable::sliding_vartime(session, x, exponent).run(session, x);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_those_of_the_count() {
        // Words of a residue of ifma52 at these lengths.
        let sizes = [(12, 512), (20, 1024), (30, 1536), (40, 2048), (60, 3072), (80, 4096)];
        assert_eq!(sizes.map(|(words, bits)| regular_width(words, bits)), [4, 5, 5, 5, 6, 6]);
        assert_eq!(sizes.map(|(words, bits)| regular_width_of_rows(words, bits)), [4, 4, 4, 5, 5, 5]);
    }
}
