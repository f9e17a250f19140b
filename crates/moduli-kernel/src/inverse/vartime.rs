//! The inversion for public values: Euclid's algorithm on the leading bits of two numbers, about sixty bits
//! at a time (Lehmer 1938).
//!
//! Only the 128 leading bits of a ≥ b are read. Euclid's steps on them result in a matrix of determinant 1
//! with non-negative entries,
//!
//! ```text
//! a ← s·a − q·b      b ← p·b − r·a
//! ```
//!
//! which is then applied to all limbs of both numbers: four products per limb remove 62 bits of each. The
//! steps need not be those of Euclid's algorithm on the whole numbers: any such matrix preserves gcd(a, b).
//! It is only required that neither number becomes negative.
//!
//! *Neither does.* Let x and y be the leading bits of a and b, so that a = (x + ε)·2^k with 0 ≤ ε < 1, and
//! likewise for b. Let the matrix map (x, y) to (x', y'), where x and y are below 2^B. Since x = p·x' + q·y'
//! and y = r·x' + s·y', the entries p and r are at most 2^B/x', and s and q at most 2^B/y'. The new a is at
//! least (x' − q)·2^k, which is positive if x'·y' ≥ 2^B; the same holds for the new b. Both halves of a round
//! satisfy this condition. In the first half, B is 64 and x', y' ≥ 2^33. In the whole round, B is 128 and x',
//! y' ≥ 2^65: the second half starts with numbers of at least 97 bits, cut to 64 bits, so at least 33 bits
//! are cut off. Its results are at least 2^33 with an error below 2^31, in units of at least 2^33.
//!
//! The cofactors of the value are |d| with d·value ≡ ±a and |e| with e·value ≡ ∓b. They begin with 0 and 1
//! and take the same steps with additions, because their signs always differ. They only grow, and end as the
//! inverse and the modulus, both divided by the common factor.

use alloc::vec::Vec;
use zeroize::Zeroizing;

use super::{digits, inverter::Inverter};
use crate::limbs;

/// a ← s·a − q·b and b ← p·b − r·a.
#[derive(Clone, Copy)]
struct Matrix {
    s: u64,
    q: u64,
    p: u64,
    r: u64,
}

/// The least value that a half round leaves of its 64 bits. With it, no entry of the matrix exceeds 2^31.
const LEAST: u64 = 1 << 33;

impl Matrix {
    const ONE: Self = Self { s: 1, q: 0, p: 1, r: 0 };

    fn is_one(self) -> bool {
        self.q == 0 && self.r == 0
    }

    /// Performs Euclid's steps as far as the 64 leading bits determine them.
    fn of_words(mut x: u64, mut y: u64) -> Self {
        let mut m = Self::ONE;
        if x.min(y) < LEAST {
            return m;
        }
        let mut x_is_larger = x >= y;
        loop {
            if x_is_larger {
                let (quotient, rest) = (x / y, x % y);
                if rest < LEAST {
                    return m;
                }
                x = rest;
                m.take_from_x(quotient);
            }
            let (quotient, rest) = (y / x, y % x);
            if rest < LEAST {
                return m;
            }
            y = rest;
            m.take_from_y(quotient);
            x_is_larger = true;
        }
    }

    /// The same for 128 leading bits; the top bit of the larger number is set. Works in two halves; the
    /// second one continues with the result of the first.
    fn of_double_words(mut x: u128, mut y: u128) -> Self {
        let first = Self::of_words((x >> 64) as u64, (y >> 64) as u64);
        if first.is_one() {
            return first;
        }
        // Products may wrap, but the differences do not.
        let product = |factor: u64, x: u128| u128::from(factor).wrapping_mul(x);
        (x, y) = (
            product(first.s, x).wrapping_sub(product(first.q, y)),
            product(first.p, y).wrapping_sub(product(first.r, x)),
        );
        let cut = 64 - (x | y).leading_zeros();
        let second = Self::of_words((x >> cut) as u64, (y >> cut) as u64);
        Self {
            s: second.s * first.s + second.q * first.r,
            q: second.s * first.q + second.q * first.p,
            p: second.p * first.p + second.r * first.q,
            r: second.p * first.r + second.r * first.s,
        }
    }

