//! Disjunctions of words about which equations only say whether they are zero.

use super::{Integers, ones};
use crate::{
    failure::Result,
    system::{Definition, Value},
};
use Value::{Constant, Variable};

impl Integers {
    /// Any word, which is zero if two words are.
    pub(super) fn any_with_zeros_of(&mut self, x: Value, y: Value) -> Result<Value> {
        let any = self.input(0, ones(64), self.recorded(x) | self.recorded(y))?;
        if let Variable(id) = any {
            let mut parts = Vec::new();
            for x in [x, y] {
                match x {
                    Variable(id) if self.disjunctions.contains_key(&id) => {
                        parts.extend(self.disjunctions[&id].clone());
                    }
                    _ => parts.push(x),
                }
            }
            self.disjunctions.insert(id, parts);
        }
        Ok(any)
    }

    /// The disjunction of two words.
    pub(super) fn either_word(&mut self, x: Value, y: Value) -> Result<Value> {
        let (x, y) = (x.min(y), x.max(y));
        if let Some(&id) = self.either.get(&(x, y)) {
            return Ok(Variable(id));
        }
        let recorded = self.recorded(x) | self.recorded(y);
        let id = self.define(Definition::Either(x, y), (0, ones(64)), recorded)?;
        self.either.insert((x, y), id);
        self.disjunctions.insert(id, vec![x, y]);
        Ok(Variable(id))
    }

    pub(super) fn is_either(&self, x: Value) -> bool {
        matches!(x, Variable(id) if matches!(self.system.definitions[id as usize], Definition::Either(..)))
    }

    /// A bit that is 1 if a disjunction is zero, that is, if all of its words are. None for other words.
    pub fn are_all_zero(&mut self, x: Value) -> Result<Option<Value>> {
        match x {
            Variable(id) if self.disjunctions.contains_key(&id) => self.has_no_bit(x).map(Some),
            _ => Ok(None),
        }
    }

    fn has_no_bit(&mut self, x: Value) -> Result<Value> {
        let Variable(id) = x else { return Ok(Constant(i128::from(x == Constant(0)))) };
        if let Some(parts) = self.disjunctions.get(&id).cloned() {
            let mut bit = Constant(1);
            for part in parts {
                let is_zero = self.has_no_bit(part)?;
                bit = self.choose(is_zero, bit, Constant(0))?;
            }
            return Ok(bit);
        }
        if let Definition::Choice(selector, first, second) = self.system.definitions[id as usize] {
            let (first, second) = (self.has_no_bit(first)?, self.has_no_bit(second)?);
            return self.choose_between(selector, first, second);
        }
        let less = self.sum(-1, &[(1, x)])?;
        let sign = self.split(less, 64)?.1;
        self.sum(0, &[(-1, sign)])
    }
}
