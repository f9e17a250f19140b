//! `moduli dsa sign`.

use std::{
    ffi::OsString,
    io::{self, Write},
    path::{Path, PathBuf},
};

use clap::Args;
use moduli::{
    Bytes,
    scheme::dsa::{Hash, Signer},
};
use rayon::prelude::*;
use serde::Serialize;
use signature::SignatureEncoding;

use super::keys;
use crate::{
    atomic_file::{self, Access, Existing},
    failure::Failure,
    input, number, opened,
    output::Output,
    progress,
};

/// Sign files: the signature of FILE, in DER, goes to FILE.sig.
///
/// Nothing is written unless all files could be signed. For `-`, standard input is signed and the signature goes to
/// standard output.
#[derive(Args)]
pub struct Sign {
    /// The private key, a PEM file.
    #[arg(long, value_name = "PEM")]
    key: PathBuf,

    /// The hash function: sha224, sha256, sha384 or sha512.
    #[arg(long, value_name = "NAME", default_value = "sha256")]
    hash: String,

    /// The most bytes that the table for this run may take.
    #[arg(long, value_name = "SIZE", default_value = "1MiB")]
    budget: String,

    /// A table for the generator, made by `moduli table build`.
    #[arg(long, value_name = "FILE", conflicts_with = "budget")]
    table: Option<PathBuf>,

    /// Replace signatures that exist.
    #[arg(long)]
    force: bool,

    /// The files to sign.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

#[derive(Serialize)]
struct Signed {
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<String>,
    der: String,
}

#[derive(Serialize)]
struct Report {
    signatures: Vec<Signed>,
    count: usize,
}

impl Sign {
    /// Signs all files, on all cores.
    pub fn run(&self, output: &Output) -> Result<(), Failure> {
        let standard = self.files.iter().any(|file| input::is_standard(file));
        if standard && self.files.len() > 1 {
            return Err(Failure::Usage("standard input is signed alone, without other files".into()));
        }
        let mut targets = self.files.iter().map(|file| beside(file));
        if !standard
            && !self.force
            && let Some(path) = targets.find(|path| path.exists())
        {
            return Err(atomic_file::exists(&path));
        }
        let signer = self.signer()?;
        let signatures = self.signatures(&signer)?;
        if standard && !output.is_json() {
            let mut out = io::stdout().lock();
            let written = signatures.iter().try_for_each(|der| out.write_all(der)).and_then(|()| out.flush());
            return written.map_err(|error| Failure::output(&error));
        }
        if !standard {
            self.write(&signatures)?;
        }
        let signed: Vec<Signed> =
            self.files.iter().zip(&signatures).map(|(file, der)| Signed::new(file, der)).collect();
        let report = Report { count: signed.len(), signatures: signed };
        output.print(&report, |out| {
            report
                .signatures
                .iter()
                .filter_map(|signed| signed.signature.as_ref())
                .try_for_each(|path| writeln!(out, "{path}"))
        })
    }

    fn signer(&self) -> Result<Signer, Failure> {
        let hash = Hash::named(&self.hash)?;
        let budget: Bytes = self.budget.parse()?;
        let key = keys::private(&self.key)?;
        let Some(path) = &self.table else { return Ok(Signer::new(key, hash, budget)?) };
        let table = opened::for_base(path, false, key.parameters().p(), key.parameters().g())?;
        Ok(Signer::with_table(key, hash, table)?)
    }

    /// In the order of the files.
    fn signatures(&self, signer: &Signer) -> Result<Vec<Vec<u8>>, Failure> {
        let bar = progress::bar(Some(self.files.len() as u64), "sign");
        let signatures: Vec<Result<Vec<u8>, Failure>> = self
            .files
            .par_iter()
            .map(|file| {
                let signature = sign(signer, file);
                bar.inc(1);
                signature
            })
            .collect();
        // Collected first, so that the error reported is that of the first file.
        signatures.into_iter().collect()
    }

    fn write(&self, signatures: &[Vec<u8>]) -> Result<(), Failure> {
        let existing = if self.force { Existing::Replace } else { Existing::Keep };
        self.files
            .par_iter()
            .zip(signatures)
            .try_for_each(|(file, der)| atomic_file::write(&beside(file), der, Access::Usual, existing))
    }
}

fn sign(signer: &Signer, file: &Path) -> Result<Vec<u8>, Failure> {
    let digest = input::digest(file, signer.hash())?;
    Ok(signer.sign_digest(&digest)?.to_vec())
}

impl Signed {
    fn new(file: &Path, der: &[u8]) -> Self {
        let signature = (!input::is_standard(file)).then(|| beside(file).display().to_string());
        Self { file: file.display().to_string(), signature, der: number::hex_of_bytes(der) }
    }
}

/// Where the signature of a file is kept.
pub fn beside(file: &Path) -> PathBuf {
    let mut name = OsString::from(file);
    name.push(".sig");
    PathBuf::from(name)
}
