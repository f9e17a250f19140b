//! Checks that the parts of an inversion meet their specification: a jump (one division step after another,
//! for all words, and the rows that they give) and both updates. The certificate of a jump is empty, as
//! nothing has to be searched for.

use num_bigint::BigInt;
use std::collections::HashSet;

use super::{
    intervals::Checker,
    polynomial::{Polynomial, power, refuse},
    residues::{Residue, combined, constant, product, single},
};
use crate::{
    certificate::{Case, RowProof},
    failure::{Failure, Result},
    specification::inversion::{DIGIT, HALF, Jump, Row, STEPS, State, bits_above, lower_digits},
    system::{Definition, Id, Source, System, Value},
};

/// Bits of a word.
const WORD: u32 = 64;

/// Checks a jump.
///
/// # Errors
/// The first property that does not hold.
pub fn check_jump(system: &System, jump: &Jump) -> Result<()> {
    let checker = Checker::of_integers(system)?;
    let mut seen = HashSet::new();
    if jump.steps.len() != STEPS {
        return refuse("a jump of another length");
    }
    for (i, (before, after)) in jump.steps.iter().enumerate() {
        let last = (i + 1) % HALF == 0;
        if i % HALF == 0
            && (before.row_of_f, before.row_of_g) != ((Value::Constant(1), false), Value::Constant(1 << 32))
        {
            return refuse("rows that do not begin with (1, 0) and (0, 1)");
        }
        checker.check_state(before, i % HALF == 0, &mut seen).map_err(|failure| at(failure, i))?;
        checker.check_step(before, after).map_err(|failure| at(failure, i))?;
        if last {
            let half = &jump.halves[i / HALF];
            checker.check_pairs(half, &mut seen)?;
            // The second half goes on from what the first one left.
            if let Some((next, _)) = jump.steps.get(i + 1)
                && (next.zeta, next.f, next.g) != (half.zeta, half.f, half.g)
            {
                return refuse("halves that do not follow each other");
            }
        }
    }
    checker.check_matrix(jump)
}

fn at(failure: Failure, step: usize) -> Failure {
    Failure { what: format!("{}, in division step {step}", failure.what), ..failure }
}

/// Checks a row of an update.
///
/// # Errors
/// The first property that does not hold.
pub fn check_row(system: &System, row: &Row, proof: &RowProof) -> Result<()> {
    Checker::of_integers(system)?.check_row(row, proof)
}

