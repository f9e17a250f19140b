//! `moduli hdl`: compares the files of a core with their definitions, computed by another library.
//! Also expected results, programs and rejected options.

mod directories;
mod division;
mod expectations;
mod programs;
mod redundant;
mod refusals;
mod words;

use std::fs;

use num_bigint::BigUint;

use crate::support::{Directory, Run, moduli};

const P256: &str = "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff";

/// Runs the verb for a prime, a width, a number of channels and a method.
fn hdl(shape: [&str; 4], more: &[&str]) -> Run {
    let [prime, width, channels, inversion] = shape;
    let fixed = ["hdl", "--prime", prime, "--width", width, "--channels", channels, "--inversion", inversion];
    moduli(fixed.iter().chain(more))
}

fn number(hex: &str) -> BigUint {
    BigUint::parse_bytes(hex.as_bytes(), 16).unwrap()
}

/// A core as its files describe it.
struct Files {
    package: String,
    case: String,
    directory: String,
}

impl Files {
    fn write(directory: &Directory, name: &str, shape: [&str; 4], more: &[&str]) -> Self {
        let directory = directory.join(name);
        let run = hdl(shape, &[more, &["-o", &directory]].concat()).ok();
        assert_eq!(run.stdout, format!("{directory}\n"));
        Self::read(directory)
    }

    fn read(directory: String) -> Self {
        let read = |name: &str| fs::read_to_string(format!("{directory}/{name}")).unwrap();
        Self { package: read("moduli_rns_params_pkg.sv"), case: read("moduli_rns_rom_case.sv"), directory }
    }

    fn scalar(&self, name: &str) -> usize {
        let start = format!("parameter int {name} = ");
        let line = self.package.lines().find_map(|line| line.trim().strip_prefix(&start)).unwrap();
        line.strip_suffix(';').unwrap().parse().unwrap()
    }

    /// The elements of a vector in order.
    fn vector(&self, name: &str) -> Vec<BigUint> {
        let rest = self.package.split(&format!("] {name} = ")).nth(1).unwrap();
        let body = rest.split(';').next().unwrap();
        let mut elements: Vec<BigUint> =
            body.split("'h").skip(1).map(|part| number(part.split([',', '\n']).next().unwrap())).collect();
        elements.reverse();
        elements
    }

    fn memory(&self, name: &str) -> Vec<BigUint> {
        let text = fs::read_to_string(format!("{}/{name}.hex", self.directory)).unwrap();
        text.lines().map(number).collect()
    }

    /// The word at an address of a SystemVerilog table.
    fn case_word(&self, module: &str, channel: Option<usize>, address: usize) -> BigUint {
        let mut body = self.case.split(&format!("module moduli_rns_rom_{module}")).nth(1).unwrap();
        body = body.split("endmodule").next().unwrap();
        if let Some(channel) = channel {
            body = body.split(&format!("gen_channel_{channel}\n")).nth(1).unwrap();
        }
        // An array of constants, highest address first, or a `case`.
        if let Some(words) = body.split("Words = {\n").nth(1) {
            let words: Vec<&str> = words.split("\n    };").next().unwrap().lines().collect();
            let word = words.iter().rev().nth(address).unwrap();
            return number(word.split("'h").nth(1).unwrap().trim_end_matches(','));
        }
        body = body.split("endcase").next().unwrap();
        let label = format!("'d{address}: ");
        match body.lines().find(|line| line.contains(&label)) {
            Some(line) => number(line.split("'h").nth(1).unwrap().strip_suffix(';').unwrap()),
            None => BigUint::ZERO,
        }
    }
}
