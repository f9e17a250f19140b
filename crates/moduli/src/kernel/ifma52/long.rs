//! Products of long residues, whose digits stand in order: block by block of eight digits, and vector by vector.
//!
//! A factor shifted by s < 8 digits is an unaligned load (b) or a prepared copy (H and N). The sum of a block is worked off
//! vector by vector from the lowest, which all that follows depends on; the others are pure throughput. Where strips would
//! be too long for the registers this takes fewer instructions: every vector but the ends of the factors is full.

use core::arch::x86_64::*;

use super::{
    carries::{normalise, resolve},
    column::{Block, Column, broadcast, window},
    digits::DIGIT,
    divisor::{Divisor, digits_of},
};
use crate::kernel::words::Words;

/// A running sum in scratch space.
pub(super) struct Sum {
    /// V + 2 vectors, the last of them always 0.
    vectors: *mut __m512i,
    /// The quotient digits of the block to come, and in the lowest lane of the second vector what its lowest vector
    /// carries.
    quotients: *mut __m512i,
}

/// A number of V vectors of digits, shifted by 0..8 digits: eight copies of V + 1 vectors, and a vector of zeros before
/// them.
pub(super) struct Shifted {
    words: Words,
    vectors: usize,
}

impl Shifted {
    fn new(digits: &[u64]) -> Self {
        let vectors = digits.len() / 8;
        let mut words = Words::zero(8 + 8 * 8 * (vectors + 1));
        for (s, copy) in words[8..].chunks_exact_mut(8 * (vectors + 1)).enumerate() {
            copy[s..s + digits.len()].copy_from_slice(digits);
        }
        Self { words, vectors }
    }

    /// Where vector j of the number shifted by s digits stands: s ≤ 8, j ≤ vectors.
    #[inline]
    pub(super) fn vector(&self, j: usize, s: usize) -> *const i64 {
        let index = 1 + (s % 8) * (self.vectors + 1) + j - s / 8;
        debug_assert!(s <= 8 && j <= self.vectors && 8 * index < self.words.len());
        self.words.as_ptr().wrapping_add(8 * index) as *const i64
    }
}

/// What products take of a long modulus.
pub(super) struct Long {
    /// V: a residue has 8·V digits.
    vectors: usize,
    /// Whether at most four digits of the highest vector of a residue can be other than 0.
    half: bool,
    /// H shifted by 0..8 digits.
    high: Shifted,
    /// N shifted by 0..8 digits.
    modulus: Shifted,
    /// −1/N mod 2^416 shifted by 0..8 digits, eight digits each.
    negative_inverse: Words,
}

impl Long {
    /// For a modulus of `needed` digits.
    pub(super) fn new(divisor: &Divisor, needed: usize) -> Self {
        let vectors = needed.div_ceil(8);
        let [negative, high] = divisor.block(416);
        let negative = digits_of(&negative, 8);
        let mut negative_inverse = Words::zero(64);
        for (s, copy) in negative_inverse.chunks_exact_mut(8).enumerate() {
            copy[s..].copy_from_slice(&negative[..8 - s]);
        }
        Self {
            vectors,
            half: needed + 4 <= 8 * vectors,
            high: Shifted::new(&digits_of(&high, 8 * vectors)),
            modulus: Shifted::new(&digits_of(&divisor.multiple(1), 8 * vectors)),
            negative_inverse,
        }
    }

    /// Words of scratch space that a product takes: the sum, and a factor.
    pub(super) fn scratch_words(&self) -> usize {
        self.sum_words() + 8 * self.vectors
    }

    /// Words of scratch space that a sum takes.
    fn sum_words(&self) -> usize {
        8 * (self.vectors + 4)
    }

    /// A sum in `words`, its highest vector 0, the others as they are.
    ///
    /// # Safety
    /// The processor has AVX-512.
    #[target_feature(enable = "avx512f")]
    #[inline]
    unsafe fn sum(&self, words: &mut [u64]) -> Sum {
        assert!(words.len() >= self.sum_words());
        let vectors = words.as_mut_ptr() as *mut __m512i;
        // SAFETY: the words hold V + 4 vectors.
        unsafe {
            _mm512_storeu_si512(vectors.add(self.vectors + 1), _mm512_setzero_si512());
            Sum { vectors, quotients: vectors.add(self.vectors + 2) }
        }
    }

    /// Takes the quotient digits of the next block from the lowest vector.
    ///
    /// # Safety
    /// The processor has AVX-512; the sum was made by `sum`.
    #[target_feature(enable = "avx512f")]
    #[inline]
    unsafe fn take_quotients(&self, sum: &Sum, lowest: __m512i) {
        let (digits, carry) = resolve(lowest);
        // SAFETY: the quotients have two vectors.
        unsafe {
            _mm512_storeu_si512(sum.quotients, digits);
            _mm512_storeu_si512(sum.quotients.add(1), carry);
        }
    }

