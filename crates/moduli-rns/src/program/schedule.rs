//! The schedule of a program on a Cox–Rower core: one word of microcode for every cycle.
//!
//! A core issues one operation per cycle for all channels, in either base. A later issue can read the result
//! after [`Timing::read`] cycles. A product x·y consists of these parts: chunk products x_k·y in both bases,
//! where the first factor is split into [`Timing::chunks`] chunks x_k; their sum times a constant, whose
//! digits go into the ring; and two base extensions. Each part is a row of issues that cannot be interrupted.
//! There are 2(n + 1) + 4·chunks issues ([`crate::montgomery`] has the constants). Other products and sums
//! are issued between the parts. The schedule is computed when the program is assembled, and is the same for
//! all operands.

use alloc::vec::Vec;

use super::{
    allocation::Allocation,
    assembled::Assembled,
    instruction::{Instruction, Register},
    issue::{Addend, Constant, Control, Entry, Factor, Issue, Left, Right, Timing, Word},
    operation::Operation,
    placement,
};

/// The schedule of a program: its words of microcode, and the size of the register files.
#[derive(Clone, Debug)]
pub struct Schedule {
    words: Vec<Word>,
    temporary: usize,
    paired: usize,
    sets: usize,
    timing: Timing,
}

struct Writer {
    words: Vec<Word>,
    timing: Timing,
    block: Vec<Operation>,
    sets: usize,
    /// The number of the first temporary entry.
    temporary: usize,
    /// Whether a scalar was requested and no wait for it has followed.
    awaited: bool,
}

impl Schedule {
    /// Computes the schedule of a program for a core with these parameters.
    pub fn new(program: &Assembled, timing: Timing) -> Self {
        let allocation = Allocation::of(program.program());
        // One more register, for results to be output.
        let leaving = Register::Fixed(allocation.count());
        let temporary = 2 * (allocation.count() + 1);
        let mut writer =
            Writer { words: Vec::new(), timing, block: Vec::new(), sets: 0, temporary, awaited: false };
        let mut open = 0;
        for (index, &(_, instruction)) in program.program().lines().iter().enumerate() {
            let multiple = program.bounds()[index].multiple;
            let instruction = instruction.with_registers(|register| allocation.place(register));
            writer.settle(instruction);
            match instruction {
                Instruction::Load(to) | Instruction::Random(to) => {
                    writer.flush_unless_loads(to);
                    let random = matches!(instruction, Instruction::Random(_));
                    writer.load(to, if random { Control::TakeRandom } else { Control::TakeOperand });
                    let constants = [false, true].map(|second| Constant::Enter { second });
                    writer.block.push(Operation::Scale { to, from: to, constants });
                }
                Instruction::Constant(to, number) => writer.block.push(Operation::Constant { to, number }),
                Instruction::Multiply([to, a, b]) => writer.block.push(Operation::Product { to, a, b }),
                Instruction::Add([to, a, b], twice) => {
                    writer.block.push(Operation::Sum { to, a, b: Some(b), twice, minus: None });
                }
                Instruction::Subtract([to, a, b], twice) => {
                    writer.block.push(Operation::Sum { to, a, b: Some(b), twice, minus: Some(multiple) });
                }
                Instruction::Copy([to, a]) => {
                    writer.block.push(Operation::Sum { to, a, b: None, twice: false, minus: None });
                }
                Instruction::Store(from) | Instruction::Check(from) => {
                    let constants = [false, true].map(|second| Constant::Leave { second });
                    writer.block.push(Operation::Scale { to: leaving, from, constants });
                    writer.flush();
                    let leaves = matches!(instruction, Instruction::Store(_));
                    writer.store(leaving, if leaves { Control::Unload } else { Control::Judge });
                }
                Instruction::Places => {
                    writer.flush();
                    writer.control(Control::TakePlaces);
                    writer.wait(Control::AwaitPlaces);
                }
                Instruction::Scalar(source) => {
                    writer.flush_if_chosen();
                    writer.control(Control::TakeScalar(source));
                    writer.awaited = true;
                }
                Instruction::Next => {
                    writer.flush();
                    writer.words.push(Word { next_bit: true, ..Word::default() });
                }
                Instruction::Loop(_) => {
                    writer.flush();
                    writer.control(Control::Count(program.turns()[index].saturating_sub(1)));
                    open = writer.words.len();
                }
                Instruction::End => writer.repeat(open),
            }
        }
        writer.flush();
        // The operands of the next program do not belong to this one.
        writer.settle(Instruction::Next);
        writer.control(Control::Finish);
        // For the case that a branch is not taken, and after the end.
        writer.control(Control::Nothing);
        let paired = 2 * allocation.paired();
        Self { words: writer.words, temporary, paired, sets: writer.sets, timing }
    }

    /// Returns the words of microcode.
    pub fn words(&self) -> &[Word] {
        &self.words
    }

    /// Returns the number of entries in the register files: two per register, and those for chunk products.
    pub fn entries(&self) -> usize {
        self.temporary + 2 * self.timing.chunks * self.sets
    }

    /// Returns the number of entries that belong to registers.
    pub fn registers(&self) -> usize {
        self.temporary
    }

    /// Returns the number of entries that belong to registers of pairs. These entries come first.
    pub fn paired(&self) -> usize {
        self.paired
    }

    /// Returns the largest number of quotients that are stored at the same time.
    pub fn quotients(&self) -> usize {
        self.sets
    }

    /// Returns the parameters of the core.
    pub fn timing(&self) -> Timing {
        self.timing
    }

