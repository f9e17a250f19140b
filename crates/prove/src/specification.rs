//! What each operation has to do: the contract of the kernels (`moduli-kernel/src/contract.rs`), in formulas.
//!
//! N is the modulus, odd and above 1, of n words of 64 bits: N < B = 2^(64·n). X, Y and V are numbers of n words, little-endian.
//! R = 2^(64·n) is the Montgomery factor of the kernels of 64-bit words. Of what a kernel keeps of its modulus it is assumed:
//!
//! - `inverse`·N ≡ −1 modulo 2^64;
//! - E = `one entered` is below N, and E ≡ R² modulo N.
//!
//! | operation         | before               | afterwards                              |
//! | ----------------- | -------------------- | --------------------------------------- |
//! | `mul`             | X < B, Y < N         | X' < N, R·X' ≡ X·Y modulo N             |
//! | `square`          | X < N                | X' < N, R·X' ≡ X² modulo N              |
//! | `add`             | X < N, Y < N         | X' < N, X' ≡ X + Y modulo N             |
//! | `sub`             | X < N, Y < N         | X' < N, X' ≡ X − Y modulo N             |
//! | `to_montgomery`   | V < B                | X' < N, R·X' ≡ V·E modulo N             |
//! | `from_montgomery` | X < N                | V' < N, R·V' ≡ X modulo N               |
//! | `load`            | V < B                | X' = V                                  |
//! | `store`           | X < B                | V' = X                                  |
//! | `swap`            | any words X and Y    | X' = Y and Y' = X if the mask is all ones; X' = X and Y' = Y if it is zero |
//!
//! `mul` takes more than residues as its first operand, as the contract of `load` wants it. With R·R^(−1) ≡ 1 modulo N,
//! R·X' ≡ V·E says X' ≡ V·R: `to_montgomery` gives the residue of V.
//!
//! Besides, all operations read and write nothing but their operands, the scratch space, the stack and the kernel, whose words
//! they leave as they are, and return with the stack and the registers that a caller relies on as they were; and no branch and no
//! address depends on an operand, on the modulus, or on what is made of it.

pub mod digits;
pub mod doubles;

use num_bigint::BigInt;

use self::{
    digits::{DIGIT, Digits, RESIDUE},
    doubles::Doubles,
};
use super::system::{Id, Value};

/// An operation of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// X ← X·Y.
    Mul,
    /// X ← X².
    Square,
    /// X ← X + Y.
    Add,
    /// X ← X − Y.
    Sub,
    /// X ← the residue of V.
    ToMontgomery,
    /// V ← the value of the residue X.
    FromMontgomery,
    /// X ← V as it stands.
    Load,
    /// V ← X as it stands.
    Store,
    /// X ← X times an operand that is prepared in so many pieces, two to eight.
    MulPrepared(u8),
    /// X and Y change places where a mask is all ones, and stay where it is zero.
    Swap,
    /// X ← X·Y for two moduli at a time.
    MulTwo,
    /// X ← X² likewise.
    SquareTwo,
}

impl Operation {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Mul,
        Self::Square,
        Self::Add,
        Self::Sub,
        Self::ToMontgomery,
        Self::FromMontgomery,
        Self::Load,
        Self::Store,
    ];

    /// Operations of two moduli at a time.
    pub const TWO: [Self; 2] = [Self::MulTwo, Self::SquareTwo];

    /// Products by prepared operands.
    pub const PREPARED: [Self; 7] = [
        Self::MulPrepared(2),
        Self::MulPrepared(3),
        Self::MulPrepared(4),
        Self::MulPrepared(5),
        Self::MulPrepared(6),
        Self::MulPrepared(7),
        Self::MulPrepared(8),
    ];

    /// The name of the method.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mul => "mul",
            Self::Square => "square",
            Self::Add => "add",
            Self::Sub => "sub",
            Self::ToMontgomery => "to_montgomery",
            Self::FromMontgomery => "from_montgomery",
            Self::Load => "load",
            Self::Store => "store",
            Self::Swap => "swap",
            Self::MulTwo => "mul_two",
            Self::SquareTwo => "square_two",
            Self::MulPrepared(2) => "mul_prepared/2",
            Self::MulPrepared(3) => "mul_prepared/3",
            Self::MulPrepared(4) => "mul_prepared/4",
            Self::MulPrepared(5) => "mul_prepared/5",
            Self::MulPrepared(6) => "mul_prepared/6",
            Self::MulPrepared(7) => "mul_prepared/7",
            Self::MulPrepared(_) => "mul_prepared/8",
        }
    }

    /// The formulas of this operation.
    pub fn specification(self) -> Specification {
        use Bound::{BelowModulus, Words};
        use Formula as F;
        let (first, second, formula, is_reduced) = match self {
            Self::Mul | Self::MulPrepared(_) | Self::MulTwo => (Words, Some(BelowModulus), F::Product, true),
            Self::Square | Self::SquareTwo => (BelowModulus, None, F::Square, true),
            Self::Add => (BelowModulus, Some(BelowModulus), F::Sum, false),
            Self::Sub => (BelowModulus, Some(BelowModulus), F::Difference, false),
            // The second operand is E.
            Self::ToMontgomery => (Words, Some(BelowModulus), F::Product, true),
            Self::FromMontgomery => (BelowModulus, None, F::First, true),
            Self::Load | Self::Store => (Words, None, F::Copy, false),
            Self::Swap => (Words, Some(Words), F::Exchange, false),
        };
        Specification { first, second, formula, is_reduced }
    }
}

