//! `moduli rsa sign-raw` and `moduli rsa decrypt-raw`: one function with a name for each use.

use std::{io, path::PathBuf};

use clap::Args;
use crypto_bigint::BoxedUint;
use moduli::{Error, scheme::rsa::PrivateKey};

use super::keys;
use crate::{
    failure::Failure,
    io::{
        format::{self, Format},
        number::Signed,
        output::Output,
        sink::Sink,
        stream::Stream,
    },
    threads,
};

/// The private operation on the numbers of a stream.
#[derive(Args)]
pub struct Raw {
    /// The private key, a PEM file (PKCS#8 or PKCS#1).
    #[arg(long, value_name = "PEM")]
    key: PathBuf,

    /// The file with the numbers, each below n; `-` is standard input.
    #[arg(long, value_name = "FILE", default_value = "-")]
    input: PathBuf,

    #[command(flatten)]
    format: format::Options,

    /// The number of threads [default: all cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Blind the exponents, too, against attackers who measure power or radiation many times: a
    /// tenth slower.
    #[arg(long)]
    blind_exponents: bool,
}

impl Raw {
    /// Computes block by block.
    pub fn run(&self, output: &Output) -> Result<(), Failure> {
        self.format.check(output.is_json())?;
        let key = keys::private(&self.key)?.with_exponent_blinding(self.blind_exponents);
        threads::with(self.threads.map(usize::from), || {
            let format = self.format.format(key.public_key().n().bits());
            let stream = Stream { input: &self.input, output: "-".as_ref(), verb: "rsa", format };
            let mut sink = Sink::new(io::stdout(), output.is_json(), format);
            let failed = |error| Failure::output(&error);
            stream.run(&mut sink, failed, |block, before| powers(&key, block, before, format))?;
            Ok(())
        })
    }
}

/// The results for a block of numbers, and the errors of invalid ones.
fn powers(
    key: &PrivateKey,
    block: &[Signed],
    before: usize,
    format: Format,
) -> Vec<Result<Option<BoxedUint>, Failure>> {
    let powers = key.decrypt_raw_batch(&mut getrandom::SysRng, block.iter().map(Signed::magnitude));
    let numbered = block.iter().zip(powers).enumerate();
    let results = numbered.map(|(i, (number, power))| {
        let negative = || Error::parameter("value", "must not be negative");
        let power = if number.is_negative() { Err(negative()) } else { power };
        power.map(Some).map_err(|error| format.at(before + i + 1, error))
    });
    results.collect()
}
