//! Names of addresses of this program, from its own table of symbols.

use std::{fs, sync::OnceLock};

/// A function of the program: where it begins in memory, how long it is, and its name.
struct Symbol {
    start: u64,
    length: u64,
    name: String,
}

/// Where the program was loaded, and its functions by their beginnings.
struct Symbols {
    base: u64,
    functions: Vec<Symbol>,
}

const EXECUTABLE: &str = "/proc/self/exe";

fn symbols() -> &'static Symbols {
    static SYMBOLS: OnceLock<Symbols> = OnceLock::new();
    SYMBOLS.get_or_init(|| {
        let base = base().unwrap_or(0);
        let mut functions =
            fs::read(EXECUTABLE).ok().and_then(|file| functions(&file, base)).unwrap_or_default();
        functions.sort_by_key(|function| function.start);
        Symbols { base, functions }
    })
}

/// Where the first page of the program lies; 0 for a program that is not moved.
fn base() -> Option<u64> {
    let path = fs::read_link(EXECUTABLE).ok()?;
    let maps = fs::read_to_string("/proc/self/maps").ok()?;
    let first = maps.lines().find(|line| line.ends_with(path.to_str().unwrap_or_default()))?;
    let is_moved = fs::read(EXECUTABLE).ok()?.get(16) == Some(&3);
    if is_moved { u64::from_str_radix(first.split('-').next()?, 16).ok() } else { Some(0) }
}

/// The functions in the table of symbols of an ELF file of 64 bits, little-endian.
fn functions(file: &[u8], base: u64) -> Option<Vec<Symbol>> {
    let word = |at: u64, bytes: usize| {
        let field = file.get(usize::try_from(at).ok()?..)?.get(..bytes)?;
        Some(field.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte)))
    };
    let (sections, size, count) = (word(40, 8)?, word(58, 2)?, word(60, 2)?);
    // Address, offset, length and linked section of each.
    let section = |i: u64| {
        let at = sections + i * size;
        Some((word(at + 4, 4)?, word(at + 24, 8)?, word(at + 32, 8)?, word(at + 40, 4)?))
    };
    let (_, table, length, names) = (0..count).filter_map(section).find(|section| section.0 == 2)?;
    let (_, names, ..) = section(names)?;
    let functions = (0..length / 24).filter_map(|i| {
        let at = table + 24 * i;
        let (name, kind, start, length) =
            (word(at, 4)?, word(at + 4, 1)?, word(at + 8, 8)?, word(at + 16, 8)?);
        let text = file.get(usize::try_from(names + name).ok()?..)?;
        let text = std::str::from_utf8(text.split(|&byte| byte == 0).next()?).ok()?;
        let name = format!("{:#}", rustc_demangle::demangle(text));
        (kind & 15 == 2 && start > 0).then_some(Symbol { start: base + start, length, name })
    });
    Some(functions.collect())
}

/// The name of the function of this program that an address lies in, itself and not what was inlined into it; empty if there is none.
pub fn function_at(address: u64) -> String {
    let functions = &symbols().functions;
    let after = functions.partition_point(|function| function.start <= address);
    let function = functions[..after].last().filter(|function| address - function.start < function.length);
    function.map_or(String::new(), |function| function.name.clone())
}

/// The function of an address, and what tells its lines and what was inlined there: not asked here, for it takes a second each time.
pub(crate) fn place(address: u64) -> Vec<String> {
    let path = fs::read_link(EXECUTABLE).unwrap_or_default();
    let within = address.wrapping_sub(symbols().base);
    vec![function_at(address), format!("addr2line -f -C -i -e {} {within:#x}", path.display())]
}
