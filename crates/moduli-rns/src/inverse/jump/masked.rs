//! Masks over words of one and two limbs: choices without branches.

use core::hint::black_box;

pub(super) use moduli_kernel::mask::{choose, equal};

/// All ones when `a < b`, else zero. Opaque to the optimiser, so that no branch grows out of it.
#[inline(always)]
pub(super) fn less(a: u128, b: u128) -> u128 {
    let borrow = black_box(u64::from(a.overflowing_sub(b).1));
    u128::from(borrow).wrapping_neg()
}

/// `a` under all ones, `b` under zero.
#[inline(always)]
pub(super) fn choose_wide(mask: u128, a: u128, b: u128) -> u128 {
    b ^ (mask & (a ^ b))
}

/// Exchanges two numbers where the mask is all ones.
#[inline(always)]
pub(super) fn swap(mask: u64, a: &mut i128, b: &mut i128) {
    let difference = i128::from(mask as i64) & (*a ^ *b);
    (*a, *b) = (*a ^ difference, *b ^ difference);
}
