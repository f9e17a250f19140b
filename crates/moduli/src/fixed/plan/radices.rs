//! Least radices, computed with integers.

use alloc::vec::Vec;

use crate::fixed::digits::digit_count;

/// The exclusive bound of all radices: the greatest is (2^24 − 1)·255.
const BOUND: u64 = 1 << 32;

/// A positive number m·2^e with 2^63 ≤ m < 2^64, which bounds a longer number.
#[derive(Clone, Copy)]
struct Bound {
    mantissa: u64,
    exponent: i64,
}

impl Bound {
    fn new(value: u64) -> Self {
        let shift = value.leading_zeros();
        Self { mantissa: value << shift, exponent: -i64::from(shift) }
    }

    /// The product, rounded down or up.
    fn times(self, other: Self, up: bool) -> Self {
        let wide = u128::from(self.mantissa) * u128::from(other.mantissa);
        let shift = wide.leading_zeros();
        let (wide, exponent) = (wide << shift, self.exponent + other.exponent + 64 - i64::from(shift));
        let mantissa = (wide >> 64) as u64;
        if !up || wide as u64 == 0 {
            return Self { mantissa, exponent };
        }
        match mantissa.checked_add(1) {
            Some(mantissa) => Self { mantissa, exponent },
            None => Self { mantissa: 1 << 63, exponent: exponent + 1 },
        }
    }

    /// value^n, rounded down or up.
    fn power(value: u64, n: u32, up: bool) -> Self {
        let (base, mut power) = (Self::new(value), Self::new(1));
        for bit in (0..u32::BITS - n.leading_zeros()).rev() {
            power = power.times(power, up);
            if n >> bit & 1 == 1 {
                power = power.times(base, up);
            }
        }
        power
    }

    /// Whether the number is 2^bits or more.
    fn reaches(self, bits: u32) -> bool {
        self.exponent + 63 >= i64::from(bits)
    }
}

/// Whether radix^digits ≥ 2^bits. The bounds of 64 bits nearly always decide; otherwise the exact
/// power does.
fn reaches(radix: u64, digits: u32, bits: u32) -> bool {
    if Bound::power(radix, digits, false).reaches(bits) {
        return true;
    }
    Bound::power(radix, digits, true).reaches(bits) && digit_count(radix, bits) <= digits
}

/// 2^bits / radix^digits, rounded, for averages.
pub(super) fn ratio(bits: u32, radix: u64, digits: u32) -> f64 {
    let power = Bound::power(radix, digits, false);
    power_of_two(i64::from(bits) - power.exponent) / power.mantissa as f64
}

/// 2^n, or 0 or infinity outside the range of a double.
pub(super) fn power_of_two(n: i64) -> f64 {
    match n {
        ..-1022 => 0.0,
        -1022..1024 => f64::from_bits(((n + 1023) as u64) << 52),
        _ => f64::INFINITY,
    }
}

/// A number of digits with its least radix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Radix {
    pub(super) digits: u32,
    pub(super) least: u64,
    /// The least radix for one digit fewer, or the bound of all radices.
    pub(super) bound: u64,
}

/// All numbers of digits that radices below 2^32 give for exponents of `bits` bits, fewest digits
/// first, each with its least radix.
pub(super) fn radices(bits: u32) -> Vec<Radix> {
    let mut radices = Vec::new();
    let (mut digits, mut bound, mut gap) = (bits.div_ceil(32), BOUND, BOUND);
    loop {
        if !reaches(bound - 1, digits, bits) {
            digits = least(digits.into(), bits.into(), |n| reaches(bound - 1, n as u32, bits)) as u32;
        }
        // The gap between consecutive least radices never grows.
        let low = bound.saturating_sub(gap + 2).max(2);
        let low = if reaches(low, digits, bits) { 2 } else { low };
        let radix = least(low, bound - 1, |radix| reaches(radix, digits, bits));
        radices.push(Radix { digits, least: radix, bound });
        if radix == 2 {
            return radices;
        }
        (gap, bound) = (bound - radix, radix);
        digits += 1;
    }
}

/// The number of digits in this radix, from the list of all least radices.
pub(super) fn digits_in(radix: u64, radices: &[Radix]) -> u32 {
    radices.get(radices.partition_point(|entry| entry.least > radix)).map_or(1, |entry| entry.digits)
}

/// The least number in low..=high for which `holds` is true. It must be true for `high`, and for
/// all numbers above one for which it is true.
fn least(mut low: u64, mut high: u64, holds: impl Fn(u64) -> bool) -> u64 {
    while low < high {
        let middle = low.midpoint(high);
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::{digit_count, digits_in, radices, ratio};

    #[test]
    fn every_radix_has_its_place() {
        for bits in [1, 2, 3, 17, 32, 33, 64, 160, 224, 2022] {
            let radices = radices(bits);
            for radix in (2..2000).chain([1 << 16, (1 << 24) - 1, 1 << 24, (1 << 32) - 1]) {
                assert_eq!(digits_in(radix, &radices), digit_count(radix, bits), "{radix}, {bits} bits");
            }
            assert!(radices.windows(2).all(|pair| pair[0].least == pair[1].bound));
        }
    }

    #[test]
    fn ratios_are_near() {
        assert!((ratio(10, 3, 4) - 1024.0 / 81.0).abs() < 1e-12);
        assert!((ratio(4096, 2, 4090) - 64.0).abs() < 1e-12);
    }
}
