//! Signatures as bytes: DER, as users of FIPS 186-4 write it, and the fixed length of IEEE P1363.

use ::dsa::Signature;
use alloc::{format, vec::Vec};
use crypto_bigint::BoxedUint;

use super::domain::DomainParameters;
use crate::error::{Error, SignatureError};

/// An upper bound: a DER signature with a supported q is much shorter.
const MAX_DER_BYTES: usize = 1024;

/// Reads a DER signature, a SEQUENCE of the integers r and s: strict, so that a signature has one encoding.
/// Negative integers, zeros, superfluous zero bytes and trailing bytes are rejected. Variable-time.
///
/// # Errors
/// [`Error::Signature`].
pub fn signature_from_der(bytes: &[u8]) -> Result<Signature, Error> {
    let malformed = Error::Signature(SignatureError::NotDer);
    if bytes.len() > MAX_DER_BYTES {
        return Err(malformed);
    }
    Signature::try_from(bytes).map_err(|_| malformed)
}

/// Reads r and s, big-endian, each with the length of q, one after the other (IEEE P1363; XML
/// signatures, I2P). Variable-time.
///
/// # Errors
/// [`Error::Signature`] for another length, or if r or s is zero.
pub fn signature_from_fixed(parameters: &DomainParameters, bytes: &[u8]) -> Result<Signature, Error> {
    let length = parameters.q_bytes();
    if bytes.len() != 2 * length {
        return Err(Error::Signature(SignatureError::NotTwiceOrder));
    }
    let (r, s) = bytes.split_at(length);
    Signature::from_components(BoxedUint::from_be_slice_vartime(r), BoxedUint::from_be_slice_vartime(s))
        .ok_or(Error::Signature(SignatureError::Zero))
}

/// Writes r and s, big-endian, each with the length of q, one after the other.
///
/// # Errors
/// [`Error::Parameter`] if r or s does not fit: the signature belongs to another group.
pub fn signature_to_fixed(parameters: &DomainParameters, signature: &Signature) -> Result<Vec<u8>, Error> {
    let length = parameters.q_bytes();
    let mut bytes = Vec::with_capacity(2 * length);
    for value in [signature.r(), signature.s()] {
        let value = value.to_be_bytes_trimmed_vartime();
        let zeros = length.checked_sub(value.len()).ok_or_else(|| {
            Error::parameter("signature", format!("r or s has more than the {length} bytes of q"))
        })?;
        bytes.resize(bytes.len() + zeros, 0);
        bytes.extend_from_slice(&value);
    }
    Ok(bytes)
}
