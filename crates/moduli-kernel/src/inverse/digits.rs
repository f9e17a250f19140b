//! Signed numbers in digits of 62 bits. All digits are in [0, 2^62), except the top one, which has the sign.

use alloc::vec::Vec;
use core::hint::black_box;
use zeroize::Zeroizing;

use crate::limbs;

/// Bits of a digit. The product of two factors below 2^62 in absolute value and a few carries fit 128 bits.
pub(super) const BITS: u32 = 62;

/// The mask of the lowest digit of a number in two's complement.
pub(super) const DIGIT: u64 = (1 << BITS) - 1;

/// A number, wiped on drop.
pub(super) type Digits = Zeroizing<Vec<i64>>;

/// The number of digits that numbers in ]−2^(bits+1), 2^(bits+1)[ need.
pub(super) fn count(bits: u32) -> usize {
    (bits / BITS + 1) as usize
}

/// `count` digits, all zero.
pub(super) fn zero(count: usize) -> Digits {
    limbs::zeros(count)
}

/// A number in little-endian limbs as `count` digits, which must suffice.
pub(super) fn of_limbs(value: &[u64], count: usize) -> Digits {
    let mut digits = zero(count);
    for (i, digit) in (0..).zip(digits.iter_mut()) {
        let low = limbs::bit_field(value, BITS * i, 31);
        *digit = (limbs::bit_field(value, BITS * i + 31, 31) << 31 | low) as i64;
    }
    digits
}

/// A number as `count` limbs. It must not be negative, and must fit them.
pub(super) fn to_limbs(digits: &[i64], count: usize) -> Zeroizing<Vec<u64>> {
    let mut limbs = limbs::zeros(count);
    for (i, &digit) in digits.iter().enumerate() {
        let bit = BITS as usize * i;
        let wide = u128::from(digit as u64) << (bit % 64);
        for (limb, part) in [(bit / 64, wide as u64), (bit / 64 + 1, (wide >> 64) as u64)] {
            if let Some(limb) = limbs.get_mut(limb) {
                *limb |= part;
            }
        }
    }
    limbs
}

/// All ones if the number is negative, else zero. Opaque to the optimiser, which could otherwise turn it into
/// a branch.
pub(super) fn sign(digits: &[i64]) -> i64 {
    black_box(digits.last().map_or(0, |top| top >> 63))
}

/// `x ← (x ^ flip) − flip + (addend & mask)`: negates x if `flip` is all ones, and adds `addend` if `mask`
/// is. Constant-time.
pub(super) fn negate_and_add(x: &mut [i64], flip: i64, addend: &[i64], mask: i64) {
    let mut carry = 0;
    let top = x.len() - 1;
    for (i, (x, &addend)) in x.iter_mut().zip(addend).enumerate() {
        let sum = (*x ^ flip) - flip + (addend & mask) + carry;
        (*x, carry) = if i < top { (sum & DIGIT as i64, sum >> BITS) } else { (sum, 0) };
    }
}
