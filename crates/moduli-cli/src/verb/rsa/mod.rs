//! `moduli rsa`: signatures, and the private operation alone.

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
    /// The signature primitive RSASP1, without any padding: value^d modulo n for one value a line.
    ///
    /// Reads one hexadecimal number a line and writes one result a line, in the same order. Blinded, and checked
    /// against the public exponent before a result is written.
    SignRaw(raw::Raw),
    /// The decryption primitive RSADP, without any padding: value^d modulo n for one value a line.
    ///
    /// The same function as sign-raw. Whoever removes a padding must not let anyone know whether it was right.
    DecryptRaw(raw::Raw),
}

impl Rsa {
    /// Does what was asked for.
    pub fn run(&self, output: &Output) -> Result<(), Failure> {
        match &self.action {
            Action::Sign(sign) => sign.run(output),
            Action::Verify(verify) => verify.run(output),
            Action::SignRaw(raw) | Action::DecryptRaw(raw) => raw.run(output),
        }
    }
}
