//! Masked look-ups.

use core::arch::x86_64::*;

use super::constants::Ifma52;
use crate::kernel::mask;

impl Ifma52 {
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
