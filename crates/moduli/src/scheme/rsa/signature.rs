//! Signatures as bytes.

use alloc::vec::Vec;

use super::public_key::N_BITS;
use crate::error::{Error, SignatureError};

/// The lengths of the shortest and the longest signature.
const BYTES: [usize; 2] = [N_BITS.0.div_ceil(8) as usize, N_BITS.1.div_ceil(8) as usize];

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
    /// [`Error::Signature`] if no key makes signatures of this length: it must be from 128 to 2048
    /// bytes. [`Verifier`](super::Verifier) checks that the length is that of the key.
    fn try_from(bytes: &[u8]) -> Result<Self, Error> {
        let [least, most] = BYTES;
        if !(least..=most).contains(&bytes.len()) {
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
