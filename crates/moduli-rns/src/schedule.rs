//! Schedules of squares and products for exponentiation with a public exponent.

use alloc::vec::Vec;
use crypto_bigint::BoxedUint;

/// A schedule for a public exponent: its squares, and its products by odd powers, from the highest bit down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    pub(super) odd_powers: usize,
    pub(super) first: Option<usize>,
    pub(super) turns: Vec<(u32, Option<usize>)>,
}

/// The largest window that is tried.
const MAX_WINDOW: u32 = 10;

impl Schedule {
    /// Makes the schedule of square and multiply, bit by bit.
    pub fn binary(exponent: &BoxedUint) -> Self {
        Self::sliding(exponent, 1)
    }

    /// Makes the schedule of the sliding window with the fewest products for this exponent.
    pub fn best_window(exponent: &BoxedUint) -> Self {
        let mut best = Self::binary(exponent);
        for window in 2..=MAX_WINDOW {
            let other = Self::sliding(exponent, window);
            if other.products() < best.products() {
                best = other;
            }
        }
        best
    }

    fn sliding(exponent: &BoxedUint, window: u32) -> Self {
        let mut this = Self { odd_powers: 1, first: None, turns: Vec::new() };
        let mut squares = 0;
        let mut position = exponent.bits_vartime();
        while position > 0 {
            if !exponent.bit_vartime(position - 1) {
                squares += 1;
                position -= 1;
                continue;
            }
            // The window reaches from a set bit down to the lowest set bit in its range.
            let mut end = position.saturating_sub(window);
            while !exponent.bit_vartime(end) {
                end += 1;
            }
            let digit = (end..position)
                .rev()
                .fold(0, |digit, bit| 2 * digit + usize::from(exponent.bit_vartime(bit)));
            this.odd_powers = this.odd_powers.max(digit / 2 + 1);
            if this.first.is_none() {
                this.first = Some(digit / 2);
            } else {
                this.turns.push((squares + position - end, Some(digit / 2)));
            }
            (position, squares) = (end, 0);
        }
        if squares > 0 {
            this.turns.push((squares, None));
        }
        this
    }

    /// Returns the number of odd powers x, x³, x⁵, … that the schedule needs, at least 1. If it is more than
    /// 1, they cost one square, and one product for each power after the first.
    pub fn odd_powers(&self) -> usize {
        self.odd_powers
    }

    /// Returns the index of the initial power x^(2·index + 1), or `None` for the exponent 0.
    pub fn first(&self) -> Option<usize> {
        self.first
    }

    /// Returns the steps in order. Each step is a number of squares, followed by a product by x^(2·index + 1)
    /// if there is an index.
    pub fn turns(&self) -> &[(u32, Option<usize>)] {
        &self.turns
    }

    /// Returns the total number of products and squares.
    pub fn products(&self) -> usize {
        let table = if self.odd_powers > 1 { self.odd_powers } else { 0 };
        table
            + self
                .turns
                .iter()
                .map(|&(squares, index)| squares as usize + usize::from(index.is_some()))
                .sum::<usize>()
    }
}
