//! `moduli dsa sign`.

use std::path::PathBuf;

use clap::Args;
use moduli::scheme::dsa::Signer;
use signature::SignatureEncoding;

use super::keys;
use crate::{
    failure::Failure,
    io::{
        input, number,
        opened::{self, Memory},
        output::Output,
    },
    verb::signing::{self, Signing, Unsigned},
};

/// Sign files: the signature of FILE, in DER, goes to FILE.sig.
///
/// Nothing is written unless all files could be signed. For `-`, standard input is signed and the signature
/// goes to standard output.
#[derive(Args)]
pub struct Sign {
    /// The private key, a PEM file. p and q are assumed to be prime, except for one Fermat test of q;
    /// `dsa verify --validate` tests both.
    #[arg(long, value_name = "PEM")]
    key: PathBuf,

    /// The hash function: sha224, sha256, sha384 or sha512.
    #[arg(long, value_name = "NAME", default_value = "sha256")]
    hash: String,

    /// The most bytes that the table for this run may take.
    #[arg(long, value_name = "SIZE", default_value = "1MiB")]
    budget: String,

    /// A table for the generator, made by `moduli table build`. All its entries are verified, in the time
    /// that building it takes, because with entries that an attacker chose, a few signatures reveal the key.
    #[arg(long, value_name = "FILE", conflicts_with = "budget")]
    table: Option<PathBuf>,

    /// The checksum that the table must have, from a trusted source: instead of verifying its entries.
    #[arg(long, value_name = "HEX", requires = "table")]
    digest: Option<String>,

    /// Verify each signature before any is written, against faults of the machine: several times slower.
    #[arg(long)]
    check: bool,

    #[command(flatten)]
    files: Unsigned,
}

impl Sign {
    /// Signs all files, on all cores.
    pub fn run(&self, output: &Output) -> Result<(), Failure> {
        let signing = Signing::new(&self.files, "der")?;
        let signer = self.signer()?;
        signing.run(output, |file| {
            let digest = input::digest(file, signer.hash())?;
            Ok(signer.sign_digest(&digest)?.to_vec())
        })
    }

    fn signer(&self) -> Result<Signer, Failure> {
        let hash = signing::hash(&self.hash)?;
        let budget = number::budget_argument(&self.budget)?;
        let key = keys::private(&self.key)?;
        let signer = match &self.table {
            None => Signer::new(key, hash, budget)?,
            Some(path) => {
                let table = match &self.digest {
                    Some(hex) => opened::with_digest(path, Memory::Own, hex)?,
                    None => opened::for_base(path, Memory::Own, key.parameters().p(), key.parameters().g())?,
                };
                let signer = Signer::with_table(key, hash, table);
                signer.map_err(|error| Failure::about(path, error.to_string()))?
            }
        };
        Ok(signer.with_fault_check(self.check))
    }
}
