//! Masked look-ups.

use super::vector::Vector;
use crate::kernel::mask;

/// The masked look-up, eight vectors of the entries at a time.
///
/// # Safety
/// As for [`Vector`]; `first` is as long as `out`, and that is a multiple of a vector.
#[inline(always)]
pub(super) unsafe fn select<V: Vector>(out: &mut [u64], first: &[u64], row: &[u64], index: u64) {
    let size = out.len();
    let none = mask::equal(index, 0);
    for (block, out) in out.chunks_mut(8 * V::LANES).enumerate() {
        let vectors = out.len() / V::LANES;
        // SAFETY: every address lies within its slice: (8·block + v + 1)·lanes ≤ size.
        unsafe {
            let at = |entry: *const u64, v: usize| V::load(entry.add(V::LANES * (8 * block + v)));
            let keep = V::splat(&none);
            let mut found = [V::zero(); 8];
            for (v, found) in found.iter_mut().enumerate() {
                if v < vectors {
                    *found = at(first.as_ptr(), v).and(keep);
                }
            }
            for (i, entry) in row.chunks_exact(size).enumerate() {
                let keep = V::splat(&mask::equal(i as u64 + 1, index));
                for (v, found) in found.iter_mut().enumerate() {
                    if v < vectors {
                        *found = found.or_under(at(entry.as_ptr(), v), keep);
                    }
                }
            }
            for (v, found) in found.iter().enumerate().take(vectors) {
                found.store(out.as_mut_ptr().add(V::LANES * v));
            }
        }
    }
}
