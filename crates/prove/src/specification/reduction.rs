//! The specification of the reduction of numbers at most one word longer than the modulus
//! (`moduli-kernel/src/barrett.rs`). Its code is the same for all kernels.
//!
//! N is the modulus, odd and above 1, of b bits: 2^(b − 1) ≤ N < 2^b. It has n words. The only assumption
//! about its constants is that `reciprocal` is ⌊2^(b + 63)/N⌋.
//!
//! | operation | before           | afterwards               |
//! | --------- | ---------------- | ------------------------ |
//! | `reduce`  | X < 2^(b + 63)   | X' < N, X' ≡ X modulo N  |
//!
//! X and X' have n + 1 words each. Every X of n words is below 2^(b + 63), as 64·n is at most b + 63.
//!
//! This is shown in three parts, each for any number that the part before may leave: Z = X − q·N for an
//! estimate q of the quotient, with 0 ≤ Z < 3·N; from any Z < 3·N, Z' < 2·N with Z' ≡ Z; and from any Z' <
//! 2·N, X' < N with X' ≡ Z'.

use super::{Bound, Formula, Specification};

/// The part that subtracts q·N, for N of `bits` bits.
pub fn estimated(bits: usize) -> Specification {
    Specification { formula: Formula::Estimated(bits), ..once(2) }
}

/// A part that subtracts N at most once from a number below `times` times N.
pub fn once(times: u32) -> Specification {
    let formula = Formula::Once(times);
    Specification { first: Bound::BelowModulus, second: None, formula, is_reduced: false }
}

/// The lowest bit of X that is used, which is the number of bits of N less one; its word, and its place
/// there.
pub fn seen(bits: usize) -> (usize, usize, usize) {
    let lowest = bits.saturating_sub(1);
    (lowest, lowest / 64, lowest % 64)
}

/// The highest value of each word of a number of `bits` bits.
pub fn highest(bits: usize, words: usize) -> impl Iterator<Item = u64> {
    (0..words).map(move |i| match bits.saturating_sub(64 * i) {
        left @ 0..64 => (1 << left) - 1,
        _ => u64::MAX,
    })
}
