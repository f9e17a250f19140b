//! Scalars modulo an odd n < 2^255 in four limbs, low limb first, and their digits.
//!
//! All functions of scalars are constant-time: they have fixed sequences of operations and no
//! division instruction.

use alloc::{vec, vec::Vec};

use moduli::Error;

/// Arithmetic modulo n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scalars {
    order: [u64; 4],
    bits: u32,
}

impl Scalars {
    /// For an odd n, 3 ≤ n < 2^255.
    pub(super) fn new(order: [u64; 4]) -> Result<Self, Error> {
        let bits = (0..256).rev().find(|&i| bit(&order, i) == 1).map_or(0, |top| top + 1);
        if order[0] & 1 == 0 || !(2..256).contains(&bits) {
            return Err(Error::parameter("order", "must be odd, at least 3 and below 2^255"));
        }
        Ok(Self { order, bits })
    }

    pub(super) fn order(&self) -> [u64; 4] {
        self.order
    }

    /// The length of n in bits.
    pub(super) fn bits(&self) -> u32 {
        self.bits
    }

    /// k mod n.
    pub(super) fn reduce(&self, k: [u64; 4]) -> [u64; 4] {
        (0..=256 - self.bits).rev().fold(k, |k, i| self.subtract_once(k, i))
    }

    /// x − n·2^shift, or x if that is negative; n·2^shift < 2^256.
    fn subtract_once(&self, x: [u64; 4], shift: u32) -> [u64; 4] {
        let (limbs, bits) = ((shift / 64) as usize, shift % 64);
        let shifted = core::array::from_fn(|i| {
            let limb = |i: Option<usize>| i.map_or(0, |i| self.order[i]);
            let low = limb(i.checked_sub(limbs)) << bits;
            low | (limb(i.checked_sub(limbs + 1)) >> 1) >> (63 - bits)
        });
        let (difference, negative) = subtract(x, shifted);
        core::array::from_fn(|i| difference[i] ^ (negative & (difference[i] ^ x[i])))
    }

    /// a + b modulo n, for numbers below n.
    pub(super) fn add(&self, a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
        self.subtract_once(add(a, b), 0)
    }

    /// −a modulo n, for a number below n.
    pub(super) fn negate(&self, a: [u64; 4]) -> [u64; 4] {
        self.subtract_once(subtract(self.order, a).0, 0)
    }

    /// a/2 modulo n, for a number below n.
    pub(super) fn halve(&self, a: [u64; 4]) -> [u64; 4] {
        let odd = 0u64.wrapping_sub(a[0] & 1);
        let even = add(a, self.order.map(|limb| limb & odd));
        core::array::from_fn(|i| even[i] >> 1 | even.get(i + 1).map_or(0, |next| next << 63))
    }

    /// a·r modulo n. Variable-time in the public r.
    pub(super) fn times_vartime(&self, a: [u64; 4], r: u64) -> [u64; 4] {
        let step = |sum, i: u32| {
            let doubled = self.add(sum, sum);
            if r >> i & 1 == 1 { self.add(doubled, a) } else { doubled }
        };
        (0..64).rev().fold([0; 4], step)
    }

    /// n − 1, the largest scalar.
    pub(super) fn largest(&self) -> [u64; 4] {
        self.negate([1, 0, 0, 0])
    }
}

/// Bit i, i < 256.
pub(super) fn bit(x: &[u64; 4], i: u32) -> u64 {
    x[i as usize / 64] >> (i % 64) & 1
}

/// All ones if a = b, otherwise 0.
pub(super) fn equal(a: u64, b: u64) -> u64 {
    let difference = a ^ b;
    ((difference | difference.wrapping_neg()) >> 63).wrapping_sub(1)
}

/// All ones if a < b, otherwise 0. Both must be below 2^63.
pub(super) fn less(a: u64, b: u64) -> u64 {
    0u64.wrapping_sub(a.wrapping_sub(b) >> 63)
}

fn add(a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
    let mut carry = 0;
    core::array::from_fn(|i| {
        let sum = u128::from(a[i]) + u128::from(b[i]) + carry;
        carry = sum >> 64;
        sum as u64
    })
}

/// a − b modulo 2^256, with a mask of all ones if it is negative.
fn subtract(a: [u64; 4], b: [u64; 4]) -> ([u64; 4], u64) {
    let mut borrow = 0;
    let difference = core::array::from_fn(|i| {
        let difference = u128::from(a[i]).wrapping_sub(u128::from(b[i])).wrapping_sub(borrow);
        borrow = difference >> 127;
        difference as u64
    });
    (difference, 0u64.wrapping_sub(borrow as u64))
}

