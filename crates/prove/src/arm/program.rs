//! The program with the kernel's operations (`moduli-kernel/examples/operations.rs`), loaded.

use checkmem::elf::Elf;
use std::{fs, ops::Range, path::Path};

use super::{
    library::{self, Library},
    machine::{Machine, Stop},
    memory::Memory,
};
use crate::failure::{Failure, Reason, Result};

/// The start of allocated memory, and the upper end of the stack.
const HEAP: u64 = 0x10_0000_0000;
const STACK_TOP: u64 = 0x7f_0000_0000;

/// Bytes of the stack.
const STACK: u64 = 16 << 20;

/// The most instructions for making a kernel, and for an operation.
pub(super) const LIMIT: u64 = 1_000_000_000;
pub(super) const OF_OPERATION: u64 = 4_000_000;

/// A program.
pub struct Program {
    /// Its file.
    pub elf: Elf,
    library: Library,
    /// The memory that it cannot write.
    pub read_only: Vec<Range<u64>>,
}

impl Program {
    /// Reads a program.
    ///
    /// # Errors
    /// If it is no such program.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = fs::read(path)
            .map_err(|error| Failure::new(Reason::NoTrace, format!("{}: {error}", path.display())))?;
        Self::parse(bytes)
    }

    /// Parses the bytes of a program.
    ///
    /// # Errors
    /// If it is no such program.
    pub fn parse(bytes: Vec<u8>) -> Result<Self> {
        let elf = Elf::parse(bytes).ok_or_else(|| Failure::new(Reason::NoTrace, "no such ELF file"))?;
        let library = Library::of(&elf);
        let mut read_only = elf.read_only();
        // These words name the functions that are selected when the program is loaded.
        read_only.extend(library::chosen(&elf).map(|relocation| relocation.at..relocation.at + 8));
        Ok(Self { elf, library, read_only })
    }

    /// A machine on which the program is loaded.
    pub fn machine(&self) -> Machine<'_> {
        self.with_memory(library::loaded(&self.elf), HEAP)
    }

    /// A machine with other memory, of which everything up to `heap` is in use.
    pub(super) fn with_memory(&self, mut memory: Memory, heap: u64) -> Machine<'_> {
        memory.map(STACK_TOP - STACK..STACK_TOP);
        Machine::new(&self.library, memory, heap)
    }

    /// Calls a function by its name.
    ///
    /// # Errors
    /// If there is none, or it does not run to its end.
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
