//! Turns a record of what was executed into integers with equations.
//!
//! A value that does not depend on a symbol is taken as it was recorded. Every other value needs a rule of
//! these files, and each result is compared with the recorded one. The decoder says what an instruction reads
//! and writes, including its implicit operands.

mod bits;
mod calls;
mod comparison;
pub(crate) mod cut;
mod declared;
mod doubles;
mod halves;
pub(crate) mod held;
mod keeping;
mod lanes;
mod masks;
pub(crate) mod memory;
mod operands;
mod part;
mod permutations;
mod pieces;
pub(crate) mod products;
mod scalar;
mod signed;
mod signed_products;
mod skip;
mod uses;
mod vector;

use checkmem::{Access, Registers, Step, Trace};
use iced_x86::{
    FlowControl, Formatter, Instruction, InstructionInfoFactory, IntelFormatter, Mnemonic, Register,
    RflagsBits,
};
use std::collections::{BTreeMap, HashMap};

pub use declared::Declarations;
pub use memory::Territory;
pub use part::{
    Composed, Cut, CutRegisters, Known, Lifted, LongCall, LongFunction, Part, RegisterCut, Skip, Symbol,
};

use self::{held::Doubles, memory::Memory};
use crate::{
    failure::{Failure, Reason, Result},
    integers::Integers,
    system::{Id, Value},
};
use Value::{Constant, Variable};

/// The bits of a word, lowest first; bits that are not listed are 0.
type Bits = Vec<Value>;

/// A flag: 0 or 1; None if its value is not followed.
type Flag = Option<Value>;

/// rbx, rbp and r12 to r15, which a function must preserve.
const KEPT: [usize; 6] = [3, 5, 12, 13, 14, 15];

const CARRY: usize = 0;
const ZERO: usize = 3;
const SIGN: usize = 4;
const OVERFLOW: usize = 5;

/// The flags in the order of the record, from the lowest bit on, by their names in the decoder.
const FLAGS: [u32; 6] =
    [RflagsBits::CF, RflagsBits::PF, RflagsBits::AF, RflagsBits::ZF, RflagsBits::SF, RflagsBits::OF];

/// The state between two instructions.
struct Lifter<'a> {
    trace: &'a Trace,
    known: Known<'a>,
    calls_of_products: Vec<LongCall>,
    integers: Integers,
    general: [Value; 16],
    vectors: [[Value; 8]; 32],
    flags: [Flag; 6],
    /// The two words that the zero flag compares, where it is not followed otherwise. If the second is 0,
    /// the first gives the sign flag as well.
    compared: Option<(Value, Value, u32)>,
    /// The bits of mask registers.
    masks: [Bits; 8],
    /// The bits of words that are sums of bits. `conjunctions_of_words`: the words that a word is the
    /// conjunction of.
    words_of_bits: HashMap<Id, Bits>,
    /// Whether products have signed factors: see `signed_products.rs`.
    has_signed_products: bool,
    /// The values that doubles hold.
    doubles: Doubles,
    conjunctions_of_words: HashMap<Id, Vec<Value>>,
    /// For a mask made of the highest bit of a word, that word.
    words_of_signs: HashMap<Id, Value>,
    /// Registers that a call may have changed, one bit for each.
    lost_general: u16,
    lost_masks: u8,
    /// The same for the lower 16 bytes of vectors, and for the bytes above them.
    lost_vectors: u32,
    lost_upper: u32,
    memory: Memory,
    /// The recorded registers after the instruction that is being lifted.
    recorded: Registers,
    accesses: &'a [Access],
    information: InstructionInfoFactory,
    symbolic: usize,
    rules: HashMap<Mnemonic, usize>,
    calls: BTreeMap<&'static str, usize>,
}

/// Lifts a trace. Each declared symbol becomes an input, in the order of declaration.
///
/// # Errors
/// All reasons of [`Reason`] that name an instruction.
pub fn lift(trace: &Trace, symbols: &[Symbol], territory: Territory) -> Result<(Lifted, Vec<Vec<Id>>)> {
    lift_part(Part::whole(trace), symbols, territory)
}

/// Lifts a part of a trace as [`lift`] does, and each part after a cut separately. The inputs are the
/// symbols, then the bits of masks, then the words in registers.
///
/// # Errors
/// As [`lift`].
pub fn lift_part(part: Part<'_>, symbols: &[Symbol], territory: Territory) -> Result<(Lifted, Vec<Vec<Id>>)> {
    lift_declared(part, symbols, territory, |_| Ok(()))
}

