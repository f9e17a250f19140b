//! Instructions that the compiler must not change or reorder.
//!
//! The compiler orders multiply-adds by columns, so each waits for the one before. In the order of the
//! digits, ten or more of them execute at a time.

use core::arch::{asm, x86_64::*};

macro_rules! in_order {
    ($($name:ident, $vector:ty, $class:ident, $instruction:literal;)*) => {
        $(
            /// By reference: vectors that are passed by value are copied in memory until the compiler removes
            /// the copies, which takes it long.
            #[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
            #[inline]
            pub(super) fn $name(sum: &mut $vector, a: &$vector, b: &$vector) {
                // SAFETY: one instruction on registers, which this function is compiled for. It is not
                // declared pure, because the compiler would reorder it then.
                unsafe {
                    asm!(
                        concat!($instruction, " {0}, {1}, {2}"),
                        inout($class) *sum,
                        in($class) *a,
                        in($class) *b,
                        options(nomem, nostack, preserves_flags)
                    );
                }
            }
        )*
    };
}

in_order! {
    zmm_low, __m512i, zmm_reg, "vpmadd52luq";
    zmm_high, __m512i, zmm_reg, "vpmadd52huq";
    ymm_low, __m256i, ymm_reg, "vpmadd52luq";
    ymm_high, __m256i, ymm_reg, "vpmadd52huq";
}

/// x − y in each lane. The compiler would change the order of sums and differences, so that some could be
/// negative.
#[target_feature(enable = "avx512f")]
#[inline]
pub(super) fn less(x: __m512i, y: __m512i) -> __m512i {
    let out;
    // SAFETY: one instruction on registers, which this function is compiled for.
    unsafe {
        asm!(
            "vpsubq {0}, {1}, {2}",
            out(zmm_reg) out,
            in(zmm_reg) x,
            in(zmm_reg) y,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    out
}

/// A word in memory in all lanes. The compiler would broadcast a word that was just stored from its register,
/// for which there are fewer ports.
///
/// # Safety
/// There is a word.
#[target_feature(enable = "avx512f")]
#[inline]
pub(super) unsafe fn everywhere(word: *const u64) -> __m512i {
    let out;
    // SAFETY: one instruction, which this function is compiled for; the caller guarantees the word.
    unsafe {
        asm!(
            "vpbroadcastq {0}, qword ptr [{1}]",
            out(zmm_reg) out,
            in(reg) word,
            options(readonly, nostack, preserves_flags)
        );
    }
    out
}

/// The lanes of either half at `PLACES`, two bits for each, and 0 where `keep` has no bit. The compiler would
/// generate a selection from two vectors, which takes longer.
#[target_feature(enable = "avx512f")]
#[inline]
pub(super) fn permuted<const PLACES: i32>(keep: u8, x: __m512i) -> __m512i {
    let out;
    // SAFETY: one instruction on registers, which this function is compiled for.
    unsafe {
        asm!(
            "vpermq {0} {{{1}}} {{z}}, {2}, {3}",
            out(zmm_reg) out,
            in(kreg) keep,
            in(zmm_reg) x,
            const PLACES,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    out
}

/// The lanes at `places`, and 0 where `keep` has no bit. The compiler would generate two instructions.
#[target_feature(enable = "avx512f")]
#[inline]
pub(super) fn gathered(keep: u8, places: __m512i, x: __m512i) -> __m512i {
    let out;
    // SAFETY: one instruction on registers, which this function is compiled for.
    unsafe {
        asm!(
            "vpermq {0} {{{1}}} {{z}}, {2}, {3}",
            out(zmm_reg) out,
            in(kreg) keep,
            in(zmm_reg) places,
            in(zmm_reg) x,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    out
}

/// These lanes, or the other's under `mask`. The compiler would generate a permutation where it can, which
/// occupies a unit that multiplies.
#[target_feature(enable = "avx512f")]
#[inline]
pub(super) fn blended(mask: u8, x: __m512i, other: __m512i) -> __m512i {
    let out;
    // SAFETY: one instruction on registers, which this function is compiled for.
    unsafe {
        asm!(
            "vpblendmq {0} {{{1}}}, {2}, {3}",
            out(zmm_reg) out,
            in(kreg) mask,
            in(zmm_reg) x,
            in(zmm_reg) other,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    out
}
