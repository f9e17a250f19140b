//! A part of a masked look-up, beside other work.

use core::arch::x86_64::*;

use super::super::in_order::blended;

/// Entries that one square looks at: there are so many masks.
pub(super) const LOOKED_AT: usize = 7;

/// A part of a look-up: each lane of `out` ← that of the entry it wants, if it is among these. Beside products they are read for
/// nothing.
pub(super) struct Look {
    pub(super) out: *mut __m512i,
    /// Seven rows.
    pub(super) entries: *const __m512i,
    /// Which of them each lane wants.
    pub(super) wanted: __m512i,
}

impl Look {
    /// The lanes that want each of the entries.
    #[target_feature(enable = "avx512f")]
    #[inline]
    pub(super) fn masks(&self) -> [__mmask8; LOOKED_AT] {
        core::array::from_fn(|n| _mm512_cmpeq_epi64_mask(self.wanted, _mm512_set1_epi64(n as i64)))
    }

    /// Vector `j` of rows of `length` vectors. Entries are read without a mask: which lanes of memory are read would show them.
    ///
    /// # Safety
    /// The processor has AVX-512; `out` and the entries are as long.
    #[target_feature(enable = "avx512f")]
    #[inline]
    pub(super) unsafe fn take(&self, masks: &[__mmask8; LOOKED_AT], length: usize, j: usize) {
        // SAFETY: as the caller guarantees.
        unsafe {
            let mut found = _mm512_loadu_si512(self.out.add(j));
            for (n, &mask) in masks.iter().enumerate() {
                found = blended(mask, found, _mm512_loadu_si512(self.entries.add(length * n + j)));
            }
            _mm512_storeu_si512(self.out.add(j), found);
        }
    }
}
