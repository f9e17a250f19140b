//! The main loop: fetches instructions, follows branches, and reads and writes operands.

use iced_x86::{
    Decoder, DecoderOptions, FlowControl, Formatter, Instruction, IntelFormatter, Mnemonic, OpKind, Register,
};
use std::collections::{BTreeMap, HashMap};

use super::{
    native::Native,
    recorder::Recorder,
    report::{Finding, Leak, Report},
    shadow::Shadow,
    state::{ALL, Int, State, Vector, bytes, mask, upward},
};

/// The return address of the code that is run. No code has this address.
const END: u64 = 0;

/// Why a run ended early.
#[derive(Debug)]
pub(crate) enum Stop {
    Unknown(String),
    Panicked(&'static str),
    Runaway,
}

/// An instruction, and the steps that follow it.
#[derive(Clone, Copy)]
struct Step {
    instruction: Instruction,
    next: u32,
    taken: u32,
    count: u64,
    /// Whether it does not branch.
    is_straight: bool,
    /// The index of its kind in [`KINDS`], once it was executed.
    kind: u8,
}

const UNSEEN: u32 = u32::MAX;
const NO_KIND: u8 = u8::MAX;

/// Executes an instruction of one kind; returns false for others.
type Kind = fn(&mut Machine, &Instruction) -> Result<bool, Stop>;

/// The kinds of instructions that do not branch.
const KINDS: [Kind; 9] = [
    Machine::scalar,
    Machine::lanes,
    |machine, i| Ok(machine.pairs(i).is_some()),
    |machine, i| Ok(machine.logic_of_vectors(i).is_some()),
    |machine, i| Ok(machine.shifts(i).is_some() || machine.floats(i).is_some()),
    Machine::moves,
    Machine::permutations,
    |machine, i| Ok(machine.hashes(i)),
    Machine::mask_register,
];

pub(crate) struct Machine {
    pub(crate) state: State,
    pub(crate) shadow: Shadow,
    pub(crate) native: Native,
    found: BTreeMap<(u64, Leak), u64>,
    errors: u64,
    instructions: u64,
    steps: Vec<Step>,
    places: HashMap<u64, u32>,
    pub(crate) here: u64,
    thread: u64,
    /// Present if a record was requested.
    pub(crate) recorder: Option<Recorder>,
}

/// The address of the thread control block.
fn thread_block() -> u64 {
    let block;
    // SAFETY: on this system the first word of the block is its address.
    unsafe {
        core::arch::asm!("mov {}, fs:[0]", out(reg) block, options(nostack, readonly, preserves_flags))
    };
    block
}

impl Machine {
    pub(crate) fn new() -> Self {
        Self {
            state: State::default(),
            shadow: Shadow::default(),
            native: Native::new(),
            found: BTreeMap::new(),
            errors: 0,
            instructions: 0,
            steps: Vec::new(),
            places: HashMap::new(),
            here: 0,
            thread: thread_block(),
            recorder: None,
        }
    }

