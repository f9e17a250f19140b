//! What sweeps go over: sums, and numbers that can be read shifted by a few digits.

use core::{arch::x86_64::*, ops::Range};

use super::super::{
    column::Block,
    in_order::{zmm_high, zmm_low},
    sum::each,
};
use crate::words::Words;

/// A running sum in scratch space.
#[derive(Clone, Copy)]
pub(super) struct Sum {
    /// V + 3 vectors, the last of them always 0.
    pub(super) vectors: *mut __m512i,
    /// The quotient digits of two blocks to come, and in the lowest lane of the third vector what is carried out below them.
    pub(super) quotients: *mut __m512i,
}

/// The quotients of a single block: they stand where the second of a pair has its own.
pub(super) const LAST: usize = 1;
pub(super) const CARRY: usize = 2;

/// A number of V vectors of digits between vectors of zeros.
#[derive(Clone, Copy)]
pub(super) struct Padded {
    pub(super) digits: *const u64,
}

impl Padded {
    /// Where vector j of the number shifted by s digits stands: s ≤ 8, j ≤ V.
    #[inline(always)]
    pub(super) fn vector(self, j: usize, s: usize) -> *const i64 {
        self.digits.wrapping_add(8 * j).wrapping_sub(s) as *const i64
    }
}

/// A number of V vectors of digits, shifted by 0..8 digits: eight copies of V + 1 vectors, and a vector of zeros before
/// them.
pub(super) struct Shifted {
    words: Words,
    vectors: usize,
}

impl Shifted {
    pub(super) fn new(digits: &[u64]) -> Self {
        let vectors = digits.len() / 8;
        let mut words = Words::zero(8 + 8 * 8 * (vectors + 1));
        for (s, copy) in words[8..].chunks_exact_mut(8 * (vectors + 1)).enumerate() {
            copy[s..s + digits.len()].copy_from_slice(digits);
        }
        Self { words, vectors }
    }

    /// All copies, and the zeros before them.
    pub(super) fn words(&self) -> &[u64] {
        &self.words
    }

    /// Where vector j of the number shifted by s digits stands: s ≤ 8, j ≤ V.
    #[inline(always)]
    pub(super) fn vector(&self, j: usize, s: usize) -> *const i64 {
        let index = 1 + (s % 8) * (self.vectors + 1) + j - s / 8;
        debug_assert!(s <= 8 && j <= self.vectors && 8 * index < self.words.len());
        self.words.as_ptr().wrapping_add(8 * index) as *const i64
    }
}

/// Adds N ≤ 2 columns of the products of two blocks by a factor to N sums: column n of the first and n − 1 of the second to sum n.
/// Takes and returns the column of the second block that waits for the next sum. Of the second block only the first `TO` digits are
/// not 0. `factor(n, s)` is column n of the factor shifted by s.
///
/// # Safety
/// The processor has AVX-512 IFMA.
#[inline(always)]
unsafe fn products<const N: usize, const TO: usize>(
    blocks: &[Block; 2],
    factor: impl Fn(usize, usize) -> __m512i,
    sums: [__m512i; N],
    waits: __m512i,
) -> ([__m512i; N], __m512i) {
    // SAFETY: the caller guarantees the instructions.
    unsafe {
        let zero = [[_mm512_setzero_si512(); 2]; N];
        let (mut low, mut high) = (zero, zero);
        // What is there already is where the products begin: an addition takes the time of a product.
        each!(n in N, 0 1, {
            low[n][0] = sums[n];
        });
        high[0][0] = waits;
        // In the order of the digits, so that many are under way at a time.
        each!(s in 9, {
            each!(n in N, 0 1, {
                let shifted = factor(n, s);
                each!(b in 2, {
                    let to = [8, TO][b];
                    if s < to {
                        zmm_low(&mut low[n][b], &shifted, &blocks[b][s % 8]);
                    }
                    if 0 < s && s <= to {
                        zmm_high(&mut high[n][b], &shifted, &blocks[b][(s + 7) % 8]);
                    }
                });
            });
        });
        let total = |n: usize, b: usize| _mm512_add_epi64(low[n][b], high[n][b]);
        let mut totals = [total(0, 0); N];
        if N > 1 {
            totals[N - 1] = _mm512_add_epi64(total(N - 1, 0), total(0, 1));
        }
        (totals, total(N - 1, 1))
    }
}

/// Adds columns of the products of two blocks by a factor, column j of the first and j − 1 of the second to vector j of the
/// sum, which is written `DOWN` vectors below and was `DOWN` above. Takes and returns the column of the second block that waits.
///
/// # Safety
/// The processor has AVX-512 IFMA; the factor and the sum have these columns.
#[inline(always)]
pub(super) unsafe fn sweep<const DOWN: usize, const TO: usize>(
    vectors: *mut __m512i,
    blocks: &[Block; 2],
    factor: impl Fn(usize, usize) -> *const i64,
    columns: Range<usize>,
    mut waits: __m512i,
) -> __m512i {
    // SAFETY: as the caller guarantees.
    unsafe {
        macro_rules! columns {
            ($j:expr, $count:literal) => {
                let sums = core::array::from_fn(|n| _mm512_loadu_si512(vectors.add($j + n + DOWN)));
                let factor = |n, s| _mm512_loadu_epi64(factor($j + n, s));
                let (totals, rest) = products::<$count, TO>(blocks, factor, sums, waits);
                for (n, total) in totals.into_iter().enumerate() {
                    _mm512_storeu_si512(vectors.add($j + n - DOWN), total);
                }
                waits = rest;
            };
        }
        let mut j = columns.start;
        while j + 1 < columns.end {
            columns!(j, 2);
            j += 2;
        }
        if j < columns.end {
            columns!(j, 1);
        }
        waits
    }
}
