//! The signature schemes with appendix of RFC 8017.

use alloc::format;

use super::{Hash, emsa};
use crate::error::Error;

/// A signature scheme: how to make a signature from a digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scheme {
    hash: Hash,
    padding: Padding,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Padding {
    Pkcs1,
    /// If `salt_bytes` is `None`, signing uses as many bytes as a digest has, and verification
    /// accepts any length.
    Pss {
        mask_hash: Hash,
        salt_bytes: Option<usize>,
    },
}

impl Scheme {
    /// RSASSA-PKCS1-v1_5 (RFC 8017, 8.2): deterministic.
    pub fn pkcs1(hash: Hash) -> Self {
        Self { hash, padding: Padding::Pkcs1 }
    }

    /// RSASSA-PSS (RFC 8017, 8.1) with MGF1 of the same hash function. Signatures get a salt as long as a
    /// digest; the verifier accepts salts of any length, because it learns the length from the signature.
    pub fn pss(hash: Hash) -> Self {
        Self { hash, padding: Padding::Pss { mask_hash: hash, salt_bytes: None } }
    }

    /// RSASSA-PSS with MGF1 of a separate hash function and a salt of any length that fits. Signatures with a
    /// salt of another length do not verify.
    pub fn pss_with(hash: Hash, mask_hash: Hash, salt_bytes: usize) -> Self {
        Self { hash, padding: Padding::Pss { mask_hash, salt_bytes: Some(salt_bytes) } }
    }

    /// The hash function for messages.
    pub fn hash(self) -> Hash {
        self.hash
    }

    /// The number of random salt bytes in a signature.
    pub fn salt_bytes(self) -> usize {
        match self.padding {
            Padding::Pkcs1 => 0,
            Padding::Pss { salt_bytes, .. } => salt_bytes.unwrap_or(self.hash.output_bytes()),
        }
    }

    /// Checks that an n of that many bits is long enough for the encoded digest and, for PSS, for a
    /// salt of `salt_bytes`.
    pub(super) fn check_room(self, salt_bytes: usize, bits: u32) -> Result<(), Error> {
        let (needed, available) = match self.padding {
            Padding::Pkcs1 => (emsa::pkcs1_bytes(self.hash), bits.div_ceil(8) as usize),
            Padding::Pss { .. } => {
                let fixed = self.hash.output_bytes() + 2;
                (salt_bytes.saturating_add(fixed), (bits - 1).div_ceil(8) as usize)
            }
        };
        if needed <= available {
            return Ok(());
        }
        let reason = format!("needs {needed} bytes; this key has {available}");
        Err(Error::parameter("signature scheme", reason))
    }

    /// The encoded message for an n of that many bits.
    pub(super) fn encode(self, digest: &[u8], salt: &[u8], bits: u32) -> Result<alloc::vec::Vec<u8>, Error> {
        self.check_room(salt.len(), bits)?;
        Ok(match self.padding {
            Padding::Pkcs1 => emsa::encode_pkcs1(self.hash, digest, bits.div_ceil(8) as usize),
            Padding::Pss { mask_hash, .. } => emsa::encode_pss(self.hash, mask_hash, digest, salt, bits - 1),
        })
    }

    /// Whether this is an encoding of the digest, with as many bytes as n. Variable-time.
    pub(super) fn matches(self, digest: &[u8], encoded: &[u8], bits: u32) -> bool {
        let least =
            if let Padding::Pss { salt_bytes: Some(salt_bytes), .. } = self.padding { salt_bytes } else { 0 };
        if self.check_room(least, bits).is_err() {
            return false;
        }
        match self.padding {
            Padding::Pkcs1 => encoded == emsa::encode_pkcs1(self.hash, digest, encoded.len()),
            Padding::Pss { mask_hash, salt_bytes } => {
                // If n has 8·i + 1 bits, it has one byte more than the encoding.
                let extra = encoded.len().saturating_sub((bits - 1).div_ceil(8) as usize);
                let (zeros, encoded) = encoded.split_at(extra);
                zeros.iter().all(|&byte| byte == 0)
                    && emsa::matches_pss(self.hash, mask_hash, digest, salt_bytes, encoded, bits - 1)
            }
        }
    }
}
