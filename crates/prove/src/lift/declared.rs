//! Words of memory that are declared one by one: made of several integers, or doubles.

use super::{Composed, held::Doubles, memory::Memory};
use crate::{
    failure::{Failure, Reason, Result},
    integers::Integers,
    system::{Id, Value},
};
use Value::{Constant, Variable};

/// What memory is declared to hold before the first instruction.
pub struct Declarations<'a> {
    pub(super) integers: &'a mut Integers,
    pub(super) memory: &'a mut Memory,
    pub(super) doubles: &'a mut Doubles,
    pub(super) has_signed_products: &'a mut bool,
    /// What the symbols are that were declared before, as words that can be other than 0.
    pub inputs: &'a [Vec<Id>],
}

impl Integers {
    /// A word that is made of new integers, and these.
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
    /// Words are taken for negative ones where they are made of such.
    pub fn has_signs(&mut self, has_signs: bool) {
        self.integers.has_signs = has_signs;
    }

    /// Digits that are lower parts are cut again, in several ways.
    pub fn has_parts_of_digits(&mut self) {
        self.integers.has_parts_of_digits = true;
    }

    /// Products are of words with a sign.
    pub fn has_signed_products(&mut self) {
        *self.has_signed_products = true;
    }

    /// A word that is made of new integers; gives the word, and these.
    ///
    /// # Errors
    /// If it was another one when it was recorded.
    pub fn composed(&mut self, address: u64, word: u64, of: &Composed) -> Result<(Value, Vec<Id>)> {
        let (value, ids) = self.integers.composed(of)?;
        self.put(address, word, value)?;
        Ok((value, ids))
    }

    /// A word that is this.
    ///
    /// # Errors
    /// If it was another one when it was recorded.
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

    /// An integer from 0 to a highest one; 0 if that is 0.
    ///
    /// # Errors
    /// If it was another one when it was recorded.
    pub fn integer(&mut self, highest: i128, recorded: i128) -> Result<Value> {
        if highest == 0 && recorded == 0 {
            return Ok(Constant(0));
        }
        self.integers.input(0, highest, recorded)
    }

    /// A word that is a constant and multiples of integers, modulo 2^64.
    ///
    /// # Errors
    /// If it was another one when it was recorded.
    pub fn word(&mut self, address: u64, word: u64, constant: i128, terms: &[(i128, Value)]) -> Result<()> {
        let sum = self.integers.sum(constant, terms)?;
        let value = self.integers.split_plainly(sum, 64)?.0;
        self.put(address, word, value)
    }

    /// A double that holds an integer.
    ///
    /// # Errors
    /// If it held another one when it was recorded.
    pub fn double(&mut self, address: u64, word: u64, value: Value) -> Result<()> {
        if let Variable(id) = self.doubles.word(self.integers, value, word)? {
            self.memory.set_symbolic(address, id);
        }
        Ok(())
    }
}
