//! Products and squares, in columns.
//!
//! [`AT_ONCE`] vectors of the columns are worked off together, with all their sums in registers. Class r of a vector collects digit r
//! of each pair, low parts, and the high parts of digit r − 1; class 2 is class 0 of the next vector.

use core::{arch::wasm32::*, ops::Range};

use super::vector::{Rounding, broadcast, lift, load, store};
use crate::fma50::parts::multiples;

/// Vectors of the columns that are worked off together.
pub(super) const AT_ONCE: usize = 2;

/// Their classes, and class 0 of the vector that follows.
type Sums = [v128; 2 * AT_ONCE + 1];

/// The columns of a product, as they are stored one after the other.
pub(super) struct Columns {
    words: *mut u64,
    /// The next vector.
    vector: usize,
    /// Class 1 of the vector below.
    below: v128,
    /// What the vectors below have left for class 0 of the next one.
    carried: v128,
}

impl Columns {
    /// Columns at `words`.
    #[inline(always)]
    pub(super) fn new(words: *mut u64) -> Self {
        Self { words, vector: 0, below: i64x2_splat(0), carried: i64x2_splat(0) }
    }

    /// What sums begin with, for so many pairs of digits that meet each vector.
    #[inline(always)]
    fn starts(&self, pairs: [usize; AT_ONCE]) -> Sums {
        let mut sums = [i64x2_splat(0); 2 * AT_ONCE + 1];
        sums[0] = self.carried;
        for (v, &pairs) in pairs.iter().enumerate() {
            for (class, start) in multiples(pairs).into_iter().enumerate() {
                sums[2 * v + class] = i64x2_add(sums[2 * v + class], u64x2_splat(start));
            }
        }
        sums
    }

    /// Stores the next vectors.
    ///
    /// # Safety
    /// There is room for them.
    #[inline(always)]
    unsafe fn push(&mut self, sums: &Sums) {
        for v in 0..AT_ONCE {
            let lifted = lift(sums[2 * v + 1], &mut self.below);
            // SAFETY: as the caller says.
            unsafe { store(self.words.add(2 * (self.vector + v)), i64x2_add(sums[2 * v], lifted)) }
        }
        self.carried = sums[2 * AT_ONCE];
        self.vector += AT_ONCE;
    }
}

/// A pair of digits times a vector; the sums of vector `V`.
#[inline(always)]
fn multiply<const V: usize>(rounding: &Rounding, sums: &mut Sums, x: [v128; 2], y: v128) {
    for (digit, x) in x.into_iter().enumerate() {
        let [low, high] = rounding.multiply(x, y);
        let class = 2 * V + digit;
        sums[class] = i64x2_add(sums[class], low);
        sums[class + 1] = i64x2_add(sums[class + 1], high);
    }
}

/// The sums of vector `V` for the pairs `pairs` of x; pair u meets vector `V − u` of y.
///
/// # Safety
/// These pairs and vectors are there.
#[inline(always)]
unsafe fn multiply_edge<const V: usize>(
    rounding: &Rounding,
    sums: &mut Sums,
    x: *const u64,
    y: *const u64,
    pairs: Range<usize>,
) {
    for pair in pairs {
        // SAFETY: as the caller says.
        unsafe {
            let digits = [broadcast(x.add(2 * pair)), broadcast(x.add(2 * pair + 1))];
            multiply::<V>(rounding, sums, digits, load(y.wrapping_add(2 * V).wrapping_sub(2 * pair)));
        }
    }
}

/// The sums of [`AT_ONCE`] vectors, each for its range of pairs of x; pair u meets vector v − u of y for vector v, counted from
/// `y`.
///
/// # Safety
/// These pairs and vectors are there.
#[inline(always)]
unsafe fn multiply_ranges(
    rounding: &Rounding,
    sums: &mut Sums,
    x: *const u64,
    y: *const u64,
    ranges: [Range<usize>; AT_ONCE],
) {
    // Those that all of the vectors meet.
    let from = ranges[AT_ONCE - 1].start;
    let to = ranges[0].end;
    // SAFETY: as the caller says.
    unsafe {
        macro_rules! edges {
            ($($v:literal)*) => {$(
                let Range { start, end } = ranges[$v];
                multiply_edge::<$v>(rounding, sums, x, y, start..from.min(end));
                multiply_edge::<$v>(rounding, sums, x, y, to.max(from).max(start)..end);
            )*};
        }
        edges!(0 1);
        for pair in from..to {
            let digits = [broadcast(x.add(2 * pair)), broadcast(x.add(2 * pair + 1))];
            let y = y.wrapping_sub(2 * pair);
            multiply::<0>(rounding, sums, digits, load(y));
            multiply::<1>(rounding, sums, digits, load(y.wrapping_add(2)));
        }
    }
}

/// Pairs of x, of which there are `count`, that meet one of `height` vectors of y in vector `v`.
#[inline(always)]
fn meeting(v: usize, height: usize, count: usize) -> Range<usize> {
    (v + 1).saturating_sub(height)..(v + 1).min(count)
}

/// The columns of Σ x_i·p_i, where the x_i are the parts of x, of `part` pairs of digits each, and the p_i residues, `words` words
/// apart: `height + part` vectors, and up to [`AT_ONCE`] zeros.
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
    let parts = height.div_ceil(part);
    let count = |i: usize| part.min(height - part * i);
    while columns.vector <= height + part {
        let v = columns.vector;
        let ranges = |i: usize| core::array::from_fn(|b| meeting(v + b, height, count(i)));
        let mut pairs = [0; AT_ONCE];
        for i in 0..parts {
            for (pairs, range) in pairs.iter_mut().zip::<[Range<usize>; AT_ONCE]>(ranges(i)) {
                *pairs += range.len();
            }
        }
        let mut sums = columns.starts(pairs);
        // SAFETY: pair u of part i meets vector v − u of piece i, which the ranges keep within it.
        unsafe {
            for i in 0..parts {
                let y = pieces.add(words * i).wrapping_add(2 * v);
                multiply_ranges(&rounding, &mut sums, x.add(2 * part * i), y, ranges(i));
            }
            columns.push(&sums);
        }
    }
}

/// The columns of x²: `2·height` vectors, and up to [`AT_ONCE`] zeros.
///
/// # Safety
/// x has `height` pairs of digits, `doubled` twice each of them, and there is room for the columns.
#[inline]
pub(super) unsafe fn square_columns(columns: *mut u64, x: *const u64, doubled: *const u64, height: usize) {
    let rounding = Rounding::single();
    let mut columns = Columns::new(columns);
    while columns.vector <= 2 * height {
        let v = columns.vector;
        // Pairs that meet a vector above them.
        let ranges: [Range<usize>; AT_ONCE] =
            core::array::from_fn(|b| (v + b + 1).saturating_sub(height)..(v + b).div_ceil(2));
        let middle = v / 2;
        let mut pairs = ranges.clone().map(|range| range.len());
        pairs[0] += usize::from(middle < height);
        let mut sums = columns.starts(pairs);
        // SAFETY: pair u meets vector v − u, which the ranges keep above u and within x.
        unsafe {
            multiply_ranges(&rounding, &mut sums, doubled, x.wrapping_add(2 * v), ranges);
            if middle < height {
                let digits = [broadcast(x.add(v)), broadcast(x.add(v + 1))];
                multiply::<0>(&rounding, &mut sums, digits, load(x.add(v)));
            }
            columns.push(&sums);
        }
    }
}
