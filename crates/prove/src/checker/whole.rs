//! Checks that an inversion begins and ends as its specification says, and that each jump and update starts
//! from what the one before left.

use num_bigint::BigInt;
use std::collections::HashSet;

use super::{
    intervals::Checker,
    polynomial::{Polynomial, power, refuse},
};
use crate::{
    certificate::{Case, Use, WholeProof},
    failure::Result,
    specification::inversion::{DIGIT, Jumped, Whole, bits_above, jumps, lower_digits},
    system::{Definition, Id, Source, Split, System, Value},
};

/// Bits of a word.
const WORD: u32 = 64;

/// Checks a whole inversion. Its jumps and updates are checked elsewhere.
///
/// # Errors
/// The first property that does not hold.
pub fn check_whole(system: &System, whole: &Whole, proof: &WholeProof) -> Result<()> {
    let checker = Checker::of_integers(system)?;
    let lower = lower_digits(whole.limbs);
    let is_long = |jumped: &Jumped| {
        let Jumped { jump, update_de, update_fg } = jumped;
        let given = [jump.reads.len(), update_de.reads.len(), update_fg.reads.len()];
        let left = [jump.words.len(), update_de.words.len(), update_fg.words.len()];
        (given, left)
            == ([2, 4 + 3 * (lower + 1) + 2, 4 + 2 * (lower + 1)], [4, 2 * (lower + 1), 2 * (lower + 1)])
            && (jump.registers_read.len(), jump.registers.len()) == (1, 1)
    };
    if whole.limbs == 0
        || whole.value.len() != whole.limbs
        || whole.result.len() != whole.limbs
        || whole.modulus.len() != lower + 1
        || !whole.jumps.iter().all(is_long)
    {
        return refuse("numbers of another length");
    }
    if whole.jumps.len() < jumps(whole.limbs) {
        return refuse("fewer jumps than the theorem wants");
    }
    let mut seen = HashSet::new();
    checker.check_constants(whole, &mut seen)?;
    checker.check_begin(whole, proof)?;
    let [f, d] = checker.check_jumps(whole, &mut seen)?;
    checker.check_end(whole, proof, &f, &d)
}

