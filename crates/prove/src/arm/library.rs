//! The initial memory of a program, and the functions of the system in it, which are known by their names.

use checkmem::elf::{Elf, Relocation};
use std::collections::HashMap;

use super::memory::Memory;

/// The known functions.
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

/// The names of functions, by their addresses.
#[derive(Default)]
pub struct Library {
    names: HashMap<u64, &'static str>,
}

impl Library {
    /// The functions of a program.
    pub fn of(program: &Elf) -> Self {
        let found = NAMES.into_iter().filter_map(|name| Some((program.symbol(name)?, name)));
        Self { names: found.collect() }
    }

    /// The function at an address.
    pub fn name(&self, address: u64) -> Option<&'static str> {
        self.names.get(&address).copied()
    }
}

/// The kind of relocations that name a function which selects the function to use.
const CHOSEN: u32 = 1032;

/// The relocations for functions that are selected when a program is loaded.
pub(super) fn chosen(program: &Elf) -> impl Iterator<Item = Relocation> {
    program.relocations().into_iter().filter(|relocation| relocation.kind == CHOSEN)
}

/// The initial memory of a program.
pub fn loaded(program: &Elf) -> Memory {
    let mut memory = Memory::default();
    for (range, bytes) in program.loaded() {
        memory.map(range.clone());
        if let Some(bytes) = bytes {
            memory.write(range.start, bytes);
        }
    }
    // Where the address of a function that is selected at load time belongs, store that of the function which
    // selects it.
    for relocation in chosen(program) {
        memory.write_words(relocation.at, &[relocation.addend]);
    }
    memory
}
