//! Sums of products of digits, column by column, eight lanes wide.

use core::arch::{asm, x86_64::*};

use super::{super::digits::DIGIT, Block};

/// Adds the products of a block with a digit to nine columns: the low halves to the first eight, the high ones a column up.
///
/// In assembly for its order alone: one after the other of the same column would wait, and that is how a compiler puts them.
///
/// # Safety
/// The processor has AVX-512 IFMA.
#[target_feature(enable = "avx512f,avx512ifma")]
#[inline]
unsafe fn halves(columns: &mut [__m512i], block: &Block, digit: __m512i) {
    let [c0, c1, c2, c3, c4, c5, c6, c7, c8] = columns else { return };
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
            "vpmadd52huq {c8}, {b7}, {digit}",
            "vpmadd52huq {c1}, {b0}, {digit}",
            "vpmadd52huq {c2}, {b1}, {digit}",
            "vpmadd52huq {c3}, {b2}, {digit}",
            "vpmadd52huq {c4}, {b3}, {digit}",
            "vpmadd52huq {c5}, {b4}, {digit}",
            "vpmadd52huq {c6}, {b5}, {digit}",
            "vpmadd52huq {c7}, {b6}, {digit}",
            c0 = inout(zmm_reg) *c0,
            c1 = inout(zmm_reg) *c1,
            c2 = inout(zmm_reg) *c2,
            c3 = inout(zmm_reg) *c3,
            c4 = inout(zmm_reg) *c4,
            c5 = inout(zmm_reg) *c5,
            c6 = inout(zmm_reg) *c6,
            c7 = inout(zmm_reg) *c7,
            c8 = inout(zmm_reg) *c8,
            b0 = in(zmm_reg) block[0],
            b1 = in(zmm_reg) block[1],
            b2 = in(zmm_reg) block[2],
            b3 = in(zmm_reg) block[3],
            b4 = in(zmm_reg) block[4],
            b5 = in(zmm_reg) block[5],
            b6 = in(zmm_reg) block[6],
            b7 = in(zmm_reg) block[7],
            digit = in(zmm_reg) digit,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
}

/// Adds a block times the digits `from..to` of a factor, a multiple of four of them, to `sums`, twice if `TWICE`.
///
/// Each digit of the factor is loaded once, and the columns that its products go to stay in registers until they are complete.
///
/// # Safety
/// The processor has AVX-512 IFMA; `sums` has `to + 8` vectors, the factor digits `from..to`.
#[target_feature(enable = "avx512f,avx512ifma")]
#[inline]
pub(super) unsafe fn rows<const TWICE: bool>(
    sums: *mut __m512i,
    block: &Block,
    factor: impl Fn(usize) -> __m512i + Copy,
    from: usize,
    to: usize,
) {
    // SAFETY: the caller guarantees the instructions and the vectors.
    unsafe {
        let add = |column: usize, sum: __m512i| {
            let sum = if TWICE { _mm512_slli_epi64::<1>(sum) } else { sum };
            let place = sums.add(column);
            _mm512_storeu_si512(place, _mm512_add_epi64(_mm512_loadu_si512(place), sum));
        };
        let mut begun = [_mm512_setzero_si512(); 8];
        let eights = from + (to - from) / 8 * 8;
        for start in (from..eights).step_by(8) {
            let mut columns = [_mm512_setzero_si512(); 16];
            columns[..8].copy_from_slice(&begun);
            halves(&mut columns[0..9], block, factor(start));
            add(start, columns[0]);
            halves(&mut columns[1..10], block, factor(start + 1));
            add(start + 1, columns[1]);
            halves(&mut columns[2..11], block, factor(start + 2));
            add(start + 2, columns[2]);
            halves(&mut columns[3..12], block, factor(start + 3));
            add(start + 3, columns[3]);
            halves(&mut columns[4..13], block, factor(start + 4));
            add(start + 4, columns[4]);
            halves(&mut columns[5..14], block, factor(start + 5));
            add(start + 5, columns[5]);
            halves(&mut columns[6..15], block, factor(start + 6));
            add(start + 6, columns[6]);
            halves(&mut columns[7..16], block, factor(start + 7));
            add(start + 7, columns[7]);
            begun.copy_from_slice(&columns[8..]);
        }
        if eights < to {
            let mut columns = [_mm512_setzero_si512(); 12];
            columns[..8].copy_from_slice(&begun);
            halves(&mut columns[0..9], block, factor(eights));
            add(eights, columns[0]);
            halves(&mut columns[1..10], block, factor(eights + 1));
            add(eights + 1, columns[1]);
            halves(&mut columns[2..11], block, factor(eights + 2));
            add(eights + 2, columns[2]);
            halves(&mut columns[3..12], block, factor(eights + 3));
            add(eights + 3, columns[3]);
            begun.copy_from_slice(&columns[4..]);
        }
        for (k, &sum) in begun.iter().enumerate() {
            add(to + k, sum);
        }
    }
}

/// Adds four digits times the first `count` digits of a number, a multiple of four, to `sums`: in blocks of eight of those.
///
/// # Safety
/// The processor has AVX-512 IFMA; `sums` has `count + 8` vectors; there are so many digits.
#[target_feature(enable = "avx512f,avx512ifma")]
#[inline]
pub(super) unsafe fn four_rows(
    sums: *mut __m512i,
    four: impl Fn(usize) -> __m512i + Copy,
    digits: impl Fn(usize) -> __m512i,
    count: usize,
) {
    // SAFETY: the caller guarantees the instructions and the vectors.
    unsafe {
        let lead = count % 8;
        if lead > 0 {
            rows::<false>(sums, &lead_block(&digits), four, 0, 4);
        }
        for start in (lead..count).step_by(8) {
            let block = core::array::from_fn(|s| digits(start + s));
            rows::<false>(sums.add(start), &block, four, 0, 4);
        }
    }
}

/// A number's first four digits.
///
/// # Safety
/// The processor has AVX-512.
#[target_feature(enable = "avx512f")]
#[inline]
pub(super) unsafe fn lead_block(digits: impl Fn(usize) -> __m512i) -> Block {
    core::array::from_fn(|s| if s < 4 { digits(s) } else { _mm512_setzero_si512() })
}

/// The N lowest sums as digits, and what they carry.
///
/// # Safety
/// The processor has AVX-512; `sums` has N vectors.
#[target_feature(enable = "avx512f")]
#[inline]
pub(super) unsafe fn resolve<const N: usize>(sums: *const __m512i) -> ([__m512i; N], __m512i) {
    let digit = _mm512_set1_epi64(DIGIT as i64);
    let mut carry = _mm512_setzero_si512();
    let digits = core::array::from_fn(|s| {
        // SAFETY: the caller guarantees N vectors.
        let sum = _mm512_add_epi64(unsafe { _mm512_loadu_si512(sums.add(s)) }, carry);
        carry = _mm512_srli_epi64::<52>(sum);
        _mm512_and_si512(sum, digit)
    });
    (digits, carry)
}
