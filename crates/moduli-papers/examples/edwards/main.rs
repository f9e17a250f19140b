//! Compares the fixed-base methods on Edwards25519 with dalek's own tables, and writes the tables
//! of `docs/edwards.md`.
//!
//! `cargo run --release -p moduli-papers --features edwards --example edwards -- docs/edwards.md`
//! (`make edwards`). Without a page, it prints the tables.

mod candidates;
mod machine;
mod measure;
mod model;
mod text;

use std::{env, fs, process::ExitCode};

use candidates::{BUDGETS, Form};
use measure::Costs;

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let page = env::args().nth(1);
    let costs = Costs::measure();
    let ratios = costs.ratios();
    let mut tables = text::head(&machine::describe(), &costs);
    for form in [Form::Public, Form::Secret] {
        let contests = BUDGETS.iter().map(|&budget| candidates::contest(budget, form, ratios));
        tables += &text::contests(form, &contests.collect::<Result<Vec<_>, _>>()?);
    }
    tables += &text::dalek(&candidates::beside_dalek(ratios)?);
    tables += &text::break_even(&model::break_even(ratios)?);
    tables += &text::selections(&model::by_selection(ratios)?);
    match page {
        Some(path) => Ok(fs::write(&path, text::between_marks(&fs::read_to_string(&path)?, &tables)?)?),
        None => {
            print!("{tables}");
            Ok(())
        }
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("edwards: {error}");
            ExitCode::FAILURE
        }
    }
}
