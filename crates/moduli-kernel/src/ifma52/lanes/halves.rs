//! Products of rows from those of their halves, after Karatsuba.
//!
//! With x = a + c·B and y = b + d·B, where B = 2^(52·half), x·y = ab + (s·t − ab − cd)·B + cd·B² for s = a +
//! c and t = b + d. A sum of halves has its carries added, and its highest digit, 0 or 1, stands behind the
//! others. A column of s·t − ab − cd may be negative.

use core::arch::x86_64::*;

use super::{
    super::{digits::DIGIT, in_order::zmm_low},
    Block,
    columns::{add_rows, square as square_block, zeros},
};

/// From how many digits on it pays to compute a product, and a square, from halves.
const PRODUCTS_FROM: usize = 40;
const SQUARES_FROM: usize = 60;

/// How often a number of so many digits may be halved. The sums of a product of n digits are below 2n·2^52;
/// in a product of halves, they lie between ± twice that bound, on each further level between ± four times
/// the bound of the one below; reducing adds 2·`digits`·2^52. All stay within ±2^63.
fn levels(digits: usize) -> u32 {
    match digits {
        ..=160 => 3,
        161..=300 => 2,
        301..=480 => 1,
        _ => 0,
    }
}

/// The digits of the lower half of a number, if its product is computed from those of halves: as many as in
/// the upper half, or ten more.
fn half(digits: usize, from: usize, levels: u32) -> Option<usize> {
    let pays = levels > 0 && digits >= from && digits.is_multiple_of(10);
    pays.then(|| (digits / 2).next_multiple_of(10))
}

/// Whether a product of so many digits, and a square, is computed from halves. Then sums may be negative.
pub(super) fn are_used(digits: usize) -> [bool; 2] {
    [PRODUCTS_FROM, SQUARES_FROM].map(|from| half(digits, from, levels(digits)).is_some())
}

/// Vectors that a product of so many digits needs for the sums of halves and their product, on all levels.
pub(super) fn room(digits: usize) -> usize {
    let (mut digits, mut vectors) = (digits, 0);
    for levels in (1..=levels(digits)).rev() {
        let Some(half) = half(digits, PRODUCTS_FROM, levels) else { break };
        vectors += 2 * (half + 1) + 2 * half;
        digits = half;
    }
    vectors
}

/// `sums` ← x·y, both of so many digits, a multiple of ten. No sum is read.
///
/// # Safety
/// The processor has AVX-512 IFMA; `sums` has twice as many vectors; `room` has as many as [`room`] says.
#[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
pub(super) unsafe fn multiply(
    sums: *mut __m512i,
    factors: [*const __m512i; 2],
    digits: usize,
    room: *mut __m512i,
) {
    // SAFETY: as the caller guarantees.
    unsafe { multiply_halves(sums, factors, (digits, levels(digits)), room) }
}

/// The same, halved so often at most.
///
/// # Safety
/// As for [`multiply`].
#[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
unsafe fn multiply_halves(
    sums: *mut __m512i,
    [x, y]: [*const __m512i; 2],
    (digits, levels): (usize, u32),
    room: *mut __m512i,
) {
    // SAFETY: as the caller guarantees; halves need less room.
    unsafe {
        let Some(half) = half(digits, PRODUCTS_FROM, levels) else {
            return multiply_by_blocks(sums, [x, y], digits);
        };
        let [s, t, middle, room] = [0, half + 1, 2 * half + 2, 4 * half + 2].map(|place| room.add(place));
        let (up_x, up_y, upper, levels) = (x.add(half), y.add(half), digits - half, levels - 1);
        add_halves(s, [x, up_x], (half, upper));
        add_halves(t, [y, up_y], (half, upper));
        multiply_halves(sums, [x, y], (half, levels), room);
        multiply_halves(sums.add(2 * half), [up_x, up_y], (upper, levels), room);
        multiply_halves(middle, [s, t], (half, levels), room);
        put_together(sums, middle, [s, t], (half, upper));
    }
}

/// `sums` ← x², likewise.
///
/// # Safety
/// As for [`multiply`].
#[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
pub(super) unsafe fn square(sums: *mut __m512i, x: *const __m512i, digits: usize, room: *mut __m512i) {
    // SAFETY: as the caller guarantees.
    unsafe { square_halves(sums, x, (digits, levels(digits)), room) }
}

/// The same, halved so often at most.
///
/// # Safety
/// As for [`multiply`].
#[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
unsafe fn square_halves(
    sums: *mut __m512i,
    x: *const __m512i,
    (digits, levels): (usize, u32),
    room: *mut __m512i,
) {
    // SAFETY: as for `multiply_halves`.
    unsafe {
        let Some(half) = half(digits, SQUARES_FROM, levels) else {
            return square_by_blocks(sums, x, digits);
        };
        let [s, middle, room] = [0, half + 1, 3 * half + 1].map(|place| room.add(place));
        let (up_x, upper, levels) = (x.add(half), digits - half, levels - 1);
        add_halves(s, [x, up_x], (half, upper));
        square_halves(sums, x, (half, levels), room);
        square_halves(sums.add(2 * half), up_x, (upper, levels), room);
        square_halves(middle, s, (half, levels), room);
        put_together(sums, middle, [s, s], (half, upper));
    }
}

