//! Signing: constant-time in x, k and everything derived from them.

use ::dsa::Signature;
use alloc::{sync::Arc, vec::Vec};
use crypto_bigint::BoxedUint;
#[cfg(feature = "internals")]
use crypto_bigint::{CtLt, Resize};
use signature::{
    hazmat::{PrehashSigner, RandomizedPrehashSigner},
    rand_core::TryCryptoRng,
};
use zeroize::Zeroizing;

use super::{
    Hash,
    bits2int::bits2int,
    domain::DomainParameters,
    key::{PrivateKey, PublicKey},
    nonce::Nonces,
    table::{build_table, check_table},
    verify::Verifier,
};
use crate::{
    access::Masked,
    element::Element,
    error::Error,
    exponent::Exponent,
    fixed::{FixedBase, MemorySize},
    parallel,
    scheme::{encoding::invalid, random::fill},
};

/// Signs with one private key and one hash function; a table gives g^k.
///
/// Deterministic by default (RFC 6979): the same message gives the same signature, and no generator can fail.
/// The hedged form mixes fresh randomness into the nonce. This also hinders attackers who can disturb the
/// computation and compare two signatures of one message. `Send + Sync`; the key is wiped on drop; no
/// `Debug`.
///
/// Cost of a signature: a fixed-base exponentiation with an exponent as long as q, an inversion and four
/// products modulo q, the hash. Constant-time: see the [module](super). A single wrong signature can reveal
/// bits of the nonce or the key: see [`with_fault_check`](Self::with_fault_check).
pub struct Signer {
    pub(super) key: PrivateKey,
    hash: Hash,
    pub(super) table: Arc<FixedBase>,
    /// The secret x in Montgomery form.
    pub(super) x: Element,
    check: bool,
}

impl Signer {
    /// Builds a table for g of at most `budget` bytes.
    ///
    /// # Errors
    /// [`Error::BudgetTooSmall`]; [`Error::Parameter`] for SHA-1.
    pub fn new(key: PrivateKey, hash: Hash, budget: MemorySize) -> Result<Self, Error> {
        let table = build_table(key.parameters(), budget)?;
        Self::with_table(key, hash, table)
    }

    /// Creates a signer with an existing table, which may be shared.
    ///
    /// # Errors
    /// [`Error::Parameter`] if the table is for another modulus or base, or for exponents shorter than q, or
    /// for SHA-1; [`Error::Table`] if its entries are unverified.
    pub fn with_table(key: PrivateKey, hash: Hash, table: impl Into<Arc<FixedBase>>) -> Result<Self, Error> {
        if hash == Hash::Sha1 {
            return Err(Error::parameter("hash", "SHA-1 is only for verifying old signatures"));
        }
        let table = table.into();
        check_table(key.parameters(), &table)?;
        let x = key.parameters().q().element(key.secret());
        Ok(Self { key, hash, table, x, check: false })
    }

    /// Sets whether each signature is verified with the public key before it is released, against attackers
    /// who can disturb the computation, the memory or the table. Off by default. A signature that fails is
    /// not released, and signing returns [`Error::Fault`].
    ///
    /// The check does not use the table, so that a wrong entry cannot confirm itself. Cost: two
    /// exponentiations of variable bases. With tables of 1 MiB, a checked signature takes 7.7 times the time
    /// of one that is not (2048 bits) to 9.5 times (3072 bits), measured as the best of nine rounds of a
    /// hundred signatures each way, in turn, on one core of a machine with AVX2. The check is variable-time,
    /// which is harmless: a right signature is public once it is released.
    #[must_use]
    pub fn with_fault_check(self, check: bool) -> Self {
        Self { check, ..self }
    }

    /// The public half of the key.
    pub fn public_key(&self) -> &PublicKey {
        self.key.public_key()
    }

    /// The hash function.
    pub fn hash(&self) -> Hash {
        self.hash
    }

    /// Signs a message with the nonce of RFC 6979.
    ///
    /// # Errors
    /// [`Error::Key`] if q turns out not to be prime; [`Error::Fault`] from the
    /// [check](Self::with_fault_check).
    pub fn sign(&self, message: &[u8]) -> Result<Signature, Error> {
        self.sign_digest(&self.hash.digest(message))
    }

