//! Programs: instructions, registers, constants.

use alloc::{string::String, vec::Vec};

/// A register, or the one of a pair that the scalar's current bit chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Register {
    /// By its number.
    Fixed(usize),
    /// The register `first` + bit, or the other one. `first` is even.
    Chosen {
        /// The number of the pair's first register.
        first: usize,
        /// The one that the bit does not choose.
        other: bool,
    },
}

impl Register {
    /// The registers that it may be.
    pub fn candidates(self) -> core::ops::Range<usize> {
        match self {
            Self::Fixed(number) => number..number + 1,
            Self::Chosen { first, .. } => first..first + 2,
        }
    }

    /// The register that it is for a bit.
    pub(super) fn number(self, bit: bool) -> usize {
        match self {
            Self::Fixed(number) => number,
            Self::Chosen { first, other } => first + usize::from(bit != other),
        }
    }

    /// Whether both may be one register at the same time.
    pub fn may_be(self, other: Self) -> bool {
        let (one, two) = (self.candidates(), other.candidates());
        match (self, other) {
            (Self::Chosen { other: a, .. }, Self::Chosen { other: b, .. }) => one == two && a == b,
            _ => one.start < two.end && two.start < one.end,
        }
    }
}

/// Where a scalar comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// The next operand.
    Operand,
    /// The next operand plus a multiple of the order.
    Completed,
    /// P − 2.
    Inverse,
}

/// What a line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instruction {
    /// The next operand in Montgomery form.
    Load(Register),
    /// A random number that is not 0 modulo P, in Montgomery form.
    Random(Register),
    /// Which of the two places of each pair is its first register is drawn.
    Places,
    /// A constant by its number.
    Constant(Register, usize),
    /// A Montgomery product.
    Multiply([Register; 3]),
    /// A sum, or twice a sum: target, and what is added.
    Add([Register; 3], bool),
    /// A difference, or twice a difference.
    Subtract([Register; 3], bool),
    /// The same value in another register.
    Copy([Register; 2]),
    /// The next result.
    Store(Register),
    /// What must be 0 modulo P.
    Check(Register),
    /// A new scalar.
    Scalar(Scalar),
    /// To the next bit.
    Next,
    /// Repeat until so many bits are left.
    Loop(u32),
    /// The end of a loop.
    End,
}

/// A constant of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    /// Its value in hexadecimal.
    Number(String),
    /// Given when the program is assembled.
    Given(String),
}

/// A program as it is written, not yet for a modulus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Instructions with the lines that they stand in, counted from one.
    pub(super) lines: Vec<(usize, Instruction)>,
    /// The registers' names, those of pairs first.
    pub(super) registers: Vec<String>,
    /// How many pairs there are.
    pub(super) pairs: usize,
    pub(super) constants: Vec<Named>,
}

impl Program {
    /// The most instructions of a program: the time in which a schedule is found grows like their cube where no loop or result parts
    /// them, to some ten seconds here.
    pub const MOST: usize = 512;

    /// The instructions, each with its line.
    pub fn lines(&self) -> &[(usize, Instruction)] {
        &self.lines
    }

    /// The names of the registers, in the order of their numbers.
    pub fn registers(&self) -> &[String] {
        &self.registers
    }

    /// The constants in the order of their numbers.
    pub fn constants(&self) -> &[Named] {
        &self.constants
    }
}

impl Instruction {
    /// Where its result goes.
    pub fn target(self) -> Option<Register> {
        match self {
            Self::Load(to) | Self::Random(to) | Self::Constant(to, _) => Some(to),
            Self::Multiply([to, ..]) | Self::Add([to, ..], _) | Self::Subtract([to, ..], _) => Some(to),
            Self::Copy([to, _]) => Some(to),
            _ => None,
        }
    }

    /// What it reads.
    pub fn sources(self) -> [Option<Register>; 2] {
        match self {
            Self::Multiply([_, a, b]) | Self::Add([_, a, b], _) | Self::Subtract([_, a, b], _) => {
                [Some(a), Some(b)]
            }
            Self::Copy([_, a]) | Self::Store(a) | Self::Check(a) => [Some(a), None],
            _ => [None, None],
        }
    }

    /// The same with other registers.
    pub(super) fn with_registers(self, place: impl Fn(Register) -> Register) -> Self {
        match self {
            Self::Load(to) => Self::Load(place(to)),
            Self::Random(to) => Self::Random(place(to)),
            Self::Constant(to, number) => Self::Constant(place(to), number),
            Self::Multiply(all) => Self::Multiply(all.map(place)),
            Self::Add(all, twice) => Self::Add(all.map(place), twice),
            Self::Subtract(all, twice) => Self::Subtract(all.map(place), twice),
            Self::Copy(all) => Self::Copy(all.map(place)),
            Self::Store(from) => Self::Store(place(from)),
            Self::Check(from) => Self::Check(place(from)),
            other => other,
        }
    }
}
