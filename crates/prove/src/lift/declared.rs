//! Declares words of memory one by one: words made of several integers, and doubles.

use super::{Composed, held::Doubles, memory::Memory};
use crate::{
    failure::{Failure, Reason, Result},
    integers::Integers,
    system::{Id, Value},
};
use Value::{Constant, Variable};

/// Declares the contents of memory before the first instruction.
pub struct Declarations<'a> {
    pub(super) integers: &'a mut Integers,
    pub(super) memory: &'a mut Memory,
    pub(super) doubles: &'a mut Doubles,
    pub(super) has_signed_products: &'a mut bool,
    /// The integers of the symbols that were declared before, for words that can be other than 0.
    pub inputs: &'a [Vec<Id>],
}

impl Integers {
    /// A word that is made of new integers, and these integers.
    pub(super) fn composed(&mut self, of: &Composed) -> Result<(Value, Vec<Id>)> {
        let (mut terms, mut ids) = (Vec::new(), Vec::new());
        for &(multiplier, low, high, recorded) in of.parts.iter().filter(|(_, low, high, _)| low < high) {
            let part = self.input(low, high, recorded)?;
            terms.push((multiplier, part));
            ids.extend(match part {
                Variable(id) => Some(id),
                Constant(_) => None,
            });
        }
        let sum = self.sum(of.constant, &terms)?;
        Ok((self.split_plainly(sum, 64)?.0, ids))
    }
}

impl Declarations<'_> {
    /// Sets whether words that are made of negative numbers count as negative.
    pub fn has_signs(&mut self, has_signs: bool) {
        self.integers.has_signs = has_signs;
    }

    /// Says that digits which are lower parts are cut again, in several ways.
    pub fn has_parts_of_digits(&mut self) {
        self.integers.has_parts_of_digits = true;
    }

    /// Says the same of digits with what is carried into them.
    pub fn has_carried_digits(&mut self) {
        self.integers.has_parts_of_digits = true;
        self.integers.has_carried_digits = true;
    }

    /// Says that products have signed factors.
    pub fn has_signed_products(&mut self) {
        *self.has_signed_products = true;
    }

    /// Declares a word that is made of new integers. Returns the word, and these integers.
    ///
    /// # Errors
    /// If the recorded value differs.
    pub fn composed(&mut self, address: u64, word: u64, of: &Composed) -> Result<(Value, Vec<Id>)> {
        let (value, ids) = self.integers.composed(of)?;
        self.put(address, word, value)?;
        Ok((value, ids))
    }

    /// Declares a word to be this value.
    ///
    /// # Errors
    /// If the recorded value differs.
    pub fn put(&mut self, address: u64, word: u64, value: Value) -> Result<()> {
        if self.integers.recorded(value) != i128::from(word) {
            let what = "a word that is not the sum that it is declared to be";
            return Err(Failure::new(Reason::WrongRule, what));
        }
        match value {
            Variable(id) => self.memory.set_symbolic(address, id),
            Constant(_) => self.memory.set_known(address, 8),
        }
        Ok(())
    }

    /// Declares an integer from 0 to `highest`; the constant 0 if `highest` is 0.
    ///
    /// # Errors
    /// If the recorded value differs.
    pub fn integer(&mut self, highest: i128, recorded: i128) -> Result<Value> {
        if highest == 0 && recorded == 0 {
            return Ok(Constant(0));
        }
        self.integers.input(0, highest, recorded)
    }

    /// Declares a word that is a constant plus multiples of integers, modulo 2^64.
    ///
    /// # Errors
    /// If the recorded value differs.
    pub fn word(&mut self, address: u64, word: u64, constant: i128, terms: &[(i128, Value)]) -> Result<()> {
        let sum = self.integers.sum(constant, terms)?;
        let value = self.integers.split_plainly(sum, 64)?.0;
        self.put(address, word, value)
    }

    /// Declares a double that holds an integer.
    ///
    /// # Errors
    /// If the recorded double held another integer.
    pub fn double(&mut self, address: u64, word: u64, value: Value) -> Result<()> {
        if let Variable(id) = self.doubles.word(self.integers, value, word)? {
            self.memory.set_symbolic(address, id);
        }
        Ok(())
    }
}
