//! The passes over a sum: products of blocks, their quotients, and reduction.

use core::{arch::x86_64::*, ops::Range};

use super::{
    super::{
        carries::{normalise, resolve},
        column::{Block, Column, broadcast},
        digits::DIGIT,
    },
    Long,
    sweep::{CARRY, LAST, Padded, Sum, sweep},
};

impl Long {
    /// Takes the quotient digits of the first block of a pair. Vector 1 of the sum gets what they carry.
    ///
    /// # Safety
    /// The processor has AVX-512; the lowest two vectors of the sum are complete.
    #[target_feature(enable = "avx512f")]
    #[inline]
    pub(super) unsafe fn take_first(&self, Sum { vectors, quotients }: Sum) {
        // SAFETY: both have the vectors.
        unsafe {
            let (digits, carry) = resolve(_mm512_loadu_si512(vectors));
            _mm512_storeu_si512(quotients, digits);
            _mm512_storeu_si512(vectors.add(1), _mm512_add_epi64(_mm512_loadu_si512(vectors.add(1)), carry));
        }
    }

    /// Takes those of the second block.
    ///
    /// # Safety
    /// The processor has AVX-512 IFMA; those of the first block were taken.
    #[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
    #[inline]
    pub(super) unsafe fn take_second(&self, sum: Sum) {
        // SAFETY: as for `take_last`.
        unsafe {
            let product = self.lowest_of_high(&broadcast(sum.quotients as *const u64));
            self.take_last(sum, _mm512_add_epi64(_mm512_loadu_si512(sum.vectors.add(1)), product));
        }
    }

    /// Takes the quotient digits of a block that is the last one or the second of a pair, from the vector that it takes away.
    ///
    /// # Safety
    /// The processor has AVX-512.
    #[target_feature(enable = "avx512f")]
    #[inline]
    pub(super) unsafe fn take_last(&self, Sum { quotients, .. }: Sum, lowest: __m512i) {
        let (digits, carry) = resolve(lowest);
        // SAFETY: there are three vectors.
        unsafe {
            _mm512_storeu_si512(quotients.add(LAST), digits);
            _mm512_storeu_si512(quotients.add(CARRY), carry);
        }
    }

    /// Column 0 of a block times H.
    ///
    /// # Safety
    /// The processor has AVX-512 IFMA.
    #[inline(always)]
    unsafe fn lowest_of_high(&self, block: &Block) -> __m512i {
        // SAFETY: `vector` points into H.
        unsafe { Column::short_chain(block, |s| _mm512_loadu_epi64(self.high.vector(0, s))) }
    }

    /// Adds the products of two blocks by the vectors of a factor from `first` on. Of the second block only the first `TO` digits
    /// are not 0. With `TAKE` the quotients of the pair are taken.
    ///
    /// # Safety
    /// The processor has AVX-512 IFMA; `first < V`; vectors below 2 and `first` are complete.
    #[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
    pub(super) unsafe fn add_pair<const TO: usize, const TAKE: bool>(
        &self,
        sum: Sum,
        multiplier: *const u64,
        factor: Padded,
        first: usize,
    ) {
        // SAFETY: columns 0..=V + 1 lie within the sum, 0..=V within the factor and its zeros.
        unsafe {
            let blocks = [broadcast(multiplier), broadcast(multiplier.add(8))];
            let columns = |columns: Range<usize>, waits: __m512i| {
                sweep::<0, TO>(sum.vectors, &blocks, |j, s| factor.vector(j, s), columns, waits)
            };
            let (end, mut waits, mut at) = (self.vectors + 1, _mm512_setzero_si512(), first);
            if TAKE {
                let taken = [first.max(2), (first.max(2) + 4).min(end)];
                waits = columns(at..taken[0], waits);
                self.take_first(sum);
                waits = columns(taken[0]..taken[1], waits);
                self.take_second(sum);
                at = taken[1];
            }
            waits = columns(at..end, waits);
            let top = sum.vectors.add(end);
            _mm512_storeu_si512(top, _mm512_add_epi64(_mm512_loadu_si512(top), waits));
        }
    }

    /// Adds the products of the first `TO` digits of a block, the others being 0, by a factor.
    ///
    /// # Safety
    /// As for `add_pair`.
    #[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
    pub(super) unsafe fn add_single<const TO: usize>(
        &self,
        sum: Sum,
        multiplier: *const u64,
        factor: Padded,
    ) {
        // SAFETY: as for `add_pair`.
        unsafe {
            let block = &broadcast(multiplier);
            for j in 0..=self.vectors {
                let product = Column::zero().add::<0, TO>(block, |s| _mm512_loadu_epi64(factor.vector(j, s)));
                let vector = sum.vectors.add(j);
                _mm512_storeu_si512(vector, _mm512_add_epi64(_mm512_loadu_si512(vector), product.total()));
            }
        }
    }

