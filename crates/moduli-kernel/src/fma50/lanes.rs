//! The lanes of the kernel: four residues side by side, with the products of rows.

use core::arch::x86_64::*;

use super::{constants::Fma50, digits::are_digits_vartime};
use crate::lanes::Lanes;

const LANES: usize = 4;

/// The vectors of a look-up that stay in registers.
const BLOCK: usize = 8;

impl Fma50 {
    /// Lane l of `out` ← lane l of the row `indices[l]`.
    ///
    /// # Safety
    /// The processor has AVX2; there are four indices, `out` has a multiple of four words, and `table` a
    /// multiple of that.
    #[target_feature(enable = "avx2")]
    unsafe fn select_rows(&self, out: &mut [u64], table: &[u64], indices: &[u64]) {
        let size = out.len();
        // SAFETY: the lengths are as the caller guarantees; word 4·(BLOCK·block + v) + 3 of a row is in it
        // for v < vectors.
        unsafe {
            let indices = _mm256_loadu_si256(indices.as_ptr() as *const __m256i);
            for (block, out) in out.chunks_mut(LANES * BLOCK).enumerate() {
                let vectors = out.len() / LANES;
                let mut found = [_mm256_setzero_si256(); BLOCK];
                for (i, row) in table.chunks_exact(size).enumerate() {
                    let here = _mm256_cmpeq_epi64(indices, _mm256_set1_epi64x(i as i64));
                    let row = row.as_ptr().add(LANES * BLOCK * block);
                    for (v, found) in found.iter_mut().enumerate() {
                        if v < vectors {
                            let digit = _mm256_loadu_si256(row.add(LANES * v) as *const __m256i);
                            *found = _mm256_or_si256(*found, _mm256_and_si256(digit, here));
                        }
                    }
                }
                for (v, &found) in found.iter().enumerate().take(vectors) {
                    _mm256_storeu_si256(out.as_mut_ptr().add(LANES * v) as *mut __m256i, found);
                }
            }
        }
    }
}

