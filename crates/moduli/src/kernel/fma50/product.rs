//! Products and squares, in columns.
//!
//! Vectors v = 2·m and 2·m + 1 of the columns are worked off together, with all their sums in registers: class r collects
//! digit r of each group of four, low parts, and the high parts of digit r − 1. Class 4 of a vector is class 0 of the next.

use core::arch::x86_64::*;

use super::{columns::Columns, constants::Fma50, vector::Rounding};

/// The sums of two vectors: classes 0 to 3 of the first, 0 to 3 of the second, and 0 of the one that follows.
pub(super) type Sums = [__m256i; 9];

/// A group of four digits times a vector; the sums of the first of two vectors, or those of the second.
///
/// # Safety
/// The processor has AVX2 and FMA; there are four digits at `x`.
#[target_feature(enable = "avx2,fma")]
#[inline]
unsafe fn multiply_one<const SECOND: bool>(rounding: &Rounding, sums: &mut Sums, x: *const f64, y: __m256d) {
    for r in 0..4 {
        // SAFETY: the caller vouches for the digits.
        let digit = unsafe { _mm256_broadcast_sd(&*x.add(r)) };
        let class = if SECOND { r + 4 } else { r };
        let [low, high] = rounding.multiply(digit, y);
        sums[class] = _mm256_add_epi64(sums[class], low);
        sums[class + 1] = _mm256_add_epi64(sums[class + 1], high);
    }
}

/// A digit times two vectors: class R of the first and R + 4, class 0 of the second, and those above.
///
/// In assembly, because the compiler would take all products first and run out of registers for the sums.
macro_rules! multiply_digit {
    ($rounding:expr, $sums:expr, $x:expr, $y:expr, $r:literal) => {{
        let [constant, both] = $rounding.constants();
        // SAFETY: reads a double and two vectors where the caller says they are.
        unsafe {
            core::arch::asm!(
                "vbroadcastsd {digit}, qword ptr [{x} + 8*{r}]",
                "vmovapd {first}, {constant}",
                "vfmadd231pd {first}, {digit}, ymmword ptr [{y}]",
                "vmovapd {second}, {constant}",
                "vfmadd231pd {second}, {digit}, ymmword ptr [{y} + 32]",
                "vpaddq {high}, {high}, {first}",
                "vsubpd {first}, {both}, {first}",
                "vfmadd231pd {first}, {digit}, ymmword ptr [{y}]",
                "vpaddq {next_high}, {next_high}, {second}",
                "vsubpd {second}, {both}, {second}",
                "vfmadd231pd {second}, {digit}, ymmword ptr [{y} + 32]",
                "vpaddq {low}, {low}, {first}",
                "vpaddq {next_low}, {next_low}, {second}",
                x = in(reg) $x,
                y = in(reg) $y,
                r = const $r,
                constant = in(ymm_reg) constant,
                both = in(ymm_reg) both,
                digit = out(ymm_reg) _,
                first = out(ymm_reg) _,
                second = out(ymm_reg) _,
                low = inout(ymm_reg) $sums[$r],
                high = inout(ymm_reg) $sums[$r + 1],
                next_low = inout(ymm_reg) $sums[$r + 4],
                next_high = inout(ymm_reg) $sums[$r + 5],
                options(readonly, nostack, preserves_flags),
            );
        }
    }};
}

/// A group of four digits times two vectors.
///
/// # Safety
/// The processor has AVX2 and FMA; there are four digits at `x`, a vector at `y` and one above it.
#[target_feature(enable = "avx2,fma")]
#[inline]
unsafe fn multiply_both(rounding: &Rounding, sums: &mut Sums, x: *const f64, y: *const f64) {
    multiply_digit!(rounding, sums, x, y, 0);
    multiply_digit!(rounding, sums, x, y, 1);
    multiply_digit!(rounding, sums, x, y, 2);
    multiply_digit!(rounding, sums, x, y, 3);
}