/// As [`lift_part`], but words that are made of several integers, and doubles, can be declared too.
///
/// # Errors
/// As [`lift`].
pub fn lift_declared(
    part: Part<'_>,
    symbols: &[Symbol],
    territory: Territory,
    declare: impl FnOnce(&mut Declarations<'_>) -> Result<()>,
) -> Result<(Lifted, Vec<Vec<Id>>)> {
    let Part { trace, steps, begin, cuts, masks, words, known, register_cuts, skips, inside } = part;
    let mut lifter = Lifter {
        trace,
        known,
        calls_of_products: Vec::new(),
        integers: Integers::default(),
        general: begin.general.map(|x| Constant(x.into())),
        vectors: begin.vectors.map(|words| words.map(|x| Constant(x.into()))),
        flags: [None; 6],
        compared: None,
        masks: Default::default(),
        words_of_bits: HashMap::new(),
        has_signed_products: false,
        doubles: Doubles::default(),
        conjunctions_of_words: HashMap::new(),
        words_of_signs: HashMap::new(),
        lost_general: 0,
        // No arguments are passed in mask registers.
        lost_masks: u8::MAX,
        lost_vectors: u32::MAX,
        lost_upper: u32::MAX,
        memory: Memory::new(territory, memory::read_only()),
        recorded: begin.clone(),
        accesses: &[],
        information: InstructionInfoFactory::new(),
        symbolic: 0,
        rules: HashMap::new(),
        calls: BTreeMap::new(),
    };
    let mut inputs = Vec::new();
    for symbol in symbols {
        let mut ids = Vec::new();
        for (i, &word) in symbol.words.iter().enumerate() {
            let highest = symbol.highest.get(i).copied().unwrap_or(u64::MAX);
            let address = symbol.address + 8 * i as u64;
            if highest == 0 {
                if word != 0 {
                    return fail(Reason::WrongRule, "a word that can only be 0");
                }
                lifter.memory.set_known(address, 8);
                continue;
            }
            let id = match lifter.integers.input(0, highest.into(), word.into())? {
                Variable(id) => id,
                Constant(_) => continue,
            };
            lifter.memory.set_symbolic(address, id);
            ids.push(id);
        }
        inputs.push(ids);
    }
    let Lifter { integers, memory, doubles, has_signed_products, .. } = &mut lifter;
    declare(&mut Declarations { integers, memory, doubles, has_signed_products, inputs: &inputs })?;
    // Registers that the caller expects unchanged are symbolic, so that the proof shows that they are; rax,
    // r10 and r11 hold anything.
    let is_any = |number: &usize| match inside {
        Some(addresses) => *number != 4 && !addresses.contains(&begin.general[*number]),
        None => KEPT.contains(number) || [0, 10, 11].contains(number),
    };
    for number in (0..16).filter(is_any) {
        lifter.general[number] = lifter.integers.input(0, u64::MAX.into(), begin.general[number].into())?;
    }
    let kept = KEPT.map(|number| lifter.general[number]);
    for &number in masks {
        let bit = lifter.integers.input(0, 1, i128::from(begin.general[number] & 1))?;
        lifter.general[number] = lifter.integers.sum(0, &[(u64::MAX.into(), bit)])?;
        lifter.is_recorded(lifter.general[number], begin.general[number])?;
        inputs.extend(match bit {
            Variable(id) => Some(vec![id]),
            Constant(_) => None,
        });
    }
    for &number in words {
        let word = lifter.integers.input(0, u64::MAX.into(), begin.general[number].into())?;
        lifter.general[number] = word;
        if let Variable(id) = word {
            inputs.push(vec![id]);
        }
    }
    let mut parts = (Vec::new(), Vec::new());
    let (mut cut_registers, mut skipped) = (Vec::new(), Vec::new());
    let (mut number, mut instructions) = (steps.start, 0);
    while number < steps.end {
        for cut in register_cuts.iter().filter(|cut| cut.step == number) {
            cut_registers.push(lifter.cut_registers(cut)?);
        }
        for cut in cuts.iter().filter(|cut| cut.step == number) {
            let (before, after) = lifter.cut(number, cut)?;
            parts.0.push(before);
            parts.1.push(after);
        }
        if let Some(skip) = skips.get(skipped.len()).filter(|skip| skip.steps.start == number) {
            skipped.push(lifter.skip(skip)?);
            number = skip.steps.end;
            continue;
        }
        let step = &trace.steps[number];
        let instruction = &trace.code[step.code as usize].instruction;
        let mut next = number + 1;
        let mut take = |lifter: &mut Lifter<'_>| -> Result<()> {
            lifter.step(step, instruction)?;
            if trace.is_call(step) {
                next += lifter.long_call(number + 1)?.unwrap_or(0);
            }
            Ok(())
        };
        take(&mut lifter).map_err(|failure| failure.at(&text(instruction), number))?;
        (number, instructions) = (next, instructions + 1);
    }
    // The return has popped its address off the stack.
    let top = Constant(i128::from(begin.general[4]) + 8);
    let is_kept = KEPT.map(|number| lifter.general[number]) == kept && lifter.general[4] == top;
    if inside.is_none() && !is_kept {
        return fail(Reason::ForeignWrite, "a register that the caller relies on");
    }
    let Lifter {
        integers,
        memory,
        doubles,
        symbolic,
        rules,
        calls,
        calls_of_products: products,
        general: registers,
        ..
    } = lifter;
    let rules = rules.into_iter().map(|(name, count)| (format!("{name:?}").to_lowercase(), count)).collect();
    let (before, after) = parts;
    let lifted = Lifted {
        integers,
        instructions,
        symbolic,
        rules,
        calls,
        products,
        before,
        after,
        register_cuts: cut_registers,
        skipped,
        registers: registers.to_vec(),
        memory,
        doubles,
    };
    Ok((lifted, inputs))
}