impl Checker<'_> {
    fn is_input(&self, id: Id, low: i128, high: i128) -> bool {
        self.system.definitions.get(id as usize) == Some(&Definition::Input(low, high))
    }

    // Jumps.

    /// Checks that a step starts from any words: ζ as its sign and the rest, f odd, g as its lowest bit and
    /// the rest, and both rows any words, except in the first step.
    fn check_state(&self, state: &State, is_first: bool, seen: &mut HashSet<Id>) -> Result<()> {
        let (Some([below, sign]), Some(half), Some([bit, above])) = (state.zeta.1, state.f.1, state.g.1)
        else {
            return refuse("words that are not declared");
        };
        let top = (1 << 63) - 1;
        let mut inputs = vec![(below, top), (sign, 1), (half, top), (bit, 1), (above, top)];
        let forms = [
            (state.zeta.0, 0, vec![(below, 1), (sign, 1 << 63)]),
            (state.f.0, 1, vec![(half, 2)]),
            (state.g.0, 0, vec![(bit, 1), (above, 2)]),
        ];
        for (x, c, terms) in forms {
            if !self.is_sum(x, c, &terms) {
                return refuse("a word that is not any word of its form");
            }
        }
        if !is_first {
            for x in [state.row_of_f.0, state.row_of_g] {
                let Value::Variable(id) = x else { return refuse("a row that is not any word") };
                inputs.push((id, u64::MAX.into()));
            }
        }
        // What the second half begins with was seen at the end of the first.
        match inputs.iter().all(|&(id, high)| self.is_input(id, 0, high) && seen.insert(id)) {
            true => Ok(()),
            false => refuse("a word that is not any word"),
        }
    }

    fn is_sum(&self, x: Value, constant: i128, terms: &[(Id, i128)]) -> bool {
        let Value::Variable(id) = x else { return false };
        self.system.definitions.get(id as usize) == Some(&Definition::Sum(constant, terms.into()))
    }

    /// Checks that a step is a division step, in each case of the sign of ζ and the lowest bit of g.
    fn check_step(&self, before: &State, after: &State) -> Result<()> {
        let (Some([_, sign]), Some([bit, _])) = (before.zeta.1, before.g.1) else {
            return refuse("words that are not declared");
        };
        for (is_negative, is_odd) in [(false, false), (false, true), (true, false), (true, true)] {
            let case = [(sign, i128::from(is_negative)), (bit, i128::from(is_odd))];
            let of = |x: Value| self.residue(x, WORD, &case);
            let [zeta, f, g, row_of_g] = [before.zeta.0, before.f.0, before.g.0, before.row_of_g].map(of);
            let row_of_f = combined(&[(if before.row_of_f.1 { 2 } else { 1 }, &of(before.row_of_f.0))], WORD);
            let swaps = is_negative && is_odd;
            let c = match (is_odd, swaps) {
                (false, _) => 0,
                (true, false) => 1,
                (true, true) => -1,
            };
            let sum = |parts: &[(i128, &Residue)]| combined(parts, WORD);
            let one = constant(1, WORD);
            let chosen = if swaps { &row_of_g } else { &row_of_f };
            let expected = [
                (
                    "ζ",
                    of(after.zeta.0),
                    if swaps { sum(&[(-2, &one), (-1, &zeta)]) } else { sum(&[(1, &zeta), (-1, &one)]) },
                ),
                ("f", of(after.f.0), if swaps { g.clone() } else { f.clone() }),
                ("g", self.residue_of_double(after.g.0, WORD, &case), sum(&[(1, &g), (c, &f)])),
                (
                    "the row of f",
                    of(after.row_of_f.0),
                    sum(&[(if after.row_of_f.1 { 1 } else { 2 }, chosen)]),
                ),
                ("the row of g", of(after.row_of_g), sum(&[(1, &row_of_g), (c, &row_of_f)])),
            ];
            for (name, made, wanted) in expected {
                if made != wanted {
                    return refuse(format!(
                        "{name} is not what a step leaves where ζ < 0 is {is_negative} and g odd {is_odd}"
                    ));
                }
            }
            if self.residue(after.f.0, 1, &case) != constant(1, 1) {
                return refuse("f does not stay odd");
            }
        }
        Ok(())
    }

    /// Checks that rows are declared as they are after i steps, with both numbers of a row in ]−2^i, 2^i].
    /// Half a row of f is one of the rows of the step before.
    fn check_pairs(&self, state: &State, seen: &mut HashSet<Id>) -> Result<()> {
        let Some(pairs) = state.pairs else { return refuse("rows that are not declared") };
        let words = [(state.row_of_f.0, HALF - usize::from(state.row_of_f.1)), (state.row_of_g, HALF)];
        for ([low, high], (word, bits)) in pairs.into_iter().zip(words) {
            let is_right = |id: Id| self.is_input(id, 1 - (1 << bits), 1 << bits);
            let wanted = combined(&[(1, &single(low)), (1 << 32, &single(high))], WORD);
            if !is_right(low)
                || !is_right(high)
                || !seen.insert(low)
                || !seen.insert(high)
                || self.residue(word, WORD, &[]) != wanted
            {
                return refuse("rows that are not those of a half");
            }
        }
        Ok(())
    }

    /// Checks that the matrix is the product of both halves. Its numbers are at most 2^62 in absolute value,
    /// so its words modulo 2^64 determine them.
    fn check_matrix(&self, jump: &Jump) -> Result<()> {
        let mut halves = Vec::new();
        for half in &jump.halves {
            let Some([f, g]) = half.pairs else { return refuse("rows that are not declared") };
            let of_f = f.map(|id| combined(&[(if half.row_of_f.1 { 2 } else { 1 }, &single(id))], WORD));
            halves.push([of_f, g.map(single)]);
        }
        let [first, second] = [&halves[0], &halves[1]];
        for (i, &word) in jump.matrix.iter().enumerate() {
            let (row, column) = (i / 2, i % 2);
            let parts = [0, 1].map(|k| product(&second[row][k], &first[k][column], WORD));
            let (low, high) = self.interval(word)?;
            let is_word = low >= BigInt::ZERO && high < power(WORD as usize);
            if !is_word || self.residue(word, WORD, &[]) != combined(&[(1, &parts[0]), (1, &parts[1])], WORD)
            {
                return refuse(format!("word {i} of the matrix is not that of the product of both halves"));
            }
        }
        Ok(())
    }

    // Updates.

    /// Checks that a row takes any numbers within their bounds to what it should, and that the result lies
    /// within its bounds.
    fn check_row(&self, row: &Row, proof: &RowProof) -> Result<()> {
        self.check_numbers(row)?;
        let [u, v] = row.factors;
        let [x, y] = &row.numbers;
        let (lower, zero) = (lower_digits(row.limbs), BigInt::ZERO);
        for (i, &digit) in row.result.iter().enumerate() {
            let (low, high) = self.interval(digit)?;
            let bits = if i < lower { DIGIT } else { WORD };
            if low < zero || high >= power(bits as usize) {
                return refuse(format!("digit {i} of the result is no digit"));
            }
        }
        // 2^62 times the result, less the products of the operands and the digit that was left out, has to be
        // zero. The highest digit of the result is its word plus a multiple of 2^64.
        let mut sum = Polynomial::default();
        let place = |i: usize| power(DIGIT as usize * i);
        for (i, &digit) in row.result.iter().enumerate() {
            self.add(&mut sum, &place(i + 1), digit);
        }
        for (id, c) in &proof.above {
            self.interval(Value::Variable(*id))?;
            self.add(&mut sum, &((c * place(lower + 1)) << WORD), Value::Variable(*id));
        }
        self.add(&mut sum, &1.into(), Value::Variable(proof.lowest));
        for i in 0..=lower {
            self.add_product(&mut sum, &-place(i), u, x[i]);
            self.add_product(&mut sum, &-place(i), v, y[i]);
        }
        match (&row.modulus, proof.multiple) {
            (Some((modulus, _)), Some(multiple)) => {
                for (i, &digit) in modulus.iter().enumerate() {
                    self.add_product(&mut sum, &-place(i), multiple, digit);
                }
                self.check_multiple(row, multiple)?;
            }
            (None, None) => {}
            _ => return refuse("a multiple of what is no modulus"),
        }
        self.add_uses(&mut sum, &proof.uses, &Case::new())?;
        if !sum.is_zero() {
            return refuse("the equations do not give 2^62 times the result");
        }
        self.check_lowest(row, proof.lowest)
        // So the result is a number F' with 2^62·F' = u·X + v·Y, or with multiples of N added as in
        // `check_multiple`. The bounds follow from those of X, Y and |u| + |v|: in absolute value, F'
        // is no longer than the longer of X and Y. Its highest digit is F' divided by
        // 2^(62·c), rounded down, which is shorter than 63 bits. So the word is that digit with its sign.
    }

    /// Checks that the operands are any numbers within their bounds, and the row any row, all of distinct
    /// symbols.
    fn check_numbers(&self, row: &Row) -> Result<()> {
        let (lower, above) = (lower_digits(row.limbs), bits_above(row.limbs));
        let digit = (1 << DIGIT) - 1;
        let top = (1 << above) - 1;
        let least = -1 << (above + u32::from(row.modulus.is_some()));
        let mut inputs: Vec<(Id, i128, i128)> =
            row.factors.iter().map(|&id| (id, -digit - 1, digit + 1)).collect();
        for number in &row.numbers {
            if number.len() != lower + 1 {
                return refuse("a number of another length");
            }
            inputs.extend(number[..lower].iter().map(|&id| (id, 0, digit)));
            inputs.push((number[lower], least, top));
        }
        if let Some((modulus, inverse)) = &row.modulus {
            inputs.push((*inverse, 0, digit));
            if modulus.len() != lower + usize::from(above > 0) {
                return refuse("a modulus of another length");
            }
            inputs.extend(modulus[..lower].iter().map(|&id| (id, 0, digit)));
            inputs.extend(modulus[lower..].iter().map(|&id| (id, 0, top)));
        }
        let mut seen = HashSet::new();
        let are_right = inputs.iter().all(|&(id, low, high)| self.is_input(id, low, high) && seen.insert(id));
        if !are_right || row.result.len() != lower + 1 || row.limbs == 0 {
            return refuse("an operand that is not any number");
        }
        Ok(())
    }

    /// Checks that the modulus is multiplied by K = [X < 0]·u + [Y < 0]·v − t with 0 ≤ t < 2^62.
    ///
    /// As |u| + |v| ≤ 2^62, K lies in [1 − 2^63, 2^62]: so K is its residue modulo 2^64 that is at least
    /// −2^63. With N added to each that is below zero, X and Y lie in ]−N, N[. So u·X + v·Y + K·N lies in
    /// ]−2·2^62·N, 2^62·N[, and the result in ]−2·N, N[.
    fn check_multiple(&self, row: &Row, multiple: Id) -> Result<()> {
        let what = || "a multiple of the modulus that is another one";
        let (moved, mut terms) = self.expanded(multiple);
        if let [(id, _)] = terms[..]
            && let Definition::Low(number) = self.system.definitions[id as usize]
            && moved == -power(63)
        {
            let split = &self.system.splits[number as usize];
            let Source::Single(of) = split.source else { return refuse(what()) };
            let (constant, inner) = self.expanded(of);
            if split.shift != WORD || constant != power(63) {
                return refuse(what());
            }
            terms = inner;
        } else if moved != BigInt::ZERO {
            return refuse(what());
        }
        let sign_of = |selector: Id, number: &[Id]| {
            let Definition::High(split) = self.system.definitions[selector as usize] else { return false };
            let split = &self.system.splits[split as usize];
            number.last().is_some_and(|&top| split.source == Source::Single(top)) && split.shift == 63
        };
        let (one, minus_one) = (BigInt::from(1), BigInt::from(-1));
        let mut is_there = [false; 3];
        for (id, c) in &terms {
            let digit = self.interval(Value::Variable(*id))?;
            match self.system.definitions[*id as usize] {
                Definition::Choice(selector, Value::Variable(factor), Value::Constant(0)) if *c == one => {
                    let fits = |i: usize| row.factors[i] == factor && sign_of(selector, &row.numbers[i]);
                    match (0..2).find(|&i| fits(i)) {
                        Some(i) => is_there[i] = true,
                        None => return refuse(what()),
                    }
                }
                _ if *c == minus_one && digit.0 >= BigInt::ZERO && digit.1 < power(DIGIT as usize) => {
                    is_there[2] = true
                }
                _ => return refuse(what()),
            }
        }
        if is_there != [true; 3] || terms.len() != 3 { refuse(what()) } else { Ok(()) }
    }

    /// Checks that the lowest digit of the dividend is zero, which it is modulo 2^62.
    fn check_lowest(&self, row: &Row, lowest: Id) -> Result<()> {
        let (low, high) = self.interval(Value::Variable(lowest))?;
        let [u, v] = row.factors.map(single);
        let [x, y] = [&row.numbers[0], &row.numbers[1]].map(|number| single(number[0]));
        let found = self.residue(Value::Variable(lowest), DIGIT, &[]);
        let wanted = match &row.modulus {
            // The specification assumes that this sum is zero modulo 2^62.
            None => combined(&[(1, &product(&u, &x, DIGIT)), (1, &product(&v, &y, DIGIT))], DIGIT),
            Some(_) => Residue::new(),
        };
        let found = match &row.modulus {
            Some((modulus, inverse)) => without_inverse(&found, modulus[0], *inverse),
            None => found,
        };
        if low < BigInt::ZERO || high >= power(DIGIT as usize) || found != wanted {
            return refuse("the lowest digit of what is divided is not zero");
        }
        Ok(())
    }
}

/// Replaces products of N's lowest digit and its inverse by 1.
fn without_inverse(residue: &Residue, digit: Id, inverse: Id) -> Residue {
    let mut out = Residue::new();
    for (ids, c) in residue {
        let mut ids = ids.clone();
        while let (Some(i), true) = (ids.iter().position(|&id| id == digit), ids.contains(&inverse)) {
            ids.remove(i);
            ids.retain({
                let mut is_left = true;
                move |&id| id != inverse || !std::mem::take(&mut is_left)
            });
        }
        let total = Residue::from([(ids, c.clone())]);
        out = combined(&[(1, &out), (1, &total)], DIGIT);
    }
    out
}
