//! Products and squares of long numbers by Karatsuba's method, with differences, down to the length at which
//! rows are faster.
//!
//! With h words in the lower halves, (a0 + a1·B)·(b0 + b1·B) = a0·b0 + (a0·b0 + a1·b1 − (a0 − a1)·(b0 −
//! b1))·B + a1·b1·B², where B = 2^(W·h). The differences are stored as magnitudes and signs, and the signs
//! are masks.

use super::rows::word_mask;

/// Row-by-row products and squares, and sums.
pub(super) trait Rows<const W: u32>: Copy {
    /// From this many words on, three products of half the length are faster.
    const PRODUCT_WORDS: usize;
    /// The same for squares.
    const SQUARE_WORDS: usize;
    /// The same limit, if the length of a half is not a multiple of four words.
    const UNEVEN_PRODUCT_WORDS: usize = Self::PRODUCT_WORDS;
    /// The same for squares.
    const UNEVEN_SQUARE_WORDS: usize = Self::SQUARE_WORDS;

    /// `t ← a·b` for factors of equal length.
    fn product_rows(self, t: &mut [u64], a: &[u64], b: &[u64]);

    /// `t ← a²`.
    fn square_rows(self, t: &mut [u64], a: &[u64]);

    /// `t += a + carry` for operands of equal length; returns the carry, which is 0 or 1, too.
    fn add(self, t: &mut [u64], a: &[u64], carry: u64) -> u64;

    /// `out ← |a − b|`, where b is as long as a or a word shorter. Returns all ones if a < b, else zero.
    fn difference(self, out: &mut [u64], a: &[u64], b: &[u64]) -> u64 {
        difference::<W, Self>(self, out, a, b)
    }

    /// The low and the high half of t are the products of the halves. Adds their sum plus `middle` in the
    /// middle of t, or their sum minus `middle` if `negative` is all ones. `middle` and the scratch space
    /// `sum` are as long as the lower product.
    fn combine(self, t: &mut [u64], middle: &mut [u64], sum: &mut [u64], negative: u64) {
        combine::<W, Self>(self, t, middle, sum, negative);
    }
}

/// Words of scratch space that [`product`] and [`square`] need, if numbers of at least `least` words are
/// split into halves.
pub(super) fn scratch_words(least: usize, n: usize) -> usize {
    if n < least {
        return 0;
    }
    let half = n.div_ceil(2);
    4 * half + scratch_words(least, half)
}

/// `t ← a·b` for factors of equal length.
pub(super) fn product<const W: u32, R: Rows<W>>(
    rows: R,
    t: &mut [u64],
    a: &[u64],
    b: &[u64],
    scratch: &mut [u64],
) {
    let n = a.len();
    if n < if n.is_multiple_of(8) { R::PRODUCT_WORDS } else { R::UNEVEN_PRODUCT_WORDS } {
        return rows.product_rows(t, a, b);
    }
    let half = n.div_ceil(2);
    let (low, high) = t.split_at_mut(2 * half);
    product::<W, R>(rows, low, &a[..half], &b[..half], scratch);
    product::<W, R>(rows, high, &a[half..], &b[half..], scratch);
    let (middle, rest) = scratch.split_at_mut(2 * half);
    let (sum, rest) = rest.split_at_mut(2 * half);
    let (left, right) = sum.split_at_mut(half);
    // The product of the differences is subtracted if their signs are equal.
    let sign = rows.difference(left, &a[..half], &a[half..]) ^ rows.difference(right, &b[..half], &b[half..]);
    product::<W, R>(rows, middle, left, right, rest);
    rows.combine(t, middle, sum, !sign);
}

/// `t ← a²`.
pub(super) fn square<const W: u32, R: Rows<W>>(rows: R, t: &mut [u64], a: &[u64], scratch: &mut [u64]) {
    let n = a.len();
    if n < if n.is_multiple_of(8) { R::SQUARE_WORDS } else { R::UNEVEN_SQUARE_WORDS } {
        return rows.square_rows(t, a);
    }
    let half = n.div_ceil(2);
    let (low, high) = t.split_at_mut(2 * half);
    square::<W, R>(rows, low, &a[..half], scratch);
    square::<W, R>(rows, high, &a[half..], scratch);
    let (middle, rest) = scratch.split_at_mut(2 * half);
    let (sum, rest) = rest.split_at_mut(2 * half);
    rows.difference(&mut sum[..half], &a[..half], &a[half..]);
    square::<W, R>(rows, middle, &sum[..half], rest);
    rows.combine(t, middle, sum, u64::MAX);
}

/// [`Rows::combine`] in terms of [`Rows::add`].
pub(super) fn combine<const W: u32, R: Rows<W>>(
    rows: R,
    t: &mut [u64],
    middle: &mut [u64],
    sum: &mut [u64],
    negative: u64,
) {
    let (low, high) = t.split_at(middle.len());
    sum.copy_from_slice(low);
    let (start, end) = sum.split_at_mut(high.len());
    let carry = rows.add(start, high, 0);
    let mut top = add_word::<W>(end, carry);
    // −x is the complement plus one, minus the power of two that the carry represents.
    complement_if::<W>(middle, negative);
    top = top + rows.add(sum, middle, negative & 1) - (negative & 1);
    let half = middle.len() / 2;
    let (around, high) = t[half..].split_at_mut(middle.len());
    top += rows.add(around, sum, 0);
    add_word::<W>(high, top);
}

/// [`Rows::difference`] in terms of [`Rows::add`].
pub(super) fn difference<const W: u32, R: Rows<W>>(rows: R, out: &mut [u64], a: &[u64], b: &[u64]) -> u64 {
    // a − b is the complement of b + (complement of a).
    out.copy_from_slice(a);
    complement_if::<W>(out, u64::MAX);
    let (start, end) = out.split_at_mut(b.len());
    let carry = rows.add(start, b, 0);
    let sign = add_word::<W>(end, carry).wrapping_neg();
    // With a carry, b > a, and the words left are b − a − 1.
    complement_if::<W>(out, !sign);
    add_word::<W>(out, sign & 1);
    sign
}

/// Complements x if the mask is all ones; leaves it if the mask is zero.
pub(super) fn complement_if<const W: u32>(x: &mut [u64], mask: u64) {
    for word in x {
        *word ^= mask & word_mask::<W>();
    }
}

/// `t += word`; returns the carry, or the word itself if t is empty.
pub(super) fn add_word<const W: u32>(t: &mut [u64], mut word: u64) -> u64 {
    for t in t {
        let (sum, overflow) = t.overflowing_add(word);
        *t = sum & word_mask::<W>();
        word = if W == 64 { overflow as u64 } else { sum >> (W % 64) };
    }
    word
}
