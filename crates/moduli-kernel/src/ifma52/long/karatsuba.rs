//! Products of long residues from those of their halves, after Karatsuba. One level.
//!
//! With x = a + c·B and y = b + d·B, where B = 2^(416·half), x·y = ab + (s·t − ab − cd)·B + cd·B² for s = a +
//! c and t = b + d. The columns of ab and cd are computed first, and those of s·t together with the
//! reduction. The carries of s and t are added; their highest digits are 0 or 1. A constant, the bias, keeps
//! all columns from being negative. It is a multiple of 2^52 in the highest digit, so it disappears with what
//! is carried out of that.

use core::arch::x86_64::*;

use super::{
    super::{digits::DIGIT, in_order::less, product::Task},
    columns::Columns,
    shape::{Product, Shape, at},
};

/// Words of scratch space for numbers of V vectors.
pub(super) fn scratch_words(vectors: usize) -> usize {
    16 * vectors + 16 * (vectors.div_ceil(2) + 1)
}

/// The product s·t, and the columns to add to it.
pub(super) struct Middle<const SQUARE: bool> {
    /// Vectors of the lower half.
    half: usize,
    /// The columns of all other products, with their signs and the bias: 2·V vectors.
    rest: *mut u64,
    s: *mut u64,
    t: *mut u64,
}

/// The bias of the lowest digit. Sums that are subtracted are below 2^62.
const BIAS: i64 = 1 << 62;
/// The bias of all digits above: 2^62 less what the digit below carries, which is 2^10.
const BIASED: i64 = BIAS - (1 << 10);

impl Middle<false> {
    #[inline(always)]
    pub(super) unsafe fn multiply(shape: Shape, task: &Task<'_>) -> Self {
        // SAFETY: as the caller guarantees.
        unsafe { Self::new(shape, task, task.b) }
    }
}

impl Middle<true> {
    #[inline(always)]
    pub(super) unsafe fn square(shape: Shape, task: &Task<'_>) -> Self {
        // SAFETY: as the caller guarantees.
        unsafe { Self::new(shape, task, task.a) }
    }
}

impl<const SQUARE: bool> Middle<SQUARE> {
    #[inline(always)]
    unsafe fn new(shape: Shape, task: &Task<'_>, b: *const u64) -> Self {
        let half = shape.vectors.div_ceil(2);
        let rest = task.scratch.wrapping_add(16 * shape.vectors);
        let s = rest.wrapping_add(16 * shape.vectors);
        let middle = Self { half, rest, s, t: s.wrapping_add(8 * (half + 1)) };
        let low = Shape { vectors: half, whole: half };
        let high = Shape { vectors: shape.vectors - half, whole: shape.whole - half };
        let above = at(task.a, half as isize);
        // SAFETY: as the caller guarantees.
        unsafe {
            let mut carries = [0; 2];
            let zero = _mm512_setzero_si512();
            let end = middle.s.add(8 * half);
            _mm512_storeu_si512(end.cast(), zero);
            if !SQUARE {
                _mm512_storeu_si512(middle.t.add(8 * half).cast(), zero);
            }
            Self::columns(low, task.a, b, rest, |i| {
                carries[0] = add_halves(middle.s, task.a, shape.vectors, half, i, carries[0]);
                if !SQUARE {
                    carries[1] = add_halves(middle.t, b, shape.vectors, half, i, carries[1]);
                }
            });
            *end = carries[0];
            if !SQUARE {
                *middle.t.add(8 * half) = carries[1];
            }
            Self::columns(high, above, at(b, half as isize), rest.add(16 * half), |_| {});
            middle.subtract(shape.vectors);
            middle
        }
    }

