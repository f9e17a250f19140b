//! Columns of a product, and their digits.

use core::arch::wasm32::*;

use super::vector::{Digits, Rounding, constants, lift, load, lowest_lane, pair_starts, store};
use crate::fma50::{
    constants::{BIAS, BIAS_CARRY},
    task::{Low, Own},
};

/// The bias of a column above the lowest, minus the carry that the bias of the column below causes.
static UPPER: [u64; 1] = [BIAS - BIAS_CARRY];

/// In debug builds, asserts that no column is below −[`BIAS`].
#[inline(always)]
pub(super) fn assert_columns(columns: v128) {
    if cfg!(debug_assertions) {
        let lanes = [i64x2_extract_lane::<0>(columns), i64x2_extract_lane::<1>(columns)];
        assert!(lanes.iter().all(|&lane| lane >= -(BIAS as i64)), "a column of {lanes:?} is out of bounds");
    }
}

/// The partial sums of Σ x_2k·x_(2k+1) over the digits of the factor of a matrix.
pub(super) struct OwnSums {
    rounding: Rounding,
    low: v128,
    high: v128,
}

impl OwnSums {
    /// For this many pairs of digits.
    #[inline(always)]
    pub(super) fn new(pairs: usize) -> Self {
        let (low, high) = pair_starts(pairs);
        Self { rounding: Rounding::pair(), low, high }
    }

    /// Adds the product of a pair, in both lanes.
    #[inline(always)]
    pub(super) fn add(&mut self, digits: v128) {
        let swapped = i64x2_shuffle::<1, 0>(digits, digits);
        self.rounding.add_product(digits, swapped, (&mut self.low, &mut self.high));
    }

    #[inline(always)]
    pub(super) fn finish(self) -> Own<v128> {
        // High sums are multiples of 2^51 and belong to the next column.
        let high = i64x2_add(self.high, self.high);
        Own { all: i64x2_add(self.low, high), lowest: high }
    }

    /// The sums for `pairs` pairs of digits.
    ///
    /// # Safety
    /// They are there.
    #[inline(always)]
    pub(super) unsafe fn of(digits: *const u64, pairs: usize) -> Own<v128> {
        let mut sums = Self::new(pairs);
        for pair in 0..pairs {
            // SAFETY: as the caller says.
            sums.add(unsafe { load(digits.add(2 * pair)) });
        }
        sums.finish()
    }
}

/// `t` ← the digits of the lowest `2·pairs` columns, at least one pair, as doubles.
///
/// # Safety
/// These columns are there, and `t` has room for as many words.
#[inline]
pub(super) unsafe fn low_digits(columns: *const u64, t: *mut u64, pairs: usize) -> Low<v128> {
    let (mut own, to_digits) = (OwnSums::new(pairs), Digits::new());
    let mut below = i64x2_splat(0);
    let [upper] = constants(&UPPER);
    let mut bias = u64x2_replace_lane::<0>(upper, BIAS);
    for pair in 0..pairs {
        // SAFETY: as the caller says.
        unsafe {
            let sums = load(columns.add(2 * pair));
            assert_columns(sums);
            let digits = to_digits.of(i64x2_add(sums, bias), &mut below);
            store(t.add(2 * pair), digits);
            own.add(digits);
        }
        bias = upper;
    }
    let carry = lift(i64x2_splat(0), &mut below);
    let carry = lowest_lane(i64x2_sub(carry, u64x2_splat(BIAS_CARRY)));
    Low { carry, own: own.finish() }
}
