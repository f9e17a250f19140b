//! Verification: public data, variable-time.

use crypto_bigint::BoxedUint;
use signature::hazmat::PrehashVerifier;

use super::{public_key::PublicKey, scheme::Scheme, signature::Signature};
use crate::error::{Error, SignatureError};

/// Verifies with one public key and one scheme.
///
/// Variable-time throughout: key, message and signature are public. Cost: [`PublicKey::encrypt_raw`] and the
/// hash.
#[derive(Clone, Debug)]
pub struct Verifier {
    key: PublicKey,
    scheme: Scheme,
}

impl Verifier {
    /// Creates a verifier. If n is too short for the scheme, no signature verifies.
    pub fn new(key: PublicKey, scheme: Scheme) -> Self {
        Self { key, scheme }
    }

    /// The key.
    pub fn public_key(&self) -> &PublicKey {
        &self.key
    }

    /// The scheme.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Checks that this is a signature of the message. Variable-time.
    ///
    /// # Errors
    /// [`Error::Signature`] if it is not.
    pub fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), Error> {
        self.verify_digest(&self.scheme.hash().digest(message), signature)
    }

    /// Checks that this is a signature of the message with this digest. Variable-time. The
    /// signature must have the length of n and be below n; for PKCS#1 v1.5, only one encoding is
    /// accepted.
    ///
    /// # Errors
    /// [`Error::Signature`] if it is not; [`Error::Parameter`] for a digest whose length is not that of the
    /// hash function.
    pub fn verify_digest(&self, digest: &[u8], signature: &Signature) -> Result<(), Error> {
        self.scheme.hash().check_digest(digest)?;
        let length = self.key.bytes();
        if signature.as_bytes().len() != length {
            return Err(Error::Signature(SignatureError::NotModulusLength));
        }
        let s = BoxedUint::from_be_slice_truncated(signature.as_bytes(), 8 * length as u32);
        let m = self.key.encrypt_raw(&s).map_err(|_| Error::Signature(SignatureError::NotBelowModulus))?;
        let bytes = m.to_be_bytes();
        let encoded = bytes.get(bytes.len().saturating_sub(length)..).unwrap_or_default();
        if self.scheme.matches(digest, encoded, self.key.n().bits()) {
            return Ok(());
        }
        Err(Error::Signature(SignatureError::Mismatch))
    }
}

impl signature::Verifier<Signature> for Verifier {
    fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), signature::Error> {
        Self::verify(self, message, signature).map_err(|_| signature::Error::new())
    }
}

impl PrehashVerifier<Signature> for Verifier {
    fn verify_prehash(&self, digest: &[u8], signature: &Signature) -> Result<(), signature::Error> {
        self.verify_digest(digest, signature).map_err(|_| signature::Error::new())
    }
}
