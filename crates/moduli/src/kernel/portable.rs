//! The passes over words in plain Rust, for words of `W` bits.
//!
//! `W = 64` is the kernel that every platform has. `W = 4` and `W = 8` are the same code on tiny words (one
//! word in each `u64`), so that moduli of a few bits have several words and can be tested exhaustively.

use super::{
    montgomery::{Montgomery, Passes, pad},
    rows::{
        PAD, ROWS, add_carry, add_four_rows, add_products, add_row, add_rows_carry, add_two_rows,
        multiply_add, shifted, word_mask,
    },
};

/// Montgomery arithmetic in plain Rust on words of `W` bits: 64 in earnest, 4 or 8 in tests. What it holds of the modulus
/// is wiped on drop.
pub type Portable<const W: u32> = Montgomery<W, Plain>;

/// The passes in plain Rust.
pub struct Plain;

impl<const W: u32> Montgomery<W, Plain> {
    /// A kernel for the odd modulus `modulus > 1`, little-endian limbs without leading zero limbs: what
    /// [`Modulus::new`](crate::Modulus::new) has checked. Variable-time in the modulus.
    ///
    /// # Panics
    /// If there are no limbs.
    pub fn new(modulus: &[u64]) -> Self {
        Self::prepared(modulus, Plain)
    }

    /// The multiples of the modulus, each shifted up by one more word, that clear the words `low`.
    #[inline(always)]
    fn quotients<const N: usize>(&self, mut low: [u64; N]) -> [u64; N] {
        core::array::from_fn(|m| {
            let quotient = low[m].wrapping_mul(self.negative_inverse) & word_mask::<W>();
            add_row::<W>(&mut low[m..], &self.padded[PAD..PAD + N - m], quotient);
            quotient
        })
    }
}

