//! Compares moduli with GMP, OpenSSL, AWS-LC and crypto-bigint in one process, on one core: first requires
//! equal results, then takes interleaved times.
//!
//! `make bench` measures everything and writes a page in `docs/benchmarks` that is named after the processor,
//! and a JSON file beside it. `make bench-quick` takes two minutes.

mod bench;
mod clock;
mod contest;
mod numbers;
mod report;
mod residues;
mod rivals;
mod rsa_key;
mod sections;

use std::process::ExitCode;

use bench::Bench;
use report::Machine;

const USAGE: &str = "usage: moduli-bench [--quick] [--section NAME]... [--core N] [--json FILE] [--markdown FILE] [--pages FOLDER]";

#[derive(Default)]
struct Arguments {
    quick: bool,
    sections: Vec<String>,
    core: Option<usize>,
    json: Option<String>,
    markdown: Option<String>,
    /// The folder for both files, which are named after the processor.
    pages: Option<String>,
}

fn arguments() -> Result<Arguments, String> {
    let mut parsed = Arguments::default();
    let mut all = std::env::args().skip(1);
    while let Some(argument) = all.next() {
        let mut value = || all.next().ok_or_else(|| format!("{argument} needs a value"));
        match argument.as_str() {
            "--quick" => parsed.quick = true,
            "--section" => {
                let name = value()?;
                if !sections::ALL.iter().any(|section| section.name == name) {
                    let names: Vec<&str> = sections::ALL.iter().map(|section| section.name).collect();
                    return Err(format!("no section {name}; there are: {}", names.join(", ")));
                }
                parsed.sections.push(name);
            }
            "--core" => {
                parsed.core = Some(value()?.parse().map_err(|_| "--core wants a number".to_string())?)
            }
            "--json" => parsed.json = Some(value()?),
            "--markdown" => parsed.markdown = Some(value()?),
            "--pages" => parsed.pages = Some(value()?),
            _ => return Err(format!("unknown argument {argument}")),
        }
    }
    Ok(parsed)
}

fn run() -> Result<(), String> {
    let arguments = arguments().map_err(|error| format!("{error}\n{USAGE}"))?;
    let core = clock::pin(arguments.core);
    let machine = Machine::look(core, arguments.quick);
    print!("{machine}");
    let mut bench = Bench::new(arguments.quick);
    for section in sections::ALL {
        if arguments.sections.is_empty() || arguments.sections.iter().any(|name| name == section.name) {
            bench.section(section);
        }
    }
    let named = |ending| arguments.pages.as_ref().map(|folder| format!("{folder}/{}.{ending}", machine.id));
    for path in arguments.json.iter().chain(&named("json")) {
        report::write_json(path, &machine, &bench)?;
    }
    for path in arguments.markdown.iter().chain(&named("md")) {
        report::write_markdown(path, &machine, &bench)?;
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("moduli-bench: {error}");
            ExitCode::FAILURE
        }
    }
}
