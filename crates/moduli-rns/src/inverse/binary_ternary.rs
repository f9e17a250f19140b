//! Binary-ternary plus-minus inversion (BTMI; Bigou and Tisserand, IEEE Transactions on Computers 2016,
//! Algorithms 1 and 2), which divides by 2, 3, 4, 6 and 12.
//!
//! The published update of a value modulo 3 after a division by 4 is wrong for P ≡ 1 modulo 4.
//! `docs/plus-minus.md` explains this and other corrections.

use crypto_bigint::BoxedUint;

use super::{
    super::{
        base::{Base, BaseShape},
        word,
    },
    constants::multiple,
    plus_minus::{Options, PlusMinus, Rules, sealed::Sealed},
};
use moduli::Error;
use moduli_kernel::limbs;

/// Inversion modulo a P coprime to 6 by divisions by 2, 3, 4, 6 and 12 ([`super::plus_minus`]).
///
/// For P of ℓ bits and n channels, an inversion takes 0.467·ℓ plus-minus steps on average, and 0.745 times as
/// many divisions of single values. Cost: 1.63·n·ℓ elementary multiplications (EMM) and 2.57·n·ℓ additions
/// (EMA).
pub type BinaryTernary = PlusMinus<BinaryTernaryRules>;

/// The divisors of binary-ternary inversion. For two values that are coprime to 6, both the sum and the
/// difference are divisible by 2, one of them by 4, and one of them by 3.
#[derive(Clone, Copy, Debug)]
pub struct BinaryTernaryRules {
    /// P modulo 12.
    prime: u64,
}

/// The divisors.
const DIVISORS: [u64; 5] = [2, 3, 4, 6, 12];

impl Sealed for BinaryTernaryRules {}

impl Rules for BinaryTernaryRules {
    fn modulus(&self) -> u64 {
        12
    }

    fn affine(&self) -> bool {
        true
    }

    /// Algorithm 2.
    fn alone(&self, v3: u64) -> u64 {
        match (v3 % 4, v3 % 3) {
            (0, 0) => 12,
            (2, 0) => 6,
            (0, _) => 4,
            (2, _) => 2,
            (_, 0) => 3,
            _ => 1,
        }
    }

    /// The residues modulo 3 determine the sign, and those modulo 4 the divisor.
    fn combined(&self, v3: u64, u3: u64) -> (bool, u64) {
        let minus = !(v3 + u3).is_multiple_of(3);
        let result = if minus { v3 + 12 - u3 } else { v3 + u3 };
        (minus, if result.is_multiple_of(4) { 12 } else { 6 })
    }

    /// Computes one part of the residue, modulo 3 or 4, from the residue before the division where this is
    /// possible; takes the rest from the Cox.
    fn divided(&self, before: u64, divisor: u64, now: u64) -> u64 {
        let (b, t) = (before % 4, before % 3);
        let (new_b, new_t) = match divisor {
            2 => (now % 4, self.update3_2(t, b)),
            3 => (self.update4(b, t), now % 3),
            4 => (now % 4, self.update3_4(t, b)),
            _ => (now % 4, now % 3),
        };
        // Combines the parts by the Chinese remainder theorem.
        (9 * new_b + 4 * new_t) % 12
    }
}

impl BinaryTernaryRules {
    fn new(p: &BoxedUint) -> Self {
        Self { prime: word::remainder(&limbs::to_limbs(p, 1), 12) }
    }

    /// (X + f_3(t)·P)/3 modulo 4.
    fn update4(&self, b: u64, t: u64) -> u64 {
        (3 * self.corrected(b, multiple(t, self.prime, 3))).rem_euclid(4) as u64
    }

    /// (X + f_2(b)·P)/2 modulo 3.
    fn update3_2(&self, t: u64, b: u64) -> u64 {
        (2 * self.corrected(t, multiple(b, self.prime, 2))).rem_euclid(3) as u64
    }

    /// (X + f_4(b)·P)/4 modulo 3.
    fn update3_4(&self, t: u64, b: u64) -> u64 {
        self.corrected(t, multiple(b, self.prime, 4)).rem_euclid(3) as u64
    }

    fn corrected(&self, x: u64, f: i64) -> i64 {
        x as i64 + f * self.prime as i64
    }
}

impl BinaryTernary {
    /// Makes the inversion for a `p` > 3 coprime to 6, prime or not, over a base of the given shape.
    ///
    /// # Errors
    /// [`Error::Modulus`] if `p` is not suitable. [`Error::Parameter`] if 3 divides `p`, if the product of
    /// the moduli is not above 26·P (4·P with [`super::Offset::Least`]), or if the number of top bits in
    /// `options` is too small. The second of these errors names shapes that are suitable.
    pub fn new(p: &BoxedUint, shape: BaseShape, options: &Options) -> Result<Self, Error> {
        Self::build(BinaryTernaryRules::new(p), p, shape, options, &DIVISORS)
    }

    /// Makes the inversion over a given base, for example the first of two bases for products.
    ///
    /// # Errors
    /// [`Error::Modulus`] if `p` is not suitable. [`Error::Parameter`] if 3 divides `p`, if a modulus of the
    /// base is not coprime to 12, if the number of top bits in `options` is too small, or if no number is
    /// sufficient for this base.
    pub fn over(base: &Base, p: &BoxedUint, options: &Options) -> Result<Self, Error> {
        Self::build_on(base.clone(), BinaryTernaryRules::new(p), p, 1, options, &DIVISORS)
    }
}
