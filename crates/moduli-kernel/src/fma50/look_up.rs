//! The masked look-up. It reads all entries, eight vectors of each at a time. The kernel `adx` uses it, too.

use core::arch::x86_64::*;

use super::constants::Fma50;

/// The number of vectors that stay in registers while all entries are read.
const BLOCK: usize = 8;

/// Vectors 0 to `N − 1` at `out` ← those of entry `index`. Entry 0 is `first`; the others are at `row`,
/// `size` words apart.
///
/// # Safety
/// The processor has AVX2; there are so many vectors at all these places.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn select_vectors<const N: usize>(
    out: *mut u64,
    first: *const u64,
    row: *const u64,
    (size, entries): (usize, usize),
    index: __m256i,
) {
    let mut place = _mm256_setzero_si256();
    let mut found = [place; N];
    let mut entry = first;
    for i in 0..=entries {
        let here = _mm256_cmpeq_epi64(place, index);
        for (v, found) in found.iter_mut().enumerate() {
            // SAFETY: the caller guarantees the vectors of an entry.
            let digits = unsafe { _mm256_loadu_si256(entry.add(4 * v) as *const __m256i) };
            *found = _mm256_or_si256(*found, _mm256_and_si256(digits, here));
        }
        place = _mm256_add_epi64(place, _mm256_set1_epi64x(1));
        entry = row.wrapping_add(size * i);
    }
    for (v, found) in found.iter().enumerate() {
        // SAFETY: as above.
        unsafe { _mm256_storeu_si256(out.add(4 * v) as *mut __m256i, *found) }
    }
}

/// `out` ← entry `index` of `first` and `row`; zeros past the end.
///
/// # Safety
/// The processor has AVX2; `first` is as long as `out`, that is a multiple of 4, and `row` a multiple of it.
#[target_feature(enable = "avx2")]
#[inline]
pub(crate) unsafe fn select(out: &mut [u64], first: &[u64], row: &[u64], index: u64) {
    let size = out.len();
    let shape = (size, row.len() / size);
    let index = _mm256_set1_epi64x(index as i64);
    for start in (0..size).step_by(4 * BLOCK) {
        let (out, first, row) =
            (out[start..].as_mut_ptr(), first[start..].as_ptr(), row.as_ptr().wrapping_add(start));
        // SAFETY: vectors `start/4 ..` are within all entries, up to `size/4`.
        unsafe {
            match (size - start) / 4 {
                1 => select_vectors::<1>(out, first, row, shape, index),
                2 => select_vectors::<2>(out, first, row, shape, index),
                3 => select_vectors::<3>(out, first, row, shape, index),
                4 => select_vectors::<4>(out, first, row, shape, index),
                5 => select_vectors::<5>(out, first, row, shape, index),
                6 => select_vectors::<6>(out, first, row, shape, index),
                7 => select_vectors::<7>(out, first, row, shape, index),
                _ => select_vectors::<BLOCK>(out, first, row, shape, index),
            }
        }
    }
}

impl Fma50 {
    /// [`select`] of residues.
    ///
    /// # Safety
    /// As there.
    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) unsafe fn select_residue(&self, out: &mut [u64], first: &[u64], row: &[u64], index: u64) {
        // SAFETY: as the caller guarantees.
        unsafe { select(out, first, row, index) }
    }
}
