//! Reads key files.

use std::path::Path;

use moduli::Error;
use zeroize::Zeroizing;

use crate::{failure::Failure, io::input};

/// An upper bound: supported key files are much shorter.
const MAX_BYTES: u64 = 1 << 20;

/// The text of a file, which may be secret.
pub fn text(path: &Path) -> Result<Zeroizing<String>, Failure> {
    let bytes = input::read(path, MAX_BYTES)?;
    match std::str::from_utf8(&bytes) {
        Ok(text) => Ok(Zeroizing::new(text.to_owned())),
        Err(_) => Err(Failure::about(
            path,
            "is not text; a key is a PEM file, and openssl pkey -inform DER makes one of DER",
        )),
    }
}

/// A scheme's public key from a PEM file that contains it or the private key.
pub fn public<K>(
    path: &Path,
    of_private: impl FnOnce(&str) -> Result<K, Error>,
    of_public: impl FnOnce(&str) -> Result<K, Error>,
) -> Result<K, Failure> {
    let text = text(path)?;
    let key = if text.contains("PRIVATE KEY-----") { of_private(&text) } else { of_public(&text) };
    key.map_err(|error| in_file(path, &error))
}

/// Adds the path of a file to an error about its content.
pub fn in_file(path: &Path, error: &Error) -> Failure {
    match error {
        // An unavailable kernel is not an error of the file.
        Error::Kernel(_) => error.clone().into(),
        _ => Failure::about(path, error.to_string()),
    }
}
