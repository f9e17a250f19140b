//! Finds the jumps of an inversion in its trace, and where their steps end.
//!
//! A step ends where all five numbers that it leaves are in registers. A reference computes these numbers for
//! the recorded words. If a place or a register is found wrongly, the proof fails.

use iced_x86::{InstructionInfoFactory, OpAccess};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use super::record::{Call, Recording, Update, Walk, fail};
use crate::{
    failure::Result,
    specification::inversion::{HALF, STEPS},
};

/// The number of the stack pointer among the registers.
const STACK_POINTER: usize = 4;

/// The code's words after some steps.
#[derive(Clone, Copy, Debug)]
struct Reference {
    zeta: i64,
    f: i64,
    g: i64,
    /// The rows of f and g.
    rows: [[i64; 2]; 2],
    /// Half of the row of f.
    half: [i64; 2],
}

fn packed([low, high]: [i64; 2]) -> i64 {
    low.wrapping_add(high.wrapping_shl(32))
}

impl Reference {
    fn new(zeta: i64, f: i64, g: i64) -> Self {
        Self { zeta, f, g, rows: [[1, 0], [0, 1]], half: [0, 0] }
    }

    /// Performs a division step.
    fn step(&mut self) {
        let [of_f, of_g] = self.rows;
        let (c, swaps) = match (self.g & 1, self.zeta < 0) {
            (0, _) => (0, false),
            (_, true) => (-1, true),
            (_, false) => (1, false),
        };
        let g = self.g.wrapping_add(self.f.wrapping_mul(c)) >> 1;
        self.rows[1] = [of_g[0] + c * of_f[0], of_g[1] + c * of_f[1]];
        self.half = if swaps { of_g } else { of_f };
        self.rows[0] = self.half.map(|x| 2 * x);
        if swaps {
            self.f = self.g;
        }
        self.zeta = if swaps { -2 - self.zeta } else { self.zeta - 1 };
        self.g = g;
    }

    /// The words in registers: ζ, f, g, the row of f (half or whole), and the row of g.
    fn words(&self) -> [Vec<u64>; 5] {
        let words = [self.zeta, self.f, self.g].map(|x| vec![x as u64]);
        let [zeta, f, g] = words;
        [
            zeta,
            f,
            g,
            [packed(self.half), packed(self.rows[0])].map(|x| x as u64).to_vec(),
            vec![packed(self.rows[1]) as u64],
        ]
    }
}

/// All words after each step, from the words before the first. The rows restart with the second half.
fn reference(zeta: i64, f: i64, g: i64) -> Vec<Reference> {
    let mut state = Reference::new(zeta, f, g);
    let mut states = Vec::new();
    for i in 0..STEPS {
        if i == HALF {
            state = Reference::new(state.zeta, state.f, state.g);
        }
        state.step();
        states.push(state);
    }
    states
}

/// ζ after a jump.
fn after(zeta: i64, f: i64, g: i64) -> i64 {
    reference(zeta, f, g).last().map_or(zeta, |state| state.zeta)
}

/// A jump: its steps, the words of f and g with which it begins, and ζ.
struct Place {
    steps: Range<usize>,
    words: [u64; 2],
    zeta: i64,
}

/// A place where a step ends, and the registers that then hold its numbers.
#[derive(Clone, Debug)]
pub struct End {
    /// The step of the trace before which this is.
    pub step: usize,
    /// ζ, f, g, the row of f and the row of g.
    pub registers: [usize; 5],
    /// Whether the register holds half of the row of f.
    pub is_half: bool,
}

/// The places of a jump.
#[derive(Clone, Debug)]
pub struct Ends {
    /// Its steps in the trace.
    pub steps: Range<usize>,
    /// The register of ζ, before and afterwards.
    pub of_zeta: usize,
    /// Where each division step ends.
    pub ends: Vec<End>,
}

