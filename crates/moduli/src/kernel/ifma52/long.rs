//! Products of long residues, whose digits stand in order: by two blocks of eight digits at a time, vector by vector.
//!
//! A factor shifted by s < 8 digits is an unaligned load (b) or a prepared copy (H and N). Each is loaded once and multiplied
//! by digit s of either block, since otherwise loads would be what takes the time. A pair of blocks is two sweeps over the
//! sum: its products are added, and then it is reduced, moving down by two vectors. The quotient digits of the pair depend on the
//! two lowest vectors alone, so they are taken while the sweep before goes on. Where strips would be too long for
//! the registers this takes fewer instructions: every vector but the ends of the factors is full.

use core::{arch::x86_64::*, array, ops::Range};

use super::{
    carries::{normalise, resolve},
    column::{Block, Column, broadcast, window},
    digits::DIGIT,
    divisor::{Divisor, digits_of},
    in_order::{zmm_high, zmm_low},
    sum::each,
};
use crate::kernel::words::Words;

/// A running sum in scratch space.
#[derive(Clone, Copy)]
struct Sum {
    /// V + 3 vectors, the last of them always 0.
    vectors: *mut __m512i,
    /// The quotient digits of two blocks to come, and in the lowest lane of the third vector what is carried out below them.
    quotients: *mut __m512i,
}

/// The quotients of a single block: they stand where the second of a pair has its own.
const LAST: usize = 1;
const CARRY: usize = 2;

/// A number of V vectors of digits between vectors of zeros.
#[derive(Clone, Copy)]
struct Padded {
    digits: *const u64,
}

impl Padded {
    /// Where vector j of the number shifted by s digits stands: s ≤ 8, j ≤ V.
    #[inline(always)]
    fn vector(self, j: usize, s: usize) -> *const i64 {
        self.digits.wrapping_add(8 * j).wrapping_sub(s) as *const i64
    }
}

/// A number of V vectors of digits, shifted by 0..8 digits: eight copies of V + 1 vectors, and a vector of zeros before
/// them.
struct Shifted {
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

    /// Where vector j of the number shifted by s digits stands: s ≤ 8, j ≤ V.
    #[inline(always)]
    fn vector(&self, j: usize, s: usize) -> *const i64 {
        let index = 1 + (s % 8) * (self.vectors + 1) + j - s / 8;
        debug_assert!(s <= 8 && j <= self.vectors && 8 * index < self.words.len());
        self.words.as_ptr().wrapping_add(8 * index) as *const i64
    }
}

/// N columns of the products of two blocks by a factor, for each column and block. Of the second block only the first `TO`
/// digits are not 0. `factor(n, s)` is column n of the factor shifted by s.
///
/// # Safety
/// The processor has AVX-512 IFMA.
#[inline(always)]
unsafe fn products<const N: usize, const TO: usize>(
    blocks: &[Block; 2],
    factor: impl Fn(usize, usize) -> __m512i,
) -> [[__m512i; 2]; N] {
    // SAFETY: the caller guarantees the instructions.
    unsafe {
        let zero = [[_mm512_setzero_si512(); 2]; N];
        let (mut low, mut high) = (zero, zero);
        // In the order of the digits, so that many are under way at a time.
        each!(s in 9, {
            each!(n in N, {
                let shifted = factor(n, s);
                each!(b in 2, {
                    let to = [8, TO][b];
                    if s < to {
                        low[n][b] = zmm_low(low[n][b], shifted, blocks[b][s % 8]);
                    }
                    if 0 < s && s <= to {
                        high[n][b] = zmm_high(high[n][b], shifted, blocks[b][(s + 7) % 8]);
                    }
                });
            });
        });
        each!(n in N, {
            low[n] = [_mm512_add_epi64(low[n][0], high[n][0]), _mm512_add_epi64(low[n][1], high[n][1])];
        });
        low
    }
}

/// Adds columns of the products of two blocks by a factor, column j of the first and j − 1 of the second to vector j of the
/// sum, which is written `DOWN` vectors below and was `DOWN` above. Takes and returns the column of the second block that waits.
///
/// # Safety
/// The processor has AVX-512 IFMA; the factor and the sum have these columns.
#[inline(always)]
unsafe fn sweep<const DOWN: usize, const TO: usize>(
    vectors: *mut __m512i,
    blocks: &[Block; 2],
    factor: impl Fn(usize, usize) -> *const i64,
    columns: Range<usize>,
    mut waits: __m512i,
) -> __m512i {
    // SAFETY: as the caller guarantees.
    unsafe {
        macro_rules! put {
            ($j:expr, $product:expr, $waits:expr) => {
                let sum = _mm512_add_epi64(_mm512_loadu_si512(vectors.add($j + DOWN)), $waits);
                _mm512_storeu_si512(vectors.add($j - DOWN), _mm512_add_epi64(sum, $product));
            };
        }
        let mut j = columns.start;
        while j + 1 < columns.end {
            let [one, two] = products::<2, TO>(blocks, |n, s| _mm512_loadu_epi64(factor(j + n, s)));
            put!(j, one[0], waits);
            put!(j + 1, two[0], one[1]);
            waits = two[1];
            j += 2;
        }
        if j < columns.end {
            let [one] = products::<1, TO>(blocks, |_, s| _mm512_loadu_epi64(factor(j, s)));
            put!(j, one[0], waits);
            waits = one[1];
        }
        waits
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

    /// Takes the quotient digits of the first block of a pair. Vector 1 of the sum gets what they carry.
    ///
    /// # Safety
    /// The processor has AVX-512; the lowest two vectors of the sum are complete.
    #[target_feature(enable = "avx512f")]
    #[inline]
    unsafe fn take_first(&self, Sum { vectors, quotients }: Sum) {
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
    unsafe fn take_second(&self, sum: Sum) {
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
    unsafe fn take_last(&self, Sum { quotients, .. }: Sum, lowest: __m512i) {
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
    unsafe fn add_pair<const TO: usize, const TAKE: bool>(
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
    unsafe fn add_single<const TO: usize>(&self, sum: Sum, multiplier: *const u64, factor: Padded) {
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
    unsafe fn reduce_pair<const TAKE: bool>(&self, sum: Sum) {
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
    unsafe fn reduce_first(&self, sum: Sum) {
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
    unsafe fn finish(&self, out: *mut u64, Sum { vectors, quotients }: Sum) {
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
            // The lowest vector becomes 0; what it carries remains.
            let (_, carry) = resolve(_mm512_add_epi64(rest, column(0)));
            let mut carry = _mm512_add_epi64(carry, _mm512_loadu_si512(quotients.add(CARRY)));
            for j in 1..=self.vectors {
                let total = _mm512_add_epi64(_mm512_loadu_si512(vectors.add(j)), column(j));
                _mm512_storeu_si512(vectors.add(j - 1), _mm512_add_epi64(total, carry));
                carry = zero;
            }
            normalise(out, vectors, self.vectors);
        }
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
