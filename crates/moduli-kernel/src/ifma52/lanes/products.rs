//! Products of rows.

use core::arch::x86_64::*;

use super::{
    super::digits::DIGIT,
    Block, Rows,
    columns::{add_rows, clear, five_rows, high_half, low_half, resolve, rows, square},
    look::Look,
};

impl Rows {
    /// Vectors for the sums of a product.
    pub(super) fn columns(&self) -> usize {
        // What is reduced adds as many columns as N has above each block, and a product begins `spared` columns up.
        ((self.reduced + self.digits).max(self.spared + 2 * self.digits) + 10).next_multiple_of(8)
    }

    /// Digits that come before those that go by ten.
    fn lead(&self) -> usize {
        self.digits % 10
    }

    /// Reduces sums of so many digits more than are taken off; `out` ← digits below 3N.
    ///
    /// # Safety
    /// The processor has AVX-512 IFMA; `sums` has [`columns`](Self::columns) vectors, `out` as many as there are digits.
    #[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
    #[inline]
    unsafe fn reduce_rows(&self, out: *mut __m512i, sums: *mut __m512i) {
        let broadcast = |words: &[u64], k: usize| {
            // SAFETY: below are as many digits as each constant has.
            unsafe { _mm512_set1_epi64(*(words.as_ptr() as *const i64).add(k)) }
        };
        // SAFETY: the sums have so many vectors.
        let load = |place: *mut __m512i| unsafe { _mm512_loadu_si512(place) };
        let (zero, digit) = (_mm512_setzero_si512(), _mm512_set1_epi64(DIGIT as i64));
        let mut carry = zero;
        // SAFETY: the sums of a block begin at its column and have `digits + 10`; H and N have so many digits.
        unsafe {
            let mut column = 0;
            if self.reduced % 10 == 5 {
                let (quotients, carried): ([_; 5], _) = resolve(|s| load(sums.add(s)), carry);
                (carry, column) = (carried, 5);
                five_rows(sums.add(5), |k| quotients[k], |k| broadcast(&self.high_of_five, k), self.digits);
            }
            while column + 10 < self.reduced {
                let (quotients, carried) = resolve::<10>(|s| load(sums.add(column + s)), carry);
                (carry, column) = (carried, column + 10);
                add_rows(sums.add(column), &quotients, |k| broadcast(&self.high, k), (0, self.digits));
            }
            // The last block reduces by N itself.
            let sums = sums.add(column);
            let (block, carried) = resolve::<10>(|s| load(sums.add(s)), carry);
            carry = carried;
            let low = low_half(&block, |k| broadcast(&self.negative_inverse, k));
            let (quotients, _) = resolve::<10>(|s| low[s], zero);
            let modulus = |k| broadcast(&self.modulus, k);
            // The lowest ten digits become 0, so that the highest of them and what is carried into it is a multiple of
            // 2^52: what they carry is the sum of the highest, over 2^52, rounded up, and those below are not needed.
            let mut columns = core::array::from_fn(|k| load(sums.add(9 + k)));
            columns[0] = _mm512_and_si512(block[9], digit);
            high_half(&mut columns, &quotients, modulus);
            carry = _mm512_add_epi64(carry, _mm512_srli_epi64::<52>(_mm512_add_epi64(columns[0], digit)));
            let begun = core::array::from_fn(|k| columns[1 + k]);
            let mut done = |k: usize, sum| {
                let sum = _mm512_add_epi64(sum, carry);
                carry = _mm512_srli_epi64::<52>(sum);
                _mm512_storeu_si512(out.add(k - 10), sum);
            };
            let begun = rows(begun, &quotients, modulus, (10, self.digits), |k| load(sums.add(k)), &mut done);
            for (k, &sum) in begun.iter().enumerate() {
                done(self.digits + k, sum);
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
            clear(sums, self.columns());
            let products = sums.add(self.spared);
            let factor = |k: usize| _mm512_loadu_si512(b.add(k));
            if self.lead() > 0 {
                five_rows(products, |k| _mm512_loadu_si512(x.add(k)), factor, self.digits);
            }
            for i in (self.lead()..self.digits).step_by(10) {
                let block = core::array::from_fn(|s| _mm512_loadu_si512(x.add(i + s)));
                add_rows(products.add(i), &block, factor, (0, self.digits));
            }
            self.reduce_rows(x, sums);
        }
    }

    /// `x` ← `x²`: a block's products with the digits behind it are taken once. Its own come after them and double the sums up to where
    /// the next block's begin.
    ///
    /// # Safety
    /// As for [`multiply_rows`](Self::multiply_rows).
    #[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
    pub(super) unsafe fn square_rows(&self, x: *mut __m512i, sums: *mut __m512i) {
        // SAFETY: as for `multiply_rows`.
        unsafe { self.square_with(x, sums, |_, _| {}) }
    }

    /// The same, and a part of a look-up.
    ///
    /// # Safety
    /// As for [`multiply_rows`](Self::multiply_rows); the rows of `look` have as many vectors.
    #[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
    pub(super) unsafe fn square_and_look(&self, x: *mut __m512i, sums: *mut __m512i, look: &Look) {
        let masks = look.masks();
        // SAFETY: as the caller guarantees.
        let look = |from, to| (from..to).for_each(|j| unsafe { look.take(&masks, self.digits, j) });
        // SAFETY: as for `multiply_rows`.
        unsafe { self.square_with(x, sums, look) }
    }

    /// Calls `look` for some vectors beside the products of each block, for all of them together.
    ///
    /// # Safety
    /// As for [`multiply_rows`](Self::multiply_rows).
    #[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
    #[inline]
    unsafe fn square_with(&self, x: *mut __m512i, sums: *mut __m512i, look: impl Fn(usize, usize)) {
        // SAFETY: as for `multiply_rows`.
        unsafe {
            clear(sums, self.columns());
            let products = sums.add(self.spared);
            let digit = |k: usize| _mm512_loadu_si512(x.add(k));
            if self.lead() > 0 {
                for start in (5..self.digits).step_by(10) {
                    let block: Block = core::array::from_fn(|s| digit(start + s));
                    add_rows(products.add(start), &block, digit, (0, 5));
                }
                square::<5>(products, &core::array::from_fn(digit));
                look(0, 5);
            }
            for own in (self.lead()..self.digits).step_by(10) {
                let block = core::array::from_fn(|s| digit(own + s));
                if own + 10 < self.digits {
                    add_rows(products.add(own), &block, digit, (own + 10, self.digits));
                }
                square::<10>(products.add(2 * own), &block);
                look(own, own + 10);
            }
            self.reduce_rows(x, sums);
        }
    }
}
