//! What the reduction of numbers has to do that are a word longer than the modulus at most (`moduli-kernel/src/barrett.rs`), which is the
//! same code for all kernels.
//!
//! N is the modulus, odd and above 1, of b bits: 2^(b − 1) ≤ N < 2^b. It has n words. Of what is kept of it it is assumed that
//! `reciprocal` is ⌊2^(b + 63)/N⌋.
//!
//! | operation | before           | afterwards               |
//! | --------- | ---------------- | ------------------------ |
//! | `reduce`  | X < 2^(b + 63)   | X' < N, X' ≡ X modulo N  |
//!
//! X has n + 1 words, and X' as many. Every X of n words is below 2^(b + 63), as 64·n is b + 63 at most.
//!
//! That is shown in three parts, each for whatever number the one before leaves: Z = X − q·N for an estimate q of the quotient, with
//! 0 ≤ Z < 3·N; Z' < 2·N with Z' ≡ Z, of any Z < 3·N; and X' < N with X' ≡ Z', of any Z' < 2·N.

use super::{Bound, Formula, Specification};

/// A number less q·N, for N of so many bits.
pub fn estimated(bits: usize) -> Specification {
    Specification { formula: Formula::Estimated(bits), ..once(2) }
}

/// A number below so many times N, of which N is taken off once at most.
pub fn once(times: u32) -> Specification {
    let formula = Formula::Once(times);
    Specification { first: Bound::BelowModulus, second: None, formula, is_reduced: false }
}

/// The bits of N, less one: the lowest bit that is seen of X; its word, and its place there.
pub fn seen(bits: usize) -> (usize, usize, usize) {
    let lowest = bits.saturating_sub(1);
    (lowest, lowest / 64, lowest % 64)
}

/// The highest that each word of a number of so many bits can be.
pub fn highest(bits: usize, words: usize) -> impl Iterator<Item = u64> {
    (0..words).map(move |i| match bits.saturating_sub(64 * i) {
        left @ 0..64 => (1 << left) - 1,
        _ => u64::MAX,
    })
}