impl Recording {
    /// Finds the second jump. Before the first one the code does other things with the same words.
    ///
    /// # Errors
    /// If it is not found, or the jumps differ.
    pub fn find_jump(&self) -> Result<Ends> {
        let places = self.places()?;
        let of_zeta = self.register_of_zeta(&places)?;
        let Some(place) = places.first() else { return fail("there is no second jump") };
        let ends = self.ends(place)?;
        // ζ up to the next jump, without the updates, which do not change it.
        let next = places.get(1).map_or(place.steps.end, |next| next.steps.start);
        let is_called = |step: &usize| self.calls.iter().any(|call| call.steps.contains(step));
        if (place.steps.end..next).filter(|step| !is_called(step)).any(|step| self.writes(step, of_zeta)) {
            return fail("ζ does not stay in its register");
        }
        Ok(Ends { steps: place.steps.clone(), of_zeta, ends })
    }

    /// Whether a step reads (or writes) at an address.
    fn touches(&self, step: usize, writes: bool, is_there: &dyn Fn(u64) -> bool) -> bool {
        let accesses = self.trace.accesses(&self.trace.steps[step]);
        accesses.iter().any(|access| access.writes == writes && is_there(access.address))
    }

    /// The last step that stores a word of a matrix.
    pub(super) fn last_store(&self, steps: Range<usize>, matrix: u64) -> Option<usize> {
        steps.rev().find(|&step| self.touches(step, true, &|at| (matrix..matrix + 32).contains(&at)))
    }

    /// The general registers whose values from before the first step are read.
    pub(super) fn registers_read(&self, steps: Range<usize>) -> BTreeSet<usize> {
        let mut information = InstructionInfoFactory::new();
        let (mut read, mut written) = (BTreeSet::new(), BTreeSet::new());
        for step in &self.trace.steps[steps] {
            let used = information.info(&self.trace.code[step.code as usize].instruction).used_registers();
            let of = |is_wanted: fn(OpAccess) -> bool| {
                let registers =
                    used.iter().filter(move |used| is_wanted(used.access()) && used.register().is_gpr());
                registers.map(|used| used.register().full_register().number()).collect::<Vec<_>>()
            };
            read.extend(of(|access| access != OpAccess::Write).into_iter().filter(|i| !written.contains(i)));
            written.extend(of(|access| matches!(access, OpAccess::Write | OpAccess::ReadWrite)));
        }
        read
    }

    fn writes(&self, step: usize, register: usize) -> bool {
        let instruction = &self.trace.code[self.trace.steps[step].code as usize].instruction;
        InstructionInfoFactory::new().info(instruction).used_registers().iter().any(|used| {
            let is_read =
                matches!(used.access(), OpAccess::Read | OpAccess::CondRead | OpAccess::NoMemAccess);
            !is_read && used.register().is_gpr() && used.register().full_register().number() == register
        })
    }

    /// All jumps except the first one, before which the code does other things with the same words.
    fn places(&self) -> Result<Vec<Place>> {
        let of = |update: Update| self.calls.iter().filter(move |call| call.update == update);
        let (mut zeta, mut places) = (-1, Vec::new());
        for (i, (before, next)) in of(Update::Exact).zip(of(Update::Modular).skip(1)).enumerate() {
            let ((numbers, _), matrix) = (before.numbers(), next.matrix());
            let is_first = |call: &Call| (call.numbers(), call.matrix()) == (before.numbers(), matrix);
            if !of(Update::Exact).all(is_first) || of(Update::Modular).any(|call| call.matrix() != matrix) {
                return fail("updates that are not of one matrix, or not of the same numbers");
            }
            if i == 0 {
                let words = self.words_read(before.steps.clone());
                let [f, g] = numbers.map(|at| words.get(&at).copied().unwrap_or_default() as i64);
                zeta = after(zeta, f, g);
            }
            let between = before.steps.end..next.steps.start - 1;
            let start = between.clone().find(|&step| self.touches(step, false, &|at| numbers.contains(&at)));
            let (Some(start), Some(end)) = (start, self.last_store(between, matrix)) else {
                return fail("a jump reads no digit, or leaves no matrix");
            };
            let steps = start..end + 1;
            let words = self.words_read(steps.clone());
            let words = numbers.map(|at| words.get(&at).copied().unwrap_or_default());
            places.push(Place { steps, words, zeta });
            zeta = after(zeta, words[0] as i64, words[1] as i64);
        }
        let code = |steps: Range<usize>| self.trace.steps[steps].iter().map(|step| step.code);
        let is_same = |places: &[Place]| code(places[0].steps.clone()).eq(code(places[1].steps.clone()));
        if !places.windows(2).all(is_same) {
            return fail("jumps by other instructions");
        }
        // The first jump ends with the first update.
        if let (Some(place), Some(call)) = (places.first(), of(Update::Modular).next()) {
            let end = self.last_store(0..call.steps.start - 1, call.matrix()).unwrap_or_default() + 1;
            let start = end.saturating_sub(place.steps.len());
            if !code(start..end).eq(code(place.steps.clone())) {
                return fail("a first jump by other instructions");
            }
        }
        Ok(places)
    }

