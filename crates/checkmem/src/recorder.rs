//! A record of the code executed between two requests: each instruction with its bytes, the registers that it
//! changed, and the memory that it accessed, before and after.
//!
//! The record combines the decoder's information about an instruction (the memory it accesses, including
//! implicit operands) with the effect of the interpreter (the registers that changed). A reader of the record
//! can compare the two.

use iced_x86::{FlowControl, Instruction, InstructionInfoFactory, OpAccess, Register};
use std::{collections::HashMap, ops::Range};

use super::state::State;

/// The values of all registers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Registers {
    /// rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 … r15.
    pub general: [u64; 16],
    /// One bit each: 1 carry, 2 parity, 4 adjust, 8 zero, 16 sign, 32 overflow.
    pub flags: u8,
    /// The words of each register, lowest first.
    pub vectors: [[u64; 8]; 32],
    /// k0 … k7.
    pub masks: [u64; 8],
}

/// A register that an instruction changed, and its value afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// A general register, by its number.
    General(u8, u64),
    /// A vector register, by its number.
    Vector(u8, [u64; 8]),
    /// A mask register, by its number.
    Mask(u8, u64),
}

/// Memory that an instruction or a system function accessed.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// The start address.
    pub address: u64,
    /// The number of bytes.
    pub size: usize,
    /// Whether it can have been read.
    pub reads: bool,
    /// Whether it can have been written.
    pub writes: bool,
    /// The position of its bytes in those of the trace.
    at: usize,
}

/// A call of a system function, with its first three arguments.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The name of the function.
    pub name: &'static str,
    /// Its first three arguments.
    pub arguments: [u64; 3],
}

/// An instruction and its bytes.
#[derive(Clone, Debug)]
pub struct Code {
    /// The decoded instruction.
    pub instruction: Instruction,
    /// Its bytes in memory.
    pub bytes: Vec<u8>,
}

/// One executed instruction.
#[derive(Clone, Debug)]
pub struct Step {
    /// The index in [`Trace::code`].
    pub code: u32,
    /// The system function that it called.
    pub call: Option<Call>,
    /// All flags after the step, as in [`Registers`].
    pub flags: u8,
    changes: Range<u32>,
    accesses: Range<u32>,
}

/// Everything executed between two requests.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// The registers at the start.
    pub begin: Registers,
    /// The distinct instructions.
    pub code: Vec<Code>,
    /// The executed instructions, in order.
    pub steps: Vec<Step>,
    changes: Vec<Change>,
    accesses: Vec<Access>,
    bytes: Vec<u8>,
}

impl Trace {
    /// Whether a step calls another function of the program.
    pub fn is_call(&self, step: &Step) -> bool {
        let kind = self.code[step.code as usize].instruction.flow_control();
        step.call.is_none() && matches!(kind, FlowControl::Call | FlowControl::IndirectCall)
    }

    /// The number of steps of a function, from its first step to its return. None if the record does not
    /// contain the return.
    pub fn steps_of_function(&self, first: usize) -> Option<usize> {
        let mut depth = 0usize;
        let last = self.steps[first..].iter().position(|step| {
            let kind = self.code[step.code as usize].instruction.flow_control();
            depth += usize::from(self.is_call(step));
            // A system function that is entered by a jump returns to the caller.
            let returns = match step.call {
                Some(_) => matches!(kind, FlowControl::UnconditionalBranch | FlowControl::IndirectBranch),
                None => kind == FlowControl::Return,
            };
            let is_last = returns && depth == 0;
            depth -= usize::from(returns && !is_last);
            is_last
        })?;
        Some(last + 1)
    }

    /// The steps inside called functions.
    pub fn steps_in_calls(&self) -> Vec<&Step> {
        let (mut number, mut found) = (0, Vec::new());
        while let Some(step) = self.steps.get(number) {
            number += 1;
            if self.is_call(step) {
                let length = self.steps_of_function(number).unwrap_or(0);
                found.extend(&self.steps[number..number + length]);
                number += length;
            }
        }
        found
    }

