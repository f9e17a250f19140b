//! Signing with a private key.

use alloc::{sync::Arc, vec, vec::Vec};
use crypto_bigint::BoxedUint;
use signature::{RandomizedSigner, hazmat::RandomizedPrehashSigner, rand_core::TryCryptoRng};
use zeroize::Zeroizing;

use super::{Hash, private_key::PrivateKey, public_key::PublicKey, scheme::Scheme, signature::Signature};
use crate::{error::Error, scheme::random::fill};

/// Signs with one private key and one scheme.
///
/// Every signature needs a generator, for the salt of PSS and for blinding. A PKCS#1 v1.5 signature does not
/// depend on its output. `Send + Sync`; no `Debug`. Cost of a signature: a private operation
/// ([`PrivateKey::decrypt_raw`]) and the hash. Constant-time: see the [module](super).
#[derive(Clone)]
pub struct Signer {
    key: Arc<PrivateKey>,
    scheme: Scheme,
}

impl Signer {
    /// Creates a signer; keys can be shared.
    ///
    /// # Errors
    /// [`Error::Parameter`] for SHA-1, or if n is too short for the scheme.
    pub fn new(key: impl Into<Arc<PrivateKey>>, scheme: Scheme) -> Result<Self, Error> {
        let key = key.into();
        if scheme.hash() == Hash::Sha1 {
            return Err(Error::parameter("hash", "SHA-1 is only for verifying old signatures"));
        }
        scheme.check_room(scheme.salt_bytes(), key.public_key().n().bits())?;
        Ok(Self { key, scheme })
    }

    /// The public half of the key.
    pub fn public_key(&self) -> &PublicKey {
        self.key.public_key()
    }

    /// The scheme.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Signs a message.
    ///
    /// # Errors
    /// [`Error::Parameter`] if the generator fails; [`Error::Fault`] if the result is wrong; it is not
    /// released.
    pub fn sign<R: TryCryptoRng + ?Sized>(&self, rng: &mut R, message: &[u8]) -> Result<Signature, Error> {
        self.sign_digest(rng, &self.scheme.hash().digest(message))
    }

    /// Signs a digest of the scheme's hash function.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a digest of another length; as for [`sign`](Self::sign).
    pub fn sign_digest<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        digest: &[u8],
    ) -> Result<Signature, Error> {
        let m = self.encoded(rng, digest)?;
        Ok(self.signature(self.key.sign_raw(rng, &m)?))
    }

    /// Signs many messages, in order, as [`sign`](Self::sign) does: in lanes and on all cores, as
    /// [`PrivateKey::decrypt_raw_batch`].
    ///
    /// # Errors
    /// As for [`sign`](Self::sign). If one fails, no signature is released.
    pub fn sign_batch<R: TryCryptoRng + ?Sized, M: AsRef<[u8]>>(
        &self,
        rng: &mut R,
        messages: &[M],
    ) -> Result<Vec<Signature>, Error> {
        let encoded = |message: &M| self.encoded(rng, &self.scheme.hash().digest(message.as_ref()));
        let encoded = messages.iter().map(encoded).collect::<Result<Vec<_>, _>>()?;
        let powers = self.key.decrypt_raw_batch(rng, &encoded);
        powers.into_iter().map(|power| Ok(self.signature(power?))).collect()
    }

    /// The padded digest as a number: the top bit that is cleared, or the first byte 0, keeps it below n.
    fn encoded<R: TryCryptoRng + ?Sized>(&self, rng: &mut R, digest: &[u8]) -> Result<BoxedUint, Error> {
        self.scheme.hash().check_digest(digest)?;
        let mut salt = vec![0; self.scheme.salt_bytes()];
        if !salt.is_empty() {
            fill(rng, &mut salt)?;
            moduli_kernel::fault!("PSS with a salt of zeros", "moduli-suite rsa::", {
                salt.fill(0);
            });
        }
        let encoded = self.scheme.encode(digest, &salt, self.public_key().n().bits())?;
        Ok(BoxedUint::from_be_slice_truncated(&encoded, 8 * encoded.len() as u32))
    }

    fn signature(&self, power: BoxedUint) -> Signature {
        let power = Zeroizing::new(power);
        let bytes = power.to_be_bytes();
        let start = bytes.len().saturating_sub(self.public_key().bytes());
        Signature::new(bytes.get(start..).unwrap_or_default().to_vec())
    }
}

impl RandomizedSigner<Signature> for Signer {
    fn try_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[u8],
    ) -> Result<Signature, signature::Error> {
        self.sign(rng, message).map_err(signature::Error::from_source)
    }
}

impl RandomizedPrehashSigner<Signature> for Signer {
    fn sign_prehash_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        digest: &[u8],
    ) -> Result<Signature, signature::Error> {
        self.sign_digest(rng, digest).map_err(signature::Error::from_source)
    }
}
