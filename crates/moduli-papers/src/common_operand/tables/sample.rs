//! A modulus, operands and an exponent for counting, and the structure of a table.

use alloc::{string::String, vec::Vec};

use crypto_bigint::BoxedUint;

use super::super::{
    exponentiation::{Exponentiation, Form},
    montgomery::CountedMontgomery,
    word::{Meter, Word, WordCounts},
};
use crate::random::{below, words};
use moduli::Error;
use moduli_kernel::limbs;

/// The sizes that determine the counts of an exponentiation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// The number of 64-bit words of the modulus, which has 64n − 2 bits.
    pub n: u64,
    /// Bits of a digit.
    pub t: u32,
    /// Bits of the exponent, which are the ladder's k.
    pub bits: u32,
}

impl Size {
    /// The number of digits k.
    pub fn digits(self) -> u64 {
        self.bits.div_ceil(self.t.max(1)).into()
    }

    /// The paper's k: digits, or bits for the ladder.
    pub fn k(self, method: Exponentiation) -> u64 {
        match method {
            Exponentiation::Ladder => self.bits.into(),
            Exponentiation::RightToLeft { .. } | Exponentiation::LeftToRight { .. } => self.digits(),
        }
    }
}

/// A line of a table.
#[derive(Clone, Debug)]
pub struct Line {
    /// The operation counted.
    pub what: String,
    /// The counted value.
    pub counted: WordCounts,
    /// The value derived from the algorithm.
    pub exact: WordCounts,
    /// The printed value.
    pub printed: WordCounts,
}

/// A table of the paper, counted.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its number and subject.
    pub name: &'static str,
    /// Its lines; the total is the last.
    pub lines: Vec<Line>,
}

/// A modulus of n words with arbitrary operands, because counts do not depend on them.
pub(crate) struct Sample {
    pub(super) montgomery: CountedMontgomery<64>,
    pub(super) operands: [Vec<Word<64>>; 3],
}

impl Sample {
    pub(crate) fn new(n: u64) -> Result<Self, Error> {
        let mut number = words(n, n);
        if let Some(top) = number.last_mut() {
            *top = *top >> 3 | 1 << 61;
        }
        number[0] |= 1;
        let montgomery = CountedMontgomery::new(&limbs::from_limbs(&number))?;
        let operands = [1, 2, 3].map(|seed| montgomery.reduce(&limbs::from_limbs(&words(n, n + seed))));
        Ok(Self { montgomery, operands })
    }

    pub(crate) fn power(&self, method: Exponentiation, form: Form, bits: u32) -> Result<Meter, Error> {
        let (base, exponent) = (BoxedUint::from(3u64), limbs::from_limbs(&below(bits, bits.into())));
        let mut meter = Meter::recording();
        self.montgomery.exponentiate(&mut meter, method, form, &base, &exponent, bits)?;
        Ok(meter)
    }
}