impl Checker<'_> {
    /// Checks that a word is any integer of an interval, modulo 2^64, and not used before; returns that
    /// integer.
    fn any_of(&self, word: Value, low: i128, high: i128, seen: &mut HashSet<Id>) -> Result<Id> {
        let Value::Variable(id) = word else { return refuse("a word that is known") };
        let id = match self.system.definitions.get(id as usize) {
            Some(&Definition::Low(number)) if low < 0 => match &self.system.splits[number as usize] {
                split if split.shift == WORD => match split.source {
                    Source::Single(of) => of,
                    Source::Product(..) => id,
                },
                _ => id,
            },
            _ => id,
        };
        let is_any = self.system.definitions.get(id as usize) == Some(&Definition::Input(low, high));
        if is_any && seen.insert(id) { Ok(id) } else { refuse("a word that is not any word of its form") }
    }

    /// Checks that digits are those of any number. The lowest ones are below 2^62. The highest one is at
    /// least `least`, which is negative or 0, and below 2^`bits_above`. It may be left out if it can only
    /// be 0.
    fn any_number(
        &self,
        whole: &Whole,
        digits: &[Value],
        least: i128,
        seen: &mut HashSet<Id>,
    ) -> Result<Vec<Id>> {
        let (lower, above) = (lower_digits(whole.limbs), bits_above(whole.limbs));
        let mut ids = Vec::new();
        for &digit in &digits[..lower] {
            ids.push(self.any_of(digit, 0, (1 << DIGIT) - 1, seen)?);
        }
        if (least, above, digits[lower]) != (0, 0, Value::Constant(0)) {
            ids.push(self.any_of(digits[lower], least, (1 << above) - 1, seen)?);
        }
        Ok(ids)
    }

    /// Checks that V, N and the inverse of N are any numbers of their length.
    fn check_constants(&self, whole: &Whole, seen: &mut HashSet<Id>) -> Result<()> {
        for &word in &whole.value {
            self.any_of(Value::Variable(word), 0, u64::MAX.into(), seen)?;
        }
        self.any_number(whole, &whole.modulus, 0, seen)?;
        self.any_of(whole.inverse, 0, (1 << DIGIT) - 1, seen)?;
        Ok(())
    }

    /// Checks that the first jump starts from ζ = −1, F = N and G = V, D = 0 and E = 1.
    fn check_begin(&self, whole: &Whole, proof: &WholeProof) -> Result<()> {
        let count = whole.modulus.len();
        let Jumped { jump, update_de, update_fg } = &whole.jumps[0];
        let (f, g) = update_fg.reads[4..].split_at(count);
        let (d, e) = update_de.reads[4..4 + 2 * count].split_at(count);
        let is_zero = |digits: &[Value]| digits.iter().all(|&digit| digit == Value::Constant(0));
        if jump.registers_read != [Value::Constant((1 << WORD) - 1)]
            || f != whole.modulus
            || !is_zero(d)
            || e[0] != Value::Constant(1)
            || !is_zero(&e[1..])
        {
            return refuse("another beginning");
        }
        // Digits within their length are the digits of G, as a number has no others. The highest one is as
        // long as V allows.
        let mut sum = self.digits(g, true)?;
        for (i, &word) in whole.value.iter().enumerate() {
            self.add(&mut sum, &-power(WORD as usize * i), Value::Variable(word));
        }
        self.is_zero_by(sum, &proof.begin, &Case::new(), "the first G is not the value")
    }

    /// The number with these digits. All but the highest are at least 0 and below 2^62. The highest one has
    /// to be at least 0 if the number has no sign.
    fn digits(&self, digits: &[Value], has_no_sign: bool) -> Result<Polynomial> {
        let mut sum = Polynomial::default();
        for (i, &digit) in digits.iter().enumerate() {
            let (low, high) = self.interval(digit)?;
            let is_highest = i + 1 == digits.len();
            let fits = if is_highest {
                high < power(63) && low >= if has_no_sign { BigInt::ZERO } else { -power(63) }
            } else {
                low >= BigInt::ZERO && high < power(DIGIT as usize)
            };
            if !fits {
                return refuse(format!("digit {i} is no digit"));
            }
            self.add(&mut sum, &power(DIGIT as usize * i), digit);
        }
        Ok(sum)
    }

    /// Checks that a sum is zero by these equations, in a case of the signs, each of which is −1 or 0.
    fn is_zero_by(&self, mut sum: Polynomial, uses: &[Use], case: &Case, what: &str) -> Result<()> {
        self.add_uses(&mut sum, uses, case)?;
        for (sign, is_above) in case {
            let c = sum.linear.remove(sign).unwrap_or_default();
            if !is_above {
                sum.constant -= c;
            }
        }
        if sum.is_zero() { Ok(()) } else { refuse(what) }
    }

    /// Checks that each jump and each update starts from what was left before, and leaves any words within
    /// their bounds. Returns F and D of the last ones.
    fn check_jumps(&self, whole: &Whole, seen: &mut HashSet<Id>) -> Result<[Vec<Id>; 2]> {
        let (count, above) = (whole.modulus.len(), bits_above(whole.limbs));
        let first = &whole.jumps[0];
        let mut zeta = first.jump.registers_read[0];
        let mut fg = first.update_fg.reads[4..].to_vec();
        let mut de = first.update_de.reads[4..4 + 2 * count].to_vec();
        let mut last = [Vec::new(), Vec::new()];
        for Jumped { jump, update_de, update_fg } in &whole.jumps {
            if jump.registers_read != [zeta] || jump.reads != [fg[0], fg[count]] {
                return refuse("a jump that is not given what was left");
            }
            let matrix = &jump.words;
            for &entry in matrix {
                self.any_of(entry, -1 << DIGIT, 1 << DIGIT, seen)?;
            }
            zeta = jump.registers[0];
            self.any_of(zeta, 0, u64::MAX.into(), seen)?;
            let of_modulus = [&whole.modulus[..], &[whole.inverse, Value::Constant(count as i128)]].concat();
            if update_de.reads != [&matrix[..], &de, &of_modulus].concat()
                || update_fg.reads != [&matrix[..], &fg].concat()
            {
                return refuse("an update that is not given what was left");
            }
            (de, fg) = (update_de.words.clone(), update_fg.words.clone());
            for (numbers, least, kept) in [(&fg, -1 << above, 0), (&de, -2 << above, 1)] {
                last[kept] = self.any_number(whole, &numbers[..count], least, seen)?;
                self.any_number(whole, &numbers[count..], least, seen)?;
            }
        }
        Ok(last)
    }

    /// Checks that `sign` is −1 where an integer is negative, and 0 where it is not.
    fn check_sign(&self, sign: Id, of: Id) -> Result<()> {
        let (low, high) = self.interval(Value::Variable(of))?;
        let is_cut = match self.system.definitions.get(sign as usize) {
            Some(&Definition::High(number)) => {
                let split = &self.system.splits[number as usize];
                let unit = power(split.shift as usize);
                split.source == Source::Single(of) && -&unit <= low && high < unit
            }
            _ => sign == of && (low, high) == ((-1).into(), 0.into()),
        };
        if is_cut { Ok(()) } else { refuse("a sign of something else") }
    }

    /// Checks the result, which is made of the last F and D. D lies in ]−2·N, N[. With N added if it is
    /// negative, it lies in ]−N, N[, and still does so after it is given the sign of F. With N added once
    /// more if it is negative, it lies in [0, N[ and is as long as N. So it is determined by the limbs,
    /// which are its residue modulo 2^(64·limbs).
    fn check_end(&self, whole: &Whole, proof: &WholeProof, f: &[Id], d: &[Id]) -> Result<()> {
        let count = whole.modulus.len();
        let [of_f, of_d, of_negated] = proof.signs;
        let distinct: HashSet<Id> = proof.signs.into_iter().collect();
        let lengths = [proof.magnitude.len(), proof.negated.len()];
        let cases = [proof.of_magnitude.len(), proof.of_negated.len(), proof.of_result.len()];
        let (Some(&top_of_f), Some(&top_of_d)) = (f.last(), d.last()) else { return refuse("no digits") };
        if distinct.len() != 3
            || lengths != [count; 2]
            || cases != [2, 4, 8]
            || f.len() != count
            || d.len() != count
        {
            return refuse("numbers of another length");
        }
        self.check_sign(of_f, top_of_f)?;
        self.check_sign(of_d, top_of_d)?;
        self.check_sign(of_negated, proof.negated[count - 1])?;
        let variables = |ids: &[Id]| ids.iter().copied().map(Value::Variable).collect::<Vec<_>>();
        let [magnitude, negated, f, d] = [&proof.magnitude, &proof.negated, f, d].map(variables);
        let times = |sum: &mut Polynomial, c: i32, digits: &[Value]| {
            for (i, &digit) in digits.iter().enumerate() {
                self.add(sum, &(power(DIGIT as usize * i) * c), digit);
            }
        };
        for case in 0..8 {
            // Whether F, D, and what is made of D are negative.
            let [minus, second, third] = [4, 2, 1].map(|bit| case & bit == 0);
            let sign = if minus { -1 } else { 1 };
            let mut cases = vec![(of_f, !minus)];
            if case % 4 == 0 {
                let mut sum = self.digits(&magnitude, false)?;
                times(&mut sum, -sign, &f);
                self.is_zero_by(sum, &proof.of_magnitude[case / 4], &cases, "|F| is something else")?;
            }
            cases.push((of_d, !second));
            let take_d_off = |sum: &mut Polynomial| {
                times(sum, -sign, &d);
                times(sum, -sign * i32::from(second), &whole.modulus);
            };
            if case % 2 == 0 {
                let mut sum = self.digits(&negated, false)?;
                take_d_off(&mut sum);
                self.is_zero_by(
                    sum,
                    &proof.of_negated[case / 2],
                    &cases,
                    "D with its sign is something else",
                )?;
            }
            cases.push((of_negated, !third));
            let (above, uses) = &proof.of_result[case];
            let mut sum = Polynomial::default();
            for (i, &word) in whole.result.iter().enumerate() {
                let (low, high) = self.interval(word)?;
                if low < BigInt::ZERO || high >= power(WORD as usize) {
                    return refuse(format!("limb {i} of the result is no word"));
                }
                self.add(&mut sum, &power(WORD as usize * i), word);
            }
            for (id, c) in above {
                self.interval(Value::Variable(*id))?;
                self.add(&mut sum, &(c * power(WORD as usize * whole.limbs)), Value::Variable(*id));
            }
            take_d_off(&mut sum);
            times(&mut sum, -i32::from(third), &whole.modulus);
            self.is_zero_by(sum, uses, &cases, "the result is something else")?;
        }
        self.check_mask(whole.exists, &proof.magnitude)
    }

    /// Checks that the mask is all ones exactly if the lowest of these digits is 1 and all others are 0. The
    /// mask is made by a chain of choices. Their selectors are the upper parts of words less 1, each of
    /// which is at its lower end where the word is 0.
    fn check_mask(&self, mask: Value, digits: &[Id]) -> Result<()> {
        let mut left: HashSet<usize> = (0..digits.len()).collect();
        let (mut next, mut unit) = (mask, power(WORD as usize) - 1);
        while let Value::Variable(id) = next {
            self.interval(next)?;
            let (constant, terms) = self.expanded(id);
            let [(of, ref c)] = terms[..] else { break };
            let (sign, rest) = match self.system.definitions[of as usize] {
                Definition::Choice(sign, first, Value::Constant(0))
                    if constant == BigInt::ZERO && *c == unit =>
                {
                    (sign, Some(first))
                }
                Definition::High(_) => (of, None),
                _ => break,
            };
            let (low, high) = self.interval(Value::Variable(sign))?;
            let found = digits
                .iter()
                .enumerate()
                .position(|(i, &digit)| self.is_at_its_lower_end(sign, digit, i == 0));
            match found {
                Some(i) => left.remove(&i),
                None => break,
            };
            match rest {
                Some(first) => (next, unit) = (first, 1.into()),
                // The last value is the unit at the lower end of the sign's interval, and 0 above it.
                None if left.is_empty()
                    && &constant + c * low == unit
                    && constant + c * high == BigInt::ZERO =>
                {
                    return Ok(());
                }
                None => break,
            }
        }
        refuse("a mask that does not say whether |F| is 1")
    }

    /// Whether `sign` is the upper part of x − 1, or of x + 2^64 − 1, for a word x that is 0 where the digit
    /// is 0 (or where it is 1). The word is the digit itself, or its residue modulo 2^64, as a digit is
    /// shorter than 63 bits; or the digit with its lowest bit changed.
    fn is_at_its_lower_end(&self, sign: Id, digit: Id, is_one: bool) -> bool {
        let part = |id: Id| match self.system.definitions[id as usize] {
            Definition::Low(number) => Some((&self.system.splits[number as usize], false)),
            Definition::High(number) => Some((&self.system.splits[number as usize], true)),
            _ => None,
        };
        let Some((&Split { source: Source::Single(of), shift: WORD, .. }, true)) = part(sign) else {
            return false;
        };
        let is_part_of_digit = |id: Id, bits: u32| match part(id) {
            Some((split, false)) => (split.shift, split.source) == (bits, Source::Single(digit)),
            _ => false,
        };
        let (constant, mut terms) = self.expanded(of);
        terms.sort_by_key(|&(id, _)| id != digit);
        let (one, minus_two) = (BigInt::from(1), BigInt::from(-2));
        let less_one = constant + if is_one { 0 } else { 1 };
        (less_one == BigInt::ZERO || less_one == power(WORD as usize))
            && match &terms[..] {
                // This is digit + 1 − 2·bit, less 1.
                [(id, c), (bit, d)] if is_one => {
                    *id == digit && (c, d) == (&one, &minus_two) && is_part_of_digit(*bit, 1)
                }
                [(id, c)] if !is_one => *c == one && (*id == digit || is_part_of_digit(*id, WORD)),
                _ => false,
            }
    }
}
