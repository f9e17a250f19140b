//! The hash functions for signatures.

use alloc::{format, vec, vec::Vec};
use sha2::Digest;
use std::io::{self, Read};

use crate::error::Error;

/// A hash function for signatures.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hash {
    /// SHA-1, only for verifying old signatures.
    Sha1,
    /// SHA-224.
    Sha224,
    /// SHA-256.
    Sha256,
    /// SHA-384.
    Sha384,
    /// SHA-512.
    Sha512,
}

impl Hash {
    /// All hash functions.
    pub const ALL: [Self; 5] = [Self::Sha1, Self::Sha224, Self::Sha256, Self::Sha384, Self::Sha512];

    /// The hash function with this name: `sha1`, `sha224`, `sha256`, `sha384` or `sha512`, in upper or lower
    /// case.
    ///
    /// # Errors
    /// [`Error::Parameter`] for any other name.
    pub fn named(name: &str) -> Result<Self, Error> {
        Self::ALL
            .into_iter()
            .find(|hash| hash.name().eq_ignore_ascii_case(name))
            .ok_or_else(|| Error::unknown("hash", "hash function", name, Self::ALL.map(Self::name)))
    }

    /// Its name, in the form that [`named`](Self::named) accepts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sha1 => "sha1",
            Self::Sha224 => "sha224",
            Self::Sha256 => "sha256",
            Self::Sha384 => "sha384",
            Self::Sha512 => "sha512",
        }
    }

    /// The length of a digest in bytes.
    pub fn output_bytes(self) -> usize {
        match self {
            Self::Sha1 => 20,
            Self::Sha224 => 28,
            Self::Sha256 => 32,
            Self::Sha384 => 48,
            Self::Sha512 => 64,
        }
    }

    /// The digest of a message.
    pub fn digest(self, message: &[u8]) -> Vec<u8> {
        match self {
            Self::Sha1 => sha1::Sha1::digest(message).to_vec(),
            Self::Sha224 => sha2::Sha224::digest(message).to_vec(),
            Self::Sha256 => sha2::Sha256::digest(message).to_vec(),
            Self::Sha384 => sha2::Sha384::digest(message).to_vec(),
            Self::Sha512 => sha2::Sha512::digest(message).to_vec(),
        }
    }

    /// The digest of the bytes of `message`, computed in constant memory.
    ///
    /// # Errors
    /// Those of the stream.
    pub fn digest_stream(self, message: impl Read) -> io::Result<Vec<u8>> {
        match self {
            Self::Sha1 => digest_stream::<sha1::Sha1>(message),
            Self::Sha224 => digest_stream::<sha2::Sha224>(message),
            Self::Sha256 => digest_stream::<sha2::Sha256>(message),
            Self::Sha384 => digest_stream::<sha2::Sha384>(message),
            Self::Sha512 => digest_stream::<sha2::Sha512>(message),
        }
    }

    /// Checks that a given digest has this function's length.
    pub(crate) fn check_digest(self, digest: &[u8]) -> Result<(), Error> {
        if digest.len() == self.output_bytes() {
            return Ok(());
        }
        let reason = format!("has {} bytes; {} gives {}", digest.len(), self.name(), self.output_bytes());
        Err(Error::parameter("digest", reason))
    }
}

fn digest_stream<D: Digest>(mut message: impl Read) -> io::Result<Vec<u8>> {
    let (mut state, mut buffer) = (D::new(), vec![0; 1 << 16]);
    loop {
        match message.read(&mut buffer) {
            Ok(0) => return Ok(state.finalize().to_vec()),
            Ok(count) => state.update(buffer.get(..count).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ParameterError;

    #[test]
    fn a_stream_has_the_digest_of_its_bytes() {
        let message: Vec<u8> = (0..200_000u32).map(|i| i as u8).collect();
        for hash in Hash::ALL {
            assert_eq!(hash.digest_stream(&message[..]).unwrap(), hash.digest(&message));
        }
    }

    #[test]
    fn names_and_lengths_agree() {
        for hash in Hash::ALL {
            assert_eq!(Hash::named(hash.name()), Ok(hash));
            assert_eq!(hash.digest(b"").len(), hash.output_bytes());
        }
        assert!(matches!(Hash::named("md5"), Err(Error::Parameter(ParameterError { name: "hash", .. }))));
    }
}
