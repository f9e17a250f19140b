//! `moduli dsa verify`.

use std::path::PathBuf;

use clap::Args;
use moduli::scheme::dsa::{Hash, Verifier, signature_from_der};

use super::keys;
use crate::{
    failure::Failure,
    io::{input, output::Output},
    verb::signing::{Signed, Verifying},
};

/// An upper bound: a supported signature is much shorter.
const MAX_SIGNATURE_BYTES: u64 = 1 << 12;

/// Verify the signatures of files: prints one line per file, and exits with status 1 if any fails.
#[derive(Args)]
pub struct Verify {
    /// The public key, or the private one, a PEM file.
    #[arg(long, value_name = "PEM")]
    key: PathBuf,

    /// The hash function: sha1, sha224, sha256, sha384 or sha512.
    #[arg(long, value_name = "NAME", default_value = "sha256")]
    hash: String,

    /// First test that p and q of the key are prime. Otherwise only q is tested, by one Fermat test. For keys
    /// from untrusted sources. Takes as long as hundreds of verifications.
    #[arg(long)]
    validate: bool,

    #[command(flatten)]
    files: Signed,
}

impl Verify {
    /// Verifies all files, on all cores.
    pub fn run(&self, output: &Output) -> Result<(), Failure> {
        let verifying = Verifying::new(&self.files)?;
        let hash = Hash::named(&self.hash)?;
        let key = keys::public(&self.key)?;
        if self.validate {
            key.parameters().validate().map_err(|error| Failure::about(&self.key, error))?;
        }
        let verifier = Verifier::new(key, hash);
        verifying.run(output, |file, signature| {
            let der = input::read(signature, MAX_SIGNATURE_BYTES)?;
            let signature = signature_from_der(&der)?;
            let digest = input::digest(file, verifier.hash())?;
            Ok(verifier.verify_digest(&digest, &signature)?)
        })
    }
}