    /// Column j of a block times H: t ← (t − q)/2^416 + q·H takes it.
    ///
    /// # Safety
    /// The processor has AVX-512 IFMA; j ≤ V.
    #[inline(always)]
    unsafe fn reduction(&self, quotients: &Block, j: usize) -> __m512i {
        // SAFETY: `vector` points into H.
        unsafe { Column::short_chain(quotients, |s| _mm512_loadu_epi64(self.high.vector(j, s))) }
    }

    /// One pass over the sum. With `REDUCE`: a block of reduction by the quotient digits taken before, which moves the
    /// sum one vector down, then the products; without, products are added to what is there, and with `FRESH` to 0.
    /// The products are of the first `TO` digits of a block, the others being 0, by the vectors of the factor from
    /// `first` on. With `NEXT` the quotient digits of the next block are taken as soon as they are known.
    ///
    /// # Safety
    /// The processor has AVX-512 IFMA; the sum was made by `sum`; the factor has `8·vectors` words, `first < vectors`.
    #[target_feature(enable = "avx512f,avx512ifma")]
    unsafe fn pass<const REDUCE: bool, const FRESH: bool, const TO: usize, const NEXT: bool>(
        &self,
        sum: &Sum,
        factor: *const u64,
        first: usize,
        multiplier: *const u64,
    ) {
        // SAFETY: columns 0..=V + 1 lie within the sum; the factor has vectors 0..V, and an unaligned load of column j,
        // 0 < j < V, lies within it.
        unsafe {
            let zero = _mm512_setzero_si512();
            let block = &broadcast(multiplier);
            let quotients = if REDUCE { broadcast(sum.quotients as *const u64) } else { [zero; 8] };
            let aligned = |j: usize| _mm512_loadu_epi64(factor.wrapping_add(8 * j) as *const i64);
            let before = |j: usize| match (REDUCE, FRESH) {
                (true, _) => {
                    let reduction = self.reduction(&quotients, j);
                    _mm512_add_epi64(_mm512_loadu_si512(sum.vectors.add(j + 1)), reduction)
                }
                (false, true) => zero,
                (false, false) => _mm512_loadu_si512(sum.vectors.add(j)),
            };
            let edge = |j: usize| {
                let lowest = aligned(j);
                Column::zero().add::<0, TO>(block, |s| window(zero, lowest, s)).total()
            };

            let mut lowest = before(0);
            if REDUCE {
                lowest = _mm512_add_epi64(lowest, _mm512_loadu_si512(sum.quotients.add(1)));
            }
            if first == 0 {
                lowest = _mm512_add_epi64(lowest, edge(0));
            }
            _mm512_storeu_si512(sum.vectors, lowest);
            if NEXT {
                self.take_quotients(sum, lowest);
            }
            for j in 1..=first {
                let mut total = before(j);
                if j == first {
                    total = _mm512_add_epi64(total, edge(j));
                }
                _mm512_storeu_si512(sum.vectors.add(j), total);
            }
            for j in first + 1..self.vectors {
                let product = Column::zero().add::<0, TO>(block, |s| {
                    _mm512_loadu_epi64(factor.wrapping_add(8 * j - s) as *const i64)
                });
                let total = _mm512_add_epi64(before(j), product.total());
                _mm512_storeu_si512(sum.vectors.add(j), total);
            }
            let highest = aligned(self.vectors - 1);
            let product = Column::zero().add::<0, TO>(block, |s| window(highest, zero, s));
            let total = _mm512_add_epi64(before(self.vectors), product.total());
            _mm512_storeu_si512(sum.vectors.add(self.vectors), total);
        }
    }

    /// The last block: reduction by N itself. `out` ← the sum, its carries resolved: a residue.
    ///
    /// # Safety
    /// The processor has AVX-512 IFMA; the sum was made by `sum` and its quotients were taken; `out` has `8·vectors`
    /// words to be written.
    #[target_feature(enable = "avx512f,avx512ifma")]
    #[inline]
    unsafe fn finish(&self, out: *mut u64, sum: &Sum) {
        // SAFETY: as for `pass`; the inverse has eight vectors.
        unsafe {
            let zero = _mm512_setzero_si512();
            let rest = _mm512_loadu_si512(sum.quotients);
            let product = Column::short_chain(&broadcast(sum.quotients as *const u64), |s| {
                if s == 8 {
                    return zero;
                }
                _mm512_loadu_epi64(self.negative_inverse.as_ptr().add(8 * s) as *const i64)
            });
            let (quotients, _) = resolve(product);
            // The rest was read: its place serves the quotients of the last block.
            _mm512_storeu_si512(sum.quotients, quotients);
            let quotients = broadcast(sum.quotients as *const u64);

            let column = |j: usize| {
                let shifted = |s| _mm512_loadu_epi64(self.modulus.vector(j, s));
                Column::short_chain(&quotients, shifted)
            };
            // The lowest vector becomes 0; what it carries remains.
            let (_, carry) = resolve(_mm512_add_epi64(rest, column(0)));
            let mut carry = _mm512_add_epi64(carry, _mm512_loadu_si512(sum.quotients.add(1)));
            for j in 1..=self.vectors {
                let total = _mm512_add_epi64(_mm512_loadu_si512(sum.vectors.add(j)), column(j));
                _mm512_storeu_si512(sum.vectors.add(j - 1), _mm512_add_epi64(total, carry));
                carry = zero;
            }
            normalise(out, sum.vectors, self.vectors);
        }
    }