fn text(instruction: &Instruction) -> String {
    let mut out = String::new();
    IntelFormatter::new().format(instruction, &mut out);
    out
}

fn fail<T>(reason: Reason, what: &str) -> Result<T> {
    Err(Failure::new(reason, what))
}

/// What an instruction reads and writes, according to the decoder.
struct Uses {
    reads: Vec<Register>,
    writes: Vec<Register>,
    addresses: Vec<Register>,
}

impl Lifter<'_> {
    fn step(&mut self, step: &Step, instruction: &Instruction) -> Result<()> {
        let trace = self.trace;
        self.accesses = trace.accesses(step);
        self.follow(step);
        use Mnemonic as M;
        if matches!(
            instruction.mnemonic(),
            M::Cpuid | M::Rdtsc | M::Rdtscp | M::Xgetbv | M::Rdrand | M::Rdseed | M::Rdpid | M::INVALID
        ) {
            return fail(Reason::NoRule, "it asks the machine");
        }
        let uses = self.uses(instruction);
        for &register in &uses.addresses {
            if matches!(self.read_register(register)?, Variable(_)) {
                return fail(Reason::SymbolicAddress, "");
            }
        }
        if let Some(call) = step.call {
            return self.call(call.name, call.arguments);
        }
        self.check_listed(trace.changes(step), &uses)?;
        if instruction.mnemonic() == M::Vzeroupper {
            self.clear_upper();
            return Ok(());
        }
        for access in self.accesses {
            if access.writes && !self.memory.is_writable(access.address, access.size) {
                return fail(Reason::ForeignWrite, &format!("{:#x}", access.address));
            }
        }
        // A lost register may be pushed to align the stack. The pushed word is then lost as well.
        if instruction.mnemonic() == M::Push && self.is_lost(instruction.op0_register()) {
            self.general[4] = Constant(self.recorded.general[4].into());
            self.memory.forget(self.recorded.general[4], 8);
            return Ok(());
        }
        if self.is_symbolic(instruction, &uses)? {
            if instruction.flow_control() != FlowControl::Next {
                return fail(Reason::SymbolicBranch, "");
            }
            self.symbolic += 1;
            *self.rules.entry(instruction.mnemonic()).or_default() += 1;
            let is_lifted = self.on_signed_products(instruction)?
                || self.on_doubles(instruction)?
                || self.on_masks(instruction)?
                || self.on_signed_words(instruction)?
                || self.on_pieces(instruction)?
                || self.scalar(instruction)?
                || self.vector(instruction)?
                || self.on_lanes(instruction)?
                || self.on_kept_words(instruction)?
                || self.on_places(instruction)?
                || self.on_parts_of_lanes(instruction)?;
            if !is_lifted {
                return fail(Reason::NoRule, "");
            }
            self.compare(instruction, &uses)
        } else {
            self.take_over(instruction, &uses)
        }
    }

    /// Whether an instruction depends on any symbol. If it does not, everything that it reads has to be
    /// known.
    fn is_symbolic(&mut self, instruction: &Instruction, uses: &Uses) -> Result<bool> {
        let mut symbolic = false;
        for &register in &uses.reads {
            symbolic |= self.is_symbolic_register(register)?;
        }
        for (i, flag) in FLAGS.iter().enumerate() {
            if instruction.rflags_read() & flag != 0 {
                if let (ZERO, None, Some((x, y, bits))) = (i, self.flags[i], self.compared) {
                    self.flags[ZERO] = Some(self.integers.equal(x, y, bits)?);
                }
                if let (SIGN, None, Some((x, Constant(0), bits))) = (i, self.flags[i], self.compared) {
                    self.flags[SIGN] = Some(self.highest_bit(x, bits)?);
                }
                match self.flags[i] {
                    None => return fail(Reason::UnfollowedFlag, ""),
                    Some(value) => symbolic |= matches!(value, Variable(_)),
                }
            }
        }
        for access in self.accesses {
            if !access.reads {
                continue;
            }
            if self.memory.is_symbolic(access.address, access.size) {
                symbolic = true;
            } else if !self.memory.is_known(access.address, access.size) {
                return fail(
                    Reason::UndeclaredRead,
                    &format!("{} bytes at {:#x}", access.size, access.address),
                );
            }
        }
        Ok(symbolic)
    }
}
