//! Checks the conclusion of a statement about digits in doubles.

use num_bigint::BigInt;
use std::collections::HashSet;

use super::{
    intervals::Checker,
    polynomial::{Interval, Polynomial, power, product_interval, refuse, widen},
};
use crate::{
    certificate::{Certificate, Outcome, Part},
    failure::Result,
    specification::{
        Formula, Statement,
        doubles::{DIGIT, Doubles, HIGHEST, Part as Division, TOP},
    },
    system::{Claim, Definition, Id, Value},
};

/// The weight of a digit.
fn weight(i: usize) -> BigInt {
    power(DIGIT as usize * i)
}

impl Checker<'_> {
    /// Checks that an integer is a symbol that is not used for anything else and reaches every value up to
    /// `most`.
    fn is_symbol(&self, id: Id, most: &BigInt, seen: &mut HashSet<Id>) -> bool {
        match self.system.definitions.get(id as usize) {
            Some(&Definition::Input(0, high)) => BigInt::from(high) >= *most && seen.insert(id),
            _ => false,
        }
    }

    /// Checks that the operands are as the statement has them.
    pub(super) fn check_operands_in_doubles(&self, doubles: &Doubles) -> Result<()> {
        let Statement { modulus, inverse, first, second, specification, .. } = self.statement;
        let Doubles { digits, rows, multiple, correction, .. } = doubles;
        let formula = specification.formula;
        let mut seen = HashSet::new();
        let canonical: BigInt = weight(1) - 1;
        let mut is_any = self.is_symbol(*inverse, &canonical, &mut seen);
        let is_divided = doubles.part == Division::Divided;
        let before = self.statement.before.as_ref().and_then(|before| Some(before.doubles.as_ref()?.part));
        is_any &= match doubles.part {
            Division::Divided => before == Some(Division::Reduced),
            Division::Left => before == Some(Division::Divided),
            Division::Whole | Division::Reduced | Division::Shifted | Division::Correction => true,
        };
        is_any &= !is_divided || self.is_symbol(doubles.reciprocal, &power(63), &mut seen);
        let mut below = |number: &[Id]| {
            let is_digit = |(i, &id): (usize, &Id)| {
                let most = doubles.highest_below(i);
                most > BigInt::ZERO && self.is_symbol(id, &most, &mut seen)
            };
            number.iter().enumerate().all(is_digit) && doubles.highest_below(number.len()) == BigInt::ZERO
        };
        is_any &= *digits >= 2 && digits.is_multiple_of(2) && rows.len() == *digits;
        is_any &= self.statement.is_sum_of_doubles() || below(modulus);
        is_any &= rows.iter().all(|row| below(row));
        let mut residue = |number: &[Id]| {
            let is_digit = |(i, &id): (usize, &Id)| self.is_symbol(id, &doubles.highest_digit(i), &mut seen);
            number.len() == *digits && number.iter().enumerate().all(is_digit)
        };
        let is_shifted = doubles.part == Division::Shifted;
        let is_correction = doubles.part == Division::Correction;
        is_any &= if is_correction {
            first.is_empty() && formula == Formula::Whole && !specification.is_reduced
        } else {
            formula == Formula::Copy || is_divided || is_shifted || residue(first)
        };
        match formula {
            Formula::Product if doubles.is_matrix || !doubles.pieces.is_empty() => {
                is_any &= second.is_empty()
            }
            Formula::Product | Formula::Sum | Formula::Difference => is_any &= residue(second),
            _ => is_any &= second.is_empty(),
        }
        let mut number = |number: &[Id], highest: &dyn Fn(usize) -> BigInt| {
            let is_part = |(i, &id): (usize, &Id)| {
                highest(i) > BigInt::ZERO && self.is_symbol(id, &highest(i), &mut seen)
            };
            number.iter().enumerate().all(is_part) && highest(number.len()) == BigInt::ZERO
        };
        for piece in &doubles.pieces {
            is_any &= number(piece, &|i| doubles.highest_below(i));
        }
        is_any &= doubles.reduced.is_multiple_of(2) && (2..=*digits).contains(&doubles.reduced);
        is_any &= if is_correction {
            doubles.pieces.len() == *digits && doubles.reduced == *digits && !doubles.is_matrix
        } else if doubles.pieces.is_empty() {
            doubles.reduced == *digits
        } else {
            formula == Formula::Product && doubles.reduced * doubles.pieces.len() >= *digits
        };
        if is_divided {
            let seen = &|i| doubles.highest_of_reduced(i);
            is_any &= formula == Formula::Remainder && number(first, seen);
            is_any &= self.statement.first_bits == DIGIT && self.statement.result_bits == DIGIT;
            is_any &= self.statement.result.len() == *digits;
            self.check_result()?;
        }
        is_any &= is_shifted == matches!(formula, Formula::Shifted(_));
        if is_shifted {
            is_any &= number(first, &|i| doubles.highest_below(i)) && specification.is_reduced;
            is_any &= self.statement.first_bits == DIGIT && self.statement.result_bits == DIGIT;
            is_any &= self.statement.result.len() == *digits;
            self.check_result()?;
        }
        if doubles.part == Division::Left {
            is_any &= formula == Formula::Copy && number(first, &|i| doubles.highest_below(i));
            is_any &= self.statement.first_bits == DIGIT && self.statement.result_bits == 64;
            self.check_result()?;
        } else if formula == Formula::Copy {
            is_any &= number(first, &|i| doubles.highest_word(i)) && self.statement.first_bits == 64;
        }
        if self.statement.is_sum_of_doubles() {
            is_any &= number(modulus, &|i| doubles.highest_of_limit(i));
            // Each digit is in its range, so that the number which they form has no more digits.
            for &digit in &self.statement.result {
                let (low, high) = self.interval(digit)?;
                is_any &= low >= BigInt::ZERO && high <= canonical;
            }
        }
        is_any &= correction.len() == *digits;
        is_any &= correction.iter().all(|&id| self.is_symbol(id, &canonical, &mut seen));
        // T does not contain K.
        let is_reduced = doubles.part == Division::Reduced;
        is_any &= multiple.len() == if is_reduced { 0 } else { *digits };
        is_any &= multiple.iter().enumerate().all(|(i, &digit)| match digit {
            Value::Variable(id) => i + 1 < *digits && self.is_symbol(id, &canonical, &mut seen),
            Value::Constant(x) => i + 1 == *digits && x == TOP,
        });
        // No operand may be an integer that says how a value was rounded.
        is_any &= self.system.claims.iter().all(|claim| match claim {
            Claim::Rounded { up, .. } => !seen.contains(up),
            _ => true,
        });
        if is_any { Ok(()) } else { refuse("an operand that is not any number of digits") }
    }

    /// Adds c times the sum of the products of neighbouring rows, less the number that is their sum.
    pub(super) fn add_correction(&self, sum: &mut Polynomial, c: &BigInt) -> Result<()> {
        let Some(doubles) = &self.statement.doubles else { return refuse("there is no matrix") };
        for rows in doubles.last_rows().chunks(2) {
            let [first, second] = rows else { return refuse("a matrix of an odd number of rows") };
            for (i, (&x, &y)) in first.iter().zip(second).enumerate() {
                self.add_product(sum, &(c * weight(i)), x, y);
            }
        }
        for (i, &id) in doubles.correction.iter().enumerate() {
            self.add(sum, &-(c * weight(i)), Value::Variable(id));
        }
        Ok(())
    }

    /// The interval of a sum, using that each row of the matrix is a number above 0: R·r_j ≡ 2^(50·j) modulo
    /// N, and N is odd and above 1.
    pub(super) fn interval_with_rows(&self, sum: &Polynomial) -> Interval {
        let mut interval = self.sum_interval(sum);
        let Some(doubles) = self.statement.doubles.as_ref().filter(|doubles| !doubles.is_matrix) else {
            return interval;
        };
        let zero = BigInt::ZERO;
        let coefficient = |x: Id, y: Id| sum.products.get(&(x.min(y), x.max(y))).unwrap_or(&zero);
        for row in &doubles.rows {
            for &(x, y) in sum.products.keys() {
                let of = match (x == row[0], y == row[0]) {
                    (true, false) => y,
                    (false, true) => x,
                    _ => continue,
                };
                let c = coefficient(of, row[0]);
                let is_whole = |(i, &digit): (usize, &Id)| *coefficient(of, digit) == c * weight(i);
                let low = &self.intervals[of as usize].0;
                // A product of digits is at least 0.
                if *c > zero && *low > zero && !row.contains(&of) && row.iter().enumerate().all(is_whole) {
                    interval.0 += c * low;
                }
            }
        }
        interval
    }

    /// Checks that the result is a residue, and equals what the formula says.
    pub(super) fn check_doubles(&mut self, doubles: &Doubles, certificate: &Certificate) -> Result<()> {
        let Outcome { uses, products, case } = match &certificate.outcomes[..] {
            [outcome] if outcome.case.is_empty() => outcome,
            _ => return refuse("a result in doubles has one case"),
        };
        let (result, rest) = match self.statement.result.split_at_checked(doubles.digits) {
            Some(parts) => parts,
            None => return refuse("a result of too few digits"),
        };
        let highest = match doubles.part {
            Division::Reduced | Division::Correction => weight(1) - 1,
            _ => HIGHEST.into(),
        };
        for (i, &digit) in result.iter().enumerate() {
            let (low, high) = self.interval(digit)?;
            if low < BigInt::ZERO || high > highest {
                return refuse(format!("digit {i} of the result is no digit"));
            }
        }
        for &digit in rest {
            let is_zero = match digit {
                Value::Constant(x) => x == 0,
                Value::Variable(id) => self.zeros.contains(&id),
            };
            if !is_zero {
                return refuse("there may be more digits than a residue has");
            }
        }
        let mut sum = Polynomial::default();
        let is_copy = self.statement.specification.formula == Formula::Copy;
        let is_exact = is_copy || doubles.part == Division::Correction;
        let factor = if is_exact { BigInt::from(1) } else { weight(doubles.reduced) };
        for (i, &digit) in result.iter().enumerate() {
            self.add(&mut sum, &(&factor * weight(i)), digit);
        }
        self.add_uses(&mut sum, uses, case)?;
        self.add_products(&mut sum, products, case)?;
        if doubles.part == Division::Correction {
            // The operands are an even number of pieces, as the number of digits is even.
            for (first, second) in doubles.pairs_of_pieces() {
                for (i, (&x, &y)) in first.iter().zip(second).enumerate() {
                    self.add_product(&mut sum, &-weight(i), x, y);
                }
            }
            return if sum.is_zero() { Ok(()) } else { refuse("the correction is another sum") };
        }
        if is_copy {
            self.add_formula(&mut sum, &BigInt::from(-1));
            let is_low = doubles.highest_modulus() < doubles.limit() - doubles.highest_modulus();
            return if sum.is_zero() && is_low { Ok(()) } else { refuse("the copy is not what was copied") };
        }
        self.check_product_in_doubles(doubles, sum, &certificate.parts)
    }

    /// Checks that R·X' = X·Y + Σ t_j·(R·r_j − 2^(50·j)) + R·K, and so X' is below Q.
    fn check_product_in_doubles(&self, doubles: &Doubles, mut sum: Polynomial, parts: &[Part]) -> Result<()> {
        let Statement { first, second, specification, .. } = self.statement;
        let factor = weight(doubles.reduced);
        let second = match specification.formula {
            Formula::Product => second,
            Formula::Square => first,
            // There is no product.
            Formula::First => &Vec::new(),
            _ => return refuse("no product in doubles"),
        };
        let factors = doubles.factors(first, second);
        if specification.formula == Formula::First {
            for (i, &x) in first.iter().enumerate() {
                self.add(&mut sum, &-weight(i), Value::Variable(x));
            }
        }
        for (first, second) in &factors {
            for (i, &x) in first.iter().enumerate() {
                for (j, &y) in second.iter().enumerate() {
                    self.add_product(&mut sum, &-weight(i + j), x, y);
                }
            }
        }
        // X is added, because the multiples of the rows by the digits of X subtract it again.
        if doubles.is_matrix {
            let is_digit = |(j, part): (usize, &Part)| {
                *part == Part { row: j as u32, of: first.get(j).copied(), multiplier: 1.into() }
            };
            if first.len() != parts.len() || !parts.iter().enumerate().all(is_digit) {
                return refuse("rows are not multiplied by the digits of the operand");
            }
            for (i, &x) in first.iter().enumerate() {
                self.add(&mut sum, &-weight(i), Value::Variable(x));
            }
        }
        let mut highest = &factor * weight(doubles.digits - 1) * (TOP + 1);
        let (mut multiples, mut is_positive) = (BigInt::ZERO, true);
        for (i, &digit) in doubles.multiple.iter().enumerate() {
            self.add(&mut sum, &-(&factor * weight(i)), digit);
        }
        for Part { row, of, multiplier } in parts {
            let Some(digits) = doubles.rows.get(*row as usize) else { return refuse("there is no such row") };
            let of_one = (BigInt::from(1), BigInt::from(1));
            let interval = of.map_or(Ok(of_one), |id| self.interval(Value::Variable(id)))?;
            let Some(place) = doubles.place(*row as usize) else { return refuse("a row too many") };
            let unit = weight(place);
            for (i, &digit) in digits.iter().enumerate() {
                let c = -(&factor * weight(i) * multiplier);
                match of {
                    Some(id) => self.add_product(&mut sum, &c, *id, digit),
                    None => self.add(&mut sum, &c, Value::Variable(digit)),
                }
            }
            match of {
                Some(id) => self.add(&mut sum, &(multiplier * &unit), Value::Variable(*id)),
                None => sum.constant += multiplier * &unit,
            }
            let span = (-unit, &factor * doubles.highest_modulus());
            let mut total = (BigInt::ZERO, BigInt::ZERO);
            widen(&mut total, multiplier, &product_interval(&interval, &span));
            highest += total.1;
            is_positive &= interval.0 >= BigInt::ZERO && *multiplier >= BigInt::ZERO;
            multiples += multiplier * interval.1;
        }
        if !sum.is_zero() {
            return refuse("the result is not what the formula says");
        }
        if doubles.part == Division::Reduced {
            // Each row is below N. X·Y, or X, is at most R·N, as X is below R and Y = `one` below N.
            let is_below = is_positive && doubles.pieces.is_empty() && !doubles.is_matrix;
            return match is_below
                && specification.formula != Formula::Square
                && multiples + 1 < doubles.multiples()
            {
                true => Ok(()),
                false => refuse("what is to be divided may be too high"),
            };
        }
        // X·Y is at most this; or at most each part, with all digits as high as possible, times N. Q is at
        // least its limit less N.
        highest += if doubles.pieces.is_empty() {
            (doubles.limit() - 1) * (doubles.limit() - 1)
        } else {
            (&factor * 2u32 * doubles.highest_modulus()) * factors.len()
        };
        if highest >= factor * (doubles.limit() - doubles.highest_modulus()) {
            return refuse("the result may be too high");
        }
        Ok(())
    }
}
