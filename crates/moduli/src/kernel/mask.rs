//! Masks: choices without branches.

use core::hint::black_box;

/// All ones when `a == b`, else zero. Opaque to the optimiser, so that no branch grows out of it.
#[inline(always)]
pub fn equal(a: u64, b: u64) -> u64 {
    let difference = a ^ b;
    let non_zero = (difference | difference.wrapping_neg()) >> 63;
    black_box(non_zero.wrapping_sub(1))
}

/// All ones when `a < b`, else zero.
#[inline(always)]
pub fn less(a: u64, b: u64) -> u64 {
    let borrow = ((!a & b) | ((!a | b) & a.wrapping_sub(b))) >> 63;
    black_box(borrow.wrapping_neg())
}

/// `a` under all ones, `b` under zero.
#[inline(always)]
pub fn choose(mask: u64, a: u64, b: u64) -> u64 {
    b ^ (mask & (a ^ b))
}

/// `out[k] = a[k]` where the mask is all ones, unchanged where it is zero.
#[inline(always)]
pub fn assign(out: &mut [u64], a: &[u64], mask: u64) {
    for (out, &a) in out.iter_mut().zip(a) {
        *out = choose(mask, a, *out);
    }
}