    /// Runs a function of one argument on its own stack.
    ///
    /// # Safety
    /// The function is one of this program and may be called with this argument; `stack` is the upper end of
    /// a stack.
    pub(crate) unsafe fn call(
        &mut self,
        function: u64,
        argument: u64,
        stack: u64,
        limit: u64,
    ) -> Result<(), Stop> {
        self.state.general[7] = Int::public(argument);
        self.state.general[4] = Int::public((stack & !63) - 64);
        self.push(END);
        self.state.ip = function;
        let mut at = self.find(function);
        while self.state.ip != END {
            if self.instructions == limit {
                return Err(Stop::Runaway);
            }
            self.instructions += 1;
            let step = &mut self.steps[at as usize];
            step.count += 1;
            let Step { instruction, next, taken, is_straight, kind, .. } = *step;
            self.here = instruction.ip();
            self.state.ip = instruction.next_ip();
            let recorded = self.recorder.as_mut().filter(|recorder| recorder.is_on);
            let is_recorded = recorded.is_some();
            if let Some(recorder) = recorded {
                recorder.before(&instruction, &self.state, self.thread);
            }
            if !is_straight {
                self.branch(&instruction)?;
            } else if kind == NO_KIND {
                self.steps[at as usize].kind = self.execute(&instruction)?;
            } else {
                KINDS[kind as usize](self, &instruction)?;
            }
            if let (true, Some(recorder)) = (is_recorded, &mut self.recorder) {
                // The instruction that stops the record is not part of it.
                if recorder.is_on {
                    recorder.after(&instruction, &self.state);
                }
            }
            let ip = self.state.ip;
            // The step that followed last time is likely to follow again.
            let straight = ip == instruction.next_ip();
            let guess = if straight { next } else { taken };
            at = match self.steps.get(guess as usize) {
                Some(step) if step.instruction.ip() == ip => guess,
                _ if ip == END => break,
                _ => {
                    let found = self.find(ip);
                    let step = &mut self.steps[at as usize];
                    *(if straight { &mut step.next } else { &mut step.taken }) = found;
                    found
                }
            };
        }
        Ok(())
    }

    /// The index of the step at an address.
    fn find(&mut self, ip: u64) -> u32 {
        if let Some(&found) = self.places.get(&ip) {
            return found;
        }
        // SAFETY: code of this process is run; the longest instruction has 15 bytes, and text is followed by
        // more.
        let code = unsafe { core::slice::from_raw_parts(ip as *const u8, 15) };
        let instruction = Decoder::with_ip(64, code, ip, DecoderOptions::NONE).decode();
        let number = self.steps.len() as u32;
        let is_straight = instruction.flow_control() == FlowControl::Next;
        let step = Step { instruction, next: UNSEEN, taken: UNSEEN, count: 0, is_straight, kind: NO_KIND };
        self.steps.push(step);
        self.places.insert(ip, number);
        number
    }

    pub(crate) fn unknown(&self, instruction: &Instruction) -> Stop {
        Stop::Unknown(text(instruction))
    }

    pub(crate) fn leak(&mut self, leak: Leak) {
        self.errors += 1;
        *self.found.entry((self.here, leak)).or_default() += 1;
    }

    pub(crate) fn leak_if(&mut self, secret: bool, leak: Leak) {
        if secret {
            self.leak(leak);
        }
    }

    pub(crate) fn errors(&self) -> u64 {
        self.errors
    }

    pub(crate) fn report(&self, ended: Result<(), String>) -> Report {
        let mut mnemonics = BTreeMap::new();
        for step in &self.steps {
            let name = format!("{:?}", step.instruction.mnemonic()).to_lowercase();
            *mnemonics.entry(name).or_default() += step.count;
        }
        let findings = self.found.iter().map(|(&(ip, leak), &times)| {
            let instruction = &self.steps[self.places[&ip] as usize].instruction;
            Finding { leak, instruction: text(instruction), place: super::place(ip), times }
        });
        Report { ended, findings: findings.collect(), instructions: self.instructions, mnemonics }
    }

    // Operands.

    /// The address of the memory operand. If it depends on a secret, that is a finding.
    pub(crate) fn address(&mut self, instruction: &Instruction) -> u64 {
        let (address, secret) = self.effective(instruction);
        self.leak_if(secret != 0, Leak::Address);
        address
    }

    /// The effective address of a memory operand, and its secret bytes.
    pub(crate) fn effective(&self, instruction: &Instruction) -> (u64, u8) {
        let mut address = instruction.memory_displacement64();
        let mut secret = 0;
        let (base, index) = (instruction.memory_base(), instruction.memory_index());
        if base != Register::None && base != Register::RIP {
            let base = self.state.read(base);
            address = address.wrapping_add(base.value);
            secret |= base.secret;
        }
        if index.is_gpr() {
            let index = self.state.read(index);
            address = address.wrapping_add(index.value.wrapping_mul(instruction.memory_index_scale().into()));
            secret |= index.secret;
        }
        if instruction.memory_segment() == Register::FS {
            address = address.wrapping_add(self.thread);
        }
        (address, upward(secret, 8))
    }