/// What is known of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Below B: any words.
    Words,
    /// Below N.
    BelowModulus,
}

/// What the result is congruent to, but for R.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formula {
    /// The product of both operands.
    Product,
    /// The square of the first.
    Square,
    /// The first.
    First,
    /// The sum of both.
    Sum,
    /// The first less the second.
    Difference,
    /// The first, and not only modulo N.
    Copy,
    /// Both: the first and the second, or the second and the first.
    Exchange,
    /// The first less a digit times N, by which it comes to less than N but not to less than −N.
    Remainder,
}

/// A row of the table above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Specification {
    /// Of the first operand.
    pub first: Bound,
    /// Of the second, if there is one.
    pub second: Option<Bound>,
    /// What the result is congruent to, but for R.
    pub formula: Formula,
    /// Whether it is R times the result that is.
    pub is_reduced: bool,
}

/// A specification, and the integers that it speaks of.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Which.
    pub specification: Specification,
    /// N, lowest word first.
    pub modulus: Vec<Id>,
    /// The inverse, where the operation may use it.
    pub inverse: Id,
    /// The first operand.
    pub first: Vec<Id>,
    /// Bits of a digit of the first operand, and of the result.
    pub first_bits: u32,
    /// See above.
    pub result_bits: u32,
    /// The second.
    pub second: Vec<Id>,
    /// The result. A digit of 52 bits may be 0 for all operands.
    pub result: Vec<Value>,
    /// Where numbers are digits of 52 bits.
    pub digits: Option<Digits>,
    /// Where they are digits of 50 bits, in doubles.
    pub doubles: Option<Doubles>,
    /// Where operands change places, the bit that says whether they do.
    pub selector: Option<Id>,
    /// What the first operand is the result of, where an operation has two parts.
    pub before: Option<Box<Statement>>,
}

impl Statement {
    /// Bits of a digit of all numbers.
    pub fn digit_bits(&self) -> u32 {
        match (&self.digits, &self.doubles) {
            (Some(_), _) => DIGIT,
            (None, Some(_)) => doubles::DIGIT,
            (None, None) => 64,
        }
    }

    /// Whether sums are of digits in doubles: these are modulo Q.
    pub fn is_sum_of_doubles(&self) -> bool {
        self.doubles.is_some() && matches!(self.specification.formula, Formula::Sum | Formula::Difference)
    }

    /// What both operands can be at most.
    pub fn highest_operands(&self, digits: &Digits) -> [BigInt; 2] {
        let n = digits.highest_modulus();
        match self.specification.formula {
            // A number of words, and E.
            Formula::Product if self.first_bits != DIGIT => [n.clone(), n],
            // Each piece is below N.
            Formula::Product if !digits.pieces.is_empty() => [&n * RESIDUE - 1, n],
            Formula::Product => [digits.factor() - 1, digits.factor() - 1],
            // Words of as many bits as the modulus has.
            Formula::Copy => [n.clone(), n],
            _ => [&n * RESIDUE - 1, &n * RESIDUE - 1],
        }
    }

    /// What the product of both operands is below: multiples of N, of which one holds.
    pub fn products(&self, digits: &Digits) -> Vec<BigInt> {
        // Below 144·N², and N is at most this.
        let residues = digits.highest_modulus() * (RESIDUE * RESIDUE);
        match self.specification.formula {
            Formula::Product if self.first_bits != DIGIT => vec![digits.highest_modulus() + 1],
            // Each piece of the first is below R, and the other one below N.
            Formula::Product if !digits.pieces.is_empty() => {
                vec![digits.factor() * (1 + digits.pieces.len())]
            }
            Formula::Product => vec![residues, digits.factor()],
            // Times one.
            Formula::First => vec![RESIDUE.into()],
            _ => vec![residues],
        }
    }
    /// The factors of a product of digits: one pair, or one for each piece.
    pub fn factors<'a>(&'a self, digits: &'a Digits) -> Vec<(&'a [Id], &'a [Id])> {
        let (first, second) = (&self.first[..], &self.second[..]);
        if digits.pieces.is_empty() {
            return vec![(first, if second.is_empty() { first } else { second })];
        }
        let second = core::iter::once(second).chain(digits.pieces.iter().map(|piece| &piece[..]));
        first.chunks(digits.reduced).zip(second).collect()
    }
}
