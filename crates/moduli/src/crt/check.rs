//! Detects a fault before a result is released.
//!
//! A power that is right modulo only one factor reveals the factors: its difference from the right
//! power has one of them in common with the modulus (Boneh, DeMillo and Lipton 1997). RSA raises
//! its result to the public exponent and compares. For an arbitrary exponent there is no such
//! inverse. So the powers are computed modulo p^k·r and q^k·r for a secret prime r of 64 bits
//! (Shamir, "How to check modular exponentiation", rump session of EUROCRYPT 97; US 5,991,415), and
//! a third time modulo r alone, which costs very little. The recombined result is compared with
//! both powers (Aumüller et al., CHES 2002).
//!
//! Three equations for each factor imply that a result S = x^e is right. They are evaluated once S
//! is known, and read all their numbers then:
//!
//! 1. e = e_p + m_p·(order modulo p^k), modulo r: the exponent was reduced correctly.
//! 2. S_p = x^(e_p), modulo r, where S_p was computed modulo p^k·r: base and power are right.
//! 3. S = S_p, modulo p^k: the recombination is right.
//!
//! Vigilant (CHES 2008) uses 1 + e·r modulo r² instead of the power modulo r. This combines the
//! base with 1 + r by the Chinese remainder theorem, so a fault in the reduction of the base needs
//! a separate check. It also needs twice the bits for the same probability.

use alloc::vec::Vec;
use crypto_bigint::BoxedUint;
use sha2::{Digest, Sha512};
use zeroize::Zeroizing;

use super::{
    factor::{Factor, Sessions},
    word::Word,
};
use crate::exponent::Magnitude;
use crate::primality::SmallPrimes;
use moduli_kernel::{Session, Words, mask};

/// r and its precomputed constants. Wiped on drop.
#[derive(Clone)]
pub(super) struct Check {
    r: Word,
    less_one: Word,
    /// The orders of the groups modulo p^k and q^k, reduced modulo r. Computed from the primes, not
    /// from the orders that reduce the exponents.
    orders: Zeroizing<[u64; 2]>,
    /// r in Montgomery form, modulo p^k·r and modulo q^k·r.
    entered: [Words; 2],
}

/// An exponent for one factor. The exponent itself is `rest` + `multiple`·order.
pub(super) struct Reduced {
    pub(super) rest: Magnitude,
    pub(super) multiple: Zeroizing<Vec<u64>>,
}

/// The inputs of a power, its intermediate values, and the power.
pub(super) struct Claim<'a> {
    pub(super) base: &'a [u64],
    pub(super) exponent: &'a [u64],
    pub(super) reduced: &'a [Reduced; 2],
    pub(super) residues: [&'a [u64]; 2],
    pub(super) number: &'a [u64],
}

impl Check {
    /// For the factors p^k·r and q^k·r, with the primes in little-endian limbs. Not claimed
    /// constant-time.
    pub(super) fn new(r: u64, k: u32, primes: [&[u64]; 2], factors: [&Factor; 2]) -> Self {
        let (word, less_one) = (Word::new(r), Word::new(r - 1));
        let orders = primes.map(|prime| {
            let prime = word.of(prime);
            word.mul(word.pow(prime, u64::from(k) - 1), word.add(prime, r - 1))
        });
        let entered = factors.map(|factor| factor.modulus.to_montgomery(&Zeroizing::new(BoxedUint::from(r))));
        Self { r: word, less_one, orders: Zeroizing::new(orders), entered }
    }

    /// A number modulo r, for comparison with a number that should be equal. Constant-time.
    pub(super) fn word(&self, number: &[u64]) -> u64 {
        self.r.of(number)
    }

    /// Returns zero if the claim is right. If it is wrong, the result is zero with a probability of
    /// about 2^(−62). Constant-time; cost: three or four products modulo each factor, and some
    /// hundred products of words.
    pub(super) fn difference(
        &self,
        Sessions { p, q, .. }: &mut Sessions<'_>,
        factors: [&Factor; 2],
        claim: &Claim<'_>,
    ) -> u64 {
        let (base, exponent) = (self.word(claim.base), self.word(claim.exponent));
        let mut difference = 0;
        for (i, session) in [p, q].into_iter().enumerate() {
            let Reduced { rest, multiple } = &claim.reduced[i];
            difference |= exponent
                ^ self.r.add(self.word(rest.limbs()), self.r.mul(self.word(multiple), self.orders[i]));
            let power = self.r.pow(base, self.less_one.of(rest.limbs()));
            // An exponent that is 0 modulo r − 1 gives 1 for every base, but unless it is 0 itself,
            // the power of 0 is 0.
            let is_zero = mask::equal(rest.limbs().iter().fold(0, |all, limb| all | limb), 0);
            let power = power & !(mask::equal(base, 0) & !is_zero);
            let mut residue = session.value();
            session.from_montgomery(&mut residue, claim.residues[i]);
            difference |= power ^ self.word(&residue);
            difference |= self.apart(i, session, factors[i], claim);
        }
        difference
    }

