//! `moduli rsa sign-raw` and `moduli rsa decrypt-raw`: one function under the names of its two uses.

use std::{io, path::PathBuf};

use clap::Args;
use crypto_bigint::BoxedUint;
use moduli::{Error, scheme::rsa::PrivateKey};
use rayon::prelude::*;

use super::keys;
use crate::{
    failure::Failure,
    input,
    lines::Lines,
    number::{self, Signed},
    output::Output,
    progress,
    sink::Sink,
    threads,
};

/// The private operation on the numbers of a stream.
#[derive(Args)]
pub struct Raw {
    /// The private key, a PEM file (PKCS#8 or PKCS#1).
    #[arg(long, value_name = "PEM")]
    key: PathBuf,

    /// Where the numbers are, each below n; `-` is standard input.
    #[arg(long, value_name = "FILE", default_value = "-")]
    input: PathBuf,

    /// How many threads compute [default: all cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Blind the exponents too, against whoever measures power or radiation many times: a tenth slower.
    #[arg(long)]
    blind_exponents: bool,
}

impl Raw {
    /// Computes, block by block.
    pub fn run(&self, output: &Output) -> Result<(), Failure> {
        if input::is_standard(&self.key) && input::is_standard(&self.input) {
            return Err(Failure::Usage("standard input is the key or the numbers, not both".into()));
        }
        let key = keys::private(&self.key)?.with_exponent_blinding(self.blind_exponents);
        threads::with(self.threads.map(usize::from), || self.stream(&key, output))
    }

    fn stream(&self, key: &PrivateKey, output: &Output) -> Result<(), Failure> {
        let failed = |error: io::Error| Failure::output(&error);
        let (source, length) = input::open(&self.input)?;
        let name = self.input.display().to_string();
        let mut lines = Lines::new(&name, source);
        let mut sink = Sink::new(io::stdout(), output.is_json());
        let bar = progress::bar_beside("-".as_ref(), length, "rsa");
        loop {
            let before = lines.lines();
            let block = lines.block()?;
            if block.is_empty() {
                break;
            }
            for power in powers(key, &block, before)? {
                sink.result(&number::hex(&power)).map_err(failed)?;
            }
            sink.flush().map_err(failed)?;
            bar.set_position(length.map_or(lines.lines() as u64, |_| lines.bytes()));
        }
        sink.finish(lines.lines()).map_err(failed)
    }
}

/// The results for a block of numbers, or what is wrong with the first bad one.
fn powers(key: &PrivateKey, block: &[Signed], before: usize) -> Result<Vec<BoxedUint>, Failure> {
    let powers: Vec<Result<BoxedUint, Error>> = block.par_iter().map(|number| power(key, number)).collect();
    let numbered = powers.into_iter().enumerate();
    numbered.map(|(i, power)| power.map_err(|error| Failure::AtLine(before + i + 1, error))).collect()
}

fn power(key: &PrivateKey, number: &Signed) -> Result<BoxedUint, Error> {
    if number.is_negative() {
        return Err(Error::Parameter { name: "value", reason: "must not be negative".into() });
    }
    key.decrypt_raw(&mut getrandom::SysRng, number.magnitude())
}
