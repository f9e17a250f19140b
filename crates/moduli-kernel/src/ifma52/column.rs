//! What one vector of a sum collects in one block.
//!
//! These pieces are inlined into loops compiled for AVX-512, whatever their number of callers; that is why they do not
//! name the instructions themselves. Safety, for all of them: the processor has AVX-512 IFMA.

use core::arch::x86_64::*;

/// Eight digits, each in all lanes.
pub(super) type Block = [__m512i; 8];

/// Eight digits from `words` on, each in all lanes.
///
/// # Safety
/// `words` points at eight words.
#[inline(always)]
pub(super) unsafe fn broadcast(words: *const u64) -> Block {
    // SAFETY: the caller guarantees eight words.
    core::array::from_fn(|s| unsafe { _mm512_set1_epi64(*words.add(s) as i64) })
}

/// The lanes of `low` and `high`, 16 in all, from lane 8 − s on: what an unaligned load would read s lanes before the
/// second of two adjacent vectors. s ≤ 8.
///
/// # Safety
/// The processor has AVX-512.
#[inline(always)]
pub(super) unsafe fn window(low: __m512i, high: __m512i, s: usize) -> __m512i {
    // SAFETY: the caller guarantees the instructions.
    unsafe {
        match s {
            0 => high,
            1 => _mm512_alignr_epi64::<7>(high, low),
            2 => _mm512_alignr_epi64::<6>(high, low),
            3 => _mm512_alignr_epi64::<5>(high, low),
            4 => _mm512_alignr_epi64::<4>(high, low),
            5 => _mm512_alignr_epi64::<3>(high, low),
            6 => _mm512_alignr_epi64::<2>(high, low),
            7 => _mm512_alignr_epi64::<1>(high, low),
            _ => low,
        }
    }
}

/// The sums of low and of high halves of products.
#[derive(Clone, Copy)]
pub(super) struct Column {
    low: __m512i,
    high: __m512i,
}

impl Column {
    #[inline(always)]
    pub(super) unsafe fn zero() -> Self {
        // SAFETY: the caller guarantees the instructions.
        unsafe { Self { low: _mm512_setzero_si512(), high: _mm512_setzero_si512() } }
    }

    /// The sum of both halves.
    #[inline(always)]
    pub(super) unsafe fn total(self) -> __m512i {
        // SAFETY: the caller guarantees the instructions.
        unsafe { _mm512_add_epi64(self.low, self.high) }
    }

    /// As two sums of half the length: the chain of additions is shorter.
    #[inline(always)]
    pub(super) unsafe fn short_chain(block: &Block, factor: impl Fn(usize) -> __m512i) -> __m512i {
        // SAFETY: the caller guarantees the instructions.
        unsafe {
            let low = Self::zero().add::<0, 4>(block, &factor);
            let high = Self::zero().add::<4, 8>(block, &factor);
            _mm512_add_epi64(low.total(), high.total())
        }
    }

    /// Adds digit s of the block times the factor shifted by s digits, for the digits `FROM..TO`: low halves where
    /// they stand, high halves one digit up. `factor(s)` is this column of the factor shifted by s.
    #[inline(always)]
    pub(super) unsafe fn add<const FROM: usize, const TO: usize>(
        mut self,
        block: &Block,
        factor: impl Fn(usize) -> __m512i,
    ) -> Self {
        // Written out, since a loop would not always be unrolled.
        macro_rules! digits {
            ($($s:literal)*) => {
                $(if (FROM..=TO).contains(&$s) {
                    let shifted = factor($s);
                    // SAFETY: the caller guarantees the instructions.
                    unsafe {
                        if $s != TO {
                            self.low = _mm512_madd52lo_epu64(self.low, shifted, block[$s % 8]);
                        }
                        if $s != FROM {
                            self.high = _mm512_madd52hi_epu64(self.high, shifted, block[($s + 7) % 8]);
                        }
                    }
                })*
            };
        }
        digits!(0 1 2 3 4 5 6 7 8);
        self
    }
}
