//! Whether code that was proved is what ships: its instructions are looked for, byte by byte, in other files.
//!
//! A pattern is what was executed of one function: the bytes of its instructions at their places, whatever stands between them.
//! Where an instruction speaks of something else by its distance (a constant, or another function), the distance is left out. Where it
//! goes to a function of which something was executed, it has to go to a place where that was found.

use checkmem::{elf::Elf, load_bias};
use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction};
use std::collections::{BTreeMap, BTreeSet};

/// Instructions by their addresses in this process.
pub type Code = BTreeMap<u64, Vec<u8>>;

/// What was executed of one function.
pub struct Pattern {
    /// Its name.
    pub name: String,
    /// Instructions of it.
    pub instructions: usize,
    /// Its address in this process.
    address: u64,
    /// Bytes at their distances from the beginning.
    bytes: Vec<(u32, u8)>,
    /// The longest row of bytes without a gap: its distance from the beginning, its place in `bytes`, its length.
    anchor: (u32, usize, usize),
    /// Where a distance of four bytes stands that leads to a function of which something was executed, and its address.
    leads: Vec<(u32, u64)>,
}

/// Where a distance stands in an instruction that leads out of its function, and where it leads to.
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

/// What was executed of each function of this program.
pub fn patterns(code: &Code) -> Vec<Pattern> {
    let Some(own) = checkmem::program() else { return Vec::new() };
    let bias = load_bias();
    let mut functions: BTreeMap<u64, (u64, Vec<u64>)> = BTreeMap::new();
    for &ip in code.keys() {
        // What no function is known of stands for itself.
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
    /// The addresses of its bytes in the file of this program, but for those that are left out.
    pub fn addresses(&self) -> impl Iterator<Item = u64> {
        let start = self.address - load_bias();
        self.bytes.iter().map(move |&(at, _)| start + u64::from(at))
    }

    /// Where in the file of this program distances stand that lead to another function of which something was executed.
    pub fn leads(&self) -> impl Iterator<Item = u64> {
        let start = self.address - load_bias();
        self.leads.iter().map(move |&(at, _)| start + u64::from(at))
    }

    /// All addresses in a file at which this stands.
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

    /// Whether all that this leads to from a place has been found where it leads.
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

/// For each pattern whether it stands in a file.
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