    /// Reduces by the quotients of a pair: t ← (t − q)/2^832 + q·H for both of its blocks. With `TAKE` those of the next pair are
    /// taken, whose products have no part in the lowest two vectors.
    ///
    /// # Safety
    /// The processor has AVX-512 IFMA; the quotients were taken.
    #[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
    pub(super) unsafe fn reduce_pair<const TAKE: bool>(&self, sum: Sum) {
        // SAFETY: columns 0..=V + 2 lie within the sum, 0..=V within H.
        unsafe {
            let digits = sum.quotients as *const u64;
            let blocks = [broadcast(digits), broadcast(digits.add(8))];
            let columns = |columns: Range<usize>, waits: __m512i| {
                sweep::<1, 8>(sum.vectors, &blocks, |j, s| self.high.vector(j, s), columns, waits)
            };
            let carry = _mm512_loadu_si512(sum.quotients.add(CARRY));
            let mut waits = _mm512_add_epi64(carry, self.lowest_of_high(&blocks[1]));
            let mut at = 1;
            if TAKE {
                waits = columns(1..3, waits);
                self.take_first(sum);
                waits = columns(3..7, waits);
                self.take_second(sum);
                at = 7;
            }
            waits = columns(at..self.vectors + 1, waits);
            _mm512_storeu_si512(sum.vectors.add(self.vectors), waits);
            _mm512_storeu_si512(sum.vectors.add(self.vectors + 1), _mm512_setzero_si512());
        }
    }

    /// Reduces by the quotients of the first block of a pair.
    ///
    /// # Safety
    /// As for `reduce_pair`.
    #[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
    pub(super) unsafe fn reduce_first(&self, sum: Sum) {
        // SAFETY: as for `reduce_pair`.
        unsafe {
            let block = broadcast(sum.quotients as *const u64);
            // The lowest column was added when the quotients of the second block were taken.
            for j in 1..=self.vectors {
                let column = Column::short_chain(&block, |s| _mm512_loadu_epi64(self.high.vector(j, s)));
                let above = _mm512_loadu_si512(sum.vectors.add(j + 1));
                _mm512_storeu_si512(sum.vectors.add(j), _mm512_add_epi64(above, column));
            }
        }
    }

    /// The last block: reduction by N itself. `out` ← the sum, its carries resolved: a residue.
    ///
    /// # Safety
    /// The processor has AVX-512 IFMA; the quotients of the last block were taken; `out` has `8·vectors` words to be written.
    #[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
    #[inline]
    pub(super) unsafe fn finish(&self, out: *mut u64, Sum { vectors, quotients }: Sum) {
        // SAFETY: columns 0..=V lie within the sum and N; the inverse has eight vectors.
        unsafe {
            let zero = _mm512_setzero_si512();
            let rest = _mm512_loadu_si512(quotients.add(LAST));
            let product = Column::short_chain(&broadcast(quotients.add(LAST) as *const u64), |s| {
                if s == 8 {
                    return zero;
                }
                _mm512_loadu_epi64(self.negative_inverse.as_ptr().add(8 * s) as *const i64)
            });
            let (digits, _) = resolve(product);
            _mm512_storeu_si512(quotients, digits);
            let digits = broadcast(quotients as *const u64);

            let column =
                |j: usize| Column::short_chain(&digits, |s| _mm512_loadu_epi64(self.modulus.vector(j, s)));
            // The lowest vector becomes a multiple of 2^416. What is below its highest lane carries what that lane's neighbour does, and one
            // if it is not 0: this makes the highest lane a multiple of 2^52, so rounding up is the same.
            let lowest = _mm512_add_epi64(rest, column(0));
            let carried = _mm512_alignr_epi64::<7>(_mm512_srli_epi64::<52>(lowest), zero);
            let rounded =
                _mm512_add_epi64(_mm512_add_epi64(lowest, carried), _mm512_set1_epi64(DIGIT as i64));
            let carry = _mm512_alignr_epi64::<7>(zero, _mm512_srli_epi64::<52>(rounded));
            let mut carry = _mm512_add_epi64(carry, _mm512_loadu_si512(quotients.add(CARRY)));
            for j in 1..=self.vectors {
                let total = _mm512_add_epi64(_mm512_loadu_si512(vectors.add(j)), column(j));
                _mm512_storeu_si512(vectors.add(j - 1), _mm512_add_epi64(total, carry));
                carry = zero;
            }
            normalise(out, vectors, self.vectors);
        }
    }
}
