//! Whether what was recorded at two lengths is one program.

use checkmem::{Access, Step, Trace};
use std::ops::Range;

use super::lift::{Symbol, Territory};

/// What was executed, and where in which operand, constant, field or part of the stack memory was used: the same for two lengths
/// of the modulus, and what is proved of one holds of the other.
pub type Program = Vec<(u64, Vec<(usize, u64)>)>;

/// The program of what was recorded.
pub(crate) fn program(trace: &Trace, symbols: &[(&str, Symbol)], territory: &Territory) -> Program {
    let of_symbol =
        |(_, symbol): &(&str, Symbol)| symbol.address..symbol.address + 8 * symbol.words.len() as u64;
    let Territory { public, writable } = territory;
    let ranges: Vec<Range<u64>> =
        symbols.iter().map(of_symbol).chain(public.iter().chain(writable).cloned()).collect();
    let place = |access: &Access| match ranges.iter().position(|range| range.contains(&access.address)) {
        Some(number) => (number, access.address - ranges[number].start),
        None => (ranges.len(), access.address),
    };
    let step = |step: &Step| {
        let places = trace.accesses(step).iter().filter(|access| access.size > 0).map(place).collect();
        (trace.code[step.code as usize].instruction.ip(), places)
    };
    trace.steps.iter().map(step).collect()
}
