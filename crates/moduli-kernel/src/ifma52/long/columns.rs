//! Sums of products in two columns at a time.
//!
//! These pieces are inlined into functions compiled for AVX-512; that is why they do not name the
//! instructions themselves.

use core::arch::x86_64::*;

use super::super::{
    in_order::{zmm_high, zmm_low},
    sum::each,
};

/// Sums in columns j and j + 1, and what they carry out. A sum s is of products by digits 8·i + s: it stands
/// s lanes lower than its column does, so that factors need not be shifted. Low halves of the products are in
/// sum s, and high halves in s + 1.
pub(super) struct Columns {
    low: [__m512i; 8],
    high: [__m512i; 9],
}

impl Columns {
    /// # Safety
    /// For all of these functions: the processor has AVX-512 IFMA, and all vectors and digits that are named
    /// can be read.
    #[inline(always)]
    pub(super) unsafe fn zero() -> Self {
        // SAFETY: the caller guarantees the instructions.
        let zero = unsafe { _mm512_setzero_si512() };
        Self { low: [zero; 8], high: [zero; 9] }
    }

    /// Adds the products of the first `TO` digits of a block by a vector to column j, and by the next one to
    /// j + 1.
    #[inline(always)]
    pub(super) unsafe fn add<const TO: usize>(&mut self, digits: *const u64, vectors: *const u64) {
        // SAFETY: as the caller guarantees.
        unsafe {
            let low = _mm512_loadu_si512(vectors.cast());
            let high = _mm512_loadu_si512(vectors.wrapping_add(8).cast());
            each!(s in 8, {
                if s < TO {
                    let digit = _mm512_set1_epi64(*digits.add(s) as i64);
                    zmm_low(&mut self.low[s], &low, &digit);
                    zmm_low(&mut self.high[s], &high, &digit);
                    zmm_high(if s < 7 { &mut self.low[s + 1] } else { &mut self.high[0] }, &low, &digit);
                    zmm_high(&mut self.high[s + 1], &high, &digit);
                }
            });
        }
    }

    /// Adds products by a vector to column j.
    #[inline(always)]
    pub(super) unsafe fn add_low<const TO: usize>(&mut self, digits: *const u64, vector: *const u64) {
        // SAFETY: as the caller guarantees.
        unsafe {
            let vector = _mm512_loadu_si512(vector.cast());
            each!(s in 8, {
                if s < TO {
                    let digit = _mm512_set1_epi64(*digits.add(s) as i64);
                    zmm_low(&mut self.low[s], &vector, &digit);
                    zmm_high(if s < 7 { &mut self.low[s + 1] } else { &mut self.high[0] }, &vector, &digit);
                }
            });
        }
    }

    /// Adds products by a vector to column j + 1.
    #[inline(always)]
    pub(super) unsafe fn add_high<const TO: usize>(&mut self, digits: *const u64, vector: *const u64) {
        // SAFETY: as the caller guarantees.
        unsafe {
            let vector = _mm512_loadu_si512(vector.cast());
            each!(s in 8, {
                if s < TO {
                    let digit = _mm512_set1_epi64(*digits.add(s) as i64);
                    zmm_low(&mut self.high[s], &vector, &digit);
                    zmm_high(&mut self.high[s + 1], &vector, &digit);
                }
            });
        }
    }

    /// Twice as much.
    #[inline(always)]
    pub(super) unsafe fn double(&mut self) {
        // SAFETY: the caller guarantees the instructions.
        unsafe {
            each!(s in 8, {
                self.low[s] = _mm512_add_epi64(self.low[s], self.low[s]);
                self.high[s] = _mm512_add_epi64(self.high[s], self.high[s]);
            });
            self.high[8] = _mm512_add_epi64(self.high[8], self.high[8]);
        }
    }

    /// Both columns, above the sums of the column below, which are consumed: those of column j + 1 take their
    /// place.
    #[inline(always)]
    pub(super) unsafe fn totals(self, below: &mut [__m512i; 9]) -> [__m512i; 2] {
        // SAFETY: the caller guarantees the instructions.
        unsafe {
            let Self { low, high } = self;
            let mut parts = [[_mm512_setzero_si512(); 8]; 2];
            each!(s in 8, {
                parts[0][s] = window(below[s], low[s], s);
                parts[1][s] = window(low[s], high[s], s);
            });
            // All lanes of sum 8 belong to the next column.
            let totals = [_mm512_add_epi64(total(&parts[0]), below[8]), total(&parts[1])];
            *below = high;
            totals
        }
    }
}

/// The lanes of `low` and `high`, 16 in all, from lane 8 − s on: what an unaligned load would read s lanes
/// before the second of two adjacent vectors. s ≤ 8.
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

/// The sum of eight vectors.
#[inline(always)]
unsafe fn total(parts: &[__m512i; 8]) -> __m512i {
    // SAFETY: the caller guarantees the instructions.
    unsafe {
        let [low, high] = [
            _mm512_add_epi64(_mm512_add_epi64(parts[0], parts[1]), _mm512_add_epi64(parts[2], parts[3])),
            _mm512_add_epi64(_mm512_add_epi64(parts[4], parts[5]), _mm512_add_epi64(parts[6], parts[7])),
        ];
        _mm512_add_epi64(low, high)
    }
}
