//! Products and squares, in columns.
//!
//! Two vectors of the columns are computed together, with all their sums in registers. Class r of a vector
//! collects the low parts of digit r of each pair, and the high parts of digit r − 1. Class 2 is class 0 of
//! the next vector.

use core::arch::wasm32::*;

use super::vector::{Rounding, Starts, broadcast, lift, load, store};

/// The classes of two vectors, and class 0 of the following vector.
type Sums = [v128; 5];

/// The columns of a product, stored one after the other.
pub(super) struct Columns {
    /// The address of the next vector.
    next: *mut u64,
    /// Class 1 of the previous vector.
    below: v128,
    /// The part of class 0 of the next vector that the previous vectors have contributed.
    carried: v128,
    starts: Starts,
}

impl Columns {
    /// Columns at `words`.
    #[inline(always)]
    pub(super) fn new(words: *mut u64) -> Self {
        let zero = i64x2_splat(0);
        Self { next: words, below: zero, carried: zero, starts: Starts::new() }
    }

    /// The initial values of the sums.
    #[inline(always)]
    fn sums(&self) -> Sums {
        let zero = i64x2_splat(0);
        [self.carried, zero, zero, zero, zero]
    }

    /// Stores the next two vectors, to which the given numbers of pairs of digits were added.
    ///
    /// # Safety
    /// There is room for them.
    #[inline(always)]
    unsafe fn push(&mut self, sums: &Sums, pairs: [usize; 2]) {
        let ([start, start_1, start_2], [next, next_1, next_2]) =
            (self.starts.of(pairs[0]), self.starts.of(pairs[1]));
        let odd = lift(i64x2_add(sums[1], start_1), &mut self.below);
        let next_odd = lift(i64x2_add(sums[3], next_1), &mut self.below);
        let even = i64x2_add(sums[0], start);
        let next_even = i64x2_add(sums[2], i64x2_add(start_2, next));
        // SAFETY: as the caller says.
        unsafe {
            store(self.next, i64x2_add(even, odd));
            store(self.next.add(2), i64x2_add(next_even, next_odd));
            self.next = self.next.add(4);
        }
        self.carried = i64x2_add(sums[4], next_2);
    }
}

/// A pair of digits.
///
/// # Safety
/// It is there.
#[inline(always)]
unsafe fn digits(x: *const u64) -> [v128; 2] {
    // SAFETY: as the caller says.
    unsafe { [broadcast(x), broadcast(x.add(1))] }
}

/// A pair of digits times a vector; adds to the sums of vector `V`.
#[inline(always)]
fn multiply<const V: usize>(rounding: &Rounding, sums: &mut Sums, x: [v128; 2], y: v128) {
    let [a, b, c] = &mut sums[2 * V..][..3] else { return };
    rounding.add_product(x[0], y, (a, b));
    rounding.add_product(x[1], y, (b, c));
}

/// Multiplies `pairs` pairs of x by a vector of y each, and by the vector above it. For each next pair, the
/// vectors of y are one further down.
///
/// # Safety
/// These pairs and vectors are there.
#[inline(always)]
unsafe fn multiply_pairs(
    rounding: &Rounding,
    sums: &mut Sums,
    mut x: *const u64,
    mut y: *const u64,
    pairs: usize,
) {
    let end = x.wrapping_add(2 * pairs);
    while x != end {
        // SAFETY: as the caller says.
        unsafe {
            let pair = digits(x);
            multiply::<0>(rounding, sums, pair, load(y));
            multiply::<1>(rounding, sums, pair, load(y.add(2)));
            x = x.add(2);
        }
        y = y.wrapping_sub(2);
    }
}

/// Vectors `v` and `v + 1` of the columns of x·y, for `count` pairs of x and `height` vectors of y. Returns
/// how many pairs were added to each.
///
/// # Safety
/// These pairs and vectors are there.
#[inline(always)]
unsafe fn multiply_part(
    rounding: &Rounding,
    sums: &mut Sums,
    (x, count): (*const u64, usize),
    (y, height): (*const u64, usize),
    v: usize,
) -> [usize; 2] {
    // Pair u of x is multiplied by vector v − u of y, if there is one.
    let (from, to) = ((v + 1).saturating_sub(height), (v + 1).min(count));
    let (next_from, next_to) = ((v + 2).saturating_sub(height), (v + 2).min(count));
    // SAFETY: the ranges keep pairs and vectors within x and y.
    unsafe {
        if from < next_from && from < to {
            multiply::<0>(rounding, sums, digits(x.add(2 * from)), load(y.add(2 * (v - from))));
        }
        if next_from < to {
            let y = y.add(2 * (v - next_from));
            multiply_pairs(rounding, sums, x.add(2 * next_from), y, to - next_from);
        }
        if to < next_to {
            multiply::<1>(rounding, sums, digits(x.add(2 * to)), load(y.add(2 * (v + 1 - to))));
        }
    }
    [to.saturating_sub(from), next_to.saturating_sub(next_from)]
}

/// The columns of Σ x_i·p_i, where the x_i are the parts of x, with `part` pairs of digits each, and the p_i
/// are residues, `words` words apart. Writes `height + part` vectors, and up to two vectors of zeros.
///
/// # Safety
/// x has `height` pairs of digits, there are pieces for all of it, and room for the columns.
#[inline]
pub(super) unsafe fn convolve(
    columns: *mut u64,
    x: *const u64,
    pieces: *const u64,
    (height, part, words): (usize, usize, usize),
) {
    let rounding = Rounding::single();
    let mut columns = Columns::new(columns);
    for v in (0..=height + part).step_by(2) {
        let mut sums = columns.sums();
        let mut pairs = [0; 2];
        let (mut x, mut piece, mut left) = (x, pieces, height);
        while left > 0 {
            let count = part.min(left);
            // SAFETY: these parts and pieces are there.
            unsafe {
                let met = multiply_part(&rounding, &mut sums, (x, count), (piece, height), v);
                pairs = [pairs[0] + met[0], pairs[1] + met[1]];
                x = x.add(2 * count);
            }
            piece = piece.wrapping_add(words);
            left -= count;
        }
        // SAFETY: as the caller says.
        unsafe { columns.push(&sums, pairs) }
    }
}

/// The columns of x²: `2·height` vectors, and two vectors of zeros.
///
/// # Safety
/// x has `height` pairs of digits, `doubled` twice each of them and a vector of zeros above, and there is
/// room for the columns.
#[inline]
pub(super) unsafe fn square_columns(columns: *mut u64, x: *const u64, doubled: *const u64, height: usize) {
    let rounding = Rounding::single();
    let mut columns = Columns::new(columns);
    for middle in 0..=height {
        let v = 2 * middle;
        let mut sums = columns.sums();
        // Pair u is multiplied by vector v − u above it; for the next vector of columns, by the vector above
        // that, which may be the zeros.
        let from = (v + 1).saturating_sub(height);
        let mut pairs = middle.saturating_sub(from);
        // SAFETY: pairs and vectors are within x and up to the zeros.
        unsafe {
            if from < middle {
                let y = doubled.add(2 * (v - from));
                multiply_pairs(&rounding, &mut sums, x.add(2 * from), y, pairs);
            }
            if middle < height {
                let pair = digits(x.add(v));
                multiply::<0>(&rounding, &mut sums, pair, load(x.add(v)));
                multiply::<1>(&rounding, &mut sums, pair, load(doubled.add(v + 2)));
                pairs += 1;
            }
            columns.push(&sums, [pairs; 2]);
        }
    }
}
