//! Products of long residues, whose digits stand in order: column by column, each a vector of eight digits of
//! the result.
//!
//! A column is the sum of products of blocks of eight digits by vectors. Products by digit s of a block stand
//! s lanes above their vector, so each of these eight distances has a sum of its own, and these are shifted
//! at the end alone: no factor is shifted, and every vector is full. Two columns at a time share the digits.
//! Columns below R are reduced as soon as they are complete: their digits are quotients, whose products by H
//! belong to later columns.

mod columns;
mod karatsuba;
mod shape;

use core::arch::x86_64::*;

use super::{
    carries::{normalise, resolve},
    digits::DIGIT,
    divisor::{Divisor, digits_of},
    in_order::{everywhere, zmm_high, zmm_low},
    product::Task,
    sum::each,
};
use crate::{places::Constant, words::Words};
use columns::{Columns, window};
use karatsuba::Middle;
use shape::{Multiply, Pieces, Product, Shape, Square};

/// Vectors of a residue from which on products are computed from halves, because it pays; and up to which
/// sums stay below 2^62.
const LEAST_SPLIT: usize = 24;
const MOST_SPLIT: usize = 60;

/// What products take of a long modulus.
pub(super) struct Long {
    /// Of a residue. It has V vectors.
    shape: Shape,
    /// The lanes of the highest vector that can have a digit.
    top_lanes: u8,
    /// −1/N mod 2^416.
    negative_inverse: Words,
}

impl Long {
    /// For a modulus of `needed` digits.
    pub(super) fn new(divisor: &Divisor, needed: usize) -> Self {
        let vectors = needed.div_ceil(8);
        let [negative, _] = divisor.block(416);
        Self {
            shape: Shape { vectors, whole: vectors - usize::from(needed + 4 <= 8 * vectors) },
            top_lanes: 0xff >> (8 * vectors - needed),
            negative_inverse: digits_of(&negative, 8),
        }
    }

    /// For proofs.
    pub(super) fn named(&self) -> Constant {
        Constant::of("inverse of a block", &self.negative_inverse)
    }

    /// Words of scratch space that a product takes.
    pub(super) fn scratch_words(&self) -> usize {
        16 * self.shape.vectors
            + if self.is_split() { karatsuba::scratch_words(self.shape.vectors) } else { 0 }
    }

    /// Whether products are computed from those of halves.
    #[inline(always)]
    fn is_split(&self) -> bool {
        (LEAST_SPLIT..=MOST_SPLIT).contains(&self.shape.vectors)
    }

    /// `out` ← a·b for two residues.
    ///
    /// # Safety
    /// The processor has AVX-512 IFMA; all three have `8·vectors` words, those of `out` to be written, and
    /// the scratch space has [`scratch_words`](Self::scratch_words).
    #[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
    pub(super) unsafe fn multiply(&self, task: Task<'_>) {
        // SAFETY: as the caller guarantees.
        unsafe {
            if self.is_split() {
                let (middle, out) = (Middle::multiply(self.shape, &task), task.out);
                self.reduced(task, middle, self.shape.vectors);
                self.clear_above(out);
            } else {
                self.multiply_whole(task);
            }
        }
    }

    /// The same, not from products of halves. Conversions are rare, and their proof is simpler so.
    ///
    /// # Safety
    /// As for `multiply`.
    #[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
    pub(super) unsafe fn multiply_whole(&self, task: Task<'_>) {
        // SAFETY: as the caller guarantees.
        unsafe { self.reduced(task, Multiply, self.shape.vectors) }
    }

    /// `out` ← a².
    ///
    /// # Safety
    /// As for `multiply`, without b.
    #[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
    pub(super) unsafe fn square(&self, task: Task<'_>) {
        // SAFETY: as the caller guarantees.
        unsafe {
            if self.is_split() {
                let (middle, out) = (Middle::square(self.shape, &task), task.out);
                self.reduced(task, middle, self.shape.vectors);
                self.clear_above(out);
            } else {
                self.reduced(task, Square, self.shape.vectors);
            }
        }
    }

    /// Clears the lanes above the digits of a residue, where the bias of [`Middle`] is left.
    #[inline(always)]
    unsafe fn clear_above(&self, out: *mut u64) {
        // SAFETY: `out` has V vectors.
        unsafe {
            let top = out.add(8 * (self.shape.vectors - 1));
            _mm512_storeu_si512(top.cast(), _mm512_maskz_loadu_epi64(self.top_lanes, top.cast()));
        }
    }

    /// `out` ← the sum of the pieces of a times the pieces of a prepared operand b, reduced by `blocks`
    /// blocks. Piece p of a is of its vectors `blocks·p` and on.
    ///
    /// # Safety
    /// As for `multiply`; b has `8·vectors` words for each of `split` pieces; 0 < blocks ≤ V.
    #[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
    pub(super) unsafe fn multiply_pieces(&self, task: Task<'_>, split: usize, blocks: usize) {
        // SAFETY: as the caller guarantees.
        unsafe { self.reduced(task, Pieces { split, blocks }, blocks) }
    }

