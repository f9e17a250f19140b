//! Reads keys from files.

use std::path::Path;

use moduli::scheme::rsa::{PrivateKey, PublicKey};

use crate::{
    failure::Failure,
    io::key_file::{self, in_file, text},
};

/// The private key in a PEM file.
pub fn private(path: &Path) -> Result<PrivateKey, Failure> {
    PrivateKey::from_pem(&text(path)?).map_err(|error| in_file(path, &error))
}

/// The public key from a PEM file that contains it or the private key.
pub fn public(path: &Path) -> Result<PublicKey, Failure> {
    let of_private = |text: &str| PrivateKey::from_pem(text).map(|key| key.public_key().clone());
    key_file::public(path, of_private, PublicKey::from_pem)
}
