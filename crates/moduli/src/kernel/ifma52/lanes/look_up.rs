//! Masked look-ups for eight lanes.

use core::arch::x86_64::*;

use super::{
    super::{
        look_up::{Countdown, take},
        vector::Vector,
    },
    Rows,
};

/// Masks of eight lanes for as many entries as are prepared at a time.
const MASKS: usize = 32;
type Masks = [__m512i; MASKS];

impl Rows {
    /// Lane l of `out` ← lane l of the row `indices[l]`.
    ///
    /// # Safety
    /// The processor has AVX-512; there are eight indices, `out` is a row, and `table` so many.
    #[target_feature(enable = "avx512f")]
    pub(super) unsafe fn select_rows(&self, out: &mut [u64], table: &[u64], indices: &[u64]) {
        // SAFETY: the lengths are as the caller guarantees.
        unsafe {
            let indices = <__m512i as Vector>::load(indices.as_ptr());
            let (mut start, size) = (0, out.len());
            while size - start >= 80 {
                select_vectors::<10>(&mut out[start..], &table[start..], size, indices);
                start += 80;
            }
            if start < size {
                select_vectors::<5>(&mut out[start..], &table[start..], size, indices);
            }
        }
    }

    /// Lane l of `out` ← residue `indices[l]` of `first` and `entries`.
    ///
    /// # Safety
    /// The processor has AVX-512; there are eight indices, `out` is a row, `first` a residue and `entries` are some.
    #[target_feature(enable = "avx512f")]
    pub(super) unsafe fn look_up_residues(
        &self,
        out: &mut [u64],
        first: &[u64],
        entries: &[u64],
        indices: &[u64],
    ) {
        let mut masks: Masks = [_mm512_setzero_si512(); MASKS];
        let mut v = 0;
        let vectors = self.there.len();
        while v < vectors {
            // SAFETY: as the caller guarantees; so many vectors are left.
            v += unsafe {
                match vectors - v {
                    1 => self.look_up_vectors::<1>(out, first, entries, indices, v, &mut masks),
                    2 | 4 => self.look_up_vectors::<2>(out, first, entries, indices, v, &mut masks),
                    _ => self.look_up_vectors::<3>(out, first, entries, indices, v, &mut masks),
                }
            };
        }
        for mask in &mut masks {
            // SAFETY: it is a reference.
            unsafe { core::ptr::write_volatile(mask, _mm512_setzero_si512()) };
        }
    }

    /// The same for N vectors of the residues from vector v on; returns N. All entries are read once, and what is found for
    /// eight lanes stays in registers.
    ///
    /// A lane's mask is broadcast from memory, where all lanes' are written for some entries in advance: that takes nothing
    /// of the units that choose. Registers for masks are too few for eight lanes.
    ///
    /// # Safety
    /// As for [`look_up_residues`](Self::look_up_residues); the row has these vectors.
    #[target_feature(enable = "avx512f")]
    unsafe fn look_up_vectors<const N: usize>(
        &self,
        out: &mut [u64],
        first: &[u64],
        entries: &[u64],
        indices: &[u64],
        v: usize,
        masks: &mut Masks,
    ) -> usize {
        let size = first.len();
        // SAFETY: what is there of a vector is in the residue; its digits have places in a row.
        unsafe {
            // The last vector of an entry may be half a one. It is read without a mask, with which the others might be joined.
            let last_is_whole = size - 8 * (v + N - 1) >= 8;
            let load = |words: *const u64, n: usize| match n < N - 1 || last_is_whole {
                true => _mm512_loadu_si512(words.add(8 * n).cast()),
                false => _mm512_zextsi256_si512(_mm256_loadu_si256(words.add(8 * n).cast())),
            };
            let mut found = [[_mm512_setzero_si512(); N]; 8];
            let mut countdown = Countdown::new(<__m512i as Vector>::load(indices.as_ptr()));
            // Not in a closure, which would keep what is found in memory.
            for all in [first, entries] {
                for some in all.chunks(MASKS * size) {
                    let some = some.chunks_exact(size);
                    for mask in &mut masks[..some.len()] {
                        *mask = countdown.next();
                    }
                    for (entry, mask) in some.zip(&*masks) {
                        let words = entry.as_ptr().add(8 * v);
                        let digits: [__m512i; N] = core::array::from_fn(|n| load(words, n));
                        let masks: *const i64 = (mask as *const __m512i).cast();
                        for (lane, found) in found.iter_mut().enumerate() {
                            let mask = _mm512_set1_epi64(*masks.add(lane));
                            for (found, &digits) in found.iter_mut().zip(&digits) {
                                *found = found.or_under(digits, mask);
                            }
                        }
                    }
                }
            }
            for n in 0..N {
                // The digits of the vector become the same lane of as many digits.
                let there = self.there[v + n];
                let targets = _mm512_loadu_si512(self.targets.as_ptr().add(8 * (v + n)).cast());
                for (lane, found) in found.iter().enumerate() {
                    let digit = out.as_mut_ptr().add(lane);
                    _mm512_mask_i64scatter_epi64::<8>(digit.cast(), there, targets, found[n]);
                }
            }
        }
        N
    }
}

/// The same for N vectors of rows that begin `size` words after one another in `table`.
///
/// # Safety
/// The processor has AVX-512; `out` has N vectors, as has what is left of each row.
#[target_feature(enable = "avx512f")]
unsafe fn select_vectors<const N: usize>(out: &mut [u64], table: &[u64], size: usize, indices: __m512i) {
    // SAFETY: the caller guarantees instructions and lengths.
    unsafe {
        let mut found = [_mm512_setzero_si512(); N];
        let mut countdown = Countdown::new(indices);
        for row in table.chunks(size) {
            take(&mut found, row.as_ptr(), countdown.next());
        }
        for (v, found) in found.into_iter().enumerate() {
            _mm512_storeu_si512(out.as_mut_ptr().add(8 * v).cast(), found);
        }
    }
}
