//! Carries, resolved exactly.

use core::arch::x86_64::*;

use super::digits::DIGIT;

/// Eight digits of 52 bits, and in the lowest lane the carry out of them.
#[target_feature(enable = "avx512f")]
#[inline]
pub(super) fn resolve(sum: __m512i) -> (__m512i, __m512i) {
    let zero = _mm512_setzero_si512();
    let one = _mm512_set1_epi64(1);
    let digit = _mm512_set1_epi64(DIGIT as i64);
    let high = _mm512_srli_epi64::<52>(sum);
    let sum = _mm512_add_epi64(_mm512_and_si512(sum, digit), _mm512_alignr_epi64::<7>(high, zero));
    // A carry propagates through lanes of all ones as it does in an addition of the masks.
    let generate = u32::from(_mm512_cmpgt_epu64_mask(sum, digit));
    let propagate = u32::from(_mm512_cmpeq_epu64_mask(sum, digit));
    let carries = (propagate + (generate << 1)) ^ propagate;
    let digits = _mm512_and_si512(_mm512_mask_add_epi64(sum, carries as u8, sum, one), digit);
    let carry = _mm512_alignr_epi64::<7>(zero, high);
    (digits, _mm512_mask_add_epi64(carry, (carries >> 8) as u8, carry, one))
}

/// `out` ← the sums in `acc`, a number of vectors, with all carries resolved.
///
/// # Safety
/// The processor has AVX-512; both have `vectors` vectors.
#[target_feature(enable = "avx512f")]
#[inline]
pub(super) unsafe fn normalise(out: *mut u64, acc: *mut __m512i, vectors: usize) {
    // SAFETY: acc and out have `vectors` vectors.
    unsafe {
        let digit = _mm512_set1_epi64(DIGIT as i64);
        let one = _mm512_set1_epi64(1);
        let mut below = _mm512_setzero_si512();
        let mut carry = 0u64;
        for start in (0..vectors).step_by(8) {
            let count = (vectors - start).min(8);
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

/// Functions for tests.
#[cfg(feature = "internals")]
pub mod checks {
    use super::*;
    use crate::words::Words;
    use alloc::vec::Vec;

    /// In random sums, carries do not propagate far. So these sums consist of digits that pass a carry on,
    /// generate one, or stop one, at every distance and across groups of eight vectors.
    struct Sums<'a>(&'a mut dyn FnMut() -> u64);

    impl Sums<'_> {
        fn fill(&mut self, sums: &mut [u64], round: u64) {
            let parts = [DIGIT, DIGIT, DIGIT, DIGIT, DIGIT + 1, DIGIT - 1, 0, 1, DIGIT << 9, u64::MAX];
            for sum in sums {
                let state = (self.0)();
                // Rounds differ in how often a carry is passed on.
                let choice = if state >> 40 & 63 < round % 64 { state >> 33 } else { state >> 33 & 3 };
                *sum = parts[choice as usize % parts.len()];
            }
        }
    }

    fn expected(sums: &[u64]) -> (Vec<u64>, u64) {
        let mut carry = 0u128;
        let digits = sums.iter().map(|&sum| {
            carry += u128::from(sum);
            let digit = carry as u64 & DIGIT;
            carry >>= 52;
            digit
        });
        (digits.collect(), carry as u64)
    }

    /// For the tests.
    pub fn carries_run_as_far_as_they_must(random: &mut dyn FnMut() -> u64) {
        let mut source = Sums(random);
        for vectors in [1, 2, 3, 5, 8, 9, 16, 17, 37] {
            for round in 0..2000 {
                let mut sums = Words::zero(8 * vectors);
                source.fill(&mut sums, round);
                let (expected, _) = expected(&sums);
                let mut out = Words::zero(sums.len());
                // SAFETY: the processor has the instructions; the lengths are equal.
                unsafe { normalise(out.as_mut_ptr(), sums.as_mut_ptr() as *mut __m512i, vectors) };
                assert_eq!(out[..], expected[..], "{vectors} vectors, round {round}");
            }
        }
    }

    /// For the tests.
    pub fn one_vector_keeps_what_it_carries_out(random: &mut dyn FnMut() -> u64) {
        let mut source = Sums(random);
        for round in 0..20_000 {
            let mut sums = [0u64; 8];
            source.fill(&mut sums, round);
            let (mut digits, mut carry) = ([0u64; 8], [0u64; 8]);
            // SAFETY: the processor has the instructions; the arrays are a vector long.
            unsafe {
                let (low, out) = resolve(_mm512_loadu_si512(sums.as_ptr() as *const __m512i));
                _mm512_storeu_si512(digits.as_mut_ptr() as *mut __m512i, low);
                _mm512_storeu_si512(carry.as_mut_ptr() as *mut __m512i, out);
            }
            let (expected, out) = expected(&sums);
            assert_eq!(digits[..], expected[..], "round {round}");
            assert_eq!(carry, [out, 0, 0, 0, 0, 0, 0, 0], "round {round}");
        }
    }
}
