//! Products of digits in vectors of two: each product exactly as two doubles, and sums of their bits.

use core::{arch::wasm32::*, hint::black_box};

use crate::fma50::{
    digits::{DIGIT, DIGIT_BITS, TWO_52},
    parts::{HIGH, LOW, PAIR_HIGH, multiples},
};

/// Whether `f64x2.relaxed_madd` is fused in both lanes. An engine chooses this once.
pub fn is_fused() -> bool {
    // (2^27 + 1)² = 2^54 + 2^28 + 1 has 55 bits, so a rounded product lacks the last one.
    let (x, minus) = black_box(((1u64 << 27) as f64 + 1.0, -(((1u64 << 54) + (1 << 28)) as f64)));
    let rest = f64x2_relaxed_madd(f64x2_splat(x), f64x2_splat(x), f64x2_splat(minus));
    [f64x2_extract_lane::<0>(rest), f64x2_extract_lane::<1>(rest)] == [1.0; 2]
}

/// The constants of a rounding: the one for high parts, and its sum with [`LOW`].
const fn rounding(high: u64) -> [u64; 2] {
    let both = f64::from_bits(high) + f64::from_bits(LOW);
    [high, both.to_bits()]
}

static SINGLE: [u64; 2] = rounding(HIGH);
static PAIR: [u64; 2] = rounding(PAIR_HIGH);
static DIGITS: [u64; 2] = [DIGIT, TWO_52];
static PARTS: [u64; 3] = multiples(1);

/// Loads constants into registers. They are read from memory, because engines would write out a constant in
/// the code at each use, even in a loop.
#[inline(always)]
pub(super) fn constants<const N: usize>(words: &'static [u64; N]) -> [v128; N] {
    // SAFETY: a reference leads to words.
    black_box(words).each_ref().map(|word| unsafe { broadcast(word) })
}

/// The initial values of the classes of a vector.
pub(super) struct Starts {
    parts: [v128; 3],
}

impl Starts {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self { parts: constants(&PARTS) }
    }

    /// The initial values of classes 0, 1 and 2 for `pairs` pairs of digits.
    #[inline(always)]
    pub(super) fn of(&self, pairs: usize) -> [v128; 3] {
        // All parts are multiples of 2^48, so modulo 2^64 only their top 16 bits matter.
        let pairs = u64x2_splat((pairs as u64) << 48);
        self.parts.map(|part| i16x8_mul(pairs, part))
    }
}

/// The constants of a rounding, in both lanes.
#[derive(Clone, Copy)]
pub(super) struct Rounding {
    high: v128,
    /// `high` plus [`LOW`].
    both: v128,
}

impl Rounding {
    /// For products of two digits, one of which may be doubled.
    #[inline(always)]
    pub(super) fn single() -> Self {
        let [high, both] = constants(&SINGLE);
        Self { high, both }
    }

    /// For products of two sums of two digits.
    #[inline(always)]
    pub(super) fn pair() -> Self {
        let [high, both] = constants(&PAIR);
        Self { high, both }
    }

    /// Adds both parts of x·y.
    #[inline(always)]
    pub(super) fn add_product(&self, x: v128, y: v128, (low, high): (&mut v128, &mut v128)) {
        let part = f64x2_relaxed_madd(x, y, self.high);
        *high = i64x2_add(*high, part);
        *low = i64x2_add(*low, f64x2_relaxed_madd(x, y, f64x2_sub(self.both, part)));
    }
}

/// The initial values of low and high sums for `count` products of [`Rounding::pair`].
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

/// Moves lanes up by one. The new lowest lane is the highest one of the previous vector. Then `below` becomes
/// `vector`.
#[inline(always)]
pub(super) fn lift(vector: v128, below: &mut v128) -> v128 {
    let lifted = i64x2_shuffle::<1, 2>(*below, vector);
    *below = vector;
    lifted
}

/// The lowest lane of the vector; the other is zero.
#[inline(always)]
pub(super) fn lowest_lane(vector: v128) -> v128 {
    i64x2_replace_lane::<1>(vector, 0)
}

/// Converts columns to digits.
#[derive(Clone, Copy)]
pub(super) struct Digits {
    digit: v128,
    two_52: v128,
}

impl Digits {
    #[inline(always)]
    pub(super) fn new() -> Self {
        let [digit, two_52] = constants(&DIGITS);
        Self { digit, two_52 }
    }

    /// The digits of biased columns, as doubles: the low bits of each column plus the carry out of the column
    /// below.
    #[inline(always)]
    pub(super) fn of(&self, columns: v128, below: &mut v128) -> v128 {
        let carry = lift(u64x2_shr(columns, DIGIT_BITS as u32), below);
        // Below 2^52.
        let digits = i64x2_add(v128_and(columns, self.digit), carry);
        f64x2_sub(v128_or(digits, self.two_52), self.two_52)
    }

    /// Digits in doubles as integers, plus the bits of 2^52.
    #[inline(always)]
    pub(super) fn bits_of(&self, digits: v128) -> v128 {
        f64x2_add(digits, self.two_52)
    }
}
