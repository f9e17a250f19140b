//! `moduli powmod`: one exponentiation.

use clap::{Args, ValueEnum};
use crypto_bigint::BoxedUint;
use moduli::{
    Modulus,
    power::{Algorithm, PowerMethod, PowerPlanner},
};
use moduli_papers::square_multiply_vartime;
use serde::Serialize;

use crate::{
    failure::Failure,
    io::{
        number::{self, Signed},
        output::Output,
    },
    verb::any_modulus::AnyModulus,
};

/// Compute base^exponent modulo a number, odd or even.
#[derive(Args)]
pub struct Powmod {
    /// The modulus: greater than one. For an even modulus, there is only one way to compute it.
    #[arg(long, value_name = "HEX")]
    modulus: String,

    /// The base; a leading minus negates. `-` reads it from standard input.
    #[arg(long, value_name = "HEX", allow_hyphen_values = true)]
    base: String,

    /// The exponent; a leading minus takes the inverse. `-` reads it from standard input.
    #[arg(long, value_name = "HEX", allow_hyphen_values = true)]
    exponent: String,

    /// The algorithm. All but square-multiply are constant-time in base and exponent.
    #[arg(long, value_enum, default_value_t = Choice::Auto)]
    algorithm: Choice,

    /// Whether products with a common operand share work [default: the faster, by measurement].
    #[arg(long, value_enum, value_name = "on|off")]
    common_operand: Option<Switch>,

    /// Bits of a digit, 1 to 16 [default: the fastest, by measurement].
    #[arg(long, value_name = "T")]
    window: Option<u32>,
}

/// The algorithms, named as in the papers.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Choice {
    /// The fastest that is constant-time, by measurement.
    Auto,
    /// Square-and-multiply (variable-time): public numbers only.
    SquareMultiply,
    /// The Montgomery ladder.
    Ladder,
    /// Right-to-left 2^T-ary.
    RightToLeft,
    /// Left-to-right 2^T-ary.
    LeftToRight,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Switch {
    On,
    Off,
}

#[derive(Serialize)]
struct Report<'a> {
    result: String,
    algorithm: &'a str,
    method: String,
    secrecy: &'a str,
    modulus_bits: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    kernel: Option<&'a str>,
}

impl Powmod {
    /// Computes and prints the power.
    pub fn run(&self, output: &Output) -> Result<(), Failure> {
        let modulus = AnyModulus::read(&self.modulus)?;
        let base = modulus.not_negative(&number::signed_argument("--base", &self.base)?);
        let exponent = number::signed_argument("--exponent", &self.exponent)?;
        let (method, secrecy, power) = match &modulus {
            AnyModulus::Odd(modulus) => self.modulo_odd(modulus, base, &exponent)?,
            AnyModulus::Even(even) => {
                self.refuse_for_even()?;
                let base = if exponent.is_negative() { even.invert(&base)? } else { base };
                ("Chinese remainders".to_owned(), "secret", even.pow(&base, exponent.magnitude()))
            }
        };
        let report = Report {
            result: number::hex(&power),
            algorithm: self.algorithm.name(),
            method,
            secrecy,
            modulus_bits: modulus.bits(),
            kernel: modulus.odd().ok().map(Modulus::kernel_name),
        };
        output.print(&report, |out| writeln!(out, "{}", report.result))
    }

    /// The name of the method, whether it is constant-time, and the power.
    fn modulo_odd(
        &self,
        modulus: &Modulus,
        base: BoxedUint,
        exponent: &Signed,
    ) -> Result<(String, &'static str, BoxedUint), Failure> {
        Ok(match self.method(modulus, exponent.exponent().bits())? {
            Some(method) => {
                let power = modulus.pow_with(&base, exponent.exponent(), method)?;
                (method.to_string(), "secret", power)
            }
            None => {
                let base = if exponent.is_negative() { modulus.invert_vartime(&base)? } else { base };
                let power = square_multiply_vartime(&modulus.element(&base), exponent.magnitude())?.to_uint();
                ("square-multiply".to_owned(), "variable-time", power)
            }
        })
    }

    /// Rejects options that select a method modulo odd numbers.
    fn refuse_for_even(&self) -> Result<(), Failure> {
        let option = match self {
            Self { algorithm: Choice::Auto, common_operand: None, window: None, .. } => return Ok(()),
            Self { algorithm: Choice::Auto, common_operand: None, .. } => "--window".to_owned(),
            Self { algorithm: Choice::Auto, .. } => "--common-operand".to_owned(),
            Self { algorithm, .. } => format!("--algorithm {}", algorithm.name()),
        };
        Err(Failure::Usage(format!("{option} cannot be used with an even modulus")))
    }

    /// The method that satisfies the options; `None` for square-and-multiply.
    fn method(&self, modulus: &Modulus, bits: u32) -> Result<Option<PowerMethod>, Failure> {
        let algorithm = match self.algorithm {
            Choice::Auto => None,
            Choice::SquareMultiply => {
                self.refuse(self.window.is_some(), "--window")?;
                self.refuse(self.common_operand == Some(Switch::On), "--common-operand on")?;
                return Ok(None);
            }
            Choice::Ladder => {
                self.refuse(self.window.is_some(), "--window")?;
                Some(Algorithm::Ladder)
            }
            Choice::RightToLeft => Some(Algorithm::RightToLeft),
            Choice::LeftToRight => Some(Algorithm::LeftToRight),
        };
        let mut planner = PowerPlanner::new(modulus).exponent_bits(bits);
        if let Some(algorithm) = algorithm {
            planner = planner.algorithm(algorithm);
        }
        if let Some(switch) = self.common_operand {
            planner = planner.common_operand(switch == Switch::On);
        }
        if let Some(window) = self.window {
            planner = planner.window(window);
        }
        Ok(Some(planner.plan()?))
    }

    /// Rejects an option that this algorithm does not have.
    fn refuse(&self, given: bool, option: &str) -> Result<(), Failure> {
        if given {
            return Err(Failure::Usage(format!(
                "{option} cannot be used with --algorithm {}",
                self.algorithm.name()
            )));
        }
        Ok(())
    }
}

impl Choice {
    fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::SquareMultiply => "square-multiply",
            Self::Ladder => "ladder",
            Self::RightToLeft => "right-to-left",
            Self::LeftToRight => "left-to-right",
        }
    }
}