    /// Signs a message with 32 bytes from `rng` mixed into the nonce of RFC 6979 (section 3.6).
    ///
    /// # Errors
    /// [`Error::Parameter`] if the generator fails; as for [`sign`](Self::sign).
    pub fn sign_hedged<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[u8],
    ) -> Result<Signature, Error> {
        self.sign_digest_hedged(rng, &self.hash.digest(message))
    }

    /// Signs a digest of the chosen hash function with the nonce of RFC 6979.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a digest of another length; as for [`sign`](Self::sign).
    pub fn sign_digest(&self, digest: &[u8]) -> Result<Signature, Error> {
        self.sign_with(self.hash, digest, &[])
    }

    /// Signs a digest as [`sign_hedged`](Self::sign_hedged) does a message.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a digest of another length; as for [`sign_hedged`](Self::sign_hedged).
    pub fn sign_digest_hedged<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        digest: &[u8],
    ) -> Result<Signature, Error> {
        let mut additional = Zeroizing::new([0u8; 32]);
        fill(rng, &mut *additional)?;
        moduli_kernel::fault!("hedged nonces without what is random", "moduli-suite dsa::", {
            return self.sign_with(self.hash, digest, &[]);
        });
        self.sign_with(self.hash, digest, &*additional)
    }

    /// Signs many messages, in their order, as [`sign`](Self::sign) does one: on all cores with the feature
    /// `rayon`.
    ///
    /// # Errors
    /// As for [`sign`](Self::sign).
    pub fn sign_batch<M: AsRef<[u8]> + Sync>(&self, messages: &[M]) -> Result<Vec<Signature>, Error> {
        let sign = |(): &mut (), message: &M| self.sign(message.as_ref());
        parallel::map_init(messages.iter().collect(), || (), sign).into_iter().collect()
    }

    /// Only for published test vectors: any hash function, SHA-1 included, with the nonce of RFC 6979 or a
    /// given one. A nonce that is used twice or known to anyone reveals the key.
    #[cfg(feature = "internals")]
    pub fn sign_digest_for_tests(
        &self,
        hash: Hash,
        digest: &[u8],
        nonce: Option<&BoxedUint>,
    ) -> Result<Signature, Error> {
        let Some(k) = nonce else { return self.sign_with(hash, digest, &[]) };
        hash.check_digest(digest)?;
        let order = self.parameters().q().value().as_ref();
        let k = Zeroizing::new(k.resize_unchecked(order.bits_precision().max(k.bits_precision())));
        if !(k.is_nonzero() & k.ct_lt(&order.resize_unchecked(k.bits_precision()))).to_bool() {
            return Err(Error::parameter("nonce", "must lie between 0 and q"));
        }
        self.respond(&self.challenge(digest), &k)?
            .ok_or_else(|| Error::parameter("nonce", "gives r or s = 0; another is needed"))
    }

    pub(super) fn parameters(&self) -> &DomainParameters {
        self.key.parameters()
    }

    fn sign_with(&self, hash: Hash, digest: &[u8], additional: &[u8]) -> Result<Signature, Error> {
        hash.check_digest(digest)?;
        let challenge = self.challenge(digest);
        let mut nonces = Nonces::new(self.parameters(), hash, self.key.secret(), digest, additional);
        loop {
            let nonce = nonces.next();
            moduli_kernel::fault!("nonces with eight bits that are known", "moduli-suite dsa::", {
                let mut known = nonce.clone();
                known.as_mut_words()[0] |= 0xff;
                if let Some(signature) = self.respond(&challenge, &known)? {
                    return self.released(hash, digest, signature);
                }
            });
            if let Some(signature) = self.respond(&challenge, &nonce)? {
                return self.released(hash, digest, signature);
            }
        }
    }

    /// Returns the signature, unless the check is on and fails.
    fn released(&self, hash: Hash, digest: &[u8], signature: Signature) -> Result<Signature, Error> {
        moduli_kernel::fault!(
            "signatures released without the check that was asked for",
            "moduli scheme::dsa::faults",
            {
                return Ok(signature);
            }
        );
        if self.check {
            let verifier = Verifier::new(self.public_key().clone(), hash);
            verifier.verify_digest(digest, &signature).map_err(|_| Error::Fault)?;
        }
        Ok(signature)
    }

    /// The leftmost bits of a digest, modulo q.
    fn challenge(&self, digest: &[u8]) -> Element {
        let q = self.parameters().q();
        q.element(&bits2int(digest, q.bits()))
    }

    /// r = (g^k mod p) mod q and s = k^(−1)·(h + x·r) mod q, or `None` if one of them is 0.
    fn respond(&self, challenge: &Element, k: &BoxedUint) -> Result<Option<Signature>, Error> {
        let q = self.parameters().q();
        let k_bits = Exponent::from(k).with_bits(q.bits())?.into();
        let power = self.table.run::<Masked>(&k_bits, &mut self.table.state())?;
        let power = Zeroizing::new(power);
        let r = q.element(&power);
        moduli_kernel::fault!("a division of the nonce", "moduli scheme::dsa::checkmem", {
            core::hint::black_box(k.as_words()[0] / core::hint::black_box(1_000_003));
        });
        moduli_kernel::fault!(
            "an inversion of the nonce in variable time",
            "moduli scheme::dsa::checkmem",
            {
                core::hint::black_box(q.invert_vartime(k)?);
            }
        );
        let inverse = q.element(k).invert().map_err(|_| invalid("q is not prime"))?;
        let s = self.x.try_mul(&r)?.try_add(challenge)?.try_mul(&inverse)?;
        Ok(Signature::from_components(r.to_uint(), s.to_uint()))
    }
}