    /// Returns zero if the number equals the residue modulo p^k or q^k, that is, if their
    /// difference times r is zero modulo p^k·r.
    fn apart(&self, i: usize, session: &mut Session<'_>, factor: &Factor, claim: &Claim<'_>) -> u64 {
        let bits = 64 * claim.number.len() as u32;
        let mut apart = factor.reduce(session, claim.number, bits);
        session.sub(&mut apart, claim.residues[i]);
        session.mul(&mut apart, &self.entered[i]);
        let mut value = session.value();
        session.store(&mut value, &apart);
        value.iter().fold(0, |all, &limb| all | limb)
    }

    /// All secret constants, for a test that classifies them.
    #[cfg(test)]
    pub(super) fn secrets(&mut self) -> impl Iterator<Item = &mut [u64]> {
        let words = self.r.constants().into_iter().chain(self.less_one.constants());
        let words = words.map(core::slice::from_mut).chain([&mut self.orders[..]]);
        words.chain(self.entered.iter_mut().map(|entered| &mut entered[..]))
    }

    /// The constants that a test corrupts.
    #[cfg(test)]
    pub(super) fn constants(&mut self) -> (&mut [u64; 2], &mut [Words; 2]) {
        (&mut self.orders, &mut self.entered)
    }
}

/// Chooses r for these primes, given in little-endian limbs. r differs from p and q, and is a safe
/// prime (twice another prime plus one): so a wrong exponent gives a wrong power modulo r for
/// almost all bases. r has 64 bits, of which the upper four are set. So a product by r is 64 bits
/// longer for every r, unless the other factor is just above a power of two.
///
/// A hash of the primes determines where the search starts. So r is as secret as the primes, an
/// attacker who disturbs the machine does not know it, and no random number generator is needed.
/// Variable-time, once; cost: about a millisecond.
pub(super) fn pick(primes: [&[u64]; 2]) -> u64 {
    let mut hash = Sha512::new()
        .chain_update(b"moduli: modulus of the check of a power by the Chinese remainder theorem");
    for prime in primes {
        for limb in [&[prime.len() as u64], prime].into_iter().flatten() {
            hash.update(limb.to_le_bytes());
        }
    }
    let hash = hash.finalize();
    let start = hash.iter().take(8).fold(0, |word, &byte| word << 8 | u64::from(byte));
    let known = SmallPrimes::new();
    // r and (r − 1)/2 are both prime only if r is 11 modulo 12. The fifth bit is 0, so the search
    // ends long before 2^64.
    let first = (0xf << 60 | start >> 5) / 12 * 12 + 11;
    let is_prime = |n: u64| known.is_probable_prime(&Zeroizing::new(BoxedUint::from(n)), 40);
    let mut candidates = (first..).step_by(12).filter(|&r| primes.iter().all(|prime| prime[0] != r));
    candidates.find(|&r| is_prime(r / 2) && is_prime(r)).unwrap_or(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r_is_a_safe_prime_and_another_one_for_other_primes() {
        let is_prime = |n: u64| crate::primality::is_probable_prime_vartime(&BoxedUint::from(n), 40);
        let found: Vec<u64> = [[3, 5], [5, 3], [3, 7], [1_000_003, 7]]
            .map(|[p, q]: [u64; 2]| {
                let r = pick([&[p], &[q]]);
                assert!(r >> 60 == 15 && is_prime(r) && is_prime((r - 1) / 2), "{r}");
                assert_eq!(pick([&[p], &[q]]), r);
                r
            })
            .into();
        for (i, r) in found.iter().enumerate() {
            assert!(!found[..i].contains(r));
        }
    }

    #[test]
    fn r_is_neither_of_the_primes() {
        let r = pick([&[3], &[5]]);
        // The search skips r itself if it is a prime of the modulus.
        let others = [[r, 5], [3, r]];
        for [p, q] in others {
            assert!(![p, q].contains(&pick([&[p], &[q]])));
        }
    }
}
