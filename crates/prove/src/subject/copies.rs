//! Copies of a number, each shifted by some digits, which products of long residues read. Their words are digits of that number, or
//! 0.

use std::iter::zip;

use crate::{
    failure::Result,
    layout::INVERSE,
    lift::{Declarations, Symbol},
    system::{Id, Value},
};

/// The number of copies, which are shifted by 0 to 7 digits.
const COPIES: usize = 8;

/// The copies of one number.
pub(crate) struct Copies {
    /// The name of the symbol for the number.
    pub(crate) of: &'static str,
    /// The words of zeros before the copies.
    zeros: usize,
    /// The zeros and the copies, one after the other.
    symbol: Symbol,
}

impl Copies {
    /// The copies that words of this name are; None if they are a number of their own.
    pub(super) fn of(name: &str, symbol: &Symbol) -> Option<Self> {
        // Copies that are as long as residues follow a vector of zeros.
        let (of, zeros) = match name {
            "shifted high" => ("high", COPIES),
            "shifted modulus" => ("modulus", COPIES),
            "shifted inverse" => (INVERSE, 0),
            _ => return None,
        };
        Some(Self { of, zeros, symbol: symbol.clone() })
    }

    /// The first copy, if the digits are declared by it.
    pub(super) fn inverse(&self) -> Option<Symbol> {
        let length = self.symbol.words.len() / COPIES;
        (self.of == INVERSE).then(|| Symbol::any(self.symbol.address, self.symbol.words[..length].to_vec()))
    }

    /// Declares word i of the copy shifted by s to be digit i − s, or 0 if there is no such digit.
    pub(super) fn declare(&self, declarations: &mut Declarations<'_>, digits: &[Option<Id>]) -> Result<()> {
        let Symbol { address, words, .. } = &self.symbol;
        let length = (words.len() - self.zeros) / COPIES;
        for (i, (address, &word)) in zip((*address..).step_by(8), words).enumerate() {
            let digit = i.checked_sub(self.zeros).and_then(|i| (i % length).checked_sub(i / length));
            let digit = digit.and_then(|digit| digits.get(digit).copied().flatten());
            declarations.put(address, word, digit.map_or(Value::Constant(0), Value::Variable))?;
        }
        Ok(())
    }
}
