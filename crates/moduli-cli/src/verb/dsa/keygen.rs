//! `moduli dsa keygen`.

use std::{fs, path::PathBuf};

use clap::Args;
use moduli::scheme::dsa::PrivateKey;
use serde::Serialize;

use super::keys;
use crate::{
    failure::Failure,
    io::{
        atomic_file::{self, Access},
        input,
        output::Output,
    },
    verb::force::Force,
};

/// Make a key pair.
#[derive(Args)]
pub struct Keygen {
    /// The group (see `moduli groups`).
    #[arg(long, value_name = "NAME", default_value = "dsa-3072-256")]
    group: String,

    /// Your own parameters, as `moduli groups generate` prints them.
    #[arg(long, value_name = "FILE", conflicts_with = "group")]
    parameters: Option<PathBuf>,

    /// The file for the private key (PKCS#8), readable only by its owner; `-` is standard output.
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    output: PathBuf,

    /// The file for the public key, if you want a separate one.
    #[arg(long, value_name = "FILE")]
    public_key: Option<PathBuf>,

    #[command(flatten)]
    force: Force,
}

#[derive(Serialize)]
struct Report {
    private_key: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    public_key: Option<String>,
    modulus_bits: u32,
    order_bits: u32,
}

impl Keygen {
    /// Makes the key and writes it.
    pub fn run(&self, output: &Output) -> Result<(), Failure> {
        let to_stdout = input::is_standard(&self.output);
        if to_stdout && output.is_json() {
            return Err(Failure::Usage("the key goes to standard output, so --json is not possible".into()));
        }
        let is_output = |path: &PathBuf| atomic_file::identity(path) == atomic_file::identity(&self.output);
        if !to_stdout && self.public_key.as_ref().is_some_and(is_output) {
            return Err(Failure::Usage("--public-key and --output name the same file".into()));
        }
        let files = [Some(&self.output).filter(|_| !to_stdout), self.public_key.as_ref()];
        files.into_iter().flatten().try_for_each(|path| self.force.check(path))?;
        let parameters = match &self.parameters {
            Some(path) => keys::parameters_file(path)?,
            None => keys::named_parameters(&self.group)?,
        };
        let key = PrivateKey::generate(&parameters, &mut getrandom::SysRng)?;
        let pem = key.to_pem()?;
        let existing = self.force.existing();
        let new = self.public_key.as_ref().filter(|path| path.symlink_metadata().is_err());
        if let Some(path) = &self.public_key {
            let pem = key.public_key().to_pem()?;
            atomic_file::write(path, pem.as_bytes(), Access::Usual, existing)?;
        }
        let written = if to_stdout {
            output.print(&(), |out| out.write_all(pem.as_bytes()))
        } else {
            atomic_file::write(&self.output, pem.as_bytes(), Access::Private, existing)
        };
        if let (Err(_), Some(path)) = (&written, new) {
            // A public key without its private key is of no use. The error to report is the first one.
            let _ = fs::remove_file(path);
        }
        written?;
        if to_stdout {
            return Ok(());
        }
        let report = Report {
            private_key: self.output.display().to_string(),
            public_key: self.public_key.as_ref().map(|path| path.display().to_string()),
            modulus_bits: parameters.p().bits(),
            order_bits: parameters.q().bits(),
        };
        output.print(&report, |out| {
            writeln!(out, "{}", report.private_key)?;
            writeln!(out, "private key, {} bits over {} bits", report.modulus_bits, report.order_bits)?;
            match &report.public_key {
                Some(path) => writeln!(out, "public key in {path}"),
                None => Ok(()),
            }
        })
    }
}
