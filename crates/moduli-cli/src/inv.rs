//! `moduli inv`: one inversion.

use clap::{Args, ValueEnum};
use moduli::Modulus;
use serde::Serialize;

use crate::{failure::Failure, number, output::Output};

/// Compute the inverse of a value modulo an odd number.
#[derive(Args)]
pub struct Inv {
    /// The modulus: odd, greater than one.
    #[arg(long, value_name = "HEX")]
    modulus: String,

    /// The value; a leading minus negates. `-` reads it from standard input.
    #[arg(long, value_name = "HEX", allow_hyphen_values = true)]
    value: String,

    /// How to compute it.
    #[arg(long, value_enum, default_value_t = Algorithm::Auto)]
    algorithm: Algorithm,

    /// The value is public: faster, variable-time, and an error names the common factor.
    #[arg(long)]
    vartime: bool,
}

/// The algorithms.
#[derive(Clone, Copy, ValueEnum)]
enum Algorithm {
    /// The fastest: division steps over ordinary words.
    Auto,
}

#[derive(Serialize)]
struct Report<'a> {
    result: String,
    algorithm: &'a str,
    modulus_bits: u32,
}

impl Inv {
    /// Computes and prints it.
    pub fn run(&self, output: &Output) -> Result<(), Failure> {
        let modulus = Modulus::new(&number::argument("--modulus", &self.modulus)?)?;
        let value = number::signed_argument("--value", &self.value)?;
        let (algorithm, inverse) = match self.algorithm {
            Algorithm::Auto if self.vartime => ("auto", modulus.invert_vartime(value.magnitude())?),
            Algorithm::Auto => ("auto", modulus.invert(value.magnitude())?),
        };
        let result = number::signed_inverse(modulus.value(), &inverse, &value);
        let report = Report { result, algorithm, modulus_bits: modulus.bits() };
        output.print(&report, |out| writeln!(out, "{}", report.result))
    }
}
