//! `moduli groups`: the named groups, and DSA parameters from a seed.

use clap::{Args, Subcommand};
use moduli::{
    groups::Group,
    scheme::parameters::{self, DsaParameters},
};
use serde::Serialize;

use crate::{
    failure::Failure,
    io::{number, output::Output},
};

/// List the named groups, print one, or generate DSA parameters.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Groups {
    /// Print the numbers of this group: modulus p, order q, generator g.
    #[arg(value_name = "NAME")]
    name: Option<String>,

    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Subcommand)]
enum Action {
    Generate(Generate),
}

/// Generate DSA parameters from a seed (FIPS 186-4, A.1.1.2 and A.2.3): the same seed gives the same
/// parameters.
#[derive(Args)]
struct Generate {
    /// Length of the modulus p.
    #[arg(long, value_name = "N")]
    modulus_bits: u32,

    /// Length of the order q.
    #[arg(long, value_name = "N")]
    order_bits: u32,

    /// Any text.
    #[arg(long, value_name = "TEXT")]
    seed: String,
}

/// A line of the list.
#[derive(Serialize)]
struct Row {
    name: &'static str,
    modulus_bits: u32,
    order_bits: u32,
    exponent_bits: u32,
    safe_prime: bool,
}

/// The numbers of a group.
#[derive(Serialize)]
struct Numbers {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'static str>,
    p: String,
    q: String,
    g: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    exponent_bits: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    counter: Option<u32>,
}

impl Groups {
    /// Prints the requested data.
    pub fn run(&self, output: &Output) -> Result<(), Failure> {
        match (&self.action, &self.name) {
            (Some(Action::Generate(generate)), _) => generate.run(output),
            (None, Some(name)) => print(&Numbers::of_group(&Group::named(name)?), output),
            (None, None) => list(output),
        }
    }
}

fn list(output: &Output) -> Result<(), Failure> {
    let rows: Vec<Row> = Group::all()?.iter().map(Row::new).collect();
    output.print(&rows, |out| {
        writeln!(
            out,
            "{:<20} {:>12} {:>10} {:>13}  safe prime",
            "name", "modulus bits", "order bits", "exponent bits"
        )?;
        for row in &rows {
            let safe = if row.safe_prime { "yes" } else { "no" };
            writeln!(
                out,
                "{:<20} {:>12} {:>10} {:>13}  {safe}",
                row.name, row.modulus_bits, row.order_bits, row.exponent_bits
            )?;
        }
        Ok(())
    })
}

fn print(numbers: &Numbers, output: &Output) -> Result<(), Failure> {
    output.print(numbers, |out| {
        writeln!(out, "p {}\nq {}\ng {}", numbers.p, numbers.q, numbers.g)?;
        if let (Some(seed), Some(counter)) = (&numbers.seed, numbers.counter) {
            writeln!(out, "seed {seed}\ncounter {counter}")?;
        }
        Ok(())
    })
}

impl Generate {
    fn run(&self, output: &Output) -> Result<(), Failure> {
        let made = parameters::generate(self.modulus_bits, self.order_bits, self.seed.as_bytes())?;
        print(&Numbers::of_parameters(&made), output)
    }
}

impl Row {
    fn new(group: &Group) -> Self {
        Self {
            name: group.name(),
            modulus_bits: group.modulus().bits_vartime(),
            order_bits: group.order().bits_vartime(),
            exponent_bits: group.exponent_bits(),
            safe_prime: group.is_safe_prime(),
        }
    }
}

impl Numbers {
    fn of_group(group: &Group) -> Self {
        let (seed, counter) = group.seed().unzip();
        Self {
            name: Some(group.name()),
            p: number::hex(group.modulus()),
            q: number::hex(group.order()),
            g: number::hex(group.generator()),
            exponent_bits: Some(group.exponent_bits()),
            seed: seed.map(number::hex_of_bytes),
            counter,
        }
    }

    fn of_parameters(parameters: &DsaParameters) -> Self {
        Self {
            name: None,
            p: number::hex(&parameters.p),
            q: number::hex(&parameters.q),
            g: number::hex(&parameters.g),
            exponent_bits: None,
            seed: Some(number::hex_of_bytes(&parameters.seed)),
            counter: Some(parameters.counter),
        }
    }
}
