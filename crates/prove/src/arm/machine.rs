//! The interpreter of 64-bit ARM instructions.

use std::{collections::HashMap, rc::Rc};

use super::{
    instruction::Instruction,
    library::Library,
    memory::Memory,
    operation::{Address, LINK, Logic, Operation, Otherwise, Place, SP, Second, Shift, Target, Test, ZERO},
    trace::{Access, Registers, Trace},
};

/// The return address of the code that is run, which is no address.
const END: u64 = 0;

/// Why a run ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// An unknown instruction.
    Unknown(String),
    /// An access to memory that does not exist.
    Memory(String),
    /// The program executed a breakpoint.
    Break,
    /// The program took more instructions than allowed.
    Runaway,
}

pub(super) const NEGATIVE: u8 = 8;
pub(super) const ZEROS: u8 = 4;
pub(super) const CARRY: u8 = 2;
pub(super) const OVERFLOW: u8 = 1;

/// 2^bits − 1.
pub(super) fn ones(bits: u32) -> u64 {
    if bits == 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// A signed number x of `bits` bits, as one of 64 bits.
pub(super) fn with_sign(x: u64, bits: u32) -> i64 {
    ((x << (64 - bits)) as i64) >> (64 - bits)
}

/// Whether a condition holds for these flags.
pub fn holds(condition: u8, flags: u8) -> bool {
    let has = |flag: u8| flags & flag != 0;
    let holds = match condition >> 1 {
        0 => has(ZEROS),
        1 => has(CARRY),
        2 => has(NEGATIVE),
        3 => has(OVERFLOW),
        4 => has(CARRY) && !has(ZEROS),
        5 => has(NEGATIVE) == has(OVERFLOW),
        6 => has(NEGATIVE) == has(OVERFLOW) && !has(ZEROS),
        _ => return true,
    };
    holds != (condition & 1 == 1)
}

/// A processor and its memory.
pub struct Machine<'a> {
    library: &'a Library,
    /// The processor.
    pub registers: Registers,
    /// The memory.
    pub memory: Memory,
    code: HashMap<u64, Rc<Instruction>>,
    /// The trace, while a run is recorded.
    pub trace: Option<Trace>,
    pub(super) heap: u64,
    pub(super) allocated: HashMap<u64, u64>,
}

impl<'a> Machine<'a> {
    /// A machine with this memory. Allocated memory starts at `heap`.
    pub fn new(library: &'a Library, memory: Memory, heap: u64) -> Self {
        let registers = Registers::default();
        Self {
            library,
            registers,
            memory,
            code: HashMap::new(),
            trace: None,
            heap,
            allocated: HashMap::new(),
        }
    }

    /// Calls a function. Returns its result.
    ///
    /// # Errors
    /// If it does not run to its end.
    pub fn call(&mut self, function: u64, stack: u64, arguments: &[u64], limit: u64) -> Result<u64, Stop> {
        self.registers.words[..arguments.len()].copy_from_slice(arguments);
        self.registers.words[SP as usize] = stack;
        self.registers.words[LINK as usize] = END;
        if let Some(trace) = &mut self.trace {
            trace.begin = self.registers.clone();
        }
        let mut here = function;
        let mut left = limit;
        while here != END {
            left = left.checked_sub(1).ok_or(Stop::Runaway)?;
            here = self.step(here)?;
        }
        Ok(self.registers.words[0])
    }

    fn fetch(&mut self, here: u64) -> Result<Rc<Instruction>, Stop> {
        if let Some(instruction) = self.code.get(&here) {
            return Ok(instruction.clone());
        }
        let bytes = self.memory.read(here, 4).ok_or_else(|| missing("code", here))?;
        let instruction = Rc::new(Instruction::new(here, (bytes as u32).to_le_bytes()));
        self.code.insert(here, instruction.clone());
        Ok(instruction)
    }

    /// Executes an instruction. Returns the address of the next.
    fn step(&mut self, here: u64) -> Result<u64, Stop> {
        let instruction = self.fetch(here)?;
        if instruction.operations.is_empty() {
            return Err(Stop::Unknown(format!("{} at {here:#x}", instruction.text)));
        }
        let mut next = here + 4;
        for operation in &instruction.operations {
            if let Some(there) = self.perform(operation, here)? {
                next = there;
            }
        }
        let mut call = None;
        if let Some(name) = self.library.name(next) {
            call = Some(self.call_library(name)?);
            next = self.get(LINK, 64);
        }
        if let Some(trace) = &mut self.trace {
            trace.step(&instruction, call, self.registers.flags);
        }
        Ok(next)
    }