/// Transposes a matrix of four vectors.
#[target_feature(enable = "avx2")]
#[inline]
fn transpose(rows: [__m256i; LANES]) -> [__m256i; LANES] {
    let [a, b, c, d] = rows;
    let (even, odd) = (_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
    let (next_even, next_odd) = (_mm256_unpacklo_epi64(c, d), _mm256_unpackhi_epi64(c, d));
    [
        _mm256_permute2x128_si256::<0x20>(even, next_even),
        _mm256_permute2x128_si256::<0x20>(odd, next_odd),
        _mm256_permute2x128_si256::<0x31>(even, next_even),
        _mm256_permute2x128_si256::<0x31>(odd, next_odd),
    ]
}

impl Fma50 {
    /// Lane l of `out` ← residue `indices[l]` of `first` and `entries`. Processes two vectors of every
    /// residue at a time.
    ///
    /// # Safety
    /// The processor has AVX2; there are four indices, `out` is a row, `first` a residue and `entries` are
    /// some.
    #[target_feature(enable = "avx2")]
    unsafe fn look_up_residues(&self, out: &mut [u64], first: &[u64], entries: &[u64], indices: &[u64]) {
        let size = first.len();
        // SAFETY: vector v of a residue is in it for v < V, vector j of the row in it for j < D.
        unsafe {
            let indices: [__m256i; LANES] =
                core::array::from_fn(|lane| _mm256_set1_epi64x(indices[lane] as i64));
            for v in (0..self.vectors).step_by(2) {
                // The last vector can be alone; then it is processed twice.
                let next = (v + 1).min(self.vectors - 1);
                let mut found = [[_mm256_setzero_si256(); LANES]; 2];
                for (i, entry) in core::iter::once(first).chain(entries.chunks_exact(size)).enumerate() {
                    let place = _mm256_set1_epi64x(i as i64);
                    let at = |v: usize| _mm256_loadu_si256(entry.as_ptr().add(LANES * v) as *const __m256i);
                    let digits = [at(v), at(next)];
                    for (lane, &index) in indices.iter().enumerate() {
                        let here = _mm256_cmpeq_epi64(place, index);
                        for (found, &digits) in found.iter_mut().zip(&digits) {
                            found[lane] = _mm256_or_si256(found[lane], _mm256_and_si256(digits, here));
                        }
                    }
                }
                for (v, found) in [v, next].into_iter().zip(found) {
                    for (j, digits) in (4 * v..self.digits).zip(transpose(found)) {
                        _mm256_storeu_si256(out.as_mut_ptr().add(LANES * j) as *mut __m256i, digits);
                    }
                }
            }
        }
    }
}

impl Lanes for Fma50 {
    fn lanes(&self) -> usize {
        LANES
    }

    fn enough(&self) -> usize {
        // Measured. A single product uses short residues' vectors less efficiently.
        match self.vectors {
            0..=4 => 2,
            5..=7 => 3,
            _ => LANES,
        }
    }

    fn row_words(&self) -> usize {
        LANES * self.digits
    }

    fn scratch_words(&self) -> usize {
        // The digits and the sums of a product, and a doubled factor.
        3 * self.row_words()
    }

    fn put(&self, row: &mut [u64], lane: usize, residue: &[u64]) {
        for (digits, &digit) in row.chunks_exact_mut(LANES).zip(residue) {
            digits[lane] = digit;
        }
    }

    fn take(&self, residue: &mut [u64], row: &[u64], lane: usize) {
        residue.fill(0);
        for (digit, digits) in residue.iter_mut().zip(row.chunks_exact(LANES)) {
            *digit = digits[lane];
        }
    }

    fn mul(&self, x: &mut [u64], b: &[u64], scratch: &mut [u64]) {
        assert!(x.len() == self.row_words() && b.len() == self.row_words());
        assert!(scratch.len() >= self.scratch_words());
        debug_assert!(are_digits_vartime(x) && are_digits_vartime(b));
        // SAFETY: the constructor saw the instructions; the lengths were checked.
        unsafe { self.multiply_rows(x.as_mut_ptr(), b.as_ptr(), scratch.as_mut_ptr()) }
        debug_assert!(are_digits_vartime(x));
    }

    fn square(&self, x: &mut [u64], scratch: &mut [u64]) {
        assert!(x.len() == self.row_words() && scratch.len() >= self.scratch_words());
        debug_assert!(are_digits_vartime(x));
        // SAFETY: the constructor saw the instructions; the lengths were checked.
        unsafe { self.square_rows(x.as_mut_ptr(), scratch.as_mut_ptr()) }
        debug_assert!(are_digits_vartime(x));
    }

    fn select(&self, out: &mut [u64], table: &[u64], indices: &[u64]) {
        assert!(
            out.len() == self.row_words() && table.len().is_multiple_of(out.len()) && indices.len() == LANES
        );
        // SAFETY: the constructor saw the instructions; the lengths were checked.
        unsafe { self.select_rows(out, table, indices) }
    }

    fn look_up(&self, out: &mut [u64], first: &[u64], entries: &[u64], indices: &[u64]) {
        let row = self.row_words();
        assert!(out.len() == row * (indices.len() / LANES) && indices.len().is_multiple_of(LANES));
        assert!(first.len() == self.words() && entries.len().is_multiple_of(first.len()));
        for (out, indices) in out.chunks_exact_mut(row).zip(indices.chunks_exact(LANES)) {
            crate::fault!(
                "a look-up without a mask in the lanes of fma50",
                "kernel-checkmem operations_of_lanes",
                {
                    let size = first.len();
                    for (lane, &index) in indices.iter().enumerate() {
                        let mut entry = alloc::vec![0; size];
                        crate::faults::look_up_openly(&mut entry, first, entries, index);
                        self.put(out, lane, &entry);
                    }
                    continue;
                }
            );
            // SAFETY: the constructor saw the instructions; the lengths were checked.
            unsafe { self.look_up_residues(out, first, entries, indices) }
        }
    }
}
