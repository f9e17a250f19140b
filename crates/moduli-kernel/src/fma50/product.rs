//! Products and squares, in columns.
//!
//! Vectors v = 2·m and 2·m + 1 of the columns are computed together, with all their sums in registers. Class
//! r collects the low parts of digit r of each group of four, and the high parts of digit r − 1. Class 4 of a
//! vector is class 0 of the next one.

use core::arch::x86_64::*;

use super::{
    columns::Columns,
    constants::Fma50,
    parts::multiples,
    vector::{Rounding, Sums, known, starts},
};

/// A digit times a vector: adds to a class and to the one above.
///
/// In assembly, because the compiler would compute all products first and run out of registers for the sums.
macro_rules! multiply_single {
    ($rounding:expr, $sums:expr, $x:expr, $y:expr, $r:literal, $class:expr) => {{
        let [constant, both] = $rounding.constants();
        // SAFETY: reads a double and a vector where the caller says they are.
        unsafe {
            core::arch::asm!(
                "vbroadcastsd {digit}, qword ptr [{x} + 8*{r}]",
                "vmovapd {part}, {constant}",
                "vfmadd231pd {part}, {digit}, ymmword ptr [{y}]",
                "vpaddq {high}, {high}, {part}",
                "vsubpd {part}, {both}, {part}",
                "vfmadd231pd {part}, {digit}, ymmword ptr [{y}]",
                "vpaddq {low}, {low}, {part}",
                x = in(reg) $x,
                y = in(reg) $y,
                r = const $r,
                constant = in(ymm_reg) constant,
                both = in(ymm_reg) both,
                digit = out(ymm_reg) _,
                part = out(ymm_reg) _,
                low = inout(ymm_reg) $sums[$class],
                high = inout(ymm_reg) $sums[$class + 1],
                options(readonly, nostack, preserves_flags),
            );
        }
    }};
}

/// A group of four digits times a vector. `SECOND` selects the sums of the second of two vectors.
///
/// # Safety
/// The processor has AVX2 and FMA; there are four digits at `x`, and a vector at `y`.
#[target_feature(enable = "avx2,fma")]
#[inline]
unsafe fn multiply_one<const SECOND: bool>(
    rounding: &Rounding,
    sums: &mut Sums,
    x: *const f64,
    y: *const f64,
) {
    let first = if SECOND { 4 } else { 0 };
    multiply_single!(rounding, sums, x, y, 0, first);
    multiply_single!(rounding, sums, x, y, 1, first + 1);
    multiply_single!(rounding, sums, x, y, 2, first + 2);
    multiply_single!(rounding, sums, x, y, 3, first + 3);
}

/// A digit times two vectors: adds to class R of the first vector, to class R + 4 (that is, R of the second),
/// and to the classes above.
///
/// In assembly, because the compiler would compute all products first and run out of registers for the sums.
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

/// The other factor of a product, as a number of pieces.
#[derive(Clone, Copy)]
pub(super) struct Pieces {
    /// Consecutive residues.
    pub(super) words: *const u64,
    /// The groups of four digits in a part of the first factor. Each part is multiplied by one piece of the
    /// other factor.
    pub(super) groups: usize,
    /// The number of parts. The last may be shorter; pieces without a part are not used.
    pub(super) parts: usize,
}

