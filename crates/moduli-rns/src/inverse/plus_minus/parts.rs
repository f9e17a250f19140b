//! What an inverter is made of: all constants that the same loop wants elsewhere, in hardware for instance.

use alloc::vec::Vec;
use crypto_bigint::BoxedUint;

use super::{Base, Cox, PlusMinus, Rules, SmallResidue, UpdateConstants};

impl<R: Rules + ?Sized> PlusMinus<R> {
    /// P.
    pub fn modulus(&self) -> &BoxedUint {
        &self.prime
    }

    /// The base.
    pub fn base(&self) -> &Base {
        &self.base
    }

    /// Which divisors are used when.
    pub fn rules(&self) -> &R {
        &self.rules
    }

    /// The Cox, exact from C0 − P to C0 + P.
    pub fn cox(&self) -> &Cox {
        &self.cox
    }

    /// What computes a value modulo Q from its digits, those of X + C0.
    pub fn small_residue(&self) -> &SmallResidue {
        &self.small
    }

    /// The constants of the divisions.
    pub fn constants(&self) -> &UpdateConstants {
        &self.constants
    }

    /// The constants of the divisions of values that always carry the offset, whatever this inverter does.
    pub fn affine_constants(&self) -> UpdateConstants {
        let divisors: Vec<u64> = self.constants.divisors().collect();
        let scaled = self.base.to_scaled_residues(&self.prime);
        let q = self.rules.modulus();
        UpdateConstants::new(&self.base, q, &divisors, &scaled, self.prime_small, &self.shift)
    }

    /// The offset C0.
    pub fn offset(&self) -> &BoxedUint {
        &self.offset
    }

    /// C1 = C0·T^(−1) in every channel.
    pub fn shift(&self) -> &[u64] {
        &self.shift
    }

    /// The value of the counter v, in half bits, from which on V3 = 0 and there is no inverse.
    pub fn limit(&self) -> u32 {
        self.limit
    }

    /// P modulo Q.
    pub fn modulus_small(&self) -> u64 {
        self.prime_small
    }

    /// The inner form of 0: C1 where values carry the offset ([`Rules::affine`]), else 0.
    pub fn zero(&self) -> &[u64] {
        &self.zero
    }

    /// The inner form of 1.
    pub fn one(&self) -> &[u64] {
        &self.one
    }

    /// The inner form of −1.
    pub fn minus_one(&self) -> &[u64] {
        &self.minus_one
    }

    /// The inner form of P.
    pub fn inner_modulus(&self) -> &[u64] {
        &self.scaled_prime
    }
}

/// Written out, for a derived one would be for types without a size, too.
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
