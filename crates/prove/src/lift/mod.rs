//! From a record of what was executed to integers with equations.
//!
//! What does not depend on a symbol is taken as it was recorded. Everything else needs a rule: `scalar.rs` and `vector.rs` have
//! them, and each result is compared with what was recorded. What an instruction reads and writes, its implicit operands
//! included, is what the decoder says.

mod bits;
mod calls;
mod comparison;
mod memory;
mod operands;
mod part;
mod products;
mod scalar;
mod vector;

use checkmem::{Access, Change, Registers, Step, Trace};
use iced_x86::{
    FlowControl, Formatter, Instruction, InstructionInfoFactory, IntelFormatter, Mnemonic, OpAccess,
    Register, RflagsBits,
};

use std::collections::{BTreeMap, HashMap};

pub use memory::Territory;
pub use part::{Known, LongCall, LongFunction, Part, Symbol};

use self::memory::Memory;
use crate::{
    failure::{Failure, Reason, Result},
    integers::Integers,
    system::{Id, Value},
};
use Value::{Constant, Variable};

/// A flag: 0 or 1, or not followed.
type Flag = Option<Value>;

/// rbx, rbp and r12 to r15: a function leaves them as they were.
const KEPT: [usize; 6] = [3, 5, 12, 13, 14, 15];

const CARRY: usize = 0;
const ZERO: usize = 3;
const OVERFLOW: usize = 5;

/// As the record has them, from the lowest bit on, and as the decoder calls them.
const FLAGS: [u32; 6] =
    [RflagsBits::CF, RflagsBits::PF, RflagsBits::AF, RflagsBits::ZF, RflagsBits::SF, RflagsBits::OF];

/// What a lifted trace comes to.
pub struct Lifted {
    /// All integers.
    pub integers: Integers,
    /// Instructions that were executed.
    pub instructions: usize,
    /// Those among them that symbols reached.
    pub symbolic: usize,
    /// These by their names, and how often each occurred.
    pub rules: BTreeMap<String, usize>,
    /// Functions of the system that were called.
    pub calls: BTreeMap<&'static str, usize>,
    /// Calls that were not followed: that they do what is said of them has to be proved.
    pub products: Vec<LongCall>,
    memory: Memory,
}

impl Lifted {
    /// The words at an address, as integers.
    ///
    /// # Errors
    /// If one of them is no symbolic word: a result that does not depend on its operands is none.
    pub fn words(&self, address: u64, count: usize) -> Result<Vec<Id>> {
        let word = |i| {
            let missing = || Failure::new(Reason::Unproven, format!("word {i} of the result was not made"));
            self.memory.word(address + 8 * i as u64).ok_or_else(missing)
        };
        (0..count).map(word).collect()
    }
}

/// The state between two instructions.
struct Lifter<'a> {
    trace: &'a Trace,
    known: Known<'a>,
    calls_of_products: Vec<LongCall>,
    integers: Integers,
    general: [Value; 16],
    vectors: [[Value; 8]; 32],
    flags: [Flag; 6],
    /// What the zero flag compares, where it is not followed otherwise.
    compared: Option<(Value, Value, u32)>,
    /// Bits that say whether two words are equal, and such bits together with a carry.
    equalities: HashMap<Id, (Value, Value, u32)>,
    conjunctions: HashMap<Id, (Value, Value, Value, u32)>,
    /// Words of which nothing is said by an equation, that are an exclusive disjunction of two.
    differing: HashMap<Id, (Value, Value)>,
    /// Registers that a call may have changed, a bit each.
    lost_general: u16,
    /// Of vectors the lower 16 bytes, and what is above them.
    lost_vectors: u32,
    lost_upper: u32,
    memory: Memory,
    /// What was recorded: after the instruction that is being lifted.
    recorded: Registers,
    /// Of that instruction.
    accesses: &'a [Access],
    information: InstructionInfoFactory,
    symbolic: usize,
    rules: HashMap<Mnemonic, usize>,
    calls: BTreeMap<&'static str, usize>,
}

/// Lifts a trace, with the symbols declared, each an input, in their order.
///
/// # Errors
/// For all reasons of [`Reason`] that name an instruction.
pub fn lift(trace: &Trace, symbols: &[Symbol], territory: Territory) -> Result<(Lifted, Vec<Vec<Id>>)> {
    let (steps, begin) = (0..trace.steps.len(), trace.begin.clone());
    lift_part(Part { trace, steps, begin, masks: &[], words: &[], known: &|_| None }, symbols, territory)
}

