//! What a program begins with: its memory, and the functions of the system in it, which are known by their names.

use checkmem::elf::{Elf, Relocation};
use std::collections::HashMap;

use super::memory::Memory;

/// The functions that are known.
const NAMES: [&str; 10] = [
    "memcpy",
    "memmove",
    "memset",
    "memcmp",
    "bcmp",
    "malloc",
    "calloc",
    "realloc",
    "free",
    "posix_memalign",
];

/// By their addresses.
#[derive(Default)]
pub struct Library {
    names: HashMap<u64, &'static str>,
}

impl Library {
    /// Those of a program.
    pub fn of(program: &Elf) -> Self {
        let found = NAMES.into_iter().filter_map(|name| Some((program.symbol(name)?, name)));
        Self { names: found.collect() }
    }

    /// The function at an address.
    pub fn name(&self, address: u64) -> Option<&'static str> {
        self.names.get(&address).copied()
    }
}

/// Relocations of this kind name a function that says which function it is.
const CHOSEN: u32 = 1032;

/// Functions that are chosen when a program is loaded.
pub(super) fn chosen(program: &Elf) -> impl Iterator<Item = Relocation> {
    program.relocations().into_iter().filter(|relocation| relocation.kind == CHOSEN)
}

/// The memory that a program begins with.
pub fn loaded(program: &Elf) -> Memory {
    let mut memory = Memory::default();
    for (range, bytes) in program.loaded() {
        memory.map(range.clone());
        if let Some(bytes) = bytes {
            memory.write(range.start, bytes);
        }
    }
    // A function that is chosen when the program is loaded stands for itself.
    for relocation in chosen(program) {
        memory.write_words(relocation.at, &[relocation.addend]);
    }
    memory
}
