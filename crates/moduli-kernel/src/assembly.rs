//! Montgomery products, squares and reductions, built from passes in assembly. Each kernel with 64-bit limbs
//! provides its own passes.

use super::{
    karatsuba::{self, Rows, add_word},
    mask,
    montgomery::{Montgomery, Passes},
};

/// The passes in assembly over 64-bit words, little-endian. All are constant-time: branches and addresses
/// depend on lengths alone.
pub trait Assembly: Copy + Send + Sync {
    /// The words of a factor, or of a reduction, that one pass processes.
    const BLOCK: usize;
    /// Products of at most this many words use `multiply_short`.
    const SHORT: usize;
    /// Products of at least this many words use Karatsuba's method.
    const PRODUCT_WORDS: usize;
    /// The same limit for squares.
    const SQUARE_WORDS: usize;
    /// Like `PRODUCT_WORDS`, if the length of a half is not a multiple of four words.
    const UNEVEN_PRODUCT_WORDS: usize = Self::PRODUCT_WORDS;
    /// The same limit for squares.
    const UNEVEN_SQUARE_WORDS: usize = Self::SQUARE_WORDS;
    /// From this many words on, a combined pair is faster than two products.
    const PAIR_WORDS: usize;

    /// `t += words·row + carry·2^(64·row words)`, where t is as long as both operands together. The carry is
    /// 0 or 1, and so is the carry out of the top, which is returned.
    fn add_words(self, t: &mut [u64], row: &[u64], words: &[u64], carry: u64) -> u64;

    /// `t ← words·row`, where t is as long as both operands together.
    fn multiply_words(self, t: &mut [u64], row: &[u64], words: &[u64]) {
        t.fill(0);
        self.add_words(t, row, words, 0);
    }

    /// Adds to `t` the multiple of `p` that clears the low words of t, and `carry·2^(64·p words)`. These low
    /// words are as many as t has more than p, at most as many as p has; their content afterwards is
    /// undefined. Returns the carry out of the top.
    fn clear_words(self, t: &mut [u64], p: &[u64], negative_inverse: u64, carry: u64) -> u64;

    /// `t ← Σ a_i·a_j·2^(64·(i + j))` over all i < j in a block `a` of at most [`Assembly::BLOCK`] words.
    fn triangle(self, t: &mut [u64], a: &[u64]);

    /// `t += Σ a_i·a_j·2^(64·(i + j))` over all i < j in different blocks of `a`; t has room for the sum.
    fn rectangles(self, t: &mut [u64], a: &[u64]) {
        // Multiplies each block except the last by all words above it.
        let mut carry = 0;
        let mut top = 0;
        for start in (Self::BLOCK..a.len()).step_by(Self::BLOCK) {
            let (block, row) = a[start - Self::BLOCK..].split_at(Self::BLOCK);
            top = start + a.len();
            carry = self.add_words(&mut t[2 * start - Self::BLOCK..top], row, block, carry);
        }
        add_word::<64>(&mut t[top..], carry);
    }

    /// `t ← 2·t + Σ a_i²·2^(128·i)`.
    fn double_and_square(self, t: &mut [u64], a: &[u64]);

    /// `t += a + carry` for operands of equal length; returns the carry, which is 0 or 1, too.
    fn add_chain(self, t: &mut [u64], a: &[u64], carry: u64) -> u64;

    /// As [`Rows::difference`].
    fn difference(self, out: &mut [u64], a: &[u64], b: &[u64]) -> u64 {
        karatsuba::difference::<64, Self>(self, out, a, b)
    }

    /// As [`Rows::combine`].
    fn combine(self, t: &mut [u64], middle: &mut [u64], sum: &mut [u64], negative: u64) {
        karatsuba::combine::<64, Self>(self, t, middle, sum, negative);
    }

    /// `out ← t − p` if t, with the carry word `high` on top, is at least p; otherwise `out ← t`.
    fn subtract(self, out: &mut [u64], t: &[u64], p: &[u64], high: u64);

    /// As [`Kernel::select`](super::contract::Kernel::select).
    fn select(self, out: &mut [u64], first: &[u64], row: &[u64], index: u64) {
        mask::select(out, first, row, index);
    }

    /// `x ← x·b / 2^(64·words) mod p` for at most [`Assembly::SHORT`] words, with x·b below p·2^(64·words).
    /// Without b, squares x.
    fn multiply_short(self, x: &mut [u64], b: Option<&[u64]>, p: &[u64], negative_inverse: u64);
}

