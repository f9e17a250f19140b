//! Vectors of four or eight lanes.
//!
//! These pieces are inlined into functions compiled for AVX-512, whatever their number of callers. Therefore
//! they do not name the instructions themselves.

use core::arch::x86_64::*;

use super::{
    bottom::{Bottom, instruction, through_memory, through_memory_highest},
    digits::DIGIT,
    in_order,
};

/// Lane numbers for a vector. Numbers beyond its lanes are ignored.
pub(super) type Places = [u64; 8];

/// A vector of 64-bit lanes.
///
/// # Safety
/// Safety of all methods: the processor has AVX-512 IFMA and VL; pointers point to as many words as the
/// method reads or writes, at any alignment.
pub(super) trait Vector: Copy {
    /// The number of lanes of one number.
    const LANES: usize;
    /// The number of words of a vector.
    const WORDS: usize;
    /// The lowest lane of each number, and its highest.
    const BOTTOM: u8;
    const TOP: u8;
    /// The type for computations on lowest lanes.
    type Bottom: Bottom;
    /// The carry from a digit of a quotient to the next.
    type Carry: Copy;

    unsafe fn no_carry() -> Self::Carry;
    /// The carry, as a value to be added to lowest lanes.
    unsafe fn carried_in(carry: Self::Carry) -> Self::Bottom;
    /// The part of this vector that [`take_digit`](Self::take_digit) reads.
    unsafe fn store_bottom(self, words: *mut u64);
    /// Adds the carry to the lowest lane of the vector at `words`, from which
    /// [`taken_digit`](Self::taken_digit) then reads; returns the new carry.
    unsafe fn take_digit(words: *mut u64, carry: Self::Carry) -> Self::Carry;
    /// The same for the highest digit of a strip, which has 52 − SPARE bits.
    unsafe fn take_highest_digit<const SPARE: u32>(words: *mut u64, carry: Self::Carry) -> Self::Carry;
    /// That digit in all lanes: its lowest 52 bits, and above them bits that products do not read.
    unsafe fn taken_digit(words: *const u64) -> Self;
    unsafe fn zero() -> Self;
    unsafe fn load(words: *const u64) -> Self;
    unsafe fn store(self, words: *mut u64);
    /// One word in all lanes.
    unsafe fn splat(word: *const u64) -> Self;
    /// One lane of the vector at `words` in all lanes.
    #[inline(always)]
    unsafe fn lane(words: *const u64, lane: usize) -> Self {
        // SAFETY: as the caller guarantees.
        unsafe { Self::splat(words.add(lane)) }
    }
    /// The largest digit in all lanes.
    unsafe fn digit() -> Self;
    unsafe fn add(self, other: Self) -> Self;
    unsafe fn and(self, other: Self) -> Self;
    /// `self | (other & mask)`.
    unsafe fn or_under(self, other: Self, mask: Self) -> Self;
    /// Bits from 52 on.
    unsafe fn carried(self) -> Self;
    /// Bits from 52 − SPARE on.
    unsafe fn carried_above<const SPARE: u32>(self) -> Self;
    /// The bits below.
    unsafe fn lowest<const SPARE: u32>(self) -> Self;
    /// 2^SPARE times.
    unsafe fn raised<const SPARE: u32>(self) -> Self;
    /// Bits from 51 on.
    unsafe fn doubled_carried(self) -> Self;
    /// Adds the low halves of products of digits.
    unsafe fn add_low(&mut self, a: &Self, b: &Self);
    /// Adds the high halves of products of digits.
    unsafe fn add_high(&mut self, a: &Self, b: &Self);
    /// Lane l + 1 in lane l, 0 in the highest.
    unsafe fn down(self) -> Self;
    /// Lane l − 1 in lane l, 0 in the lowest.
    unsafe fn up(self) -> Self;
    /// The lowest lane; the other lanes are arbitrary.
    unsafe fn bottom(self) -> Self::Bottom;
    /// The lowest lane, 0 in the others.
    unsafe fn alone(lowest: Self::Bottom) -> Self;
    /// The lowest lane in all lanes.
    unsafe fn everywhere(lowest: Self::Bottom) -> Self;
    /// The lanes at `places`, 0 where `keep` has no bit.
    unsafe fn gather(self, places: &Places, keep: u8) -> Self;
    /// These lanes, or the other's where `mask` has a bit.
    unsafe fn blend(self, other: Self, mask: u8) -> Self;
    /// The lanes that are greater than the other's.
    unsafe fn above(self, other: Self) -> u32;
    /// The lanes that are equal.
    unsafe fn equal(self, other: Self) -> u32;
    /// Adds one in the lanes of the mask.
    unsafe fn increment(self, mask: u32) -> Self;
    /// All ones in lanes with the highest bit set, 0 in the others.
    unsafe fn sign(self) -> Self;
    /// This vector without the bits of the other.
    unsafe fn without(self, other: Self) -> Self;
}