    /// Returns the number of words that the core executes from the first to the last, including every
    /// iteration of every loop. Cycles in which the core waits are not included.
    pub fn cycles(&self) -> u64 {
        let (mut at, mut cycles, mut again) = (0usize, 0u64, 0u32);
        let mut branch = None;
        while let Some(word) = self.words.get(at) {
            cycles += 1;
            let next = branch.take().unwrap_or(at + 1);
            match word.control {
                Control::Count(count) => again = count,
                Control::Repeat(target) if again > 0 => {
                    again -= 1;
                    branch = Some(target);
                }
                Control::Finish => break,
                _ => {}
            }
            at = next;
        }
        cycles
    }
}

impl Writer {
    fn control(&mut self, control: Control) {
        self.words.push(Word { control, ..Word::default() });
    }

    /// Writes a word that is repeated until an event, and the word that is executed after it each time.
    fn wait(&mut self, control: impl Fn(usize) -> Control) {
        let at = self.words.len();
        self.control(control(at));
        self.control(Control::Nothing);
    }

    /// Waits for the scalar before an instruction uses its bits, or requests another operand.
    fn settle(&mut self, next: Instruction) {
        let mut registers = next.sources().into_iter().chain([next.target()]).flatten();
        let looks = registers.any(|register| matches!(register, Register::Chosen { .. }));
        let turns = matches!(
            next,
            Instruction::Next
                | Instruction::Loop(_)
                | Instruction::Load(_)
                | Instruction::Random(_)
                | Instruction::Places
                | Instruction::Scalar(_)
        );
        if self.awaited && (looks || turns) {
            self.flush();
            self.wait(Control::AwaitScalar);
            self.awaited = false;
        }
    }

    /// Writes the words of the collected operations.
    fn flush(&mut self) {
        let block = core::mem::take(&mut self.block);
        if block.is_empty() {
            return;
        }
        let placed = placement::place(&block, self.timing, self.temporary, false);
        self.issue(placed.slots, placed.end, placed.sets);
    }

    /// The same, if a collected operation uses the current bit of the scalar.
    fn flush_if_chosen(&mut self) {
        let chosen = |register| matches!(register, Register::Chosen { .. });
        if self.block.iter().flat_map(Operation::registers).any(chosen) {
            self.flush();
        }
    }

    /// The same, unless all collected operations convert loaded operands. Those can be scheduled with the
    /// operations that follow the next load.
    fn flush_unless_loads(&mut self, to: Register) {
        let waits =
            |operation: &Operation| matches!(operation, Operation::Scale { from, .. } if !from.may_be(to));
        if !self.block.iter().all(waits) {
            self.flush();
        }
    }

    fn issue(&mut self, slots: Vec<Option<Issue>>, cycles: usize, sets: usize) {
        self.sets = self.sets.max(sets);
        let rest = cycles - slots.len();
        self.words.extend(slots.into_iter().map(|issue| Word { issue, ..Word::default() }));
        (0..rest).for_each(|_| self.control(Control::Nothing));
    }

    /// Writes a loop. An iteration begins as soon as its inputs are available; the instructions after the
    /// loop begin when all results are.
    fn repeat(&mut self, start: usize) {
        let block = core::mem::take(&mut self.block);
        let placed = placement::place(&block, self.timing, self.temporary, true);
        let rest = placed.end.saturating_sub(placed.again);
        self.issue(placed.slots, placed.again, placed.sets);
        self.end(start);
        (0..rest).for_each(|_| self.control(Control::Nothing));
    }

    /// Loads the digits of an operand by Horner's rule, in both bases.
    fn load(&mut self, to: Register, take: Control) {
        self.control(take);
        self.wait(Control::AwaitOperand);
        let frames = self.timing.frames();
        self.frame(to, true, false);
        if let Some(last) = self.words.last_mut() {
            last.control = Control::Count(frames as u32 - 3);
        }
        let start = self.words.len();
        self.frame(to, false, false);
        self.end(start);
        if let Some(last) = self.words.last_mut() {
            last.next_bit = false;
        }
        self.frame(to, false, true);
    }

    fn frame(&mut self, to: Register, first: bool, last: bool) {
        for slot in 0..self.timing.read {
            let mut word = Word::default();
            if slot < 2 {
                let second = slot == 1;
                let entry = Entry::of(to, second);
                let constant = if last { Constant::Last { second } } else { Constant::Radix { second } };
                word.issue = Some(Issue {
                    left: if first { Left::Nothing } else { Left::Entry(entry) },
                    right: Right::Digit,
                    to: Some(entry),
                    ..Issue::of_constant(second, constant)
                });
                word.next_digit = second;
            }
            self.words.push(word);
        }
    }

    /// Outputs the value of a register, which is below 2P. Its digits go through the ring.
    fn store(&mut self, from: Register, unload: Control) {
        self.wait(Control::AwaitUnloader);
        let issue = Issue {
            left: Left::Entry(Entry::of(from, false)),
            factor: Factor::Inner,
            addend: Addend::Leave,
            to_ring: true,
            ..Issue::of_constant(false, Constant::One)
        };
        self.words.push(Word { issue: Some(issue), ..Word::default() });
        (1..self.timing.read).for_each(|_| self.control(Control::Nothing));
        self.control(unload);
        self.control(Control::Nothing);
        self.wait(Control::AwaitResult);
    }

    /// Writes the last two words of a loop: the branch, and the step to the next bit.
    fn end(&mut self, start: usize) {
        while self.words.len() < start + 2 {
            self.control(Control::Nothing);
        }
        let length = self.words.len();
        self.words[length - 2].control = Control::Repeat(start);
        self.words[length - 1].next_bit = true;
    }
}
