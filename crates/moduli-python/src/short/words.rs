//! Numbers of a few words, the least first.

/// The most words of a short number.
pub const WORDS: usize = 4;

/// The most words of numbers that are faster without preparation, for exponents of one word.
pub const MORE_WORDS: usize = 8;

/// a·b + c + d, in two words.
#[inline(always)]
pub(super) fn multiply(a: u64, b: u64, c: u64, d: u64) -> (u64, u64) {
    let all = u128::from(a) * u128::from(b) + u128::from(c) + u128::from(d);
    (all as u64, (all >> 64) as u64)
}

#[inline(always)]
pub(super) fn sum<const N: usize>(a: &[u64; N], b: &[u64; N]) -> ([u64; N], bool) {
    let mut carry = false;
    let words = std::array::from_fn(|i| {
        let (partial, first) = a[i].overflowing_add(b[i]);
        let (word, second) = partial.overflowing_add(u64::from(carry));
        carry = first | second;
        word
    });
    (words, carry)
}

#[inline(always)]
pub(super) fn difference<const N: usize>(a: &[u64; N], b: &[u64; N]) -> ([u64; N], bool) {
    let mut borrow = false;
    let words = std::array::from_fn(|i| {
        let (partial, first) = a[i].overflowing_sub(b[i]);
        let (word, second) = partial.overflowing_sub(u64::from(borrow));
        borrow = first | second;
        word
    });
    (words, borrow)
}

pub(super) fn unit<const N: usize>() -> [u64; N] {
    std::array::from_fn(|i| u64::from(i == 0))
}

/// The low words of a number, or the number with zeros above.
#[inline(always)]
pub(super) fn resized<const W: usize, const N: usize>(words: &[u64; W]) -> [u64; N] {
    std::array::from_fn(|i| words.get(i).copied().unwrap_or(0))
}

pub(super) fn leading_zeros<const N: usize>(words: &[u64; N]) -> u32 {
    let top = words.iter().rposition(|&word| word != 0);
    top.map_or(64 * N as u32, |top| 64 * (N - 1 - top) as u32 + words[top].leading_zeros())
}

/// The zeros below the lowest set bit, for a number that is not 0.
pub(super) fn trailing_zeros<const N: usize>(words: &[u64; N]) -> u32 {
    let low = words.iter().position(|&word| word != 0);
    low.map_or(0, |low| 64 * low as u32 + words[low].trailing_zeros())
}

/// The low `bits` bits of a number.
pub(super) fn masked<const N: usize>(words: [u64; N], bits: u32) -> [u64; N] {
    std::array::from_fn(|i| {
        let kept = bits.saturating_sub(64 * i as u32);
        if kept < 64 { words[i] & ((1 << kept) - 1) } else { words[i] }
    })
}

/// A number times 2^bits. Bits that do not fit are lost.
pub(super) fn shifted_up<const N: usize>(words: &[u64; N], bits: u32) -> [u64; N] {
    let (skip, bits) = (bits as usize / 64, bits % 64);
    let word = |i: usize| i.checked_sub(skip).map_or(0, |i| words[i]);
    // Shift in two steps, because a shift by 64 is not defined.
    std::array::from_fn(|i| word(i) << bits | i.checked_sub(1).map_or(0, word) >> 1 >> (63 - bits))
}

pub(super) fn shifted_down<const N: usize>(words: &[u64; N], bits: u32) -> [u64; N] {
    let (skip, bits) = (bits as usize / 64, bits % 64);
    let word = |i: usize| words.get(i).copied().map_or(0, u128::from);
    std::array::from_fn(|i| ((word(i + skip) | word(i + skip + 1) << 64) >> bits) as u64)
}

/// The inverse by Newton's iteration, which starts with five correct bits.
pub(super) fn inverse_of_odd_word(word: u64) -> u64 {
    let mut inverse = word.wrapping_mul(3) ^ 2;
    for _ in 0..4 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(word.wrapping_mul(inverse)));
    }
    inverse
}
