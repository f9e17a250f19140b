//! Masked look-ups for eight lanes.

use core::arch::x86_64::*;

use super::{
    super::{
        look_up::{Countdown, take},
        sum::each,
        vector::Vector,
    },
    Rows,
};

/// How many times sixteen entries are turned before they are looked at.
const AT_ONCE: usize = 2;

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
            // Lengths are multiples of five or of four vectors.
            while start < size {
                start += match (size - start) / 8 {
                    10.. => {
                        select_vectors::<10>(&mut out[start..], &table[start..], size, indices);
                        80
                    }
                    left if left % 5 == 0 => {
                        select_vectors::<5>(&mut out[start..], &table[start..], size, indices);
                        40
                    }
                    _ => {
                        select_vectors::<2>(&mut out[start..], &table[start..], size, indices);
                        16
                    }
                };
            }
        }
    }

    /// Lane l of row r of `out` ← residue `indices[8·r + l]` of `first` and `entries`.
    ///
    /// Sixteen entries are turned at a time, so that a vector has the same digit of eight of them: one
    /// permutation of two vectors finds that digit for eight lanes, in its place. What was turned serves
    /// all rows.
    ///
    /// # Safety
    /// The processor has AVX-512; `out` is some rows, there are eight indices for each, `first` is a residue,
    /// `entries` are some.
    #[target_feature(enable = "avx512f")]
    pub(super) unsafe fn look_up_residues(
        &self,
        out: &mut [u64],
        first: &[u64],
        entries: &[u64],
        indices: &[u64],
    ) {
        let sixteens = (1 + entries.len() / first.len()).div_ceil(16);
        for v in 0..self.there.len() {
            for start in (0..sixteens).step_by(AT_ONCE) {
                let look_up = match sixteens - start {
                    1 => Self::look_up_sixteens::<1>,
                    _ => Self::look_up_sixteens::<AT_ONCE>,
                };
                // SAFETY: as the caller guarantees.
                unsafe { look_up(self, out, first, entries, indices, (v, start)) };
            }
        }
    }

    /// Vector v of residues, among N times sixteen entries from the sixteen `start` on. So each word of `out`
    /// is written once for all of them.
    ///
    /// # Safety
    /// As for [`look_up_residues`](Self::look_up_residues); there is an entry in the last sixteen.
    #[target_feature(enable = "avx512f")]
    unsafe fn look_up_sixteens<const N: usize>(
        &self,
        out: &mut [u64],
        first: &[u64],
        entries: &[u64],
        indices: &[u64],
        (v, start): (usize, usize),
    ) {
        let (size, row_words) = (first.len(), 8 * self.digits);
        let count = 1 + entries.len() / size;
        let (zero, one) = (_mm512_setzero_si512(), _mm512_set1_epi64(1));
        // The last vector of a residue may be half a one. It is read without a mask.
        let whole = size - 8 * v >= 8;
        let mut all = [[[zero; 8]; 2]; N];
        for (n, halves) in all.iter_mut().enumerate() {
            for (i, digits) in halves.as_flattened_mut().iter_mut().enumerate() {
                let entry = match 16 * (start + n) + i {
                    0 => first.as_ptr(),
                    entry if entry < count => entries.as_ptr().wrapping_add(size * (entry - 1)),
                    _ => break,
                };
                // The next vector, if there is one: entries are not read in order, as the processor would
                // foresee it. Any address may be asked for.
                _mm_prefetch::<_MM_HINT_T0>(entry.wrapping_add(8 * v + 8).cast());
                // SAFETY: vector v, or its half, is part of the entry.
                *digits = unsafe {
                    let words = entry.add(8 * v);
                    if whole {
                        _mm512_loadu_si512(words.cast())
                    } else {
                        _mm512_zextsi256_si512(_mm256_loadu_si256(words.cast()))
                    }
                };
            }
            *halves = [turned(&halves[0]), turned(&halves[1])];
        }
        for (row, indices) in out.chunks_exact_mut(row_words).zip(indices.chunks_exact(8)) {
            // SAFETY: there are eight indices.
            let wanted = unsafe { _mm512_loadu_si512(indices.as_ptr().cast()) };
            let sixteen = _mm512_srli_epi64::<4>(wanted);
            // All ones where an entry is wanted that is among sixteen. By arithmetic: a comparison could
            // become a masked load.
            let keep: [__m512i; N] = core::array::from_fn(|n| {
                let apart = _mm512_xor_si512(sixteen, _mm512_set1_epi64((start + n) as i64));
                _mm512_srai_epi64::<63>(_mm512_sub_epi64(apart, one))
            });
            each!(e in 8, {
                if self.there[v] >> e & 1 == 1 {
                    // SAFETY: the digits that are there have places in a row.
                    unsafe {
                        let place = row.as_mut_ptr().add(self.targets[8 * v + e] as usize).cast();
                        let mut sum = if start == 0 { zero } else { _mm512_loadu_si512(place) };
                        for (halves, keep) in all.iter().zip(keep) {
                            let found = _mm512_permutex2var_epi64(halves[0][e], wanted, halves[1][e]);
                            sum = sum.or_under(found, keep);
                        }
                        _mm512_storeu_si512(place, sum);
                    }
                }
            });
        }
    }
}

/// Word i of eight vectors, for each i.
#[target_feature(enable = "avx512f")]
#[inline]
fn turned(x: &[__m512i; 8]) -> [__m512i; 8] {
    // Two by two, then four by four, then halves.
    let mut two = *x;
    each!(i in 4, {
        two[2 * i] = _mm512_unpacklo_epi64(x[2 * i], x[2 * i + 1]);
        two[2 * i + 1] = _mm512_unpackhi_epi64(x[2 * i], x[2 * i + 1]);
    });
    let mut out = *x;
    each!(h in 2, {
        let [a, b, c, d] = [two[h], two[2 + h], two[4 + h], two[6 + h]];
        let even = [_mm512_shuffle_i64x2::<0x88>(a, b), _mm512_shuffle_i64x2::<0x88>(c, d)];
        let odd = [_mm512_shuffle_i64x2::<0xdd>(a, b), _mm512_shuffle_i64x2::<0xdd>(c, d)];
        out[h] = _mm512_shuffle_i64x2::<0x88>(even[0], even[1]);
        out[4 + h] = _mm512_shuffle_i64x2::<0xdd>(even[0], even[1]);
        out[2 + h] = _mm512_shuffle_i64x2::<0x88>(odd[0], odd[1]);
        out[6 + h] = _mm512_shuffle_i64x2::<0xdd>(odd[0], odd[1]);
    });
    out
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
