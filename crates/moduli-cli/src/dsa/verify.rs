//! `moduli dsa verify`.

use std::path::{Path, PathBuf};

use clap::Args;
use moduli::scheme::dsa::{Hash, Verifier, signature_from_der};
use rayon::prelude::*;
use serde::Serialize;

use super::{keys, sign::beside};
use crate::{
    failure::{self, Failure},
    input,
    output::Output,
    progress,
};

/// No signature that is served comes near this.
const MAX_SIGNATURE_BYTES: u64 = 1 << 12;

/// Verify the signatures of files: one line a file, and status 1 if any fails.
#[derive(Args)]
pub struct Verify {
    /// The public key, or the private one, a PEM file.
    #[arg(long, value_name = "PEM")]
    key: PathBuf,

    /// The hash function: sha1, sha224, sha256, sha384 or sha512.
    #[arg(long, value_name = "NAME", default_value = "sha256")]
    hash: String,

    /// Where the signature is, in DER, if not in FILE.sig; for one file alone.
    #[arg(long, value_name = "FILE")]
    signature: Option<PathBuf>,

    /// The signed files; `-` is standard input.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

#[derive(Serialize)]
struct Verdict {
    file: String,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

#[derive(Serialize)]
struct Report {
    verdicts: Vec<Verdict>,
    ok: usize,
    failed: usize,
}

impl Verify {
    /// Verifies all files, on all cores.
    pub fn run(&self, output: &Output) -> Result<(), Failure> {
        if self.signature.is_some() && self.files.len() > 1 {
            return Err(Failure::Usage("--signature is for one file alone".into()));
        }
        if self.signature.is_none() && self.files.iter().any(|file| input::is_standard(file)) {
            return Err(Failure::Usage("the signature of standard input needs --signature".into()));
        }
        let hash = Hash::named(&self.hash)?;
        let verifier = Verifier::new(keys::public(&self.key)?, hash);
        let report = Report::new(self.verdicts(&verifier));
        // A reader that went away does not turn a forgery into a success.
        let printed = output.print(&report, |out| {
            report.verdicts.iter().try_for_each(|verdict| {
                writeln!(out, "{}: {}", verdict.file, if verdict.ok { "OK" } else { "FAILED" })
            })
        });
        for (file, reason) in report.verdicts.iter().filter_map(|v| Some((&v.file, v.reason.as_ref()?))) {
            failure::say(format_args!("{file}: {reason}"));
        }
        if report.failed > 0 { Err(Failure::Answered) } else { printed }
    }

    fn verdicts(&self, verifier: &Verifier) -> Vec<Verdict> {
        let bar = progress::bar(Some(self.files.len() as u64), "verify");
        self.files
            .par_iter()
            .map(|file| {
                let path = self.signature.clone().unwrap_or_else(|| beside(file));
                let reason = verify(verifier, file, &path).err();
                bar.inc(1);
                Verdict { file: file.display().to_string(), ok: reason.is_none(), reason }
            })
            .collect()
    }
}

/// What is wrong, if anything is.
fn verify(verifier: &Verifier, file: &Path, signature: &Path) -> Result<(), String> {
    let reason = |failure: Failure| failure.to_string();
    let der = input::read(signature, MAX_SIGNATURE_BYTES).map_err(reason)?;
    let signature = signature_from_der(&der).map_err(|error| error.to_string())?;
    let digest = input::digest(file, verifier.hash()).map_err(reason)?;
    verifier.verify_digest(&digest, &signature).map_err(|error| error.to_string())
}

impl Report {
    fn new(verdicts: Vec<Verdict>) -> Self {
        let failed = verdicts.iter().filter(|verdict| !verdict.ok).count();
        Self { ok: verdicts.len() - failed, failed, verdicts }
    }
}
