//! Signatures as bytes.

use alloc::vec::Vec;

use crate::error::{Error, SignatureError};

/// The longest signature that any key makes.
const MAX_BYTES: usize = 2048;

/// A signature: a big-endian number of as many bytes as n has. Public.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    bytes: Vec<u8>,
}

impl Signature {
    pub(super) fn new(bytes: Vec<u8>) -> Self {
        Self { bytes }
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl TryFrom<&[u8]> for Signature {
    type Error = Error;

    /// # Errors
    /// [`Error::Signature`] if no key makes signatures of that length. Whether the key at hand does,
    /// [`Verifier`](super::Verifier) tells.
    fn try_from(bytes: &[u8]) -> Result<Self, Error> {
        if bytes.is_empty() || bytes.len() > MAX_BYTES {
            return Err(Error::Signature(SignatureError::NoKeyLength));
        }
        Ok(Self { bytes: bytes.to_vec() })
    }
}

impl From<Signature> for Vec<u8> {
    fn from(signature: Signature) -> Self {
        signature.bytes
    }
}

impl signature::SignatureEncoding for Signature {
    type Repr = Vec<u8>;
}