    /// `out` ← multiplier·factor for two residues, any of which may be `out`.
    ///
    /// # Safety
    /// The processor has AVX-512 IFMA; all three have `8·vectors` words, those of `out` to be written.
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) unsafe fn multiply(
        &self,
        out: *mut u64,
        multiplier: *const u64,
        factor: *const u64,
        scratch: &mut [u64],
    ) {
        // SAFETY: block i of the multiplier starts at word 8·i < 8·vectors; the caller guarantees the rest.
        unsafe {
            let sum = &self.sum(scratch);
            self.pass::<false, true, 8, true>(sum, factor, 0, multiplier);
            for i in 1..self.vectors {
                let block = multiplier.add(8 * i);
                if self.half && i == self.vectors - 1 {
                    self.pass::<true, false, 4, true>(sum, factor, 0, block);
                } else {
                    self.pass::<true, false, 8, true>(sum, factor, 0, block);
                }
            }
            self.finish(out, sum);
        }
    }

    /// `x` ← x². Block i takes only the digits of x from its own on, those behind it twice: x is doubled in scratch
    /// space, and before block i its own digits take their place there, undoubled, while the digit behind them loses
    /// what they had carried into it.
    ///
    /// # Safety
    /// The processor has AVX-512 IFMA; `x` has `8·vectors` words.
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) unsafe fn square_in_place(&self, x: *mut u64, scratch: &mut [u64]) {
        let (scratch, factor) = scratch.split_at_mut(self.sum_words());
        assert!(factor.len() >= 8 * self.vectors);
        // SAFETY: both x and the factor have `vectors` vectors; as for `multiply`.
        unsafe {
            let sum = &self.sum(scratch);
            let factor = factor.as_mut_ptr();
            let digit = _mm512_set1_epi64(DIGIT as i64);
            let mut below = _mm512_setzero_si512();
            for j in 0..self.vectors {
                let vector = _mm512_loadu_epi64(x.add(8 * j) as *const i64);
                let carry = _mm512_srli_epi64::<51>(_mm512_alignr_epi64::<7>(vector, below));
                let doubled = _mm512_or_si512(_mm512_slli_epi64::<1>(vector), carry);
                _mm512_storeu_epi64(factor.add(8 * j) as *mut i64, _mm512_and_si512(doubled, digit));
                below = vector;
            }
            for i in 0..self.vectors {
                let own = _mm512_loadu_epi64(x.add(8 * i) as *const i64);
                _mm512_storeu_epi64(factor.add(8 * i) as *mut i64, own);
                let block = x.add(8 * i);
                let last = i == self.vectors - 1;
                if !last {
                    *factor.add(8 * (i + 1)) &= !1;
                }
                if i == 0 {
                    self.pass::<false, true, 8, true>(sum, factor, 0, block);
                } else if last && self.half {
                    self.pass::<true, false, 4, true>(sum, factor, i, block);
                } else {
                    self.pass::<true, false, 8, true>(sum, factor, i, block);
                }
            }
            self.finish(x, sum);
        }
    }

    /// `x` ← the sum of its pieces times the pieces of a prepared operand, reduced by `blocks` blocks. Piece p of x is
    /// of its vectors `blocks·p` and on.
    ///
    /// # Safety
    /// The processor has AVX-512 IFMA; `x` has `8·vectors` words, `pieces` `8·vectors` for each of `split`.
    #[target_feature(enable = "avx512f,avx512ifma")]
    pub(super) unsafe fn multiply_pieces(
        &self,
        x: *mut u64,
        pieces: *const u64,
        split: usize,
        blocks: usize,
        scratch: &mut [u64],
    ) {
        // SAFETY: x has V vectors, the factor of piece p words 8·V·p and on.
        unsafe {
            let sum = &self.sum(scratch);
            for block in 0..blocks {
                for (p, vector) in (block..self.vectors).step_by(blocks).enumerate().take(split) {
                    let factor = pieces.add(8 * self.vectors * p);
                    let digits = x.add(8 * vector);
                    match (block, p) {
                        (0, 0) => self.pass::<false, true, 8, false>(sum, factor, 0, digits),
                        (_, 0) => self.pass::<true, false, 8, false>(sum, factor, 0, digits),
                        _ => self.pass::<false, false, 8, false>(sum, factor, 0, digits),
                    }
                }
                self.take_quotients(sum, _mm512_loadu_si512(sum.vectors));
            }
            self.finish(x, sum);
        }
    }
}
