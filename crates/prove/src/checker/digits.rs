//! Checks the conclusion of a statement about digits of 52 bits: the result is congruent to the formula, and
//! below the multiple of the modulus that it should be below.

use num_bigint::BigInt;
use std::collections::HashSet;

use super::{
    intervals::Checker,
    polynomial::{Interval, Polynomial, power, refuse, widen},
};
use crate::{
    certificate::{Certificate, Outcome},
    failure::Result,
    specification::{
        Formula, Statement,
        digits::{DIGIT, Digits, Multiple, PRODUCT, RESIDUE},
    },
    system::{Definition, Id, Source, Value},
};

/// The weight of a digit.
fn weight(i: usize) -> BigInt {
    power(DIGIT as usize * i)
}

/// Whether the formula's value is made a multiple of R by adding multiples of N.
fn is_product(formula: Formula) -> bool {
    use Formula::{First, Pieces, Product, Raised, Square};
    matches!(formula, Product | Square | Pieces(_) | First | Raised(_))
}

impl Checker<'_> {
    /// Checks that the digits are distinct symbols, each of which reaches the values it needs for all numbers
    /// up to the highest one.
    fn check_number(&self, ids: &[Id], bits: u32, highest: &BigInt, seen: &mut HashSet<Id>) -> Result<()> {
        let digit = |i: usize| (bits as usize * i, power(bits as usize) - 1);
        self.check_digits(ids, bits, highest, &digit, seen)
    }

    /// The same for digits in strips.
    fn check_in_strips(
        &self,
        ids: &[Id],
        digits: &Digits,
        highest: &BigInt,
        is_residue: bool,
        seen: &mut HashSet<Id>,
    ) -> Result<()> {
        let digit = |i: usize| (digits.place(i), digits.highest(i, is_residue).into());
        self.check_digits(ids, DIGIT, highest, &digit, seen)
    }

    fn check_digits(
        &self,
        ids: &[Id],
        bits: u32,
        highest: &BigInt,
        digit: &dyn Fn(usize) -> (usize, BigInt),
        seen: &mut HashSet<Id>,
    ) -> Result<()> {
        for (i, id) in ids.iter().enumerate() {
            let (place, largest) = digit(i);
            let most: BigInt = (highest >> place).min(largest);
            let is_digit = match self.system.definitions.get(*id as usize) {
                Some(&Definition::Input(0, high)) => BigInt::from(high) >= most,
                Some(&Definition::Low(number)) => self.is_of_any_word(number, bits),
                _ => false,
            };
            if !is_digit || !seen.insert(*id) {
                return refuse("an operand that is not any number of digits");
            }
        }
        if ids.is_empty() || highest >> digit(ids.len()).0 != BigInt::ZERO {
            return refuse("an operand of too few digits");
        }
        Ok(())
    }

    /// Whether the source of a split can be any word, so that the lower part is that of any word.
    fn is_of_any_word(&self, number: u32, bits: u32) -> bool {
        let split = &self.system.splits[number as usize];
        let Source::Single(of) = split.source else { return false };
        split.shift == bits && self.system.definitions[of as usize] == Definition::Input(0, (1 << 64) - 1)
    }

    /// Checks that the operands are as the statement has them.
    pub(super) fn check_digit_operands(&self, digits: &Digits) -> Result<()> {
        let Statement { modulus, inverse, first, first_bits, second, specification, result_bits, .. } =
            self.statement;
        let (mut seen, n) = (HashSet::new(), digits.highest_modulus());
        let without_step = digits.step.is_empty();
        for ids in [&digits.high, &digits.step].into_iter().take(if without_step { 1 } else { 2 }) {
            self.check_in_strips(ids, digits, &n, false, &mut seen)?;
        }
        let inverse =
            if digits.inverse.is_empty() { core::slice::from_ref(inverse) } else { &digits.inverse };
        self.check_number(inverse, DIGIT, &(weight(inverse.len()) - 1), &mut seen)?;
        let formula = specification.formula;
        let [highest, of_second] = self.statement.highest_operands(digits);
        // Sums and differences are taken modulo 12·N.
        let is_sum = matches!(formula, Formula::Sum | Formula::Difference);
        if self.statement.is_modulus_in_strips() {
            self.check_in_strips(modulus, digits, &n, false, &mut seen)?;
        } else {
            self.check_number(modulus, DIGIT, &if is_sum { n * RESIDUE } else { n }, &mut seen)?;
        }
        if *first_bits == DIGIT && !digits.are_in_order[0] {
            self.check_in_strips(first, digits, &highest, !digits.is_entered, &mut seen)?;
        } else {
            self.check_number(first, *first_bits, &highest, &mut seen)?;
        }
        match formula {
            Formula::Product | Formula::Sum | Formula::Difference => {
                let is_residue = *first_bits == DIGIT && !digits.is_entered;
                self.check_in_strips(second, digits, &of_second, is_residue, &mut seen)?;
            }
            Formula::Pieces(part) => {
                let is_long = second.len() >= first.len().div_ceil(part.max(1)) * modulus.len();
                if part != digits.reduced
                    || part == 0
                    || !is_long
                    || !second.len().is_multiple_of(modulus.len())
                {
                    return refuse("pieces of another length");
                }
                for piece in second.chunks(modulus.len()) {
                    self.check_number(piece, DIGIT, &of_second, &mut seen)?;
                }
            }
            _ if second.is_empty() => {}
            _ => return refuse("an operand too many"),
        }
        // Products are reduced, and all their numbers consist of digits, except words that are converted into
        // residues. All other operations reduce nothing, and only convert words into residues or
        // back.
        let is_product = is_product(formula);
        let are_digits = match formula {
            Formula::Product => *result_bits == DIGIT,
            Formula::Copy => true,
            Formula::Square
            | Formula::Pieces(_)
            | Formula::First
            | Formula::Raised(_)
            | Formula::Sum
            | Formula::Difference => [*first_bits, *result_bits] == [DIGIT; 2],
            Formula::Remainder => *first_bits == DIGIT,
            Formula::Exchange
            | Formula::Entry
            | Formula::Lowest(_)
            | Formula::Place(_)
            | Formula::Shifted(_)
            | Formula::Blocks { .. }
            | Formula::Once(_)
            | Formula::Estimated(_)
            | Formula::Long
            | Formula::Whole => false,
        };
        if is_product != specification.is_reduced || !are_digits || !is_product && !digits.empty.is_empty() {
            return refuse("no operation on digits");
        }
        if formula == Formula::Remainder {
            let [least, _] = digits.seen_of_modulus();
            let most: BigInt = power(64) - 1;
            let highest = (power(64) / least + 1i32).min(most);
            self.check_number(&[digits.reciprocal], 64, &highest, &mut seen)?;
        }
        self.check_result()
    }

    /// Adds c times the product that the formula is about.
    fn add_digit_product(&self, sum: &mut Polynomial, c: &BigInt) {
        self.add_factors(sum, c);
        let raised = match self.statement.specification.formula {
            Formula::First => 0,
            Formula::Raised(digit) => digit,
            _ => return,
        };
        for (i, &x) in self.statement.first.iter().enumerate() {
            self.add(sum, &(c << self.statement.place_of_first(i + raised)), Value::Variable(x));
        }
    }

    /// An interval of a sum, in which the product of both operands is bounded as a whole.
    pub(super) fn interval_with_product(&self, mut sum: Polynomial) -> Interval {
        let formula = self.statement.specification.formula;
        let Some(digits) = &self.statement.digits else {
            return match (&self.statement.doubles, self.estimate) {
                (Some(doubles), Some(q)) => self.interval_of_division(sum, q, doubles),
                _ => self.interval_with_rows(&sum),
            };
        };
        let kappa = match formula {
            // The term is subtracted here and added again as a whole.
            Formula::Raised(digit) => self.kappa(&sum) / weight(digit),
            _ if is_product(formula) => self.kappa(&sum),
            _ => return self.sum_interval(&sum),
        };
        self.add_digit_product(&mut sum, &-&kappa);
        let mut interval = self.sum_interval(&sum);
        let n = digits.highest_modulus();
        let highest = self.statement.products(digits).into_iter().map(|multiple| multiple * &n).max();
        widen(&mut interval, &kappa, &(BigInt::ZERO, highest.unwrap_or_default()));
        interval
    }

    /// Adds c·q times a multiple of N.
    fn add_multiple(&self, sum: &mut Polynomial, digits: &Digits, c: &BigInt, q: Id, multiple: Multiple) {
        let (number, shift) = match multiple {
            Multiple::High => (&digits.high, digits.strip_bits()),
            Multiple::Step => (&digits.step, DIGIT as usize * digits.short),
            Multiple::Modulus => (&self.statement.modulus, 0),
        };
        for (i, &id) in number.iter().enumerate() {
            self.add_product(sum, &(c << (digits.place(i) + shift)), q, id);
        }
        if multiple != Multiple::Modulus {
            self.add(sum, &-c, Value::Variable(q));
        }
    }

    /// Checks that R·X' = X·Y + Σ q·2^w·m, for multiples m of N below 2^(52·k)·N, and so X' < 4·N; or, for
    /// pieces, that R'·X' = Σ X_p·Y_p + Σ q·2^w·m and X' < 12·N.
    pub(super) fn check_digit_product(&mut self, digits: &Digits, certificate: &Certificate) -> Result<()> {
        let formula = self.statement.specification.formula;
        if !is_product(formula) || !self.statement.specification.is_reduced {
            return refuse("no product of digits");
        }
        let [Outcome { case, uses, products }] = &certificate.outcomes[..] else {
            return refuse("a product of digits has one case");
        };
        if !case.is_empty() {
            return refuse("a product of digits has no cases");
        }
        let mut sum = Polynomial::default();
        let factor = digits.factor();
        for (i, &digit) in self.statement.result.iter().enumerate() {
            self.add(&mut sum, &(&factor << digits.place(i)), digit);
        }
        self.add_uses(&mut sum, uses, case)?;
        self.add_products(&mut sum, products, case)?;
        self.add_digit_product(&mut sum, &BigInt::from(-1));
        // The number of times N that bounds what is added.
        let mut total = BigInt::ZERO;
        for &(multiple, q, exponent) in &certificate.multiples {
            let (low, high) = self.interval(Value::Variable(q))?;
            if low < BigInt::ZERO {
                return refuse(format!("the digit {q} of a quotient may be negative"));
            }
            if multiple == Multiple::Step && digits.step.is_empty() {
                return refuse("a multiple of a number that is not there");
            }
            let exponent = power(exponent as usize);
            self.add_multiple(&mut sum, digits, &-&exponent, q, multiple);
            let longer = match multiple {
                Multiple::High => power(digits.strip_bits()),
                Multiple::Step => weight(digits.short),
                Multiple::Modulus => BigInt::from(1),
            };
            total += high * exponent * longer;
        }
        if !sum.is_zero() {
            return refuse("the result is not what the formula says");
        }
        // R·X' < (m + total)·N, for any of the m with X·Y < m·N.
        // The last digits that are cleared have more bits than the strip that they clear, if it has spare
        // bits.
        let is_longer = matches!(formula, Formula::Pieces(_)) || digits.spare > 0;
        let limit = factor * if is_longer { RESIDUE } else { PRODUCT };
        if self.statement.products(digits).iter().any(|multiple| multiple + &total > limit) {
            return refuse("the result may be too high");
        }
        self.check_empty(digits)
    }

    /// Checks that words of the result are 0, from the highest one down. All their digits are 0, as the
    /// result is that low. A word is then 0 if it is above -2^52 and what is above its digit is part of
    /// the word above, of which no other part is negative.
    fn check_empty(&self, digits: &Digits) -> Result<()> {
        let (result, empty) = (&self.statement.result, &digits.empty);
        let Some(first) = result.len().checked_sub(empty.len()) else {
            return refuse("more words that are 0 than there are");
        };
        if empty.is_empty() {
            return Ok(());
        }
        if digits.highest_modulus() * RESIDUE >= weight(first) || result.last() != empty.last() {
            return refuse("words that may be other than 0");
        }
        for (pair, &digit) in empty.windows(2).zip(&result[first..]) {
            if digit != pair[0]
                && !self.is_zero_with(pair[0], digit)?
                && !self.is_carried(pair[0], digit, pair[1])?
            {
                return refuse("what is above a digit may be other than 0");
            }
        }
        Ok(())
    }

    /// Whether a word and its digit depend on one integer of two values alone, and the word is 0 where the
    /// digit is.
    fn is_zero_with(&self, word: Value, digit: Value) -> Result<bool> {
        let (Value::Variable(word), Value::Variable(digit)) = (word, digit) else { return Ok(false) };
        let (word, digit) = (self.expanded(word), self.expanded(digit));
        let ([(id, in_word)], [(other, in_digit)]) = (&word.1[..], &digit.1[..]) else { return Ok(false) };
        let (low, high) = self.interval(Value::Variable(*id))?;
        let is_zero_too =
            |x: &BigInt| &digit.0 + in_digit * x != BigInt::ZERO || &word.0 + in_word * x == BigInt::ZERO;
        Ok(id == other && &low + 1 == high && is_zero_too(&low) && is_zero_too(&high))
    }

    /// Whether a digit is the lower part of a word above -2^52 whose upper part is part of the next word, of
    /// which no other part is negative.
    fn is_carried(&self, word: Value, digit: Value, next: Value) -> Result<bool> {
        let (Value::Variable(word), Value::Variable(digit), Value::Variable(next)) = (word, digit, next)
        else {
            return Ok(false);
        };
        let Some(&Definition::Low(number)) = self.system.definitions.get(digit as usize) else {
            return Ok(false);
        };
        let split = &self.system.splits[number as usize];
        let Value::Variable(above) = split.high else { return Ok(false) };
        if split.source != Source::Single(word) || split.shift != DIGIT {
            return Ok(false);
        }
        if self.interval(Value::Variable(word))?.0 <= -weight(1) {
            return Ok(false);
        }
        let (constant, terms) = self.expanded(next);
        let mut has_it = false;
        for (id, c) in &terms {
            let (low, high) = self.interval(Value::Variable(*id))?;
            let is_it = *id == above && *c > BigInt::ZERO;
            if !is_it && (c * low < BigInt::ZERO || c * high < BigInt::ZERO) {
                return Ok(false);
            }
            has_it |= is_it;
        }
        Ok(has_it && constant >= BigInt::ZERO)
    }
}