    /// `out` ← the columns of a product. Calls `meanwhile` with each pair.
    #[inline(always)]
    unsafe fn columns(
        shape: Shape,
        a: *const u64,
        b: *const u64,
        out: *mut u64,
        mut meanwhile: impl FnMut(usize),
    ) {
        // SAFETY: as the caller guarantees.
        unsafe {
            let mut below = [_mm512_setzero_si512(); 9];
            for i in 0..shape.vectors {
                let mut sums = Columns::zero();
                let j = 2 * i as isize;
                meanwhile(i);
                if SQUARE {
                    shape.square::<4>(&mut sums, a, j);
                } else {
                    shape.multiply::<4>(&mut sums, a, b, j);
                }
                let [low, high] = sums.totals(&mut below);
                let out = out.add(16 * i).cast::<__m512i>();
                _mm512_storeu_si512(out, low);
                _mm512_storeu_si512(out.add(1), high);
            }
        }
    }

    /// Subtracts ab and cd from the columns from `half` on, and adds the bias.
    #[inline(always)]
    unsafe fn subtract(&self, vectors: usize) {
        // SAFETY: the rest has 2·V vectors.
        unsafe {
            let place = |i: usize| self.rest.add(8 * i).cast::<__m512i>();
            let load = |i: usize| _mm512_loadu_si512(place(i));
            let bias = _mm512_set1_epi64(BIASED);
            let mut here = _mm512_mask_set1_epi64(bias, 1, BIAS);
            let h = self.half;
            for i in 0..h {
                let [low, second, third] = [load(i), load(h + i), load(2 * h + i)];
                let sum = less(_mm512_add_epi64(second, here), low);
                _mm512_storeu_si512(place(h + i), less(sum, third));
                let mut sum = less(_mm512_add_epi64(third, bias), second);
                if 3 * h + i < 2 * vectors {
                    let fourth = load(3 * h + i);
                    sum = less(sum, fourth);
                    _mm512_storeu_si512(place(3 * h + i), _mm512_add_epi64(fourth, bias));
                }
                _mm512_storeu_si512(place(2 * h + i), sum);
                here = bias;
            }
        }
    }
}

/// `out` ← block i of the sum of the two halves of a, with a carry; returns the next carry.
#[inline(always)]
unsafe fn add_halves(
    out: *mut u64,
    a: *const u64,
    vectors: usize,
    half: usize,
    i: usize,
    mut carry: u64,
) -> u64 {
    // SAFETY: as the caller guarantees.
    unsafe {
        if half + i < vectors {
            for k in 8 * i..8 * i + 8 {
                let sum = *a.add(k) + *a.add(8 * half + k) + carry;
                *out.add(k) = sum & DIGIT;
                carry = sum >> 52;
            }
        } else {
            for k in 8 * i..8 * i + 8 {
                let sum = *a.add(k) + carry;
                *out.add(k) = sum & DIGIT;
                carry = sum >> 52;
            }
        }
        carry
    }
}

impl<const SQUARE: bool> Product for Middle<SQUARE> {
    #[inline(always)]
    unsafe fn add(&self, _: Shape, _: &Task<'_>, sums: &mut Columns, j: isize) {
        let shape = Shape { vectors: self.half + 1, whole: self.half };
        let j = j - self.half as isize;
        if (-1..=2 * self.half as isize).contains(&j) {
            // SAFETY: as the caller guarantees.
            unsafe {
                if SQUARE {
                    shape.square::<1>(sums, self.s, j);
                } else {
                    shape.multiply::<1>(sums, self.s, self.t, j);
                }
            }
        }
    }

    #[inline(always)]
    unsafe fn complete(&self, [low, high]: [__m512i; 2], j: isize) -> [__m512i; 2] {
        // SAFETY: as the caller guarantees.
        unsafe {
            let place = self.rest.wrapping_offset(8 * j).cast::<__m512i>();
            let low = if j < 0 { low } else { _mm512_add_epi64(low, _mm512_loadu_si512(place)) };
            [low, _mm512_add_epi64(high, _mm512_loadu_si512(place.wrapping_add(1)))]
        }
    }
}
