//! Conversions between `BoxedUint` and little-endian 64-bit limbs, whatever the platform's word size.

use alloc::vec::Vec;
use crypto_bigint::{BoxedUint, NonZero, Word};
use zeroize::{DefaultIsZeroes, Zeroizing};

/// Words of `BoxedUint` in a limb. Words have 64 bits on most platforms and 32 bits on some.
const WORDS: usize = (64 / Word::BITS) as usize;

/// `count` limbs or digits, all zero.
///
/// Writes the zeros itself: glibc's allocator does not take zeroed memory from its cache, which costs more
/// than a short product.
pub fn zeros<T: DefaultIsZeroes>(count: usize) -> Zeroizing<Vec<T>> {
    let mut limbs = Zeroizing::new(Vec::with_capacity(count));
    limbs.resize(count, T::default());
    limbs
}

/// At least `count` limbs of `value`, least significant limb first; exactly `count` if the value's precision
/// allows.
pub fn to_limbs(value: &BoxedUint, count: usize) -> Zeroizing<Vec<u64>> {
    let needed = (value.bits_precision() as usize).div_ceil(64).max(count);
    let mut limbs = Zeroizing::new(Vec::with_capacity(needed));
    #[allow(clippy::unnecessary_cast, reason = "words have 32 bits on some platforms")]
    let limb = |words: &[Word]| {
        let words = words.iter().enumerate();
        words.fold(0, |limb, (i, &word)| limb | (word as u64) << (i as u32 * Word::BITS))
    };
    limbs.extend(value.as_words().chunks(WORDS).map(limb));
    limbs.resize(needed, 0);
    limbs
}

/// The value of little-endian limbs, with their precision.
pub fn from_limbs(limbs: &[u64]) -> BoxedUint {
    // The iterator knows its length, because a vector that grows would leave copies behind.
    let word = |bit: usize| (limbs[bit / 64] >> (bit % 64)) as Word;
    BoxedUint::from_words((0..limbs.len() * WORDS).map(|i| word(i * Word::BITS as usize)))
}

/// `value mod modulus`. The quotient is as secret as the value, and is wiped. Constant-time except for the
/// precisions.
pub fn remainder(value: &BoxedUint, modulus: &NonZero<BoxedUint>) -> Zeroizing<BoxedUint> {
    // Division does not accept a zero without words, which can result from reading text.
    if value.bits_precision() == 0 {
        return Zeroizing::new(BoxedUint::zero_with_precision(modulus.bits_precision()));
    }
    let (quotient, remainder) = value.div_rem(modulus);
    drop(Zeroizing::new(quotient));
    Zeroizing::new(remainder)
}

/// `value *= factor`; adds a limb if needed.
pub fn multiply_vartime(value: &mut Vec<u64>, factor: u64) {
    let mut carry = 0;
    for limb in value.iter_mut() {
        let product = u128::from(*limb) * u128::from(factor) + carry;
        (*limb, carry) = (product as u64, product >> 64);
    }
    if carry != 0 {
        value.push(carry as u64);
    }
}

/// x^(−1) modulo 2^64 for odd x. Constant-time.
#[inline]
pub fn inverse_of_word(x: u64) -> u64 {
    // Newton's method: an odd x is its own inverse modulo 8, and each step doubles the correct bits: 3, 6,
    // 12, 24, 48, 96.
    (0..5).fold(x, |inverse, _| inverse.wrapping_mul(2u64.wrapping_sub(x.wrapping_mul(inverse))))
}

/// The bit length of a value of any precision. Reveals the leading zeros. Implemented here because
/// crypto-bigint 0.7.11 renamed its own function.
#[inline]
pub fn bits_vartime(value: &BoxedUint) -> u32 {
    let words = value.as_words();
    match words.iter().rposition(|&word| word != 0) {
        Some(top) => Word::BITS * (top as u32 + 1) - words[top].leading_zeros(),
        None => 0,
    }
}

/// The bit length of the value. Reveals the leading zeros.
#[inline]
pub fn bit_length_vartime(limbs: &[u64]) -> u32 {
    match limbs.iter().rposition(|&limb| limb != 0) {
        Some(top) => 64 * (top as u32 + 1) - limbs[top].leading_zeros(),
        None => 0,
    }
}

/// Bit `at` of the value; 0 past its end.
#[inline]
pub fn bit(limbs: &[u64], at: u32) -> u64 {
    limbs.get(at as usize / 64).map_or(0, |limb| limb >> (at % 64) & 1)
}

/// Bits `start..start + count` of the value, `count ≤ 32`, as a number; bits past the end are 0.
#[inline]
pub fn bit_field(limbs: &[u64], start: u32, count: u32) -> u64 {
    let (limb, shift) = (start as usize / 64, start % 64);
    let low = limbs.get(limb).copied().unwrap_or(0);
    let high = limbs.get(limb + 1).copied().unwrap_or(0);
    (low >> shift | high << 1 << (63 - shift)) & ((1u64 << count) - 1)
}