impl<const W: u32> Passes<W> for Plain {
    const NAME: &'static str = match W {
        64 => "portable",
        8 => "portable8",
        _ => "portable4",
    };
    const PAD: usize = PAD;
    const BLOCK: usize = ROWS;
    // Tiny words take a pair whenever they can: for tests.
    const PAIR_WORDS: usize = if W == 64 { 28 } else { ROWS + 2 };

    fn scratch_words(n: usize) -> usize {
        3 * n + 2 * PAD + 1
    }

    // Two words of x at a time, and the two words of reduction that they call for, in one pass of four rows.
    fn multiply(m: &Montgomery<W, Self>, x: &mut [u64], b: &[u64], scratch: &mut [u64]) {
        let n = m.n();
        let (t, padded) = scratch[..3 * n + 2 * PAD + 1].split_at_mut(2 * n + 1);
        t[..=n].fill(0);
        pad(padded, b, PAD);
        let (pairs, last) = x.as_chunks::<2>();
        for (i, &[x0, x1]) in (0..).step_by(2).zip(pairs) {
            // Between the passes t is below 2p: its top word t[i + n] is 0 or 1.
            let t = &mut t[i..i + n + 3];
            let (low, carry) = multiply_add::<W>(t[0], x0, b[0], 0);
            let (next, _) = multiply_add::<W>(t[1], x0, padded[PAD + 1], carry);
            let (next, _) = multiply_add::<W>(next, x1, b[0], 0);
            let q = m.quotients([low, next]);
            let rows = padded[PAD - 1..].windows(2).zip(m.padded[PAD - 1..].windows(2));
            let rows = rows.map(|(b, p)| [b[1], b[0], p[1], p[0]]);
            let carry = add_four_rows::<W>(&mut t[..=n], rows, [x0, x1, q[0], q[1]]);
            (t[n + 1], t[n + 2]) = add_rows_carry::<W>(0, carry);
        }
        let mut high = t[2 * n];
        if let &[word] = last {
            let t = &mut t[n - 1..];
            let carry = add_row::<W>(&mut t[..n], b, word);
            (t[n], high) = add_carry::<W>(t[n], carry, 0);
            let quotient = t[0].wrapping_mul(m.negative_inverse) & word_mask::<W>();
            let carry = add_row::<W>(&mut t[..n], m.modulus(), quotient);
            let overflow;
            (t[n], overflow) = add_carry::<W>(t[n], carry, 0);
            high += overflow;
        }
        x.copy_from_slice(&t[n..2 * n]);
        m.subtract_once(x, high);
    }

    // The words above the diagonal, doubled, and the diagonal.
    fn square(m: &Montgomery<W, Self>, x: &mut [u64], scratch: &mut [u64]) {
        let n = m.n();
        let (t, padded) = scratch[..3 * n + 2 * PAD].split_at_mut(2 * n);
        t.fill(0);
        pad(padded, x, PAD);
        for (i, &words) in (0..).step_by(2).zip(x.as_chunks::<2>().0) {
            // The first row meets two words before the second one has crossed the diagonal.
            let row = &padded[PAD + i + 1..];
            let carry = add_row::<W>(&mut t[2 * i + 1..2 * i + 3], &row[..2], words[0]);
            let above = &mut t[2 * i + 3..i + n + 1];
            let carry = add_two_rows::<W>(above, shifted(&row[1..]), words, carry as u128);
            t[i + n + 1] = carry as u64;
        }
        let (mut lifted, mut carry) = (0, 0);
        for (i, &word) in x.iter().enumerate() {
            let (low, high) = multiply_add::<W>(0, word, word, 0);
            let doubled = (t[2 * i] << 1 | lifted) & word_mask::<W>();
            lifted = t[2 * i] >> (W - 1);
            (t[2 * i], carry) = add_carry::<W>(doubled, low, carry);
            let doubled = (t[2 * i + 1] << 1 | lifted) & word_mask::<W>();
            lifted = t[2 * i + 1] >> (W - 1);
            (t[2 * i + 1], carry) = add_carry::<W>(doubled, high, carry);
        }
        m.reduce(x, t);
    }

    fn clear(m: &Montgomery<W, Self>, t: &mut [u64]) -> u64 {
        let n = m.n();
        let rows = t.len() - n;
        // The carry out of the words reduced so far, 0 or 1; it belongs to t[i + n].
        let mut high = 0;
        for i in (0..rows - rows % ROWS).step_by(ROWS) {
            let t = &mut t[i..=i + n + PAD];
            for t in &mut t[n..] {
                (*t, high) = add_carry::<W>(*t, 0, high);
            }
            let quotients = m.quotients::<ROWS>(core::array::from_fn(|m| t[m]));
            let rows = m.padded.windows(ROWS).map(|p| [p[3], p[2], p[1], p[0]]);
            let carry = add_four_rows::<W>(&mut t[..n + PAD], rows, quotients);
            let overflow;
            (t[n + PAD], overflow) = add_rows_carry::<W>(t[n + PAD], carry);
            high += overflow;
        }
        for i in rows - rows % ROWS..rows {
            let quotient = t[i].wrapping_mul(m.negative_inverse) & word_mask::<W>();
            let carry = add_row::<W>(&mut t[i..i + n], m.modulus(), quotient);
            (t[i + n], high) = add_carry::<W>(t[i + n], carry, high);
        }
        high
    }

    fn clear_block(m: &Montgomery<W, Self>, t: &mut [u64]) {
        let n = m.n();
        let quotients = m.quotients::<ROWS>(core::array::from_fn(|i| t[i]));
        let rows = m.padded.windows(ROWS).map(|p| [p[3], p[2], p[1], p[0]]);
        let carry = add_four_rows::<W>(&mut t[..n + PAD], rows, quotients);
        t[n + PAD] = carry as u64;
    }

    fn add_products(_: &Montgomery<W, Self>, sum: &mut [u64], padded: &[u64], words: &[u64]) {
        add_products::<W>(sum, padded, words);
    }

    fn add_pieces(_: &Montgomery<W, Self>, t: &mut [u64], x: &[u64], b: &[u64], c: usize) {
        let n = x.len();
        for k in 0..c {
            // Word k of every part of x that has one, each with its piece of b.
            let parts = (n - k).div_ceil(c);
            let word = |part: usize| x[k + part * c];
            let piece = |part: usize| &b[part * n..(part + 1) * n];
            let mut part = 0;
            while part < parts {
                let row = &mut t[k..k + n];
                let (carry, done) = match parts - part {
                    1 => (add_row::<W>(row, piece(part), word(part)) as u128, 1),
                    2 | 3 => {
                        let [first, second] = [part, part + 1];
                        let words = [word(first), word(second)];
                        (add_two_rows::<W>(row, [piece(first), piece(second)], words, 0), 2)
                    }
                    _ => {
                        let parts: [usize; ROWS] = core::array::from_fn(|m| part + m);
                        let [first, second, third, fourth] = parts.map(piece);
                        let rows = first.iter().zip(second).zip(third.iter().zip(fourth));
                        let rows = rows.map(|((&a, &b), (&c, &d))| [a, b, c, d]);
                        (add_four_rows::<W>(row, rows, parts.map(word)), ROWS)
                    }
                };
                let overflow;
                (t[k + n], overflow) = add_rows_carry::<W>(t[k + n], carry);
                t[k + n + 1] += overflow;
                part += done;
            }
        }
    }
}
