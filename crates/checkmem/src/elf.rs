//! ELF files of 64 bits, as far as code is looked for in them, or run from them: sections, functions and their names.

use std::{collections::BTreeMap, fs, ops::Range, path::Path};

/// Section headers of this kind hold symbols.
const SYMBOLS: u32 = 2;
/// And those of this kind have no bytes in the file.
const EMPTY: u32 = 8;
/// Those of this kind hold relocations.
const RELOCATIONS: u32 = 4;
/// Sections with these flags are written, loaded, and executed.
const WRITTEN: u64 = 1;
const LOADED: u64 = 2;
const EXECUTED: u64 = 4;
/// A symbol of this kind is a function, or one that says which function it is.
const FUNCTION: u8 = 2;
const INDIRECT: u8 = 10;
/// What a program header of this kind lists is written by the loader alone.
const SEALED: u32 = 0x6474_e552;

/// What is loaded from a file.
struct Section {
    addresses: Range<u64>,
    offset: usize,
    flags: u64,
    kind: u32,
}

/// What the loader has to write.
#[derive(Clone, Copy, Debug)]
pub struct Relocation {
    /// Of which kind.
    pub kind: u32,
    /// Where.
    pub at: u64,
    /// A number that comes with it.
    pub addend: u64,
}

/// A file.
pub struct Elf {
    bytes: Vec<u8>,
    sections: Vec<Section>,
    /// The addresses after the last byte of functions, by those of the first. Empty where the file says nothing of them.
    pub functions: BTreeMap<u64, u64>,
    /// Where the names of functions are in the file, by the addresses of the first bytes.
    names: BTreeMap<u64, usize>,
    /// All of these names, of which an address may have several.
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
    /// Reads a file; None if it is none or no such one.
    pub fn read(path: &Path) -> Option<Self> {
        Self::parse(fs::read(path).ok()?)
    }

    /// Takes the bytes of one.
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

    /// Whether it runs wherever it is loaded; else at the addresses that it names.
    pub fn is_moved(&self) -> bool {
        self.bytes.get(16) == Some(&3)
    }

    fn section(&self, address: u64) -> Option<&Section> {
        let holds = |section: &&Section| section.kind != EMPTY && section.addresses.contains(&address);
        self.sections.iter().find(holds)
    }

    /// What stands at an address.
    pub fn at(&self, address: u64, size: usize) -> Option<&[u8]> {
        let section = self.section(address)?;
        let start = section.offset + (address - section.addresses.start) as usize;
        let is_there = address + size as u64 <= section.addresses.end;
        is_there.then(|| self.bytes.get(start..start + size)).flatten()
    }

    /// Changes a byte; false if none stands there.
    pub fn change(&mut self, address: u64, byte: u8) -> bool {
        let Some(section) = self.section(address) else { return false };
        let at = section.offset + (address - section.addresses.start) as usize;
        self.bytes.get_mut(at).map(|place| *place = byte).is_some()
    }

    /// The code: where it starts, and its bytes.
    pub fn code(&self) -> impl Iterator<Item = (u64, &[u8])> {
        self.sections.iter().filter(|section| section.flags & EXECUTED != 0).filter_map(|section| {
            let size = (section.addresses.end - section.addresses.start) as usize;
            Some((section.addresses.start, self.bytes.get(section.offset..section.offset + size)?))
        })
    }

    /// The function that an address lies in.
    pub fn function(&self, address: u64) -> Option<Range<u64>> {
        let (&start, &end) = self.functions.range(..=address).next_back()?;
        (address < end).then_some(start..end)
    }

    /// The name of the function that begins at an address, as the compiler wrote it.
    pub fn name(&self, start: u64) -> Option<&str> {
        let text = self.bytes.get(*self.names.get(&start)?..)?;
        core::str::from_utf8(text.split(|&byte| byte == 0).next()?).ok()
    }

    /// Where a function of a name begins; also one that is chosen when the program is loaded.
    pub fn symbol(&self, name: &str) -> Option<u64> {
        let is_named = |at: usize| {
            let text = self.bytes.get(at..)?;
            Some(text.strip_prefix(name.as_bytes())?.first()? == &0)
        };
        self.symbols.iter().find(|(_, at)| is_named(*at) == Some(true)).map(|&(address, _)| address)
    }

    /// What is loaded: where, and its bytes, or none where it is filled with zeros.
    pub fn loaded(&self) -> impl Iterator<Item = (Range<u64>, Option<&[u8]>)> {
        self.sections.iter().map(|section| {
            let Range { start, end } = section.addresses;
            let bytes = self.bytes.get(section.offset..section.offset + (end - start) as usize);
            (start..end, bytes.filter(|_| section.kind != EMPTY))
        })
    }

    /// What the program cannot write once it is loaded.
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

    /// What the loader has to write.
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