    /// The lower bits of a place.
    pub(super) fn get(&self, place: Place, bits: u32) -> u64 {
        self.registers.words[place as usize] & ones(bits)
    }

    pub(super) fn put(&mut self, place: Place, word: u64) {
        if place == ZERO {
            return;
        }
        self.registers.words[place as usize] = word;
        if let Some(trace) = &mut self.trace {
            trace.change(place, word);
        }
    }

    pub(super) fn note(&mut self, access: Access) {
        if let Some(trace) = &mut self.trace {
            trace.access(access);
        }
    }

    fn second(&self, y: Second, bits: u32) -> u64 {
        match y {
            Second::Immediate(x) => x & ones(bits),
            Second::Register(place, width, shift, by) => shifted(self.get(place, width), shift, by, bits),
        }
    }

    fn address(&self, address: &Address) -> u64 {
        let index = address.index.map_or(0, |(place, bits, by)| self.get(place, bits) << by);
        self.get(address.base, 64).wrapping_add(index).wrapping_add_signed(address.offset)
    }

    /// A sum or a difference, and its flags.
    fn sum(&self, x: u64, y: u64, subtracts: bool, carry: bool, bits: u32) -> (u64, u8) {
        let y = if subtracts { !y & ones(bits) } else { y };
        let whole = u128::from(x) + u128::from(y) + u128::from(carry);
        let sum = whole as u64 & ones(bits);
        let sign = |x: u64| x >> (bits - 1) == 1;
        let mut flags = 0;
        for (flag, is_set) in [
            (NEGATIVE, sign(sum)),
            (ZEROS, sum == 0),
            (CARRY, whole >> bits != 0),
            (OVERFLOW, sign(x) == sign(y) && sign(sum) != sign(x)),
        ] {
            flags |= if is_set { flag } else { 0 };
        }
        (sum, flags)
    }

    fn holds(&self, test: Test) -> bool {
        match test {
            Test::Flags(condition) => holds(condition, self.registers.flags),
            Test::IsZero(place, bits, is_zero) => (self.get(place, bits) == 0) == is_zero,
            Test::Bit(place, bit, is_set) => (self.get(place, 64) >> bit & 1 == 1) == is_set,
        }
    }

