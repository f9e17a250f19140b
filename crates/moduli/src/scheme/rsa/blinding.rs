//! Base blinding: the library exponentiates a random value.

use alloc::vec;
use crypto_bigint::BoxedUint;
use signature::rand_core::TryCryptoRng;
use zeroize::Zeroizing;

use super::public_key::PublicKey;
use crate::{
    error::{Error, RandomError},
    power::square_multiply_vartime,
    scheme::random::fill,
};
use moduli_kernel::{Session, Words};

/// A fresh pair is drawn after this many uses, because an inversion costs as much as an operation.
/// In between, the pair is squared.
const USES: u32 = 32;

/// Bits drawn beyond those of n: the remainder is almost uniform, so no draw is rejected.
const EXCESS_BITS: u32 = 64;

/// Residues modulo n: r^e, the factor before the private operation, and r^(−1), the factor after
/// it.
#[derive(Clone)]
pub(super) struct Pair {
    pub(super) blinder: Words,
    pub(super) unblinder: Words,
}

/// The pair of the last operation, and the number of its uses. The count is outside the `Option`:
/// inside `None` it would be uninitialised memory, which may contain a secret, and the compiler
/// might read it first.
#[derive(Default)]
pub(super) struct Blinding {
    pub(super) last: Option<Pair>,
    pub(super) uses: u32,
}

impl Blinding {
    /// The pair for the next operation: the square of the last one, or a new one from `rng`.
    pub(super) fn next<R: TryCryptoRng + ?Sized>(
        &mut self,
        key: &PublicKey,
        rng: &mut R,
    ) -> Result<Pair, Error> {
        let (pair, uses) = match self.last.take() {
            Some(pair) if self.uses < USES => (pair.square(&mut key.n().session()), self.uses + 1),
            _ => (Pair::draw(key, rng)?, 1),
        };
        (self.last, self.uses) = (Some(pair.clone()), uses);
        Ok(pair)
    }

    /// Drops the pair.
    pub(super) fn forget(&mut self) {
        self.last = None;
    }
}

impl Pair {
    /// Draws a random pair. Constant-time in r; cost: an inversion and a public operation.
    fn draw<R: TryCryptoRng + ?Sized>(key: &PublicKey, rng: &mut R) -> Result<Self, Error> {
        let n = key.n();
        let mut bytes = Zeroizing::new(vec![0; (n.bits() + EXCESS_BITS).div_ceil(8) as usize]);
        fill(rng, &mut bytes)?;
        let wide = Zeroizing::new(BoxedUint::from_be_slice_truncated(&bytes, 8 * bytes.len() as u32));
        let r = Zeroizing::new(n.reduce(&wide));
        // A generator that is not manipulated practically never draws a multiple of a factor of n.
        let useless = |_| Error::Random(RandomError::NotCoprime);
        let inverse = Zeroizing::new(n.invert(&r).map_err(useless)?);
        let mut blinder = n.to_montgomery(&r);
        raise_to_e(key, &mut n.session(), &mut blinder);
        Ok(Self { blinder, unblinder: n.to_montgomery(&inverse) })
    }

    fn square(mut self, session: &mut Session<'_>) -> Self {
        session.square(&mut self.blinder);
        session.square(&mut self.unblinder);
        self
    }
}

/// `residue ← residue^e` modulo n. Variable-time only in e, which is public.
fn raise_to_e(key: &PublicKey, session: &mut Session<'_>, residue: &mut [u64]) {
    let exponent = moduli_kernel::limbs::to_limbs(key.e(), 1);
    square_multiply_vartime(session, residue, &exponent);
}

/// `residue ← residue^(e − 1)` modulo n, for callers that compute the last product. Variable-time
/// only in e.
pub(super) fn raise_before_last(key: &PublicKey, session: &mut Session<'_>, residue: &mut [u64]) {
    let mut exponent = moduli_kernel::limbs::to_limbs(key.e(), 1);
    // e is odd.
    exponent[0] -= 1;
    square_multiply_vartime(session, residue, &exponent);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scheme::rsa::PrivateKey;
    use alloc::collections::BTreeSet;

    #[test]
    fn pairs_belong_together_and_none_comes_twice() {
        let key = PrivateKey::from_pem(include_str!("example.pem")).unwrap();
        let key = key.public_key();
        let (n, session) = (key.n(), &mut key.n().session());
        let (mut blinding, mut seen) = (Blinding::default(), BTreeSet::new());
        for _ in 0..2 * USES + 1 {
            let pair = blinding.next(key, &mut getrandom::SysRng).unwrap();
            let mut product = pair.unblinder.clone();
            raise_to_e(key, session, &mut product);
            session.mul(&mut product, &pair.blinder);
            assert_eq!(n.from_montgomery(&product), BoxedUint::one());
            for residue in [&pair.blinder, &pair.unblinder] {
                assert!(seen.insert(n.from_montgomery(residue).to_be_bytes()), "not random");
            }
        }
    }

    #[test]
    fn exponents_get_another_multiple_every_time() {
        let key = PrivateKey::from_pem(include_str!("example.pem")).unwrap();
        assert_eq!(key.randomness(&mut getrandom::SysRng).unwrap().exponents, [None, None]);
        let (key, mut seen) = (key.with_exponent_blinding(true), BTreeSet::new());
        for _ in 0..20 {
            for exponent in key.randomness(&mut getrandom::SysRng).unwrap().exponents {
                assert!(seen.insert(exponent.unwrap()), "not random");
            }
        }
    }
}