/// A public divisor, 1 ≤ d < 2^32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Divisor {
    divisor: u64,
    /// ⌊(2^64 − 1)/d⌋: the estimate ⌊x·reciprocal/2^64⌋ is the quotient or one less.
    reciprocal: u64,
}

impl Divisor {
    pub(super) fn new(divisor: u32) -> Self {
        let divisor = u64::from(divisor.max(1));
        Self { divisor, reciprocal: u64::MAX / divisor }
    }

    /// `(⌊x/d⌋, x mod d)`.
    pub(super) fn divide(self, x: u64) -> (u64, u64) {
        let quotient = ((u128::from(x) * u128::from(self.reciprocal)) >> 64) as u64;
        let remainder = x - quotient * self.divisor;
        let short = 0u64.wrapping_sub(u64::from(remainder >= self.divisor));
        (quotient.wrapping_sub(short), remainder - (self.divisor & short))
    }

    /// x mod d.
    pub(super) fn remainder(self, x: u64) -> u64 {
        self.divide(x).1
    }
}

/// Splits scalars into digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Digits {
    by_radix: Divisor,
    /// The largest power of the radix below 2^32, and its exponent. Each division of the scalar
    /// gives a group of digits.
    by_group: Divisor,
    group: usize,
    count: usize,
    /// The top digit of n − 1, which is the greatest possible top digit.
    pub(super) top: u64,
}

impl Digits {
    /// Digits in a radix from 2 to 2^31. There are as many as n − 1 has.
    pub(super) fn new(radix: u32, scalars: &Scalars) -> Self {
        let radix = radix.clamp(2, 1 << 31);
        let (mut power, mut group) = (radix, 1);
        while let Some(next) = power.checked_mul(radix) {
            (power, group) = (next, group + 1);
        }
        let (by_radix, by_group) = (Divisor::new(radix), Divisor::new(power));
        let mut all = Self { by_radix, by_group, group, count: 256, top: 0 };
        let digits = all.cut(scalars.largest());
        all.count = digits.iter().rposition(|&digit| digit != 0).map_or(1, |top| top + 1);
        all.top = digits[all.count - 1];
        all
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The digits of a scalar below n, low digit first.
    pub(super) fn cut(&self, mut k: [u64; 4]) -> Vec<u64> {
        let mut digits = vec![0; self.count];
        for (done, digits) in digits.chunks_mut(self.group).enumerate() {
            // Each group removes at least 16 bits.
            let live = 4 - (done / 4).min(3);
            let mut remainder = 0;
            for limb in k[..live].iter_mut().rev() {
                let (high, middle) = self.by_group.divide(remainder << 32 | *limb >> 32);
                let (low, last) = self.by_group.divide(middle << 32 | (*limb & 0xffff_ffff));
                *limb = high << 32 | low;
                remainder = last;
            }
            for digit in digits {
                (remainder, *digit) = self.by_radix.divide(remainder);
            }
        }
        digits
    }
}

/// Splits scalars into digits around zero: Σ d_i·R^i = k modulo n with |d_i| ≤ (R − 1)/2, for odd
/// R.
///
/// An offset with all digits (R − 1)/2 is added to the scalar modulo n and subtracted digit by
/// digit. So there are no carries, and no digits above those of n − 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BalancedDigits {
    digits: Digits,
    half: i64,
    offset: [u64; 4],
}

impl BalancedDigits {
    /// For an odd radix from 3 to 2^31 − 1.
    pub(super) fn new(radix: u32, scalars: &Scalars) -> Self {
        let digits = Digits::new(radix, scalars);
        let half = radix as u64 / 2;
        let low = (1..digits.count()).map(|_| half);
        let horner = |sum, half| {
            scalars.add(scalars.times_vartime(sum, radix.into()), scalars.reduce([half, 0, 0, 0]))
        };
        let offset = core::iter::once(digits.top.div_ceil(2)).chain(low).fold([0; 4], horner);
        Self { digits, half: half as i64, offset }
    }

    /// The number of digits.
    pub(super) fn count(&self) -> usize {
        self.digits.count()
    }

    /// The greatest absolute value of a top digit, at least 1. The other digits go up to (R − 1)/2.
    pub(super) fn largest_top(&self) -> u64 {
        self.digits.top.div_ceil(2)
    }

    /// The digits of a scalar below n, low digit first.
    pub(super) fn cut(&self, scalars: &Scalars, k: [u64; 4]) -> impl Iterator<Item = i64> {
        let (top, above) = (self.count() - 1, self.largest_top() as i64);
        let digits = self.digits.cut(scalars.add(k, self.offset)).into_iter().enumerate();
        digits.map(move |(i, digit)| digit as i64 - if i == top { above } else { self.half })
    }
}
