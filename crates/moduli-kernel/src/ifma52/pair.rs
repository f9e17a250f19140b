//! Two residues of four lanes in one vector.

use core::arch::x86_64::*;

use super::{
    bottom::{Bottom, instruction},
    in_order,
    vector::{Places, Vector},
};

/// Four lanes each of two numbers: every operation applies to both.
#[derive(Clone, Copy)]
pub(super) struct Pair(__m512i);

impl Bottom for Pair {
    #[inline(always)]
    unsafe fn zero() -> Self {
        instruction!(Self(_mm512_setzero_si512()))
    }

    #[inline(always)]
    unsafe fn load(words: *const u64) -> Self {
        instruction!(Self(<__m512i as Vector>::load(words)))
    }

    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        instruction!(Self(_mm512_add_epi64(self.0, other.0)))
    }

    #[inline(always)]
    unsafe fn carried(self) -> Self {
        instruction!(Self(_mm512_srli_epi64::<52>(self.0)))
    }

    #[inline(always)]
    unsafe fn carried_above<const SPARE: u32>(self) -> Self {
        instruction!(Self(Vector::carried_above::<SPARE>(self.0)))
    }

    #[inline(always)]
    unsafe fn add_low(mut self, a: Self, b: Self) -> Self {
        instruction!(Vector::add_low(&mut self.0, &a.0, &b.0));
        self
    }
}

impl Pair {
    /// Joins two vectors of four lanes.
    ///
    /// # Safety
    /// As for [`Vector`].
    #[inline(always)]
    pub(super) unsafe fn of(first: __m256i, second: __m256i) -> Self {
        instruction!(Self(_mm512_inserti64x4::<1>(_mm512_castsi256_si512(first), second)))
    }

    /// Splits a pair into its two vectors.
    ///
    /// # Safety
    /// As for [`Vector`].
    #[inline(always)]
    pub(super) unsafe fn parts(self) -> [__m256i; 2] {
        instruction!([_mm512_castsi512_si256(self.0), _mm512_extracti64x4_epi64::<1>(self.0)])
    }
}

impl Vector for Pair {
    const LANES: usize = 4;
    const WORDS: usize = 8;
    const BOTTOM: u8 = 0x11;
    const TOP: u8 = 0x88;
    type Bottom = Self;
    type Carry = Self;

    #[inline(always)]
    unsafe fn no_carry() -> Self {
        instruction!(<Self as Vector>::zero())
    }

    #[inline(always)]
    unsafe fn carried_in(carry: Self) -> Self {
        carry
    }

    #[inline(always)]
    unsafe fn store_bottom(self, words: *mut u64) {
        instruction!(Vector::store(self, words))
    }

    // In registers: for two numbers, both would go through memory.
    #[inline(always)]
    unsafe fn take_digit(words: *mut u64, carry: Self) -> Self {
        instruction!({
            let sum = Vector::add(<Self as Vector>::load(words), carry);
            <Self as Vector>::everywhere(sum).store(words);
            Vector::carried(sum)
        })
    }

    #[inline(always)]
    unsafe fn take_highest_digit<const SPARE: u32>(words: *mut u64, carry: Self) -> Self {
        if SPARE == 0 {
            return instruction!(Self::take_digit(words, carry));
        }
        instruction!({
            let sum = Vector::add(<Self as Vector>::load(words), carry);
            <Self as Vector>::everywhere(sum).lowest::<SPARE>().store(words);
            Vector::carried_above::<SPARE>(sum)
        })
    }

    #[inline(always)]
    unsafe fn taken_digit(words: *const u64) -> Self {
        instruction!(<Self as Vector>::load(words))
    }

    #[inline(always)]
    unsafe fn splat(word: *const u64) -> Self {
        instruction!(Self(<__m512i as Vector>::splat(word)))
    }

    #[inline(always)]
    unsafe fn lane(words: *const u64, lane: usize) -> Self {
        instruction!({
            let first = _mm512_set1_epi64(words.add(lane).read() as i64);
            let second = _mm_loadl_epi64(words.add(lane + Self::LANES).cast());
            Self(_mm512_mask_broadcastq_epi64(first, 0xf0, second))
        })
    }

