//! The constants of a plus-minus inversion, for another implementation of the same loop, for example in
//! hardware.

use alloc::vec::Vec;
use crypto_bigint::BoxedUint;

use super::{Base, Cox, PlusMinus, Rules, SmallResidue, UpdateConstants};

impl<R: Rules + ?Sized> PlusMinus<R> {
    /// Returns P.
    pub fn modulus(&self) -> &BoxedUint {
        &self.prime
    }

    /// Returns the base.
    pub fn base(&self) -> &Base {
        &self.base
    }

    /// Returns the rules that select the divisor of each step.
    pub fn rules(&self) -> &R {
        &self.rules
    }

    /// Returns the Cox, which is exact from C0 − P to C0 + P for the offset C0.
    pub fn cox(&self) -> &Cox {
        &self.cox
    }

    /// Returns the computation of a value X modulo Q from the digits of X + C0, where C0 is the offset.
    pub fn small_residue(&self) -> &SmallResidue {
        &self.small
    }

    /// Returns the constants of the divisions.
    pub fn constants(&self) -> &UpdateConstants {
        &self.constants
    }

    /// Returns the constants of the divisions for values that are always stored with the offset, whether or
    /// not this inversion does so.
    pub fn affine_constants(&self) -> UpdateConstants {
        let divisors: Vec<u64> = self.constants.divisors().collect();
        let scaled = self.base.to_scaled_residues(&self.prime);
        let q = self.rules.modulus();
        UpdateConstants::new(&self.base, q, &divisors, &scaled, self.prime_small, &self.shift)
    }

    /// Returns the offset C0.
    pub fn offset(&self) -> &BoxedUint {
        &self.offset
    }

    /// Returns C1 = C0·T_i^(−1) in every channel.
    pub fn shift(&self) -> &[u64] {
        &self.shift
    }

    /// Returns the value of the counter v, in half bits, that shows that V3 = 0, so that there is no inverse.
    pub fn limit(&self) -> u32 {
        self.limit
    }

    /// Returns P modulo Q.
    pub fn modulus_small(&self) -> u64 {
        self.prime_small
    }

    /// Returns the inner form of 0: C1 if values are stored with the offset ([`Rules::affine`]), otherwise 0.
    pub fn zero(&self) -> &[u64] {
        &self.zero
    }

    /// Returns the inner form of 1.
    pub fn one(&self) -> &[u64] {
        &self.one
    }

    /// Returns the inner form of −1.
    pub fn minus_one(&self) -> &[u64] {
        &self.minus_one
    }

    /// Returns the inner form of P.
    pub fn inner_modulus(&self) -> &[u64] {
        &self.scaled_prime
    }
}

/// The implementation is written by hand, because a derived one would also apply to types without a size.
impl<R: Clone> Clone for PlusMinus<R> {
    fn clone(&self) -> Self {
        Self {
            prime: self.prime.clone(),
            bits: self.bits,
            limit: self.limit,
            stop: self.stop,
            base: self.base.clone(),
            offset: self.offset.clone(),
            cox: self.cox.clone(),
            small: self.small.clone(),
            constants: self.constants.clone(),
            prime_residues: self.prime_residues.clone(),
            shift: self.shift.clone(),
            zero: self.zero.clone(),
            one: self.one.clone(),
            minus_one: self.minus_one.clone(),
            scaled_prime: self.scaled_prime.clone(),
            prime_small: self.prime_small,
            rules: self.rules.clone(),
        }
    }
}
