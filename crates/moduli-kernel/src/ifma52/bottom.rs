//! Lowest lanes of vectors, through which carries propagate.

use core::arch::x86_64::*;

use super::digits::DIGIT;

macro_rules! instruction {
    ($value:expr) => {
        // SAFETY: as the trait says.
        unsafe { $value }
    };
}
pub(super) use instruction;

/// The lowest lane of a vector. The contents of the other lanes do not matter.
///
/// # Safety
/// As for [`Vector`].
pub(super) trait Bottom: Copy {
    unsafe fn zero() -> Self;
    /// Reads memory that is laid out as a vector.
    unsafe fn load(words: *const u64) -> Self;
    unsafe fn add(self, other: Self) -> Self;
    /// Bits from 52 on.
    unsafe fn carried(self) -> Self;
    /// Bits from 52 − SPARE on.
    unsafe fn carried_above<const SPARE: u32>(self) -> Self;
    /// Adds the low halves of products of digits.
    unsafe fn add_low(self, a: Self, b: Self) -> Self;
}

impl Bottom for __m128i {
    #[inline(always)]
    unsafe fn zero() -> Self {
        instruction!(_mm_setzero_si128())
    }

    #[inline(always)]
    unsafe fn load(words: *const u64) -> Self {
        instruction!(_mm_loadl_epi64(words.cast()))
    }

    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        instruction!(_mm_add_epi64(self, other))
    }

    #[inline(always)]
    unsafe fn carried(self) -> Self {
        instruction!(_mm_srli_epi64::<52>(self))
    }

    #[inline(always)]
    unsafe fn carried_above<const SPARE: u32>(self) -> Self {
        instruction!(if SPARE == 0 { _mm_srli_epi64::<52>(self) } else { _mm_srli_epi64::<50>(self) })
    }

    #[inline(always)]
    unsafe fn add_low(self, a: Self, b: Self) -> Self {
        instruction!(_mm_madd52lo_epu64(self, a, b))
    }
}

/// Adds to a word in memory, and returns its bits from 52 on.
///
/// Carries in scalar registers and in memory take no time from products. Products and additions of vectors
/// share the same few ports.
///
/// # Safety
/// There is a word.
#[inline(always)]
pub(super) unsafe fn through_memory(word: *mut u64, carry: u64) -> u64 {
    // SAFETY: the caller guarantees the word. Volatile, because the compiler would keep the word in a
    // register otherwise.
    unsafe {
        let sum = word.read_volatile().wrapping_add(carry);
        word.write_volatile(sum);
        sum >> 52
    }
}

/// The same for the highest digit of a strip, of which the word keeps 52 − SPARE bits.
///
/// # Safety
/// There is a word.
#[inline(always)]
pub(super) unsafe fn through_memory_highest<const SPARE: u32>(word: *mut u64, carry: u64) -> u64 {
    if SPARE == 0 {
        // SAFETY: as the caller guarantees.
        return unsafe { through_memory(word, carry) };
    }
    // SAFETY: the caller guarantees the word. Volatile for the same reason.
    unsafe {
        let sum = word.read_volatile().wrapping_add(carry);
        word.write_volatile(sum & DIGIT >> SPARE);
        sum >> (52 - SPARE)
    }
}
