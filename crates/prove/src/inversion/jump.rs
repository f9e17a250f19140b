//! A jump as integers.
//!
//! At the end of each step the registers are cut: from there on they hold any words, and what they held
//! before is what the step must have computed.

use std::iter;

use super::{
    Lifting,
    record::{Recording, Update, Walk, fail},
    steps::Ends,
};
use crate::{
    failure::Result,
    lift::{Composed, CutRegisters, Declarations, Part, RegisterCut, Territory, lift_declared},
    specification::inversion::{HALF, Jump, State},
    subject::STACK,
    system::Value,
};

/// The weight of the highest bit of a word.
const SIGN: i128 = 1 << 63;

fn odd(word: u64) -> Composed {
    Composed { constant: 1, parts: vec![(2, 0, SIGN - 1, (word >> 1).into())] }
}

fn bits(word: u64) -> Composed {
    Composed { constant: 0, parts: vec![(1, 0, 1, (word & 1).into()), (2, 0, SIGN - 1, (word >> 1).into())] }
}

fn with_sign(word: u64) -> Composed {
    let (below, sign) = (i128::from(word) % SIGN, i128::from(word) / SIGN);
    Composed { constant: 0, parts: vec![(1, 0, SIGN - 1, below), (SIGN, 0, 1, sign)] }
}

/// Two numbers in ]−2^i, 2^i] in one word, the second multiplied by 2^32.
fn pair(word: u64, i: usize) -> Composed {
    let number = |word: u32| -i64::from(word.wrapping_neg() as i32);
    let low = number(word as u32);
    let high = number((word.wrapping_sub(low as u64) >> 32) as u32);
    let part = |multiplier: i128, x: i64| (multiplier, 1 - (1 << i), 1 << i, x.into());
    Composed { constant: 0, parts: vec![part(1, low), part(1 << 32, high)] }
}

impl Recording {
    /// The integers of a jump, and the statement about them.
    ///
    /// # Errors
    /// As [`lift_declared`].
    pub fn lift_jump(&self, found: &Ends) -> Result<(Lifting, Jump)> {
        let of = |update: Update| self.calls.iter().filter(move |call| call.update == update);
        let (Some(before), Some(next)) = (of(Update::Exact).next(), of(Update::Modular).nth(1)) else {
            return fail("there is no second jump");
        };
        let ((numbers, _), matrix) = (before.numbers(), next.matrix());
        let words = self.words_read(found.steps.clone());
        let words = numbers.map(|at| words.get(&at).copied().unwrap_or_default());
        let mut walk = Walk::new(&self.trace);
        walk.to(found.steps.start);
        let begin = walk.registers.clone();
        let of_zeta = vec![(found.of_zeta, with_sign(begin.general[found.of_zeta]))];
        let mut cuts = vec![RegisterCut { step: found.steps.start, registers: of_zeta }];
        for (i, end) in found.ends.iter().enumerate() {
            walk.to(end.step);
            let [zeta, f, g, row_of_f, row_of_g] =
                end.registers.map(|register| walk.registers.general[register]);
            let of_rows = match (i + 1) % HALF {
                0 => [pair(row_of_f, HALF - usize::from(end.is_half)), pair(row_of_g, HALF)],
                _ => [row_of_f, row_of_g].map(Composed::any),
            };
            let [of_f, of_g] = of_rows;
            let forms = [with_sign(zeta), odd(f), bits(g), of_f, of_g];
            let registers = end.registers.into_iter().zip(forms).collect();
            cuts.push(RegisterCut { step: end.step, registers });
        }
        let stack = begin.general[4];
        let territory =
            Territory { public: Vec::new(), writable: iter::once(stack - STACK..self.frame).collect() };
        let part = Part {
            register_cuts: &cuts,
            inside: Some(&numbers),
            ..Part::of(&self.trace, found.steps.clone(), begin)
        };
        let mut declared = None;
        let declare = |declarations: &mut Declarations<'_>| {
            declarations.has_signed_products();
            let (of_f, half) = declarations.composed(numbers[0], words[0], &odd(words[0]))?;
            let (of_g, parts) = declarations.composed(numbers[1], words[1], &bits(words[1]))?;
            declared = Some(((of_f, half.first().copied()), (of_g, <[_; 2]>::try_from(parts).ok())));
            Ok(())
        };
        let (lifted, _) = lift_declared(part, &[], territory, declare)?;
        let Some(words) = declared else { return fail("nothing is declared") };
        // The last step leaves ζ where the next jump reads it.
        let last = lifted.register_cuts.last().map(|cut| cut.words[0]);
        if last != Some(lifted.registers[found.of_zeta]) {
            return fail("ζ is left in another register");
        }
        let first = &lifted.register_cuts[0];
        let rows = ((Value::Constant(1), false), Value::Constant(1 << 32));
        let mut state = State {
            zeta: (first.words[0], <[_; 2]>::try_from(first.parts[0].clone()).ok()),
            f: words.0,
            g: words.1,
            row_of_f: rows.0,
            row_of_g: rows.1,
            pairs: None,
        };
        let (mut steps, mut halves) = (Vec::new(), Vec::new());
        for (i, (end, cut)) in found.ends.iter().zip(&lifted.register_cuts[1..]).enumerate() {
            let before = std::mem::replace(&mut state, from_then_on(cut, end.is_half));
            steps.push((before, made(cut, end.is_half)));
            if (i + 1) % HALF == 0 {
                halves.push(state.clone());
                (state.row_of_f, state.row_of_g, state.pairs) = (rows.0, rows.1, None);
            }
        }
        let [first, second] = <[State; 2]>::try_from(halves).or_else(|_| fail("a jump has two halves"))?;
        let matrix = lifted.words(matrix, 4)?;
        let matrix = [0, 1, 2, 3].map(|i| Value::Variable(matrix[i]));
        Ok((Lifting { lifted, steps: found.steps.clone() }, Jump { steps, halves: [first, second], matrix }))
    }
}

/// The contents of registers after a cut.
fn from_then_on(cut: &CutRegisters, is_half: bool) -> State {
    let parts = |i: usize| <[u32; 2]>::try_from(cut.parts[i].clone()).ok();
    State {
        zeta: (cut.words[0], parts(0)),
        f: (cut.words[1], cut.parts[1].first().copied()),
        g: (cut.words[2], parts(2)),
        row_of_f: (cut.words[3], is_half),
        row_of_g: cut.words[4],
        pairs: parts(3).zip(parts(4)).map(|(f, g)| [f, g]),
    }
}

/// The contents of registers before a cut.
fn made(cut: &CutRegisters, is_half: bool) -> State {
    let before = &cut.before;
    State {
        zeta: (before[0], None),
        f: (before[1], None),
        g: (before[2], None),
        row_of_f: (before[3], is_half),
        row_of_g: before[4],
        pairs: None,
    }
}
