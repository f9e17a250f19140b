//! The expected results of a program over resident residues, computed by the program's interpreter.

use std::{io::Write, path::Path};

use crypto_bigint::BoxedUint;
use moduli_rns::program::Assembled;

use crate::{
    failure::Failure,
    io::{input, number, output::Output},
};

/// The most bytes of operands.
const LONGEST: u64 = 1 << 24;

/// Reads the operands of one run per line, separated by blanks, and writes the results in the same
/// way. Random numbers are 1, because results do not depend on them.
pub fn run(program: &Assembled, path: &Path, output: &Output) -> Result<(), Failure> {
    if output.is_json() {
        return Err(Failure::Usage("--expect prints lines, not JSON".to_owned()));
    }
    let text = input::read(path, LONGEST)?;
    let text = std::str::from_utf8(&text).map_err(|_| Failure::about(path, "not text"))?;
    let random = vec![BoxedUint::one(); program.randoms()];
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for (index, line) in text.lines().enumerate() {
        let hex = |reason| Failure::at_line(index + 1, Failure::Wrong(reason));
        let words = line.split_whitespace().map(|word| number::parse(word).map_err(hex));
        let operands = words.collect::<Result<Vec<BoxedUint>, Failure>>()?;
        if operands.is_empty() {
            continue;
        }
        let results =
            program.run(&operands, &random, &mut ()).map_err(|error| Failure::at_line(index + 1, error))?;
        let words: Vec<String> = results.iter().map(number::hex).collect();
        writeln!(out, "{}", words.join(" ")).map_err(|error| Failure::output(&error))?;
    }
    out.flush().map_err(|error| Failure::output(&error))
}
