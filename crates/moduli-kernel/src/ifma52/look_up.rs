//! Masked look-ups.

use super::vector::{Places, Vector};
use crate::mask;

/// Generates the masks of successive entries: all ones for the wanted entry, 0 for the others.
pub(super) struct Countdown<V> {
    left: V,
    passed: V,
    step: V,
}

impl<V: Vector> Countdown<V> {
    /// In each lane, for the entry with this number; for no entry if the number is negative (as half of all
    /// words are).
    ///
    /// # Safety
    /// As for [`Vector`].
    #[inline(always)]
    pub(super) unsafe fn new(indices: V) -> Self {
        // SAFETY: as the caller guarantees.
        unsafe { Self { left: indices, passed: indices.sign(), step: V::splat(&u64::MAX) } }
    }

    /// The mask of the next entry: the remaining count changes its sign at the wanted entry. The mask is
    /// computed by arithmetic, because a comparison could become a masked load, which need not touch the
    /// memory.
    ///
    /// # Safety
    /// As for [`Vector`].
    #[inline(always)]
    pub(super) unsafe fn next(&mut self) -> V {
        // SAFETY: as the caller guarantees.
        unsafe {
            self.left = self.left.add(self.step);
            let passes = self.left.sign();
            let keep = passes.without(self.passed);
            self.passed = passes;
            keep
        }
    }
}

/// Generates the masks of entries for one number, as [`Countdown`] does, but for as many entries at a time as
/// a vector has lanes.
struct Masks<V> {
    /// For each lane, the remaining count before its entry and after it.
    left: V,
    passed: V,
    step: V,
}

/// Each lane, broadcast to all lanes.
static EVERYWHERE: [Places; 8] = [[0; 8], [1; 8], [2; 8], [3; 8], [4; 8], [5; 8], [6; 8], [7; 8]];

impl<V: Vector> Masks<V> {
    /// For the entry with this number; for no entry if the number is negative.
    ///
    /// # Safety
    /// As for [`Vector`].
    #[inline(always)]
    unsafe fn new(index: u64) -> Self {
        const COMING: [i64; 8] = [0, -1, -2, -3, -4, -5, -6, -7];
        const PASSED: [i64; 8] = [-1, -2, -3, -4, -5, -6, -7, -8];
        // SAFETY: as the caller guarantees; the arrays have no fewer words than a vector.
        unsafe {
            let index = V::splat(&index);
            Self {
                left: index.add(V::load(COMING.as_ptr().cast())),
                passed: index.add(V::load(PASSED.as_ptr().cast())),
                step: V::splat(&(V::LANES as u64).wrapping_neg()),
            }
        }
    }

    /// Lane e contains the mask of entry e of the next entries.
    ///
    /// # Safety
    /// As for [`Vector`].
    #[inline(always)]
    unsafe fn next(&mut self) -> V {
        // SAFETY: as the caller guarantees.
        unsafe {
            // The sign changes at the wanted entry.
            let keep = self.passed.without(self.left).sign();
            self.left = self.left.add(self.step);
            self.passed = self.passed.add(self.step);
            keep
        }
    }
}

/// Adds the entry at `entry`, under a mask, to the result.
///
/// # Safety
/// As for [`Vector`]; there are N vectors at `entry`.
#[inline(always)]
pub(super) unsafe fn take<V: Vector, const N: usize>(found: &mut [V; N], entry: *const u64, keep: V) {
    for (v, found) in found.iter_mut().enumerate() {
        // SAFETY: as the caller guarantees.
        *found = unsafe { found.or_under(V::load(entry.add(V::LANES * v)), keep) };
    }
}

