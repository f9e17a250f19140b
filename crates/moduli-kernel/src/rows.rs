//! Rows of words of `W` bits: the passes of the portable kernel.
//!
//! A pass multiplies a row by a block of up to four words, one word of the row at a time; the block stays in
//! registers. For each word, there are two carry chains: one adds halves of products into a row of their own,
//! the other adds that row to the running sum. Compilers keep the carries of such chains in the processor's
//! flag. From `a·b + t + carry`, they would generate one more addition for each half.

use core::sync::atomic::{Ordering, compiler_fence};

/// The words of a factor, or of a reduction, that one pass processes: as many as fit the registers of x86-64
/// together with their sum.
pub(super) const BLOCK: usize = 4;

#[inline(always)]
pub(super) const fn word_mask<const W: u32>() -> u64 {
    u64::MAX >> (64 - W)
}

/// `(low, high)` of `t + a·b + carry`, which fits two words.
#[inline(always)]
pub(super) fn multiply_add<const W: u32>(t: u64, a: u64, b: u64, carry: u64) -> (u64, u64) {
    let sum = t as u128 + a as u128 * b as u128 + carry as u128;
    (sum as u64 & word_mask::<W>(), (sum >> W) as u64)
}

/// `(sum, carry)` of `a + b + carry`.
#[inline(always)]
pub(super) fn add_carry<const W: u32>(a: u64, b: u64, carry: u64) -> (u64, u64) {
    let sum = a as u128 + b as u128 + carry as u128;
    (sum as u64 & word_mask::<W>(), (sum >> W) as u64)
}

/// `(difference, borrow)` of `a − b − borrow`.
#[inline(always)]
pub(super) fn subtract_borrow<const W: u32>(a: u64, b: u64, borrow: bool) -> (u64, bool) {
    let (difference, first) = a.overflowing_sub(b);
    let (difference, second) = difference.overflowing_sub(borrow as u64);
    (difference & word_mask::<W>(), first | second)
}

/// Whether `a < b`, as numbers. Unrolled, so that the borrow stays in the processor's flag for four words.
#[inline(always)]
pub(super) fn is_below<const W: u32>(a: &[u64], b: &[u64]) -> bool {
    let mut borrow = false;
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<4>(), b.as_chunks::<4>());
    for (a, b) in a.iter().zip(b) {
        for m in 0..4 {
            (_, borrow) = subtract_borrow::<W>(a[m], b[m], borrow);
        }
    }
    for (&a, &b) in a_rest.iter().zip(b_rest) {
        (_, borrow) = subtract_borrow::<W>(a, b, borrow);
    }
    borrow
}

/// `x −= b` if the mask is all ones; leaves `x` if it is zero. A borrow out of the top is dropped.
#[inline(always)]
pub(super) fn subtract_row<const W: u32>(x: &mut [u64], b: &[u64], mask: u64) {
    let mut borrow = false;
    let ((x, x_rest), (b, b_rest)) = (x.as_chunks_mut::<4>(), b.as_chunks::<4>());
    for (x, b) in x.iter_mut().zip(b) {
        for m in 0..4 {
            (x[m], borrow) = subtract_borrow::<W>(x[m], b[m] & mask, borrow);
        }
    }
    for (x, &b) in x_rest.iter_mut().zip(b_rest) {
        (*x, borrow) = subtract_borrow::<W>(*x, b & mask, borrow);
    }
}

/// `out ← a − b`; returns the borrow. Unrolled, so that the borrow stays in the processor's flag for four
/// words.
#[inline(always)]
pub(super) fn subtract_rows<const W: u32>(out: &mut [u64], a: &[u64], b: &[u64]) -> bool {
    let mut borrow = false;
    let ((out, out_rest), (a, a_rest), (b, b_rest)) =
        (out.as_chunks_mut::<4>(), a.as_chunks::<4>(), b.as_chunks::<4>());
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        for m in 0..4 {
            (out[m], borrow) = subtract_borrow::<W>(a[m], b[m], borrow);
        }
    }
    for ((out, &a), &b) in out_rest.iter_mut().zip(a_rest).zip(b_rest) {
        (*out, borrow) = subtract_borrow::<W>(a, b, borrow);
    }
    borrow
}