    /// The record of the first called function, up to its return. None if there is no call, or no return.
    pub fn first_call(mut self) -> Option<Self> {
        let first = self.steps.iter().position(|step| self.is_call(step))? + 1;
        let length = self.steps_of_function(first)?;
        let mut begin = self.begin.clone();
        self.steps[..first].iter().for_each(|step| self.follow(&mut begin, step));
        self.begin = begin;
        self.steps.truncate(first + length);
        self.steps.drain(..first);
        Some(self)
    }

    /// The registers that a step changed.
    pub fn changes(&self, step: &Step) -> &[Change] {
        &self.changes[step.changes.start as usize..step.changes.end as usize]
    }

    /// Updates registers from their state before a step to that after it.
    pub fn follow(&self, registers: &mut Registers, step: &Step) {
        registers.flags = step.flags;
        for change in self.changes(step) {
            match *change {
                Change::General(i, x) => registers.general[i as usize] = x,
                Change::Vector(i, x) => registers.vectors[i as usize] = x,
                Change::Mask(i, x) => registers.masks[i as usize] = x,
            }
        }
    }

    /// The memory that a step accessed.
    pub fn accesses(&self, step: &Step) -> &[Access] {
        &self.accesses[step.accesses.start as usize..step.accesses.end as usize]
    }

    /// The bytes before the access.
    pub fn before(&self, access: &Access) -> &[u8] {
        &self.bytes[access.at..access.at + access.size]
    }

    /// The bytes after the access.
    pub fn after(&self, access: &Access) -> &[u8] {
        &self.bytes[access.at + access.size..access.at + 2 * access.size]
    }
}

/// The state of a recording in progress.
pub(crate) struct Recorder {
    pub(crate) trace: Trace,
    pub(crate) is_on: bool,
    last: Registers,
    known: HashMap<u64, u32>,
    information: InstructionInfoFactory,
    call: Option<Call>,
    pending: usize,
}

/// The values of the registers, without their marks.
fn values(state: &State) -> Registers {
    Registers {
        general: state.general.map(|x| x.value),
        flags: state.flags.value,
        vectors: state.vectors.map(|x| x.words),
        masks: state.masks,
    }
}

/// Appends the bytes at an address.
fn copy(to: &mut Vec<u8>, address: u64, size: usize) {
    let old = to.len();
    to.resize(old + size, 0);
    // SAFETY: the program that is run reads or writes here.
    unsafe { core::ptr::copy_nonoverlapping(address as *const u8, to[old..].as_mut_ptr(), size) };
}

/// Appends the bytes that an instruction accesses. Lanes that its mask excludes count as zero, and their
/// memory need not exist.
fn copy_used(to: &mut Vec<u8>, instruction: &Instruction, masks: [u64; 8], address: u64, size: usize) {
    let mask = instruction.op_mask();
    let element = instruction.memory_size().element_size();
    if mask == Register::None || element == 0 || element >= size {
        return copy(to, address, size);
    }
    let bits = masks[mask.number()];
    for i in 0..size / element {
        if bits >> i & 1 == 1 {
            copy(to, address + (i * element) as u64, element);
        } else {
            to.extend(std::iter::repeat_n(0, element));
        }
    }
}

impl Recorder {
    pub(crate) fn new() -> Self {
        Self {
            trace: Trace::default(),
            is_on: false,
            last: Registers::default(),
            known: HashMap::new(),
            information: InstructionInfoFactory::new(),
            call: None,
            pending: 0,
        }
    }

    /// Starts with the next instruction.
    pub(crate) fn start(&mut self, state: &State) {
        self.trace = Trace { begin: values(state), ..Trace::default() };
        self.last = self.trace.begin.clone();
        self.known.clear();
        self.is_on = true;
    }

    /// Stops before the current instruction.
    pub(crate) fn stop(&mut self) {
        self.is_on = false;
        self.trace.accesses.truncate(self.pending);
    }