/// `out` ← the sum of two numbers, of `half` digits and of `upper`, and a digit more.
///
/// # Safety
/// The processor has AVX-512; the numbers have so many vectors, `out` one more than `half`.
#[target_feature(enable = "avx512f")]
#[inline]
unsafe fn add_halves(out: *mut __m512i, [a, c]: [*const __m512i; 2], (half, upper): (usize, usize)) {
    let (digit, mut carry) = (_mm512_set1_epi64(DIGIT as i64), _mm512_setzero_si512());
    for k in 0..half {
        // SAFETY: as the caller guarantees.
        unsafe {
            let mut sum = _mm512_and_si512(_mm512_loadu_si512(a.add(k)), digit);
            if k < upper {
                sum = _mm512_add_epi64(sum, _mm512_and_si512(_mm512_loadu_si512(c.add(k)), digit));
            }
            let sum = _mm512_add_epi64(sum, carry);
            carry = _mm512_srli_epi64::<52>(sum);
            _mm512_storeu_si512(out.add(k), sum);
        }
    }
    // SAFETY: as the caller guarantees.
    unsafe { _mm512_storeu_si512(out.add(half), carry) }
}

/// `sums` ← x·y, both of so many digits, block by block.
///
/// # Safety
/// The processor has AVX-512 IFMA; the digits are a multiple of ten, `sums` has twice as many vectors.
#[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
#[inline]
unsafe fn multiply_by_blocks(sums: *mut __m512i, [x, y]: [*const __m512i; 2], digits: usize) {
    for i in (0..digits).step_by(10) {
        // SAFETY: as the caller guarantees. The columns above those of the blocks before were not written to.
        unsafe {
            let block = core::array::from_fn(|s| _mm512_loadu_si512(x.add(i + s)));
            let fresh = if i == 0 { 0 } else { digits };
            add_rows((sums.add(i), fresh), &block, |k| _mm512_loadu_si512(y.add(k)), (0, digits), &mut ());
        }
    }
}

/// `sums` ← x², likewise.
///
/// # Safety
/// As for [`multiply_by_blocks`].
#[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
#[inline]
unsafe fn square_by_blocks(sums: *mut __m512i, x: *const __m512i, digits: usize) {
    for own in (0..digits).step_by(10) {
        // SAFETY: as the caller guarantees.
        unsafe {
            let digit = |k: usize| _mm512_loadu_si512(x.add(k));
            let block: Block = core::array::from_fn(|s| digit(own + s));
            if own + 10 < digits {
                let fresh = if own == 0 { 0 } else { digits };
                add_rows((sums.add(own), fresh), &block, digit, (own + 10, digits), &mut ());
            }
            // The lowest ten columns, and the highest ten, have no other products.
            let place = sums.add(2 * own);
            let low = if own == 0 { zeros() } else { place };
            let high = if own + 10 == digits { zeros() } else { place.add(10) };
            square_block::<10>(place, (low, high), &block);
        }
    }
}

/// Adds s·t − ab − cd to the columns of ab + cd·B² from `half` on. `middle` is s·t without what the highest
/// digits of s and t add.
///
/// # Safety
/// The processor has AVX-512 IFMA; all have as many vectors as in [`multiply`].
#[target_feature(enable = "avx512f,avx512vl,avx512ifma")]
#[inline]
unsafe fn put_together(
    products: *mut __m512i,
    middle: *const __m512i,
    [s, t]: [*const __m512i; 2],
    (half, upper): (usize, usize),
) {
    // SAFETY: as the caller guarantees.
    unsafe {
        let load = |place: *const __m512i| _mm512_loadu_si512(place);
        let (s_above, t_above) = (load(s.add(half)), load(t.add(half)));
        for k in 0..half {
            let places = [products.add(half + k), products.add(2 * half + k)];
            let low = [load(products.add(k)), load(places[0])];
            let mut high = [load(places[1]), _mm512_setzero_si512()];
            if half + k < 2 * upper {
                high[1] = load(products.add(3 * half + k));
            }
            let mut above = load(middle.add(half + k));
            zmm_low(&mut above, &s_above, &load(t.add(k)));
            zmm_low(&mut above, &t_above, &load(s.add(k)));
            let taken = [_mm512_add_epi64(low[0], high[0]), _mm512_add_epi64(low[1], high[1])];
            let below = _mm512_sub_epi64(_mm512_add_epi64(low[1], load(middle.add(k))), taken[0]);
            let above = _mm512_sub_epi64(_mm512_add_epi64(high[0], above), taken[1]);
            _mm512_storeu_si512(places[0], below);
            _mm512_storeu_si512(places[1], above);
        }
        let place = products.add(3 * half);
        let mut highest = load(place);
        zmm_low(&mut highest, &s_above, &t_above);
        _mm512_storeu_si512(place, highest);
    }
}

/// For the tests: sums stay within the bounds that `levels` claims.
#[cfg(feature = "internals")]
pub fn sums_of_halves_keep_their_sign() {
    /// The bound of a product of so many digits, over 2^52, and whether a sum may be negative. The highest
    /// digits of two sums add 2.
    fn bound(digits: usize, from: usize, levels: u32) -> (usize, bool) {
        let Some(half) = half(digits, from, levels) else { return (2 * digits, false) };
        let (below, is_signed) = bound(half, from, levels - 1);
        (if is_signed { 4 } else { 2 } * below + 2, true)
    }
    for digits in (10..=1000).step_by(10) {
        for from in [PRODUCTS_FROM, SQUARES_FROM] {
            let (bound, is_signed) = bound(digits, from, levels(digits));
            assert!(!is_signed || bound + 2 * digits < 1 << 11, "{digits} digits: {bound}");
        }
    }
}
