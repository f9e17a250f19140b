//! The expected results of a core for given operands, computed by the library's own inverter:
//! results, steps, and the state after every step.

use std::{
    fmt::Write as _,
    io::{self, Write},
    path::Path,
};

use moduli::Error;
use moduli_rns::{
    base::Base,
    channels::Residues,
    observe::{Action, ChannelObserver, InversionStep},
};

use super::core::{Core, Inverter};
use crate::{
    failure::Failure,
    io::{format::Format, input, lines::Lines, number, output::Output},
};

/// Counts steps and optionally records them.
struct Recorder<'a> {
    steps: u32,
    text: Option<String>,
    /// The count of an iteration of the inner loop: 1 for division steps.
    division: u32,
    /// The base and the inner form of 0, which is added if the library omits it: in the core, all
    /// values contain it.
    shift: Option<(&'a Base, &'a [u64])>,
}

impl ChannelObserver for Recorder<'_> {
    fn jump(&mut self, [f, g, d, e]: [&[u64]; 4]) {
        let Some(text) = &mut self.text else { return };
        // In the format of the plus-minus methods, where V3, V1, U3, U1 correspond to g, e, f, d.
        let _ = write!(text, "step {} jump u 0 v 0 small 0 0 0 0", self.steps);
        for (name, vector) in [("v3", g), ("v1", e), ("u3", f), ("u1", d)] {
            let _ = write!(text, " {name}");
            for residue in vector {
                let _ = write!(text, " {residue:x}");
            }
        }
        text.push('\n');
    }

    fn inner(&mut self) {
        self.steps += self.division;
    }

    fn step(&mut self, step: &InversionStep<'_>) {
        let action = match step.action {
            Action::Load => "load".to_owned(),
            Action::Divide { divisor } => format!("/{divisor}"),
            Action::PlusMinus { minus, divisor, swapped } => {
                format!("{}{}/{divisor}", if swapped { "x" } else { "" }, if minus { "-" } else { "+" })
            }
        };
        // Loading does not count as a step.
        self.steps += u32::from(step.action != Action::Load);
        let Some(text) = &mut self.text else { return };
        let ([u, v], [u1, v1, u3, v3]) = (step.counters, step.small);
        // Writing to a string cannot fail.
        let _ = write!(text, "step {} {action} u {u} v {v} small {v3} {v1} {u3} {u1}", self.steps);
        for (name, residues) in [("v3", step.v3), ("v1", step.v1), ("u3", step.u3), ("u1", step.u1)] {
            let _ = write!(text, " {name}");
            let mut residues = Residues::new(residues.to_vec());
            if let Some((base, shift)) = self.shift {
                base.channels().add(&mut residues, shift, &mut ());
            }
            for residue in residues.iter() {
                let _ = write!(text, " {residue:x}");
            }
        }
        text.push('\n');
    }
}

/// Reads operands, one per line, and writes the answers that the core must give.
pub fn run(core: &Core, operands: &Path, trace: bool, output: &Output) -> Result<(), Failure> {
    if output.is_json() {
        return Err(Failure::Usage("--expect prints lines, not JSON".to_owned()));
    }
    if trace && matches!(core.inverter, Inverter::Fermat(_)) {
        return Err(Failure::Usage("--trace requires a plus-minus method or division steps".to_owned()));
    }
    let offset = match &core.inverter {
        Inverter::PlusMinus(inverter) if !inverter.rules().affine() => {
            Some((inverter.base(), inverter.base().to_scaled_residues(inverter.offset())))
        }
        _ => None,
    };
    let division = u32::from(matches!(core.inverter, Inverter::DivisionSteps(_)));
    let shift = offset.as_ref().map(|(base, shift)| (*base, shift.as_slice()));
    let name = operands.display().to_string();
    let mut lines = Lines::new(&name, input::open(operands)?.0, Format::Hexadecimal);
    let mut out = io::BufWriter::new(io::stdout().lock());
    loop {
        let before = lines.lines();
        let block = lines.block()?;
        if block.is_empty() {
            return out.flush().map_err(|error| Failure::output(&error));
        }
        for (index, operand) in block.iter().enumerate() {
            let line = before + index + 1;
            let (value, bits) = (operand.magnitude(), core.prime.bits_vartime());
            if operand.is_negative() || value.bits_vartime() > bits {
                let reason = format!("not a number from 0 to 2^{bits} − 1, which the port takes");
                return Err(Failure::at_line(line, Error::parameter("operand", reason)));
            }
            let mut recorder = Recorder { steps: 0, text: trace.then(String::new), division, shift };
            let inverse = match &core.inverter {
                Inverter::Fermat(fermat) => {
                    recorder.steps = fermat.schedule().products() as u32;
                    fermat.invert(value)
                }
                Inverter::PlusMinus(inverter) => inverter.invert_observed_vartime(value, &mut recorder),
                Inverter::DivisionSteps(inverter) => inverter.invert_observed(value, &mut recorder),
            };
            let (result, error) = match inverse {
                Ok(inverse) => (number::hex(&inverse), 0),
                Err(Error::NotInvertible { .. }) => ("0".to_owned(), 1),
                // The check of the result has failed: P is composite.
                Err(Error::Parameter(_)) if matches!(core.inverter, Inverter::Fermat(_)) => {
                    ("0".to_owned(), 2)
                }
                Err(error) => return Err(Failure::at_line(line, error)),
            };
            let text = recorder.text.unwrap_or_default();
            writeln!(out, "{text}{result} {error} {}", recorder.steps)
                .map_err(|error| Failure::output(&error))?;
        }
    }
}
