//! Vectors of the plane with 30 bits of precision and an exponent. They are approximations of the cofactors,
//! which the lattice reduction uses.
//!
//! Constant-time: all values need the same operations.

use zeroize::Zeroize;

use super::masked::{choose, less};

/// Bits of a mantissa.
pub(super) const MANTISSA: u32 = 30;

/// The exponent of zero, which is far below all others.
const NOTHING: i32 = -(1 << 28);

/// (x, y)·2^exponent with 2^29 ≤ max(|x|, |y|) < 2^30.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Vector {
    pub x: i64,
    pub y: i64,
    pub exponent: i32,
}

impl Vector {
    /// (1, 0).
    pub const RIGHT: Self = Self { x: 1 << (MANTISSA - 1), y: 0, exponent: 1 - MANTISSA as i32 };
    /// (0, 1/2).
    pub const HALF_UP: Self = Self { x: 0, y: 1 << (MANTISSA - 1), exponent: -(MANTISSA as i32) };

    /// Approximately (x, y)·2^exponent.
    #[cfg(test)]
    pub fn of(x: f64, y: f64, exponent: i32) -> Self {
        Self::normalized(x as i64, y as i64, exponent)
    }

    /// Normalises a vector with mantissas of up to 62 bits, and cuts them to 30 bits.
    fn normalized(x: i64, y: i64, exponent: i32) -> Self {
        // The highest bit of |x| | |y| is that of the larger value.
        let zeros = ((x.unsigned_abs() | y.unsigned_abs()).leading_zeros() as i32).min(63);
        let up = (zeros - 1) as u32 & 63;
        let down = 63 - MANTISSA;
        Self { x: (x << up) >> down, y: (y << up) >> down, exponent: exponent + 64 - zeros - MANTISSA as i32 }
    }

    /// a·u + b·v, with an error of at most 2^(−26) of the longer term.
    pub fn combine(a: i128, u: &Self, b: i128, v: &Self) -> Self {
        let ((a, a_exponent), (b, b_exponent)) = (leading_bits(a), leading_bits(b));
        let (left, right) = (a_exponent + u.exponent, b_exponent + v.exponent);
        let exponent = larger(left, right);
        let (p, q) = ((exponent - left).min(63), (exponent - right).min(63));
        Self::normalized(((a * u.x) >> p) + ((b * v.x) >> q), ((a * u.y) >> p) + ((b * v.y) >> q), exponent)
    }

    /// The vector times 2^shift.
    pub fn scaled(self, shift: u32) -> Self {
        Self { exponent: self.exponent + shift as i32, ..self }
    }

    /// The square of the length of the mantissa, below 2^61.
    pub fn square(&self) -> u64 {
        (self.x * self.x + self.y * self.y) as u64
    }

    /// The dot product of the mantissas. Its absolute value is below 2^61.
    pub fn dot(&self, other: &Self) -> i64 {
        self.x * other.x + self.y * other.y
    }

    /// An approximation of the length, as a number of at most 17 bits and an exponent. It is 0.97 to 1.07
    /// times the length.
    pub fn length(&self) -> (u64, i32) {
        let (x, y) = (self.x.unsigned_abs(), self.y.unsigned_abs());
        let smaller = choose(less(x.into(), y.into()) as u64, x, y);
        let larger = x + y - smaller;
        ((larger + 3 * smaller / 8) >> 14, self.exponent + 14)
    }

    /// The negated vector if the mask is all ones.
    pub fn negated(self, mask: u64) -> Self {
        let mask = mask as i64;
        Self { x: (self.x ^ mask) - mask, y: (self.y ^ mask) - mask, exponent: self.exponent }
    }

    /// Exchanges two vectors if the mask is all ones.
    pub fn swap(mask: u64, a: &mut Self, b: &mut Self) {
        let mask = mask as i64;
        let (x, y) = (mask & (a.x ^ b.x), mask & (a.y ^ b.y));
        let exponent = mask as i32 & (a.exponent ^ b.exponent);
        *a = Self { x: a.x ^ x, y: a.y ^ y, exponent: a.exponent ^ exponent };
        *b = Self { x: b.x ^ x, y: b.y ^ y, exponent: b.exponent ^ exponent };
    }
}

impl Zeroize for Vector {
    fn zeroize(&mut self) {
        self.x.zeroize();
        self.y.zeroize();
        self.exponent.zeroize();
    }
}

/// The larger of two numbers that differ by less than 2^31, computed without a branch.
fn larger(a: i32, b: i32) -> i32 {
    let difference = a - b;
    a - (difference & (difference >> 31))
}

/// The 30 leading bits of a number with an absolute value below 2^127, with its sign, and their exponent.
fn leading_bits(a: i128) -> (i64, i32) {
    let size = a.unsigned_abs();
    let zeros = size.leading_zeros();
    let mantissa = ((size << (zeros & 127)) >> (128 - MANTISSA)) as i64;
    let sign = (a >> 127) as i64;
    let nothing = less(size, 1) as i32;
    let exponent = 128 - MANTISSA as i32 - zeros as i32;
    ((mantissa ^ sign) - sign, exponent ^ (nothing & (exponent ^ NOTHING)))
}