/// `t += words·row`; t has room for the carry.
fn add_rows<A: Assembly>(passes: A, t: &mut [u64], row: &[u64], words: &[u64]) {
    let (sum, high) = t.split_at_mut(row.len() + words.len());
    add_word::<64>(high, passes.add_words(sum, row, words, 0));
}

impl<A: Assembly> Rows<64> for A {
    const PRODUCT_WORDS: usize = A::PRODUCT_WORDS;
    const SQUARE_WORDS: usize = A::SQUARE_WORDS;
    const UNEVEN_PRODUCT_WORDS: usize = A::UNEVEN_PRODUCT_WORDS;
    const UNEVEN_SQUARE_WORDS: usize = A::UNEVEN_SQUARE_WORDS;

    fn product_rows(self, t: &mut [u64], a: &[u64], b: &[u64]) {
        self.multiply_words(t, b, a);
    }

    // Doubles the products above the diagonal, then adds the diagonal.
    fn square_rows(self, t: &mut [u64], a: &[u64]) {
        for (t, block) in t.chunks_mut(2 * A::BLOCK).zip(a.chunks(A::BLOCK)) {
            self.triangle(t, block);
        }
        self.rectangles(t, a);
        self.double_and_square(t, a);
    }

    fn add(self, t: &mut [u64], a: &[u64], carry: u64) -> u64 {
        self.add_chain(t, a, carry)
    }

    fn difference(self, out: &mut [u64], a: &[u64], b: &[u64]) -> u64 {
        Assembly::difference(self, out, a, b)
    }

    fn combine(self, t: &mut [u64], middle: &mut [u64], sum: &mut [u64], negative: u64) {
        Assembly::combine(self, t, middle, sum, negative);
    }
}

impl<A: Assembly> Passes<64> for A {
    const BLOCK: usize = A::BLOCK;
    const PAIR_WORDS: usize = A::PAIR_WORDS;

    fn multiply(m: &Montgomery<64, A>, x: &mut [u64], b: &[u64], scratch: &mut [u64]) {
        let n = m.n();
        if n <= A::SHORT {
            return m.passes.multiply_short(x, Some(b), m.modulus(), m.negative_inverse);
        }
        let (t, scratch) = scratch.split_at_mut(2 * n);
        karatsuba::product::<64, _>(m.passes, t, x, b, scratch);
        m.reduce(x, t);
    }

    fn square(m: &Montgomery<64, A>, x: &mut [u64], scratch: &mut [u64]) {
        let n = m.n();
        if n <= A::SHORT {
            return m.passes.multiply_short(x, None, m.modulus(), m.negative_inverse);
        }
        let (t, scratch) = scratch.split_at_mut(2 * n);
        karatsuba::square::<64, _>(m.passes, t, x, scratch);
        m.reduce(x, t);
    }

    fn clear(m: &Montgomery<64, A>, t: &mut [u64]) -> u64 {
        m.passes.clear_words(t, m.modulus(), m.negative_inverse, 0)
    }

    fn subtract(m: &Montgomery<64, A>, out: &mut [u64], t: &[u64], high: u64) {
        crate::fault!("the last subtraction skipped at 40 limbs", "kernel-suite kernels::", {
            if t.len() == 40 {
                out.copy_from_slice(t);
                return;
            }
        });
        crate::fault!("a carry dropped at 20 limbs", "kernel-suite kernels::", {
            if t.len() == 20 {
                m.passes.subtract(out, t, m.modulus(), 0);
                return;
            }
        });
        m.passes.subtract(out, t, m.modulus(), high);
    }

    fn select(m: &Montgomery<64, A>, out: &mut [u64], first: &[u64], row: &[u64], index: u64) {
        m.passes.select(out, first, row, index);
    }

    fn clear_block(m: &Montgomery<64, A>, t: &mut [u64]) {
        m.passes.clear_words(t, m.modulus(), m.negative_inverse, 0);
    }

    fn add_products(m: &Montgomery<64, A>, sum: &mut [u64], row: &[u64], words: &[u64]) {
        add_rows(m.passes, sum, row, words);
    }

    fn add_pieces(m: &Montgomery<64, A>, t: &mut [u64], x: &[u64], b: &[u64], part: usize) {
        for (part, piece) in x.chunks(part).zip(b.chunks_exact(x.len())) {
            add_rows(m.passes, t, piece, part);
        }
    }
}