impl Fma50 {
    /// Columns ← Σ x_i·p_i, where x_i are the digits of x in parts of `groups` groups of four, and the p_i residues, one
    /// after the other. Without `SPLIT` there is but one piece. Vectors 0 to `vectors + groups − 1` are stored.
    ///
    /// # Safety
    /// The processor has AVX2 and FMA; x is a residue, there are pieces for all groups of it, and room for the columns.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    pub(super) unsafe fn convolve<const SPLIT: bool>(
        &self,
        mut columns: Columns,
        x: *const u64,
        pieces: *const u64,
        groups: usize,
    ) {
        let rounding = Rounding::single();
        let vectors = self.vectors;
        let groups = if SPLIT { groups } else { vectors };
        let (x, pieces) = (x as *const f64, pieces as *const f64);
        // The last part may be shorter, and pieces beyond it meet nothing.
        let parts = if SPLIT { vectors.div_ceil(groups) } else { 1 };
        let rest = vectors - (parts - 1) * groups;
        let mut carried = _mm256_setzero_si256();
        for v in (0..vectors + groups).step_by(2) {
            // Groups of a part that meet a vector of their piece in vector v, and in the next one.
            let (from, next_from) = ((v + 1).saturating_sub(vectors), (v + 2).saturating_sub(vectors));
            let (to, next_to) = ((v + 1).min(groups), (v + 2).min(groups));
            let groups_to = |to: usize, from: usize| {
                (parts - 1) * to.saturating_sub(from) + to.min(rest).saturating_sub(from)
            };
            let (first, second) = (groups_to(to, from), groups_to(next_to, next_from));
            let within = |i: usize, to: usize| if i + 1 < parts { to } else { to.min(rest) };
            let mut sums = self.starts.sums(first, second);
            sums[0] = _mm256_add_epi64(sums[0], carried);
            // SAFETY: group u of part i meets vector v − u of piece i, which the ranges keep within it.
            unsafe {
                let digits = |i: usize, group: usize| x.add(4 * (i * groups + group));
                let vector = |i: usize, v: usize| pieces.add(4 * (i * vectors + v));
                if from < next_from {
                    for i in (0..parts).filter(|&i| from < within(i, to)) {
                        let y = _mm256_loadu_pd(vector(i, v - from));
                        multiply_one::<false>(&rounding, &mut sums, digits(i, from), y);
                    }
                }
                for i in 0..parts {
                    for group in next_from..within(i, to) {
                        multiply_both(&rounding, &mut sums, digits(i, group), vector(i, v - group));
                    }
                }
                for i in (0..parts).filter(|&i| within(i, to).max(next_from) < within(i, next_to)) {
                    let y = _mm256_loadu_pd(vector(i, v + 1 - to));
                    multiply_one::<true>(&rounding, &mut sums, digits(i, to), y);
                }
            }
            // SAFETY: the caller vouches for the room.
            unsafe { columns.store(v, &sums) };
            carried = sums[8];
        }
    }

    /// Columns ← x². Vectors 0 to `2·vectors − 1` are stored.
    ///
    /// # Safety
    /// The processor has AVX2 and FMA; x is a residue, `doubled` has room for one, and there is room for the columns.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    pub(super) unsafe fn square_columns(&self, mut columns: Columns, x: *const u64, doubled: *mut u64) {
        let rounding = Rounding::single();
        let vectors = self.vectors;
        let (x, doubled) = (x as *const f64, doubled as *mut f64);
        // SAFETY: vectors below `vectors` lie within x.
        let vector = |v: usize| unsafe { _mm256_loadu_pd(x.add(4 * v)) };
        for v in 0..vectors {
            // SAFETY: as above.
            unsafe { _mm256_storeu_pd(doubled.add(4 * v), _mm256_add_pd(vector(v), vector(v))) };
        }
        let mut carried = _mm256_setzero_si256();
        for middle in 0..vectors {
            let v = 2 * middle;
            let (from, next_from) = ((v + 1).saturating_sub(vectors), (v + 2).saturating_sub(vectors));
            let mut sums = self.starts.sums(middle + 1 - from, middle + 1 - next_from);
            sums[0] = _mm256_add_epi64(sums[0], carried);
            // SAFETY: group u meets vector v − u, which the ranges keep above u and within x.
            unsafe {
                if from < next_from && from < middle {
                    multiply_one::<false>(&rounding, &mut sums, doubled.add(4 * from), vector(vectors - 1));
                }
                for group in next_from..middle {
                    multiply_both(&rounding, &mut sums, doubled.add(4 * group), x.add(4 * (v - group)));
                }
                multiply_one::<false>(&rounding, &mut sums, x.add(4 * middle), vector(middle));
                if middle + 1 < vectors {
                    multiply_one::<true>(&rounding, &mut sums, doubled.add(4 * middle), vector(middle + 1));
                }
                columns.store(v, &sums);
            }
            carried = sums[8];
        }
    }
}