    pub(crate) fn load(&self, address: u64, size: usize) -> Int {
        let mut value = [0; 8];
        // SAFETY: the program that is run reads here. A copy of a known length is no call.
        unsafe {
            match size {
                8 => value = (address as *const [u8; 8]).read_unaligned(),
                _ => core::ptr::copy_nonoverlapping(address as *const u8, value.as_mut_ptr(), size),
            }
        }
        Int { value: u64::from_le_bytes(value), secret: self.shadow.get(address, size) as u8 }
    }

    pub(crate) fn store(&mut self, address: u64, size: usize, x: Int) {
        let value = x.value.to_le_bytes();
        // SAFETY: the program that is run writes here. A copy of a known length is no call.
        unsafe {
            match size {
                8 => (address as *mut [u8; 8]).write_unaligned(value),
                _ => core::ptr::copy_nonoverlapping(value.as_ptr(), address as *mut u8, size),
            }
        }
        self.shadow.set(address, size, x.secret.into());
    }

    pub(crate) fn load_vector(&self, address: u64, size: usize) -> Vector {
        let mut out = Vector::default();
        // SAFETY: as for `load`; on this machine the lowest byte of a word is the first.
        unsafe { core::ptr::copy_nonoverlapping(address as *const u8, out.words.as_mut_ptr().cast(), size) };
        out.secret = self.shadow.get(address, size);
        out
    }

    pub(crate) fn store_vector(&mut self, address: u64, size: usize, x: &Vector) {
        // SAFETY: as for `store`.
        unsafe { core::ptr::copy_nonoverlapping(x.words.as_ptr().cast(), address as *mut u8, size) };
        self.shadow.set(address, size, x.secret);
    }

    /// The bytes of an integer operand.
    pub(crate) fn size(&self, instruction: &Instruction, operand: u32) -> usize {
        match instruction.op_kind(operand) {
            OpKind::Register => instruction.op_register(operand).size(),
            OpKind::Memory => instruction.memory_size().size(),
            _ => 8,
        }
    }

    /// Reads an integer operand.
    pub(crate) fn get(&mut self, instruction: &Instruction, operand: u32) -> Int {
        match instruction.op_kind(operand) {
            OpKind::Register => self.state.read(instruction.op_register(operand)),
            OpKind::Memory => {
                let address = self.address(instruction);
                self.load(address, instruction.memory_size().size())
            }
            _ => Int::public(instruction.immediate(operand)),
        }
    }

    pub(crate) fn put(&mut self, instruction: &Instruction, operand: u32, x: Int) {
        match instruction.op_kind(operand) {
            OpKind::Register => self.state.write(instruction.op_register(operand), x),
            _ => {
                let address = self.address(instruction);
                self.store(address, instruction.memory_size().size(), x);
            }
        }
    }

    /// Reads an operand, changes it and writes it back; atomically for locked instructions and `xchg`.
    pub(crate) fn update(&mut self, instruction: &Instruction, change: impl Fn(&mut Self, Int) -> Int) {
        if instruction.op0_kind() == OpKind::Register {
            let old = self.state.read(instruction.op0_register());
            let new = change(self, old);
            return self.state.write(instruction.op0_register(), new);
        }
        let address = self.address(instruction);
        let size = instruction.memory_size().size();
        let at_once = instruction.has_lock_prefix() || instruction.mnemonic() == Mnemonic::Xchg;
        loop {
            let old = self.load(address, size);
            let flags = self.state.flags;
            let new = change(self, old).cut(size);
            if !at_once {
                return self.store(address, size, new);
            }
            // SAFETY: the program writes here, and aligned, as it wants it done at once.
            if unsafe { super::native::exchange(address, size, old.value, new.value) } {
                return self.shadow.set(address, size, new.secret.into());
            }
            self.state.flags = flags;
        }
    }

