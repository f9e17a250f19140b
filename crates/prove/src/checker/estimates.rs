//! Checks quotients that are estimated from the highest bits of a number and of the modulus (Barrett).
//!
//! B is the lowest bit that is used, d = ⌊N/2^B⌋, t = ⌊Z/2^B⌋ and c = ⌈2^64/d⌉. The digit is q = ⌊(t +
//! 1)·c/2^64⌋. For Z < 12·N:
//!
//! - q ≥ ⌊Z/N⌋, as (t + 1)·c/2^64 ≥ (t + 1)/d > Z/N: so Z − q·N < N;
//! - q < Z/N + 1 where (t + 1)/d + (t + 1)/2^64 ≤ t/(d + 1) + 1, as c < 2^64/d + 1 and Z/N > t/(d + 1): so Z
//!   − q·N > −N. As t < 12·(d + 1), that holds where 13/d + 12·(d + 1)/2^64 ≤ 1; and if B is 0, where 1/N +
//!   (12·N + 1)/2^64 ≤ 1.

use num_bigint::BigInt;
use std::collections::HashSet;

use super::{
    intervals::Checker,
    polynomial::{Interval, Polynomial, power, refuse, widen},
};
use crate::{
    certificate::{Case, Use},
    failure::Result,
    specification::{
        Formula, Statement,
        digits::{DIGIT, RESIDUE},
        doubles::{self, Doubles},
        reduction,
    },
    system::{Definition, Id, Source, Value},
};

