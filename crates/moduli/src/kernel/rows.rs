//! Rows of words of `W` bits: the multiply-and-add passes that the portable kernel is made of.
//!
//! On x86-64 without `mulx` a pass is bound by its number of instructions: one row needs about 13 for each product,
//! two rows together 11, four rows 9.

/// Rows that one pass multiplies.
pub(super) const ROWS: usize = 4;
/// Zero words on both sides of a row that is added several times, shifted against itself, without edges.
pub(super) const PAD: usize = ROWS - 1;

#[inline(always)]
pub(super) const fn word_mask<const W: u32>() -> u64 {
    u64::MAX >> (64 - W)
}

/// `(low, high)` of `t + a·b + carry`: fits two words.
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

/// `(sum, carry)` of `a + carry`, for the carry of several rows: more than a word in, a word out.
#[inline(always)]
pub(super) fn add_rows_carry<const W: u32>(a: u64, carry: u128) -> (u64, u64) {
    let sum = a as u128 + carry;
    (sum as u64 & word_mask::<W>(), (sum >> W) as u64)
}

/// `(difference, borrow)` of `a − b − borrow`.
#[inline(always)]
pub(super) fn subtract_borrow<const W: u32>(a: u64, b: u64, borrow: bool) -> (u64, bool) {
    let (difference, first) = a.overflowing_sub(b);
    let (difference, second) = difference.overflowing_sub(borrow as u64);
    (difference & word_mask::<W>(), first | second)
}

/// Whether `a < b`, as numbers. Unrolled: the borrow stays in the processor's flag for four words.
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

/// `x −= b` where the mask is all ones; `x` as it is where it is zero. A borrow out of the top is dropped.
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

/// `t += a·b` over equal lengths; returns the carry word.
#[inline(always)]
pub(super) fn add_row<const W: u32>(t: &mut [u64], b: &[u64], a: u64) -> u64 {
    let mut carry = 0;
    for (t, &b) in t.iter_mut().zip(b) {
        (*t, carry) = multiply_add::<W>(*t, a, b, carry);
    }
    carry
}

/// `(sum, carry)` of `a + b + carry`, the carry a flag.
#[inline(always)]
fn add_flag(a: u64, b: u64, carry: bool) -> (u64, bool) {
    let (sum, first) = a.overflowing_add(b);
    let (sum, second) = sum.overflowing_add(carry as u64);
    (sum, first | second)
}

/// `a + b` as three words of 64 bits.
#[inline(always)]
fn add_wide(a: u128, b: u128) -> [u64; 3] {
    let (low, carry) = add_flag(a as u64, b as u64, false);
    let (middle, carry) = add_flag((a >> 64) as u64, (b >> 64) as u64, carry);
    [low, middle, carry as u64]
}

/// `a + b` in three words of 64 bits, for sums that fit.
#[inline(always)]
fn add_three(a: [u64; 3], b: [u64; 3]) -> [u64; 3] {
    let (low, carry) = add_flag(a[0], b[0], false);
    let (middle, carry) = add_flag(a[1], b[1], carry);
    [low, middle, a[2] + b[2] + carry as u64]
}

/// `t += Σ a[m]·b[m] + carry` over two rows; returns the carry, a little above a word.
#[inline(always)]
pub(super) fn add_two_rows<const W: u32>(
    t: &mut [u64],
    b: [&[u64]; 2],
    a: [u64; 2],
    mut carry: u128,
) -> u128 {
    let mask = word_mask::<W>() as u128;
    // The carry is at most 2·2^W − 2, so that y fits.
    for ((t, &b0), &b1) in t.iter_mut().zip(b[0]).zip(b[1]) {
        let x = a[0] as u128 * b0 as u128 + *t as u128;
        let y = a[1] as u128 * b1 as u128 + carry;
        let low = (x & mask) + (y & mask);
        *t = (low & mask) as u64;
        carry = (x >> W) + (y >> W) + (low >> W);
    }
    carry
}

/// `t += Σ a[m]·b[m]` over four rows, given word by word; returns the carry, two words. Four products meet
/// in a tree and the carry comes last: the chain from word to word is two additions long.
///
/// Never inlined: among the variables of its callers the loop would run out of registers.
#[inline(never)]
pub(super) fn add_four_rows<const W: u32>(
    t: &mut [u64],
    b: impl Iterator<Item = [u64; ROWS]>,
    a: [u64; ROWS],
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
        // Tiny words leave the middle and the high word empty.
        carry = if W == 64 { (high as u128) << 64 | middle as u128 } else { (low >> W) as u128 };
    }
    carry
}

/// `sum += words·b` for a padded row b; the sum has room for the carry.
pub(super) fn add_products<const W: u32>(sum: &mut [u64], padded: &[u64], words: &[u64]) {
    let n = padded.len() - 2 * PAD;
    let (fours, rest) = words.as_chunks::<ROWS>();
    for (i, &words) in (0..).step_by(ROWS).zip(fours) {
        let (sum, high) = sum[i..].split_at_mut(n + PAD);
        let rows = padded.windows(ROWS).map(|b| [b[3], b[2], b[1], b[0]]);
        add_to_all::<W>(high, add_four_rows::<W>(sum, rows, words));
    }
    for (i, &word) in (words.len() - rest.len()..).zip(rest) {
        let (sum, high) = sum[i..].split_at_mut(n);
        add_to_all::<W>(high, add_row::<W>(sum, &padded[PAD..PAD + n], word) as u128);
    }
}

/// `t += carry`, up to the top.
#[inline(always)]
fn add_to_all<const W: u32>(t: &mut [u64], mut carry: u128) {
    for t in t {
        let next;
        (*t, next) = add_rows_carry::<W>(*t, carry);
        carry = next as u128;
    }
}

/// A padded row as a pair: itself, and itself shifted up by a word.
#[inline(always)]
pub(super) fn shifted(padded: &[u64]) -> [&[u64]; 2] {
    [&padded[1..], padded]
}
