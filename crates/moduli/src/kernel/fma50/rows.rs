//! Products of rows: four residues side by side, digit j of all of them in vector j.
//!
//! Columns are whole vectors here, so carries run to the end at the price of two additions a column, and digits come out
//! canonical. Blocks of two digits by two are multiplied with their six sums in registers; a block's upper two columns
//! are the lower two of the next. The reduction reads the matrix of the single residue, each digit in all lanes.

use core::arch::x86_64::*;

use super::{
    columns::{assert_columns, doubles_of},
    constants::{BIAS, BIAS_CARRY, Fma50},
    digits::{DIGIT, DIGIT_BITS},
    matrix::BLOCK,
    vector::{HIGH, LOW, Rounding},
};

/// Columns of the reduction that are summed together.
const GROUP: usize = 4;

/// Adds `count` blocks of two digits by two: their low parts to `low`, for columns c, c + 1 and c + 2, their high parts
/// to `high`, for c + 1, c + 2 and c + 3. Digits at `x` go up, those at `y` down from block to block.
///
/// # Safety
/// The processor has AVX2 and FMA; `count` is not 0, and both factors have so many pairs of vectors from there.
#[target_feature(enable = "avx2,fma")]
#[inline]
unsafe fn multiply_blocks(
    rounding: &Rounding,
    low: &mut [__m256i; 3],
    high: &mut [__m256i; 3],
    x: *const __m256d,
    y: *const __m256d,
    count: usize,
) {
    let [constant, both] = rounding.constants();
    // SAFETY: reads the vectors that the caller vouches for.
    unsafe {
        core::arch::asm!(
            "2:",
            "vmovupd {x0}, ymmword ptr [{x}]",
            "vmovupd {x1}, ymmword ptr [{x} + 32]",
            "vmovapd {p00}, {constant}",
            "vmovapd {p01}, {constant}",
            "vmovapd {p10}, {constant}",
            "vmovapd {p11}, {constant}",
            "vfmadd231pd {p00}, {x0}, ymmword ptr [{y}]",
            "vfmadd231pd {p01}, {x0}, ymmword ptr [{y} + 32]",
            "vfmadd231pd {p10}, {x1}, ymmword ptr [{y}]",
            "vfmadd231pd {p11}, {x1}, ymmword ptr [{y} + 32]",
            "vpaddq {high0}, {high0}, {p00}",
            "vpaddq {high1}, {high1}, {p01}",
            "vsubpd {p00}, {both}, {p00}",
            "vsubpd {p01}, {both}, {p01}",
            "vpaddq {high1}, {high1}, {p10}",
            "vpaddq {high2}, {high2}, {p11}",
            "vsubpd {p10}, {both}, {p10}",
            "vsubpd {p11}, {both}, {p11}",
            "vfmadd231pd {p00}, {x0}, ymmword ptr [{y}]",
            "vfmadd231pd {p01}, {x0}, ymmword ptr [{y} + 32]",
            "vfmadd231pd {p10}, {x1}, ymmword ptr [{y}]",
            "vfmadd231pd {p11}, {x1}, ymmword ptr [{y} + 32]",
            "add {x}, 64",
            "sub {y}, 64",
            "vpaddq {low0}, {low0}, {p00}",
            "vpaddq {low1}, {low1}, {p01}",
            "vpaddq {low1}, {low1}, {p10}",
            "vpaddq {low2}, {low2}, {p11}",
            "dec {count}",
            "jnz 2b",
            x = inout(reg) x => _,
            y = inout(reg) y => _,
            count = inout(reg) count => _,
            constant = in(ymm_reg) constant,
            both = in(ymm_reg) both,
            x0 = out(ymm_reg) _,
            x1 = out(ymm_reg) _,
            p00 = out(ymm_reg) _,
            p01 = out(ymm_reg) _,
            p10 = out(ymm_reg) _,
            p11 = out(ymm_reg) _,
            low0 = inout(ymm_reg) low[0],
            low1 = inout(ymm_reg) low[1],
            low2 = inout(ymm_reg) low[2],
            high0 = inout(ymm_reg) high[0],
            high1 = inout(ymm_reg) high[1],
            high2 = inout(ymm_reg) high[2],
            options(readonly, nostack),
        );
    }
}

