//! The masked look-up. It reads all entries, eight vectors of each at a time.

use core::arch::wasm32::*;

use super::vector::{load, store};
use crate::fma50::constants::Fma50;

/// The number of vectors that stay in registers while all entries are read. A residue has an even number of
/// vectors.
const BLOCK: usize = 8;

/// Vectors 0 to `N − 1` at `out` ← those of entry `index`. Entry 0 is `first`; the others are at `row`,
/// `size` words apart.
///
/// # Safety
/// There are so many vectors at all these places.
#[inline(always)]
unsafe fn select_vectors<const N: usize>(
    out: *mut u64,
    first: *const u64,
    row: *const u64,
    (size, entries): (usize, usize),
    index: v128,
) {
    let mut place = i64x2_splat(0);
    let mut found = [place; N];
    let mut entry = first;
    for i in 0..=entries {
        let here = i64x2_eq(place, index);
        for (v, found) in found.iter_mut().enumerate() {
            // SAFETY: the caller guarantees the vectors of an entry.
            let digits = unsafe { load(entry.add(2 * v)) };
            *found = v128_or(*found, v128_and(digits, here));
        }
        place = i64x2_add(place, i64x2_splat(1));
        entry = row.wrapping_add(size * i);
    }
    for (v, found) in found.iter().enumerate() {
        // SAFETY: as above.
        unsafe { store(out.add(2 * v), *found) }
    }
}

impl Fma50 {
    /// `out` ← entry `index` of `first` and `row`; zeros past the end.
    ///
    /// # Safety
    /// `first` is as long as `out`, that is a multiple of 4, and `row` a multiple of it.
    pub(in crate::fma50) unsafe fn select_residue(
        &self,
        out: &mut [u64],
        first: &[u64],
        row: &[u64],
        index: u64,
    ) {
        let size = out.len();
        let shape = (size, row.len() / size);
        let index = u64x2_splat(index);
        for start in (0..size).step_by(2 * BLOCK) {
            let (out, first, row) =
                (out[start..].as_mut_ptr(), first[start..].as_ptr(), row.as_ptr().wrapping_add(start));
            // SAFETY: vectors `start/2 ..` are within all entries, up to `size/2`.
            unsafe {
                match (size - start) / 4 {
                    1 => select_vectors::<2>(out, first, row, shape, index),
                    2 => select_vectors::<4>(out, first, row, shape, index),
                    3 => select_vectors::<6>(out, first, row, shape, index),
                    _ => select_vectors::<BLOCK>(out, first, row, shape, index),
                }
            }
        }
    }
}