impl Fma50 {
    /// The initial values of sums, for `first` groups of digits in the first of two vectors and `second`
    /// groups in the other.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    fn starts<const V: usize>(&self, first: usize, second: usize) -> Sums {
        // A constant if the number of vectors is known.
        if V > 0 {
            starts(multiples(first), multiples(second))
        } else {
            starts(self.multiples[first], self.multiples[second])
        }
    }

    /// Vectors 2·m and 2·m + 1 of the columns of x·y, for m from 0 to `vectors − 1`. If `V` is not 0,
    /// residues have `V` vectors, and m is `M`.
    ///
    /// # Safety
    /// The processor has AVX2 and FMA; x and y are residues, and there is room for the columns.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    pub(super) unsafe fn convolve<const V: usize, const M: usize>(
        &self,
        columns: &mut Columns,
        x: *const u64,
        y: *const u64,
        m: usize,
    ) {
        let rounding = Rounding::single();
        let vectors = known::<V>(self.vectors);
        let v = 2 * if V > 0 { M } else { m };
        let (x, y) = (x as *const f64, y as *const f64);
        // The groups of x that are multiplied by a vector of y for vector v, and for the next one.
        let (from, next_from) = ((v + 1).saturating_sub(vectors), (v + 2).saturating_sub(vectors));
        let (to, next_to) = ((v + 1).min(vectors), (v + 2).min(vectors));
        let mut sums = self.starts::<V>(to.saturating_sub(from), next_to - next_from);
        sums[0] = _mm256_add_epi64(sums[0], columns.carried);
        // SAFETY: group u of x meets vector v − u of y, which the ranges keep within it.
        unsafe {
            if from < next_from && from < to {
                multiply_one::<false>(&rounding, &mut sums, x.add(4 * from), y.add(4 * (v - from)));
            }
            for group in next_from..to {
                multiply_both(&rounding, &mut sums, x.add(4 * group), y.add(4 * (v - group)));
            }
            if to.max(next_from) < next_to {
                multiply_one::<true>(&rounding, &mut sums, x.add(4 * to), y.add(4 * (v + 1 - to)));
            }
            columns.store(v, &sums);
        }
    }

    /// Vectors 2·m and 2·m + 1 of the columns of Σ x_i·p_i, where the x_i are the parts of x and the p_i the
    /// pieces, for m from 0 on.
    ///
    /// # Safety
    /// The processor has AVX2 and FMA; x is a residue, there are pieces for all groups of it, room for the
    /// columns, and 2·m is below `vectors + groups`.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    pub(super) unsafe fn convolve_pieces(
        &self,
        columns: &mut Columns,
        x: *const u64,
        pieces: Pieces,
        m: usize,
    ) {
        let rounding = Rounding::single();
        let (vectors, v) = (self.vectors, 2 * m);
        let Pieces { groups, parts, .. } = pieces;
        let (x, pieces) = (x as *const f64, pieces.words as *const f64);
        let rest = vectors - (parts - 1) * groups;
        // The groups of a part that are multiplied by a vector of their piece for vector v, and for the next
        // one.
        let (from, next_from) = ((v + 1).saturating_sub(vectors), (v + 2).saturating_sub(vectors));
        let (to, next_to) = ((v + 1).min(groups), (v + 2).min(groups));
        let groups_to = |to: usize, from: usize| {
            (parts - 1) * to.saturating_sub(from) + to.min(rest).saturating_sub(from)
        };
        let (first, second) = (groups_to(to, from), groups_to(next_to, next_from));
        let within = |i: usize, to: usize| if i + 1 < parts { to } else { to.min(rest) };
        let mut sums = self.starts::<0>(first, second);
        sums[0] = _mm256_add_epi64(sums[0], columns.carried);
        // SAFETY: group u of part i meets vector v − u of piece i, which the ranges keep within it.
        unsafe {
            let digits = |i: usize, group: usize| x.add(4 * (i * groups + group));
            let vector = |i: usize, v: usize| pieces.add(4 * (i * vectors + v));
            if from < next_from {
                for i in (0..parts).filter(|&i| from < within(i, to)) {
                    multiply_one::<false>(&rounding, &mut sums, digits(i, from), vector(i, v - from));
                }
            }
            for i in 0..parts {
                for group in next_from..within(i, to) {
                    multiply_both(&rounding, &mut sums, digits(i, group), vector(i, v - group));
                }
            }
            for i in (0..parts).filter(|&i| within(i, to).max(next_from) < within(i, next_to)) {
                multiply_one::<true>(&rounding, &mut sums, digits(i, to), vector(i, v + 1 - to));
            }
            columns.store(v, &sums);
        }
    }

    /// `doubled` ← 2·x.
    ///
    /// # Safety
    /// The processor has AVX2; x is a residue, and `doubled` has room for one.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    pub(super) unsafe fn double<const V: usize>(&self, doubled: *mut u64, x: *const u64) {
        for v in 0..known::<V>(self.vectors) {
            // SAFETY: vectors below `vectors` lie within x and within `doubled`.
            unsafe {
                let digits = _mm256_loadu_pd(x.add(4 * v) as *const f64);
                _mm256_storeu_pd(doubled.add(4 * v) as *mut f64, _mm256_add_pd(digits, digits));
            }
        }
    }

    /// Vectors 2·m and 2·m + 1 of the columns of x², for m from 0 to `vectors − 1`. If `V` is not 0, residues
    /// have `V` vectors, and m is `M`.
    ///
    /// # Safety
    /// The processor has AVX2 and FMA; x is a residue, `doubled` twice that, and there is room for the
    /// columns.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    pub(super) unsafe fn square_columns<const V: usize, const M: usize>(
        &self,
        columns: &mut Columns,
        x: *const u64,
        doubled: *const u64,
        m: usize,
    ) {
        let rounding = Rounding::single();
        let (vectors, middle) = (known::<V>(self.vectors), if V > 0 { M } else { m });
        let (x, doubled) = (x as *const f64, doubled as *const f64);
        let v = 2 * middle;
        let (from, next_from) = ((v + 1).saturating_sub(vectors), (v + 2).saturating_sub(vectors));
        let mut sums = self.starts::<V>(middle + 1 - from, middle + 1 - next_from);
        sums[0] = _mm256_add_epi64(sums[0], columns.carried);
        // SAFETY: group u meets vector v − u, which the ranges keep above u and within x.
        unsafe {
            let vector = |v: usize| x.add(4 * v);
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
    }
}
