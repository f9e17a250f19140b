//! One block: eight digits of the multiplier, and eight steps of reduction.

use core::arch::x86_64::*;

use super::constants::Ifma52;

/// What a block multiplies: pieces of a factor and the multiplier digits of each.
pub(super) struct Factor {
    pub(super) pieces: *const u64,
    /// Words from one piece to the next.
    pub(super) stride: usize,
    pub(super) count: usize,
    pub(super) multiplier: *const u64,
    /// Digits from one piece's multiplier to the next.
    pub(super) step: usize,
    /// Digits of the multiplier: what lies beyond is zero.
    pub(super) digits: usize,
}

impl Factor {
    /// Multiplier digits `first .. first + 8` of a piece, each in all lanes; those outside its range are 0.
    ///
    /// # Safety
    /// The processor has AVX-512; the multiplier has `digits` words.
    #[target_feature(enable = "avx512f")]
    #[inline]
    unsafe fn multipliers(&self, piece: usize, first: usize) -> [__m512i; 8] {
        let start = piece * self.step;
        let end = self.digits.min(start + self.step);
        core::array::from_fn(|s| {
            let index = start + first + s;
            if index < end {
                // SAFETY: the index lies within the multiplier's digits.
                _mm512_set1_epi64(unsafe { *self.multiplier.add(index) } as i64)
            } else {
                _mm512_setzero_si512()
            }
        })
    }
}

/// What the vectors above the lowest take from a block.
struct Step {
    /// The multiplier digits of the first piece, each in all lanes.
    x: [__m512i; 8],
    /// Their index: the other pieces' digits are read when their turn comes.
    first: usize,
    /// The quotient digits, each in all lanes.
    quotients: [__m512i; 8],
    /// The carry out of the lowest vector, in lane 0.
    carry: __m512i,
}

impl Ifma52 {
    /// Eight words of a factor, lanes 8·j − s …; lanes outside its `8·vectors` words are 0.
    ///
    /// # Safety
    /// The processor has AVX-512; the factor has `8·vectors` words; s ≤ 8, and without `EDGE` 0 < j < vectors, with it
    /// j is 0 or `vectors`.
    #[target_feature(enable = "avx512f")]
    #[inline]
    unsafe fn load<const EDGE: bool>(&self, factor: *const u64, j: usize, s: usize) -> __m512i {
        // SAFETY: masked lanes are not accessed; the others lie within the factor.
        unsafe {
            let address = factor.wrapping_offset(8 * j as isize - s as isize) as *const i64;
            if !EDGE {
                return _mm512_loadu_epi64(address);
            }
            let valid: u8 = if j == 0 { ((0xffu32 << s) & 0xff) as u8 } else { ((1u32 << s) - 1) as u8 };
            _mm512_maskz_loadu_epi64(valid, address)
        }
    }

    /// H shifted by s digits, vector j.
    ///
    /// # Safety
    /// The processor has AVX-512; s/8 ≤ j ≤ vectors.
    #[target_feature(enable = "avx512f")]
    #[inline]
    unsafe fn high(&self, j: usize, s: usize) -> __m512i {
        let index = (s % 8) * (self.vectors + 1) + j - s / 8;
        // SAFETY: the index lies within the eight copies of vectors + 1 vectors.
        unsafe { _mm512_loadu_epi64(self.shifted.as_ptr().add(8 * index) as *const i64) }
    }

    /// Adds a block of multiplier digits times the factor to `sums`, vectors j … j + G − 1, low and high halves.
    ///
    /// # Safety
    /// The processor has AVX-512 IFMA; for all these vectors as for `load`.
    #[target_feature(enable = "avx512f,avx512ifma")]
    #[inline]
    unsafe fn multiply_block<const G: usize, const EDGE: bool>(
        &self,
        sums: &mut [[__m512i; 2]; G],
        factor: *const u64,
        j: usize,
        x: &[__m512i; 8],
    ) {
        for s in 0..=8 {
            for (g, [low, high]) in sums.iter_mut().enumerate() {
                // SAFETY: as for `load`.
                let b = unsafe { self.load::<EDGE>(factor, j + g, s) };
                if s < 8 {
                    *low = _mm512_madd52lo_epu64(*low, b, x[s]);
                }
                if s > 0 {
                    *high = _mm512_madd52hi_epu64(*high, b, x[s - 1]);
                }
            }
        }
    }

