//! Powers of g, represented by their exponents, and counters of the operations on them.

use alloc::{vec, vec::Vec};
use core::fmt;

use crypto_bigint::BoxedUint;

use moduli_kernel::limbs;

/// A power of g, represented by its exponent: an integer of either sign.
#[derive(Clone, PartialEq, Eq)]
pub struct Power {
    /// The exponent in two's complement, low limb first. All powers of a run have the same number
    /// of limbs.
    limbs: Vec<u64>,
}

impl Power {
    /// g^0, with enough limbs for exponents of `bits` bits and for intermediate results: entries
    /// below R^(ℓ+1) ≤ 2^(t + 64) and multipliers below 2^8.
    pub(crate) fn one(bits: u32) -> Self {
        Self { limbs: vec![0; bits.div_ceil(64) as usize + 2] }
    }

    /// g^1.
    pub(crate) fn generator(bits: u32) -> Self {
        let mut power = Self::one(bits);
        power.limbs[0] = 1;
        power
    }

    /// This power times another: the sum of the exponents.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        let mut carry = false;
        let add = |(&a, &b): (&u64, &u64)| {
            let (sum, first) = a.overflowing_add(b);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            carry = first | second;
            sum
        };
        Self { limbs: self.limbs.iter().zip(&other.limbs).map(add).collect() }
    }

    /// This power to the power `n`.
    #[must_use]
    pub fn to_the(&self, n: u64) -> Self {
        let mut carry = 0;
        let multiply = |&limb: &u64| {
            let product = u128::from(limb) * u128::from(n) + carry;
            carry = product >> 64;
            product as u64
        };
        Self { limbs: self.limbs.iter().map(multiply).collect() }
    }

    /// The inverse: the negated exponent.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let complement = Self { limbs: self.limbs.iter().map(|limb| !limb).collect() };
        let mut one = Self { limbs: vec![0; self.limbs.len()] };
        one.limbs[0] = 1;
        complement.times(&one)
    }

    /// Whether the exponent is negative.
    pub fn is_negative(&self) -> bool {
        self.limbs.last().is_some_and(|top| top >> 63 == 1)
    }

    /// The absolute value of the exponent.
    pub fn magnitude(&self) -> BoxedUint {
        if self.is_negative() {
            return limbs::from_limbs(&self.inverse().limbs);
        }
        limbs::from_limbs(&self.limbs)
    }
}

impl PartialEq<i64> for Power {
    fn eq(&self, exponent: &i64) -> bool {
        self.is_negative() == (*exponent < 0) && self.magnitude() == BoxedUint::from(exponent.unsigned_abs())
    }
}

impl fmt::Debug for Power {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_negative() { "-" } else { "" };
        write!(f, "g^{sign}{}", self.magnitude().to_string_radix_vartime(10))
    }
}

/// The operations of an algorithm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The table entries read, in order, as (i, j) of the paper's G_{i,j}; j = −1 is an inverse.
    /// The comb has one row, i = 0, and j are its teeth. Square-and-multiply has no table.
    pub entries: Vec<(usize, i64)>,
    /// The products performed. The first factor of a product is assigned, which is free.
    pub products: u64,
    /// The squarings performed. 1 is not squared.
    pub squarings: u64,
    /// The buckets K_0 … K_{m1−1} of m0m1 before they are combined. `None` if a bucket is empty.
    pub buckets: Vec<Option<Power>>,
    /// The result.
    pub power: Power,
}

impl Run {
    pub(crate) fn new(bits: u32) -> Self {
        Self { entries: Vec::new(), products: 0, squarings: 0, buckets: Vec::new(), power: Power::one(bits) }
    }

    /// `x ← x·factor`.
    pub(crate) fn multiply(&mut self, x: &mut Option<Power>, factor: &Power) {
        *x = Some(match x {
            Some(x) => {
                self.products += 1;
                x.times(factor)
            }
            None => factor.clone(),
        });
    }

    /// `x ← x·G_{i,j}`.
    pub(crate) fn multiply_entry(&mut self, x: &mut Option<Power>, index: (usize, i64), entry: &Power) {
        self.entries.push(index);
        self.multiply(x, entry);
    }

    /// `x ← x²`.
    pub(crate) fn square(&mut self, x: &mut Option<Power>) {
        if let Some(x) = x {
            self.squarings += 1;
            *x = x.to_the(2);
        }
    }

    /// Stores the result in the run: x, or 1 if nothing was multiplied.
    pub(crate) fn finish(self, x: Option<Power>) -> Self {
        let power = x.unwrap_or_else(|| self.power.clone());
        Self { power, ..self }
    }
}