/// Two columns of a pair of rows of the matrix: digits `$first` and the next of both.
macro_rules! two_columns {
    ($first:literal, $second:literal, $a:literal, $b:literal, $c:literal) => {
        concat!(
            "vbroadcastsd {y0}, qword ptr [{row} + {stride} + ",
            $first,
            "]\n",
            "vbroadcastsd {y1}, qword ptr [{row} + {stride} + ",
            $second,
            "]\n",
            "vbroadcastsd {z0}, qword ptr [{row} + ",
            $first,
            "]\n",
            "vbroadcastsd {z1}, qword ptr [{row} + ",
            $second,
            "]\n",
            "vaddpd {y0}, {y0}, {x1}\n",
            "vaddpd {y1}, {y1}, {x1}\n",
            "vaddpd {z0}, {z0}, {x2}\n",
            "vaddpd {z1}, {z1}, {x2}\n",
            "vmovapd {p0}, {constant}\n",
            "vmovapd {p1}, {constant}\n",
            "vfmadd231pd {p0}, {y0}, {z0}\n",
            "vfmadd231pd {p1}, {y1}, {z1}\n",
            "vpaddq {",
            $b,
            "}, {",
            $b,
            "}, {p0}\n",
            "vpaddq {",
            $c,
            "}, {",
            $c,
            "}, {p1}\n",
            "vsubpd {p0}, {both}, {p0}\n",
            "vsubpd {p1}, {both}, {p1}\n",
            "vfmadd231pd {p0}, {y0}, {z0}\n",
            "vfmadd231pd {p1}, {y1}, {z1}\n",
            "vpaddq {",
            $a,
            "}, {",
            $a,
            "}, {p0}\n",
            "vpaddq {",
            $b,
            "}, {",
            $b,
            "}, {p1}\n",
        )
    };
}

/// Adds `pairs` products of pairs to five columns: low parts to the first four, high parts to the last four.
/// `row` leads to the columns in the first row, `stride` bytes from row to row.
///
/// # Safety
/// The processor has AVX2 and FMA; `pairs` is not 0, `x` has so many pairs of vectors and `row` so many pairs of rows.
#[target_feature(enable = "avx2,fma")]
#[inline]
unsafe fn multiply_four_columns(
    rounding: &Rounding,
    sums: &mut [__m256i; GROUP + 1],
    x: *const __m256d,
    row: *const f64,
    stride: usize,
    pairs: usize,
) {
    let [constant, both] = rounding.constants();
    // SAFETY: reads the vectors and the rows that the caller vouches for.
    unsafe {
        core::arch::asm!(
            "2:",
            "vmovupd {x1}, ymmword ptr [{x}]",
            "vmovupd {x2}, ymmword ptr [{x} + 32]",
            two_columns!("0", "8", "sum0", "sum1", "sum2"),
            two_columns!("16", "24", "sum2", "sum3", "sum4"),
            "add {x}, 64",
            "lea {row}, [{row} + 2*{stride}]",
            "dec {pairs}",
            "jnz 2b",
            x = inout(reg) x => _,
            row = inout(reg) row => _,
            stride = in(reg) stride,
            pairs = inout(reg) pairs => _,
            constant = in(ymm_reg) constant,
            both = in(ymm_reg) both,
            x1 = out(ymm_reg) _,
            x2 = out(ymm_reg) _,
            y0 = out(ymm_reg) _,
            y1 = out(ymm_reg) _,
            z0 = out(ymm_reg) _,
            z1 = out(ymm_reg) _,
            p0 = out(ymm_reg) _,
            p1 = out(ymm_reg) _,
            sum0 = inout(ymm_reg) sums[0],
            sum1 = inout(ymm_reg) sums[1],
            sum2 = inout(ymm_reg) sums[2],
            sum3 = inout(ymm_reg) sums[3],
            sum4 = inout(ymm_reg) sums[4],
            options(readonly, nostack),
        );
    }
}

#[target_feature(enable = "avx2,fma")]
#[inline]
fn all_lanes(word: u64) -> __m256i {
    _mm256_set1_epi64x(word as i64)
}

/// A biased column's digit as a double. `carry` goes into the column, and leaves it.
#[target_feature(enable = "avx2,fma")]
#[inline]
fn digit_of(column: __m256i, carry: &mut __m256i) -> __m256d {
    let column = _mm256_add_epi64(column, *carry);
    *carry = _mm256_srli_epi64::<{ DIGIT_BITS as i32 }>(column);
    doubles_of(_mm256_and_si256(column, all_lanes(DIGIT)))
}

/// How many products of a block go where: `outer` parts to its first and its last column of low or of high parts,
/// `inner` ones to the one between.
#[derive(Clone, Copy, Default)]
struct Parts {
    outer: u64,
    inner: u64,
}

