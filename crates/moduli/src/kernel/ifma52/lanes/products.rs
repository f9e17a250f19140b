//! Products of rows.

use core::arch::x86_64::*;

use super::{
    super::digits::DIGIT,
    Block, Rows,
    columns::{clear, five_rows, low_half, resolve, rows, square},
};

impl Rows {
    /// Vectors for the sums of a product.
    pub(super) fn columns(&self) -> usize {
        // What is reduced adds as many columns as N has above each block, and a product begins `spared` columns up.
        ((self.reduced + self.digits).max(self.spared + 2 * self.digits) + 10).next_multiple_of(8)
    }

    /// Reduces sums of so many digits more than are taken off; `out` ← digits below 3N.
    ///
    /// # Safety
    /// The processor has AVX-512 IFMA; `sums` has [`columns`](Self::columns) vectors, whatever is there, `out` as many as there are digits; the
    /// multiplier's block from digit i on, `products(i)`, is added before the columns that it begins in are reduced.
    #[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
    #[inline]
    unsafe fn reduce_rows(&self, out: *mut __m512i, sums: *mut __m512i, mut products: impl FnMut(usize)) {
        let broadcast = |words: &[u64], k: usize| {
            // SAFETY: below are as many digits as each constant has.
            unsafe { _mm512_set1_epi64(*(words.as_ptr() as *const i64).add(k)) }
        };
        let (mut column, mut next) = (0, 0);
        // SAFETY: the sums of a block begin at its column and have `digits + 10`; H and N have so many digits.
        unsafe {
            clear(sums, self.columns());
            loop {
                let width = if column == 0 && self.reduced % 10 == 5 { 5 } else { 10 };
                while next < self.digits && next + self.spared < column + width {
                    products(next);
                    next += if next == 0 && self.digits % 10 == 5 { 5 } else { 10 };
                }
                let (sums, above) = (sums.add(column), sums.add(column + width));
                column += width;
                if width == 5 {
                    let (quotients, carry) = resolve::<5>(|s| _mm512_loadu_si512(sums.add(s)));
                    _mm512_storeu_si512(above, _mm512_add_epi64(_mm512_loadu_si512(above), carry));
                    five_rows(above, |k| quotients[k], |k| broadcast(&self.high_of_five, k), self.digits);
                    continue;
                }
                let (quotients, carry) = resolve::<10>(|s| _mm512_loadu_si512(sums.add(s)));
                if column < self.reduced {
                    _mm512_storeu_si512(above, _mm512_add_epi64(_mm512_loadu_si512(above), carry));
                    rows::<false>(above, &quotients, |k| broadcast(&self.high, k), 0, self.digits);
                    continue;
                }
                // The last block reduces by N itself.
                let low = low_half(&quotients, |k| broadcast(&self.negative_inverse, k));
                for (s, digit) in quotients.into_iter().enumerate() {
                    _mm512_storeu_si512(sums.add(s), digit);
                }
                _mm512_storeu_si512(above, _mm512_add_epi64(_mm512_loadu_si512(above), carry));
                let (quotients, _) = resolve::<10>(|s| low[s]);
                rows::<false>(sums, &quotients, |k| broadcast(&self.modulus, k), 0, self.digits);
                // The lowest ten digits become 0, so that the highest of them and what is carried into it is a multiple of
                // 2^52: what they carry is the sum of the highest, over 2^52, rounded up.
                let digit = _mm512_set1_epi64(DIGIT as i64);
                let highest = _mm512_add_epi64(_mm512_loadu_si512(sums.add(9)), digit);
                let mut carry = _mm512_srli_epi64::<52>(highest);
                for j in 0..self.digits {
                    let sum = _mm512_add_epi64(_mm512_loadu_si512(above.add(j)), carry);
                    carry = _mm512_srli_epi64::<52>(sum);
                    _mm512_storeu_si512(out.add(j), _mm512_and_si512(sum, digit));
                }
                return;
            }
        }
    }

    /// `x` ← `x·b`.
    ///
    /// # Safety
    /// The processor has AVX-512 IFMA; both have as many vectors as there are digits, `sums` [`columns`](Self::columns).
    #[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
    pub(super) unsafe fn multiply_rows(&self, x: *mut __m512i, b: *const __m512i, sums: *mut __m512i) {
        // SAFETY: the products of the block from digit i on have `digits + 10` columns from i + `spared` on.
        unsafe {
            self.reduce_rows(x, sums, |i| {
                let sums = sums.add(i + self.spared);
                let factor = |k: usize| _mm512_loadu_si512(b.add(k));
                if i == 0 && self.digits % 10 == 5 {
                    return five_rows(sums, |k| _mm512_loadu_si512(x.add(k)), factor, self.digits);
                }
                let block = core::array::from_fn(|s| _mm512_loadu_si512(x.add(i + s)));
                rows::<false>(sums, &block, factor, 0, self.digits);
            });
        }
    }

    /// `x` ← `x²`: the digits behind a block's own are taken once, and their products twice.
    ///
    /// # Safety
    /// As for [`multiply_rows`](Self::multiply_rows).
    #[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
    pub(super) unsafe fn square_rows(&self, x: *mut __m512i, sums: *mut __m512i) {
        // SAFETY: as for `multiply_rows`.
        unsafe {
            let digit = |k: usize| _mm512_loadu_si512(x.add(k));
            self.reduce_rows(x, sums, |own| {
                let sums = sums.add(own + self.spared);
                if own == 0 && self.digits % 10 == 5 {
                    square::<5>(sums, &core::array::from_fn(digit));
                    for start in (5..self.digits).step_by(10) {
                        let block: Block = core::array::from_fn(|s| digit(start + s));
                        rows::<true>(sums.add(start), &block, digit, 0, 5);
                    }
                    return;
                }
                let block = core::array::from_fn(|s| digit(own + s));
                square::<10>(sums.add(own), &block);
                if own + 10 < self.digits {
                    rows::<true>(sums, &block, digit, own + 10, self.digits);
                }
            });
        }
    }
}