/// Looks up the entries with two numbers: residues of N vectors; zeros past the end. All entries are read,
/// each once for both, which halves the loads. Entries are selected by blends of registers, because operands
/// that two blends share are loaded by separate instructions without a mask.
///
/// # Safety
/// As for [`Vector`]; both `out` have N vectors.
#[inline(always)]
pub(super) unsafe fn select_two<V: Vector, const N: usize>(
    out: [*mut u64; 2],
    row: &[u64],
    indices: [u64; 2],
) {
    // SAFETY: as the caller guarantees.
    unsafe {
        let mut found = [[V::zero(); N]; 2];
        let wanted = [V::splat(&indices[0]), V::splat(&indices[1])];
        let (mut number, one) = (V::zero(), V::splat(&1));
        for entry in row.chunks_exact(V::LANES * N) {
            let here = [number.equal(wanted[0]) as u8, number.equal(wanted[1]) as u8];
            number = number.add(one);
            for v in 0..N {
                let words = V::load(entry.as_ptr().add(V::LANES * v));
                for (found, here) in found.iter_mut().zip(here) {
                    found[v] = found[v].blend(words, here);
                }
            }
        }
        for (found, out) in found.iter().zip(out) {
            for (v, found) in found.iter().enumerate() {
                found.store(out.add(V::LANES * v));
            }
        }
    }
}

/// Entry 0, and the entries from 1 on, one after the other.
#[derive(Clone, Copy)]
struct Entries {
    first: *const u64,
    others: *const u64,
    count: usize,
    /// The number of words of each entry.
    size: usize,
}

/// `out` ← N vectors of entry `index`, zeros if there is none. All entries are read; the result stays in
/// registers meanwhile.
///
/// # Safety
/// As for [`Vector`]; every entry has N vectors, and `out` has room for them.
#[inline(always)]
unsafe fn vectors<V: Vector, const N: usize>(out: *mut u64, entries: Entries, index: u64) {
    let Entries { first, others, count, mut size } = entries;
    if size == V::LANES * N {
        // Tells the compiler the number.
        size = V::LANES * N;
    }
    // SAFETY: as the caller guarantees.
    unsafe {
        let mut found = [V::zero(); N];
        take(&mut found, first, V::splat(&mask::equal(index, 0)));
        let mut masks = Masks::<V>::new(index.wrapping_sub(1));
        let mut entry = others;
        // Whole groups separately: nothing in them depends on the number of entries.
        for _ in 0..count / V::LANES {
            let keep = masks.next();
            for places in &EVERYWHERE[..V::LANES] {
                take(&mut found, entry, keep.gather(places, u8::MAX));
                entry = entry.wrapping_add(size);
            }
        }
        let keep = masks.next();
        for places in &EVERYWHERE[..count % V::LANES] {
            take(&mut found, entry, keep.gather(places, u8::MAX));
            entry = entry.wrapping_add(size);
        }
        for (v, found) in found.iter().enumerate() {
            found.store(out.add(V::LANES * v));
        }
    }
}

/// `out` ← entry `index` of a row, of which entry 0 is `first`; zeros if there is none. All entries are read.
///
/// # Safety
/// As for [`Vector`]; the length of `out` is a multiple of a vector, that of `first` the same, and that of
/// `others` a multiple of it.
#[inline(always)]
pub(super) unsafe fn select<V: Vector>(out: &mut [u64], first: &[u64], others: &[u64], index: u64) {
    let size = out.len();
    let count = others.len() / size;
    let mut start = 0;
    while start < size {
        let left = (size - start) / V::LANES;
        // SAFETY: at least this many vectors are left.
        unsafe {
            // There may be no others.
            let (first, others) = (first.as_ptr().add(start), others.as_ptr().wrapping_add(start));
            let (out, entries) = (out.as_mut_ptr().add(start), Entries { first, others, count, size });
            match left {
                1 => vectors::<V, 1>(out, entries, index),
                2 => vectors::<V, 2>(out, entries, index),
                3 => vectors::<V, 3>(out, entries, index),
                4 => vectors::<V, 4>(out, entries, index),
                5 => vectors::<V, 5>(out, entries, index),
                6 => vectors::<V, 6>(out, entries, index),
                7 => vectors::<V, 7>(out, entries, index),
                8 => vectors::<V, 8>(out, entries, index),
                9 => vectors::<V, 9>(out, entries, index),
                10 => vectors::<V, 10>(out, entries, index),
                _ => vectors::<V, 8>(out, entries, index),
            }
        }
        start += V::LANES * if left <= 10 { left } else { 8 };
    }
}