    /// The one register that holds ζ at the beginning of all jumps.
    fn register_of_zeta(&self, places: &[Place]) -> Result<usize> {
        let mut walk = Walk::new(&self.trace);
        let mut registers: BTreeSet<usize> = (0..16).filter(|&i| i != STACK_POINTER).collect();
        for place in places {
            walk.to(place.steps.start);
            registers.retain(|&i| walk.registers.general[i] == place.zeta as u64);
        }
        match registers.into_iter().collect::<Vec<_>>()[..] {
            [register] => Ok(register),
            _ => fail("which register holds ζ is not clear"),
        }
    }

    /// The end of each step.
    fn ends(&self, place: &Place) -> Result<Vec<End>> {
        let states = reference(place.zeta, place.words[0] as i64, place.words[1] as i64);
        let mut walk = Walk::new(&self.trace);
        // For each step: the place, the address of the instruction, and the registers that hold each number,
        // where half of a row and a whole row are distinguished.
        let mut found: Vec<(usize, u64, [BTreeSet<usize>; 6])> = Vec::new();
        for number in place.steps.clone() {
            let Some(state) = states.get(found.len()) else { break };
            walk.to(number);
            let holding = |word: u64| -> BTreeSet<usize> {
                (0..16).filter(|&i| i != STACK_POINTER && walk.registers.general[i] == word).collect()
            };
            let [zeta, f, g, rows, last] = state.words();
            let sets = [
                holding(zeta[0]),
                holding(f[0]),
                holding(g[0]),
                holding(last[0]),
                holding(rows[0]),
                holding(rows[1]),
            ];
            if sets[..4].iter().all(|set| !set.is_empty()) && !(sets[4].is_empty() && sets[5].is_empty()) {
                let code = &self.trace.code[self.trace.steps[number].code as usize];
                found.push((number, code.instruction.ip(), sets));
            }
        }
        if found.len() < STEPS {
            return fail("where a division step ends is not found");
        }
        // Steps that end at the same instruction use the same registers.
        let mut common: BTreeMap<u64, [BTreeSet<usize>; 6]> = BTreeMap::new();
        for (_, ip, sets) in &found {
            let all = common.entry(*ip).or_insert_with(|| sets.clone());
            for (all, set) in all.iter_mut().zip(sets) {
                all.retain(|register| set.contains(register));
            }
        }
        let mut ends = Vec::new();
        for (step, ip, _) in found {
            let sets = &common[&ip];
            let is_half = !sets[4].is_empty();
            let row = if is_half { &sets[4] } else { &sets[5] };
            let registers = [&sets[0], &sets[1], &sets[2], row, &sets[3]].map(|set| set.first().copied());
            let [Some(a), Some(b), Some(c), Some(d), Some(e)] = registers else {
                return fail("steps that end at one instruction are held by several registers");
            };
            if BTreeSet::from([a, b, c, d, e]).len() < 5 {
                return fail("a register that holds two numbers");
            }
            ends.push(End { step, registers: [a, b, c, d, e], is_half });
        }
        Ok(ends)
    }
}
