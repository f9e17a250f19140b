//! Barrett reduction of numbers that are at most one word longer than the modulus. It estimates a quotient of
//! one word by a product with the reciprocal, without a division (Barrett, CRYPTO 1986).

use alloc::{vec, vec::Vec};
use zeroize::{Zeroize, Zeroizing};

use crate::{
    limbs, mask,
    places::{Constant, Places, bytes_of},
};

/// A modulus and its reciprocal. Wiped on drop, because the primes of an RSA key are moduli too.
pub struct Barrett {
    modulus: Zeroizing<Vec<u64>>,
    bits: u32,
    /// ⌊2^(bits + 63)/modulus⌋. It fits a word, because the modulus is not a power of two.
    reciprocal: u64,
}

impl Barrett {
    /// Takes an odd modulus > 1, as little-endian limbs without leading zeros. Variable-time in the modulus.
    pub fn new(modulus: &[u64]) -> Self {
        let bits = limbs::bit_length_vartime(modulus);
        let mut rest = limbs::zeros(modulus.len() + 1);
        rest[(bits as usize - 1) / 64] = 1 << ((bits - 1) % 64);
        let mut reciprocal = 0;
        for _ in 0..64 {
            let mut carry = 0;
            for limb in rest.iter_mut() {
                (*limb, carry) = (*limb << 1 | carry, *limb >> 63);
            }
            reciprocal = reciprocal << 1 | subtract_where_possible(&mut rest, modulus) & 1;
        }
        Self { modulus: Zeroizing::new(modulus.to_vec()), bits, reciprocal }
    }

    /// `x ← x mod modulus`, in the low limbs of x. `x` has one limb more than the modulus and is below
    /// 2^(bits + 63); all numbers with as many limbs as the modulus are. Constant-time. Cost: a row of a
    /// product.
    pub fn reduce(&self, x: &mut [u64]) {
        // The quotient word q = ⌊⌊x/2^(bits−1)⌋·reciprocal/2^64⌋ satisfies x/modulus − 3 < q ≤ x/modulus.
        let low = limbs::bit_field(x, self.bits - 1, 32);
        let top = limbs::bit_field(x, self.bits + 31, 32) << 32 | low;
        let quotient = (u128::from(top) * u128::from(self.reciprocal)) >> 64;
        let (mut carry, mut borrow) = (0, false);
        for (x, modulus) in x.iter_mut().zip(self.modulus.iter().copied().chain([0])) {
            let product = quotient * u128::from(modulus) + carry;
            carry = product >> 64;
            (*x, borrow) = subtract(*x, product as u64, borrow);
        }
        subtract_where_possible(x, &self.modulus);
        subtract_where_possible(x, &self.modulus);
    }

    /// The modulus.
    #[cfg(feature = "std")]
    pub fn modulus(&self) -> &[u64] {
        &self.modulus
    }

    /// The places of its constants, for proofs.
    pub fn places(&self) -> Places {
        let constants = vec![
            Constant::of("modulus", &self.modulus),
            Constant::of("reciprocal", core::slice::from_ref(&self.reciprocal)),
        ];
        Places { constants, public: vec![bytes_of(&self.modulus), bytes_of(&self.bits)] }
    }
}

impl Drop for Barrett {
    fn drop(&mut self) {
        self.reciprocal.zeroize();
    }
}

/// The difference x − y − borrow, and whether it is negative.
#[inline(always)]
fn subtract(x: u64, y: u64, borrow: bool) -> (u64, bool) {
    let (difference, below) = x.overflowing_sub(y);
    let (difference, below_too) = difference.overflowing_sub(u64::from(borrow));
    (difference, below | below_too)
}

/// `x ← x − y` if `x ≥ y`; returns all ones then, else zero. `x` is one limb longer than y. Constant-time.
fn subtract_where_possible(x: &mut [u64], y: &[u64]) -> u64 {
    let (low, top) = x.split_at_mut(y.len());
    let below = low.iter().zip(y).fold(false, |borrow, (&x, &y)| subtract(x, y, borrow).1);
    let below = subtract(top[0], 0, below).1;
    let possible = mask::equal(u64::from(below), 0);
    let mut borrow = false;
    for (x, &y) in low.iter_mut().zip(y) {
        (*x, borrow) = subtract(*x, y & possible, borrow);
    }
    top[0] -= u64::from(borrow);
    possible
}