    /// Performs Euclid's algorithm to the end, for numbers below 2^34. Returns the matrix that makes one of
    /// them zero; its entries are below 2^34, too.
    fn to_the_end(mut x: u64, mut y: u64) -> Self {
        let mut m = Self::ONE;
        while x.max(y) > u64::from(u32::MAX) && x.min(y) != 0 {
            if x >= y {
                m.take_from_x(x / y);
                x %= y;
            } else {
                m.take_from_y(y / x);
                y %= x;
            }
        }
        if x.min(y) == 0 {
            return m;
        }
        // Divisions of 32-bit words are faster.
        let (mut x, mut y) = (x as u32, y as u32);
        if x < y {
            m.take_from_y(u64::from(y / x));
            y %= x;
        }
        while y != 0 {
            m.take_from_x(u64::from(x / y));
            x %= y;
            if x == 0 {
                break;
            }
            m.take_from_y(u64::from(y / x));
            y %= x;
        }
        m
    }

    /// x ← x − quotient·y.
    fn take_from_x(&mut self, quotient: u64) {
        self.s += quotient * self.r;
        self.q += quotient * self.p;
    }

    /// y ← y − quotient·x.
    fn take_from_y(&mut self, quotient: u64) {
        self.p += quotient * self.q;
        self.r += quotient * self.s;
    }

    /// Applies the matrix to two numbers of equal length. Entries are below 2^63, and there is no carry out
    /// of the top.
    fn reduce(self, a: &mut [u64], b: &mut [u64]) {
        let product = |factor: u64, limb: u64| (u128::from(factor) * u128::from(limb)) as i128;
        let (mut carry_a, mut carry_b) = (0, 0);
        for (a, b) in a.iter_mut().zip(b) {
            let sum_a = product(self.s, *a) - product(self.q, *b) + carry_a;
            let sum_b = product(self.p, *b) - product(self.r, *a) + carry_b;
            (*a, *b) = (sum_a as u64, sum_b as u64);
            (carry_a, carry_b) = (sum_a >> 64, sum_b >> 64);
        }
    }

    /// Applies the matrix, with additions, to the cofactors. They have equal length, with room for the
    /// result. Entries are below 2^63.
    fn grow(self, d: &mut [u64], e: &mut [u64]) {
        let product = |factor: u64, limb: u64| u128::from(factor) * u128::from(limb);
        let (mut carry_d, mut carry_e) = (0, 0);
        for (d, e) in d.iter_mut().zip(e) {
            let sum_d = product(self.s, *d) + product(self.q, *e) + carry_d;
            let sum_e = product(self.p, *e) + product(self.r, *d) + carry_e;
            (*d, *e) = (sum_d as u64, sum_e as u64);
            (carry_d, carry_e) = (sum_d >> 64, sum_e >> 64);
        }
    }
}

/// Two numbers, and the cofactors of the value for each of them.
struct Euclid<'a> {
    a: &'a mut [u64],
    b: &'a mut [u64],
    d: &'a mut [u64],
    e: &'a mut [u64],
    /// Whether d·value ≡ a and e·value ≡ −b, or d·value ≡ −a and e·value ≡ b.
    a_is_positive: bool,
    /// The limbs of a and b that are in use, and those of d and e.
    length: usize,
    grown: usize,
}

impl<'a> Euclid<'a> {
    /// Starts from 0·value ≡ modulus and 1·value ≡ value, for a value of at most as many limbs as the
    /// modulus. The cofactors become at most as large as the larger of the two numbers, and have one limb
    /// more. `scratch` is all zero, and has two limbs more than four times those of the modulus.
    fn new(modulus: &[u64], value: &[u64], scratch: &'a mut [u64]) -> Self {
        let limbs = modulus.len();
        let (a, rest) = scratch.split_at_mut(limbs);
        let (b, rest) = rest.split_at_mut(limbs);
        let (d, rest) = rest.split_at_mut(limbs + 1);
        let e = &mut rest[..limbs + 1];
        a.copy_from_slice(modulus);
        b[..value.len()].copy_from_slice(value);
        e[0] = 1;
        Self { a, b, d, e, a_is_positive: false, length: limbs, grown: 1 }
    }

    /// Runs until one of the numbers is zero. The other one, the greatest common divisor, is then in `a`.
    fn run(&mut self) {
        loop {
            while self.length > 1 && self.a[self.length - 1] == 0 && self.b[self.length - 1] == 0 {
                self.length -= 1;
            }
            if self.length == 1 && self.a[0].max(self.b[0]) >> 34 == 0 {
                self.apply(Matrix::to_the_end(self.a[0], self.b[0]));
                if self.a[0] == 0 {
                    self.exchange();
                }
                return;
            }
            let shift = (self.a[self.length - 1] | self.b[self.length - 1]).leading_zeros();
            let [x, y] = [&*self.a, &*self.b].map(|number| leading(&number[..self.length], shift));
            let matrix = Matrix::of_double_words(x, y);
            if !matrix.is_one() {
                self.apply(matrix);
            } else if self.divide() {
                return;
            }
        }
    }

