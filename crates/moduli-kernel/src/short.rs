//! Products of a few words in plain Rust. The reduction proceeds word by word. The loops over the words are
//! unrolled for each length, so that as much of the sum as possible stays in registers.

use core::sync::atomic::{Ordering, compiler_fence};

use super::{
    mask,
    rows::{add_column, add_flag, multiply, subtract_borrow, word_mask},
};

/// The length up to which products are processed word by word. On x86-64, the code takes about 11 KiB. The
/// limit is lower for tiny words, so that moduli of a few bits also test longer products.
pub(super) const fn short<const W: u32>() -> usize {
    if W == 64 { 12 } else { 2 }
}

/// `sum ← (sum·2^W + lowest + quotient·p) / 2^W` for a quotient that clears the lowest word; returns the
/// carry.
#[inline(always)]
fn clear_column<const W: u32, const N: usize>(
    lowest: u64,
    quotient: u64,
    p: &[u64; N],
    sum: &mut [u64; N],
) -> bool {
    let mut row = [0; N];
    // As in `add_column`.
    let (mut joins, mut carry) = (lowest, false);
    for (row, &factor) in row.iter_mut().zip(p) {
        let (low, high) = multiply::<W>(quotient, factor);
        (*row, carry) = add_flag::<W>(low, joins, carry);
        joins = high;
    }
    let top = joins + carry as u64;
    carry = false;
    for m in 1..N {
        (sum[m - 1], carry) = add_flag::<W>(sum[m - 1], row[m], carry);
    }
    (sum[N - 1], carry) = add_flag::<W>(sum[N - 1], top, carry);
    carry
}

/// `x ← x·b / 2^(W·N) mod p`. Without b, squares x.
#[inline(never)]
fn multiply_words<const W: u32, const N: usize>(
    x: &mut [u64; N],
    b: Option<&[u64; N]>,
    p: &[u64; N],
    negative_inverse: u64,
) {
    let b = *b.unwrap_or(x);
    let (mut sum, mut high) = ([0; N], false);
    for &word in &*x {
        // The sum is below 2p, so the word above it, `high`, is 0 or 1.
        let lowest = add_column::<W, N>(0, word, &b, &mut sum);
        let overflow;
        (sum[N - 1], overflow) = add_flag::<W>(sum[N - 1], 0, high);
        compiler_fence(Ordering::SeqCst);
        let quotient = lowest.wrapping_mul(negative_inverse) & word_mask::<W>();
        high = clear_column::<W, N>(lowest, quotient, p, &mut sum) | overflow;
        compiler_fence(Ordering::SeqCst);
    }
    let (mut difference, mut borrow) = ([0; N], false);
    for m in 0..N {
        (difference[m], borrow) = subtract_borrow::<W>(sum[m], p[m], borrow);
    }
    // Keeps the sum only if it is below p: then the subtraction borrows, and `high` is 0.
    let keep = mask::of(borrow & !high);
    for m in 0..N {
        x[m] = mask::choose(keep, sum[m], difference[m]);
    }
}

/// `x ← x·b / 2^(W·n) mod p`, where n is at most [`short`] words. Without b, squares x.
#[inline(always)]
pub(super) fn multiply_short<const W: u32>(
    x: &mut [u64],
    b: Option<&[u64]>,
    p: &[u64],
    negative_inverse: u64,
) {
    macro_rules! lengths {
        ($($n:literal)*) => {
            match x.len() {
                $($n if $n <= short::<W>() => {
                    if let (Some(x), Some(p)) = (x.first_chunk_mut::<$n>(), p.first_chunk()) {
                        multiply_words::<W, $n>(x, b.and_then(|b| b.first_chunk()), p, negative_inverse);
                    }
                })*
                _ => {}
            }
        };
    }
    lengths!(1 2 3 4 5 6 7 8 9 10 11 12);
}
