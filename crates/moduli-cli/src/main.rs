//! The command `moduli`. The library does the work; the command reads, prints and stores.
#![deny(unsafe_code)]

extern crate alloc;

mod arguments;
mod failure;
mod io;
mod threads;
mod verb;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use arguments::{Arguments, Verb};
use failure::Failure;
use io::output::Output;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return failure::exit_for_usage(&error),
    };
    threads::prepare();
    failure::exit_for(run(&arguments))
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    let output = Output::new(arguments.json);
    match &arguments.verb {
        Verb::Groups(groups) => groups.run(&output),
        Verb::Plan(plan) => plan.run(&output),
        Verb::Table(table) => table.run(&output),
        Verb::Pow(pow) => pow.run(&output),
        Verb::Powmod(powmod) => powmod.run(&output),
        Verb::Hdl(hdl) => hdl.run(&output),
        Verb::Inv(inv) => inv.run(&output),
        Verb::BatchInv(batch) => batch.run(&output),
        Verb::Dsa(dsa) => dsa.run(&output),
        Verb::Rsa(rsa) => rsa.run(&output),
        Verb::Demo(demo) => demo.run(&output),
        Verb::Reproduce(reproduce) => reproduce.run(&output),
        Verb::Completions(completions) => completions.run(Arguments::command()),
        Verb::Manual(manual) => manual.run(Arguments::command()),
        Verb::Share(share) => share.run(),
    }
}