/// `t += a + carry` for operands of equal length; returns the carry. Unrolled likewise.
#[inline(always)]
pub(super) fn add_equal<const W: u32>(t: &mut [u64], a: &[u64], mut carry: bool) -> bool {
    let ((t, t_rest), (a, a_rest)) = (t.as_chunks_mut::<4>(), a.as_chunks::<4>());
    for (t, a) in t.iter_mut().zip(a) {
        for m in 0..4 {
            (t[m], carry) = add_flag::<W>(t[m], a[m], carry);
        }
    }
    for (t, &a) in t_rest.iter_mut().zip(a_rest) {
        (*t, carry) = add_flag::<W>(*t, a, carry);
    }
    carry
}

/// `t += a·b` for rows of equal length; returns the carry word.
#[inline(always)]
pub(super) fn add_row<const W: u32>(t: &mut [u64], b: &[u64], a: u64) -> u64 {
    let mut carry = 0;
    for (t, &b) in t.iter_mut().zip(b) {
        (*t, carry) = multiply_add::<W>(*t, a, b, carry);
    }
    carry
}

/// `(low, high)` of `a·b`.
#[inline(always)]
pub(super) fn multiply<const W: u32>(a: u64, b: u64) -> (u64, u64) {
    let product = a as u128 * b as u128;
    (product as u64 & word_mask::<W>(), (product >> W) as u64)
}

/// `(sum, carry)` of `a + b + carry`, where the carries are flags.
#[inline(always)]
pub(super) fn add_flag<const W: u32>(a: u64, b: u64, carry: bool) -> (u64, bool) {
    let (sum, first) = a.overflowing_add(b);
    let (sum, second) = sum.overflowing_add(carry as u64);
    let mask = word_mask::<W>();
    (sum & mask, first | second | (sum & !mask != 0))
}

/// Computes `t + word·block + sum`. Returns its lowest word, and leaves the words above it in `sum`. It never
/// overflows.
#[inline(always)]
pub(super) fn add_column<const W: u32, const K: usize>(
    t: u64,
    word: u64,
    block: &[u64; K],
    sum: &mut [u64; K],
) -> u64 {
    let mut row = [0; K];
    // The word to add to the low half of a product: first t, then the high half of the product below.
    let (mut joins, mut carry) = (t, false);
    for (row, &factor) in row.iter_mut().zip(block) {
        let (low, high) = multiply::<W>(word, factor);
        (*row, carry) = add_flag::<W>(low, joins, carry);
        joins = high;
    }
    let top = joins + carry as u64;
    let lowest;
    (lowest, carry) = add_flag::<W>(row[0], sum[0], false);
    for m in 1..K {
        (sum[m - 1], carry) = add_flag::<W>(row[m], sum[m], carry);
    }
    sum[K - 1] = top + carry as u64;
    lowest
}

/// `t += block·row + sum` over the length of t and the row, which is equal; returns the words above.
///
/// Never inlined: with the variables of its callers, the loop would run out of registers.
#[inline(never)]
pub(super) fn add_block<const W: u32, const K: usize>(
    t: &mut [u64],
    row: &[u64],
    block: &[u64; K],
    sum: &[u64; K],
) -> [u64; K] {
    // Copies can stay in registers.
    let (block, mut sum) = (*block, *sum);
    // Two words at a time, so that the words of the sum need not move between registers.
    let ((pairs, last), (row_pairs, row_last)) = (t.as_chunks_mut::<2>(), row.as_chunks::<2>());
    for (t, row) in pairs.iter_mut().zip(row_pairs) {
        t[0] = add_column::<W, K>(t[0], row[0], &block, &mut sum);
        // Without the fence, products of the second column would come before the sums of the first one, and
        // there would not be enough registers.
        compiler_fence(Ordering::SeqCst);
        t[1] = add_column::<W, K>(t[1], row[1], &block, &mut sum);
    }
    for (t, &word) in last.iter_mut().zip(row_last) {
        *t = add_column::<W, K>(*t, word, &block, &mut sum);
    }
    sum
}

