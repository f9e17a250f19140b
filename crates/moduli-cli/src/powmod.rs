//! `moduli powmod`: one exponentiation.

use clap::{Args, ValueEnum};
use moduli::Modulus;
use serde::Serialize;

use crate::{failure::Failure, number, output::Output};

/// Compute base^exponent modulo an odd number.
#[derive(Args)]
pub struct Powmod {
    /// The modulus: odd, greater than one.
    #[arg(long, value_name = "HEX")]
    modulus: String,

    /// The base.
    #[arg(long, value_name = "HEX")]
    base: String,

    /// The exponent; a leading minus takes the inverse. `-` reads it from standard input.
    #[arg(long, value_name = "HEX", allow_hyphen_values = true)]
    exponent: String,

    /// How to compute it.
    #[arg(long, value_enum, default_value_t = Algorithm::Auto)]
    algorithm: Algorithm,
}

/// The algorithms, named as in the papers.
#[derive(Clone, Copy, ValueEnum)]
enum Algorithm {
    /// Uniform in base and exponent: what to use for secrets.
    Auto,
    /// Square-and-multiply (variable-time): public numbers only.
    SquareMultiply,
}

#[derive(Serialize)]
struct Report<'a> {
    result: String,
    algorithm: &'a str,
    modulus_bits: u32,
    kernel: &'a str,
}

impl Powmod {
    /// Computes and prints it.
    pub fn run(&self, output: &Output) -> Result<(), Failure> {
        let modulus = Modulus::new(&number::argument("--modulus", &self.modulus)?)?;
        let base = number::argument("--base", &self.base)?;
        let exponent = number::signed_argument("--exponent", &self.exponent)?;
        let (algorithm, power) = match self.algorithm {
            Algorithm::Auto => ("auto", modulus.pow(&base, exponent.exponent())?),
            Algorithm::SquareMultiply => {
                let base = if exponent.is_negative() { modulus.invert_vartime(&base)? } else { base };
                ("square-multiply", modulus.pow_square_multiply_vartime(&base, exponent.magnitude()))
            }
        };
        let result = number::hex(&power);
        let report =
            Report { result, algorithm, modulus_bits: modulus.bits(), kernel: modulus.kernel_name() };
        output.print(&report, |out| writeln!(out, "{}", report.result))
    }
}