/// The columns of a product of rows, two at a time: the lower half leaves as digits, the upper one as sums.
struct ColumnPairs {
    /// Digits of a residue, over 2.
    half: usize,
    digits: *mut f64,
    sums: *mut __m256i,
    /// Low parts of the block at work, which begin with what the one before has left in its first two columns, and how
    /// many parts that is; and high parts.
    low: [__m256i; 3],
    high: [__m256i; 3],
    before: Parts,
    carry: __m256i,
}

impl ColumnPairs {
    #[target_feature(enable = "avx2,fma")]
    fn new(half: usize, digits: *mut u64, sums: *mut u64) -> Self {
        let zero = _mm256_setzero_si256();
        Self {
            half,
            digits: digits as *mut f64,
            sums: sums as *mut __m256i,
            low: [zero; 3],
            high: [zero; 3],
            before: Parts::default(),
            carry: zero,
        }
    }

    /// Columns 2·m and 2·m + 1 are complete with these parts.
    ///
    /// # Safety
    /// The processor has AVX2 and FMA; m counts up from 0 to `2·half − 1`, and there is room for `2·half` vectors of digits,
    /// and of sums.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    unsafe fn finish(&mut self, m: usize, now: Parts) {
        let Parts { outer, inner } = self.before;
        let (low, high) = (self.low, self.high);
        // The constants in the parts are taken off, and for digits a bias is added.
        let below = m < self.half;
        let biases = match m {
            0 => [BIAS, BIAS - BIAS_CARRY],
            _ if below => [BIAS - BIAS_CARRY; 2],
            _ => [0; 2],
        };
        let parts = [(now.outer.wrapping_add(outer), inner), (now.inner, now.outer.wrapping_add(outer))];
        let second = _mm256_add_epi64(low[1], high[0]);
        let [first, second] = [(low[0], 0), (second, 1)].map(|(sum, i)| {
            let (lows, highs) = parts[i];
            let constants = lows.wrapping_mul(LOW).wrapping_add(highs.wrapping_mul(HIGH));
            let column = _mm256_add_epi64(sum, all_lanes(biases[i].wrapping_sub(constants)));
            assert_columns(_mm256_sub_epi64(column, all_lanes(biases[i])));
            column
        });
        // SAFETY: vectors 2·m and 2·m + 1, or those less 2·half, are in range.
        unsafe {
            if below {
                _mm256_storeu_pd(self.digits.add(8 * m), digit_of(first, &mut self.carry));
                _mm256_storeu_pd(self.digits.add(8 * m + 4), digit_of(second, &mut self.carry));
            } else {
                let at = 2 * (m - self.half);
                _mm256_storeu_si256(self.sums.add(at), first);
                _mm256_storeu_si256(self.sums.add(at + 1), second);
            }
        }
        let zero = _mm256_setzero_si256();
        self.low = [_mm256_add_epi64(low[2], high[1]), high[2], zero];
        self.high = [zero; 3];
        self.before = now;
    }
}

impl Fma50 {
    /// `x` ← `x·b`, lane by lane.
    ///
    /// # Safety
    /// The processor has AVX2 and FMA; both are rows, `scratch` has three.
    #[target_feature(enable = "avx2,fma")]
    pub(super) unsafe fn multiply_rows(&self, x: *mut u64, b: *const u64, scratch: *mut u64) {
        let rounding = Rounding::single();
        let half = self.digits / 2;
        let (factor, other) = (x as *const __m256d, b as *const __m256d);
        let sums = scratch.wrapping_add(4 * self.digits);
        // SAFETY: pair i of x meets pair m − i of b, which the ranges keep within both.
        unsafe {
            let mut columns = ColumnPairs::new(half, scratch, sums);
            for m in 0..2 * half {
                let (from, to) = ((m + 1).saturating_sub(half), (m + 1).min(half));
                let count = to.saturating_sub(from);
                if count > 0 {
                    let y = other.add(2 * (m - from));
                    multiply_blocks(
                        &rounding,
                        &mut columns.low,
                        &mut columns.high,
                        factor.add(2 * from),
                        y,
                        count,
                    );
                }
                columns.finish(m, Parts { outer: count as u64, inner: 2 * count as u64 });
            }
            self.reduce_rows(x, scratch, sums, columns.carry);
        }
    }

