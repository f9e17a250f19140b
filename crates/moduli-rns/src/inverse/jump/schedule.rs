//! The number of jumps, their bits, and the bounds of U3 and V3 after each jump. These are public numbers.

use alloc::vec::Vec;
use crypto_bigint::{BoxedUint, ConcatenatingSquare};

/// The schedule for one P and at most k bits per jump.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    /// The bits of every jump except the last.
    pub bits: u32,
    /// The bits of the last jump, which has at most as many.
    pub last_bits: u32,
    /// After i jumps, for i from 0 to the number of jumps: |U3| and |V3| are below 2^sizes\[i\] as long as
    /// neither is 0. If one of them becomes 0 at jump i, this is the bound of their greatest common divisor.
    pub sizes: Vec<u32>,
}

impl Schedule {
    /// Divides ⌈log2 P²⌉ bits into equal parts. Then |U3·V3| ≤ 0.93·P²/2^bits < 1, so one of them is 0.
    pub fn new(p: &BoxedUint, most_bits: u32) -> Self {
        let total = p.concatenating_square().bits_vartime();
        let jumps = total.div_ceil(most_bits);
        let bits = total.div_ceil(jumps);
        // With equal parts, the last one may be empty, for example with one-bit jumps.
        let jumps = total.div_ceil(bits);
        let length = p.bits_vartime();
        let sizes = (0..=jumps)
            .map(|done| {
                let (lost, before) = ((done * bits).min(total), done.saturating_sub(1) * bits);
                // 2P, and 2P²/2^lost.
                let values = (length + 1).min(total + 1 - lost);
                // The values: 2P, and 2P²/2^lost.
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
