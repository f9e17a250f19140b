//! `moduli dsa`: keys, signatures, and their speed.

mod bench;
mod keygen;
mod keys;
mod sign;
mod verify;

use clap::{Args, Subcommand};

use crate::{failure::Failure, io::output::Output};

/// DSA (FIPS 186-4): make keys, sign files, verify signatures.
#[derive(Args)]
pub struct Dsa {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Keygen(keygen::Keygen),
    Sign(sign::Sign),
    Verify(verify::Verify),
    Bench(bench::Bench),
}

impl Dsa {
    /// Runs the chosen action.
    pub fn run(&self, output: &Output) -> Result<(), Failure> {
        match &self.action {
            Action::Keygen(keygen) => keygen.run(output),
            Action::Sign(sign) => sign.run(output),
            Action::Verify(verify) => verify.run(output),
            Action::Bench(bench) => bench.run(output),
        }
    }
}
