//! Sums of products of digits, column by column, eight lanes wide.

use core::arch::{asm, x86_64::*};

use super::{
    super::{
        in_order::{zmm_high, zmm_low},
        sum::each,
    },
    Block,
    look::Beside,
};

/// Adds the products of a block with a digit to eleven columns: the low halves to the first ten, the high
/// ones a column up.
///
/// In assembly for its order alone: one after the other of the same column would wait, and that is how a
/// compiler puts them.
///
/// # Safety
/// The processor has AVX-512 IFMA.
#[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
#[inline]
unsafe fn halves(columns: &mut [__m512i], block: &Block, digit: __m512i) {
    let [c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10] = columns else { return };
    // SAFETY: the caller guarantees the instructions; they touch no memory and no flags.
    unsafe {
        asm!(
            "vpmadd52luq {c0}, {b0}, {digit}",
            "vpmadd52luq {c1}, {b1}, {digit}",
            "vpmadd52luq {c2}, {b2}, {digit}",
            "vpmadd52luq {c3}, {b3}, {digit}",
            "vpmadd52luq {c4}, {b4}, {digit}",
            "vpmadd52luq {c5}, {b5}, {digit}",
            "vpmadd52luq {c6}, {b6}, {digit}",
            "vpmadd52luq {c7}, {b7}, {digit}",
            "vpmadd52luq {c8}, {b8}, {digit}",
            "vpmadd52luq {c9}, {b9}, {digit}",
            "vpmadd52huq {c10}, {b9}, {digit}",
            "vpmadd52huq {c1}, {b0}, {digit}",
            "vpmadd52huq {c2}, {b1}, {digit}",
            "vpmadd52huq {c3}, {b2}, {digit}",
            "vpmadd52huq {c4}, {b3}, {digit}",
            "vpmadd52huq {c5}, {b4}, {digit}",
            "vpmadd52huq {c6}, {b5}, {digit}",
            "vpmadd52huq {c7}, {b6}, {digit}",
            "vpmadd52huq {c8}, {b7}, {digit}",
            "vpmadd52huq {c9}, {b8}, {digit}",
            c0 = inout(zmm_reg) *c0,
            c1 = inout(zmm_reg) *c1,
            c2 = inout(zmm_reg) *c2,
            c3 = inout(zmm_reg) *c3,
            c4 = inout(zmm_reg) *c4,
            c5 = inout(zmm_reg) *c5,
            c6 = inout(zmm_reg) *c6,
            c7 = inout(zmm_reg) *c7,
            c8 = inout(zmm_reg) *c8,
            c9 = inout(zmm_reg) *c9,
            c10 = inout(zmm_reg) *c10,
            b0 = in(zmm_reg) block[0],
            b1 = in(zmm_reg) block[1],
            b2 = in(zmm_reg) block[2],
            b3 = in(zmm_reg) block[3],
            b4 = in(zmm_reg) block[4],
            b5 = in(zmm_reg) block[5],
            b6 = in(zmm_reg) block[6],
            b7 = in(zmm_reg) block[7],
            b8 = in(zmm_reg) block[8],
            b9 = in(zmm_reg) block[9],
            digit = in(zmm_reg) digit,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
}

/// Adds a block times the digits `from..to` of a factor, a multiple of five of them. `begun` are the columns
/// from `from` on as they are before, `next(k, s)` is column k + s of those behind them, where k is the same
/// for ten of them; `done` takes a column when its last product is in it, in order; `beside` goes on after
/// every ten digits. What is returned are the ten columns from `to` on: they lack nothing but the digits that
/// are still to come.
///
/// Each digit of the factor is loaded once, and the columns that its products go to stay in registers until
/// they are complete.
///
/// # Safety
/// The processor has AVX-512 IFMA; the factor has digits `from..to`.
#[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
#[inline]
pub(super) unsafe fn rows(
    mut begun: Block,
    block: &Block,
    factor: impl Fn(usize) -> __m512i,
    (from, to): (usize, usize),
    next: impl Fn(usize, usize) -> __m512i,
    mut done: impl FnMut(usize, __m512i),
    beside: &mut impl Beside,
) -> Block {
    macro_rules! digits {
        ($columns:ident, $start:expr, $($s:literal)*) => {
            $(
                $columns[$s + 10] = next($start + 10, $s);
                // SAFETY: the caller guarantees the instructions.
                unsafe { halves(&mut $columns[$s..$s + 11], block, factor($start + $s)) };
                done($start + $s, $columns[$s]);
            )*
        };
    }
    let tens = from + (to - from) / 10 * 10;
    for start in (from..tens).step_by(10) {
        let mut columns = [_mm512_setzero_si512(); 20];
        columns[..10].copy_from_slice(&begun);
        digits!(columns, start, 0 1 2 3 4 5 6 7 8 9);
        begun.copy_from_slice(&columns[10..]);
        // SAFETY: the caller guarantees the instructions.
        unsafe { beside.go_on() };
    }
    if tens < to {
        let mut columns = [_mm512_setzero_si512(); 15];
        columns[..10].copy_from_slice(&begun);
        digits!(columns, tens, 0 1 2 3 4);
        begun.copy_from_slice(&columns[5..]);
    }
    begun
}

/// All columns were written to.
pub(super) const ALL: usize = usize::MAX;

/// Ten columns of zeros.
static ZEROS: [[u64; 8]; 10] = [[0; 8]; 10];

/// Ten columns that nothing was written to yet count as 0, and are not read.
pub(super) fn zeros() -> *const __m512i {
    ZEROS.as_ptr().cast()
}

/// Adds a block times the digits `from..to` of a factor, a multiple of five of them, to `sums`. Columns from
/// `fresh` on, ten times so many, are not read but count as 0. `beside` goes on after every ten digits.
///
/// # Safety
/// The processor has AVX-512 IFMA; `sums` has `to + 10` vectors, the factor digits `from..to`.
#[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
#[inline]
pub(super) unsafe fn add_rows(
    (sums, fresh): (*mut __m512i, usize),
    block: &Block,
    factor: impl Fn(usize) -> __m512i,
    (from, to): (usize, usize),
    beside: &mut impl Beside,
) {
    // SAFETY: the caller guarantees the instructions and the vectors.
    unsafe {
        let next = |start: usize, s: usize| {
            let place = if start < fresh { sums.add(start).cast_const() } else { zeros() };
            _mm512_loadu_si512(place.add(s))
        };
        let done = |column: usize, sum: __m512i| _mm512_storeu_si512(sums.add(column), sum);
        let begun = core::array::from_fn(|k| next(from, k));
        let begun = rows(begun, block, factor, (from, to), next, done, beside);
        for (k, &sum) in begun.iter().enumerate() {
            done(to + k, sum);
        }
    }
}

/// Adds five digits times the first `count` digits of a number, a multiple of five, to `sums`: in blocks of
/// ten of those.
///
/// # Safety
/// The processor has AVX-512 IFMA; `sums` has `count + 5` vectors; there are so many digits.
#[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
#[inline]
pub(super) unsafe fn five_rows(
    sums: *mut __m512i,
    five: impl Fn(usize) -> __m512i + Copy,
    digits: impl Fn(usize) -> __m512i,
    count: usize,
) {
    // SAFETY: the caller guarantees the instructions and the vectors.
    unsafe {
        let lead = count % 10;
        if lead > 0 {
            five_by_five(sums, five, &digits);
        }
        for start in (lead..count).step_by(10) {
            let block = core::array::from_fn(|s| digits(start + s));
            add_rows((sums.add(start), ALL), &block, five, (0, 5), &mut ());
        }
    }
}

/// Adds the product of two numbers of five digits to ten sums.
///
/// # Safety
/// The processor has AVX-512 IFMA; there are so many.
#[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
#[inline]
unsafe fn five_by_five(sums: *mut __m512i, a: impl Fn(usize) -> __m512i, b: impl Fn(usize) -> __m512i) {
    let (mut low, mut high) = ([_mm512_setzero_si512(); 16], [_mm512_setzero_si512(); 16]);
    each!(c in 10, {
        // SAFETY: the caller guarantees ten vectors.
        low[c] = unsafe { _mm512_loadu_si512(sums.add(c)) };
    });
    each!(k in 5, {
        let digit = b(k);
        each!(s in 5, {
            zmm_low(&mut low[s + k], &a(s), &digit);
        });
        each!(s in 5, {
            zmm_high(&mut high[s + k + 1], &a(s), &digit);
        });
    });
    each!(c in 10, {
        // SAFETY: the caller guarantees ten vectors.
        unsafe {
            _mm512_storeu_si512(sums.add(c), _mm512_add_epi64(low[c], high[c]));
        }
    });
}

/// Adds the products of two different ones of N digits, five or ten, to 2·N sums, doubles these and adds the
/// squares of the digits. The sums are read from `low`, where the lower half of them is, and from `high`.
///
/// # Safety
/// The processor has AVX-512 IFMA; there are so many sums.
#[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
#[inline]
pub(super) unsafe fn square<const N: usize>(
    sums: *mut __m512i,
    (low, high): (*const __m512i, *const __m512i),
    digits: &[__m512i; N],
) {
    // 2·N of them are used; the rest is there for what is written out below and left out again.
    let mut columns = [_mm512_setzero_si512(); 32];
    // SAFETY: the caller guarantees the instructions and the vectors.
    unsafe {
        each!(s in N, {
            columns[s] = _mm512_loadu_si512(low.add(s));
            columns[N + s] = _mm512_loadu_si512(high.add(s));
        });
        // In the order of their distance, so that products of one column are as far apart as can be.
        each!(apart in N, {
            each!(s in N, {
                if apart > 0 && s + apart < N {
                    zmm_low(&mut columns[2 * s + apart], &digits[s], &digits[s + apart]);
                }
            });
            each!(s in N, {
                if apart > 0 && s + apart < N {
                    zmm_high(&mut columns[2 * s + apart + 1], &digits[s], &digits[s + apart]);
                }
            });
        });
        each!(s in N, {
            let [low, high] = [columns[2 * s], columns[2 * s + 1]];
            let [mut low, mut high] = [_mm512_add_epi64(low, low), _mm512_add_epi64(high, high)];
            zmm_low(&mut low, &digits[s], &digits[s]);
            zmm_high(&mut high, &digits[s], &digits[s]);
            _mm512_storeu_si512(sums.add(2 * s), low);
            _mm512_storeu_si512(sums.add(2 * s + 1), high);
        });
    }
}

/// The ten lowest columns of a block times a number of ten digits.
///
/// # Safety
/// The processor has AVX-512 IFMA; there are ten digits.
#[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
#[inline]
pub(super) unsafe fn low_half(block: &Block, factor: impl Fn(usize) -> __m512i) -> Block {
    let mut columns = [_mm512_setzero_si512(); 10];
    each!(k in 10, {
        let digit = factor(k);
        each!(s in 10, {
            if s + k < 10 {
                zmm_low(&mut columns[s + k], &block[s], &digit);
            }
        });
        each!(s in 10, {
            if s + k < 9 {
                zmm_high(&mut columns[s + k + 1], &block[s], &digit);
            }
        });
    });
    columns
}

/// Adds the products of a block with a number of ten digits that go to column 9 or above it to columns 9 to
/// 19.
///
/// # Safety
/// The processor has AVX-512 IFMA; there are ten digits.
#[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
#[inline]
pub(super) unsafe fn high_half(
    columns: &mut [__m512i; 11],
    block: &Block,
    factor: impl Fn(usize) -> __m512i,
) {
    each!(k in 10, {
        let digit = factor(k);
        each!(s in 10, {
            if s + k >= 9 {
                zmm_low(&mut columns[s + k - 9], &block[s], &digit);
            }
        });
        each!(s in 10, {
            if s + k >= 8 {
                zmm_high(&mut columns[s + k - 8], &block[s], &digit);
            }
        });
    });
}

/// What a sum carries into the next: below 0 as well if sums are `SIGNED`.
#[target_feature(enable = "avx512f")]
#[inline]
pub(super) fn carried<const SIGNED: bool>(sum: __m512i) -> __m512i {
    if SIGNED { _mm512_srai_epi64::<52>(sum) } else { _mm512_srli_epi64::<52>(sum) }
}

/// N sums with a carry into the first as digits, with what they carry still in them, and what the last one
/// carries. Products take no notice of the bits above a digit.
///
/// # Safety
/// The processor has AVX-512.
#[target_feature(enable = "avx512f")]
#[inline]
pub(super) unsafe fn resolve<const N: usize, const SIGNED: bool>(
    sums: impl Fn(usize) -> __m512i,
    mut carry: __m512i,
) -> ([__m512i; N], __m512i) {
    let digits = core::array::from_fn(|s| {
        let sum = _mm512_add_epi64(sums(s), carry);
        carry = carried::<SIGNED>(sum);
        sum
    });
    (digits, carry)
}

/// `count` vectors of zeros, a multiple of eight. In assembly, so that it stays a row of stores: `memset`
/// takes longer, and what it wrote comes back late.
///
/// # Safety
/// The processor has AVX-512; there is room for them.
#[target_feature(enable = "avx512f")]
#[inline]
pub(super) unsafe fn clear(vectors: *mut __m512i, count: usize) {
    debug_assert!(count.is_multiple_of(8));
    for start in (0..count).step_by(8) {
        // SAFETY: the caller guarantees the instructions and the room.
        unsafe {
            asm!(
                "vmovdqu64 [{at}], {zero}",
                "vmovdqu64 [{at} + 64], {zero}",
                "vmovdqu64 [{at} + 128], {zero}",
                "vmovdqu64 [{at} + 192], {zero}",
                "vmovdqu64 [{at} + 256], {zero}",
                "vmovdqu64 [{at} + 320], {zero}",
                "vmovdqu64 [{at} + 384], {zero}",
                "vmovdqu64 [{at} + 448], {zero}",
                at = in(reg) vectors.add(start),
                zero = in(zmm_reg) _mm512_setzero_si512(),
                options(nostack, preserves_flags),
            );
        }
    }
}