impl Checker<'_> {
    /// Checks that a digit is the estimate of the quotient of the first operand and the modulus.
    pub(super) fn check_estimate(&self, digit: Id, uses: &[Use]) -> Result<()> {
        let statement = self.statement;
        let what = || format!("integer {digit} is no estimate of a quotient");
        if let Some(doubles) = &statement.doubles {
            return self.check_estimate_in_doubles(digit, uses, doubles);
        }
        if let Formula::Estimated(bits) = statement.specification.formula {
            return self.check_estimate_of_words(digit, uses, bits);
        }
        let Some(digits) = &statement.digits else { return refuse(what()) };
        if statement.specification.formula != Formula::Remainder || digits.bits < 2 {
            return refuse(what());
        }
        // ⌊(t + 1)·c/2^64⌋.
        let Some(above) = self.seen(digit, digits.reciprocal) else { return refuse(what()) };
        // The two digits that are used, less 2^place·t: what is left has to be shorter than 2^place.
        let (lowest, from, place) = digits.estimated();
        let mut sum = Polynomial::default();
        for (i, weight) in [(from, 0), (from + 1, DIGIT as usize)] {
            if let Some(&id) = statement.first.get(i) {
                self.add(&mut sum, &power(weight), Value::Variable(id));
            }
        }
        self.add(&mut sum, &-power(place), Value::Variable(above));
        sum.constant += power(place);
        self.add_uses(&mut sum, uses, &Case::new())?;
        if !self.is_short(&sum, place) {
            return refuse(what());
        }
        // There is nothing above these digits.
        let top = digits.highest_modulus() * RESIDUE;
        let [least, most] = digits.seen_of_modulus();
        let unit = power(64);
        let is_near = if lowest == 0 {
            // N is odd and above 1.
            digits.highest_modulus() * RESIDUE < &unit / 2
        } else {
            &unit * (RESIDUE + 1) + &least * (most + 1) * RESIDUE <= least * unit
        };
        if top >= power(DIGIT as usize * (from + 2)) || !is_near {
            return refuse(what());
        }
        Ok(())
    }

    /// The integer that is multiplied by the reciprocal, if the digit is the upper half of that product.
    fn seen(&self, digit: Id, reciprocal: Id) -> Option<Id> {
        let Some(Definition::High(number)) = self.system.definitions.get(digit as usize) else { return None };
        let split = self.system.splits.get(*number as usize).filter(|split| split.shift == 64)?;
        match split.source {
            Source::Product(x, y) if y == reciprocal => Some(x),
            Source::Product(y, x) if y == reciprocal => Some(x),
            _ => None,
        }
    }

    /// Whether a sum has no products and lies between 0 and 2^place − 1.
    fn is_short(&self, sum: &Polynomial, place: usize) -> bool {
        let (low, high) = self.sum_interval(sum);
        sum.products.values().all(|c| *c == BigInt::ZERO) && low >= BigInt::ZERO && high < power(place)
    }

    /// Checks the estimate in doubles. With B = b − 2, t = ⌊T/2^B⌋ and c = ⌊2^(64 + B)/N⌋, q = ⌊t·c/2^64⌋.
    /// For T < D·2^51·N and N > 2^(b − 1):
    ///
    /// - q ≤ T/N: so T − q·N ≥ 0;
    /// - t·c > (T/2^B − 1)·(2^(64 + B)/N − 1), so q > T/N − 1 − T/2^(64 + B) − 2^B/N, where 2^B/N < 1/2, and
    ///   T/2^(64 + B) < D·2^51·2^b/2^(62 + b) ≤ 1/2 for D ≤ 2^10: so T − q·N < 2·N.
    fn check_estimate_in_doubles(&self, digit: Id, uses: &[Use], doubles: &Doubles) -> Result<()> {
        let what = || format!("integer {digit} is no estimate of a quotient");
        let (lowest, from, place) = doubles.estimated();
        let is_near = doubles.bits >= 2 && doubles.digits <= 1 << 10;
        if self.statement.specification.formula != Formula::Remainder || !is_near {
            return refuse(what());
        }
        let Some(above) = self.seen(digit, doubles.reciprocal) else { return refuse(what()) };
        // All digits from `from` on, less 2^place·t.
        let mut sum = Polynomial::default();
        for (i, &id) in self.statement.first.iter().enumerate().skip(from) {
            self.add(&mut sum, &power(doubles::DIGIT as usize * (i - from)), Value::Variable(id));
        }
        self.add(&mut sum, &-power(place), Value::Variable(above));
        self.add_uses(&mut sum, uses, &Case::new())?;
        if self.is_short(&sum, place) && lowest + 2 == doubles.bits { Ok(()) } else { refuse(what()) }
    }

    /// Checks the estimate for numbers of words. With B = b − 1, t = ⌊X/2^B⌋ and c = ⌊2^(64 + B)/N⌋, q =
    /// ⌊t·c/2^64⌋. For X < 2^(64 + B) and N ≥ 2^B:
    ///
    /// - q ≤ X/N: so X − q·N ≥ 0;
    /// - t > X/2^B − 1 and c > 2^(64 + B)/N − 1, and neither is negative, so q > X/N − X/2^(64 + B) − 2^B/N −
    ///   1, where both quotients in the middle are 1 at most: so X − q·N < 3·N.
    fn check_estimate_of_words(&self, word: Id, uses: &[Use], bits: usize) -> Result<()> {
        let what = || format!("integer {word} is no estimate of a quotient");
        let Some(above) = self.seen(word, self.statement.inverse) else { return refuse(what()) };
        // All words from `from` on, less 2^place·t.
        let (_, from, place) = reduction::seen(bits);
        let mut sum = Polynomial::default();
        for (i, &id) in self.statement.first.iter().enumerate().skip(from) {
            self.add(&mut sum, &power(64 * (i - from)), Value::Variable(id));
        }
        self.add(&mut sum, &-power(place), Value::Variable(above));
        self.add_uses(&mut sum, uses, &Case::new())?;
        if self.is_short(&sum, place) { Ok(()) } else { refuse(what()) }
    }

    /// Checks that the number is any below 2^(b + 63), N any words, and the reciprocal any word, all of them
    /// distinct symbols.
    pub(super) fn check_operands_of_estimate(&self, bits: usize) -> Result<()> {
        let Statement { specification, modulus, inverse, first, second, mask, result, .. } = self.statement;
        let words = bits.div_ceil(64);
        let mut seen = HashSet::new();
        let mut are_words = |ids: &[Id], bits: usize, words: usize| {
            // Words that can only be 0 are not counted.
            let highest: Vec<u64> = reduction::highest(bits, words).filter(|&most| most > 0).collect();
            let is_word = |(&id, &most): (&Id, &u64)| {
                self.system.definitions.get(id as usize) == Some(&Definition::Input(0, most.into()))
                    && seen.insert(id)
            };
            ids.len() == highest.len() && ids.iter().zip(&highest).all(is_word)
        };
        let is_right = bits > 1
            && are_words(modulus, 64 * words, words)
            && are_words(first, bits + 63, words + 1)
            && are_words(&[*inverse], 64, 1)
            && result.len() == words + 1
            && second.is_empty()
            && mask.is_none()
            && !specification.is_reduced;
        if is_right { Ok(()) } else { refuse("a number of another length than its modulus and a word") }
    }

    /// The interval of a sum, in which T − q·N and q·N are bounded as wholes: by the bounds above, 0 ≤ q·N ≤
    /// T < D·2^51·N.
    pub(super) fn interval_of_division(&self, mut sum: Polynomial, q: Id, doubles: &Doubles) -> Interval {
        let Statement { modulus, first, .. } = self.statement;
        let left = first.first().and_then(|lowest| sum.linear.get(lowest)).cloned().unwrap_or_default();
        self.add_formula(&mut sum, &-&left);
        let lowest = modulus.first().map(|&n| (q.min(n), q.max(n)));
        let taken = lowest.and_then(|key| sum.products.get(&key)).cloned().unwrap_or_default();
        for (i, &n) in modulus.iter().enumerate() {
            self.add_product(&mut sum, &-(&taken << (doubles::DIGIT as usize * i)), q, n);
        }
        let mut interval = self.sum_interval(&sum);
        let n = doubles.highest_modulus();
        widen(&mut interval, &left, &(BigInt::ZERO, &n * 2u32));
        widen(&mut interval, &taken, &(BigInt::ZERO, n * doubles.multiples()));
        interval
    }
}