    fn apply(&mut self, matrix: Matrix) {
        matrix.reduce(&mut self.a[..self.length], &mut self.b[..self.length]);
        self.grown = (self.grown + 1).min(self.d.len());
        matrix.grow(&mut self.d[..self.grown], &mut self.e[..self.grown]);
        self.trim();
    }

    fn trim(&mut self) {
        while self.grown > 1 && self.d[self.grown - 1] == 0 && self.e[self.grown - 1] == 0 {
            self.grown -= 1;
        }
    }

    fn exchange(&mut self) {
        core::mem::swap(&mut self.a, &mut self.b);
        core::mem::swap(&mut self.d, &mut self.e);
        self.a_is_positive = !self.a_is_positive;
    }

    /// Subtracts a multiple of the smaller number from the larger one: as large a multiple as the 64 leading
    /// bits of both determine. Returns whether one number is zero; it is then `b`.
    fn divide(&mut self) -> bool {
        if self.a.iter().rev().lt(self.b.iter().rev()) {
            self.exchange();
        }
        let [bits_a, bits_b] = [&*self.a, &*self.b].map(limbs::bit_length_vartime);
        if bits_b == 0 {
            return true;
        }
        let ahead = bits_a - bits_b;
        let at = ahead.saturating_sub(1) / 64;
        let quotient = if ahead == 0 {
            1
        } else {
            let [x, y] = [(&*self.a, bits_a), (&*self.b, bits_b)].map(|(number, bits)| {
                let length = bits.div_ceil(64) as usize;
                (leading(&number[..length], 64 * length as u32 - bits) >> 64) as u64
            });
            // The quotient is at least 1, below 2^63 and never too large, because x is rounded down and y up.
            ((u128::from(x) << (ahead - 64 * at).min(62)) / (u128::from(y) + 1)) as u64
        };
        let at = at as usize;
        let mut borrow = 0i128;
        for (a, &b) in self.a[at..].iter_mut().zip(&*self.b) {
            borrow += i128::from(*a) - i128::from(quotient) * i128::from(b);
            *a = borrow as u64;
            borrow >>= 64;
        }
        let mut carry = 0u128;
        for (d, &e) in self.d[at..].iter_mut().zip(&*self.e) {
            carry += u128::from(*d) + u128::from(quotient) * u128::from(e);
            *d = carry as u64;
            carry >>= 64;
        }
        self.grown = self.d.len();
        self.trim();
        false
    }
}

/// The 128 leading bits of a number, after the `shift` highest bits, which are zero.
fn leading(number: &[u64], shift: u32) -> u128 {
    let limb = |i: usize| number.len().checked_sub(i).map_or(0, |at| number[at]);
    let high = u128::from(limb(1)) << 64 | u128::from(limb(2));
    high << shift | u128::from(limb(3)) << shift >> 64
}

/// value^(−1) modulo an odd or even modulus above 1, with as many limbs as the modulus; otherwise their
/// common factor. The value has at most as many limbs as the modulus, and need not be reduced. Nothing is
/// precomputed or allocated: `scratch` is all zero, and has two limbs more than four times those of the
/// modulus. Variable-time.
///
/// # Errors
/// The common factor, if it is not 1.
///
/// # Panics
/// If the value has more limbs than the modulus, or `scratch` is too short.
pub fn invert_vartime<'a>(
    modulus: &[u64],
    value: &[u64],
    scratch: &'a mut [u64],
) -> Result<&'a mut [u64], &'a mut [u64]> {
    let mut euclid = Euclid::new(modulus, value, scratch);
    euclid.run();
    let Euclid { a, d, a_is_positive, .. } = euclid;
    if a[0] != 1 || a[1..].iter().any(|&limb| limb != 0) {
        return Err(a);
    }
    let inverse = &mut d[..modulus.len()];
    if !a_is_positive {
        let mut borrow = false;
        for (d, &m) in inverse.iter_mut().zip(modulus) {
            let (difference, first) = m.overflowing_sub(*d);
            let second;
            (*d, second) = difference.overflowing_sub(u64::from(borrow));
            borrow = first | second;
        }
    }
    Ok(inverse)
}

impl Inverter {
    /// value^(−1) for a value of at most as many limbs as the modulus; otherwise their common factor.
    /// Variable-time.
    pub fn invert_vartime(&self, value: &[u64]) -> Result<Zeroizing<Vec<u64>>, Zeroizing<Vec<u64>>> {
        let mut scratch = limbs::zeros(4 * self.limbs + 2);
        invert_vartime(&digits::to_limbs(&self.modulus, self.limbs), value, &mut scratch)
            .map(|inverse| Zeroizing::new(inverse.to_vec()))
            .map_err(|factor| Zeroizing::new(factor.to_vec()))
    }
}