    /// `x` ← `x²`, lane by lane.
    ///
    /// # Safety
    /// The processor has AVX2 and FMA; `x` is a row, `scratch` has three.
    #[target_feature(enable = "avx2,fma")]
    pub(super) unsafe fn square_rows(&self, x: *mut u64, scratch: *mut u64) {
        let rounding = Rounding::single();
        let half = self.digits / 2;
        let factor = x as *const __m256d;
        let sums = scratch.wrapping_add(4 * self.digits);
        let doubled = scratch.wrapping_add(8 * self.digits) as *mut __m256d;
        // SAFETY: pair i of x doubled meets pair m − i of x, which the ranges keep above i and within x.
        unsafe {
            let digit = |j: usize| _mm256_loadu_pd(factor.add(j) as *const f64);
            for j in 0..self.digits {
                _mm256_storeu_pd(doubled.add(j) as *mut f64, _mm256_add_pd(digit(j), digit(j)));
            }
            let mut columns = ColumnPairs::new(half, scratch, sums);
            for m in 0..2 * half {
                let (from, to) = ((m + 1).saturating_sub(half), m.div_ceil(2));
                let count = to.saturating_sub(from);
                let ColumnPairs { low, high, .. } = &mut columns;
                if count > 0 {
                    let y = factor.add(2 * (m - from));
                    multiply_blocks(&rounding, low, high, doubled.add(2 * from), y, count);
                }
                let mut parts = Parts { outer: count as u64, inner: 2 * count as u64 };
                if m % 2 == 0 {
                    // Pair m/2 meets itself.
                    let (x0, x1) = (digit(m), digit(m + 1));
                    for (place, left, right) in [(0, x0, x0), (1, _mm256_add_pd(x0, x0), x1), (2, x1, x1)] {
                        let product = rounding.multiply(left, right);
                        low[place] = _mm256_add_epi64(low[place], product[0]);
                        high[place] = _mm256_add_epi64(high[place], product[1]);
                    }
                    parts = Parts { outer: parts.outer + 1, inner: parts.inner + 1 };
                }
                columns.finish(m, parts);
            }
            self.reduce_rows(x, scratch, sums, columns.carry);
        }
    }

    /// `out` ← t·matrix of the reduction + `high`, in canonical digits; `carry`, of the biased digits t, goes into the first
    /// sum.
    ///
    /// # Safety
    /// The processor has AVX2 and FMA; `t` is a row of canonical digits, `high` as many vectors of sums, and `out` has
    /// room for a row.
    #[target_feature(enable = "avx2,fma")]
    unsafe fn reduce_rows(&self, out: *mut u64, t: *const u64, high: *const u64, carry: __m256i) {
        let rounding = Rounding::canonical_pair();
        let (t, zero) = (t as *const __m256d, _mm256_setzero_si256());
        let pairs = self.digits / 2;
        // Σ t_2k·t_(2k+1), low and high parts: what every column takes off, constants included.
        let (mut own_low, mut own_high) = (zero, zero);
        for k in 0..pairs {
            // SAFETY: t has D vectors.
            let (left, right) = unsafe {
                let t = t.add(2 * k) as *const f64;
                (_mm256_loadu_pd(t), _mm256_loadu_pd(t.add(4)))
            };
            let product = rounding.multiply(left, right);
            own_low = _mm256_add_epi64(own_low, product[0]);
            own_high = _mm256_add_epi64(own_high, product[1]);
        }
        let own = _mm256_add_epi64(own_low, own_high);
        let offsets = &self.fold_offsets[self.words() * (self.vectors - 1)..][..self.words()];
        let mut carry = _mm256_sub_epi64(carry, all_lanes(BIAS_CARRY));
        // Column `j` is complete: its digit.
        let mut finish = |j: usize, sum: __m256i| {
            // SAFETY: column j is below D.
            unsafe {
                let high = _mm256_loadu_si256((high as *const __m256i).add(j));
                let sum = _mm256_add_epi64(_mm256_sub_epi64(sum, own), high);
                assert_columns(sum);
                let column = _mm256_add_epi64(sum, all_lanes(offsets[j]));
                _mm256_storeu_pd((out as *mut f64).add(4 * j), digit_of(column, &mut carry));
            }
        };
        // The lowest column has no column below, whose high parts it would get.
        let mut below = own_high;
        for first in (0..self.digits).step_by(GROUP) {
            let (block, within) = (first / (4 * BLOCK) * 4 * BLOCK, first % (4 * BLOCK));
            let width = (self.words() - block).min(4 * BLOCK);
            let row = (self.fold.as_ptr() as *const f64).wrapping_add(block * self.digits + within);
            let mut sums = [below, zero, zero, zero, zero];
            // SAFETY: rows have four columns from each `first` on, zeros past D; t has D vectors.
            unsafe { multiply_four_columns(&rounding, &mut sums, t, row, 8 * width, pairs) };
            // D is even.
            finish(first, sums[0]);
            finish(first + 1, sums[1]);
            if first + 2 < self.digits {
                finish(first + 2, sums[2]);
                finish(first + 3, sums[3]);
            }
            below = sums[GROUP];
        }
    }
}
