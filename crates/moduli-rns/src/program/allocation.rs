//! The assignment of a core's registers to those of a program. Registers that are not needed at the same time
//! share one.
//!
//! Registers share one only if no section of instructions between two branches uses both, so that sharing
//! does not restrict the order of operations that are scheduled together.

use alloc::{vec, vec::Vec};

use super::instruction::{Instruction, Program, Register};

pub(super) struct Allocation {
    /// For each register of the program, the register of the core.
    places: Vec<usize>,
    count: usize,
    pairs: usize,
}

impl Allocation {
    pub fn of(program: &Program) -> Self {
        let mut spans: Vec<Option<[usize; 2]>> = vec![None; program.registers.len()];
        let mut stretch = 0;
        for &(_, instruction) in &program.lines {
            // A load belongs to the section that follows it.
            if matches!(
                instruction,
                Instruction::Load(_)
                    | Instruction::Random(_)
                    | Instruction::Next
                    | Instruction::Loop(_)
                    | Instruction::End
            ) {
                stretch += 1;
            }
            for register in instruction.sources().into_iter().chain([instruction.target()]).flatten() {
                for number in register.candidates() {
                    let span = spans[number].get_or_insert([stretch; 2]);
                    span[1] = stretch;
                }
            }
            if matches!(instruction, Instruction::Store(_) | Instruction::Check(_)) {
                stretch += 1;
            }
        }
        let mut places = vec![0; spans.len()];
        let pairs: Vec<Option<[usize; 2]>> = spans[..2 * program.pairs]
            .chunks_exact(2)
            .map(|pair| pair.iter().flatten().copied().reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]))
            .collect();
        let (of_pairs, count) = share(&pairs);
        for (number, place) in of_pairs.iter().enumerate() {
            (places[2 * number], places[2 * number + 1]) = (2 * place, 2 * place + 1);
        }
        let (singles, more) = share(&spans[2 * program.pairs..]);
        for (number, place) in singles.iter().enumerate() {
            places[2 * program.pairs + number] = 2 * count + place;
        }
        Self { places, count: 2 * count + more, pairs: count }
    }

    /// The number of registers of the core.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The number of registers that belong to pairs, which come first.
    pub fn paired(&self) -> usize {
        2 * self.pairs
    }

    /// The register of the core for a register of the program.
    pub fn place(&self, register: Register) -> Register {
        match register {
            Register::Fixed(number) => Register::Fixed(self.places[number]),
            Register::Chosen { first, other } => Register::Chosen { first: self.places[first], other },
        }
    }
}

/// For each span, from its first section to its last, finds the first place that is free. Returns the places
/// and their number.
fn share(spans: &[Option<[usize; 2]>]) -> (Vec<usize>, usize) {
    let mut order: Vec<usize> = (0..spans.len()).collect();
    order.sort_by_key(|&each| spans[each]);
    let (mut places, mut ends) = (vec![0; spans.len()], Vec::new());
    for each in order {
        let Some([from, to]) = spans[each] else { continue };
        let place = ends.iter().position(|&end| end < from).unwrap_or_else(|| {
            ends.push(0);
            ends.len() - 1
        });
        (places[each], ends[place]) = (place, to);
    }
    (places, ends.len())
}