impl Vector for __m512i {
    const LANES: usize = 8;
    const WORDS: usize = 8;
    const BOTTOM: u8 = 1;
    const TOP: u8 = 1 << 7;
    type Bottom = __m128i;
    type Carry = u64;

    #[inline(always)]
    unsafe fn no_carry() -> u64 {
        0
    }

    #[inline(always)]
    unsafe fn carried_in(carry: u64) -> __m128i {
        instruction!(_mm_cvtsi64_si128(carry as i64))
    }

    // Storing a whole vector takes twice as long.
    #[inline(always)]
    unsafe fn store_bottom(self, words: *mut u64) {
        instruction!(_mm_storel_epi64(words.cast(), self.bottom()))
    }

    #[inline(always)]
    unsafe fn take_digit(words: *mut u64, carry: u64) -> u64 {
        instruction!(through_memory(words, carry))
    }

    #[inline(always)]
    unsafe fn take_highest_digit<const SPARE: u32>(words: *mut u64, carry: u64) -> u64 {
        instruction!(through_memory_highest::<SPARE>(words, carry))
    }

    #[inline(always)]
    unsafe fn taken_digit(words: *const u64) -> Self {
        instruction!(in_order::everywhere(words))
    }

    #[inline(always)]
    unsafe fn zero() -> Self {
        instruction!(_mm512_setzero_si512())
    }

    #[inline(always)]
    unsafe fn load(words: *const u64) -> Self {
        instruction!(_mm512_loadu_si512(words.cast()))
    }

    #[inline(always)]
    unsafe fn store(self, words: *mut u64) {
        instruction!(_mm512_storeu_si512(words.cast(), self))
    }

    #[inline(always)]
    unsafe fn splat(word: *const u64) -> Self {
        instruction!(_mm512_set1_epi64(word.read() as i64))
    }

