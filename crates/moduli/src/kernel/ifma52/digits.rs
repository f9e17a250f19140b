//! Digits of 52 bits.

pub(super) const DIGIT: u64 = (1 << 52) - 1;

/// Digit `index` of a number in limbs.
pub(super) fn digit(limbs: &[u64], index: usize) -> u64 {
    let bit = 52 * index;
    let low = limbs.get(bit / 64).copied().unwrap_or(0);
    let high = limbs.get(bit / 64 + 1).copied().unwrap_or(0);
    ((u128::from(high) << 64 | u128::from(low)) >> (bit % 64)) as u64 & DIGIT
}

/// `out` ← the number with these digits, lowest first.
pub(super) fn from_digits(out: &mut [u64], digits: impl Iterator<Item = u64>) {
    out.fill(0);
    for (i, digit) in digits.enumerate() {
        let bit = 52 * i;
        let wide = u128::from(digit) << (bit % 64);
        for (limb, part) in [(bit / 64, wide as u64), (bit / 64 + 1, (wide >> 64) as u64)] {
            if let Some(limb) = out.get_mut(limb) {
                *limb |= part;
            }
        }
    }
}
