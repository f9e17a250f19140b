//! Products and squares, in columns.

use core::arch::x86_64::*;

use super::{columns::Columns, constants::Fma50, vector::Rounding};

/// Adds the product of R digits and a vector to the classes.
///
/// # Safety
/// The processor has AVX2 and FMA; there are R digits at `x`.
#[target_feature(enable = "avx2,fma")]
#[inline]
unsafe fn multiply_group<const R: usize>(
    rounding: &Rounding,
    sums: &mut [__m256i; 5],
    x: *const f64,
    y: __m256d,
) {
    let [s0, s1, s2, s3, s4] = sums;
    // SAFETY: the caller vouches for the digits.
    let digit = |r: usize| unsafe { _mm256_broadcast_sd(&*x.add(r)) };
    rounding.multiply(digit(0), y, s0, s1);
    rounding.multiply(digit(1), y, s1, s2);
    if R == 4 {
        rounding.multiply(digit(2), y, s2, s3);
        rounding.multiply(digit(3), y, s3, s4);
    }
}

impl Fma50 {
    /// Whether the last group of digits has two digits only.
    fn last_is_half(&self) -> bool {
        self.digits % 4 == 2
    }

    /// Columns ← Σ x_i·p_i, where x_i are the digits of x in parts of `groups` groups of four, and the p_i residues, one
    /// after the other. Vectors 0 to `vectors + groups − 1` are stored.
    ///
    /// # Safety
    /// The processor has AVX2 and FMA; x is a residue, there are `count` pieces with `count·groups ≥ vectors`, and room
    /// for the columns.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    pub(super) unsafe fn convolve(
        &self,
        columns: Columns,
        x: *const u64,
        pieces: *const u64,
        count: usize,
        groups: usize,
    ) {
        let rounding = Rounding::single();
        let vectors = self.vectors;
        for v in 0..vectors + groups - 1 {
            let first = (v + 1).saturating_sub(vectors);
            let last = v.min(groups - 1);
            // The groups of part i are i·groups + first up to, and without:
            let end = |i: usize| (i * groups + last + 1).min(vectors);
            let all = (0..count).map(|i| end(i).saturating_sub(i * groups + first)).sum();
            let ends_half =
                |i: usize| self.last_is_half() && i * groups + first < vectors && end(i) == vectors;
            let mut sums = self.starts.classes(all, (0..count).any(ends_half));
            for i in 0..count {
                let whole = end(i).min(self.digits / 4);
                let vector = |group: usize| {
                    // SAFETY: the vector of part i that a group meets lies within piece i.
                    unsafe {
                        let piece = pieces.add(i * 4 * vectors);
                        _mm256_loadu_pd(piece.add(4 * (v + i * groups - group)) as *const f64)
                    }
                };
                // SAFETY: groups below D/4 are whole, the one that may follow has two digits.
                unsafe {
                    let x = x as *const f64;
                    for group in i * groups + first..whole {
                        multiply_group::<4>(&rounding, &mut sums, x.add(4 * group), vector(group));
                    }
                    if ends_half(i) {
                        let group = vectors - 1;
                        multiply_group::<2>(&rounding, &mut sums, x.add(4 * group), vector(group));
                    }
                }
            }
            // SAFETY: the caller vouches for the room.
            unsafe { columns.store(v, sums) };
        }
        // SAFETY: as above.
        unsafe { columns.close(vectors + groups - 1) };
    }

    /// Columns ← x². Vectors 0 to `2·vectors − 1` are stored.
    ///
    /// # Safety
    /// The processor has AVX2 and FMA; x is a residue, `doubled` has room for one, and there is room for the columns.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    pub(super) unsafe fn square_columns(&self, columns: Columns, x: *const u64, doubled: *mut u64) {
        let rounding = Rounding::single();
        let vectors = self.vectors;
        let x = x as *const f64;
        let doubled = doubled as *mut f64;
        // SAFETY: vectors below `vectors` lie within x.
        let vector = |v: usize| unsafe { _mm256_loadu_pd(x.add(4 * v)) };
        for v in 0..vectors {
            // SAFETY: as above.
            unsafe { _mm256_storeu_pd(doubled.add(4 * v), _mm256_add_pd(vector(v), vector(v))) };
        }
        for v in 0..2 * vectors - 1 {
            let first = (v + 1).saturating_sub(vectors);
            let middle = v.div_ceil(2);
            let half = self.last_is_half() && v == 2 * vectors - 2;
            let mut sums = self.starts.classes(v / 2 + 1 - first, half);
            // SAFETY: all groups below the last are whole; the last meets only itself.
            unsafe {
                for group in first..middle {
                    multiply_group::<4>(&rounding, &mut sums, doubled.add(4 * group), vector(v - group));
                }
                if half {
                    multiply_group::<2>(&rounding, &mut sums, x.add(4 * middle), vector(middle));
                } else if v % 2 == 0 {
                    multiply_group::<4>(&rounding, &mut sums, x.add(4 * middle), vector(middle));
                }
                columns.store(v, sums);
            }
        }
        // SAFETY: as above.
        unsafe { columns.close(2 * vectors - 1) };
    }
}
