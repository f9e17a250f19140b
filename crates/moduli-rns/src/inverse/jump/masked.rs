//! Masks for one and two words: selection without branches.

use core::hint::black_box;

pub(super) use moduli_kernel::mask::{choose, equal};

/// All ones when `a < b`, else zero. Opaque to the optimiser, which could otherwise turn it into a branch.
#[inline(always)]
pub(super) fn less(a: u128, b: u128) -> u128 {
    let borrow = black_box(u64::from(a.overflowing_sub(b).1));
    u128::from(borrow).wrapping_neg()
}

/// `a` if the mask is all ones, `b` if it is zero.
#[inline(always)]
pub(super) fn choose_wide(mask: u128, a: u128, b: u128) -> u128 {
    b ^ (mask & (a ^ b))
}

/// Exchanges two numbers if the mask is all ones.
#[inline(always)]
pub(super) fn swap(mask: u64, a: &mut i128, b: &mut i128) {
    let difference = i128::from(mask as i64) & (*a ^ *b);
    (*a, *b) = (*a ^ difference, *b ^ difference);
}
