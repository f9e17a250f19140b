//! The executable file of this program: its load address, and the names of its functions.

use std::{fs, path::Path, sync::OnceLock};

use crate::elf::Elf;

const EXECUTABLE: &str = "/proc/self/exe";

/// The file from which this program was started; None if it cannot be read.
pub fn program() -> Option<&'static Elf> {
    static PROGRAM: OnceLock<Option<Elf>> = OnceLock::new();
    PROGRAM.get_or_init(|| Elf::read(Path::new(EXECUTABLE))).as_ref()
}

/// The load address of this program, which is added to the addresses in its file.
pub fn load_bias() -> u64 {
    static BIAS: OnceLock<u64> = OnceLock::new();
    *BIAS.get_or_init(|| {
        if !program().is_some_and(Elf::is_moved) {
            return 0;
        }
        let own = fs::read_link(EXECUTABLE).unwrap_or_default();
        let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
        let first = maps.lines().find(|line| line.ends_with(&*own.to_string_lossy()));
        first.and_then(|line| u64::from_str_radix(line.split('-').next()?, 16).ok()).unwrap_or_default()
    })
}

/// The name of the function of this program that contains an address; not that of an inlined function. Empty
/// if there is none.
pub fn function_at(address: u64) -> String {
    let found = program().and_then(|program| {
        let function = program.function(address.wrapping_sub(load_bias()))?;
        program.name(function.start)
    });
    found.map_or(String::new(), |name| format!("{:#}", rustc_demangle::demangle(name)))
}

/// The function that contains an address, and a command that prints its lines and inlined functions. The
/// command is not run here, because it takes a second each time.
pub(crate) fn place(address: u64) -> Vec<String> {
    let path = fs::read_link(EXECUTABLE).unwrap_or_default();
    let within = address.wrapping_sub(load_bias());
    vec![function_at(address), format!("addr2line -f -C -i -e {} {within:#x}", path.display())]
}
