//! Verification: public data, variable-time.

use ::dsa::Signature;
use alloc::sync::Arc;
use signature::hazmat::PrehashVerifier;

use super::{
    Hash, bits2int::bits2int, key::PublicKey, signature_format::signature_from_der, table::check_table,
};
use crate::{
    error::{Error, SignatureError},
    fixed::FixedBase,
};

/// Verifies with one public key and one hash function.
///
/// Variable-time throughout: key, message and signature are public. Cost: an inversion and two products
/// modulo q and two exponentiations with exponents as long as q; with a table, one of them needs no
/// squarings.
#[derive(Clone, Debug)]
pub struct Verifier {
    key: PublicKey,
    hash: Hash,
    table: Option<Arc<FixedBase>>,
}

impl Verifier {
    /// Creates a verifier without a table: for a few signatures.
    pub fn new(key: PublicKey, hash: Hash) -> Self {
        Self { key, hash, table: None }
    }

    /// Creates a verifier with an existing table for g: for many signatures over one group.
    ///
    /// # Errors
    /// [`Error::Parameter`] if the table is for another modulus or base, or for exponents shorter than q;
    /// [`Error::Table`] if its entries are unverified, because anyone who chooses the entries can forge
    /// signatures.
    pub fn with_table(key: PublicKey, hash: Hash, table: impl Into<Arc<FixedBase>>) -> Result<Self, Error> {
        let table = table.into();
        check_table(key.parameters(), &table)?;
        Ok(Self { key, hash, table: Some(table) })
    }

    /// The key.
    pub fn public_key(&self) -> &PublicKey {
        &self.key
    }

    /// The hash function.
    pub fn hash(&self) -> Hash {
        self.hash
    }

    /// Checks that this is a signature of the message. Variable-time.
    ///
    /// # Errors
    /// [`Error::Signature`] if it is not.
    pub fn verify(&self, message: &[u8], signature: &Signature) -> Result<(), Error> {
        self.verify_digest(&self.hash.digest(message), signature)
    }

    /// Checks that this is a signature of the message, in strict DER. Variable-time.
    ///
    /// # Errors
    /// [`Error::Signature`] if it is malformed or not a signature of the message.
    pub fn verify_der(&self, message: &[u8], signature: &[u8]) -> Result<(), Error> {
        self.verify(message, &signature_from_der(signature)?)
    }

    /// Checks that this is a signature of the message with this digest. Variable-time.
    ///
    /// # Errors
    /// [`Error::Signature`] if it is not; [`Error::Parameter`] for a digest whose length is not that of the
    /// hash function.
    pub fn verify_digest(&self, digest: &[u8], signature: &Signature) -> Result<(), Error> {
        self.hash.check_digest(digest)?;
        let (p, q) = (self.key.parameters().p(), self.key.parameters().q());
        let (r, s, order) = (signature.r().as_ref(), signature.s().as_ref(), q.value().as_ref());
        if r >= order || s >= order {
            return Err(Error::Signature(SignatureError::NotBelowOrder));
        }
        let inverse = q.invert_vartime(s).map_err(|_| Error::Signature(SignatureError::NotInvertible))?;
        let u1 = q.mul(&bits2int(digest, q.bits()), &inverse);
        let u2 = q.mul(r, &inverse);
        let (g, y) = (self.key.parameters().g(), self.key.y());
        let power = match &self.table {
            Some(table) => table.pow_times_vartime(&u1, y, &u2)?,
            None => p.mul(&p.pow_vartime(g, &u1)?, &p.pow_vartime(y, &u2)?),
        };
        if q.reduce(&power) == *r {
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