    /// Records the memory that an instruction is about to access. `thread` is the base of the segment fs.
    pub(crate) fn before(&mut self, instruction: &Instruction, state: &State, thread: u64) {
        self.pending = self.trace.accesses.len();
        self.call = None;
        let value = |register: Register, _: usize, _: usize| match register {
            Register::FS => Some(thread),
            _ if register.is_segment_register() => Some(0),
            _ if register.is_gpr() => Some(state.read(register).value),
            _ => None,
        };
        // For an instruction with a repeat prefix, the decoder does not know the size.
        let repeated = (instruction.is_string_instruction() && instruction.has_rep_prefix())
            .then(|| state.general[1].value as usize * instruction.memory_size().size());
        for used in self.information.info(instruction).used_memory() {
            let (reads, writes) = match used.access() {
                OpAccess::Read | OpAccess::CondRead => (true, false),
                OpAccess::Write | OpAccess::CondWrite => (false, true),
                OpAccess::ReadWrite | OpAccess::ReadCondWrite => (true, true),
                OpAccess::None | OpAccess::NoMemAccess => continue,
            };
            // Gathers have no single address; they are not interpreted.
            let Some(address) = used.virtual_address(0, value) else { continue };
            let size = repeated.unwrap_or(used.memory_size().size());
            self.trace.accesses.push(Access { address, size, reads, writes, at: self.trace.bytes.len() });
            copy_used(&mut self.trace.bytes, instruction, state.masks, address, size);
        }
    }

    /// Records a call of a system function, before the call.
    pub(crate) fn call(&mut self, name: &'static str, arguments: [u64; 3]) {
        let [to, from, length] = arguments;
        self.call = Some(Call { name, arguments });
        let size = length as usize;
        match name {
            "memcpy" | "memmove" => {
                for (address, reads) in [(from, true), (to, false)] {
                    let at = self.trace.bytes.len();
                    self.trace.accesses.push(Access { address, size, reads, writes: !reads, at });
                    copy(&mut self.trace.bytes, address, size);
                }
            }
            "memset" => {
                let at = self.trace.bytes.len();
                self.trace.accesses.push(Access { address: to, size, reads: false, writes: true, at });
                copy(&mut self.trace.bytes, to, size);
            }
            _ => {}
        }
    }

    /// Records the effects of an instruction.
    pub(crate) fn after(&mut self, instruction: &Instruction, state: &State) {
        let trace = &mut self.trace;
        let changes = trace.changes.len() as u32;
        for (i, (x, last)) in state.general.iter().zip(&mut self.last.general).enumerate() {
            if x.value != *last {
                *last = x.value;
                trace.changes.push(Change::General(i as u8, x.value));
            }
        }
        for (i, (x, last)) in state.vectors.iter().zip(&mut self.last.vectors).enumerate() {
            if x.words != *last {
                *last = x.words;
                trace.changes.push(Change::Vector(i as u8, x.words));
            }
        }
        for (i, (&x, last)) in state.masks.iter().zip(&mut self.last.masks).enumerate() {
            if x != *last {
                *last = x;
                trace.changes.push(Change::Mask(i as u8, x));
            }
        }
        // The bytes of all accesses are consecutive: first those of all accesses before the instruction, then
        // those after it. They are rearranged, so that both versions of each access are side by side.
        let start = trace.accesses.get(self.pending).map_or(trace.bytes.len(), |access| access.at);
        let before = trace.bytes.split_off(start);
        let mut from = 0;
        for access in &mut trace.accesses[self.pending..] {
            access.at = trace.bytes.len();
            trace.bytes.extend_from_slice(&before[from..from + access.size]);
            from += access.size;
            if access.writes {
                copy_used(&mut trace.bytes, instruction, state.masks, access.address, access.size);
            } else {
                trace.bytes.extend_from_within(access.at..);
            }
        }
        let code = *self.known.entry(instruction.ip()).or_insert_with(|| {
            let mut bytes = Vec::new();
            copy(&mut bytes, instruction.ip(), instruction.len());
            trace.code.push(Code { instruction: *instruction, bytes });
            trace.code.len() as u32 - 1
        });
        trace.steps.push(Step {
            code,
            call: self.call,
            flags: state.flags.value,
            changes: changes..trace.changes.len() as u32,
            accesses: self.pending as u32..trace.accesses.len() as u32,
        });
    }
}
