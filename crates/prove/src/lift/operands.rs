//! Reads and writes of registers, memory and operands.

use iced_x86::{EncodingKind, Instruction, Mnemonic, OpKind, Register};

use super::{Lifter, fail, vector::OLD_MOVES};
use crate::{
    failure::{Reason, Result},
    system::Value,
};
use Value::{Constant, Variable};

/// The number of a general register, and the lowest of its bits to which this name refers.
fn place(register: Register) -> (usize, u32) {
    match register {
        Register::AH | Register::CH | Register::DH | Register::BH => {
            (register as usize - Register::AH as usize, 8)
        }
        _ => (register.full_register().number(), 0),
    }
}

impl Lifter<'_> {
    // Registers.

    fn check_general(&self, number: usize) -> Result<()> {
        if self.lost_general >> number & 1 == 1 {
            return fail(Reason::LostRegister, "");
        }
        Ok(())
    }

    /// Whether a call may have changed a general register.
    pub(super) fn is_lost(&self, register: Register) -> bool {
        register.is_gpr() && self.lost_general >> register.full_register().number() & 1 == 1
    }

    fn check_vector(&self, number: usize, words: usize) -> Result<()> {
        let lost = self.lost_vectors | if words > 2 { self.lost_upper } else { 0 };
        if lost >> number & 1 == 1 {
            return fail(Reason::LostRegister, "");
        }
        Ok(())
    }

    pub(super) fn is_symbolic_register(&self, register: Register) -> Result<bool> {
        let number = register.full_register().number();
        if register.is_gpr() {
            self.check_general(number)?;
            return Ok(matches!(self.general[number], Variable(_)));
        }
        if register.is_vector_register() {
            self.check_vector(number, register.size() / 8)?;
            let lanes = &self.vectors[number][..register.size() / 8];
            return Ok(lanes.iter().any(|lane| matches!(lane, Variable(_))));
        }
        if register.is_k() {
            self.check_mask(register.number())?;
            return Ok(self.masks[register.number()].iter().any(|bit| matches!(bit, Variable(_))));
        }
        Ok(false)
    }

    /// The recorded value of the part of a register to which its name refers.
    pub(super) fn recorded_register(&self, register: Register) -> u64 {
        let (number, from) = place(register);
        let value = self.recorded.general[number] >> from;
        if register.size() == 8 { value } else { value & ((1 << (8 * register.size())) - 1) }
    }

    pub(super) fn read_register(&mut self, register: Register) -> Result<Value> {
        let (number, from) = place(register);
        self.check_general(number)?;
        let value = self.general[number];
        self.part(value, from, 8 * register.size() as u32)
    }

    /// Some bits of a word.
    fn part(&mut self, value: Value, from: u32, bits: u32) -> Result<Value> {
        let above = if from == 0 { value } else { self.integers.split(value, from)?.1 };
        if bits == 64 { Ok(above) } else { Ok(self.integers.split(above, bits)?.0) }
    }

    /// Writes a register as the processor does: 32 bits clear the upper half, 8 and 16 bits leave the rest.
    pub(super) fn write_register(&mut self, register: Register, value: Value) -> Result<()> {
        let (number, from) = place(register);
        let bits = 8 * register.size() as u32;
        if bits < 32 {
            if self.lost_general >> number & 1 == 1 {
                // The rest of it is any word.
                let recorded = self.recorded.general[number].into();
                self.general[number] = self.integers.input(0, u64::MAX.into(), recorded)?;
            }
            let old = self.general[number];
            let below = if from == 0 { Constant(0) } else { self.integers.split(old, from)?.0 };
            let above = self.integers.split(old, from + bits)?.1;
            let terms = [(1, below), (1 << from, value), (1 << (from + bits), above)];
            self.general[number] = self.integers.sum(0, &terms)?;
        } else {
            self.general[number] = value;
        }
        self.lost_general &= !(1 << number);
        Ok(())
    }

    // Memory.

    /// Loads an integer of up to 8 bytes from memory that this instruction reads.
    pub(super) fn load(&mut self, address: u64, size: usize) -> Result<Value> {
        if !self.memory.is_symbolic(address, size) {
            if !self.memory.is_known(address, size) {
                return fail(Reason::UndeclaredRead, &format!("{size} bytes at {address:#x}"));
            }
            return self.load_recorded(address, size);
        }
        if let Some(id) = self.memory.part(address, size) {
            return Ok(Variable(id));
        }
        let offset = address & 7;
        let Some(id) = self.memory.word(address & !7) else { return fail(Reason::PartOfAWord, "a load") };
        if offset as usize + size > 8 {
            return fail(Reason::PartOfAWord, "a load that is not aligned");
        }
        self.part(Variable(id), 8 * offset as u32, 8 * size as u32)
    }

    fn load_recorded(&self, address: u64, size: usize) -> Result<Value> {
        for access in self.accesses {
            if access.reads
                && access.address <= address
                && address + size as u64 <= access.address + access.size as u64
            {
                let at = (address - access.address) as usize;
                let mut word = [0; 8];
                word[..size].copy_from_slice(&self.trace.before(access)[at..at + size]);
                return Ok(Constant(u64::from_le_bytes(word).into()));
            }
        }
        fail(Reason::UnlistedOperand, "memory")
    }

    pub(super) fn store(&mut self, address: u64, size: usize, value: Value) -> Result<()> {
        match value {
            Constant(_) => self.memory.set_known(address, size),
            Variable(id) if size == 8 && address.is_multiple_of(8) => self.memory.set_symbolic(address, id),
            Variable(id) if size == 1 || size == 4 && address.is_multiple_of(4) => {
                self.memory.set_part(address, size, id);
            }
            Variable(_) => return fail(Reason::PartOfAWord, "a store"),
        }
        Ok(())
    }

    /// The address of the operand in memory, with the operand's size.
    pub(super) fn address(&self, instruction: &Instruction) -> Result<u64> {
        let size = instruction.memory_size().size();
        match self.accesses {
            // Instructions on the stack have two accesses.
            [access, ..] if access.size == size => Ok(access.address),
            _ => fail(Reason::UnlistedOperand, "memory"),
        }
    }

    // Operands of instructions on integers.

    pub(super) fn size(&self, instruction: &Instruction, operand: u32) -> u32 {
        match instruction.op_kind(operand) {
            OpKind::Register => 8 * instruction.op_register(operand).size() as u32,
            OpKind::Memory => 8 * instruction.memory_size().size() as u32,
            _ => 64,
        }
    }

    pub(super) fn get(&mut self, instruction: &Instruction, operand: u32) -> Result<Value> {
        match instruction.op_kind(operand) {
            OpKind::Register => self.read_register(instruction.op_register(operand)),
            OpKind::Memory => {
                let address = self.address(instruction)?;
                self.load(address, instruction.memory_size().size())
            }
            _ => {
                // Immediate operands are as long as the first operand.
                let bits = self.size(instruction, 0);
                let value = i128::from(instruction.immediate(operand));
                Ok(Constant(value & ((1i128 << bits) - 1)))
            }
        }
    }

    pub(super) fn put(&mut self, instruction: &Instruction, operand: u32, value: Value) -> Result<()> {
        match instruction.op_kind(operand) {
            OpKind::Register => self.write_register(instruction.op_register(operand), value),
            _ => {
                let address = self.address(instruction)?;
                self.store(address, instruction.memory_size().size(), value)
            }
        }
    }

    // Vectors.

    /// The words of a vector operand.
    pub(super) fn lanes(&mut self, instruction: &Instruction, operand: u32) -> Result<Vec<Value>> {
        if instruction.op_kind(operand) == OpKind::Register {
            let register = instruction.op_register(operand);
            let number = register.full_register().number();
            self.check_vector(number, register.size() / 8)?;
            return Ok(self.vectors[number][..register.size() / 8].to_vec());
        }
        let address = self.address(instruction)?;
        let size = instruction.memory_size().size();
        if !size.is_multiple_of(8) {
            return fail(Reason::PartOfAWord, "a vector");
        }
        (0..size as u64 / 8).map(|i| self.load(address + 8 * i, 8)).collect()
    }

    /// Writes words of a vector. The older instructions keep the words above; the others clear them.
    pub(super) fn put_lanes(
        &mut self,
        instruction: &Instruction,
        operand: u32,
        words: &[Value],
    ) -> Result<()> {
        if instruction.op_kind(operand) == OpKind::Register {
            let number = instruction.op_register(operand).full_register().number();
            if instruction.encoding() != EncodingKind::Legacy {
                self.vectors[number] = [Constant(0); 8];
                self.lost_upper &= !(1 << number);
            }
            self.vectors[number][..words.len()].copy_from_slice(words);
            self.lost_vectors &= !(1 << number);
            return Ok(());
        }
        let address = self.address(instruction)?;
        for (i, &word) in words.iter().enumerate() {
            self.store(address + 8 * i as u64, 8, word)?;
        }
        Ok(())
    }

    /// Clears the bytes above the lower 16 of the first sixteen vectors.
    pub(super) fn clear_upper(&mut self) {
        for words in &mut self.vectors[..16] {
            words[2..].fill(Constant(0));
        }
        self.lost_upper &= !0xffff;
    }

    /// Takes over a vector register that was written by an instruction on known values.
    pub(super) fn take_over_vector(&mut self, instruction: &Instruction, register: Register) -> Result<()> {
        let number = register.full_register().number();
        let recorded = self.recorded.vectors[number].map(|word| Constant(word.into()));
        let is_old = instruction.encoding() == EncodingKind::Legacy;
        let upper = self.vectors[number][2..].iter().any(|word| matches!(word, Variable(_)));
        let lower = self.vectors[number][..2].iter().any(|word| matches!(word, Variable(_)));
        let is_lost = self.lost_vectors >> number & 1 == 1;
        if is_old && (upper || lower || is_lost) {
            use Mnemonic as M;
            // These instructions write all of the lower 16 bytes and leave those above.
            let is_move = OLD_MOVES.contains(&instruction.mnemonic());
            let is_load = instruction.op1_kind() == OpKind::Memory;
            let writes_all = is_move
                || is_load && instruction.mnemonic() == M::Movsd
                || matches!(
                    instruction.mnemonic(),
                    M::Movq
                        | M::Movd
                        | M::Xorps
                        | M::Xorpd
                        | M::Pxor
                        | M::Pcmpeqb
                        | M::Pcmpeqw
                        | M::Pcmpeqd
                        | M::Pcmpeqq
                );
            if !writes_all || upper {
                return fail(Reason::NoRule, "a part of a vector");
            }
        }
        self.vectors[number] = recorded;
        self.lost_vectors &= !(1 << number);
        if !is_old {
            self.lost_upper &= !(1 << number);
        }
        Ok(())
    }
}
