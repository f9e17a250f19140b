//! Records an inversion, and finds the jumps and updates in it.

use checkmem::{Registers, Trace};
use moduli_kernel::{Arithmetic, KernelChoice};
use std::{collections::HashMap, hint::black_box, ops::Range};
use testing::Random;

use crate::{
    failure::{Failure, Reason, Result},
    specification::inversion::lower_digits,
    subject::{LIMIT, modulus, number},
};

/// The limbs of the modulus for which a jump is proved. The code is the same for all moduli.
pub const LIMBS_OF_JUMPS: usize = 4;

/// A function that updates two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    /// The update of f and g.
    Exact,
    /// The update of d and e.
    Modular,
}

/// A call of an update.
#[derive(Clone, Debug)]
pub struct Call {
    /// The update.
    pub update: Update,
    /// The steps of the call, including its return.
    pub steps: Range<usize>,
    /// The registers at its beginning.
    pub begin: Registers,
}

impl Call {
    /// The addresses of both numbers, and how many digits they have.
    pub fn numbers(&self) -> ([u64; 2], usize) {
        ([self.begin.general[7], self.begin.general[2]], self.begin.general[6] as usize)
    }

    /// The address of the words of the matrix: u, v, q and r.
    pub fn matrix(&self) -> u64 {
        self.begin.general[8]
    }
}

/// The record of an inversion: all of it, or the beginning.
pub struct Recording {
    /// The trace.
    pub trace: Trace,
    /// Limbs of the modulus.
    pub limbs: usize,
    /// The updates, in their order.
    pub calls: Vec<Call>,
    /// The upper end of the stack frame of the function that inverts.
    pub frame: u64,
}

pub(super) fn fail<T>(what: &str) -> Result<T> {
    Err(Failure::new(Reason::NoTrace, what))
}

/// A walk through a trace that keeps the registers.
pub(super) struct Walk<'a> {
    trace: &'a Trace,
    pub(super) registers: Registers,
    pub(super) step: usize,
}

impl<'a> Walk<'a> {
    pub(super) fn new(trace: &'a Trace) -> Self {
        Self { trace, registers: trace.begin.clone(), step: 0 }
    }

    /// Walks to a step. The registers are then those before it.
    pub(super) fn to(&mut self, step: usize) {
        for taken in &self.trace.steps[self.step..step] {
            self.trace.follow(&mut self.registers, taken);
        }
        self.step = step;
    }
}

/// Records an inversion modulo a number of `limbs` limbs, to its end or for a few jumps. `seed` picks the
/// value.
///
/// # Errors
/// If the interpreter stops, or the updates are not separate functions.
pub fn record(limbs: usize, is_whole: bool, seed: u64) -> Result<Recording> {
    let mut random = Random(seed);
    let n = modulus(&mut Random(0), 64 * limbs);
    let value = number(&mut random, limbs, 64 * limbs - 1);
    let Ok(arithmetic) = Arithmetic::new(&n, KernelChoice::PORTABLE) else {
        return fail("there is no such modulus");
    };
    // This is enough for a few jumps and updates, and for what comes before.
    let limit = if is_whole { LIMIT } else { 10_000 + 300 * lower_digits(limbs) as u64 };
    let (report, trace) = checkmem::record(limit, || {
        checkmem::start_recording();
        let inverse = black_box(&arithmetic).invert(&value);
        checkmem::stop_recording();
        black_box(inverse);
    });
    if is_whole {
        report.ended.map_err(|why| Failure::new(Reason::NoTrace, why))?;
    }
    let mut known: HashMap<u64, Option<Update>> = HashMap::new();
    let look = |address: u64| match &*checkmem::function_at(address + 1) {
        "moduli_kernel::inverse::update::exact" => Some(Update::Exact),
        "moduli_kernel::inverse::update::modular" => Some(Update::Modular),
        _ => None,
    };
    let (mut calls, mut walk) = (Vec::new(), Walk::new(&trace));
    for (number, step) in trace.steps.iter().enumerate() {
        let Some(first) = trace.steps.get(number + 1).filter(|_| trace.is_call(step)) else { continue };
        let address = trace.code[first.code as usize].instruction.ip();
        let Some(update) = *known.entry(address).or_insert_with(|| look(address)) else { continue };
        let Some(length) = trace.steps_of_function(number + 1) else { break };
        walk.to(number + 1);
        calls.push(Call { update, steps: number + 1..number + 1 + length, begin: walk.registers.clone() });
    }
    if calls.len() < 2 {
        return fail("the updates of an inversion are no functions of their own");
    }
    let frame = trace.begin.general[4];
    Ok(Recording { trace, limbs, calls, frame })
}

impl Recording {
    /// The words that some steps read, with their first values.
    pub fn words_read(&self, steps: Range<usize>) -> HashMap<u64, u64> {
        let mut words = HashMap::new();
        for access in self.trace.steps[steps].iter().flat_map(|step| self.trace.accesses(step)) {
            if let (true, Ok(word)) = (access.reads, self.trace.before(access).try_into()) {
                words.entry(access.address).or_insert_with(|| u64::from_le_bytes(word));
            }
        }
        words
    }

    /// The words that some steps write, with their last values.
    pub fn words_written(&self, steps: Range<usize>) -> HashMap<u64, u64> {
        let mut words = HashMap::new();
        for access in self.trace.steps[steps].iter().flat_map(|step| self.trace.accesses(step)) {
            if access.writes {
                let (written, _) = self.trace.after(access).as_chunks();
                let places = (access.address..).step_by(8);
                words.extend(places.zip(written.iter().map(|&word| u64::from_le_bytes(word))));
            }
        }
        words
    }
}