/// `t += sum`; returns the carry out of the top of t.
#[inline(always)]
pub(super) fn add_words<const W: u32>(t: &mut [u64], sum: &[u64], mut carry: bool) -> bool {
    let (low, high) = t.split_at_mut(sum.len());
    for (t, &word) in low.iter_mut().zip(sum) {
        (*t, carry) = add_flag::<W>(*t, word, carry);
    }
    for t in high {
        (*t, carry) = add_flag::<W>(*t, 0, carry);
    }
    carry
}

/// `a + b` as three words of 64 bits.
#[inline(always)]
fn add_wide(a: u128, b: u128) -> [u64; 3] {
    let (low, carry) = add_flag::<64>(a as u64, b as u64, false);
    let (middle, carry) = add_flag::<64>((a >> 64) as u64, (b >> 64) as u64, carry);
    [low, middle, carry as u64]
}

/// `a + b` as three words of 64 bits, for sums that fit.
#[inline(always)]
fn add_three(a: [u64; 3], b: [u64; 3]) -> [u64; 3] {
    let (low, carry) = add_flag::<64>(a[0], b[0], false);
    let (middle, carry) = add_flag::<64>(a[1], b[1], carry);
    [low, middle, a[2] + b[2] + carry as u64]
}

/// `t += Σ a[m]·b[m]` over four rows, given word by word; returns the carry of two words. The four products
/// are added in a tree and the carry last, so the dependency chain from word to word is two additions long.
///
/// Never inlined: with the variables of its callers, the loop would run out of registers.
#[inline(never)]
pub(super) fn add_four_rows<const W: u32>(
    t: &mut [u64],
    b: impl Iterator<Item = [u64; BLOCK]>,
    a: [u64; BLOCK],
) -> u128 {
    let product = |a: u64, b: u64| a as u128 * b as u128;
    let mut carry = 0;
    for (t, b) in t.iter_mut().zip(b) {
        let [first, second, third, fourth] = core::array::from_fn(|m| product(a[m], b[m]));
        let right = add_wide(third, fourth);
        let left = add_wide(first + *t as u128, second);
        let carried = [carry as u64, (carry >> 64) as u64, 0];
        let [low, middle, high] = add_three(add_three(right, left), carried);
        *t = low & word_mask::<W>();
        // For tiny words, the middle and the high word are zero.
        carry = if W == 64 { (high as u128) << 64 | middle as u128 } else { (low >> W) as u128 };
    }
    carry
}

/// `t += words·row`, up to the top of t, which has room for the sum.
pub(super) fn add_products<const W: u32>(t: &mut [u64], row: &[u64], words: &[u64]) {
    let (blocks, rest) = words.as_chunks::<BLOCK>();
    // The carry out of the words that a block has reached. It is added to the words above them, with the next
    // block.
    let mut carry = false;
    for (i, &block) in (0..).step_by(BLOCK).zip(blocks) {
        carry = add_rows::<W, BLOCK>(&mut t[i..], row, block, carry);
    }
    let t = &mut t[BLOCK * blocks.len()..];
    match *rest {
        [first] => carry = add_rows::<W, 1>(t, row, [first], carry),
        [first, second] => carry = add_rows::<W, 2>(t, row, [first, second], carry),
        [first, second, third] => carry = add_rows::<W, 3>(t, row, [first, second, third], carry),
        _ => {}
    }
    add_words::<W>(&mut t[rest.len() + row.len()..], &[], carry);
}

/// `t += block·row`, with a carry to add to the words above the row. Returns the carry out of the top word
/// that the block reaches.
#[inline(always)]
fn add_rows<const W: u32, const K: usize>(t: &mut [u64], row: &[u64], block: [u64; K], carry: bool) -> bool {
    let (t, high) = t.split_at_mut(row.len());
    let sum = add_block::<W, K>(t, row, &block, &[0; K]);
    add_words::<W>(&mut high[..K], &sum, carry)
}
