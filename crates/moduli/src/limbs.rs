//! Between `BoxedUint` and little-endian 64-bit limbs, whatever the platform's word is.

use alloc::vec::Vec;
use crypto_bigint::{BoxedUint, NonZero};
use zeroize::Zeroizing;

/// At least `count` limbs of `value`, low limb first: exactly `count` if the value's precision allows.
pub fn to_limbs(value: &BoxedUint, count: usize) -> Zeroizing<Vec<u64>> {
    let needed = (value.bits_precision() as usize).div_ceil(64).max(count);
    let mut limbs = Zeroizing::new(Vec::with_capacity(needed));
    #[cfg(target_pointer_width = "64")]
    limbs.extend_from_slice(value.as_words());
    #[cfg(not(target_pointer_width = "64"))]
    {
        let bytes = Zeroizing::new(value.to_le_bytes());
        limbs.extend(
            bytes
                .chunks(8)
                .map(|chunk| chunk.iter().rev().fold(0u64, |limb, &byte| limb << 8 | u64::from(byte))),
        );
    }
    limbs.resize(needed, 0);
    limbs
}

/// The value of little-endian limbs, with their precision.
pub fn from_limbs(limbs: &[u64]) -> BoxedUint {
    #[cfg(target_pointer_width = "64")]
    return BoxedUint::from_words(limbs.iter().copied());
    #[cfg(not(target_pointer_width = "64"))]
    return BoxedUint::from_words(limbs.iter().flat_map(|&limb| [limb as u32, (limb >> 32) as u32]));
}

/// `value mod modulus`; the quotient is as secret as the value, and is wiped. Constant-time but for the precisions.
pub fn remainder(value: &BoxedUint, modulus: &NonZero<BoxedUint>) -> Zeroizing<BoxedUint> {
    let (quotient, remainder) = value.div_rem(modulus);
    drop(Zeroizing::new(quotient));
    Zeroizing::new(remainder)
}

/// `value *= factor`, one limb longer where needed.
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
pub fn inverse_of_word(x: u64) -> u64 {
    // Newton: an odd x is its own inverse modulo 8, and each step doubles the bits: 3, 6, 12, 24, 48, 96.
    (0..5).fold(x, |inverse, _| inverse.wrapping_mul(2u64.wrapping_sub(x.wrapping_mul(inverse))))
}

/// Bits of the value: reveals its leading zeros.
pub fn bit_length_vartime(limbs: &[u64]) -> u32 {
    match limbs.iter().rposition(|&limb| limb != 0) {
        Some(top) => 64 * (top as u32 + 1) - limbs[top].leading_zeros(),
        None => 0,
    }
}

/// Bits `start..start + count` of the value, `count ≤ 32`, as a number; bits past the end are 0.
pub fn bit_field(limbs: &[u64], start: u32, count: u32) -> u64 {
    let (limb, shift) = (start as usize / 64, start % 64);
    let low = limbs.get(limb).copied().unwrap_or(0);
    let high = limbs.get(limb + 1).copied().unwrap_or(0);
    (low >> shift | high << 1 << (63 - shift)) & ((1u64 << count) - 1)
}
