//! Eight residues side by side, digit j of all of them in vector j.
//!
//! For moduli of 409 to 1240 bits, residues have as many digits as a product reduces by, and the sums of
//! products stay in registers (`short`). For other moduli, residues have as many digits as 12N, rounded up to
//! a multiple of five, and products go by blocks of ten digits; if five digits remain, they come first. From
//! 40 digits on, products are computed from products of halves (`halves`). Products by blocks leave arbitrary
//! bits above the 52 bits of a digit: no product reads them, and `take` drops them. Bounds are those of the
//! single residue.

#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod columns;
mod halves;
mod look;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod look_up;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod products;
mod short;

use alloc::vec::Vec;
use core::arch::x86_64::*;

#[cfg(feature = "internals")]
pub use self::halves::sums_of_halves_keep_their_sign;
use self::look::{LOOKED_AT, Look};
use super::{
    digits::DIGIT,
    divisor::{Divisor, digits_of},
};
use crate::{
    lanes::Lanes,
    places::{Constant, Places, bytes_of},
    words::Words,
};

/// Ten digits of eight residues.
type Block = [__m512i; 10];

/// The constants of a modulus for residues side by side.
pub(super) struct Rows {
    /// The number of digits of a residue; higher digits are 0.
    digits: usize,
    /// The number of digits by which products reduce.
    reduced: usize,
    /// The number of digits that R lacks: products begin as many columns higher.
    spared: usize,
    /// The vectors for the sums of a product, and those behind them for its halves.
    columns: usize,
    room: usize,
    /// Whether a product, and a square, is computed from halves.
    has_halves: [bool; 2],
    /// The word of a residue that contains each digit, including digits that are 0.
    order: Vec<usize>,
    /// For each word of a residue, up to a multiple of eight, the place of its digit in a row.
    targets: Words,
    /// Which of eight words have a place in a row.
    there: Vec<u8>,
    /// For blocks of five and of ten digits, or of one, H, then N and −1/N, digit by digit.
    high_of_five: Words,
    high: Words,
    modulus: Words,
    negative_inverse: Words,
    /// The code for rows that are processed digit by digit.
    short: Option<&'static short::Operations>,
}

impl Rows {
    /// For residues whose digits have this order, of which only the first `needed` can be other than 0, and
    /// products that reduce by `reduced` digits.
    pub(super) fn new(divisor: &Divisor, order: Vec<usize>, needed: usize, reduced: usize) -> Self {
        let short = short::operations(reduced);
        // Residues may have fewer; then the highest digits are 0.
        let (digits, taken_off, block) = match short {
            Some(_) => (reduced, reduced, 1),
            None => (needed.next_multiple_of(5).max(10), reduced.next_multiple_of(5).max(10), 10),
        };
        let [negative_inverse, high] = divisor.block(52 * block);
        let high_of_five = match taken_off % 10 {
            5 => digits_of(&divisor.block(260)[1], digits),
            _ => Words::zero(0),
        };
        let mut targets = Words::zero(order.len().next_multiple_of(8));
        let mut there = alloc::vec![0; order.len().div_ceil(8)];
        for (digit, &word) in order.iter().take(digits).enumerate() {
            targets[word] = 8 * digit as u64;
            there[word / 8] |= 1 << (word % 8);
        }
        Self {
            digits,
            reduced: taken_off,
            spared: taken_off - reduced,
            columns: Self::sums_of(digits, taken_off - reduced, taken_off),
            room: halves::room(digits),
            has_halves: halves::are_used(digits),
            order,
            targets,
            there,
            high_of_five,
            high: digits_of(&high, digits),
            modulus: digits_of(&divisor.multiple(1), digits),
            negative_inverse: digits_of(&negative_inverse, block),
            short,
        }
    }
}

impl Rows {
    /// The constants of the modulus for short rows.
    fn digit_by_digit(&self) -> short::Modulus<'_> {
        short::Modulus { step: &self.high, modulus: &self.modulus, inverse: self.negative_inverse[0] }
    }

    /// Squares x once for each part of the look-up, whose result goes to `out`: zeros before.
    ///
    /// # Safety
    /// The processor has AVX-512 IFMA; x, `out` and the entries of the table, [`LOOKED_AT`] at least, have as
    /// many vectors as there are digits, `sums` as many as there are columns and room, and there are
    /// eight indices.
    #[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
    unsafe fn squares_and_looks(
        &self,
        x: *mut __m512i,
        out: &mut [u64],
        table: &[u64],
        indices: &[u64],
        sums: *mut __m512i,
    ) {
        let row = self.row_words();
        let entries = table.len() / row;
        // SAFETY: as the caller guarantees.
        unsafe {
            let indices = _mm512_loadu_si512(indices.as_ptr().cast());
            for part in 0..entries.div_ceil(LOOKED_AT) {
                // The last part is as long as the others: it begins with entries that were looked at.
                let first = (part * LOOKED_AT).min(entries - LOOKED_AT);
                let look = Look {
                    out: out.as_mut_ptr().cast(),
                    entries: table.as_ptr().add(row * first).cast(),
                    wanted: _mm512_sub_epi64(indices, _mm512_set1_epi64(first as i64)),
                };
                match self.short {
                    Some(short) => (short.square_and_look)(x, self.digit_by_digit(), &look),
                    None => self.square_and_look(x, sums, &look),
                }
            }
        }
    }

    /// Memory for the sums of a product and for its halves.
    fn sums<'a>(&self, scratch: &'a mut [u64]) -> &'a mut [u64] {
        &mut scratch[..self.scratch_words()]
    }
}

