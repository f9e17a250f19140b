//! Digits of 52 bits.

use core::slice::IterMut;

pub(super) const DIGIT: u64 = (1 << 52) - 1;

/// Digit `index` of a number in limbs.
#[inline(always)]
pub(super) fn digit(limbs: &[u64], index: usize) -> u64 {
    let bit = 52 * index;
    let low = limbs.get(bit / 64).copied().unwrap_or(0);
    let high = limbs.get(bit / 64 + 1).copied().unwrap_or(0);
    (low >> (bit % 64) | high << 1 << (63 - bit % 64)) & DIGIT
}

/// Assembles limbs from digits that arrive lowest first.
pub(super) struct Joined<'a> {
    out: IterMut<'a, u64>,
    limb: u64,
    filled: u32,
}

impl<'a> Joined<'a> {
    pub(super) fn new(out: &'a mut [u64]) -> Self {
        Self { out: out.iter_mut(), limb: 0, filled: 0 }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, digit: u64) {
        self.limb |= digit << self.filled;
        self.filled += 52;
        if self.filled >= 64 {
            self.filled -= 64;
            self.write();
            self.limb = digit >> (52 - self.filled);
        }
    }

    #[inline(always)]
    fn write(&mut self) {
        if let Some(out) = self.out.next() {
            *out = self.limb;
        }
    }

    /// Writes the remaining bits, and zeros to the end.
    pub(super) fn finish(mut self) {
        self.write();
        self.out.for_each(|limb| *limb = 0);
    }
}
