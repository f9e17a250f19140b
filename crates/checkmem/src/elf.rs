//! A reader for the parts of 64-bit ELF files that are needed to find or run code: sections, functions and
//! their names.

use std::{collections::BTreeMap, fs, ops::Range, path::Path};

/// The kind of sections that contain symbols.
const SYMBOLS: u32 = 2;
/// The kind of sections without bytes in the file.
const EMPTY: u32 = 8;
/// The kind of sections that contain relocations.
const RELOCATIONS: u32 = 4;
/// The flags of sections that are writable, loaded and executable.
const WRITTEN: u64 = 1;
const LOADED: u64 = 2;
const EXECUTED: u64 = 4;
/// The kinds of symbols that are functions, or functions that select a function at load time.
const FUNCTION: u8 = 2;
const INDIRECT: u8 = 10;
/// The kind of program headers for memory that only the loader writes.
const SEALED: u32 = 0x6474_e552;

/// A section that is loaded.
struct Section {
    addresses: Range<u64>,
    offset: usize,
    flags: u64,
    kind: u32,
}

/// A place that the loader must fill in.
#[derive(Clone, Copy, Debug)]
pub struct Relocation {
    /// The kind of relocation.
    pub kind: u32,
    /// The address.
    pub at: u64,
    /// A constant that belongs to it.
    pub addend: u64,
}

/// An ELF file.
pub struct Elf {
    bytes: Vec<u8>,
    sections: Vec<Section>,
    /// The end addresses of functions, by their start addresses. Empty if the file has no symbols.
    pub functions: BTreeMap<u64, u64>,
    /// The positions of the functions' names in the file, by their start addresses.
    names: BTreeMap<u64, usize>,
    /// All of these names; an address can have several.
    symbols: Vec<(u64, usize)>,
}

fn number<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..)?.first_chunk().copied()
}

fn word(bytes: &[u8], at: usize) -> Option<u64> {
    number(bytes, at).map(u64::from_le_bytes)
}

fn half(bytes: &[u8], at: usize) -> Option<u32> {
    number(bytes, at).map(u32::from_le_bytes)
}

fn quarter(bytes: &[u8], at: usize) -> Option<usize> {
    number(bytes, at).map(u16::from_le_bytes).map(usize::from)
}

impl Elf {
    /// Reads a file. Returns None if there is no file, or if it is of another kind.
    pub fn read(path: &Path) -> Option<Self> {
        Self::parse(fs::read(path).ok()?)
    }

    /// Parses the bytes of a file.
    pub fn parse(bytes: Vec<u8>) -> Option<Self> {
        if !bytes.starts_with(b"\x7fELF\x02\x01") {
            return None;
        }
        let (table, size, count) =
            (word(&bytes, 0x28)? as usize, quarter(&bytes, 0x3a)?, quarter(&bytes, 0x3c)?);
        let (mut sections, mut functions, mut names) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
        let mut symbols = Vec::new();
        for header in (0..count).map(|i| table + i * size) {
            let (kind, flags) = (half(&bytes, header + 4)?, word(&bytes, header + 8)?);
            let (address, offset) = (word(&bytes, header + 16)?, word(&bytes, header + 24)? as usize);
            let length = word(&bytes, header + 32)?;
            if kind == SYMBOLS {
                let texts = table + half(&bytes, header + 40)? as usize * size;
                let texts = word(&bytes, texts + 24)? as usize;
                for symbol in bytes.get(offset..offset + length as usize)?.chunks_exact(24) {
                    let (value, size) = (word(symbol, 8)?, word(symbol, 16)?);
                    let (kind, name) = (symbol[4] & 15, texts + half(symbol, 0)? as usize);
                    if kind == FUNCTION && size > 0 {
                        functions.insert(value, value + size);
                        names.insert(value, name);
                    }
                    if kind == FUNCTION || kind == INDIRECT {
                        symbols.push((value, name));
                    }
                }
            } else if address != 0 && flags & LOADED != 0 {
                sections.push(Section { addresses: address..address + length, offset, flags, kind });
            }
        }
        Some(Self { bytes, sections, functions, names, symbols })
    }

    /// Whether the program can be loaded anywhere; otherwise at the addresses in the file.
    pub fn is_moved(&self) -> bool {
        self.bytes.get(16) == Some(&3)
    }