impl Lanes for Rows {
    fn places(&self) -> Places {
        let words = [
            ("high", &self.high),
            ("high of five", &self.high_of_five),
            ("modulus", &self.modulus),
            ("negative inverse", &self.negative_inverse),
        ];
        let constants = words.iter().map(|(name, words)| Constant::of(name, words)).collect();
        Places { constants, public: alloc::vec![bytes_of(self)] }
    }

    fn lanes(&self) -> usize {
        8
    }

    fn enough(&self) -> usize {
        // By measurement, a single residue uses the multipliers nearly as well.
        if self.digits <= 25 { 5 } else { 7 }
    }

    fn looked_at(&self) -> usize {
        LOOKED_AT
    }

    fn row_words(&self) -> usize {
        8 * self.digits
    }

    fn scratch_words(&self) -> usize {
        8 * (self.columns + self.room)
    }

    fn put(&self, row: &mut [u64], lane: usize, residue: &[u64]) {
        let mut row = row.chunks_exact_mut(8);
        for (&at, row) in self.order.iter().zip(row.by_ref()) {
            row[lane] = residue[at];
        }
        row.for_each(|row| row[lane] = 0);
    }

    fn take(&self, residue: &mut [u64], row: &[u64], lane: usize) {
        residue.fill(0);
        for (row, at) in row.chunks_exact(8).zip(self.order.iter().copied()) {
            residue[at] = row[lane] & DIGIT;
        }
    }

    fn mul(&self, x: &mut [u64], b: &[u64], scratch: &mut [u64]) {
        assert!(x.len() == self.row_words() && b.len() == self.row_words());
        let sums = self.sums(scratch).as_mut_ptr() as *mut __m512i;
        let (x, b) = (x.as_mut_ptr() as *mut __m512i, b.as_ptr() as *const __m512i);
        // SAFETY: the constructor saw the instructions; the lengths were checked.
        unsafe {
            match self.short {
                Some(short) => (short.multiply)(x, b, self.digit_by_digit()),
                None => self.multiply_rows(x, b, sums),
            }
        }
    }

    fn square(&self, x: &mut [u64], scratch: &mut [u64]) {
        assert!(x.len() == self.row_words());
        let sums = self.sums(scratch).as_mut_ptr() as *mut __m512i;
        let x = x.as_mut_ptr() as *mut __m512i;
        // SAFETY: the constructor saw the instructions; the length was checked, and there is room for more
        // than twice x.
        unsafe {
            match self.short {
                Some(short) => (short.square)(x, self.digit_by_digit()),
                None => self.square_rows(x, sums),
            }
        }
    }

    fn select(&self, out: &mut [u64], table: &[u64], indices: &[u64]) {
        assert!(out.len() == self.row_words() && table.len().is_multiple_of(out.len()) && indices.len() == 8);
        // SAFETY: the constructor saw the instructions; the lengths were checked.
        unsafe { self.select_rows(out, table, indices) }
    }

    fn square_and_select(
        &self,
        (x, times): (&mut [u64], u32),
        (out, table, indices): (&mut [u64], &[u64], &[u64]),
        scratch: &mut [u64],
    ) {
        let (row, entries) = (self.row_words(), table.len() / self.row_words());
        assert!(x.len() == row && out.len() == row && table.len() == row * entries && indices.len() == 8);
        // The number of squares that look at entries is the number of parts.
        let parts = entries.div_ceil(LOOKED_AT) as u32;
        if entries < LOOKED_AT || parts > times {
            (0..times).for_each(|_| self.square(x, scratch));
            return self.select(out, table, indices);
        }
        crate::fault!(
            "a look-up without a mask beside squares of ifma52",
            "kernel-checkmem operations_of_lanes",
            {
                (0..times).for_each(|_| self.square(x, scratch));
                let mut entry = alloc::vec![0; row];
                for (lane, &index) in indices.iter().enumerate() {
                    crate::faults::look_up_openly(&mut entry, &table[..row], &table[row..], index);
                    (lane..row).step_by(8).for_each(|word| out[word] = entry[word]);
                }
                return;
            }
        );
        (0..times - parts).for_each(|_| self.square(x, scratch));
        out.fill(0);
        let sums = self.sums(scratch).as_mut_ptr() as *mut __m512i;
        // SAFETY: the constructor saw the instructions; the lengths were checked, and there is room for more
        // than twice x.
        unsafe { self.squares_and_looks(x.as_mut_ptr() as *mut __m512i, out, table, indices, sums) }
    }

    fn look_up(&self, out: &mut [u64], first: &[u64], entries: &[u64], indices: &[u64]) {
        let row = self.row_words();
        assert!(out.len() == row * (indices.len() / 8) && indices.len().is_multiple_of(8));
        assert!(first.len() == self.order.len() && entries.len().is_multiple_of(first.len()));
        for out in out.chunks_exact_mut(row) {
            if let Some(more) = out.get_mut(8 * self.order.len()..) {
                more.fill(0);
            }
        }
        crate::fault!(
            "a look-up without a mask in the lanes of ifma52",
            "kernel-checkmem operations_of_lanes",
            {
                let size = first.len();
                for (lane, &index) in indices.iter().enumerate() {
                    let mut entry = alloc::vec![0; size];
                    crate::faults::look_up_openly(&mut entry, first, entries, index);
                    self.put(&mut out[lane / 8 * row..][..row], lane % 8, &entry);
                }
                return;
            }
        );
        // SAFETY: the constructor saw the instructions; the lengths were checked.
        unsafe { self.look_up_residues(out, first, entries, indices) }
    }
}
