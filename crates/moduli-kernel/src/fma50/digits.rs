//! Digits of 50 bits, as integers and as doubles.

use alloc::vec::Vec;

pub(super) const DIGIT_BITS: usize = 50;
/// The greatest digit that is not redundant.
pub(super) const DIGIT: u64 = (1 << DIGIT_BITS) - 1;
/// The greatest digit that an operation can leave: a masked column plus the carry out of the column below.
pub(super) const MAX_DIGIT: u64 = DIGIT + (1 << 14);
/// The bits of 2^52. For an integer x below 2^52, the low bits of the double 2^52 + x are x.
pub(super) const TWO_52: u64 = 0x433 << 52;

/// The double that holds an integer below 2^52.
#[inline(always)]
pub(super) fn to_double(digit: u64) -> u64 {
    (f64::from_bits(digit | TWO_52) - f64::from_bits(TWO_52)).to_bits()
}

/// The integer below 2^52 that a double holds.
#[inline(always)]
pub(super) fn from_double(word: u64) -> u64 {
    (f64::from_bits(word) + f64::from_bits(TWO_52)).to_bits() ^ TWO_52
}

/// Whether all words are doubles that hold digits, including redundant ones. Variable-time.
pub(super) fn are_digits_vartime(words: &[u64]) -> bool {
    // The bits of non-negative doubles have the same order as their values, and exclude −0.
    words.iter().all(|&word| word <= to_double(MAX_DIGIT) && to_double(from_double(word)) == word)
}

/// `count` digits of a number in limbs.
pub(super) fn from_limbs(limbs: &[u64], count: usize) -> Vec<u64> {
    let digit = |i: usize| {
        let bit = DIGIT_BITS * i;
        let low = limbs.get(bit / 64).copied().unwrap_or(0);
        let high = limbs.get(bit / 64 + 1).copied().unwrap_or(0);
        ((u128::from(high) << 64 | u128::from(low)) >> (bit % 64)) as u64 & DIGIT
    };
    (0..count).map(digit).collect()
}

/// Converts digits to a number in limbs; the inverse of [`from_limbs`].
pub(super) fn to_limbs(out: &mut [u64], digits: &[u64]) {
    out.fill(0);
    for (i, &digit) in digits.iter().enumerate() {
        let bit = DIGIT_BITS * i;
        let wide = u128::from(digit) << (bit % 64);
        for (limb, part) in [(bit / 64, wide as u64), (bit / 64 + 1, (wide >> 64) as u64)] {
            if let Some(limb) = out.get_mut(limb) {
                *limb |= part;
            }
        }
    }
}

/// The digits of Σ columns_i·2^(50·i); as many as there are columns suffice.
pub(super) fn carried(columns: &[u128]) -> Vec<u64> {
    let mut carry = 0;
    let digit = |&column: &u128| {
        carry += column;
        let digit = carry as u64 & DIGIT;
        carry >>= DIGIT_BITS;
        digit
    };
    columns.iter().map(digit).collect()
}

/// Checks for the tests.
#[cfg(feature = "internals")]
pub mod checks {
    use super::*;

    /// For the tests.
    pub fn doubles_hold_every_digit() {
        for digit in [0, 1, 2, 3, (1 << 32) - 1, 1 << 49, DIGIT, DIGIT + 1, MAX_DIGIT, (1 << 52) - 1] {
            assert_eq!(f64::from_bits(to_double(digit)), digit as f64);
            assert_eq!(from_double(to_double(digit)), digit);
            assert_eq!(are_digits_vartime(&[to_double(digit)]), digit <= MAX_DIGIT, "{digit}");
        }
        for double in [0.5, -1.0, -0.0, 1e300, f64::NAN, f64::INFINITY, 1e-310, 3.25] {
            assert!(!are_digits_vartime(&[double.to_bits()]), "{double}");
        }
    }

    /// For the tests.
    pub fn limbs_and_digits_are_the_same_number() {
        let limbs = [0x0123_4567_89ab_cdef, u64::MAX, 0, 0x8000_0000_0000_0001];
        let mut back = [7; 4];
        to_limbs(&mut back, &from_limbs(&limbs, 6));
        assert_eq!(back, limbs);
        assert_eq!(from_limbs(&[u64::MAX], 4), [DIGIT, (1 << 14) - 1, 0, 0]);
    }
}