/// As [`lift`], a part of a trace. After the symbols come the bits that masks consist of, and words in registers.
///
/// # Errors
/// As [`lift`].
pub fn lift_part(part: Part<'_>, symbols: &[Symbol], territory: Territory) -> Result<(Lifted, Vec<Vec<Id>>)> {
    let Part { trace, steps, begin, masks, words, known } = part;
    let mut lifter = Lifter {
        trace,
        known,
        calls_of_products: Vec::new(),
        integers: Integers::default(),
        general: begin.general.map(|x| Constant(x.into())),
        vectors: begin.vectors.map(|words| words.map(|x| Constant(x.into()))),
        flags: [None; 6],
        compared: None,
        equalities: HashMap::new(),
        conjunctions: HashMap::new(),
        differing: HashMap::new(),
        lost_general: 0,
        // Nothing is handed over in these.
        lost_vectors: u32::MAX,
        lost_upper: u32::MAX,
        memory: Memory::new(territory),
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
            let id = match lifter.integers.input(0, u64::MAX.into(), word.into())? {
                Variable(id) => id,
                Constant(_) => continue,
            };
            lifter.memory.set_symbolic(symbol.address + 8 * i as u64, id);
            ids.push(id);
        }
        inputs.push(ids);
    }
    // What the caller wants to find as it was is symbolic, so that it is seen to be; rax, r10 and r11 hold anything.
    for number in KEPT.into_iter().chain([0, 10, 11]) {
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
        inputs.extend(match word {
            Variable(id) => Some(vec![id]),
            Constant(_) => None,
        });
    }
    let (mut number, mut instructions) = (steps.start, 0);
    while number < steps.end {
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
        take(&mut lifter).map_err(|failure| Failure {
            what: format!("{}, at `{}`, step {number}", failure.what, text(instruction)),
            ..failure
        })?;
        (number, instructions) = (next, instructions + 1);
    }
    // The return has taken its address off the stack.
    let top = Constant(i128::from(begin.general[4]) + 8);
    if KEPT.map(|number| lifter.general[number]) != kept || lifter.general[4] != top {
        return fail(Reason::ForeignWrite, "a register that the caller relies on");
    }
    let Lifter { integers, memory, symbolic, rules, calls, calls_of_products: products, .. } = lifter;
    let rules = rules.into_iter().map(|(name, count)| (format!("{name:?}").to_lowercase(), count)).collect();
    Ok((Lifted { integers, instructions, symbolic, rules, calls, products, memory }, inputs))
}

fn text(instruction: &Instruction) -> String {
    let mut out = String::new();
    IntelFormatter::new().format(instruction, &mut out);
    out
}

fn fail<T>(reason: Reason, what: &str) -> Result<T> {
    Err(Failure::new(reason, what))
}

/// What an instruction reads and writes, by the decoder.
struct Uses {
    reads: Vec<Register>,
    writes: Vec<Register>,
    addresses: Vec<Register>,
}

impl Lifter<'_> {
    fn uses(&mut self, instruction: &Instruction) -> Uses {
        let information = self.information.info(instruction);
        let mut uses = Uses { reads: Vec::new(), writes: Vec::new(), addresses: Vec::new() };
        for used in information.used_registers() {
            let (reads, writes) = match used.access() {
                OpAccess::Read | OpAccess::CondRead => (true, false),
                OpAccess::Write => (false, true),
                // What is written under a condition keeps something of what was there.
                OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite => (true, true),
                OpAccess::None | OpAccess::NoMemAccess => (false, false),
            };
            if reads {
                uses.reads.push(used.register());
            }
            if writes {
                uses.writes.push(used.register());
            }
        }
        // A register that is compared with itself is not looked at.
        let is_own_comparison = matches!(
            instruction.mnemonic(),
            Mnemonic::Pcmpeqb | Mnemonic::Pcmpeqw | Mnemonic::Pcmpeqd | Mnemonic::Pcmpeqq
        ) && instruction.op0_register() == instruction.op1_register();
        if is_own_comparison {
            uses.reads.clear();
        }
        for used in information.used_memory() {
            if used.access() != OpAccess::NoMemAccess {
                uses.addresses
                    .extend([used.base(), used.index()].iter().filter(|register| register.is_gpr()));
            }
        }
        uses
    }

    fn step(&mut self, step: &Step, instruction: &Instruction) -> Result<()> {
        let trace = self.trace;
        self.accesses = trace.accesses(step);
        self.recorded.flags = step.flags;
        for change in trace.changes(step) {
            match *change {
                Change::General(i, x) => self.recorded.general[i as usize] = x,
                Change::Vector(i, x) => self.recorded.vectors[i as usize] = x,
                Change::Mask(i, x) => self.recorded.masks[i as usize] = x,
            }
        }
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
        for access in self.accesses {
            if access.writes && !self.memory.is_writable(access.address, access.size) {
                return fail(Reason::ForeignWrite, &format!("{:#x}", access.address));
            }
        }
        // A lost register may be put on the stack, which aligns it: there it is as lost.
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
            if !self.scalar(instruction)? && !self.vector(instruction)? {
                return fail(Reason::NoRule, "");
            }
            self.compare(instruction, &uses)
        } else {
            self.take_over(instruction, &uses)
        }
    }

    /// Whether an instruction depends on any symbol; if not, that all it reads is known.
    fn is_symbolic(&mut self, instruction: &Instruction, uses: &Uses) -> Result<bool> {
        let mut symbolic = false;
        for &register in &uses.reads {
            symbolic |= self.is_symbolic_register(register)?;
        }
        for (i, flag) in FLAGS.iter().enumerate() {
            if instruction.rflags_read() & flag != 0 {
                if let (ZERO, None, Some((x, y, bits))) = (i, self.flags[i], self.compared) {
                    self.flags[ZERO] = Some(self.equal(x, y, bits)?);
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

    /// An instruction on what is known gives what was recorded.
    fn take_over(&mut self, instruction: &Instruction, uses: &Uses) -> Result<()> {
        for &register in &uses.writes {
            if register.is_gpr() {
                let value = self.recorded_register(register);
                self.write_register(register, Constant(value.into()))?;
            } else if register.is_vector_register() {
                self.take_over_vector(instruction, register)?;
            }
        }
        if instruction.rflags_modified() & RflagsBits::ZF != 0 {
            self.compared = None;
        }
        for (i, flag) in FLAGS.iter().enumerate() {
            if instruction.rflags_modified() & flag != 0 {
                let undefined = instruction.rflags_undefined() & flag != 0;
                let value = Constant((self.recorded.flags >> i & 1).into());
                self.flags[i] = (!undefined).then_some(value);
            }
        }
        for access in self.accesses {
            if access.writes {
                self.memory.set_known(access.address, access.size);
            }
        }
        Ok(())
    }
}