    /// Performs an operation. Returns the address to which it branches, if it does.
    fn perform(&mut self, operation: &Operation, here: u64) -> Result<Option<u64>, Stop> {
        match *operation {
            Operation::Nop => {}
            Operation::Break => return Err(Stop::Break),
            Operation::Set { to, value } => self.put(to, value),
            Operation::Keep { to, value, at, bits } => {
                let kept = self.get(to, bits) & !(0xffff << at);
                self.put(to, kept | value << at);
            }
            Operation::Add { to, x, y, subtracts, with_carry, sets_flags, bits } => {
                let (x, y) = (self.get(x, bits), self.second(y, bits));
                let carry = if with_carry { self.registers.flags & CARRY != 0 } else { subtracts };
                let (sum, flags) = self.sum(x, y, subtracts, carry, bits);
                if sets_flags {
                    self.registers.flags = flags;
                }
                self.put(to, sum);
            }
            Operation::Logic { to, x, y, logic, inverts, sets_flags, bits } => {
                let (x, y) = (self.get(x, bits), self.second(y, bits));
                let y = if inverts { !y & ones(bits) } else { y };
                let result = match logic {
                    Logic::And => x & y,
                    Logic::Or => x | y,
                    Logic::Xor => x ^ y,
                };
                if sets_flags {
                    let sign = if result >> (bits - 1) == 1 { NEGATIVE } else { 0 };
                    self.registers.flags = sign | if result == 0 { ZEROS } else { 0 };
                }
                self.put(to, result);
            }
            Operation::Blend { to, mask, x, y } => {
                let [mask, x, y] = [mask, x, y].map(|place| self.get(place, 64));
                self.put(to, x & mask | y & !mask);
            }
            Operation::Choose { to, x, y, condition, otherwise, bits } => {
                let (x, y) = (self.get(x, bits), self.get(y, bits));
                let y = match otherwise {
                    Otherwise::Plain => y,
                    Otherwise::Increased => y.wrapping_add(1),
                    Otherwise::Inverted => !y,
                    Otherwise::Negated => y.wrapping_neg(),
                };
                let result = if holds(condition, self.registers.flags) { x } else { y & ones(bits) };
                self.put(to, result);
            }
            Operation::Compare { x, y, subtracts, condition, flags, bits } => {
                let (x, y) = (self.get(x, bits), self.second(y, bits));
                self.registers.flags = match holds(condition, self.registers.flags) {
                    true => self.sum(x, y, subtracts, subtracts, bits).1,
                    false => flags,
                };
            }
            Operation::Field { to, from, rotate, last, is_signed, bits } => {
                let x = self.get(from, bits);
                let result = field(x, rotate, last, is_signed, bits);
                self.put(to, result);
            }
            Operation::Extract { to, high, low, by, bits } => {
                let both = u128::from(self.get(high, bits)) << bits | u128::from(self.get(low, bits));
                self.put(to, (both >> by) as u64 & ones(bits));
            }
            Operation::Multiply { to, x, y, with, subtracts, bits, of } => {
                let product = self.get(x, of).wrapping_mul(self.get(y, of));
                let product = if subtracts { product.wrapping_neg() } else { product };
                self.put(to, self.get(with, bits).wrapping_add(product) & ones(bits));
            }
            Operation::MultiplyHigh { to, x, y } => {
                let product = u128::from(self.get(x, 64)) * u128::from(self.get(y, 64));
                self.put(to, (product >> 64) as u64);
            }
            Operation::Divide { to, x, y, bits } => {
                self.put(to, self.get(x, bits).checked_div(self.get(y, bits)).unwrap_or(0));
            }
            Operation::ShiftBy { to, x, by, shift, bits } => {
                let by = (self.get(by, bits) % u64::from(bits)) as u32;
                self.put(to, shifted(self.get(x, bits), shift, by, bits));
            }
            Operation::Zeros { to, x, bits } => {
                self.put(to, u64::from(self.get(x, bits).leading_zeros() - (64 - bits)));
            }
            Operation::Reverse { to, x, bits } => {
                self.put(to, self.get(x, bits).reverse_bits() >> (64 - bits))
            }
            Operation::Load { ref to, ref address, size, sign } => {
                let start = self.address(address);
                for (i, &place) in to.iter().enumerate() {
                    let address = start.wrapping_add((i * size) as u64);
                    let word = self.memory.read(address, size).ok_or_else(|| missing("a load", here))?;
                    self.note(Access { address, size, writes: false, word });
                    let signed = |bits| with_sign(word, 8 * size as u32) as u64 & ones(bits);
                    self.put(place, sign.map_or(word, signed));
                }
            }
            Operation::Store { ref from, ref address, size } => {
                let start = self.address(address);
                for (i, &place) in from.iter().enumerate() {
                    let address = start.wrapping_add((i * size) as u64);
                    let word = self.get(place, 8 * size as u32);
                    let bytes = &word.to_le_bytes()[..size];
                    self.memory.write(address, bytes).ok_or_else(|| missing("a store", here))?;
                    self.note(Access { address, size, writes: true, word });
                }
            }
            Operation::Branch { target, test, calls, .. } => {
                if !test.is_none_or(|test| self.holds(test)) {
                    return Ok(None);
                }
                let there = match target {
                    Target::At(there) => there,
                    Target::In(place) => self.get(place, 64),
                };
                if calls {
                    self.put(LINK, here + 4);
                }
                return Ok(Some(there));
            }
        }
        Ok(None)
    }
}

pub(super) fn missing(what: &str, here: u64) -> Stop {
    Stop::Memory(format!("{what} at {here:#x}"))
}

/// A word of `bits` bits, shifted.
fn shifted(x: u64, shift: Shift, by: u32, bits: u32) -> u64 {
    match shift {
        Shift::Left => (x << by) & ones(bits),
        Shift::Right => x >> by,
        Shift::Signed => (with_sign(x, bits) >> by) as u64 & ones(bits),
    }
}

/// The bits from `rotate` to `last`, moved down; or the bits up to `last`, moved up by `bits` less `rotate`.
fn field(x: u64, rotate: u32, last: u32, is_signed: bool, bits: u32) -> u64 {
    let (part, width, up) = match last >= rotate {
        true => (x >> rotate, last - rotate + 1, 0),
        false => (x, last + 1, bits - rotate),
    };
    let part = part & ones(width);
    let part = if is_signed { with_sign(part, width) as u64 } else { part };
    (part << up) & ones(bits)
}
