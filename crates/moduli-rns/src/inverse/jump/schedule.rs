//! How many jumps there are, of how many bits, and how much room is left for U3 and V3 after each: public numbers.

use alloc::vec::Vec;
use crypto_bigint::{BoxedUint, ConcatenatingSquare};

/// The plan for one P and at most k bits a jump.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    /// Bits of every jump but the last.
    pub bits: u32,
    /// Bits of the last jump, not more.
    pub last_bits: u32,
    /// After i jumps, i from 0 to their number: |U3| and |V3| are below 2^sizes\[i\] while both are not 0, and their
    /// greatest common divisor is, if one of them is 0 for the first time.
    pub sizes: Vec<u32>,
}

impl Schedule {
    /// In all ⌈log2 P²⌉ bits, in equal parts: then |U3·V3| ≤ 0.93·P²/2^bits < 1, so one of them is 0.
    pub fn new(p: &BoxedUint, most_bits: u32) -> Self {
        let total = p.concatenating_square().bits_vartime();
        let jumps = total.div_ceil(most_bits);
        let bits = total.div_ceil(jumps);
        // Equal parts can be so many that the last is empty: for one-bit jumps and the like.
        let jumps = total.div_ceil(bits);
        let length = p.bits_vartime();
        let sizes = (0..=jumps)
            .map(|done| {
                let (lost, before) = ((done * bits).min(total), done.saturating_sub(1) * bits);
                // 2P, and 2P²/2^lost.
                let values = (length + 1).min(total + 1 - lost);
                // P/2^(before/2).
                let divisor = length - (before / 2).min(length);
                values.max(divisor)
            })
            .collect();
        Self { bits, last_bits: total - (jumps - 1) * bits, sizes }
    }

    /// J, the number of jumps.
    pub fn jumps(&self) -> usize {
        self.sizes.len() - 1
    }

    /// Bits of jump `index`, counted from 0.
    pub fn bits_of(&self, index: usize) -> u32 {
        if index + 1 == self.jumps() { self.last_bits } else { self.bits }
    }

    /// The bits of the first `count` jumps.
    pub fn bits_until(&self, count: usize) -> u32 {
        (0..count).map(|index| self.bits_of(index)).sum()
    }
}
