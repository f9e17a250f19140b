//! `moduli rsa`: signatures, and the private operation by itself.

mod keys;
mod padding;
mod raw;
mod sign;
mod verify;

use clap::{Args, Subcommand};

use crate::{failure::Failure, io::output::Output};

/// RSA (RFC 8017): sign files, verify signatures, compute the private operation.
#[derive(Args)]
pub struct Rsa {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Sign(sign::Sign),
    Verify(verify::Verify),
    /// The signature primitive RSASP1, without any padding: value^d modulo n, one value per line.
    ///
    /// Reads one hexadecimal number per line and writes one result per line, in the same order.
    /// Blinded, and checked against the public exponent before a result is written.
    SignRaw(raw::Raw),
    /// The decryption primitive RSADP, without any padding: value^d modulo n, one value per line.
    ///
    /// The same function as sign-raw. If you remove a padding, reveal to nobody whether it was
    /// valid.
    DecryptRaw(raw::Raw),
}

impl Rsa {
    /// Runs the chosen action.
    pub fn run(&self, output: &Output) -> Result<(), Failure> {
        match &self.action {
            Action::Sign(sign) => sign.run(output),
            Action::Verify(verify) => verify.run(output),
            Action::SignRaw(raw) | Action::DecryptRaw(raw) => raw.run(output),
        }
    }
}
