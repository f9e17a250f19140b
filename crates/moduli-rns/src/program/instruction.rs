//! The instructions, registers and constants of a program.

use alloc::{string::String, vec::Vec};

/// A reference to a register of a program, either fixed or selected by the current bit of the scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Register {
    /// The register with this number.
    Fixed(usize),
    /// The register of a pair that the current bit of the scalar selects. Without `other`, this is the
    /// register `first` + bit; with `other`, it is the other register of the pair.
    Chosen {
        /// The number of the first register of the pair, which is even.
        first: usize,
        /// Whether this is the register that the bit does not select.
        other: bool,
    },
}

impl Register {
    /// Returns the numbers of all registers that this reference can mean.
    pub fn candidates(self) -> core::ops::Range<usize> {
        match self {
            Self::Fixed(number) => number..number + 1,
            Self::Chosen { first, .. } => first..first + 2,
        }
    }

    /// Returns the number of the register for a value of the bit.
    pub(super) fn number(self, bit: bool) -> usize {
        match self {
            Self::Fixed(number) => number,
            Self::Chosen { first, other } => first + usize::from(bit != other),
        }
    }

    /// Returns whether both references can mean the same register for the same bit.
    pub fn may_be(self, other: Self) -> bool {
        let (one, two) = (self.candidates(), other.candidates());
        match (self, other) {
            (Self::Chosen { other: a, .. }, Self::Chosen { other: b, .. }) => one == two && a == b,
            _ => one.start < two.end && two.start < one.end,
        }
    }
}

/// The source of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// The next operand.
    Operand,
    /// The next operand plus a multiple of the group order.
    Completed,
    /// P − 2, the exponent of an inversion by Fermat's theorem.
    Inverse,
}

/// The number of bits of the scalar that a loop leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// This number of bits.
    Bits(u32),
    /// Half of all bits of the scalar, rounded down.
    Half,
}

/// An instruction of a program. The first register is the target, unless stated otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instruction {
    /// Loads the next operand and converts it into Montgomery form.
    Load(Register),
    /// Loads a random number that is not 0 modulo P and converts it into Montgomery form.
    Random(Register),
    /// Requests a random bit that exchanges the two registers of each pair.
    Places,
    /// Loads the constant with this index.
    Constant(Register, usize),
    /// Computes a Montgomery product of the second and the third register.
    Multiply([Register; 3]),
    /// Computes the sum of the second and the third register, doubled if the flag is set.
    Add([Register; 3], bool),
    /// Computes the second register minus the third, doubled if the flag is set.
    Subtract([Register; 3], bool),
    /// Copies the second register.
    Copy([Register; 2]),
    /// Outputs the value of a register as the next result.
    Store(Register),
    /// Requires that the value of a register is 0 modulo P.
    Check(Register),
    /// Starts a new scalar.
    Scalar(Scalar),
    /// Makes the next bit of the scalar the current bit.
    Next,
    /// Begins a loop that runs until only this many bits are left.
    Loop(Rest),
    /// Ends a loop.
    End,
}

/// A constant of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    /// A value in hexadecimal.
    Number(String),
    /// The name of a constant whose value is given when the program is assembled.
    Given(String),
}

/// A program as parsed from its text, independent of a modulus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The instructions with their line numbers, counted from one.
    pub(super) lines: Vec<(usize, Instruction)>,
    /// The names of the registers, those of pairs first.
    pub(super) registers: Vec<String>,
    /// The number of pairs.
    pub(super) pairs: usize,
    pub(super) constants: Vec<Named>,
}

impl Program {
    /// The maximum number of instructions in a program, 512.
    ///
    /// The time to find a schedule grows with the cube of the number of instructions between two loops or
    /// results. It is about ten seconds for a program of this length that has neither.
    pub const MOST: usize = 512;

    /// Returns the instructions, each with its line number, counted from one.
    pub fn lines(&self) -> &[(usize, Instruction)] {
        &self.lines
    }

    /// Returns the names of the registers, in the order of their numbers.
    pub fn registers(&self) -> &[String] {
        &self.registers
    }

    /// Returns the constants, in the order of their indices.
    pub fn constants(&self) -> &[Named] {
        &self.constants
    }
}

impl Instruction {
    /// Returns the register that the instruction writes, if it writes one.
    pub fn target(self) -> Option<Register> {
        match self {
            Self::Load(to) | Self::Random(to) | Self::Constant(to, _) => Some(to),
            Self::Multiply([to, ..]) | Self::Add([to, ..], _) | Self::Subtract([to, ..], _) => Some(to),
            Self::Copy([to, _]) => Some(to),
            _ => None,
        }
    }

    /// Returns the registers that the instruction reads.
    pub fn sources(self) -> [Option<Register>; 2] {
        match self {
            Self::Multiply([_, a, b]) | Self::Add([_, a, b], _) | Self::Subtract([_, a, b], _) => {
                [Some(a), Some(b)]
            }
            Self::Copy([_, a]) | Self::Store(a) | Self::Check(a) => [Some(a), None],
            _ => [None, None],
        }
    }

    /// The same instruction with other registers.
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
