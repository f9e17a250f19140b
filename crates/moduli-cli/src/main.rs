//! The command `moduli`: the library does the work, the command reads, prints and stores.

mod arguments;
mod failure;
mod number;
mod output;
mod powmod;

use std::process::ExitCode;

use clap::Parser;

use arguments::{Arguments, Verb};
use failure::Failure;
use output::Output;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return failure::exit_for_usage(&error),
    };
    failure::exit_for(run(&arguments))
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    let output = Output::new(arguments.json);
    match &arguments.verb {
        Verb::Powmod(powmod) => powmod.run(&output),
    }
}