    #[inline(always)]
    unsafe fn digit() -> Self {
        instruction!(_mm512_set1_epi64(DIGIT as i64))
    }

    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        instruction!(_mm512_add_epi64(self, other))
    }

    #[inline(always)]
    unsafe fn and(self, other: Self) -> Self {
        instruction!(_mm512_and_si512(self, other))
    }

    #[inline(always)]
    unsafe fn or_under(self, other: Self, mask: Self) -> Self {
        // self | (other & mask)
        instruction!(_mm512_ternarylogic_epi64::<0xf8>(self, other, mask))
    }

    #[inline(always)]
    unsafe fn carried(self) -> Self {
        instruction!(_mm512_srli_epi64::<52>(self))
    }

    #[inline(always)]
    unsafe fn doubled_carried(self) -> Self {
        instruction!(_mm512_srli_epi64::<51>(self))
    }

    #[inline(always)]
    unsafe fn carried_above<const SPARE: u32>(self) -> Self {
        instruction!(if SPARE == 0 { _mm512_srli_epi64::<52>(self) } else { _mm512_srli_epi64::<50>(self) })
    }

    #[inline(always)]
    unsafe fn lowest<const SPARE: u32>(self) -> Self {
        instruction!(_mm512_and_si512(self, _mm512_set1_epi64((DIGIT >> SPARE) as i64)))
    }

    #[inline(always)]
    unsafe fn raised<const SPARE: u32>(self) -> Self {
        instruction!(if SPARE == 0 { self } else { _mm512_slli_epi64::<2>(self) })
    }

    #[inline(always)]
    unsafe fn add_low(&mut self, a: &Self, b: &Self) {
        instruction!(in_order::zmm_low(self, a, b))
    }

    #[inline(always)]
    unsafe fn add_high(&mut self, a: &Self, b: &Self) {
        instruction!(in_order::zmm_high(self, a, b))
    }

    #[inline(always)]
    unsafe fn down(self) -> Self {
        instruction!(_mm512_alignr_epi64::<1>(_mm512_setzero_si512(), self))
    }

    #[inline(always)]
    unsafe fn up(self) -> Self {
        instruction!(_mm512_alignr_epi64::<7>(self, _mm512_setzero_si512()))
    }

    #[inline(always)]
    unsafe fn bottom(self) -> __m128i {
        instruction!(_mm512_castsi512_si128(self))
    }

    #[inline(always)]
    unsafe fn alone(lowest: __m128i) -> Self {
        instruction!(_mm512_zextsi128_si512(_mm_move_epi64(lowest)))
    }

    #[inline(always)]
    unsafe fn everywhere(lowest: __m128i) -> Self {
        instruction!(_mm512_broadcastq_epi64(lowest))
    }

    #[inline(always)]
    unsafe fn gather(self, places: &Places, keep: u8) -> Self {
        instruction!({
            let places = Self::load(places.as_ptr());
            if keep == u8::MAX {
                _mm512_permutexvar_epi64(places, self)
            } else {
                in_order::gathered(keep, places, self)
            }
        })
    }

    #[inline(always)]
    unsafe fn blend(self, other: Self, mask: u8) -> Self {
        instruction!(in_order::blended(mask, self, other))
    }

    #[inline(always)]
    unsafe fn above(self, other: Self) -> u32 {
        instruction!(u32::from(_mm512_cmpgt_epu64_mask(self, other)))
    }

    #[inline(always)]
    unsafe fn equal(self, other: Self) -> u32 {
        instruction!(u32::from(_mm512_cmpeq_epu64_mask(self, other)))
    }

    #[inline(always)]
    unsafe fn increment(self, mask: u32) -> Self {
        instruction!(_mm512_mask_add_epi64(self, mask as u8, self, _mm512_set1_epi64(1)))
    }

    #[inline(always)]
    unsafe fn sign(self) -> Self {
        instruction!(_mm512_srai_epi64::<63>(self))
    }

    #[inline(always)]
    unsafe fn without(self, other: Self) -> Self {
        instruction!(_mm512_andnot_si512(other, self))
    }
}

impl Vector for __m256i {
    const LANES: usize = 4;
    const WORDS: usize = 4;
    const BOTTOM: u8 = 1;
    const TOP: u8 = 1 << 3;
    type Bottom = __m128i;
    type Carry = u64;

    #[inline(always)]
    unsafe fn no_carry() -> u64 {
        0
    }

    #[inline(always)]
    unsafe fn carried_in(carry: u64) -> __m128i {
        instruction!(_mm_cvtsi64_si128(carry as i64))
    }

    #[inline(always)]
    unsafe fn store_bottom(self, words: *mut u64) {
        instruction!(self.store(words))
    }

    #[inline(always)]
    unsafe fn take_digit(words: *mut u64, carry: u64) -> u64 {
        instruction!(through_memory(words, carry))
    }

    #[inline(always)]
    unsafe fn take_highest_digit<const SPARE: u32>(words: *mut u64, carry: u64) -> u64 {
        instruction!(through_memory_highest::<SPARE>(words, carry))
    }

    #[inline(always)]
    unsafe fn taken_digit(words: *const u64) -> Self {
        instruction!(Self::splat(words))
    }

    #[inline(always)]
    unsafe fn zero() -> Self {
        instruction!(_mm256_setzero_si256())
    }

    #[inline(always)]
    unsafe fn load(words: *const u64) -> Self {
        instruction!(_mm256_loadu_si256(words.cast()))
    }

    #[inline(always)]
    unsafe fn store(self, words: *mut u64) {
        instruction!(_mm256_storeu_si256(words.cast(), self))
    }

