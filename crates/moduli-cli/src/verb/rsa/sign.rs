//! `moduli rsa sign`.

use std::path::PathBuf;

use clap::Args;
use moduli::scheme::rsa::Signer;

use super::{keys, padding::Padding};
use crate::{
    failure::Failure,
    io::{input, output::Output},
    verb::signing::{self, Signing, Unsigned},
};

/// Sign files: the signature of FILE goes to FILE.sig.
///
/// Nothing is written unless all files could be signed. For `-`, standard input is signed and the signature
/// goes to standard output.
#[derive(Args)]
pub struct Sign {
    /// The private key, a PEM file (PKCS#8 or PKCS#1).
    #[arg(long, value_name = "PEM")]
    key: PathBuf,

    #[command(flatten)]
    padding: Padding,

    /// The hash function: sha224, sha256, sha384 or sha512.
    #[arg(long, value_name = "NAME", default_value = "sha256")]
    hash: String,

    #[command(flatten)]
    files: Unsigned,
}

impl Sign {
    /// Signs all files, on all cores.
    pub fn run(&self, output: &Output) -> Result<(), Failure> {
        let signing = Signing::new(&self.files, "hex")?;
        let scheme = self.padding.scheme(signing::hash(&self.hash)?);
        let signer = Signer::new(keys::private(&self.key)?, scheme)?;
        signing.run(output, |file| {
            let digest = input::digest(file, scheme.hash())?;
            Ok(signer.sign_digest(&mut getrandom::SysRng, &digest)?.into())
        })
    }
}
