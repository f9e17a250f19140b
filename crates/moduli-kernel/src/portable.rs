//! The passes over words in plain Rust, for words of `W` bits.
//!
//! `W = 64` is the kernel for every platform. `W = 4` and `W = 8` run the same code on tiny words (one word
//! in each `u64`), so that moduli of a few bits have several words and can be tested exhaustively.

use super::{
    dimensions::{Dimensions, PORTABLE, TINY},
    karatsuba::{self, Rows},
    mask,
    montgomery::{Montgomery, Passes},
    rows::{
        BLOCK, add_block, add_column, add_equal, add_flag, add_four_rows, add_products, add_row, add_words,
        multiply, subtract_rows, word_mask,
    },
    short::{multiply_short, short},
};

/// Montgomery arithmetic in plain Rust on words of `W` bits: 64 in production, 4 or 8 in tests. All data
/// derived from the modulus is wiped on drop.
pub type Portable<const W: u32> = Montgomery<W, Plain>;

/// The passes in plain Rust.
#[derive(Clone, Copy)]
pub struct Plain;

impl<const W: u32> Montgomery<W, Plain> {
    /// Creates a kernel for the odd modulus `modulus > 1`, given as little-endian limbs without leading zero
    /// limbs, and its sizes. Variable-time in the modulus.
    pub(crate) fn new(modulus: &[u64], dimensions: Dimensions) -> Self {
        Self::prepared(modulus, dimensions, Plain)
    }

    /// Adds to the words `t` the multiple of the modulus that clears the lowest `K` of them. The modulus has
    /// at least `K` words. `carry` is added to the words above the modulus; returns the carry out of these
    /// words.
    #[inline(always)]
    fn clear_rows<const K: usize>(&self, t: &mut [u64], carry: bool) -> bool {
        let modulus = self.modulus();
        let (t, high) = t.split_at_mut(modulus.len());
        let Some((first, rest)) = modulus.split_first_chunk::<K>() else { return carry };
        let (low, t) = t.split_at_mut(K);
        // The square of words above the cleared ones. Here the low words of the modulus are the block, and
        // each quotient depends on the ones before.
        let mut sum = [0; K];
        let quotients = core::array::from_fn(|i| {
            let lowest = low[i].wrapping_add(sum[0]);
            let quotient = lowest.wrapping_mul(self.negative_inverse) & word_mask::<W>();
            add_column::<W, K>(low[i], quotient, first, &mut sum);
            quotient
        });
        let sum = add_block::<W, K>(t, rest, &quotients, &sum);
        add_words::<W>(&mut high[..K], &sum, carry)
    }
}

/// The products of each word of a block with the words above it in the block, from the second word of the sum
/// on. Adds the lowest words to `t`, and returns the others.
#[inline(always)]
fn add_triangle<const W: u32>(t: &mut [u64; BLOCK], x: &[u64; BLOCK]) -> [u64; BLOCK] {
    let mut sum = [0; 3];
    t[1] = add_column::<W, 3>(t[1], x[0], &[x[1], x[2], x[3]], &mut sum);
    let carry;
    (t[2], carry) = add_flag::<W>(t[2], sum[0], false);
    let sum_above = [sum[1], sum[2]];
    // The carry fits, because the number added to the first word is below 2^W.
    let (low, high) = add_flag::<W>(sum_above[0], 0, carry);
    let mut sum = [low, sum_above[1] + high as u64];
    t[3] = add_column::<W, 2>(t[3], x[1], &[x[2], x[3]], &mut sum);
    let (low, high) = multiply::<W>(x[2], x[3]);
    let (middle, carry) = add_flag::<W>(sum[1], low, false);
    [sum[0], middle, high + carry as u64, 0]
}

impl<const W: u32> Rows<W> for Plain {
    const PRODUCT_WORDS: usize = if W == 64 { PORTABLE.karatsuba } else { TINY.karatsuba };
    const SQUARE_WORDS: usize = if W == 64 { 120 } else { 5 };

    fn product_rows(self, t: &mut [u64], a: &[u64], b: &[u64]) {
        t.fill(0);
        add_products::<W>(t, b, a);
    }

    // Doubles the products above the diagonal, then adds the diagonal.
    fn square_rows(self, t: &mut [u64], x: &[u64]) {
        let n = x.len();
        t.fill(0);
        let (blocks, rest) = x.as_chunks::<BLOCK>();
        for (i, block) in (0..).step_by(BLOCK).zip(blocks) {
            let (inside, t) = t[2 * i..].split_at_mut(BLOCK);
            let Some(inside) = inside.first_chunk_mut() else { break };
            let sum = add_triangle::<W>(inside, block);
            let (above, high) = t.split_at_mut(n - i - BLOCK);
            let sum = add_block::<W, BLOCK>(above, &x[i + BLOCK..], block, &sum);
            high[..BLOCK].copy_from_slice(&sum);
        }
        for (i, &word) in (n - rest.len()..).zip(rest) {
            [t[i + n]] = add_block::<W, 1>(&mut t[2 * i + 1..i + n], &x[i + 1..], &[word], &[0]);
        }
        let (mut lifted, mut carry) = (0, false);
        for (t, &word) in t.as_chunks_mut::<2>().0.iter_mut().zip(x) {
            let (low, high) = multiply::<W>(word, word);
            let doubled = [t[0] << 1 | lifted, t[1] << 1 | t[0] >> (W - 1)].map(|t| t & word_mask::<W>());
            lifted = t[1] >> (W - 1);
            (t[0], carry) = add_flag::<W>(doubled[0], low, carry);
            (t[1], carry) = add_flag::<W>(doubled[1], high, carry);
        }
    }