    #[inline(always)]
    unsafe fn down(self) -> Self {
        instruction!(Self(in_order::permuted::<0b11_11_10_01>(0x77, self.0)))
    }

    #[inline(always)]
    unsafe fn up(self) -> Self {
        instruction!(Self(in_order::permuted::<0b10_01_00_00>(0xee, self.0)))
    }

    #[inline(always)]
    unsafe fn bottom(self) -> Self {
        self
    }

    #[inline(always)]
    unsafe fn alone(lowest: Self) -> Self {
        instruction!(Self(_mm512_maskz_mov_epi64(0x11, lowest.0)))
    }

    #[inline(always)]
    unsafe fn everywhere(lowest: Self) -> Self {
        instruction!(Self(_mm512_permutex_epi64::<0>(lowest.0)))
    }

    #[inline(always)]
    unsafe fn zero() -> Self {
        instruction!(Self(<__m512i as Vector>::zero()))
    }

    #[inline(always)]
    unsafe fn load(words: *const u64) -> Self {
        instruction!(Self(<__m512i as Vector>::load(words)))
    }

    #[inline(always)]
    unsafe fn digit() -> Self {
        instruction!(Self(<__m512i as Vector>::digit()))
    }

    #[inline(always)]
    unsafe fn store(self, words: *mut u64) {
        instruction!(self.0.store(words))
    }

    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        instruction!(Self(Vector::add(self.0, other.0)))
    }

    #[inline(always)]
    unsafe fn and(self, other: Self) -> Self {
        instruction!(Self(Vector::and(self.0, other.0)))
    }

    #[inline(always)]
    unsafe fn or_under(self, other: Self, mask: Self) -> Self {
        instruction!(Self(Vector::or_under(self.0, other.0, mask.0)))
    }

    #[inline(always)]
    unsafe fn carried(self) -> Self {
        instruction!(Self(Vector::carried(self.0)))
    }

    #[inline(always)]
    unsafe fn carried_above<const SPARE: u32>(self) -> Self {
        instruction!(Self(Vector::carried_above::<SPARE>(self.0)))
    }

    #[inline(always)]
    unsafe fn lowest<const SPARE: u32>(self) -> Self {
        instruction!(Self(Vector::lowest::<SPARE>(self.0)))
    }

    #[inline(always)]
    unsafe fn raised<const SPARE: u32>(self) -> Self {
        instruction!(Self(Vector::raised::<SPARE>(self.0)))
    }

    #[inline(always)]
    unsafe fn doubled_carried(self) -> Self {
        instruction!(Self(Vector::doubled_carried(self.0)))
    }

    #[inline(always)]
    unsafe fn add_low(&mut self, a: &Self, b: &Self) {
        instruction!(self.0.add_low(&a.0, &b.0))
    }

    #[inline(always)]
    unsafe fn add_high(&mut self, a: &Self, b: &Self) {
        instruction!(self.0.add_high(&a.0, &b.0))
    }

    #[inline(always)]
    unsafe fn gather(self, places: &Places, keep: u8) -> Self {
        instruction!(Self(Vector::gather(self.0, places, keep)))
    }

    #[inline(always)]
    unsafe fn blend(self, other: Self, mask: u8) -> Self {
        instruction!(Self(Vector::blend(self.0, other.0, mask)))
    }

    #[inline(always)]
    unsafe fn increment(self, mask: u32) -> Self {
        instruction!(Self(Vector::increment(self.0, mask)))
    }

    #[inline(always)]
    unsafe fn above(self, other: Self) -> u32 {
        instruction!(Vector::above(self.0, other.0))
    }

    #[inline(always)]
    unsafe fn equal(self, other: Self) -> u32 {
        instruction!(Vector::equal(self.0, other.0))
    }

    #[inline(always)]
    unsafe fn sign(self) -> Self {
        instruction!(Self(Vector::sign(self.0)))
    }

    #[inline(always)]
    unsafe fn without(self, other: Self) -> Self {
        instruction!(Self(Vector::without(self.0, other.0)))
    }
}
