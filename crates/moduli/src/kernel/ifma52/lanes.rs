//! Eight residues side by side, digit j of all of them in vector j, in blocks of eight digits. Bounds are those of the
//! single residue.

use alloc::vec::Vec;
use core::arch::{asm, x86_64::*};

use super::{
    digits::DIGIT,
    divisor::{Divisor, digits_of},
    look_up::{Countdown, take},
    vector::Vector,
};
use crate::kernel::{Lanes, words::Words};

/// Eight digits of eight residues.
type Block = [__m512i; 8];

/// The modulus for residues side by side.
pub(super) struct Rows {
    /// V, of eight digits.
    vectors: usize,
    /// How many digits fewer than those R has. Products take off whole blocks all the same, but begin as many columns
    /// further up.
    spared: usize,
    /// In which word of a residue each digit stands: perhaps of fewer than 8·V.
    order: Vec<usize>,
    /// For each word of a residue, up to a multiple of eight, where in a row the lanes have its digit.
    targets: Words,
    /// H, N and −1/N for blocks of eight digits, digit by digit.
    high: Words,
    modulus: Words,
    negative_inverse: Words,
}

impl Rows {
    /// For residues with their digits in this order, a multiple of four, for which a product takes `reduced` digits off; `None` if
    /// whole blocks of eight would take off eight more.
    pub(super) fn new(divisor: &Divisor, order: Vec<usize>, reduced: usize) -> Option<Self> {
        let vectors = order.len().div_ceil(8);
        let spared = (8 * vectors)
            .checked_sub(reduced)
            .filter(|&spared| spared < 8 && order.len().is_multiple_of(4))?;
        let [negative_inverse, high] = divisor.block(416);
        let mut targets = Words::zero(8 * vectors);
        for (digit, &word) in order.iter().enumerate() {
            targets[word] = 8 * digit as u64;
        }
        Some(Self {
            vectors,
            spared,
            order,
            targets,
            high: digits_of(&high, 8 * vectors),
            modulus: digits_of(&divisor.multiple(1), 8 * vectors),
            negative_inverse: digits_of(&negative_inverse, 8),
        })
    }
}