    #[inline(always)]
    unsafe fn splat(word: *const u64) -> Self {
        instruction!(_mm256_set1_epi64x(word.read() as i64))
    }

    #[inline(always)]
    unsafe fn digit() -> Self {
        instruction!(_mm256_set1_epi64x(DIGIT as i64))
    }

    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        instruction!(_mm256_add_epi64(self, other))
    }

    #[inline(always)]
    unsafe fn and(self, other: Self) -> Self {
        instruction!(_mm256_and_si256(self, other))
    }

    #[inline(always)]
    unsafe fn or_under(self, other: Self, mask: Self) -> Self {
        // self | (other & mask)
        instruction!(_mm256_ternarylogic_epi64::<0xf8>(self, other, mask))
    }

    #[inline(always)]
    unsafe fn carried(self) -> Self {
        instruction!(_mm256_srli_epi64::<52>(self))
    }

    #[inline(always)]
    unsafe fn doubled_carried(self) -> Self {
        instruction!(_mm256_srli_epi64::<51>(self))
    }

    #[inline(always)]
    unsafe fn carried_above<const SPARE: u32>(self) -> Self {
        instruction!(if SPARE == 0 { _mm256_srli_epi64::<52>(self) } else { _mm256_srli_epi64::<50>(self) })
    }

    #[inline(always)]
    unsafe fn lowest<const SPARE: u32>(self) -> Self {
        instruction!(_mm256_and_si256(self, _mm256_set1_epi64x((DIGIT >> SPARE) as i64)))
    }

    #[inline(always)]
    unsafe fn raised<const SPARE: u32>(self) -> Self {
        instruction!(if SPARE == 0 { self } else { _mm256_slli_epi64::<2>(self) })
    }

    #[inline(always)]
    unsafe fn add_low(&mut self, a: &Self, b: &Self) {
        instruction!(in_order::ymm_low(self, a, b))
    }

    #[inline(always)]
    unsafe fn add_high(&mut self, a: &Self, b: &Self) {
        instruction!(in_order::ymm_high(self, a, b))
    }

    #[inline(always)]
    unsafe fn down(self) -> Self {
        instruction!(_mm256_alignr_epi64::<1>(_mm256_setzero_si256(), self))
    }

    #[inline(always)]
    unsafe fn up(self) -> Self {
        instruction!(_mm256_alignr_epi64::<3>(self, _mm256_setzero_si256()))
    }

    #[inline(always)]
    unsafe fn bottom(self) -> __m128i {
        instruction!(_mm256_castsi256_si128(self))
    }

    #[inline(always)]
    unsafe fn alone(lowest: __m128i) -> Self {
        instruction!(_mm256_zextsi128_si256(_mm_move_epi64(lowest)))
    }

    #[inline(always)]
    unsafe fn everywhere(lowest: __m128i) -> Self {
        instruction!(_mm256_broadcastq_epi64(lowest))
    }

    #[inline(always)]
    unsafe fn gather(self, places: &Places, keep: u8) -> Self {
        instruction!(_mm256_maskz_permutexvar_epi64(keep, Self::load(places.as_ptr()), self))
    }

    #[inline(always)]
    unsafe fn blend(self, other: Self, mask: u8) -> Self {
        instruction!(_mm256_mask_blend_epi64(mask, self, other))
    }

    #[inline(always)]
    unsafe fn above(self, other: Self) -> u32 {
        instruction!(u32::from(_mm256_cmpgt_epu64_mask(self, other)))
    }

    #[inline(always)]
    unsafe fn equal(self, other: Self) -> u32 {
        instruction!(u32::from(_mm256_cmpeq_epu64_mask(self, other)))
    }

    #[inline(always)]
    unsafe fn increment(self, mask: u32) -> Self {
        instruction!(_mm256_mask_add_epi64(self, mask as u8, self, _mm256_set1_epi64x(1)))
    }

    #[inline(always)]
    unsafe fn sign(self) -> Self {
        instruction!(_mm256_srai_epi64::<63>(self))
    }

    #[inline(always)]
    unsafe fn without(self, other: Self) -> Self {
        instruction!(_mm256_andnot_si256(other, self))
    }
}
