//! Lifts the updates of f and g, and of d and e, by a matrix: the integers, and the statements about them.

use super::{
    Lifting,
    record::{Recording, Update, fail},
};
use crate::{
    failure::Result,
    lift::{Composed, Declarations, Part, Territory, lift_declared},
    specification::inversion::{DIGIT, Row, bits_above, lower_digits},
    subject::{ARGUMENTS, STACK},
    system::{Id, Value},
};

const LOW: i128 = (1 << DIGIT) - 1;

/// The declared integers of an update.
#[derive(Default)]
struct Declared {
    factors: Vec<Id>,
    numbers: [Vec<Id>; 2],
    modulus: Vec<Id>,
    inverse: Vec<Id>,
}

impl Recording {
    /// The integers of the first call of an update, and a statement for each of its rows.
    ///
    /// # Errors
    /// If there is no call; else as [`lift_declared`].
    pub fn lift_update(&self, update: Update) -> Result<(Lifting, Vec<Row>)> {
        let Some(call) = self.calls.iter().find(|call| call.update == update) else {
            return fail("there is no such update");
        };
        let (places, count) = call.numbers();
        let (lower, above) = (lower_digits(self.limbs), bits_above(self.limbs));
        if count != lower + 1 {
            return fail("numbers of another length");
        }
        let (stack, modulus) = (call.begin.general[4], call.begin.general[9]);
        let words = self.words_read(call.steps.clone());
        let is_modular = update == Update::Modular;
        // Numbers modulo N, which lie in ]−2·N, N[, have one bit more.
        let least = -1 << (above + u32::from(is_modular));
        let declare = |declarations: &mut Declarations<'_>, declared: &mut Declared| -> Result<()> {
            declarations.has_signed_products();
            let mut integer = |address: u64, low: i128, high: i128| -> Result<Vec<Id>> {
                let Some(&word) = words.get(&address) else { return fail("a word that is not read") };
                let recorded = if low < 0 { (word as i64).into() } else { word.into() };
                let composed = Composed { constant: 0, parts: vec![(1, low, high, recorded)] };
                Ok(declarations.composed(address, word, &composed)?.1)
            };
            for i in 0..4 {
                declared.factors.extend(integer(call.matrix() + 8 * i, -LOW - 1, LOW + 1)?);
            }
            for (digits, place) in declared.numbers.iter_mut().zip(places) {
                for i in 0..lower as u64 {
                    digits.extend(integer(place + 8 * i, 0, LOW)?);
                }
                digits.extend(integer(place + 8 * lower as u64, least, (1 << above) - 1)?);
            }
            if is_modular {
                for i in 0..count {
                    let high = if i < lower { LOW } else { (1 << above) - 1 };
                    declared.modulus.extend(integer(modulus + 8 * i as u64, 0, high)?);
                }
                declared.inverse = integer(stack + 16, 0, LOW)?;
            }
            Ok(())
        };
        let bytes = |place: u64, words: usize| place..place + 8 * words as u64;
        let territory = Territory {
            public: std::iter::once(stack..stack + ARGUMENTS).collect(),
            writable: vec![bytes(places[0], count), bytes(places[1], count), stack - STACK..stack],
        };
        let part = Part::of(&self.trace, call.steps.clone(), call.begin.clone());
        let mut declared = Declared::default();
        let (lifted, _) =
            lift_declared(part, &[], territory, |declarations| declare(declarations, &mut declared))?;
        let Declared { factors, numbers, modulus, inverse } = declared;
        let mut rows = Vec::new();
        for (factors, place) in factors.chunks(2).zip(places) {
            rows.push(Row {
                factors: [factors[0], factors[1]],
                numbers: numbers.clone(),
                modulus: inverse.first().map(|&inverse| (modulus.clone(), inverse)),
                result: lifted.words(place, count)?.into_iter().map(Value::Variable).collect(),
                limbs: self.limbs,
            });
        }
        Ok((Lifting { lifted, steps: call.steps.clone() }, rows))
    }
}