/// Adds the products of a block with a digit to nine columns: the low halves to the first eight, the high ones a column up.
///
/// In assembly for its order alone: one after the other of the same column would wait, and that is how a compiler puts them.
///
/// # Safety
/// The processor has AVX-512 IFMA.
#[target_feature(enable = "avx512f,avx512ifma")]
#[inline]
unsafe fn halves(columns: &mut [__m512i], block: &Block, digit: __m512i) {
    let [c0, c1, c2, c3, c4, c5, c6, c7, c8] = columns else { return };
    // SAFETY: the caller guarantees the instructions; they touch no memory and no flags.
    unsafe {
        asm!(
            "vpmadd52luq {c0}, {b0}, {digit}",
            "vpmadd52luq {c1}, {b1}, {digit}",
            "vpmadd52luq {c2}, {b2}, {digit}",
            "vpmadd52luq {c3}, {b3}, {digit}",
            "vpmadd52luq {c4}, {b4}, {digit}",
            "vpmadd52luq {c5}, {b5}, {digit}",
            "vpmadd52luq {c6}, {b6}, {digit}",
            "vpmadd52luq {c7}, {b7}, {digit}",
            "vpmadd52huq {c8}, {b7}, {digit}",
            "vpmadd52huq {c1}, {b0}, {digit}",
            "vpmadd52huq {c2}, {b1}, {digit}",
            "vpmadd52huq {c3}, {b2}, {digit}",
            "vpmadd52huq {c4}, {b3}, {digit}",
            "vpmadd52huq {c5}, {b4}, {digit}",
            "vpmadd52huq {c6}, {b5}, {digit}",
            "vpmadd52huq {c7}, {b6}, {digit}",
            c0 = inout(zmm_reg) *c0,
            c1 = inout(zmm_reg) *c1,
            c2 = inout(zmm_reg) *c2,
            c3 = inout(zmm_reg) *c3,
            c4 = inout(zmm_reg) *c4,
            c5 = inout(zmm_reg) *c5,
            c6 = inout(zmm_reg) *c6,
            c7 = inout(zmm_reg) *c7,
            c8 = inout(zmm_reg) *c8,
            b0 = in(zmm_reg) block[0],
            b1 = in(zmm_reg) block[1],
            b2 = in(zmm_reg) block[2],
            b3 = in(zmm_reg) block[3],
            b4 = in(zmm_reg) block[4],
            b5 = in(zmm_reg) block[5],
            b6 = in(zmm_reg) block[6],
            b7 = in(zmm_reg) block[7],
            digit = in(zmm_reg) digit,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
}

/// Adds a block times the digits `from..to` of a factor, which are multiples of eight, to `sums`, twice if `TWICE`.
///
/// Each digit of the factor is loaded once, and the columns that its products go to stay in registers until they are complete.
///
/// # Safety
/// The processor has AVX-512 IFMA; `sums` has `to + 8` vectors, the factor digits `from..to`.
#[target_feature(enable = "avx512f,avx512ifma")]
#[inline]
unsafe fn rows<const TWICE: bool>(
    sums: *mut __m512i,
    block: &Block,
    factor: impl Fn(usize) -> __m512i + Copy,
    from: usize,
    to: usize,
) {
    // SAFETY: the caller guarantees the instructions and the vectors.
    unsafe {
        let add = |column: usize, sum: __m512i| {
            let sum = if TWICE { _mm512_slli_epi64::<1>(sum) } else { sum };
            let place = sums.add(column);
            _mm512_storeu_si512(place, _mm512_add_epi64(_mm512_loadu_si512(place), sum));
        };
        let mut begun = [_mm512_setzero_si512(); 8];
        for start in (from..to).step_by(8) {
            let mut columns = [_mm512_setzero_si512(); 16];
            columns[..8].copy_from_slice(&begun);
            halves(&mut columns[0..9], block, factor(start));
            add(start, columns[0]);
            halves(&mut columns[1..10], block, factor(start + 1));
            add(start + 1, columns[1]);
            halves(&mut columns[2..11], block, factor(start + 2));
            add(start + 2, columns[2]);
            halves(&mut columns[3..12], block, factor(start + 3));
            add(start + 3, columns[3]);
            halves(&mut columns[4..13], block, factor(start + 4));
            add(start + 4, columns[4]);
            halves(&mut columns[5..14], block, factor(start + 5));
            add(start + 5, columns[5]);
            halves(&mut columns[6..15], block, factor(start + 6));
            add(start + 6, columns[6]);
            halves(&mut columns[7..16], block, factor(start + 7));
            add(start + 7, columns[7]);
            begun.copy_from_slice(&columns[8..]);
        }
        for (k, &sum) in begun.iter().enumerate() {
            add(to + k, sum);
        }
    }
}

/// The eight lowest sums as digits, and what they carry.
///
/// # Safety
/// The processor has AVX-512; `sums` has eight vectors.
#[target_feature(enable = "avx512f")]
#[inline]
unsafe fn resolve(sums: *const __m512i) -> (Block, __m512i) {
    let digit = _mm512_set1_epi64(DIGIT as i64);
    let mut carry = _mm512_setzero_si512();
    let digits = core::array::from_fn(|s| {
        // SAFETY: the caller guarantees eight vectors.
        let sum = _mm512_add_epi64(unsafe { _mm512_loadu_si512(sums.add(s)) }, carry);
        carry = _mm512_srli_epi64::<52>(sum);
        _mm512_and_si512(sum, digit)
    });
    (digits, carry)
}

impl Rows {
    /// Reduces sums of 8·V columns more by V blocks; `out` ← digits below 3N.
    ///
    /// # Safety
    /// The processor has AVX-512 IFMA; `sums` has 16·V vectors, `out` 8·V; block i of the multiplier, `products(i)`, is
    /// added before block i is reduced.
    #[target_feature(enable = "avx512f,avx512ifma")]
    #[inline]
    unsafe fn reduce_rows(&self, out: *mut __m512i, sums: *mut __m512i, mut products: impl FnMut(usize)) {
        let digits = 8 * self.vectors;
        // SAFETY: the sums of block i begin at vector 8·i and have 8·V + 8; H and N have 8·V digits.
        unsafe {
            let high = self.high.as_ptr() as *const i64;
            for i in 0..self.vectors {
                products(i);
                let sums = sums.add(8 * i);
                let (quotients, carry) = resolve(sums);
                let above = sums.add(8);
                _mm512_storeu_si512(above, _mm512_add_epi64(_mm512_loadu_si512(above), carry));
                if i < self.vectors - 1 {
                    rows::<false>(above, &quotients, |k| _mm512_set1_epi64(*high.add(k)), 0, digits);
                    continue;
                }
                // The last block reduces by N itself.
                let mut low = [_mm512_setzero_si512(); 16];
                let inverse = self.negative_inverse.as_ptr() as *const i64;
                let factor = |k: usize| _mm512_set1_epi64(*inverse.add(k));
                rows::<false>(low.as_mut_ptr(), &quotients, factor, 0, 8);
                for (s, digit) in quotients.into_iter().enumerate() {
                    _mm512_storeu_si512(sums.add(s), digit);
                }
                let (quotients, _) = resolve(low.as_ptr());
                let modulus = self.modulus.as_ptr() as *const i64;
                rows::<false>(sums, &quotients, |k| _mm512_set1_epi64(*modulus.add(k)), 0, digits);
                // The lowest eight digits become 0; what they carry remains.
                let (_, mut carry) = resolve(sums);
                for j in 0..digits {
                    let sum = _mm512_add_epi64(_mm512_loadu_si512(above.add(j)), carry);
                    carry = _mm512_srli_epi64::<52>(sum);
                    let digit = _mm512_and_si512(sum, _mm512_set1_epi64(DIGIT as i64));
                    _mm512_storeu_si512(out.add(j), digit);
                }
            }
        }
    }

    /// `x` ← `x·b`.
    ///
    /// # Safety
    /// The processor has AVX-512 IFMA; both have 8·V vectors, `sums` 16·V + 8 that are 0.
    #[target_feature(enable = "avx512f,avx512ifma")]
    unsafe fn multiply_rows(&self, x: *mut __m512i, b: *const __m512i, sums: *mut __m512i) {
        let digits = 8 * self.vectors;
        // SAFETY: block i of x has vectors 8·i .. 8·i + 8, its products 8·V + 8 columns from 8·i + `spared` on,
        // of which there are 16·V + `spared` in all.
        unsafe {
            self.reduce_rows(x, sums, |i| {
                let block = core::array::from_fn(|s| _mm512_loadu_si512(x.add(8 * i + s)));
                let sums = sums.add(8 * i + self.spared);
                rows::<false>(sums, &block, |k| _mm512_loadu_si512(b.add(k)), 0, digits);
            });
        }
    }

    /// `x` ← `x²`: the digits behind a block's own are taken once, and their products twice.
    ///
    /// # Safety
    /// The processor has AVX-512 IFMA; `x` has 8·V vectors, `sums` 16·V + 8 that are 0.
    #[target_feature(enable = "avx512f,avx512ifma")]
    unsafe fn square_rows(&self, x: *mut __m512i, sums: *mut __m512i) {
        let digits = 8 * self.vectors;
        // SAFETY: as for `multiply_rows`.
        unsafe {
            self.reduce_rows(x, sums, |i| {
                let own = 8 * i;
                let block = core::array::from_fn(|s| _mm512_loadu_si512(x.add(own + s)));
                let factor = |k: usize| _mm512_loadu_si512(x.add(k));
                let sums = sums.add(own + self.spared);
                rows::<false>(sums, &block, factor, own, own + 8);
                if i < self.vectors - 1 {
                    rows::<true>(sums, &block, factor, own + 8, digits);
                }
            });
        }
    }

    /// Lane l of `out` ← lane l of the row `indices[l]`.
    ///
    /// # Safety
    /// The processor has AVX-512; there are eight indices, `out` has `64·V` words, and `table` a multiple of that.
    #[target_feature(enable = "avx512f")]
    unsafe fn select_rows(&self, out: &mut [u64], table: &[u64], indices: &[u64]) {
        let size = out.len();
        // SAFETY: the lengths are as the caller guarantees.
        unsafe {
            let indices = <__m512i as Vector>::load(indices.as_ptr());
            for (block, out) in out.chunks_exact_mut(64).enumerate() {
                let mut found: Block = [_mm512_setzero_si512(); 8];
                let mut countdown = Countdown::new(indices);
                for row in table.chunks_exact(size) {
                    take(&mut found, row.as_ptr().add(64 * block), countdown.next());
                }
                for (v, found) in found.into_iter().enumerate() {
                    _mm512_storeu_si512(out.as_mut_ptr().add(8 * v) as *mut __m512i, found);
                }
            }
        }
    }

    /// Lane l of `out` ← residue `indices[l]` of `first` and `entries`.
    ///
    /// # Safety
    /// The processor has AVX-512; there are eight indices, `out` is a row, `first` a residue and `entries` are some.
    #[target_feature(enable = "avx512f")]
    unsafe fn look_up_residues(&self, out: &mut [u64], first: &[u64], entries: &[u64], indices: &[u64]) {
        let size = first.len();
        // SAFETY: what is there of vector v is in the residue for v < V; its digits are among the 8·V of a row.
        unsafe {
            let indices: Block = core::array::from_fn(|lane| _mm512_set1_epi64(indices[lane] as i64));
            for v in 0..self.vectors {
                let mut found: Block = [_mm512_setzero_si512(); 8];
                // The last vector of an entry may be half a one. It is read without a mask, with which the others might be joined.
                let is_whole = size - 8 * v >= 8;
                let load = |words: *const u64| match is_whole {
                    true => _mm512_loadu_si512(words.cast()),
                    false => _mm512_zextsi256_si512(_mm256_loadu_si256(words.cast())),
                };
                let there = if is_whole { 0xff } else { 0x0f };
                for (i, entry) in core::iter::once(first).chain(entries.chunks_exact(size)).enumerate() {
                    let place = _mm512_set1_epi64(i as i64);
                    let digits = load(entry.as_ptr().add(8 * v));
                    for (found, &index) in found.iter_mut().zip(&indices) {
                        let here = _mm512_cmpeq_epu64_mask(place, index);
                        *found = _mm512_mask_mov_epi64(*found, here, digits);
                    }
                }
                // The digits of the vector become the same lane of as many digits.
                let targets = _mm512_loadu_si512(self.targets.as_ptr().add(8 * v).cast());
                for (lane, &found) in found.iter().enumerate() {
                    let digit = out.as_mut_ptr().add(lane);
                    _mm512_mask_i64scatter_epi64::<8>(digit.cast(), there, targets, found);
                }
            }
            out[8 * size..].fill(0);
        }
    }

    /// Room for the sums of a product, all 0.
    fn sums<'a>(&self, scratch: &'a mut [u64]) -> &'a mut [u64] {
        let sums = &mut scratch[..8 * (16 * self.vectors + 8)];
        sums.fill(0);
        sums
    }
}