    fn section(&self, address: u64) -> Option<&Section> {
        let holds = |section: &&Section| section.kind != EMPTY && section.addresses.contains(&address);
        self.sections.iter().find(holds)
    }

    /// The bytes at an address.
    pub fn at(&self, address: u64, size: usize) -> Option<&[u8]> {
        let section = self.section(address)?;
        let start = section.offset + (address - section.addresses.start) as usize;
        let is_there = address + size as u64 <= section.addresses.end;
        is_there.then(|| self.bytes.get(start..start + size)).flatten()
    }

    /// Changes a byte. Returns false if there is no byte at this address.
    pub fn change(&mut self, address: u64, byte: u8) -> bool {
        let Some(section) = self.section(address) else { return false };
        let at = section.offset + (address - section.addresses.start) as usize;
        self.bytes.get_mut(at).map(|place| *place = byte).is_some()
    }

    /// The code: start addresses and bytes.
    pub fn code(&self) -> impl Iterator<Item = (u64, &[u8])> {
        self.sections.iter().filter(|section| section.flags & EXECUTED != 0).filter_map(|section| {
            let size = (section.addresses.end - section.addresses.start) as usize;
            Some((section.addresses.start, self.bytes.get(section.offset..section.offset + size)?))
        })
    }

    /// The function that contains an address.
    pub fn function(&self, address: u64) -> Option<Range<u64>> {
        let (&start, &end) = self.functions.range(..=address).next_back()?;
        (address < end).then_some(start..end)
    }

    /// The name of the function that starts at an address, as the compiler wrote it.
    pub fn name(&self, start: u64) -> Option<&str> {
        let text = self.bytes.get(*self.names.get(&start)?..)?;
        core::str::from_utf8(text.split(|&byte| byte == 0).next()?).ok()
    }

    /// The start address of the function with a name, even if the function is selected at load time.
    pub fn symbol(&self, name: &str) -> Option<u64> {
        let is_named = |at: usize| {
            let text = self.bytes.get(at..)?;
            Some(text.strip_prefix(name.as_bytes())?.first()? == &0)
        };
        self.symbols.iter().find(|(_, at)| is_named(*at) == Some(true)).map(|&(address, _)| address)
    }

    /// The loaded sections: their addresses and bytes, or None if they are filled with zeros.
    pub fn loaded(&self) -> impl Iterator<Item = (Range<u64>, Option<&[u8]>)> {
        self.sections.iter().map(|section| {
            let Range { start, end } = section.addresses;
            let bytes = self.bytes.get(section.offset..section.offset + (end - start) as usize);
            (start..end, bytes.filter(|_| section.kind != EMPTY))
        })
    }

    /// The addresses that the program cannot write after loading.
    pub fn read_only(&self) -> Vec<Range<u64>> {
        let of_sections = self.sections.iter().filter(|section| section.flags & WRITTEN == 0);
        let mut ranges: Vec<_> = of_sections.map(|section| section.addresses.clone()).collect();
        let table = word(&self.bytes, 0x20).unwrap_or_default() as usize;
        let (size, count) = (quarter(&self.bytes, 0x36), quarter(&self.bytes, 0x38));
        for header in (0..count.unwrap_or_default()).map(|i| table + i * size.unwrap_or_default()) {
            if half(&self.bytes, header) == Some(SEALED)
                && let (Some(start), Some(length)) =
                    (word(&self.bytes, header + 16), word(&self.bytes, header + 40))
            {
                ranges.push(start..start + length);
            }
        }
        ranges
    }

    /// The places that the loader must fill in.
    pub fn relocations(&self) -> Vec<Relocation> {
        let tables = self.sections.iter().filter(|section| section.kind == RELOCATIONS);
        let entries = tables.flat_map(|section| {
            let size = (section.addresses.end - section.addresses.start) as usize;
            self.bytes.get(section.offset..section.offset + size).unwrap_or_default().chunks_exact(24)
        });
        let relocation = |entry: &[u8]| {
            Some(Relocation { kind: half(entry, 8)?, at: word(entry, 0)?, addend: word(entry, 16)? })
        };
        entries.filter_map(relocation).collect()
    }
}
