//! The microcode of a Cox–Rower core that runs a program: the operation and the control action of each cycle.
//!
//! In each cycle, every Rower executes the same operation, called an *issue*: (left ± right)·factor + addend,
//! modulo its own modulus. Each Rower has one modulus in each of the two bases. M is the product of the
//! moduli of the first base, and M' the product of those of the second. T and T' are the factors M/m_i mod
//! m_i of each base; a value X is stored as digits X·T'^(−1) in the second base ([`crate::montgomery`]).
//!
//! The *register files* contain the operands. The *ring* is a shift register through all Rowers that
//! distributes the digits of one value. The *loader* splits an operand into digits in radix 2^w, and the
//! *unloader* assembles results.

use super::instruction::{Register, Scalar};

/// The parameters of a core that determine the schedule of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// The number of channels n, which is the number of moduli in a base.
    pub channels: usize,
    /// The number of chunks into which the first factor of a product is split.
    pub chunks: usize,
    /// The number of cycles from an issue to the first issue that can read its result.
    pub read: usize,
}

impl Timing {
    /// Returns the number of digits in which the loader delivers an operand, max(n, 3).
    pub fn frames(&self) -> usize {
        self.channels.max(3)
    }
}

/// The address of an entry in the register files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The entry number: 2·register in the first base, and 2·register + 1 in the second.
    pub number: usize,
    /// The value of the scalar's current bit for which the other register of the pair is used, whose entry
    /// number differs by 2. `None` if no bit selects the register.
    ///
    /// If the registers of pairs are exchanged (`pairs = random`), the opposite bit has this effect, and
    /// entries of a pair with `None` are exchanged, too.
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

/// A constant in the memory for base extensions, by which an issue multiplies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constant {
    /// The constant 1.
    One,
    /// The constant 2.
    Two,
    /// 2^w, which shifts the part of an operand that has been loaded by one digit.
    Radix {
        /// Whether the constant is for the second base.
        second: bool,
    },
    /// The factor for the last digit of an operand: 1 in the first base, T'^(−1) in the second.
    Last {
        /// Whether the constant is for the second base.
        second: bool,
    },
    /// M² modulo P, combined with the constant of the reduction: converts into Montgomery form.
    Enter {
        /// Whether the constant is for the second base.
        second: bool,
    },
    /// 1, combined with the constant of the reduction: converts out of Montgomery form.
    Leave {
        /// Whether the constant is for the second base.
        second: bool,
    },
    /// A constant of the program.
    Given {
        /// The index in [`Assembled::constants`](super::Assembled::constants).
        number: usize,
        /// Whether the constant is for the second base.
        second: bool,
    },
    /// The constant of the Montgomery reduction, by which one chunk product is multiplied.
    Reduce {
        /// Whether the constant is for the second base.
        second: bool,
        /// The index of the chunk.
        chunk: usize,
    },
    /// The constant of the extension from the first base to the second, for the digit that is in the ring in
    /// step k; index n is for the quotient.
    Forth(usize),
    /// The constant of the extension from the second base back to the first, indexed in the same way.
    Back(usize),
}

/// The left operand of an issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// The operand is 0.
    Nothing,
    /// An entry of the register files.
    Entry(Entry),
    /// The digit in the ring. The issue also shifts the ring by one Rower.
    Ring,
    /// The operand is 0, and the digits of this entry are copied into the ring. The ring can shift from the
    /// second issue after this one.
    Fetch(Entry),
}

/// The right operand of an issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Right {
    /// The operand is 0.
    Nothing,
    /// An entry of the register files.
    Entry(Entry),
    /// The current digit of the loader.
    Digit,
    /// A stored quotient, by its index.
    Quotient(usize),
    /// The operand is 1.
    One,
}

/// The factor of an issue, by which the sum or difference of both operands is multiplied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Factor {
    /// A constant of the memory.
    Constant(Constant),
    /// The right operand. The multiplicand is then the chunk of this index of the left operand.
    Chunk(usize),
    /// T^(−1), which gives the digits that the unloader needs.
    Inner,
}

/// The number that an issue adds to its product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addend {
    /// The addend is 0.
    Zero,
    /// A multiple of P that makes a difference positive, minus the 2^w that the subtraction has added (2·2^w
    /// if the difference is doubled).
    Difference {
        /// The multiple of P.
        multiple: u64,
        /// Whether the difference is doubled.
        twice: bool,
        /// Whether the addend is for the second base.
        second: bool,
    },
    /// −P and the offset of the Cox, for a result on its way to the unloader.
    Leave,
}

/// The operation that all Rowers execute in one cycle: (left ± right)·factor + addend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Issue {
    /// The left operand.
    pub left: Left,
    /// The right operand.
    pub right: Right,
    /// Whether the right operand is subtracted.
    pub minus: bool,
    /// The factor.
    pub factor: Factor,
    /// Whether the operation is modulo the second base.
    pub second: bool,
    /// Whether the product is added to the product of the previous issue.
    pub accumulate: bool,
    /// The addend.
    pub addend: Addend,
    /// The entry to which the result is written, if any.
    pub to: Option<Entry>,
    /// The index at which the quotient of the result is stored, if it is.
    pub quotient: Option<usize>,
    /// Whether that quotient is the short one, which may be too small by 1.
    pub short: bool,
    /// Whether the digits of the result are copied into the ring.
    pub to_ring: bool,
}

impl Issue {
    /// Makes an issue with the given constant as its factor. All other fields are empty.
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

/// The control action of a word. A branch takes effect after the word that follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Control {
    /// Continues with the next word.
    #[default]
    Nothing,
    /// Sets the number of further iterations of the following loop.
    Count(u32),
    /// Branches to this word if another iteration of the loop follows.
    Repeat(usize),
    /// Requests the next operand for the loader.
    TakeOperand,
    /// Requests a random number for the loader.
    TakeRandom,
    /// Branches to this word until the loader has received its operand or random number.
    AwaitOperand(usize),
    /// Requests the random bit that exchanges the registers of pairs.
    TakePlaces,
    /// Branches to this word until that random bit has been received.
    AwaitPlaces(usize),
    /// Starts a new scalar.
    TakeScalar(Scalar),
    /// Branches to this word until the scalar is available.
    AwaitScalar(usize),
    /// Branches to this word until the unloader is free.
    AwaitUnloader(usize),
    /// Starts the unloader with the digits in the ring, which are a result.
    Unload,
    /// Starts the unloader with the digits in the ring, which are the value of a check. The value must be 0
    /// and does not leave the core.
    Judge,
    /// Branches to this word until the unloader has read the digits in the ring.
    AwaitResult(usize),
    /// Ends the program.
    Finish,
}

/// A word of microcode, which controls one cycle of a core.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Word {
    /// The operation of the Rowers, if there is one.
    pub issue: Option<Issue>,
    /// The control action.
    pub control: Control,
    /// Whether the next bit of the scalar becomes the current one from the next word on.
    pub next_bit: bool,
    /// Whether the loader advances to its next digit.
    pub next_digit: bool,
}

/// The entries of a register in both bases.
pub(super) fn entries(register: Register) -> [Entry; 2] {
    [Entry::of(register, false), Entry::of(register, true)]
}
