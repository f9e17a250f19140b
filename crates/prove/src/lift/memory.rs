//! The state of memory: which words depend on symbols, and which bytes may be read as they were recorded.

use std::{collections::HashMap, fs, ops::Range};

use crate::system::Id;

/// The memory that an operation may read and write.
#[derive(Clone, Debug, Default)]
pub struct Territory {
    /// Ranges that may be read as they were recorded: addresses and lengths, which are the same for all
    /// operands and for moduli of one length.
    pub public: Vec<Range<u64>>,
    /// Ranges that may be written.
    pub writable: Vec<Range<u64>>,
}

/// The known contents of memory.
pub(crate) struct Memory {
    /// Aligned words that depend on symbols.
    symbolic: HashMap<u64, Id>,
    /// Single bytes and halves of words that depend on symbols, by their bytes, with the address and the
    /// length: carries and masks that code has stored.
    bytes: HashMap<u64, (Id, u64, usize)>,
    /// Aligned words that were partly written.
    written: HashMap<u64, Written>,
    territory: Territory,
    read_only: Vec<Range<u64>>,
    /// Memory that was allocated and not freed.
    allocated: Vec<Range<u64>>,
}

/// The state of an aligned word.
#[derive(Clone, Copy, Default)]
struct Written {
    /// The bytes that have their recorded values, one bit for each.
    known: u8,
    /// Whether the other bytes are the rest of a symbol, or were left by a call. Then they are unknown,
    /// declared or not.
    is_lost: bool,
}

/// The ranges of this process's memory that cannot be written.
pub(super) fn read_only() -> Vec<Range<u64>> {
    let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let ranges = maps.lines().filter_map(|line| {
        let (range, rest) = line.split_once(' ')?;
        let (from, to) = range.split_once('-')?;
        let range = u64::from_str_radix(from, 16).ok()?..u64::from_str_radix(to, 16).ok()?;
        rest.starts_with("r").then_some(())?;
        (rest.as_bytes().get(1) == Some(&b'-')).then_some(range)
    });
    ranges.collect()
}

fn is_within(ranges: &[Range<u64>], from: u64, to: u64) -> bool {
    ranges.iter().any(|range| range.start <= from && to <= range.end)
}

impl Memory {
    pub(crate) fn new(territory: Territory, read_only: Vec<Range<u64>>) -> Self {
        Self {
            symbolic: HashMap::new(),
            bytes: HashMap::new(),
            written: HashMap::new(),
            territory,
            read_only,
            allocated: Vec::new(),
        }
    }

    /// The symbolic word at an aligned address.
    pub(crate) fn word(&self, address: u64) -> Option<Id> {
        self.symbolic.get(&address).copied()
    }

    /// Whether any of these bytes depends on a symbol.
    pub(crate) fn is_symbolic(&self, address: u64, size: usize) -> bool {
        words(address, size).any(|at| self.symbolic.contains_key(&at))
            || (!self.bytes.is_empty()
                && (address..address + size as u64).any(|at| self.bytes.contains_key(&at)))
    }

    /// The integer in this many bytes at an address, fewer than a word.
    pub(crate) fn part(&self, address: u64, size: usize) -> Option<Id> {
        let part @ &(id, ..) = self.bytes.get(&address)?;
        let is_whole = |at: u64| self.bytes.get(&at) == Some(part);
        (*part == (id, address, size) && (address..address + size as u64).all(is_whole)).then_some(id)
    }

    /// Sets a byte, or an aligned half of a word, to an integer.
    pub(crate) fn set_part(&mut self, address: u64, size: usize, id: Id) {
        self.set_known(address, size);
        let written = self.written.entry(address & !7).or_default();
        written.known &= !covered(address & !7, address, size);
        written.is_lost = true;
        self.bytes.extend((address..address + size as u64).map(|at| (at, (id, address, size))));
    }

    fn forget_bytes(&mut self, address: u64, size: usize) {
        if !self.bytes.is_empty() {
            (address..address + size as u64).for_each(|at| {
                self.bytes.remove(&at);
            });
        }
    }

    /// Whether all of these bytes are the same for all operands and moduli.
    pub(crate) fn is_known(&self, address: u64, size: usize) -> bool {
        let end = address + size as u64;
        words(address, size).all(|at| {
            let written = self.written.get(&at).copied().unwrap_or_default();
            let wanted = covered(at, address, size);
            let (from, to) = (address.max(at), end.min(at + 8));
            let is_declared =
                || is_within(&self.territory.public, from, to) || is_within(&self.read_only, from, to);
            written.known & wanted == wanted || (!written.is_lost && is_declared())
        })
    }

    /// Whether the operation may write these bytes.
    pub(crate) fn is_writable(&self, address: u64, size: usize) -> bool {
        let end = address + size as u64;
        is_within(&self.territory.writable, address, end) || is_within(&self.allocated, address, end)
    }

    /// Makes this many bytes the operation's own.
    pub(crate) fn allocate(&mut self, address: u64, size: u64) {
        if address != 0 {
            self.forget(address, size as usize);
            self.allocated.push(address..address + size);
        }
    }

    /// Takes allocated bytes away from the operation.
    pub(crate) fn give_back(&mut self, address: u64) {
        if let Some(place) = self.allocated.iter().position(|range| range.start == address) {
            let range = self.allocated.swap_remove(place);
            self.forget(address, (range.end - range.start) as usize);
        }
    }

    /// Sets these bytes to their recorded values. The rest of symbolic words is lost.
    pub(crate) fn set_known(&mut self, address: u64, size: usize) {
        self.forget_bytes(address, size);
        for at in words(address, size) {
            let was_symbolic = self.symbolic.remove(&at).is_some();
            let written = self.written.entry(at).or_default();
            written.known |= covered(at, address, size);
            written.is_lost |= was_symbolic;
        }
    }

    /// Sets this aligned word to an integer.
    pub(crate) fn set_symbolic(&mut self, address: u64, id: Id) {
        self.forget_bytes(address, 8);
        self.written.remove(&address);
        self.symbolic.insert(address, id);
    }

    /// Sets this aligned word to 0, its recorded value.
    pub(crate) fn set_zero(&mut self, address: u64) {
        self.symbolic.remove(&address);
        self.set_known(address, 8);
    }

    /// Makes these bytes unknown.
    pub(crate) fn forget(&mut self, address: u64, size: usize) {
        self.forget_bytes(address, size);
        for at in words(address, size) {
            self.symbolic.remove(&at);
            self.written.insert(at, Written { known: 0, is_lost: true });
        }
    }
}

/// The aligned words that contain these bytes.
pub(crate) fn words(address: u64, size: usize) -> impl Iterator<Item = u64> {
    (address & !7..address + size as u64).step_by(8)
}

/// The bytes of an aligned word that are among these, one bit for each.
fn covered(word: u64, address: u64, size: usize) -> u8 {
    (0..8).filter(|i| (address..address + size as u64).contains(&(word + i))).fold(0, |bits, i| bits | 1 << i)
}
