//! Products of long residues, whose digits stand in order: by two blocks of eight digits at a time, vector by vector.
//!
//! A factor shifted by s < 8 digits is an unaligned load (b) or a prepared copy (H and N). Each is loaded once and multiplied
//! by digit s of either block, since otherwise loads would be what takes the time. A pair of blocks is two sweeps over the
//! sum: its products are added, and then it is reduced, moving down by two vectors. The quotient digits of the pair depend on the
//! two lowest vectors alone, so they are taken while the sweep before goes on. Where strips would be too long for
//! the registers this takes fewer instructions: every vector but the ends of the factors is full.

mod passes;
#[allow(clippy::integer_division_remainder_used, reason = "of lengths")]
mod sweep;

use core::{arch::x86_64::*, array};

use super::{
    column::{Column, broadcast, window},
    digits::DIGIT,
    divisor::{Divisor, digits_of},
    sum::each,
};
use crate::{places::Constant, words::Words};
use sweep::{Padded, Shifted, Sum};

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
    /// For a modulus of `needed` digits, more than 40.
    pub(super) fn new(divisor: &Divisor, needed: usize) -> Self {
        let vectors = needed.div_ceil(8);
        assert!(vectors > 5, "the quotients of two blocks are taken within the first six columns");
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

    /// The copies that sweeps read: for proofs.
    pub(super) fn named(&self) -> [Constant; 3] {
        [
            Constant::of("shifted high", self.high.words()),
            Constant::of("shifted modulus", self.modulus.words()),
            Constant::of("shifted inverse", &self.negative_inverse),
        ]
    }

    /// Words of scratch space that a product takes: the sum, and eight pieces of a factor with a vector of zeros around each.
    pub(super) fn scratch_words(&self) -> usize {
        self.sum_words() + 8 + 8 * 8 * (self.vectors + 1)
    }

    /// Words of scratch space that a sum takes.
    fn sum_words(&self) -> usize {
        8 * (self.vectors + 6)
    }

    /// A sum of 0, and the space for factors.
    fn sum<'a>(&self, scratch: &'a mut [u64]) -> (Sum, &'a mut [u64]) {
        assert!(scratch.len() >= self.scratch_words());
        let (words, factors) = scratch.split_at_mut(self.sum_words());
        words.fill(0);
        let vectors = words.as_mut_ptr() as *mut __m512i;
        (Sum { vectors, quotients: vectors.wrapping_add(self.vectors + 3) }, factors)
    }

    /// `out` ← multiplier·factor for two residues, any of which may be `out`.
    ///
    /// # Safety
    /// The processor has AVX-512 IFMA; all three have `8·vectors` words, those of `out` to be written.
    #[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
    pub(super) unsafe fn multiply(
        &self,
        out: *mut u64,
        multiplier: *const u64,
        factor: *const u64,
        scratch: &mut [u64],
    ) {
        let (sum, factors) = self.sum(scratch);
        // SAFETY: block i of the multiplier starts at word 8·i < 8·vectors; the caller guarantees the rest.
        unsafe {
            let factor = self.padded(factors, factor, 1)[0];
            let mut i = 0;
            while i + 2 < self.vectors {
                self.add_pair::<8, true>(sum, multiplier.add(8 * i), factor, 0);
                self.reduce_pair::<false>(sum);
                i += 2;
            }
            let last = multiplier.add(8 * i);
            match (i + 2 == self.vectors, self.half) {
                (true, true) => self.add_pair::<4, true>(sum, last, factor, 0),
                (true, false) => self.add_pair::<8, true>(sum, last, factor, 0),
                (false, true) => self.add_single::<4>(sum, last, factor),
                (false, false) => self.add_single::<8>(sum, last, factor),
            }
            if i + 2 == self.vectors {
                self.reduce_first(sum);
            } else {
                self.take_last(sum, _mm512_loadu_si512(sum.vectors));
            }
            self.finish(out, sum);
        }
    }

    /// Numbers of V vectors each, one after the other, as factors.
    ///
    /// # Safety
    /// There are `count` ≤ 8 numbers.
    unsafe fn padded(&self, factors: &mut [u64], numbers: *const u64, count: usize) -> [Padded; 8] {
        let (words, length) = (8 * self.vectors, 8 * (self.vectors + 1));
        assert!(count <= 8 && factors.len() >= 8 + count * length);
        factors[..8].fill(0);
        for (i, factor) in factors[8..].chunks_exact_mut(length).enumerate().take(count) {
            // SAFETY: as the caller guarantees.
            factor[..words]
                .copy_from_slice(unsafe { core::slice::from_raw_parts(numbers.add(words * i), words) });
            factor[words..].fill(0);
        }
        array::from_fn(|i| Padded { digits: factors.as_ptr().wrapping_add(8 + length * i) })
    }

    /// `x` ← x². Digits of a pair of blocks are multiplied by their own and by the double of those behind them. The double
    /// is kept as a factor, from which what a pair leaves behind is taken: its own vectors, and the bit that it carried out.
    ///
    /// # Safety
    /// The processor has AVX-512 IFMA; `x` has `8·vectors` words.
    #[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
    pub(super) unsafe fn square_in_place(&self, x: *mut u64, scratch: &mut [u64]) {
        let (sum, factors) = self.sum(scratch);
        // SAFETY: x has V vectors; as for `multiply`.
        unsafe {
            let factor = self.padded(factors, x, 1)[0];
            let double = factor.digits as *mut __m512i;
            let (zero, digit) = (_mm512_setzero_si512(), _mm512_set1_epi64(DIGIT as i64));
            let own = |i: usize| _mm512_loadu_si512((x as *const __m512i).add(i));
            let mut below = zero;
            for j in 0..self.vectors {
                let carry = _mm512_srli_epi64::<51>(_mm512_alignr_epi64::<7>(own(j), below));
                let doubled = _mm512_or_si512(_mm512_slli_epi64::<1>(own(j)), carry);
                _mm512_storeu_si512(double.add(j), _mm512_and_si512(doubled, digit));
                below = own(j);
            }
            let odd = _mm512_set_epi64(0, 0, 0, 0, 0, 0, 0, 1);
            // The double of the second block of a pair at i, without what the first one carried into it, and a mask of all ones
            // if it carries.
            let leave = |i: usize| {
                let second = _mm512_andnot_si512(odd, _mm512_loadu_si512(double.add(i + 1)));
                let behind = _mm512_loadu_si512(double.add(i + 2));
                _mm512_storeu_si512(double.add(i + 1), zero);
                _mm512_storeu_si512(double.add(i + 2), _mm512_andnot_si512(odd, behind));
                let carry = _mm512_sub_epi64(zero, _mm512_and_si512(odd, behind));
                (second, _mm512_broadcastq_epi64(_mm512_castsi512_si128(carry)))
            };
            let mut left = leave(0);
            let mut i = 0;
            while i + 2 <= self.vectors {
                self.add_own_pair(sum, x.add(8 * i), left, i);
                let more = i + 2 < self.vectors;
                match (more, i) {
                    (false, _) => {}
                    (true, 0) => self.add_pair::<8, true>(sum, x, factor, 2),
                    (true, _) => self.add_pair::<8, false>(sum, x.add(8 * i), factor, i + 2),
                }
                if !more {
                    self.reduce_first(sum);
                } else if i + 4 <= self.vectors {
                    left = leave(i + 2);
                    self.reduce_pair::<true>(sum);
                } else {
                    self.reduce_pair::<false>(sum);
                }
                i += 2;
            }
            if i < self.vectors {
                self.add_own(sum, x.add(8 * i), [zero, own(i), zero], i);
                self.take_last(sum, _mm512_loadu_si512(sum.vectors));
            }
            self.finish(x, sum);
        }
    }

    /// Adds the products of the blocks at vectors i and i + 1 by their own digits, of both together, and of the first by what the
    /// double of the second one, which is given, carries: a mask.
    ///
    /// # Safety
    /// The processor has AVX-512 IFMA; `i + 2 ≤ V`; the blocks start at `digits`.
    #[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
    #[inline]
    unsafe fn add_own_pair(
        &self,
        sum: Sum,
        digits: *const u64,
        (double, carry): (__m512i, __m512i),
        i: usize,
    ) {
        // SAFETY: columns up to i + 3 ≤ V + 1 lie within the sum.
        unsafe {
            let zero = _mm512_setzero_si512();
            let [first, second] = [0, 1].map(|n| _mm512_loadu_si512((digits as *const __m512i).add(n)));
            self.add_own(sum, digits, [zero, first, double], i);
            let column = Column::zero().add::<0, 8>(&broadcast(digits), |s| window(double, zero, s));
            let carried = _mm512_and_si512(first, carry);
            let vector = sum.vectors.add(i + 2);
            let total =
                _mm512_add_epi64(_mm512_loadu_si512(vector), _mm512_add_epi64(column.total(), carried));
            _mm512_storeu_si512(vector, total);
            self.add_own(sum, digits.add(8), [zero, second, zero], i + 2);
        }
    }

    /// Adds two columns of the products of a block by three vectors to vector j of the sum and the next.
    ///
    /// # Safety
    /// The processor has AVX-512 IFMA; j ≤ V.
    #[inline(always)]
    unsafe fn add_own(&self, sum: Sum, digits: *const u64, factor: [__m512i; 3], j: usize) {
        // SAFETY: as the caller guarantees.
        unsafe {
            let block = &broadcast(digits);
            each!(n in 2, {
                let column = Column::zero().add::<0, 8>(block, |s| window(factor[n], factor[n + 1], s));
                let vector = sum.vectors.add(j + n);
                _mm512_storeu_si512(vector, _mm512_add_epi64(_mm512_loadu_si512(vector), column.total()));
            });
        }
    }

    /// `x` ← the sum of its pieces times the pieces of a prepared operand, reduced by `blocks` blocks. Piece p of x is
    /// of its vectors `blocks·p` and on.
    ///
    /// # Safety
    /// The processor has AVX-512 IFMA; `x` has `8·vectors` words, `pieces` `8·vectors` for each of `split`.
    #[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
    pub(super) unsafe fn multiply_pieces(
        &self,
        x: *mut u64,
        pieces: *const u64,
        split: usize,
        blocks: usize,
        scratch: &mut [u64],
    ) {
        let (sum, factors) = self.sum(scratch);
        // SAFETY: x has V vectors.
        unsafe {
            let factors = self.padded(factors, pieces, split);
            for block in (0..blocks).step_by(2) {
                let pair = block + 1 < blocks;
                for (factor, vector) in factors[..split].iter().zip((block..self.vectors).step_by(blocks)) {
                    let digits = x.add(8 * vector);
                    if pair && vector + 1 < self.vectors {
                        self.add_pair::<8, false>(sum, digits, *factor, 0);
                    } else {
                        self.add_single::<8>(sum, digits, *factor);
                    }
                }
                if pair {
                    self.take_first(sum);
                    self.take_second(sum);
                    if block + 2 < blocks {
                        self.reduce_pair::<false>(sum);
                    } else {
                        self.reduce_first(sum);
                    }
                } else {
                    self.take_last(sum, _mm512_loadu_si512(sum.vectors));
                }
            }
            self.finish(x, sum);
        }
    }
}
