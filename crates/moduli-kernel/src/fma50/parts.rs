//! The two parts of a product of digits: the constants that round it, and their effect on sums.

/// 1.5·2^52. Its sum with an integer of absolute value up to 2^51 is a double whose low bits are the integer.
pub(super) const LOW: u64 = 0x4338 << 48;
/// 1.25·2^102: rounds a product below 0.75·2^102 to a multiple of 2^50.
pub(super) const HIGH: u64 = 0x4654 << 48;
/// 1.25·2^103: rounds a product below 0.75·2^103 to a multiple of 2^51.
pub(super) const PAIR_HIGH: u64 = 0x4664 << 48;

/// The initial values of sums of `n` products, so that the constants cancel: of low parts, of low and high
/// parts, and of high parts.
#[inline(always)]
pub(super) const fn multiples(n: usize) -> [u64; 3] {
    let minus = (n as u64).wrapping_neg();
    [LOW.wrapping_mul(minus), LOW.wrapping_add(HIGH).wrapping_mul(minus), HIGH.wrapping_mul(minus)]
}
