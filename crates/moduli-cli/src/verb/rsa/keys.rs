//! Keys, read from files.

use std::path::Path;

use moduli::scheme::rsa::{PrivateKey, PublicKey};

use crate::{
    failure::Failure,
    io::key_file::{in_file, is_private, text},
};

/// The private key in a PEM file.
pub fn private(path: &Path) -> Result<PrivateKey, Failure> {
    PrivateKey::from_pem(&text(path)?).map_err(|error| in_file(path, &error))
}

/// The public key in a PEM file, or that of the private key there.
pub fn public(path: &Path) -> Result<PublicKey, Failure> {
    let text = text(path)?;
    let key = if is_private(&text) {
        PrivateKey::from_pem(&text).map(|key| key.public_key().clone())
    } else {
        PublicKey::from_pem(&text)
    };
    key.map_err(|error| in_file(path, &error))
}
