//! Signs files and verifies their signatures, for every algorithm.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsString,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use clap::Args;
use moduli::{Error, scheme::dsa::Hash};
use rayon::prelude::*;
use serde::Serialize;

use crate::{
    failure::{self, Failure},
    io::{
        atomic_file::{self, Access},
        input, number,
        output::Output,
        progress,
    },
    verb::force::Force,
};

/// The files to sign.
#[derive(Args)]
pub struct Unsigned {
    #[command(flatten)]
    force: Force,

    /// The files to sign.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

/// The hash function with this name, for signing. The error for an unknown name lists the ones that
/// can sign; the signers reject SHA-1.
pub fn hash(name: &str) -> Result<Hash, Error> {
    let signing = Hash::ALL.into_iter().filter(|hash| *hash != Hash::Sha1).map(Hash::name);
    Hash::named(name).map_err(|_| Error::unknown("hash", "hash function", name, signing))
}

/// The signed files.
#[derive(Args)]
pub struct Signed {
    /// The file with the signature, if it is not FILE.sig; only for a single file.
    #[arg(long, value_name = "FILE")]
    signature: Option<PathBuf>,

    /// The signed files; `-` is standard input.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

/// The files of one run of `sign`.
pub struct Signing<'a> {
    files: &'a [PathBuf],
    force: Force,
    /// The name of a signature's bytes in JSON.
    bytes: &'static str,
}

#[derive(Serialize)]
struct Written {
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<String>,
    #[serde(flatten)]
    bytes: BTreeMap<&'static str, String>,
}

#[derive(Serialize)]
struct Signatures {
    signatures: Vec<Written>,
    count: usize,
}

impl<'a> Signing<'a> {
    /// Rejects, before the key is read, arguments that must fail.
    pub fn new(unsigned: &'a Unsigned, bytes: &'static str) -> Result<Self, Failure> {
        let Unsigned { force, files } = unsigned;
        let signing = Self { files, force: *force, bytes };
        if signing.is_standard() && files.len() > 1 {
            return Err(Failure::Usage("standard input is signed alone, without other files".into()));
        }
        let mut seen = BTreeSet::new();
        if let Some(file) = files.iter().find(|file| !seen.insert(atomic_file::identity(&beside(file)))) {
            return Err(Failure::Usage(format!("{} is to be signed twice", file.display())));
        }
        if !signing.is_standard() {
            files.iter().try_for_each(|file| force.check(&beside(file)))?;
        }
        Ok(signing)
    }

    fn is_standard(&self) -> bool {
        self.files.iter().any(|file| input::is_standard(file))
    }

    /// Signs all files with `sign`, on all cores, and writes the signatures if all could be signed.
    pub fn run(
        &self,
        output: &Output,
        sign: impl Fn(&Path) -> Result<Vec<u8>, Failure> + Sync,
    ) -> Result<(), Failure> {
        let signatures = self.signatures(sign)?;
        if self.is_standard() && !output.is_json() {
            let mut out = io::stdout().lock();
            let written =
                signatures.iter().try_for_each(|bytes| out.write_all(bytes)).and_then(|()| out.flush());
            return written.map_err(|error| Failure::output(&error));
        }
        if !self.is_standard() {
            self.write(&signatures)?;
        }
        let signed: Vec<Written> =
            self.files.iter().zip(&signatures).map(|(file, bytes)| self.signed(file, bytes)).collect();
        let report = Signatures { count: signed.len(), signatures: signed };
        output.print(&report, |out| {
            report
                .signatures
                .iter()
                .filter_map(|signed| signed.signature.as_ref())
                .try_for_each(|path| writeln!(out, "{path}"))
        })
    }

    /// The signatures, in the order of the files.
    fn signatures(
        &self,
        sign: impl Fn(&Path) -> Result<Vec<u8>, Failure> + Sync,
    ) -> Result<Vec<Vec<u8>>, Failure> {
        let bar = progress::bar(Some(self.files.len() as u64), "sign");
        let signatures: Vec<Result<Vec<u8>, Failure>> = self
            .files
            .par_iter()
            .map(|file| {
                let signature = sign(file);
                bar.inc(1);
                signature
            })
            .collect();
        // Collected first, so that the reported error is that of the first file.
        signatures.into_iter().collect()
    }

    /// Writes all signatures. If one cannot be written, the new ones are removed again.
    fn write(&self, signatures: &[Vec<u8>]) -> Result<(), Failure> {
        let existing = self.force.existing();
        let written: Vec<Result<Option<PathBuf>, Failure>> = self
            .files
            .par_iter()
            .zip(signatures)
            .map(|(file, bytes)| {
                let path = beside(file);
                let is_new = path.symlink_metadata().is_err();
                atomic_file::write(&path, bytes, Access::Usual, existing)?;
                Ok(is_new.then_some(path))
            })
            .collect();
        if written.iter().any(Result::is_err) {
            for path in written.iter().flatten().flatten() {
                // The error to report is the first one.
                let _ = fs::remove_file(path);
            }
        }
        written.into_iter().try_for_each(|written| written.map(drop))
    }

    fn signed(&self, file: &Path, bytes: &[u8]) -> Written {
        let signature = (!input::is_standard(file)).then(|| beside(file).display().to_string());
        let bytes = BTreeMap::from([(self.bytes, number::hex_of_bytes(bytes))]);
        Written { file: file.display().to_string(), signature, bytes }
    }
}

/// The path of a file's signature.
fn beside(file: &Path) -> PathBuf {
    let mut name = OsString::from(file);
    name.push(".sig");
    PathBuf::from(name)
}

/// The files of one run of `verify`.
pub struct Verifying<'a> {
    files: &'a [PathBuf],
    signature: Option<&'a Path>,
}

#[derive(Serialize)]
struct Verdict {
    file: String,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

#[derive(Serialize)]
struct Verdicts {
    verdicts: Vec<Verdict>,
    ok: usize,
    failed: usize,
}

impl<'a> Verifying<'a> {
    /// Rejects, before the key is read, arguments that must fail.
    pub fn new(signed: &'a Signed) -> Result<Self, Failure> {
        let (files, signature) = (&signed.files[..], signed.signature.as_deref());
        if signature.is_some() && files.len() > 1 {
            return Err(Failure::Usage("--signature is for one file alone".into()));
        }
        if signature.is_none() && files.iter().any(|file| input::is_standard(file)) {
            return Err(Failure::Usage("the signature of standard input needs --signature".into()));
        }
        Ok(Self { files, signature })
    }

    /// Verifies all files on all cores. `verify` gets a file and the path of its signature.
    pub fn run(
        &self,
        output: &Output,
        verify: impl Fn(&Path, &Path) -> Result<(), Failure> + Sync,
    ) -> Result<(), Failure> {
        let verdicts = self.verdicts(verify);
        let failed = verdicts.iter().filter(|verdict| !verdict.ok).count();
        let report = Verdicts { ok: verdicts.len() - failed, failed, verdicts };
        // A closed output does not turn a forgery into a success.
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

    fn verdicts(&self, verify: impl Fn(&Path, &Path) -> Result<(), Failure> + Sync) -> Vec<Verdict> {
        let bar = progress::bar(Some(self.files.len() as u64), "verify");
        self.files
            .par_iter()
            .map(|file| {
                let path = self.signature.map_or_else(|| beside(file), Path::to_owned);
                let reason = verify(file, &path).err().map(|failure| failure.to_string());
                bar.inc(1);
                Verdict { file: file.display().to_string(), ok: reason.is_none(), reason }
            })
            .collect()
    }
}
