//! Left-to-right 2^w-ary exponentiation: fixed windows under masks, sliding windows for public exponents.

use alloc::vec::Vec;
use zeroize::Zeroizing;

use crate::{
    kernel::{Kernel, Words},
    limbs,
};

/// Powers of a base and the windows of an exponent: after the squaring for bit `position`, multiply by what
/// [`WindowTable::read`] finds there.
pub(crate) struct WindowTable {
    table: Words,
    windows: Windows,
    positions: u32,
}

/// The width of fixed windows that costs least: ⌈bits/w⌉ + 2^w products.
pub(crate) fn fixed_width(bits: u32) -> u32 {
    (1..=8).min_by_key(|&w| bits.div_ceil(w) + (1 << w)).unwrap_or(1)
}

/// The width of sliding windows that costs least: about bits/(w + 1) + 2^(w−1) products.
pub(crate) fn sliding_width(bits: u32) -> u32 {
    (1..=8).min_by_key(|&w| bits / (w + 1) + (1 << (w - 1))).unwrap_or(1)
}

enum Windows {
    /// A window of `width` bits at every multiple of it; look-ups under a mask, zero reads 1.
    Fixed { width: u32, exponent: Zeroizing<Vec<u64>> },
    /// For each position the entry to multiply by, if any. The table holds odd powers.
    Sliding { entries: Vec<Option<usize>> },
}

impl WindowTable {
    /// Fixed windows for an exponent of `bits` public bits. Uniform.
    pub(crate) fn fixed(kernel: &dyn Kernel, x: &[u64], exponent: &[u64], bits: u32) -> Self {
        let width = fixed_width(bits);
        let exponent = Zeroizing::new(exponent.to_vec());
        let windows = Windows::Fixed { width, exponent };
        Self { table: powers(kernel, x, width), windows, positions: bits }
    }

    /// Sliding windows over odd powers. Variable-time.
    pub(crate) fn sliding_vartime(kernel: &dyn Kernel, x: &[u64], exponent: &[u64]) -> Self {
        let bits = limbs::bit_length_vartime(exponent);
        let width = sliding_width(bits);
        let mut entries = alloc::vec![None; bits as usize];
        let mut top = bits; // bits still to come
        while top > 0 {
            if limbs::bit_field(exponent, top - 1, 1) == 0 {
                top -= 1;
                continue;
            }
            let longest = width.min(top);
            let digit = limbs::bit_field(exponent, top - longest, longest);
            let zeros = digit.trailing_zeros();
            entries[(top - longest + zeros) as usize] = Some(digit as usize >> zeros >> 1);
            top -= longest - zeros;
        }
        let windows = Windows::Sliding { entries };
        Self { table: odd_powers(kernel, x, width), windows, positions: bits }
    }

    /// Bits of the exponent: positions run below this.
    pub(crate) fn positions(&self) -> u32 {
        self.positions
    }

    /// `entry` ← the factor at `position`; false if there is none.
    pub(crate) fn read(&self, kernel: &dyn Kernel, position: u32, entry: &mut [u64]) -> bool {
        match &self.windows {
            Windows::Fixed { width, exponent } => {
                let is_window = position < self.positions && position.is_multiple_of(*width);
                if is_window {
                    let digit = limbs::bit_field(exponent, position, *width);
                    kernel.select(entry, kernel.one(), &self.table, digit);
                }
                is_window
            }
            Windows::Sliding { entries } => match entries.get(position as usize) {
                Some(&Some(index)) => {
                    let size = entry.len();
                    entry.copy_from_slice(&self.table[index * size..][..size]);
                    true
                }
                _ => false,
            },
        }
    }

    /// `x` ← the power, alone.
    fn run(&self, kernel: &dyn Kernel, x: &mut [u64], scratch: &mut [u64]) {
        let mut entry = Words::zero(x.len());
        let mut started = false;
        x.copy_from_slice(kernel.one());
        for position in (0..self.positions).rev() {
            if started {
                kernel.square(x, scratch);
            }
            if self.read(kernel, position, &mut entry) {
                if started {
                    kernel.mul(x, &entry, scratch);
                } else {
                    x.copy_from_slice(&entry);
                    started = true;
                }
            }
        }
    }
}

/// The powers x^1 … x^(2^width − 1), one after the other.
fn powers(kernel: &dyn Kernel, x: &[u64], width: u32) -> Words {
    let size = x.len();
    let mut scratch = Words::zero(kernel.scratch_words());
    let mut table = Words::zero(size * ((1 << width) - 1));
    table[..size].copy_from_slice(x);
    for i in 2..1 << width {
        let (known, new) = table.split_at_mut(size * (i - 1));
        let entry = &mut new[..size];
        if i % 2 == 0 {
            entry.copy_from_slice(&known[size * (i / 2 - 1)..][..size]);
            kernel.square(entry, &mut scratch);
        } else {
            entry.copy_from_slice(&known[size * (i - 2)..]);
            kernel.mul(entry, x, &mut scratch);
        }
    }
    table
}

/// The powers x^1, x^3, x^5 … x^(2^width − 1).
fn odd_powers(kernel: &dyn Kernel, x: &[u64], width: u32) -> Words {
    let size = x.len();
    let mut scratch = Words::zero(kernel.scratch_words());
    let mut table = Words::zero(size << (width - 1));
    table[..size].copy_from_slice(x);
    if width > 1 {
        let mut square = Words::copy_of(x);
        kernel.square(&mut square, &mut scratch);
        for i in 1..1 << (width - 1) {
            let (known, new) = table.split_at_mut(size * i);
            new[..size].copy_from_slice(&known[size * (i - 1)..]);
            kernel.mul(&mut new[..size], &square, &mut scratch);
        }
    }
    table
}

/// `x ← x^exponent` for an exponent of `bits` public bits. Uniform: windows of fixed size, every window
/// multiplies, every look-up reads the whole table.
pub(crate) fn fixed_window(
    kernel: &dyn Kernel,
    x: &mut [u64],
    exponent: &[u64],
    bits: u32,
    scratch: &mut [u64],
) {
    WindowTable::fixed(kernel, x, exponent, bits).run(kernel, x, scratch);
}

/// `x ← x^exponent` by sliding windows over odd powers. Variable-time.
pub(crate) fn sliding_window_vartime(
    kernel: &dyn Kernel,
    x: &mut [u64],
    exponent: &[u64],
    scratch: &mut [u64],
) {
    WindowTable::sliding_vartime(kernel, x, exponent).run(kernel, x, scratch);
}
