//! Pseudorandom numbers that are the same in every run.

use alloc::vec::Vec;

/// At least one pseudorandom word (splitmix64).
pub(crate) fn words(count: u64, seed: u64) -> Vec<u64> {
    let word = |i: u64| {
        let x = (seed << 32 | i).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    };
    (1..=count.max(1)).map(word).collect()
}

/// At least one word of a number below 2^bits.
pub(crate) fn below(bits: u32, seed: u64) -> Vec<u64> {
    let mut words = words(u64::from(bits.div_ceil(64)), seed);
    if let (Some(top), false) = (words.last_mut(), bits > 0 && bits.is_multiple_of(64)) {
        *top &= (1 << (bits % 64)) - 1;
    }
    words
}
