//! What a core is told to do in a cycle.

use super::instruction::{Register, Scalar};

/// What the schedule depends on in a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// n.
    pub channels: usize,
    /// Pieces of a factor.
    pub chunks: usize,
    /// Cycles from an issue to the first one that can read its result.
    pub read: usize,
}

impl Timing {
    /// Digits of an operand on its way in.
    pub fn frames(&self) -> usize {
        self.channels.max(3)
    }
}

/// An entry of the register files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its number: 2·register, and 1 more in the second base.
    pub number: usize,
    /// The number of the pair's other register, 2 away, is meant if the scalar's bit is this; with places that were drawn the other
    /// way round it is meant otherwise, and also of a pair's register that no bit chooses.
    pub unless: Option<bool>,
}

impl Entry {
    pub(super) fn of(register: Register, second: bool) -> Self {
        let (register, unless) = match register {
            Register::Fixed(number) => (number, None),
            Register::Chosen { first, other } => (first, Some(!other)),
        };
        Self { number: 2 * register + usize::from(second), unless }
    }
}

/// A constant of the memory for extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constant {
    /// 1.
    One,
    /// 2.
    Two,
    /// 2^w: what is loaded so far moves up by a digit.
    Radix {
        /// The second base.
        second: bool,
    },
    /// 1, or T'^(−1) in the second base: for the last digit.
    Last {
        /// The second base.
        second: bool,
    },
    /// M² with the constant of the reduction: into Montgomery form.
    Enter {
        /// The second base.
        second: bool,
    },
    /// 1 with the constant of the reduction: out of it.
    Leave {
        /// The second base.
        second: bool,
    },
    /// A constant of the program.
    Given {
        /// Its number.
        number: usize,
        /// The second base.
        second: bool,
    },
    /// What a sum of chunk products is multiplied by.
    Reduce {
        /// The second base.
        second: bool,
        /// The chunk.
        chunk: usize,
    },
    /// Of the first extension: for the ring's digit in turn k, n for the quotient.
    Forth(usize),
    /// Of the extension back.
    Back(usize),
}

/// The first operand of an issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// 0.
    Nothing,
    /// From the files.
    Entry(Entry),
    /// The ring's digit; the ring turns.
    Ring,
    /// 0, and what stands in the files goes to the ring: it can turn from the issue after the next one on.
    Fetch(Entry),
}

/// The second operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Right {
    /// 0.
    Nothing,
    /// From the files.
    Entry(Entry),
    /// The loader's digit.
    Digit,
    /// A quotient that was kept.
    Quotient(usize),
    /// 1.
    One,
}

/// What the sum of both, or the first one, is multiplied by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Factor {
    /// A constant.
    Constant(Constant),
    /// The second operand where the chunk of this number is the first's.
    Chunk(usize),
    /// T^(−1): digits for the way out.
    Inner,
}

/// What is added behind the multiplier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addend {
    /// 0.
    Zero,
    /// A multiple of P, less what a difference has too much: 2^w, twice if it is doubled.
    Difference {
        /// Of P.
        multiple: u64,
        /// The difference is doubled.
        twice: bool,
        /// The second base.
        second: bool,
    },
    /// −P and the offset, on the way out.
    Leave,
}

/// What is done in one cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Issue {
    /// The first operand.
    pub left: Left,
    /// The second.
    pub right: Right,
    /// The second is subtracted.
    pub minus: bool,
    /// The multiplier.
    pub factor: Factor,
    /// Modulo the second base.
    pub second: bool,
    /// The product is added to that of the issue before.
    pub accumulate: bool,
    /// The addend.
    pub addend: Addend,
    /// Where the result is written.
    pub to: Option<Entry>,
    /// Where the result's quotient is kept.
    pub quotient: Option<usize>,
    /// That is the short one.
    pub short: bool,
    /// The ring takes the result.
    pub to_ring: bool,
}

impl Issue {
    /// Of a constant, with nothing in it yet.
    #[must_use]
    pub const fn of_constant(second: bool, constant: Constant) -> Self {
        Self {
            left: Left::Nothing,
            right: Right::Nothing,
            minus: false,
            factor: Factor::Constant(constant),
            second,
            accumulate: false,
            addend: Addend::Zero,
            to: None,
            quotient: None,
            short: false,
            to_ring: false,
        }
    }
}

/// What a word says beside its issue. A branch is taken after the word that follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Control {
    /// On to the next word.
    #[default]
    Nothing,
    /// The loop is repeated so many times.
    Count(u32),
    /// To this word if the loop is to be repeated again.
    Repeat(usize),
    /// The loader is given the next operand.
    TakeOperand,
    /// The loader is given a random number.
    TakeRandom,
    /// To this word unless the loader has its operand or random number.
    AwaitOperand(usize),
    /// The places of pairs are drawn.
    TakePlaces,
    /// To this word unless they have been drawn.
    AwaitPlaces(usize),
    /// A new scalar.
    TakeScalar(Scalar),
    /// To this word unless the scalar is there.
    AwaitScalar(usize),
    /// To this word unless the unloader is free.
    AwaitUnloader(usize),
    /// The ring has a result for the unloader.
    Unload,
    /// The same, but it does not leave: it must be 0.
    Judge,
    /// To this word unless the unloader is done with the ring.
    AwaitResult(usize),
    /// The program is at its end.
    Finish,
}

/// A cycle of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Word {
    /// What is issued.
    pub issue: Option<Issue>,
    /// What else is done.
    pub control: Control,
    /// The scalar's next bit is the current one from the next word on.
    pub next_bit: bool,
    /// The loader goes on to its next digit.
    pub next_digit: bool,
}

/// The entries of a register in both bases.
pub(super) fn entries(register: Register) -> [Entry; 2] {
    [Entry::of(register, false), Entry::of(register, true)]
}
