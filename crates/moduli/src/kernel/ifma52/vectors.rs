//! Passes over all vectors of a residue: products, carries, masked look-ups.

use core::arch::x86_64::*;

use super::{block::Factor, constants::Ifma52, digits::DIGIT};
use crate::kernel::mask;

impl Ifma52 {
    /// `out` ← the sums in `acc` with all carries resolved.
    ///
    /// # Safety
    /// The processor has AVX-512; both have `8·vectors` words.
    #[target_feature(enable = "avx512f")]
    #[inline]
    unsafe fn normalise(&self, out: *mut u64, acc: *mut __m512i) {
        // SAFETY: acc and out have `vectors` vectors.
        unsafe {
            let digit = _mm512_set1_epi64(DIGIT as i64);
            let one = _mm512_set1_epi64(1);
            let mut below = _mm512_setzero_si512();
            let mut carry = 0u64;
            for start in (0..self.vectors).step_by(8) {
                let count = (self.vectors - start).min(8);
                let (mut generate, mut propagate) = (0u64, 0u64);
                for i in 0..count {
                    let sum = _mm512_loadu_si512(acc.add(start + i));
                    let high = _mm512_srli_epi64::<52>(sum);
                    let carried = _mm512_alignr_epi64::<7>(high, below);
                    below = high;
                    let sum = _mm512_add_epi64(_mm512_and_si512(sum, digit), carried);
                    generate |= u64::from(_mm512_cmpgt_epu64_mask(sum, digit)) << (8 * i);
                    propagate |= u64::from(_mm512_cmpeq_epu64_mask(sum, digit)) << (8 * i);
                    _mm512_storeu_si512(acc.add(start + i), sum);
                }
                // A carry runs through lanes of all ones as it does in an addition of the masks.
                let (sum, overflow) = propagate.overflowing_add(generate << 1 | carry);
                let carries = sum ^ propagate;
                carry = generate >> 63 | u64::from(overflow);
                for i in 0..count {
                    let sum = _mm512_loadu_si512(acc.add(start + i));
                    let sum = _mm512_mask_add_epi64(sum, (carries >> (8 * i)) as u8, sum, one);
                    let sum = _mm512_and_si512(sum, digit);
                    _mm512_storeu_si512(out.add(8 * (start + i)) as *mut __m512i, sum);
                }
            }
        }
    }

    /// `x` ← the factor times its multiplier digits, reduced by `blocks` blocks.
    ///
    /// # Safety
    /// The processor has AVX-512 IFMA; the pieces have `8·vectors` words each, the multiplier `factor.digits`, and `x`
    /// has `8·vectors` to be written.
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) unsafe fn multiply(&self, x: *mut u64, factor: &Factor, blocks: usize, scratch: &mut [u64]) {
        assert!(scratch.len() >= 8 * (self.vectors + 1));
        // SAFETY: the scratch space holds vectors + 1 vectors; the caller vouches for the rest.
        unsafe {
            let acc = scratch.as_mut_ptr() as *mut __m512i;
            for i in 0..=self.vectors {
                _mm512_storeu_si512(acc.add(i), _mm512_setzero_si512());
            }
            for block in 0..blocks {
                self.block(acc, factor, 8 * block);
            }
            self.normalise(x, acc);
        }
    }

    /// The masked look-up, eight vectors of the entries at a time.
    ///
    /// # Safety
    /// The processor has AVX-512; `first` is as long as `out`, and that is a multiple of 8.
    #[target_feature(enable = "avx512f")]
    pub(super) unsafe fn select_vectors(&self, out: &mut [u64], first: &[u64], row: &[u64], index: u64) {
        let size = out.len();
        let none = mask::equal(index, 0) as i64;
        for (block, out) in out.chunks_mut(64).enumerate() {
            let vectors = out.len() / 8;
            // SAFETY: every address lies within its slice: block·64 + 8·v + 8 ≤ size.
            unsafe {
                let at = |entry: *const u64, v: usize| {
                    _mm512_loadu_epi64(entry.add(64 * block + 8 * v) as *const i64)
                };
                let mut found: [__m512i; 8] = core::array::from_fn(|v| {
                    let word = if v < vectors { at(first.as_ptr(), v) } else { _mm512_setzero_si512() };
                    _mm512_and_si512(word, _mm512_set1_epi64(none))
                });
                for (i, entry) in row.chunks_exact(size).enumerate() {
                    let keep = _mm512_set1_epi64(mask::equal(i as u64 + 1, index) as i64);
                    for (v, found) in found.iter_mut().enumerate() {
                        if v < vectors {
                            // found | (word & keep)
                            *found = _mm512_ternarylogic_epi64::<0xf8>(*found, at(entry.as_ptr(), v), keep);
                        }
                    }
                }
                for (v, found) in found.iter().enumerate().take(vectors) {
                    _mm512_storeu_si512(out.as_mut_ptr().add(8 * v) as *mut __m512i, *found);
                }
            }
        }
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;
    use crate::kernel::Words;

    /// The carries of random sums are too short to reach what carries can do: these sums are made of digits that
    /// pass a carry on, give one, or stop one, at every distance and across groups of eight vectors.
    #[test]
    fn carries_run_as_far_as_they_must() {
        if !Ifma52::is_supported() {
            return;
        }
        let parts = [DIGIT, DIGIT, DIGIT, DIGIT, DIGIT + 1, DIGIT - 1, 0, 1, DIGIT << 9, u64::MAX];
        let mut state = 1u64;
        for limbs in [1, 5, 6, 12, 26, 51, 52, 58, 110, 240] {
            let Some(kernel) = Ifma52::new(&vec![u64::MAX; limbs]) else { panic!("{limbs} limbs") };
            for round in 0..2000 {
                let mut sums = Words::zero(8 * kernel.vectors);
                for sum in sums.iter_mut() {
                    state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    // Rounds differ in how often a carry may pass.
                    let choice = if state >> 40 & 63 < round % 64 { state >> 33 } else { state >> 33 & 3 };
                    *sum = parts[choice as usize % parts.len()];
                }
                let mut expected = Vec::new();
                let mut carry = 0u128;
                for &sum in sums.iter() {
                    carry += u128::from(sum);
                    expected.push(carry as u64 & DIGIT);
                    carry >>= 52;
                }
                let mut out = Words::zero(sums.len());
                // SAFETY: the kernel exists, so the processor has the instructions; the lengths are equal.
                unsafe { kernel.normalise(out.as_mut_ptr(), sums.as_mut_ptr() as *mut __m512i) };
                assert_eq!(out[..], expected[..], "{limbs} limbs, round {round}");
            }
        }
    }
}
