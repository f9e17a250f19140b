//! Which of a core's registers hold those of a program: what is never wanted at the same time shares one.
//!
//! Registers share only if no stretch of instructions between two branches has both, so that operations which are scheduled
//! together are not in each other's way.

use alloc::{vec, vec::Vec};

use super::instruction::{Instruction, Program, Register};

pub(super) struct Allocation {
    /// The core's register of every one of the program.
    places: Vec<usize>,
    count: usize,
    pairs: usize,
}

impl Allocation {
    pub fn of(program: &Program) -> Self {
        let mut spans: Vec<Option<[usize; 2]>> = vec![None; program.registers.len()];
        let mut stretch = 0;
        for &(_, instruction) in &program.lines {
            // What is loaded belongs to what follows.
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

    /// How many registers there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// How many of them, the first ones, belong to pairs.
    pub fn paired(&self) -> usize {
        2 * self.pairs
    }

    /// The core's register.
    pub fn place(&self, register: Register) -> Register {
        match register {
            Register::Fixed(number) => Register::Fixed(self.places[number]),
            Register::Chosen { first, other } => Register::Chosen { first: self.places[first], other },
        }
    }
}

/// For each span, from the first stretch to the last, the first place that is free then; and how many places there are.
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
