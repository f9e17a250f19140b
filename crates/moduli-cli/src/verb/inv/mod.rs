//! `moduli inv`: one inversion.

mod residues;

use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::{
    failure::Failure,
    io::{number, output::Output},
    verb::any_modulus::AnyModulus,
};
use residues::{Cost, Parameters};

/// Compute the inverse of a value modulo a number, odd or even.
#[derive(Args)]
pub struct Inv {
    /// The modulus: greater than one; odd for the algorithms in residues.
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

    /// Print the operation counts, including the conversions, on the lines after the result: for the
    /// algorithms in residues.
    #[arg(long)]
    count: bool,

    #[command(flatten)]
    parameters: Parameters,
}

/// The algorithms.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Algorithm {
    /// The fastest: division steps over ordinary words.
    Auto,
    /// In residues: Fermat's theorem (constant-time); the modulus must be prime.
    Fermat,
    /// In residues: binary plus-minus (variable-time).
    Binary,
    /// In residues: binary-ternary plus-minus (variable-time); the modulus must not be a multiple of 3.
    BinaryTernary,
    /// In residues: wide plus-minus (variable-time); the modulus must be coprime to Q.
    Wide,
    /// In residues: lattice jumps (constant-time, or variable-time with --vartime).
    Jump,
    /// In residues: division steps (constant-time).
    Divstep,
}

#[derive(Serialize)]
struct Report<'a> {
    result: String,
    algorithm: &'a str,
    modulus_bits: u32,
    #[serde(flatten)]
    cost: Option<Cost>,
}

impl Inv {
    /// Computes and prints the inverse.
    pub fn run(&self, output: &Output) -> Result<(), Failure> {
        let modulus = AnyModulus::read(&self.modulus)?;
        let value = number::signed_argument("--value", &self.value)?;
        let in_residues = self.algorithm != Algorithm::Auto;
        let has_jumps = matches!(self.algorithm, Algorithm::Jump | Algorithm::Divstep);
        self.parameters.check(in_residues, self.algorithm == Algorithm::Wide, has_jumps)?;
        if self.count && !in_residues {
            return Err(Failure::Usage("--count requires an algorithm in residues".to_owned()));
        }
        if in_residues {
            modulus.odd()?;
        }
        let (p, magnitude) = (modulus.value(), value.magnitude());
        let in_residues = |(inverse, cost)| (inverse, Some(cost));
        let (inverse, cost) = match self.algorithm {
            Algorithm::Auto if self.vartime => (modulus.invert_vartime(magnitude)?, None),
            Algorithm::Auto => (modulus.invert(magnitude)?, None),
            Algorithm::Fermat => in_residues(self.parameters.fermat(p, magnitude)?),
            Algorithm::Binary => in_residues(self.parameters.binary(p, magnitude)?),
            Algorithm::BinaryTernary => in_residues(self.parameters.binary_ternary(p, magnitude)?),
            Algorithm::Wide => in_residues(self.parameters.wide(p, magnitude)?),
            Algorithm::Jump => in_residues(self.parameters.jump(p, magnitude, self.vartime)?),
            Algorithm::Divstep => in_residues(self.parameters.division_steps(p, magnitude)?),
        };
        let algorithm = self.algorithm.to_possible_value();
        let report = Report {
            result: number::hex(&number::signed_inverse(p, &inverse, &value)),
            algorithm: algorithm.as_ref().map_or("", |value| value.get_name()),
            modulus_bits: modulus.bits(),
            cost,
        };
        output.print(&report, |out| {
            writeln!(out, "{}", report.result)?;
            for (name, count) in report.cost.iter().filter(|_| self.count).flat_map(Cost::lines) {
                writeln!(out, "{name} {count}")?;
            }
            Ok(())
        })
    }
}
