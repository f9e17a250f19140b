//! Operations on words, which make up the instructions of 64-bit ARM processors.
//!
//! A place is a word of the processor's state: a general register, the stack pointer, the word that is always
//! 0, or half of a vector. An instruction on vectors is one operation for each half, and a load or store of
//! several registers one for all their words.

/// A word of the state.
pub type Place = u8;

/// The stack pointer, after the general registers.
pub const SP: Place = 31;

/// The zero register: it reads as 0, and writes to it are lost.
pub const ZERO: Place = 32;

/// The register with the address to which a function returns.
pub const LINK: Place = 30;

/// The number of all places. The last ones are the two halves of each vector, the lower one first.
pub const PLACES: usize = 33 + 64;

/// Half of a vector.
pub fn half(vector: u16, upper: bool) -> Place {
    33 + 2 * vector as Place + Place::from(upper)
}

/// The kind of a shift.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shift {
    /// To the left.
    Left,
    /// To the right, filled up with zeros.
    Right,
    /// To the right, filled up with the sign.
    Signed,
}

/// The second operand of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Second {
    /// A register, with its bits, and the kind and length of a shift.
    Register(Place, u32, Shift, u32),
    /// A number.
    Immediate(u64),
}

/// An operation on bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Logic {
    /// Conjunction.
    And,
    /// Disjunction.
    Or,
    /// Exclusive disjunction.
    Xor,
}

/// The result of a choice if its condition does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Otherwise {
    /// The second register.
    Plain,
    /// The second register plus one.
    Increased,
    /// The complement of the second register.
    Inverted,
    /// The complement of the second register plus one.
    Negated,
}

/// An address in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    /// A register.
    pub base: Place,
    /// Another register, with its bits, and the length of a left shift.
    pub index: Option<(Place, u32, u32)>,
    /// A constant that is added.
    pub offset: i64,
}

/// A condition of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// Flags.
    Flags(u8),
    /// Whether a register, with its bits, is zero or is not.
    IsZero(Place, u32, bool),
    /// Whether a bit of a register has this value.
    Bit(Place, u32, bool),
}

/// The target of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// This address.
    At(u64),
    /// The address in a register.
    In(Place),
}

/// An operation. If `bits` is 32, operands are the lower halves of places, and the upper half of the result
/// is 0.
#[allow(missing_docs, reason = "the fields say what they are")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// No effect.
    Nop,
    /// A number.
    Set { to: Place, value: u64 },
    /// Replaces 16 bits of a register.
    Keep { to: Place, value: u64, at: u32, bits: u32 },
    /// A sum, with the carry flag or without. A difference is the sum of x, the complement of y, and one or
    /// the carry flag.
    Add { to: Place, x: Place, y: Second, subtracts: bool, with_carry: bool, sets_flags: bool, bits: u32 },
    /// An operation on bits, with the second operand or its complement.
    Logic { to: Place, x: Place, y: Second, logic: Logic, inverts: bool, sets_flags: bool, bits: u32 },
    /// The bits of x where those of the mask are set, and of y elsewhere.
    Blend { to: Place, mask: Place, x: Place, y: Place },
    /// A choice by flags.
    Choose { to: Place, x: Place, y: Place, condition: u8, otherwise: Otherwise, bits: u32 },
    /// The flags of a comparison if a condition holds, else these flags.
    Compare { x: Place, y: Second, subtracts: bool, condition: u8, flags: u8, bits: u32 },
    /// `ubfm` and `sbfm`.
    Field { to: Place, from: Place, rotate: u32, last: u32, is_signed: bool, bits: u32 },
    /// The lower half of two registers together, shifted to the right.
    Extract { to: Place, high: Place, low: Place, by: u32, bits: u32 },
    /// The lower half of a product, added to a third operand, or subtracted.
    Multiply { to: Place, x: Place, y: Place, with: Place, subtracts: bool, bits: u32, of: u32 },
    /// The upper half of a product.
    MultiplyHigh { to: Place, x: Place, y: Place },
    /// A quotient, rounded down, or 0 for the divisor 0.
    Divide { to: Place, x: Place, y: Place, bits: u32 },
    /// A shift by a register.
    ShiftBy { to: Place, x: Place, by: Place, shift: Shift, bits: u32 },
    /// The number of zeros above the highest set bit.
    Zeros { to: Place, x: Place, bits: u32 },
    /// The bits in reverse order.
    Reverse { to: Place, x: Place, bits: u32 },
    /// A load of `size` bytes for each place, with the sign extended to this many bits, if any.
    Load { to: Vec<Place>, address: Address, size: usize, sign: Option<u32> },
    /// A store of `size` bytes for each place.
    Store { from: Vec<Place>, address: Address, size: usize },
    /// A branch.
    Branch { target: Target, test: Option<Test>, calls: bool, returns: bool },
    /// A breakpoint.
    Break,
}

impl Operation {
    /// The places that it reads, apart from those of addresses, and those that it writes.
    pub fn places(&self) -> (Vec<Place>, Vec<Place>) {
        let of = |y: &Second| match y {
            Second::Register(place, ..) => Some(*place),
            Second::Immediate(_) => None,
        };
        let (reads, writes) = match self {
            Self::Nop | Self::Break => (vec![], vec![]),
            Self::Set { to, .. } => (vec![], vec![*to]),
            Self::Keep { to, .. } => (vec![*to], vec![*to]),
            Self::Add { to, x, y, .. } | Self::Logic { to, x, y, .. } => {
                ([*x].into_iter().chain(of(y)).collect(), vec![*to])
            }
            Self::Compare { x, y, .. } => ([*x].into_iter().chain(of(y)).collect(), vec![]),
            Self::Blend { to, mask, x, y } => (vec![*mask, *x, *y], vec![*to]),
            Self::Choose { to, x, y, .. }
            | Self::MultiplyHigh { to, x, y }
            | Self::Divide { to, x, y, .. } => (vec![*x, *y], vec![*to]),
            Self::Field { to, from, .. } => (vec![*from], vec![*to]),
            Self::Extract { to, high, low, .. } => (vec![*high, *low], vec![*to]),
            Self::Multiply { to, x, y, with, .. } => (vec![*x, *y, *with], vec![*to]),
            Self::ShiftBy { to, x, by, .. } => (vec![*x, *by], vec![*to]),
            Self::Zeros { to, x, .. } | Self::Reverse { to, x, .. } => (vec![*x], vec![*to]),
            Self::Load { to, .. } => (vec![], to.clone()),
            Self::Store { from, .. } => (from.clone(), vec![]),
            Self::Branch { target, test, calls, .. } => {
                let mut reads = Vec::new();
                if let Target::In(place) = target {
                    reads.push(*place);
                }
                if let Some(Test::IsZero(place, ..) | Test::Bit(place, ..)) = test {
                    reads.push(*place);
                }
                (reads, if *calls { vec![LINK] } else { vec![] })
            }
        };
        (reads, writes.into_iter().filter(|&place| place != ZERO).collect())
    }

    /// The places that an address is made of.
    pub fn addresses(&self) -> Vec<Place> {
        match self {
            Self::Load { address, .. } | Self::Store { address, .. } => {
                [address.base].into_iter().chain(address.index.map(|(place, ..)| place)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether it changes flags.
    pub fn sets_flags(&self) -> bool {
        match self {
            Self::Add { sets_flags, .. } | Self::Logic { sets_flags, .. } => *sets_flags,
            Self::Compare { .. } => true,
            _ => false,
        }
    }
}