    /// Works vectors j … j + G − 1 of a block off and moves them one vector down.
    ///
    /// # Safety
    /// The processor has AVX-512 IFMA; `acc` has `vectors + 1` vectors, and 1 ≤ j, j + G − 1 ≤ vectors; as for `load`
    /// with every piece of the factor, and as for `multipliers`.
    #[target_feature(enable = "avx512f,avx512ifma")]
    #[inline]
    unsafe fn advance<const G: usize, const EDGE: bool>(
        &self,
        acc: *mut __m512i,
        j: usize,
        factor: &Factor,
        step: &Step,
    ) {
        // SAFETY: acc has vectors + 1 vectors, j + G − 1 ≤ vectors; as for `load` and `high`.
        unsafe {
            let zero = _mm512_setzero_si512();
            let mut sums = [[zero; 2]; G];
            self.multiply_block::<G, EDGE>(&mut sums, factor.pieces, j, &step.x);
            for piece in 1..factor.count {
                let x = factor.multipliers(piece, step.first);
                self.multiply_block::<G, EDGE>(&mut sums, factor.pieces.add(piece * factor.stride), j, &x);
            }
            let mut reductions = [[zero; 2]; G];
            for s in 1..=9 {
                for (g, [low, high]) in reductions.iter_mut().enumerate() {
                    let h = self.high(j + g, s);
                    if s < 9 {
                        *low = _mm512_madd52lo_epu64(*low, h, step.quotients[s - 1]);
                    }
                    if s > 1 {
                        *high = _mm512_madd52hi_epu64(*high, h, step.quotients[s - 2]);
                    }
                }
            }
            for g in 0..G {
                let old = _mm512_loadu_si512(acc.add(j + g));
                let product = _mm512_add_epi64(sums[g][0], sums[g][1]);
                let reduction = _mm512_add_epi64(reductions[g][0], reductions[g][1]);
                let mut sum = _mm512_add_epi64(_mm512_add_epi64(old, product), reduction);
                if j + g == 1 {
                    sum = _mm512_add_epi64(sum, step.carry);
                }
                _mm512_storeu_si512(acc.add(j + g - 1), sum);
            }
        }
    }

    /// One block: eight digits of each multiplier from `first` on, and eight steps of reduction.
    ///
    /// # Safety
    /// The processor has AVX-512 IFMA; `acc` has `vectors + 1` vectors; the pieces of the factor have `8·vectors` words
    /// each, its multiplier `digits`.
    #[target_feature(enable = "avx512f,avx512ifma")]
    #[inline]
    pub(super) unsafe fn block(&self, acc: *mut __m512i, factor: &Factor, first: usize) {
        // SAFETY: acc has vectors + 1 vectors; as for `load` and `high`.
        unsafe {
            let zero = _mm512_setzero_si512();
            let x = factor.multipliers(0, first);
            let mut sums = [[zero; 2]; 1];
            self.multiply_block::<1, true>(&mut sums, factor.pieces, 0, &x);
            for piece in 1..factor.count {
                let x = factor.multipliers(piece, first);
                let pieces = factor.pieces.add(piece * factor.stride);
                self.multiply_block::<1, true>(&mut sums, pieces, 0, &x);
            }
            let base = _mm512_add_epi64(sums[0][0], sums[0][1]);
            let mut base = _mm512_add_epi64(base, _mm512_loadu_si512(acc));

            // The quotient digits, one after the other: lane s of the sum and the carry of the lane below.
            let mut quotients = [zero; 8];
            let mut reduction = zero;
            let mut carry = zero;
            for (s, quotient) in quotients.iter_mut().enumerate() {
                let lane = _mm512_set1_epi64(s as i64);
                let sum = _mm512_add_epi64(base, reduction);
                let digit = _mm512_add_epi64(_mm512_permutexvar_epi64(lane, sum), carry);
                carry = _mm512_srli_epi64::<52>(digit);
                *quotient = digit;
                if s < 7 {
                    reduction = _mm512_madd52lo_epu64(reduction, self.high(0, s + 1), digit);
                }
                if s < 6 {
                    base = _mm512_madd52hi_epu64(base, self.high(0, s + 2), digit);
                }
            }
            let step = Step { x, first, quotients, carry: _mm512_maskz_mov_epi64(1, carry) };

            let inner = self.vectors - 1;
            let mut j = 1;
            while j < inner {
                self.advance::<2, false>(acc, j, factor, &step);
                j += 2;
            }
            if j <= inner {
                self.advance::<1, false>(acc, j, factor, &step);
            }
            self.advance::<1, true>(acc, self.vectors, factor, &step);
            _mm512_storeu_si512(acc.add(self.vectors), zero);
        }
    }
}
