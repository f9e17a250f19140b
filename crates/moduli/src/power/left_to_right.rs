//! Left-to-right 2^w-ary exponentiation: fixed windows under masks, sliding windows for public exponents.

use crate::{
    kernel::{Kernel, Words},
    limbs,
};

/// The window that costs least for an exponent of `bits` bits: ⌈bits/w⌉ + 2^w products.
pub(crate) fn fixed_window_bits(bits: u32) -> u32 {
    (1..=8).min_by_key(|&w| bits.div_ceil(w) + (1 << w)).unwrap_or(1)
}

/// The powers x^1 … x^(2^w − 1), one after the other.
fn powers(kernel: &dyn Kernel, x: &[u64], window: u32, scratch: &mut [u64]) -> Words {
    let size = x.len();
    let mut table = Words::zero(size * ((1 << window) - 1));
    table[..size].copy_from_slice(x);
    for i in 2..1 << window {
        let (known, new) = table.split_at_mut(size * (i - 1));
        let entry = &mut new[..size];
        if i % 2 == 0 {
            entry.copy_from_slice(&known[size * (i / 2 - 1)..][..size]);
            kernel.square(entry, scratch);
        } else {
            entry.copy_from_slice(&known[size * (i - 2)..][..size]);
            kernel.mul(entry, x, scratch);
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
    let window = fixed_window_bits(bits);
    let table = powers(kernel, x, window, scratch);
    let mut entry = Words::zero(x.len());
    x.copy_from_slice(kernel.one());
    for i in (0..bits.div_ceil(window)).rev() {
        let digit = limbs::bit_field(exponent, i * window, window);
        if i + 1 == bits.div_ceil(window) {
            kernel.select(x, kernel.one(), &table, digit);
            continue;
        }
        for _ in 0..window {
            kernel.square(x, scratch);
        }
        kernel.select(&mut entry, kernel.one(), &table, digit);
        kernel.mul(x, &entry, scratch);
    }
}

/// `x ← x^exponent` by sliding windows over odd powers. Variable-time.
pub(crate) fn sliding_window_vartime(
    kernel: &dyn Kernel,
    x: &mut [u64],
    exponent: &[u64],
    scratch: &mut [u64],
) {
    let bits = limbs::bit_length_vartime(exponent);
    if bits == 0 {
        x.copy_from_slice(kernel.one());
        return;
    }
    let window = (1..=8).min_by_key(|&w| bits / (w + 1) + (1 << (w - 1))).unwrap_or(1);
    let size = x.len();
    // x^1, x^3, x^5, …
    let mut odd = Words::zero(size << (window - 1));
    odd[..size].copy_from_slice(x);
    if window > 1 {
        kernel.square(x, scratch);
    }
    for i in 1..1 << (window - 1) {
        let (known, new) = odd.split_at_mut(size * i);
        new[..size].copy_from_slice(&known[size * (i - 1)..]);
        kernel.mul(&mut new[..size], x, scratch);
    }
    let mut started = false;
    let mut top = bits; // bits still to come
    while top > 0 {
        if limbs::bit_field(exponent, top - 1, 1) == 0 {
            kernel.square(x, scratch);
            top -= 1;
            continue;
        }
        let longest = window.min(top);
        let digit = limbs::bit_field(exponent, top - longest, longest);
        let length = longest - digit.trailing_zeros();
        let entry = &odd[size * (digit as usize >> (longest - length) >> 1)..][..size];
        if started {
            for _ in 0..length {
                kernel.square(x, scratch);
            }
            kernel.mul(x, entry, scratch);
        } else {
            x.copy_from_slice(entry);
            started = true;
        }
        top -= length;
    }
}
