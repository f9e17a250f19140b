//! Where the words of `ifma52` hold the digits of numbers, and the highest value of each.

use moduli_kernel::Dimensions;
use num_bigint::BigInt;

use super::{
    failure::{Failure, Reason, Result},
    specification::{
        Operation,
        digits::{DIGIT, Digits, RESIDUE},
    },
    system::Id,
};

/// The layout of residues of one length.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// G, the number of strips.
    blocks: usize,
    /// K, the number of digits of a strip.
    block: usize,
    /// r, the number of digits of R.
    reduced: usize,
    /// b, the number of bits of the modulus.
    bits: usize,
    /// Whether the strips' digits of the same place are neighbours.
    in_strips: bool,
    /// The bits that the highest digit of a strip has less than the others.
    spare: usize,
}

/// The name of −1/N modulo 2^(52·K), where residues have their digits in order.
pub const INVERSE: &str = "inverse of a block";

/// The number of words of the longest residue in strips, and in four of them.
const LONGEST: usize = 80;
const FOUR_STRIPS: usize = 20;

impl Layout {
    /// The layout of residues of these dimensions, for moduli of `bits` bits.
    ///
    /// # Errors
    /// If digits of 52 bits are not laid out so.
    pub fn new(dimensions: &Dimensions, bits: usize) -> Result<Self> {
        let words = dimensions.residue_words;
        // A strip has ten digits at most. Longer residues have their digits in order.
        let in_strips = words <= LONGEST;
        let blocks = match words {
            _ if !in_strips => words / 8,
            ..=FOUR_STRIPS => 4,
            _ => 8,
        };
        let spare = dimensions.spare;
        let reduced = (dimensions.radix_bits + spare * blocks) / DIGIT as usize;
        let layout = Self { blocks, block: words / blocks, reduced, bits, in_strips, spare };
        if layout.block * blocks != words || dimensions.radix_bits < bits + 8 {
            return Err(Failure::new(Reason::NoRule, "another layout of digits"));
        }
        Ok(layout)
    }

    /// Whether the strips' digits of the same place are neighbours. If not, all digits are in order.
    pub fn in_strips(&self) -> bool {
        self.in_strips
    }

    /// Whether residues have eight strips, one in each lane of a vector.
    pub fn is_in_eight_lanes(&self) -> bool {
        self.in_strips && self.blocks == 8
    }

    /// The number of words of a residue, G·K.
    pub fn words(&self) -> usize {
        self.blocks * self.block
    }

    /// The word that holds a digit.
    fn word(&self, digit: usize) -> usize {
        if !self.in_strips {
            return digit;
        }
        self.blocks * (digit % self.block) + digit / self.block
    }

    fn highest_modulus(&self) -> BigInt {
        (BigInt::from(1) << self.bits) - 1
    }

    fn highest_reciprocal(&self) -> u64 {
        let seen = self.bits.min(32) as u32;
        ((1u128 << 64 >> (seen - 1)) + 1).min(u64::MAX.into()) as u64
    }

    /// The highest value of each word of a symbol. The contents of scratch space are not bounded.
    pub fn highest(&self, operation: Operation, name: &str, words: usize) -> Vec<u64> {
        let n = self.highest_modulus();
        let (number, in_strips) = match name {
            "high" | "step" | "modulus" | "one" | "one entered" => (n, true),
            "bound" => (n * RESIDUE, false),
            "modulus digits" => (n, false),
            "negative inverse" | INVERSE => ((BigInt::from(1) << (DIGIT as usize * words)) - 1, false),
            "x" | "y" => match operation {
                // The operation moves any words.
                Operation::Swap | Operation::Replace(_) | Operation::Select(_) => return Vec::new(),
                // What is in memory before the pieces may be anything.
                Operation::Prepare(_) if name == "x" => return Vec::new(),
                // Each piece is below N.
                Operation::MulPrepared(_) if name == "y" => {
                    let piece = self.highest(operation, "modulus", self.blocks * self.block);
                    return piece.repeat(words / piece.len());
                }
                // The two numbers of a pair follow each other.
                Operation::MulPair if name == "x" && words > self.words() => {
                    return self.highest(operation, name, self.words()).repeat(2);
                }
                Operation::Mul | Operation::MulTwo | Operation::MulPair if self.in_strips => (
                    (BigInt::from(1) << (DIGIT as usize * self.reduced - self.spare * self.blocks)) - 1,
                    true,
                ),
                _ => (n * RESIDUE - 1, true),
            },
            "value" => return words_of(&n, 64, words),
            // 2^64 divided by the bits of the modulus that are used, rounded up.
            "reciprocal" => return vec![self.highest_reciprocal()],
            _ => return Vec::new(),
        };
        if !in_strips {
            return words_of(&number, DIGIT as usize, words);
        }
        let digits = self.digits(operation, Vec::new(), Vec::new(), 0);
        let is_residue = matches!(name, "x" | "y");
        let mut out = vec![0; words];
        for i in 0..words {
            let most = digits.highest(i, is_residue);
            out[self.word(i)] = u64::try_from(&number >> digits.place(i)).map_or(most, |word| word.min(most));
        }
        out
    }

    /// The digits of a part of the other factor, if an operand has this many pieces.
    pub fn part(&self, pieces: usize) -> usize {
        self.block * self.blocks.div_ceil(pieces)
    }

    /// The digits that a statement refers to.
    pub fn digits(&self, operation: Operation, high: Vec<Id>, step: Vec<Id>, reciprocal: Id) -> Digits {
        let Self { bits, block, blocks, reduced, .. } = *self;
        let reduced = match operation {
            Operation::MulPrepared(split) => self.part(split),
            _ => reduced,
        };
        Digits {
            bits,
            block,
            reduced,
            high,
            step,
            short: 1,
            inverse: Vec::new(),
            are_residues: !self.in_strips,
            places: blocks * block,
            spare: self.spare,
            are_in_order: [false; 2],
            is_entered: false,
            reciprocal,
            empty: Vec::new(),
        }
    }

    /// The bits that the highest digit of a strip has less than the others.
    pub fn spare(&self) -> usize {
        self.spare
    }

    /// The same layout without spare bits.
    pub fn without_spare(&self) -> Self {
        Self { spare: 0, ..*self }
    }

    /// The words of a number in the order of their digits.
    pub fn in_order<T: Copy>(&self, words: &[T]) -> Vec<T> {
        (0..words.len()).map(|i| words[self.word(i)]).collect()
    }

    /// A number of at most as many bits as the modulus, laid out as a residue.
    pub fn laid_out(&self, number: &BigInt, words: usize) -> Vec<u64> {
        let mut out = vec![0; words];
        let digits = self.digits(Operation::Mul, Vec::new(), Vec::new(), 0);
        for i in 0..words {
            let digit: BigInt = (number >> digits.place(i)) & BigInt::from(digits.highest(i, false));
            out[self.word(i)] = u64::try_from(digit).unwrap_or(0);
        }
        out
    }
}

/// The highest value of each word of `bits` bits, in numbers up to this one.
pub(super) fn words_of(number: &BigInt, bits: usize, words: usize) -> Vec<u64> {
    let most = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
    (0..words).map(|i| u64::try_from(number >> (bits * i)).map_or(most, |word| word.min(most))).collect()
}
