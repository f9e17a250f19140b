//! Masks: selection without branches.

use core::hint::black_box;

/// All ones when `a == b`, else zero. Opaque to the optimiser, which could otherwise turn it into a branch.
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

/// All ones if `condition`, a borrow or a carry, is true, else zero. Opaque to the optimiser, which otherwise
/// turns `a & mask` into a branch if `a` is in memory.
#[inline(always)]
pub fn of(condition: bool) -> u64 {
    black_box(u64::from(condition).wrapping_neg())
}

/// `a` if the mask is all ones, `b` if it is zero.
#[inline(always)]
pub fn choose(mask: u64, a: u64, b: u64) -> u64 {
    b ^ (mask & (a ^ b))
}

/// `out[k] = a[k]` if the mask is all ones; leaves `out` if it is zero.
#[inline(always)]
pub fn assign(out: &mut [u64], a: &[u64], mask: u64) {
    for (out, &a) in out.iter_mut().zip(a) {
        *out = choose(mask, a, *out);
    }
}

/// Swaps `a` and `b` if the mask is all ones.
#[inline(always)]
pub fn swap(a: &mut [u64], b: &mut [u64], mask: u64) {
    crate::fault!("residues that change places by a branch", "kernel-checkmem operations_of_every_kernel", {
        if !crate::faults::branch_on(mask) {
            a.swap_with_slice(b);
        }
        return;
    });
    for (a, b) in a.iter_mut().zip(b) {
        let difference = mask & (*a ^ *b);
        *a ^= difference;
        *b ^= difference;
    }
}

/// `out` ← entry `index` of a row: entry 0 is `first`, and entry `i` is the i-th chunk of `row`. An index
/// past the end gives zeros. All entries are read.
pub fn select(out: &mut [u64], first: &[u64], row: &[u64], index: u64) {
    crate::fault!(
        "a look-up without a mask in the kernels on limbs",
        "kernel-checkmem operations_of_every_kernel",
        {
            return crate::faults::look_up_openly(out, first, row, index);
        }
    );
    let size = out.len();
    let keep = equal(0, index);
    for (out, &word) in out.iter_mut().zip(first) {
        *out = word & keep;
    }
    // For each group of entries that fits the first-level cache, processes the entry block by block.
    let entries = (4096 / size.max(1)).max(1);
    for (base, group) in (1..).step_by(entries).zip(row.chunks(entries * size)) {
        let (blocks, rest) = out.as_chunks_mut::<16>();
        let (half_blocks, rest) = rest.as_chunks_mut::<8>();
        let (quarter_blocks, words) = rest.as_chunks_mut::<4>();
        let mut start = 0;
        for block in blocks {
            gather(block, group, size, start, base, index);
            start += block.len();
        }
        for block in half_blocks {
            gather(block, group, size, start, base, index);
            start += block.len();
        }
        for block in quarter_blocks {
            gather(block, group, size, start, base, index);
            start += block.len();
        }
        for word in words {
            gather(core::array::from_mut(word), group, size, start, base, index);
            start += 1;
        }
    }
}

/// `block |=` the words of entry `index` that begin at `start`, if it is one of `entries`. These have `size`
/// words each and are numbered from `base`. The block stays in registers for all entries.
#[inline(always)]
fn gather<const N: usize>(
    block: &mut [u64; N],
    entries: &[u64],
    size: usize,
    start: usize,
    base: u64,
    index: u64,
) {
    let mut sum = *block;
    for (i, entry) in (base..).zip(entries.chunks_exact(size)) {
        let keep = equal(i, index);
        if let Some(words) = entry[start..].first_chunk::<N>() {
            for (sum, &word) in sum.iter_mut().zip(words) {
                *sum |= word & keep;
            }
        }
    }
    *block = sum;
}
