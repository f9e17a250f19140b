//! Compares the programs that were recorded at two lengths.

use checkmem::{Access, Step, Trace};
use std::ops::Range;

use super::lift::{Symbol, Territory};

/// What was executed, and where each operand, constant, field or part of the stack memory was used. If this
/// is the same for two lengths of the modulus, a proof for one length holds for the other.
pub type Program = Vec<(u64, Vec<(usize, u64)>)>;

/// The program of a record.
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
