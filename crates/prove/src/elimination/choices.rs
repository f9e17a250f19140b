//! Replaces choices that are left over by products of their selectors.

use super::Functional;
use crate::{
    certificate::{Equation, Use},
    system::{Definition, Value},
};

impl Functional<'_> {
    /// Replaces choices between 0 and another integer of more than one bit by products, if they are left
    /// over.
    pub fn put_choices_in(&mut self) {
        let integers = self.integers;
        for id in self.left.keys().copied().collect::<Vec<_>>() {
            let Definition::Choice(selector, Value::Constant(0), Value::Variable(x)) =
                integers.system.definitions[id as usize]
            else {
                continue;
            };
            if integers.bounds(Value::Variable(x)).1 > 1 && integers.bounds(Value::Variable(selector)).0 == 0
            {
                let c = self.left.remove(&id).unwrap_or_default();
                self.add_product(&c, selector, x);
                self.uses.push(Use { equation: Equation::Chosen(id), multiplier: c });
            }
        }
    }
}
