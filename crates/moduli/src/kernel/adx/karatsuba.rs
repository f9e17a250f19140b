//! Products and squares of long numbers: Karatsuba, with differences, down to where the passes are faster.
//!
//! With h the words of the lower halves, (a0 + a1·B)·(b0 + b1·B) = a0·b0 + (a0·b0 + a1·b1 − (a0 − a1)·(b0 − b1))·B +
//! a1·b1·B², B = 2^(64·h). The differences are taken as magnitudes and signs, and the signs are masks.

use super::rows::{BLOCK, Mulx};

/// From so many words on three products of half the length are faster than the passes.
const PRODUCT_WORDS: usize = 40;

/// The same for squares.
const SQUARE_WORDS: usize = 96;

/// Words that [`Mulx::product`] and [`Mulx::square`] want as scratch.
pub(super) fn scratch_words(n: usize) -> usize {
    if n < PRODUCT_WORDS.min(SQUARE_WORDS) {
        return 0;
    }
    let half = n.div_ceil(2);
    4 * half + scratch_words(half)
}

impl Mulx {
    /// `t ← a·b` for factors of equal length.
    pub(super) fn product(self, t: &mut [u64], a: &[u64], b: &[u64], scratch: &mut [u64]) {
        let n = a.len();
        if n < PRODUCT_WORDS {
            t.fill(0);
            return self.add_rows(t, b, a);
        }
        let half = n.div_ceil(2);
        let (low, high) = t.split_at_mut(2 * half);
        self.product(low, &a[..half], &b[..half], scratch);
        self.product(high, &a[half..], &b[half..], scratch);
        let (middle, rest) = scratch.split_at_mut(2 * half);
        let (sum, rest) = rest.split_at_mut(2 * half);
        let (left, right) = sum.split_at_mut(half);
        // The product of the differences is to be subtracted if their signs agree.
        let sign =
            self.difference(left, &a[..half], &a[half..]) ^ self.difference(right, &b[..half], &b[half..]);
        self.product(middle, left, right, rest);
        self.combine(t, middle, sum, !sign);
    }

    /// `t ← a²`.
    pub(super) fn square(self, t: &mut [u64], a: &[u64], scratch: &mut [u64]) {
        let n = a.len();
        if n < SQUARE_WORDS {
            return self.square_rows(t, a);
        }
        let half = n.div_ceil(2);
        let (low, high) = t.split_at_mut(2 * half);
        self.square(low, &a[..half], scratch);
        self.square(high, &a[half..], scratch);
        let (middle, rest) = scratch.split_at_mut(2 * half);
        let (sum, rest) = rest.split_at_mut(2 * half);
        self.difference(&mut sum[..half], &a[..half], &a[half..]);
        self.square(middle, &sum[..half], rest);
        self.combine(t, middle, sum, u64::MAX);
    }

    /// `t += words·row`; t has room for the carry.
    pub(super) fn add_rows(self, t: &mut [u64], row: &[u64], words: &[u64]) {
        let (sum, high) = t.split_at_mut(row.len() + words.len());
        add_word(high, self.add_words(sum, row, words, 0));
    }

    /// `t ← a²`: the products above the diagonal, doubled, and the diagonal.
    fn square_rows(self, t: &mut [u64], a: &[u64]) {
        let n = a.len();
        for (t, block) in t.chunks_mut(2 * BLOCK).zip(a.chunks(BLOCK)) {
            self.triangle(t, block);
        }
        // Each block by the words above it: all blocks but the last.
        let mut carry = 0;
        let mut top = 0;
        for start in (BLOCK..n).step_by(BLOCK) {
            let (block, row) = a[start - BLOCK..].split_at(BLOCK);
            top = start + n;
            carry = self.add_words(&mut t[2 * start - BLOCK..top], row, block, carry);
        }
        add_word(&mut t[top..], carry);
        self.double_and_square(t, a);
    }

    /// With low and high half of t the products of the halves: adds their sum, plus or minus `middle`, in the middle.
    /// `sum` is as long as the lower product. All ones in `negative` subtract.
    fn combine(self, t: &mut [u64], middle: &mut [u64], sum: &mut [u64], negative: u64) {
        let (low, high) = t.split_at(middle.len());
        sum.copy_from_slice(low);
        let (start, end) = sum.split_at_mut(high.len());
        let mut top = add_word(end, self.add(start, high, 0));
        // −x is the complement and one, less the power of two that the carry stands for.
        complement_if(middle, negative);
        top = top + self.add(sum, middle, negative & 1) - (negative & 1);
        let half = middle.len() / 2;
        let (around, high) = t[half..].split_at_mut(middle.len());
        top += self.add(around, sum, 0);
        add_word(high, top);
    }

    /// `out ← |a − b|`, for b as long as a or a word shorter. Returns all ones if a < b, else zero.
    fn difference(self, out: &mut [u64], a: &[u64], b: &[u64]) -> u64 {
        // The complement of b + (complement of a).
        out.copy_from_slice(a);
        complement_if(out, u64::MAX);
        let (start, end) = out.split_at_mut(b.len());
        let sign = add_word(end, self.add(start, b, 0)).wrapping_neg();
        // A carry: b > a, and what is left is b − a − 1.
        complement_if(out, !sign);
        add_word(out, sign & 1);
        sign
    }
}

/// The complement of x where the mask is all ones, x where it is zero.
fn complement_if(x: &mut [u64], mask: u64) {
    for word in x {
        *word ^= mask;
    }
}

/// `t += word`; returns the carry.
fn add_word(t: &mut [u64], mut word: u64) -> u64 {
    for t in t {
        let overflow;
        (*t, overflow) = t.overflowing_add(word);
        word = overflow as u64;
    }
    word
}
