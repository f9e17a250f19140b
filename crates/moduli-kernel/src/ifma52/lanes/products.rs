//! Products of rows.

use core::arch::x86_64::*;

use super::{
    super::digits::DIGIT,
    Block, Rows,
    columns::{ALL, add_rows, carried, clear, five_rows, high_half, low_half, resolve, rows, square},
    halves,
    look::{Beside, Look},
};

impl Rows {
    /// Vectors for the sums of a product of so many digits, when it begins `spared` columns up and so many
    /// digits are taken off.
    pub(super) fn sums_of(digits: usize, spared: usize, reduced: usize) -> usize {
        // What is reduced adds as many columns as N has above each block.
        ((reduced + digits).max(spared + 2 * digits) + 10).next_multiple_of(8)
    }

    /// Digits that come before those that go by ten.
    fn lead(&self) -> usize {
        self.digits % 10
    }

    /// Reduces sums of so many digits more than are taken off; `out` ← digits below 3N. `beside` is called
    /// now and then, evenly. If they are `SIGNED`, sums may be negative.
    ///
    /// # Safety
    /// The processor has AVX-512 IFMA; `sums` has `columns` vectors, `out` as many as there are digits.
    #[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
    #[inline]
    unsafe fn reduce_rows<const SIGNED: bool>(
        &self,
        out: *mut __m512i,
        sums: *mut __m512i,
        beside: &mut impl Beside,
    ) {
        let broadcast = |words: &[u64], k: usize| {
            // SAFETY: below are as many digits as each constant has.
            unsafe { _mm512_set1_epi64(*(words.as_ptr() as *const i64).add(k)) }
        };
        // SAFETY: the sums have so many vectors.
        let load = |place: *mut __m512i| unsafe { _mm512_loadu_si512(place) };
        let (zero, digit) = (_mm512_setzero_si512(), _mm512_set1_epi64(DIGIT as i64));
        let mut carry = zero;
        // SAFETY: the sums of a block begin at its column and have `digits + 10`; H and N have so many
        // digits.
        unsafe {
            let mut column = 0;
            if self.reduced % 10 == 5 {
                let (quotients, above) = resolve::<5, SIGNED>(|s| load(sums.add(s)), carry);
                (carry, column) = (above, 5);
                five_rows(sums.add(5), |k| quotients[k], |k| broadcast(&self.high_of_five, k), self.digits);
            }
            while column + 10 < self.reduced {
                let (quotients, above) = resolve::<10, SIGNED>(|s| load(sums.add(column + s)), carry);
                (carry, column) = (above, column + 10);
                let high = |k| broadcast(&self.high, k);
                add_rows((sums.add(column), ALL), &quotients, high, (0, self.digits), beside);
            }
            // The last block reduces by N itself.
            let sums = sums.add(column);
            let (block, above) = resolve::<10, SIGNED>(|s| load(sums.add(s)), carry);
            carry = above;
            let low = low_half(&block, |k| broadcast(&self.negative_inverse, k));
            let (quotients, _) = resolve::<10, SIGNED>(|s| low[s], zero);
            let modulus = |k| broadcast(&self.modulus, k);
            // The lowest ten digits become 0, so that the highest of them and what is carried into it is a
            // multiple of 2^52: what they carry is the sum of the highest, over 2^52, rounded up,
            // and those below are not needed.
            let mut columns = core::array::from_fn(|k| load(sums.add(9 + k)));
            columns[0] = _mm512_and_si512(block[9], digit);
            high_half(&mut columns, &quotients, modulus);
            carry = _mm512_add_epi64(carry, _mm512_srli_epi64::<52>(_mm512_add_epi64(columns[0], digit)));
            let begun = core::array::from_fn(|k| columns[1 + k]);
            let mut done = |k: usize, sum| {
                let sum = _mm512_add_epi64(sum, carry);
                carry = carried::<SIGNED>(sum);
                _mm512_storeu_si512(out.add(k - 10), sum);
            };
            let next = |start, s| load(sums.add(start + s));
            let begun = rows(begun, &quotients, modulus, (10, self.digits), next, &mut done, &mut ());
            for (k, &sum) in begun.iter().enumerate() {
                done(self.digits + k, sum);
            }
        }
    }

