//! The program with the kernel's operations (`moduli-kernel/examples/operations.rs`), loaded.

use checkmem::elf::Elf;
use std::{fs, ops::Range, path::Path};

use super::{
    library::{self, Library},
    machine::{Machine, Stop},
    memory::Memory,
};
use crate::failure::{Failure, Reason, Result};

/// Where memory is allocated, and where the stack ends.
const HEAP: u64 = 0x10_0000_0000;
const STACK_TOP: u64 = 0x7f_0000_0000;

/// Bytes of the stack.
const STACK: u64 = 16 << 20;

/// Instructions that it takes at most to make a kernel, and that an operation takes.
pub(super) const LIMIT: u64 = 1_000_000_000;
pub(super) const OF_OPERATION: u64 = 4_000_000;

/// A program.
pub struct Program {
    /// Its file.
    pub elf: Elf,
    library: Library,
    /// What it cannot write.
    pub read_only: Vec<Range<u64>>,
}

impl Program {
    /// Reads one.
    ///
    /// # Errors
    /// If it is none.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = fs::read(path)
            .map_err(|error| Failure::new(Reason::NoTrace, format!("{}: {error}", path.display())))?;
        Self::parse(bytes)
    }

    /// Takes the bytes of one.
    ///
    /// # Errors
    /// If it is none.
    pub fn parse(bytes: Vec<u8>) -> Result<Self> {
        let elf = Elf::parse(bytes).ok_or_else(|| Failure::new(Reason::NoTrace, "no such ELF file"))?;
        let library = Library::of(&elf);
        let mut read_only = elf.read_only();
        // Where functions that are chosen when it is loaded are named.
        read_only.extend(library::chosen(&elf).map(|relocation| relocation.at..relocation.at + 8));
        Ok(Self { elf, library, read_only })
    }

    /// A machine that has loaded it.
    pub fn machine(&self) -> Machine<'_> {
        self.with_memory(library::loaded(&self.elf), HEAP)
    }

    /// One with other memory, of which so much is taken.
    pub(super) fn with_memory(&self, mut memory: Memory, heap: u64) -> Machine<'_> {
        memory.map(STACK_TOP - STACK..STACK_TOP);
        Machine::new(&self.library, memory, heap)
    }

    /// Calls a function by its name.
    ///
    /// # Errors
    /// If there is none, or it does not come to its end.
    pub fn call(&self, machine: &mut Machine<'_>, name: &str, arguments: &[u64], limit: u64) -> Result<u64> {
        let function = self
            .elf
            .symbol(name)
            .ok_or_else(|| Failure::new(Reason::NoTrace, format!("there is no function {name}")))?;
        let stack = STACK_TOP - 4096;
        machine
            .call(function, stack, arguments, limit)
            .map_err(|stop| Failure::new(Reason::NoTrace, said(&stop)))
    }

    /// The name of the function that begins at an address, as it is in the source.
    pub fn name(&self, address: u64) -> String {
        let name = self.elf.name(address).unwrap_or_default();
        format!("{:#}", rustc_demangle::demangle(name))
    }
}

fn said(stop: &Stop) -> String {
    match stop {
        Stop::Unknown(what) => format!("no meaning is known here of `{what}`"),
        Stop::Memory(what) => format!("memory that is not there: {what}"),
        Stop::Break => "the program gave up".to_string(),
        Stop::Runaway => "the limit of instructions was reached".to_string(),
    }
}
