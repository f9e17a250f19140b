//! Products of rows whose sums fit the registers: 12, 16, 20 or 24 digits, one after the other.
//!
//! Digit i of x is multiplied by all of b, then the lowest column of the sum is taken away and the sum moves down by it: column i + j
//! stands in `columns[j]`. What is taken away is the quotient digit itself, by the multiple M₁ ≡ −1 (mod 2^52) of N, of which `step` is
//! the rest, (M₁ + 1)/2^52; but the last one is −t/N mod 2^52 and is taken by N. Multiples of M₁ below 2^(52·(D−1))·M₁ < R·N and one of N
//! below R·N are added, and R is divided out: factors below 12N give a result below 144N²/R + 2N < 3N.
//!
//! In a square digit i is multiplied by itself and by twice the digits above it: those are doubled once, as a number. Twice digit
//! i + 1 is taken by itself, without what digit i carries into it.

use core::arch::{asm, x86_64::*};

use super::{
    super::{
        digits::DIGIT,
        in_order::{zmm_high, zmm_low},
    },
    look::Look,
};

/// One modulus, digit by digit in words.
#[derive(Clone, Copy)]
pub(super) struct Modulus<'a> {
    pub(super) step: &'a [u64],
    pub(super) modulus: &'a [u64],
    /// −1/N mod 2^52.
    pub(super) inverse: u64,
}