impl Lanes for Rows {
    fn lanes(&self) -> usize {
        8
    }

    fn enough(&self) -> usize {
        // Measured: a single residue keeps the multipliers nearly as busy.
        if self.vectors <= 3 { 8 } else { 7 }
    }

    fn row_words(&self) -> usize {
        64 * self.vectors
    }

    fn scratch_words(&self) -> usize {
        8 * (16 * self.vectors + 8)
    }

    fn put(&self, row: &mut [u64], lane: usize, residue: &[u64]) {
        for (row, at) in row.chunks_exact_mut(8).zip(self.order.iter().copied()) {
            row[lane] = residue[at];
        }
    }

    fn take(&self, residue: &mut [u64], row: &[u64], lane: usize) {
        for (row, at) in row.chunks_exact(8).zip(self.order.iter().copied()) {
            residue[at] = row[lane];
        }
    }

    fn mul(&self, x: &mut [u64], b: &[u64], scratch: &mut [u64]) {
        assert!(x.len() == self.row_words() && b.len() == self.row_words());
        let sums = self.sums(scratch).as_mut_ptr() as *mut __m512i;
        // SAFETY: the constructor saw the instructions; the lengths were checked.
        unsafe { self.multiply_rows(x.as_mut_ptr() as *mut __m512i, b.as_ptr() as *const __m512i, sums) }
    }

    fn square(&self, x: &mut [u64], scratch: &mut [u64]) {
        assert!(x.len() == self.row_words());
        let sums = self.sums(scratch).as_mut_ptr() as *mut __m512i;
        // SAFETY: the constructor saw the instructions; the length was checked.
        unsafe { self.square_rows(x.as_mut_ptr() as *mut __m512i, sums) }
    }

    fn select(&self, out: &mut [u64], table: &[u64], indices: &[u64]) {
        assert!(out.len() == self.row_words() && table.len().is_multiple_of(out.len()) && indices.len() == 8);
        // SAFETY: the constructor saw the instructions; the lengths were checked.
        unsafe { self.select_rows(out, table, indices) }
    }

    fn look_up(&self, out: &mut [u64], first: &[u64], entries: &[u64], indices: &[u64]) {
        assert!(out.len() == self.row_words() && first.len() == self.order.len() && indices.len() == 8);
        assert!(entries.len().is_multiple_of(first.len()));
        // SAFETY: the constructor saw the instructions; the lengths were checked.
        unsafe { self.look_up_residues(out, first, entries, indices) }
    }
}