    pub(crate) fn push(&mut self, value: u64) {
        self.push_int(Int::public(value));
    }

    pub(crate) fn push_int(&mut self, x: Int) {
        let top = self.state.general[4].value.wrapping_sub(8);
        self.state.general[4].value = top;
        self.store(top, 8, x);
    }

    pub(crate) fn pop(&mut self) -> Int {
        let top = self.state.general[4].value;
        self.state.general[4].value = top.wrapping_add(8);
        self.load(top, 8)
    }

    // Control flow.

    fn branch(&mut self, instruction: &Instruction) -> Result<(), Stop> {
        match instruction.flow_control() {
            FlowControl::ConditionalBranch => {
                let taken = match instruction.mnemonic() {
                    Mnemonic::Jrcxz | Mnemonic::Jecxz => {
                        let size = if instruction.mnemonic() == Mnemonic::Jrcxz { 8 } else { 4 };
                        let count = self.state.general[1].cut(size);
                        self.leak_if(count.is_secret(), Leak::Branch);
                        count.value == 0
                    }
                    Mnemonic::Loop | Mnemonic::Loope | Mnemonic::Loopne => {
                        return Err(self.unknown(instruction));
                    }
                    _ => {
                        let (holds, secret) = self.state.flags.condition(instruction.condition_code());
                        self.leak_if(secret, Leak::Branch);
                        holds
                    }
                };
                if taken {
                    self.state.ip = instruction.near_branch_target();
                }
                Ok(())
            }
            FlowControl::UnconditionalBranch => self.enter(instruction.near_branch_target(), false),
            FlowControl::IndirectBranch | FlowControl::IndirectCall => {
                let target = self.get(instruction, 0);
                self.leak_if(target.is_secret(), Leak::Branch);
                self.enter(target.value, instruction.flow_control() == FlowControl::IndirectCall)
            }
            FlowControl::Call if instruction.mnemonic() == Mnemonic::Syscall => {
                Err(self.unknown(instruction))
            }
            FlowControl::Call => self.enter(instruction.near_branch_target(), true),
            FlowControl::Return => {
                let target = self.pop();
                self.leak_if(target.is_secret(), Leak::Branch);
                let dropped = if instruction.op_count() == 1 { instruction.immediate(0) } else { 0 };
                self.state.general[4].value = self.state.general[4].value.wrapping_add(dropped);
                self.state.ip = target.value;
                Ok(())
            }
            _ => Err(self.unknown(instruction)),
        }
    }

    /// Continues at a function of this program, or performs a function of the system.
    fn enter(&mut self, target: u64, is_call: bool) -> Result<(), Stop> {
        if self.native.is_own(target) {
            if is_call {
                self.push(self.state.ip);
            }
            self.state.ip = target;
            return Ok(());
        }
        if !is_call {
            // Returns to the caller, which expects the result.
            self.state.ip = self.pop().value;
        }
        super::native::call(self, target)
    }

    /// Makes the registers public that a function need not preserve.
    pub(crate) fn forget_after_call(&mut self) {
        for number in [1, 6, 7, 8, 9, 10, 11] {
            self.state.general[number].secret = 0;
        }
        self.state.flags.set(ALL, 0, false);
    }

    /// Executes an instruction that does not branch for the first time, and returns its kind.
    fn execute(&mut self, instruction: &Instruction) -> Result<u8, Stop> {
        for (kind, of_this_kind) in KINDS.iter().enumerate() {
            if of_this_kind(self, instruction)? {
                return Ok(kind as u8);
            }
        }
        Err(self.unknown(instruction))
    }
}

pub(crate) fn text(instruction: &Instruction) -> String {
    let mut out = String::new();
    IntelFormatter::new().format(instruction, &mut out);
    out
}

/// A number that is secret as a whole if any operand is.
pub(crate) fn blurred(value: u64, secret: bool, size: usize) -> Int {
    Int { value: value & mask(size), secret: if secret { bytes(size) } else { 0 } }
}