    /// `out` ← a product, reduced by `blocks` blocks.
    ///
    /// # Safety
    /// As for the product.
    #[inline(always)]
    unsafe fn reduced(&self, task: Task<'_>, product: impl Product, blocks: usize) {
        let quotients = task.scratch;
        let complete = quotients.wrapping_add(8 * self.shape.vectors);
        let (high, modulus) = (task.constants.high.as_ptr(), task.constants.modulus.as_ptr());
        let (last, top) = (blocks as isize - 1, self.shape.vectors as isize - 1);
        // SAFETY: quotients and sums are V vectors each.
        unsafe {
            let zero = _mm512_setzero_si512();
            let [mut column, mut rest] = [zero; 2];
            let mut below = [zero; 9];
            // An odd number of blocks begins with one column.
            let mut j = -(blocks as isize & 1);
            let begin = j;
            while j <= last + top + 1 {
                let mut sums = Columns::zero();
                product.add(self.shape, &task, &mut sums, j);
                // The second quotients of the columns before: their products are not wanted before now.
                if begin < j && j <= last + 1 {
                    let at = quotients.offset(8 * (j - 1));
                    if j > 1 {
                        column = _mm512_add_epi64(column, block_product(at.sub(8), high, &mut below));
                    }
                    let (digits, carry) = resolve(column);
                    _mm512_storeu_si512(at.cast(), digits);
                    below[8] = _mm512_add_epi64(below[8], carry);
                    if j > last {
                        rest = digits;
                        let product = block_product(at, self.negative_inverse.as_ptr(), &mut [zero; 9]);
                        let (quotient, _) = resolve(product);
                        _mm512_storeu_si512(at.cast(), quotient);
                    }
                }
                self.shape.add(&mut sums, quotients, j.clamp(0, last) as usize, high, j - 1);
                if j > last {
                    let quotient = quotients.offset(8 * last);
                    if j == last + 1 {
                        let product = block_product(quotient, modulus, &mut below);
                        below[8] =
                            _mm512_add_epi64(below[8], carry_of_multiple(_mm512_add_epi64(rest, product)));
                    }
                    if self.shape.has_half() {
                        Shape::add_block::<4>(
                            &mut sums,
                            self.shape.top(high),
                            quotients,
                            last as usize,
                            j - 1 - top,
                        );
                    }
                    Shape::add_block::<8>(&mut sums, quotient, modulus, self.shape.vectors, j - last);
                }
                let low;
                [low, column] = product.complete(sums.totals(&mut below), j);
                if j < last {
                    if j >= 0 {
                        let (digits, carry) = resolve(low);
                        _mm512_storeu_si512(quotients.offset(8 * j).cast(), digits);
                        column = _mm512_add_epi64(column, carry);
                    }
                } else {
                    let at = complete.offset(8 * (j - last - 1)) as *mut __m512i;
                    _mm512_storeu_si512(at, low);
                    if j <= last + top {
                        _mm512_storeu_si512(at.add(1), column);
                    }
                }
                j += 2;
            }
            normalise(task.out, complete.cast(), self.shape.vectors);
        }
    }
}

/// What a vector that is a multiple of 2^416 carries.
#[inline(always)]
unsafe fn carry_of_multiple(vector: __m512i) -> __m512i {
    // SAFETY: the caller guarantees the instructions.
    unsafe {
        let zero = _mm512_setzero_si512();
        // What is below the highest lane carries what that lane's neighbour does, and one if it is not 0:
        // this makes the highest lane a multiple of 2^52, so rounding up is the same.
        let carried = _mm512_alignr_epi64::<7>(_mm512_srli_epi64::<52>(vector), zero);
        let rounded = _mm512_add_epi64(_mm512_add_epi64(vector, carried), _mm512_set1_epi64(DIGIT as i64));
        _mm512_alignr_epi64::<7>(zero, _mm512_srli_epi64::<52>(rounded))
    }
}

/// The product of eight digits by a vector: its column is returned, and its sums are added to others, for the
/// next column.
#[inline(always)]
unsafe fn block_product(digits: *const u64, vector: *const u64, sums: &mut [__m512i; 9]) -> __m512i {
    // SAFETY: as the caller guarantees.
    unsafe {
        let zero = _mm512_setzero_si512();
        let vector = _mm512_loadu_si512(vector.cast());
        let (mut column, mut below) = ([zero; 2], zero);
        // One sum after the other, so that few registers are used.
        each!(s in 9, {
            let mut sum = zero;
            if s > 0 {
                zmm_high(&mut sum, &vector, &below);
            }
            if s < 8 {
                below = everywhere(digits.add(s));
                zmm_low(&mut sum, &vector, &below);
                column[s & 1] = _mm512_add_epi64(column[s & 1], window(zero, sum, s));
            }
            sums[s] = _mm512_add_epi64(sums[s], sum);
        });
        _mm512_add_epi64(column[0], column[1])
    }
}
