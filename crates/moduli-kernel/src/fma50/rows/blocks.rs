//! The loops of products of rows, in assembly so that their sums stay in registers.

use core::arch::x86_64::*;

use crate::fma50::vector::Rounding;

/// The number of columns of the reduction that are summed together.
pub(super) const GROUP: usize = 4;

/// Adds `count` blocks of two digits by two: low parts to `low`, for columns c, c + 1 and c + 2, and high
/// parts to `high`, for columns c + 1, c + 2 and c + 3. From block to block, the digits at `x` move up and
/// those at `y` down.
///
/// # Safety
/// The processor has AVX2 and FMA; `count` is not 0, and both factors have so many pairs of vectors from
/// there.
#[target_feature(enable = "avx2,fma")]
#[inline]
pub(super) unsafe fn multiply_blocks(
    rounding: &Rounding,
    low: &mut [__m256i; 3],
    high: &mut [__m256i; 3],
    x: *const __m256d,
    y: *const __m256d,
    count: usize,
) {
    let [constant, both] = rounding.constants();
    // SAFETY: reads the vectors that the caller guarantees.
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

/// Two columns of a pair of rows of the matrix: the digits of both rows at `$first` and at `$second`.
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
/// `row` points to the columns in the first row; rows are `stride` bytes apart.
///
/// # Safety
/// The processor has AVX2 and FMA; `pairs` is not 0, `x` has so many pairs of vectors and `row` so many pairs
/// of rows.
#[target_feature(enable = "avx2,fma")]
#[inline]
pub(super) unsafe fn multiply_four_columns(
    rounding: &Rounding,
    sums: &mut [__m256i; GROUP + 1],
    x: *const __m256d,
    row: *const f64,
    stride: usize,
    pairs: usize,
) {
    let [constant, both] = rounding.constants();
    // SAFETY: reads the vectors and the rows that the caller guarantees.
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
