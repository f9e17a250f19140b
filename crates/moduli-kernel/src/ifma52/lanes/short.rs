//! Products of rows whose sums fit the registers: 12, 16, 20 or 24 digits, one after the other.
//!
//! Digit i of x is multiplied by all of b, then the lowest column of the sum is taken away and the sum moves
//! down by it: column i + j stands in `columns[j]`. What is taken away is the quotient digit itself, by the
//! multiple M₁ ≡ −1 (mod 2^52) of N, of which `step` is the rest, (M₁ + 1)/2^52; but the last one is −t/N mod
//! 2^52 and is taken by N. Multiples of M₁ below 2^(52·(D−1))·M₁ < R·N and one of N below R·N are added, and
//! R is divided out: factors below 12N give a result below 144N²/R + 2N < 3N.
//!
//! In a square, digit i is multiplied by itself, and its double by the digits above it. Above 52 bits the
//! double is cut off: what digit i − 1 lost there is added to the double of digit i, and once more times
//! digit i itself.

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

/// The code for rows of one length. The processor has AVX-512 IFMA; `x` and `b` have so many vectors, the
/// modulus so many words.
pub(super) struct Operations {
    /// `x` ← `x·b`.
    pub(super) multiply: unsafe fn(x: *mut __m512i, b: *const __m512i, modulus: Modulus<'_>),
    /// `x` ← `x²`.
    pub(super) square: unsafe fn(x: *mut __m512i, modulus: Modulus<'_>),
    /// The same, and a part of a look-up.
    pub(super) square_and_look: unsafe fn(x: *mut __m512i, modulus: Modulus<'_>, look: &Look),
}

/// Adds products with a digit to columns, `$lower` for low and `$upper` for high halves: column j of factor
/// j. In assembly for its order: a compiler puts the products of one column one after the other, where each
/// waits for the one before. Each factor is loaded once: where a core multiplies twice a cycle, as many loads
/// are all it has.
///
/// The first form takes four factors at a time, which keeps products of one column apart, and the
/// instructions of `$beside` after the last product of each column. The second form takes any number of
/// factors.
macro_rules! add_products {
    ($columns:ident, $digit:expr, $load:literal [$factor:expr], $words:literal,
     [$($j0:tt $l0:ident $u0:ident $j1:tt $l1:ident $u1:ident $j2:tt $l2:ident $u2:ident $j3:tt $l3:ident $u3:ident)*]
     $beside:ident, $($operands:tt)*) => {{
        let (_o0, _o1, _o2, _o3): (__m512i, __m512i, __m512i, __m512i);
        asm!(
            $(
                concat!($load, " {o0}, [{factor} + ", $words, "*", $j0, "]"),
                concat!($load, " {o1}, [{factor} + ", $words, "*", $j1, "]"),
                concat!($load, " {o2}, [{factor} + ", $words, "*", $j2, "]"),
                concat!($load, " {o3}, [{factor} + ", $words, "*", $j3, "]"),
                concat!("vpmadd52luq {", stringify!($l0), "}, {digit}, {o0}"),
                concat!("vpmadd52luq {", stringify!($l1), "}, {digit}, {o1}"),
                concat!("vpmadd52luq {", stringify!($l2), "}, {digit}, {o2}"),
                concat!("vpmadd52luq {", stringify!($l3), "}, {digit}, {o3}"),
                concat!("vpmadd52huq {", stringify!($u0), "}, {digit}, {o0}"),
                $beside!($j0 $l0),
                concat!("vpmadd52huq {", stringify!($u1), "}, {digit}, {o1}"),
                $beside!($j1 $l1),
                concat!("vpmadd52huq {", stringify!($u2), "}, {digit}, {o2}"),
                $beside!($j2 $l2),
                concat!("vpmadd52huq {", stringify!($u3), "}, {digit}, {o3}"),
                $beside!($j3 $l3),
            )*
            c0 = inout(zmm_reg) $columns[0],
            $(
                $u0 = inout(zmm_reg) $columns[$j0 + 1],
                $u1 = inout(zmm_reg) $columns[$j1 + 1],
                $u2 = inout(zmm_reg) $columns[$j2 + 1],
                $u3 = inout(zmm_reg) $columns[$j3 + 1],
            )*
            digit = in(zmm_reg) $digit,
            factor = in(reg) $factor,
            o0 = out(zmm_reg) _o0,
            o1 = out(zmm_reg) _o1,
            o2 = out(zmm_reg) _o2,
            o3 = out(zmm_reg) _o3,
            $($operands)*
            options(nostack, preserves_flags),
        );
    }};
    ($columns:ident, $digit:expr, $factor:expr, [$($j:tt $lower:ident $upper:ident)*] $first:ident $at:tt) => {{
        let _other: __m512i;
        asm!(
            $(
                concat!("vmovdqu64 {other}, [{factor} + 64*", $j, "]"),
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

/// Nothing beside the products of a column.
macro_rules! nothing_beside {
    ($j:tt $column:ident) => {
        ""
    };
}

/// Moves the sum down by a column, whose carry is added to the next one, and returns it: a digit of the
/// quotient.
macro_rules! move_down {
    ($columns:ident, [$($j:tt $lower:ident $upper:ident)*]) => {{
        let quotient = $columns[0];
        $($columns[$j] = $columns[$j + 1];)*
        $columns[$columns.len() - 1] = _mm512_setzero_si512();
        $columns[0] = _mm512_add_epi64($columns[0], _mm512_srli_epi64::<52>(quotient));
        quotient
    }};
}

/// The instructions of a look-up for one vector, a few after each of the first eight pairs of products.
/// Entries are read without a mask, as [`Look::take`] reads them.
macro_rules! look_beside {
    (0 $column:ident) => {
        "vmovdqu64 {found}, [{out} + {at}]\n vmovdqu64 {entry}, [{entries} + {at}]"
    };
    (1 $column:ident) => {
        "vpblendmq {found} {{{k0}}}, {found}, {entry}\n vmovdqu64 {entry}, [{entries} + {e1}]"
    };
    (2 $column:ident) => {
        "vpblendmq {found} {{{k1}}}, {found}, {entry}\n vmovdqu64 {entry}, [{entries} + {e2}]"
    };
    (3 $column:ident) => {
        "vpblendmq {found} {{{k2}}}, {found}, {entry}\n vmovdqu64 {entry}, [{entries} + {e3}]"
    };
    (4 $column:ident) => {
        "vpblendmq {found} {{{k3}}}, {found}, {entry}\n vmovdqu64 {entry}, [{entries} + {e4}]"
    };
    (5 $column:ident) => {
        "vpblendmq {found} {{{k4}}}, {found}, {entry}\n vmovdqu64 {entry}, [{entries} + {e5}]"
    };
    (6 $column:ident) => {
        "vpblendmq {found} {{{k5}}}, {found}, {entry}\n vmovdqu64 {entry}, [{entries} + {e6}]"
    };
    (7 $column:ident) => {
        "vpblendmq {found} {{{k6}}}, {found}, {entry}\n vmovdqu64 [{out} + {at}], {found}"
    };
    ($j:tt $column:ident) => {
        ""
    };
}

/// Takes the lowest column away by the multiple of which `$factor` has the rest. With a look-up, vector
/// `$vector` of rows of `$length` is looked at meanwhile.
macro_rules! take_lowest {
    ($columns:ident, $factor:expr, $all:tt, none, $($vector:tt of $length:tt)?) => {{
        let quotient = move_down!($columns, $all);
        add_products!($columns, quotient, "vpbroadcastq" [$factor], 8, $all nothing_beside,);
    }};
    ($columns:ident, $factor:expr, $all:tt, ($look:ident $masks:ident), $vector:tt of $length:tt) => {{
        const ROW: usize = size_of::<__m512i>() * $length;
        const AT: usize = size_of::<__m512i>() * $vector;
        let quotient = move_down!($columns, $all);
        let (_found, _entry): (__m512i, __m512i);
        add_products!($columns, quotient, "vpbroadcastq" [$factor], 8, $all look_beside,
            out = in(reg) $look.out,
            entries = in(reg) $look.entries,
            at = const AT,
            e1 = const AT + ROW,
            e2 = const AT + 2 * ROW,
            e3 = const AT + 3 * ROW,
            e4 = const AT + 4 * ROW,
            e5 = const AT + 5 * ROW,
            e6 = const AT + 6 * ROW,
            k0 = in(kreg) $masks[0],
            k1 = in(kreg) $masks[1],
            k2 = in(kreg) $masks[2],
            k3 = in(kreg) $masks[3],
            k4 = in(kreg) $masks[4],
            k5 = in(kreg) $masks[5],
            k6 = in(kreg) $masks[6],
            found = out(zmm_reg) _found,
            entry = out(zmm_reg) _entry,
        );
    }};
}

/// Looks at the last vector of rows, by itself.
macro_rules! look_at_last {
    (none, $vector:tt of $length:tt) => {};
    (($look:ident $masks:ident), $vector:tt of $length:tt) => {
        $look.take(&$masks, $length, ($vector, 1))
    };
}

/// Adds the products of digit `$j` of x with itself and those above it, takes the lowest column away, and
/// goes on with the next digit.
macro_rules! square_from {
    ($columns:ident, $x:ident, $step:ident, $look:tt, $length:tt, $all:tt, [$j:tt $lower:ident $upper:ident]) => {{
        look_at_last!($look, $j of $length);
        square_digit!($columns, $x, $j);
    }};
    ($columns:ident, $x:ident, $step:ident, $look:tt, $length:tt, $all:tt,
     [$j:tt $lower:ident $upper:ident] [$k:tt $first:ident $next:ident] $([$rest:tt $l:ident $u:ident])*) => {{
        let twice = square_digit!($columns, $x, $j);
        add_products!($columns, twice, $x, [$k $first $next $($rest $l $u)*] $first $k);
        take_lowest!($columns, $step, $all, $look, $j of $length);
        square_from!($columns, $x, $step, $look, $length, $all, [$k $first $next] $([$rest $l $u])*);
    }};
}

/// Adds the square of a digit, and the digit once more if the one below carries into twice the digit, which
/// is returned.
macro_rules! square_digit {
    ($columns:ident, $x:ident, 0) => {{
        let digit = _mm512_loadu_si512($x);
        square_digit!(@ $columns, digit, 0);
        _mm512_add_epi64(digit, digit)
    }};
    ($columns:ident, $x:ident, $j:tt) => {{
        let digit = _mm512_loadu_si512($x.add($j));
        let carried = _mm512_srli_epi64::<51>(_mm512_loadu_si512($x.add($j - 1)));
        let once_more = _mm512_and_si512(digit, _mm512_sub_epi64(_mm512_setzero_si512(), carried));
        $columns[$j] = _mm512_add_epi64($columns[$j], once_more);
        square_digit!(@ $columns, digit, $j);
        _mm512_add_epi64(_mm512_add_epi64(digit, digit), carried)
    }};
    (@ $columns:ident, $digit:ident, $j:tt) => {{
        zmm_low(&mut $columns[$j], &$digit, &$digit);
        zmm_high(&mut $columns[$j + 1], &$digit, &$digit);
    }};
}

/// Squares x.
macro_rules! square {
    ($digits:tt, $x:ident, $modulus:ident, $look:tt, [$($j:tt $lower:ident $upper:ident)*]) => {{
        let step = $modulus.step.as_ptr();
        let mut columns = [_mm512_setzero_si512(); $digits + 1];
        square_from!(columns, $x, step, $look, $digits, [$($j $lower $upper)*], $([$j $lower $upper])*);
        finish($x, columns, $modulus);
    }};
}

/// The instructions that make a column a digit, in c0, and store it, when its last product is in it; of
/// column 0 only the carry is left.
macro_rules! digit_beside {
    (0 $column:ident) => {
        concat!("vpsrlq {carry}, {", stringify!($column), "}, 52")
    };
    ($j:tt $column:ident) => {
        concat!(
            "vpaddq {c0}, {carry}, {",
            stringify!($column),
            "}\n",
            "vpsrlq {carry}, {c0}, 52\n",
            "vpandq {c0}, {c0}, {mask}\n",
            "vmovdqu64 [{out} + 64*(",
            $j,
            " - 1)], {c0}",
        )
    };
}

/// Takes the lowest column away by N, and stores the digits. What is carried goes from column to column while
/// the next products are made.
macro_rules! finish {
    ($out:ident, $columns:ident, $modulus:ident, $all:tt) => {{
        let mut quotient = _mm512_setzero_si512();
        zmm_low(&mut quotient, &$columns[0], &_mm512_set1_epi64($modulus.inverse as i64));
        let mask = _mm512_set1_epi64(DIGIT as i64);
        let carry: __m512i;
        add_products!($columns, quotient, "vpbroadcastq" [$modulus.modulus.as_ptr()], 8, $all digit_beside,
            mask = in(zmm_reg) mask,
            out = in(reg) $out,
            carry = out(zmm_reg) carry,
        );
        let last = $columns.len() - 1;
        let sum = _mm512_add_epi64($columns[last], carry);
        _mm512_storeu_si512($out.add(last - 1), _mm512_and_si512(sum, mask));
    }};
}

/// The code for one length.
macro_rules! operations {
    ($digits:tt, $([$j:tt $lower:ident $upper:ident])*) => {{
        const LAST: usize = $digits - 1;

        #[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
        #[inline]
        unsafe fn finish(out: *mut __m512i, mut columns: [__m512i; $digits + 1], modulus: Modulus<'_>) {
            // SAFETY: the caller guarantees the instructions, words and vectors.
            unsafe { finish!(out, columns, modulus, [$($j $lower $upper)*]) }
        }

        #[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
        unsafe fn multiply(x: *mut __m512i, b: *const __m512i, modulus: Modulus<'_>) {
            let step = modulus.step.as_ptr();
            let mut columns = [_mm512_setzero_si512(); $digits + 1];
            // SAFETY: the caller guarantees the instructions, words and vectors.
            unsafe {
                for i in 0..LAST {
                    let digit = _mm512_loadu_si512(x.add(i));
                    add_products!(columns, digit, "vmovdqu64" [b], 64, [$($j $lower $upper)*] nothing_beside,);
                    take_lowest!(columns, step, [$($j $lower $upper)*], none,);
                }
                let digit = _mm512_loadu_si512(x.add(LAST));
                add_products!(columns, digit, "vmovdqu64" [b], 64, [$($j $lower $upper)*] nothing_beside,);
                finish(x, columns, modulus);
            }
        }

        #[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
        unsafe fn square(x: *mut __m512i, modulus: Modulus<'_>) {
            // SAFETY: the caller guarantees the instructions, words and vectors.
            unsafe { square!($digits, x, modulus, none, [$($j $lower $upper)*]) }
        }

        #[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
        unsafe fn square_and_look(x: *mut __m512i, modulus: Modulus<'_>, look: &Look) {
            let masks = look.masks();
            // SAFETY: the caller guarantees the instructions, words and vectors, and rows of so many.
            unsafe { square!($digits, x, modulus, (look masks), [$($j $lower $upper)*]) }
        }

        static OPERATIONS: Operations = Operations { multiply, square, square_and_look };
        &OPERATIONS
    }};
}

/// The code for rows of so many digits; none if their sums do not fit the registers, or if they are too short
/// to be worth it.
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