/// The code for rows of one length. The processor has AVX-512 IFMA; `x`, `b` and `doubled` have so many vectors, the modulus so many
/// words.
pub(super) struct Operations {
    /// `x` ← `x·b`.
    pub(super) multiply: unsafe fn(x: *mut __m512i, b: *const __m512i, modulus: Modulus<'_>),
    /// `x` ← `x²`; `doubled` is room for twice x.
    pub(super) square: unsafe fn(x: *mut __m512i, doubled: *mut __m512i, modulus: Modulus<'_>),
    /// The same, and a part of a look-up.
    pub(super) square_and_look:
        unsafe fn(x: *mut __m512i, doubled: *mut __m512i, modulus: Modulus<'_>, look: &Look),
}

/// Adds products with a digit to columns, `$lower` for low and `$upper` for high halves: column j of factor j. In assembly for its order:
/// a compiler puts the products of one column one after the other, where each waits for the one before. Each factor is loaded
/// once: where a core multiplies twice a cycle, as many loads are all it has.
macro_rules! add_products {
    ($columns:ident, $digit:expr, $factor:expr, $load:literal, $kind:literal, $words:literal, [$($j:literal $lower:ident $upper:ident)*] $first:ident $at:literal) => {{
        let _other: __m512i;
        asm!(
            $(
                concat!($load, " {other}, ", $kind, " ptr [{factor} + ", $words, "*", $j, "]"),
                concat!("vpmadd52luq {", stringify!($lower), "}, {digit}, {other}"),
                concat!("vpmadd52huq {", stringify!($upper), "}, {digit}, {other}"),
            )*
            $first = inout(zmm_reg) $columns[$at],
            $($upper = inout(zmm_reg) $columns[$j + 1],)*
            digit = in(zmm_reg) $digit,
            factor = in(reg) $factor,
            other = out(zmm_reg) _other,
            options(readonly, nostack, preserves_flags),
        );
    }};
}

/// Takes the lowest column away by the multiple of which `$factor` has the rest.
macro_rules! take_lowest {
    ($columns:ident, $factor:expr, [$($j:literal $lower:ident $upper:ident)*]) => {{
        let quotient = $columns[0];
        $($columns[$j] = $columns[$j + 1];)*
        $columns[$columns.len() - 1] = _mm512_setzero_si512();
        $columns[0] = _mm512_add_epi64($columns[0], _mm512_srli_epi64::<52>(quotient));
        add_products!($columns, quotient, $factor, "vpbroadcastq", "qword", 8, [$($j $lower $upper)*] c0 0);
    }};
}

/// Adds the products of digit `$j` of x with itself and those above it, takes the lowest column away, and goes on with the next digit.
macro_rules! square_from {
    ($columns:ident, $x:ident, $doubled:ident, $step:ident, $look:ident, $all:tt, [$j:literal $lower:ident $upper:ident] [$k:literal $l:ident $u:ident]) => {{
        square_from!(@ $columns, $x, $j, $k);
        $look($j);
        take_lowest!($columns, $step, $all);
        $look($k);
        let digit = _mm512_loadu_si512($x.add($k));
        zmm_low(&mut $columns[$k], &digit, &digit);
        zmm_high(&mut $columns[$k + 1], &digit, &digit);
    }};
    ($columns:ident, $x:ident, $doubled:ident, $step:ident, $look:ident, $all:tt,
     [$j:literal $lower:ident $upper:ident] [$k:literal $l:ident $u:ident] [$m:literal $first:ident $next:ident] $($rest:tt)*) => {{
        let digit = square_from!(@ $columns, $x, $j, $k);
        square_from!(@ $columns, digit, $doubled, [$m $first $next] $($rest)*);
        $look($j);
        take_lowest!($columns, $step, $all);
        square_from!($columns, $x, $doubled, $step, $look, $all, [$k $l $u] [$m $first $next] $($rest)*);
    }};
    (@ $columns:ident, $x:ident, $j:literal, $k:literal) => {{
        let digit = _mm512_loadu_si512($x.add($j));
        let above = _mm512_loadu_si512($x.add($k));
        let above = _mm512_add_epi64(above, above);
        zmm_low(&mut $columns[$j], &digit, &digit);
        zmm_low(&mut $columns[$k], &digit, &above);
        zmm_high(&mut $columns[$j + 1], &digit, &digit);
        zmm_high(&mut $columns[$k + 1], &digit, &above);
        digit
    }};
    (@ $columns:ident, $digit:ident, $doubled:ident, [$m:literal $first:ident $next:ident] $([$j:literal $lower:ident $upper:ident])*) => {
        add_products!($columns, $digit, $doubled, "vmovdqu64", "zmmword", 64, [$m $first $next $($j $lower $upper)*] $first $m)
    };
}

/// The code for one length.
macro_rules! operations {
    ($digits:literal, $([$j:literal $lower:ident $upper:ident])*) => {{
        const LAST: usize = $digits - 1;

        /// Takes the lowest column away by N, and stores the digits.
        #[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
        #[inline]
        unsafe fn finish(out: *mut __m512i, mut columns: [__m512i; $digits + 1], modulus: Modulus<'_>) {
            let mut quotient = _mm512_setzero_si512();
            zmm_low(&mut quotient, &columns[0], &_mm512_set1_epi64(modulus.inverse as i64));
            let n = modulus.modulus.as_ptr();
            // SAFETY: the caller guarantees the instructions, words and vectors.
            unsafe {
                add_products!(columns, quotient, n, "vpbroadcastq", "qword", 8, [$($j $lower $upper)*] c0 0);
                let mut carry = _mm512_srli_epi64::<52>(columns[0]);
                for (j, &column) in columns[1..].iter().enumerate() {
                    let sum = _mm512_add_epi64(column, carry);
                    _mm512_storeu_si512(out.add(j), _mm512_and_si512(sum, _mm512_set1_epi64(DIGIT as i64)));
                    carry = _mm512_srli_epi64::<52>(sum);
                }
            }
        }

        #[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
        unsafe fn multiply(x: *mut __m512i, b: *const __m512i, modulus: Modulus<'_>) {
            let step = modulus.step.as_ptr();
            let mut columns = [_mm512_setzero_si512(); $digits + 1];
            // SAFETY: the caller guarantees the instructions, words and vectors.
            unsafe {
                for i in 0..LAST {
                    let digit = _mm512_loadu_si512(x.add(i));
                    add_products!(columns, digit, b, "vmovdqu64", "zmmword", 64, [$($j $lower $upper)*] c0 0);
                    take_lowest!(columns, step, [$($j $lower $upper)*]);
                }
                let digit = _mm512_loadu_si512(x.add(LAST));
                add_products!(columns, digit, b, "vmovdqu64", "zmmword", 64, [$($j $lower $upper)*] c0 0);
                finish(x, columns, modulus);
            }
        }

        /// Calls `look` once for each digit.
        #[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
        #[inline]
        unsafe fn square_with(x: *mut __m512i, doubled: *mut __m512i, modulus: Modulus<'_>, look: impl Fn(usize)) {
            let step = modulus.step.as_ptr();
            // SAFETY: the caller guarantees the instructions, words and vectors.
            unsafe {
                let mut below = _mm512_loadu_si512(x.add(1));
                for j in 2..$digits {
                    let digit = _mm512_loadu_si512(x.add(j));
                    let carried = _mm512_srli_epi64::<51>(below);
                    _mm512_storeu_si512(doubled.add(j), _mm512_add_epi64(_mm512_add_epi64(digit, digit), carried));
                    below = digit;
                }
                let mut columns = [_mm512_setzero_si512(); $digits + 1];
                square_from!(columns, x, doubled, step, look, [$($j $lower $upper)*], $([$j $lower $upper])*);
                finish(x, columns, modulus);
            }
        }

        #[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
        unsafe fn square(x: *mut __m512i, doubled: *mut __m512i, modulus: Modulus<'_>) {
            // SAFETY: as the caller guarantees.
            unsafe { square_with(x, doubled, modulus, |_| {}) }
        }

        #[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
        unsafe fn square_and_look(x: *mut __m512i, doubled: *mut __m512i, modulus: Modulus<'_>, look: &Look) {
            let masks = look.masks();
            // SAFETY: the caller guarantees rows of so many vectors.
            let look = |j: usize| unsafe { look.take(&masks, $digits, (j, 1)) };
            // SAFETY: as the caller guarantees.
            unsafe { square_with(x, doubled, modulus, look) }
        }

        static OPERATIONS: Operations = Operations { multiply, square, square_and_look };
        &OPERATIONS
    }};
}

/// The code for rows of so many digits; none if their sums do not fit the registers, or if they are too short to be worth it.
pub(super) fn operations(digits: usize) -> Option<&'static Operations> {
    Some(match digits {
        12 => {
            operations!(12, [0 c0 c1] [1 c1 c2] [2 c2 c3] [3 c3 c4] [4 c4 c5] [5 c5 c6] [6 c6 c7] [7 c7 c8] [8 c8 c9] [9 c9 c10]
            [10 c10 c11] [11 c11 c12])
        }
        16 => {
            operations!(16, [0 c0 c1] [1 c1 c2] [2 c2 c3] [3 c3 c4] [4 c4 c5] [5 c5 c6] [6 c6 c7] [7 c7 c8] [8 c8 c9] [9 c9 c10]
            [10 c10 c11] [11 c11 c12] [12 c12 c13] [13 c13 c14] [14 c14 c15] [15 c15 c16])
        }
        20 => {
            operations!(20, [0 c0 c1] [1 c1 c2] [2 c2 c3] [3 c3 c4] [4 c4 c5] [5 c5 c6] [6 c6 c7] [7 c7 c8] [8 c8 c9] [9 c9 c10]
            [10 c10 c11] [11 c11 c12] [12 c12 c13] [13 c13 c14] [14 c14 c15] [15 c15 c16] [16 c16 c17] [17 c17 c18] [18 c18 c19]
            [19 c19 c20])
        }
        24 => {
            operations!(24, [0 c0 c1] [1 c1 c2] [2 c2 c3] [3 c3 c4] [4 c4 c5] [5 c5 c6] [6 c6 c7] [7 c7 c8] [8 c8 c9] [9 c9 c10]
            [10 c10 c11] [11 c11 c12] [12 c12 c13] [13 c13 c14] [14 c14 c15] [15 c15 c16] [16 c16 c17] [17 c17 c18] [18 c18 c19]
            [19 c19 c20] [20 c20 c21] [21 c21 c22] [22 c22 c23] [23 c23 c24])
        }
        _ => return None,
    })
}