    /// Zeros in the columns below and above those of a product.
    ///
    /// # Safety
    /// The processor has AVX-512; `sums` has `columns` vectors.
    #[target_feature(enable = "avx512f")]
    #[inline]
    unsafe fn clear_around(&self, sums: *mut __m512i) {
        let end = self.spared + 2 * self.digits;
        for column in (0..self.spared).chain(end..self.reduced + self.digits) {
            // SAFETY: as the caller guarantees.
            unsafe { _mm512_storeu_si512(sums.add(column), _mm512_setzero_si512()) }
        }
    }

    /// `x` ← `x·b`.
    ///
    /// # Safety
    /// The processor has AVX-512 IFMA; both have as many vectors as there are digits, `sums` `columns` and
    /// the `room`.
    #[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
    pub(super) unsafe fn multiply_rows(&self, x: *mut __m512i, b: *const __m512i, sums: *mut __m512i) {
        // SAFETY: the products of the block from digit i on have `digits + 10` columns from i + `spared` on.
        unsafe {
            let products = sums.add(self.spared);
            if self.lead() > 0 {
                let factor = |k: usize| _mm512_loadu_si512(b.add(k));
                clear(sums, self.columns);
                five_rows(products, |k| _mm512_loadu_si512(x.add(k)), factor, self.digits);
                for i in (5..self.digits).step_by(10) {
                    let block = core::array::from_fn(|s| _mm512_loadu_si512(x.add(i + s)));
                    add_rows((products.add(i), ALL), &block, factor, (0, self.digits), &mut ());
                }
            } else {
                self.clear_around(sums);
                halves::multiply(products, [x, b], self.digits, sums.add(self.columns));
            }
            if self.has_halves[0] {
                return self.reduce_rows::<true>(x, sums, &mut ());
            }
            self.reduce_rows::<false>(x, sums, &mut ());
        }
    }

    /// `x` ← `x²`: a block's products with the digits behind it are taken once. Its own come after them and
    /// double the sums up to where the next block's begin.
    ///
    /// # Safety
    /// As for [`multiply_rows`](Self::multiply_rows).
    #[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
    pub(super) unsafe fn square_rows(&self, x: *mut __m512i, sums: *mut __m512i) {
        // SAFETY: as for `multiply_rows`.
        unsafe { self.square_with(x, sums, &mut ()) }
    }

    /// The same, and a part of a look-up.
    ///
    /// # Safety
    /// As for [`multiply_rows`](Self::multiply_rows); the rows of `look` have as many vectors.
    #[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
    pub(super) unsafe fn square_and_look(&self, x: *mut __m512i, sums: *mut __m512i, look: &Look) {
        // Beside all blocks but the last, ten of their digits at a time.
        let times = (self.digits / 10 * (self.reduced.div_ceil(10) - 1)).max(1);
        let at_once = self.digits.div_ceil(times);
        // SAFETY: as for `multiply_rows`, and as the caller guarantees.
        unsafe {
            let mut looking = look.begin(self.digits, at_once);
            self.square_with(x, sums, &mut looking);
            looking.finish();
        }
    }

    /// Calls `look` for some vectors beside the products of each block, for all of them together.
    ///
    /// # Safety
    /// As for [`multiply_rows`](Self::multiply_rows).
    #[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
    #[inline]
    unsafe fn square_with(&self, x: *mut __m512i, sums: *mut __m512i, beside: &mut impl Beside) {
        // SAFETY: as for `multiply_rows`.
        unsafe {
            let products = sums.add(self.spared);
            if self.lead() > 0 {
                let digit = |k: usize| _mm512_loadu_si512(x.add(k));
                clear(sums, self.columns);
                for start in (5..self.digits).step_by(10) {
                    let block: Block = core::array::from_fn(|s| digit(start + s));
                    add_rows((products.add(start), ALL), &block, digit, (0, 5), &mut ());
                }
                square::<5>(products, (products, products.add(5)), &core::array::from_fn(digit));
                for own in (5..self.digits).step_by(10) {
                    let block = core::array::from_fn(|s| digit(own + s));
                    if own + 10 < self.digits {
                        add_rows((products.add(own), ALL), &block, digit, (own + 10, self.digits), &mut ());
                    }
                    let place = products.add(2 * own);
                    square::<10>(place, (place, place.add(10)), &block);
                }
            } else {
                self.clear_around(sums);
                halves::square(products, x, self.digits, sums.add(self.columns));
            }
            if self.has_halves[1] {
                return self.reduce_rows::<true>(x, sums, beside);
            }
            self.reduce_rows::<false>(x, sums, beside);
        }
    }
}
