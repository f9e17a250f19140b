//! `moduli rsa verify`.

use std::path::PathBuf;

use clap::Args;
use moduli::scheme::rsa::{Hash, Signature, Verifier};

use super::{keys, padding::Padding};
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

    #[command(flatten)]
    padding: Padding,

    /// The hash function: sha1, sha224, sha256, sha384 or sha512.
    #[arg(long, value_name = "NAME", default_value = "sha256")]
    hash: String,

    #[command(flatten)]
    files: Signed,
}

impl Verify {
    /// Verifies all files, on all cores.
    pub fn run(&self, output: &Output) -> Result<(), Failure> {
        let verifying = Verifying::new(&self.files)?;
        let scheme = self.padding.scheme(Hash::named(&self.hash)?);
        let verifier = Verifier::new(keys::public(&self.key)?, scheme);
        verifying.run(output, |file, signature| {
            let bytes = input::read(signature, MAX_SIGNATURE_BYTES)?;
            let signature = Signature::try_from(bytes.as_slice())?;
            let digest = input::digest(file, scheme.hash())?;
            Ok(verifier.verify_digest(&digest, &signature)?)
        })
    }
}
