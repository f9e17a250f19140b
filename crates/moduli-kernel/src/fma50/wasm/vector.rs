//! Products of digits in vectors of two: the exact product in two doubles, and sums of their bits.

use core::{arch::wasm32::*, hint::black_box};

use crate::fma50::{
    digits::{DIGIT, DIGIT_BITS, TWO_52},
    parts::{HIGH, LOW, PAIR_HIGH},
};

/// Whether `f64x2.relaxed_madd` is fused in both lanes: what the engine chose once for all.
pub fn is_fused() -> bool {
    // (2^27 + 1)² = 2^54 + 2^28 + 1 has 55 bits: a product that is rounded lacks the last.
    let (x, minus) = black_box(((1u64 << 27) as f64 + 1.0, -(((1u64 << 54) + (1 << 28)) as f64)));
    let rest = f64x2_relaxed_madd(f64x2_splat(x), f64x2_splat(x), f64x2_splat(minus));
    [f64x2_extract_lane::<0>(rest), f64x2_extract_lane::<1>(rest)] == [1.0; 2]
}

/// The constants of a rounding, in both lanes.
#[derive(Clone, Copy)]
pub(super) struct Rounding {
    high: v128,
    /// [`LOW`] on top.
    both: v128,
}

impl Rounding {
    #[inline(always)]
    fn new(high: u64) -> Self {
        let both = f64::from_bits(high) + f64::from_bits(LOW);
        // Not seen by the compiler, which would write them out at each use: engines do not take such constants out of a loop.
        let [high, both] = black_box([f64::from_bits(high), both]);
        Self { high: f64x2_splat(high), both: f64x2_splat(both) }
    }

    /// For products of two digits, one of which may be doubled.
    #[inline(always)]
    pub(super) fn single() -> Self {
        Self::new(HIGH)
    }

    /// For products of two sums of two digits.
    #[inline(always)]
    pub(super) fn pair() -> Self {
        Self::new(PAIR_HIGH)
    }

    /// The bits of the low and of the high part of x·y.
    #[inline(always)]
    pub(super) fn multiply(&self, x: v128, y: v128) -> [v128; 2] {
        let high = f64x2_relaxed_madd(x, y, self.high);
        let low = f64x2_relaxed_madd(x, y, f64x2_sub(self.both, high));
        [low, high]
    }
}

/// Low and high sums for `count` products of [`Rounding::pair`].
#[inline(always)]
pub(super) fn pair_starts(count: usize) -> (v128, v128) {
    let start = |part: u64| u64x2_splat((count as u64).wrapping_mul(part).wrapping_neg());
    (start(LOW), start(PAIR_HIGH))
}

/// Two words.
///
/// # Safety
/// They are there.
#[inline(always)]
pub(super) unsafe fn load(words: *const u64) -> v128 {
    // SAFETY: the caller guarantees the words; no alignment is asked for.
    unsafe { v128_load(words as *const v128) }
}

/// Writes two words.
///
/// # Safety
/// There is room for them.
#[inline(always)]
pub(super) unsafe fn store(words: *mut u64, vector: v128) {
    // SAFETY: the caller guarantees the room; no alignment is asked for.
    unsafe { v128_store(words as *mut v128, vector) }
}

/// A word in both lanes.
///
/// # Safety
/// It is there.
#[inline(always)]
pub(super) unsafe fn broadcast(word: *const u64) -> v128 {
    // SAFETY: the caller guarantees the word.
    unsafe { v128_load64_splat(word) }
}

/// Lanes moved up by one: the lowest is the highest of the vector below, which becomes `vector`.
#[inline(always)]
pub(super) fn lift(vector: v128, below: &mut v128) -> v128 {
    let lifted = i64x2_shuffle::<1, 2>(*below, vector);
    *below = vector;
    lifted
}

/// The lowest lane alone.
#[inline(always)]
pub(super) fn lowest_lane(vector: v128) -> v128 {
    i64x2_replace_lane::<1>(vector, 0)
}

/// The digits of biased columns: what a column keeps, and the carry of the one below.
#[inline(always)]
pub(super) fn digits_of(columns: v128, below: &mut v128) -> v128 {
    let carry = lift(u64x2_shr(columns, DIGIT_BITS as u32), below);
    i64x2_add(v128_and(columns, u64x2_splat(DIGIT)), carry)
}

/// Digits below 2^52 as doubles.
#[inline(always)]
pub(super) fn doubles_of(digits: v128) -> v128 {
    let two_52 = u64x2_splat(TWO_52);
    f64x2_sub(v128_or(digits, two_52), two_52)
}