    fn add(self, t: &mut [u64], a: &[u64], carry: u64) -> u64 {
        add_equal::<W>(t, a, carry != 0) as u64
    }
}

impl<const W: u32> Passes<W> for Plain {
    const BLOCK: usize = PORTABLE.block;
    // For tests, tiny words use a combined pair whenever possible.
    const PAIR_WORDS: usize = if W == 64 { 28 } else { BLOCK + 2 };

    fn multiply(m: &Montgomery<W, Self>, x: &mut [u64], b: &[u64], scratch: &mut [u64]) {
        if m.n() <= short::<W>() {
            return multiply_short::<W>(x, Some(b), m.modulus(), m.negative_inverse);
        }
        let (t, scratch) = scratch.split_at_mut(2 * m.n());
        karatsuba::product::<W, _>(Plain, t, x, b, scratch);
        m.reduce(x, t);
    }

    fn square(m: &Montgomery<W, Self>, x: &mut [u64], scratch: &mut [u64]) {
        let n = m.n();
        if n <= short::<W>() {
            return multiply_short::<W>(x, None, m.modulus(), m.negative_inverse);
        }
        let (t, scratch) = scratch.split_at_mut(2 * n);
        karatsuba::square::<W, _>(Plain, t, x, scratch);
        m.reduce(x, t);
    }

    fn clear(m: &Montgomery<W, Self>, t: &mut [u64]) -> u64 {
        let n = m.n();
        let rows = t.len() - n;
        // The carry out of the words reduced so far, 0 or 1. Its place is t[i + n].
        let (mut i, mut high) = (0, false);
        while i < rows {
            let t = &mut t[i..];
            let (overflow, done) = match n.min(rows - i) {
                1 => (m.clear_rows::<1>(t, high), 1),
                2 => (m.clear_rows::<2>(t, high), 2),
                3 => (m.clear_rows::<3>(t, high), 3),
                _ => (m.clear_rows::<BLOCK>(t, high), BLOCK),
            };
            high = overflow;
            crate::fault!("a carry dropped at 13 limbs", "kernel-suite kernels::", {
                high &= n != 13;
            });
            i += done;
        }
        high as u64
    }

    fn subtract(m: &Montgomery<W, Self>, out: &mut [u64], t: &[u64], high: u64) {
        let borrow = subtract_rows::<W>(out, t, m.modulus());
        // Keeps t only if it is below p: then the subtraction borrows, and `high` is 0.
        mask::assign(out, t, mask::less(high, borrow as u64));
    }

    fn clear_block(m: &Montgomery<W, Self>, t: &mut [u64]) {
        m.clear_rows::<BLOCK>(t, false);
    }

    fn add_products(_: &Montgomery<W, Self>, sum: &mut [u64], row: &[u64], words: &[u64]) {
        add_products::<W>(sum, row, words);
    }

    fn add_pieces(_: &Montgomery<W, Self>, t: &mut [u64], x: &[u64], b: &[u64], part: usize) {
        let n = x.len();
        if part > 1 {
            for (part, piece) in x.chunks(part).zip(b.chunks_exact(n)) {
                add_products::<W>(t, piece, part);
            }
            return;
        }
        // With one word of x for each piece, nothing is shifted.
        let (row, high) = t.split_at_mut(n);
        let (blocks, rest) = x.as_chunks::<BLOCK>();
        let (pieces, pieces_rest) = b.split_at(BLOCK * n * blocks.len());
        for (pieces, &words) in pieces.chunks_exact(BLOCK * n).zip(blocks) {
            let [first, second, third, fourth] = core::array::from_fn(|m| &pieces[m * n..(m + 1) * n]);
            let rows = first.iter().zip(second).zip(third.iter().zip(fourth));
            let rows = rows.map(|((&a, &b), (&c, &d))| [a, b, c, d]);
            let carry = add_four_rows::<W>(row, rows, words);
            let carry = [carry as u64 & word_mask::<W>(), (carry >> W) as u64];
            add_words::<W>(high, &carry, false);
        }
        for (piece, &word) in pieces_rest.chunks_exact(n).zip(rest) {
            let carry = add_row::<W>(row, piece, word);
            add_words::<W>(high, &[carry], false);
        }
    }
}
