//! Checks that proved code is what ships: its instructions are searched for, byte by byte, in other files.
//!
//! A pattern consists of the bytes of one function's executed instructions at their places, whatever is
//! between them. If an instruction refers to something else by its distance (a constant, or another
//! function), the distance is left out. If it leads to a function that was executed too, it has to lead to a
//! place where that function was found.

use checkmem::{elf::Elf, load_bias};
use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction};
use std::collections::{BTreeMap, BTreeSet};

/// Instructions by their addresses in this process.
pub type Code = BTreeMap<u64, Vec<u8>>;

/// The executed instructions of one function.
pub struct Pattern {
    /// Its name.
    pub name: String,
    /// The number of instructions.
    pub instructions: usize,
    /// Its address in this process.
    address: u64,
    /// Bytes, with their distances from the beginning.
    bytes: Vec<(u32, u8)>,
    /// The longest run of bytes without a gap: its distance from the beginning, its place in `bytes`, its
    /// length.
    anchor: (u32, usize, usize),
    /// The places of four-byte distances that lead to a function which was executed too, and its address.
    leads: Vec<(u32, u64)>,
}

/// The place and length of the distance in an instruction that leads out of its function, and its target.
fn distance(
    instruction: &Instruction,
    bytes: &[u8],
    is_inside: impl Fn(u64) -> bool,
) -> Option<(usize, usize, u64)> {
    let size = bytes.len();
    if instruction.is_ip_rel_memory_operand() {
        let mut decoder = Decoder::with_ip(64, bytes, instruction.ip(), DecoderOptions::NONE);
        let again = decoder.decode();
        let offsets = decoder.get_constant_offsets(&again);
        let (at, length) = (offsets.displacement_offset(), offsets.displacement_size());
        return Some((at, length, instruction.ip_rel_memory_address()));
    }
    let target = instruction.near_branch_target();
    let leads = matches!(
        instruction.flow_control(),
        FlowControl::Call | FlowControl::UnconditionalBranch | FlowControl::ConditionalBranch
    );
    (leads && target != 0 && !is_inside(target) && size >= 5).then(|| (size - 4, 4, target))
}

/// A pattern for each executed function of this program.
pub fn patterns(code: &Code) -> Vec<Pattern> {
    let Some(own) = checkmem::program() else { return Vec::new() };
    let bias = load_bias();
    let mut functions: BTreeMap<u64, (u64, Vec<u64>)> = BTreeMap::new();
    for &ip in code.keys() {
        // An instruction in no known function is a pattern of its own.
        let range = own.function(ip - bias).unwrap_or(ip - bias..ip - bias + 1);
        functions.entry(range.start + bias).or_insert((range.end + bias, Vec::new())).1.push(ip);
    }
    let starts: BTreeSet<u64> = functions.keys().copied().collect();
    let mut patterns = Vec::new();
    for (start, (end, ips)) in functions {
        let (mut bytes, mut leads) = (Vec::new(), Vec::new());
        for &ip in &ips {
            let these = &code[&ip];
            let instruction = Decoder::with_ip(64, these, ip, DecoderOptions::NONE).decode();
            let left_out = distance(&instruction, these, |target| (start..end).contains(&target));
            let from = (ip - start) as u32;
            for (i, &byte) in these.iter().enumerate() {
                if !left_out.is_some_and(|(at, length, _)| (at..at + length).contains(&i)) {
                    bytes.push((from + i as u32, byte));
                }
            }
            if let Some((at, _, target)) = left_out.filter(|(_, _, target)| starts.contains(target)) {
                leads.push((from + at as u32, target));
            }
        }
        let anchor = longest_row(&bytes);
        patterns.push(Pattern {
            name: checkmem::function_at(start + 1),
            instructions: ips.len(),
            address: start,
            bytes,
            anchor,
            leads,
        });
    }
    patterns
}

fn longest_row(bytes: &[(u32, u8)]) -> (u32, usize, usize) {
    let (mut longest, mut from) = ((0, 0, 0), 0);
    for i in 1..=bytes.len() {
        if i == bytes.len() || bytes[i].0 != bytes[i - 1].0 + 1 {
            if i - from > longest.2 {
                longest = (bytes[from].0, from, i - from);
            }
            from = i;
        }
    }
    longest
}

impl Pattern {
    /// The addresses of its bytes in the file of this program, without those that are left out.
    pub fn addresses(&self) -> impl Iterator<Item = u64> {
        let start = self.address - load_bias();
        self.bytes.iter().map(move |&(at, _)| start + u64::from(at))
    }

    /// The addresses of distances in the file of this program that lead to another function which was
    /// executed too.
    pub fn leads(&self) -> impl Iterator<Item = u64> {
        let start = self.address - load_bias();
        self.leads.iter().map(move |&(at, _)| start + u64::from(at))
    }

    /// All addresses in a file at which this pattern occurs.
    fn places(&self, file: &Elf) -> BTreeSet<u64> {
        let (distance, from, length) = self.anchor;
        let row: Vec<u8> = self.bytes[from..from + length].iter().map(|&(_, byte)| byte).collect();
        let mut places = BTreeSet::new();
        for (start, code) in file.code() {
            let found = code.windows(length).enumerate().filter(|(_, window)| *window == row);
            for at in found.filter_map(|(at, _)| at.checked_sub(distance as usize)) {
                if self.bytes.iter().all(|&(i, byte)| code.get(at + i as usize) == Some(&byte)) {
                    places.insert(start + at as u64);
                }
            }
        }
        places
    }

    /// Whether each function that the pattern leads to, if it is at `place`, was found at the target.
    fn leads_right(&self, place: u64, file: &Elf, found: &BTreeMap<u64, BTreeSet<u64>>) -> bool {
        self.leads.iter().all(|&(at, target)| {
            let at = place + u64::from(at);
            let distance = file.at(at, 4).and_then(|bytes| bytes.try_into().ok()).map(i32::from_le_bytes);
            distance.is_some_and(|distance| {
                found[&target].contains(&(at + 4).wrapping_add_signed(distance.into()))
            })
        })
    }
}

/// For each pattern, whether it occurs in a file.
pub fn find(patterns: &[Pattern], file: &Elf) -> Vec<bool> {
    let mut found: BTreeMap<u64, BTreeSet<u64>> =
        patterns.iter().map(|pattern| (pattern.address, pattern.places(file))).collect();
    loop {
        let mut wrong = Vec::new();
        for pattern in patterns {
            for &place in &found[&pattern.address] {
                if !pattern.leads_right(place, file, &found) {
                    wrong.push((pattern.address, place));
                }
            }
        }
        if wrong.is_empty() {
            return patterns.iter().map(|pattern| !found[&pattern.address].is_empty()).collect();
        }
        for (address, place) in wrong {
            found.entry(address).or_default().remove(&place);
        }
    }
}