impl signature::Signer<Signature> for Signer {
    fn try_sign(&self, message: &[u8]) -> Result<Signature, signature::Error> {
        Self::sign(self, message).map_err(signature::Error::from_source)
    }
}

impl signature::RandomizedSigner<Signature> for Signer {
    fn try_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[u8],
    ) -> Result<Signature, signature::Error> {
        self.sign_hedged(rng, message).map_err(signature::Error::from_source)
    }
}

impl PrehashSigner<Signature> for Signer {
    fn sign_prehash(&self, digest: &[u8]) -> Result<Signature, signature::Error> {
        self.sign_digest(digest).map_err(signature::Error::from_source)
    }
}

impl RandomizedPrehashSigner<Signature> for Signer {
    fn sign_prehash_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        digest: &[u8],
    ) -> Result<Signature, signature::Error> {
        self.sign_digest_hedged(rng, digest).map_err(signature::Error::from_source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixed::Method;

    const P: u64 = 607;
    const Q: u64 = 101;
    const G: u64 = 64;

    fn signer(x: u64) -> Signer {
        let [p, q, g, x] = [P, Q, G, x].map(BoxedUint::from);
        let group = DomainParameters::of_any_length(&p, &q, &g).unwrap();
        let method = Method::Comb { teeth: 3, tables: 1, short_tables: 0 };
        let table = FixedBase::builder(group.p(), &g).exponent_bits(7).method(method).build().unwrap();
        Signer::with_table(PrivateKey::new(&group, &x).unwrap(), Hash::Sha256, table).unwrap()
    }

    /// (g^k mod p) mod q.
    fn commitment(k: u64) -> u64 {
        (0..k).fold(1, |power, _| power * G % P) % Q
    }

    #[test]
    fn every_challenge_and_nonce_of_a_small_group() {
        let zeros = (1..Q).filter(|&k| commitment(k) == 0).count();
        assert!(zeros > 0);
        for x in [1, 37, Q - 1] {
            let signer = signer(x);
            for k in 1..Q {
                let r = commitment(k);
                for h in 0..Q {
                    let s = (1..Q).find(|s| k * s % Q == (h + x * r) % Q);
                    let challenge = signer.parameters().q().element(&BoxedUint::from(h));
                    let expected = s.filter(|_| r != 0).map(|s| (BoxedUint::from(r), BoxedUint::from(s)));
                    let signature = signer.respond(&challenge, &BoxedUint::from(k)).unwrap();
                    let found = signature
                        .map(|signature| (signature.r().as_ref().clone(), signature.s().as_ref().clone()));
                    assert_eq!(found, expected, "x {x} k {k} h {h}");
                }
            }
        }
    }

    #[test]
    fn another_nonce_is_drawn_where_r_or_s_is_0() {
        let signer = signer(37);
        let verifier = Verifier::new(signer.public_key().clone(), Hash::Sha256);
        let mut again = 0;
        for message in 0..2000u32 {
            let message = message.to_be_bytes();
            let digest = Hash::Sha256.digest(&message);
            let signature = signer.sign(&message).unwrap();
            verifier.verify(&message, &signature).unwrap();
            let secret = signer.key.secret();
            let first = Nonces::new(signer.parameters(), Hash::Sha256, secret, &digest, &[]).next();
            let response = signer.respond(&signer.challenge(&digest), &first);
            again += usize::from(response.unwrap().is_none());
        }
        assert!(again > 10);
    }
}
