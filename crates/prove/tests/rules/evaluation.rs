//! Evaluates equations for other inputs.

use prove::{
    integers::Integers,
    system::{Definition, Id, Source, Value},
};
use std::collections::HashMap;

/// The values of the integers for some inputs.
pub fn evaluate(integers: &Integers, inputs: &HashMap<Id, u64>) -> Vec<i128> {
    let system = &integers.system;
    let mut values: Vec<i128> = Vec::new();
    for (id, definition) in system.definitions.iter().enumerate() {
        let of = |x: Value| match x {
            Value::Constant(x) => x,
            Value::Variable(id) => values[id as usize],
        };
        let parts = |number: u32| {
            let split = &system.splits[number as usize];
            match split.source {
                Source::Single(x) => {
                    let x = values[x as usize];
                    (x & ((1 << split.shift) - 1), x >> split.shift)
                }
                Source::Product(x, y) => {
                    // The factors are words, or signed integers, which are shorter.
                    let (x, y) = (values[x as usize], values[y as usize]);
                    if x < 0 || y < 0 {
                        ((x * y) & ((1 << split.shift) - 1), (x * y) >> split.shift)
                    } else {
                        let product = x as u128 * y as u128;
                        ((product & ((1 << split.shift) - 1)) as i128, (product >> split.shift) as i128)
                    }
                }
            }
        };
        let value = match definition {
            // Other inputs are words about which nothing is known.
            &Definition::Input(_, high) => {
                inputs.get(&(id as Id)).map_or(high.min(0x0123_4567), |&word| word.into())
            }
            Definition::Sum(constant, terms) => {
                terms.iter().fold(*constant, |sum, &(id, c)| sum + c * values[id as usize])
            }
            Definition::Word(_) => panic!("no function is called"),
            &Definition::Either(x, y) => of(x) | of(y),
            &Definition::Low(number) => parts(number).0,
            &Definition::High(number) => parts(number).1,
            &Definition::Choice(selector, first, second) => {
                let low_end = integers.bounds(Value::Variable(selector)).0;
                of(if values[selector as usize] == low_end { first } else { second })
            }
        };
        let (low, high) = integers.bounds(Value::Variable(id as Id));
        assert!(low <= value && value <= high, "{definition:?} is {value}, not from {low} to {high}");
        values.push(value);
    }
    values
}
