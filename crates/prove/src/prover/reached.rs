//! Finds which integers a result is made of.

use crate::system::{Definition, Source, System, Value};

/// Whether each integer is among those that these values are made of, down to symbols. Both parts of a split
/// are included.
pub(super) fn reached_from(system: &System, values: &[Value]) -> Vec<bool> {
    let mut reached = vec![false; system.definitions.len()];
    let mut waiting = values.to_vec();
    while let Some(value) = waiting.pop() {
        let Value::Variable(id) = value else { continue };
        if core::mem::replace(&mut reached[id as usize], true) {
            continue;
        }
        match &system.definitions[id as usize] {
            Definition::Input(..) => {}
            Definition::Sum(_, terms) => waiting.extend(terms.iter().map(|&(id, _)| Value::Variable(id))),
            &Definition::Low(number) | &Definition::High(number) => {
                let split = &system.splits[number as usize];
                waiting.extend([split.low, split.high]);
                match split.source {
                    Source::Single(of) => waiting.push(Value::Variable(of)),
                    Source::Product(x, y) => waiting.extend([x, y].map(Value::Variable)),
                }
            }
            &Definition::Word(number) => {
                let product = &system.products[number as usize];
                let words = product.first.iter().chain(&product.second).chain(&product.words);
                waiting.extend(words.map(|&id| Value::Variable(id)));
            }
            &Definition::Either(x, y) => waiting.extend([x, y]),
            &Definition::Choice(selector, x, y) => waiting.extend([Value::Variable(selector), x, y]),
        }
    }
    reached
}
