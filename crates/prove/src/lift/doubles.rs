//! Rules for doubles that hold integers, and for sums of their bits.
//!
//! A double is represented by the integer that it holds. In one binade its bits are linear in that integer,
//! so the word is a sum. Elsewhere the word is any word, and the integer is kept beside it. Every result is
//! either exact or lies in one binade. In the latter case it is a product cut at the unit of the binade, plus
//! a bit that says whether it was rounded up. Nothing is assumed of that bit, so all rounding modes are
//! covered. Each of these claims is kept, and the checker verifies it again.
//!
//! Sums of words are formed from the integers of which the words are the lower 64 bits, so that constants
//! which cancel in the end disappear.

use iced_x86::{Instruction, Mnemonic, OpKind};

use super::{
    Lifted, Lifter, fail,
    held::{BIAS, EXPONENTS, FRACTION, binade, integer_of, zeros},
};
use crate::{
    failure::{Reason, Result},
    system::{Claim, Definition, Id, Source, Value},
};
use Value::{Constant, Variable};

/// Sums with more terms than this are long.
const SHORT: usize = 6;
/// The sum for a part of a product has at most this many terms.
const PRODUCT: usize = 3;

impl Lifted {
    /// The integers that the doubles at an address hold.
    ///
    /// # Errors
    /// If nothing is known of a double.
    pub fn doubles(&self, address: u64, recorded: &[u64]) -> Result<Vec<Value>> {
        let words = self.values(address, recorded)?;
        words.into_iter().map(|word| self.doubles.known(word)).collect()
    }
}

impl Lifter<'_> {
    /// The integer that a double holds.
    fn double(&mut self, word: Value) -> Result<Value> {
        let Variable(id) = word else { return self.doubles.known(word) };
        let (low, high) = self.integers.bounds(word);
        if self.doubles.words.contains_key(&id) || low < 0 || low >> FRACTION != high >> FRACTION {
            return self.doubles.known(word);
        }
        let first = low >> FRACTION;
        match u32::try_from(first - BIAS) {
            Ok(exponent) if (FRACTION..=EXPONENTS).contains(&exponent) => {
                let unit = exponent - FRACTION;
                let constant = (1 << exponent) - (first << FRACTION << unit);
                let value = self.integers.sum(constant, &[(1 << unit, word)])?;
                self.integers.system.claims.push(Claim::Bits { word, value, exponent });
                Ok(value)
            }
            _ => fail(Reason::NoRule, "bits of a double of another exponent"),
        }
    }

    /// The exponent of a unit of which the integer is a multiple, so that it fits into a double's fraction.
    fn unit_of(&self, value: Value) -> Option<u32> {
        let unit = zeros(&self.integers, value).min(EXPONENTS - FRACTION - 1);
        let (low, high) = self.integers.bounds(value);
        let most = 1i128 << (FRACTION + 1 + unit);
        (-most <= low && high <= most).then_some(unit)
    }

    /// A sum that a double holds exactly.
    fn exact_sum(&mut self, terms: &[(i128, Value)]) -> Result<Value> {
        let value = self.integers.sum(0, terms)?;
        let Some(unit) = self.unit_of(value) else { return fail(Reason::NoRule, "a sum that is rounded") };
        if matches!(value, Variable(_)) {
            let claim = Claim::Exact { product: None, added: value, by: None, value, unit };
            self.integers.system.claims.push(claim);
        }
        Ok(value)
    }

    /// The integer that x·y + z, rounded to a double, holds.
    fn fused(&mut self, x: Value, y: Value, z: Value, recorded: i128) -> Result<Value> {
        let (x, y) = match (x, y) {
            (Variable(x), Variable(y)) => (x.min(y), x.max(y)),
            (Constant(c), other) | (other, Constant(c)) => return self.exact_sum(&[(c, other), (1, z)]),
        };
        // Use earlier roundings of this product.
        for shift in self.doubles.shifts.get(&(x, y)).cloned().unwrap_or_default() {
            let (low, high) = self.integers.split_product(Variable(x), Variable(y), shift)?;
            let value = self.integers.sum(0, &[(1, z), (1, low), (1 << shift, high)])?;
            let by = self.integers.number_of_product(x, y, shift);
            if let (Some(unit), Some(_)) = (self.unit_of(value), by) {
                let product = Some((x, y));
                self.integers.system.claims.push(Claim::Exact { product, added: z, by, value, unit });
                return Ok(value);
            }
        }
        let ((a, b), (c, d)) = (self.integers.bounds(Variable(x)), self.integers.bounds(Variable(y)));
        let (from, to) = self.integers.bounds(z);
        if a < 0 || c < 0 || b >= 1 << 60 || d >= 1 << 60 {
            return fail(Reason::NoRule, "a product of long factors");
        }
        let Some(exponent) = binade((a * c + from, b * d + to), false) else {
            return fail(Reason::NoRule, "a rounding in more than one binade");
        };
        let unit = exponent - FRACTION;
        if zeros(&self.integers, z) < unit {
            return fail(Reason::NoRule, "a rounding of two at once");
        }
        let (_, high) = self.integers.split_product(Variable(x), Variable(y), unit)?;
        let Some(split) = self.integers.number_of_product(x, y, unit) else {
            return fail(Reason::NoRule, "a product that is known");
        };
        if let Some(&value) = self.doubles.rounded.get(&(split, z)) {
            return Ok(value);
        }
        let down = self.integers.recorded(z) + (self.integers.recorded(high) << unit);
        let up = self.integers.input(0, 1, (recorded - down) >> unit)?;
        let shifts = self.doubles.shifts.entry((x, y)).or_default();
        if !shifts.contains(&unit) {
            shifts.push(unit);
        }
        let value = self.integers.sum(0, &[(1, z), (1 << unit, high), (1 << unit, up)])?;
        self.doubles.rounded.insert((split, z), value);
        if let Variable(up) = up {
            self.integers.system.claims.push(Claim::Rounded { split, added: z, up, value, unit });
        }
        Ok(value)
    }

    /// The integer of which a word is the lower 64 bits.
    fn origin(&self, x: Value) -> Value {
        let Variable(id) = x else { return x };
        let Definition::Low(number) = self.integers.system.definitions[id as usize] else { return x };
        let split = &self.integers.system.splits[number as usize];
        match split.source {
            Source::Single(of) if split.shift == 64 => Variable(of),
            _ => x,
        }
    }

    /// The number of terms of a sum. A sum that contains sums counts as long.
    fn length(&self, x: Value) -> usize {
        let Variable(id) = x else { return 0 };
        let is_sum = |id: Id| matches!(self.integers.system.definitions[id as usize], Definition::Sum(..));
        match &self.integers.system.definitions[id as usize] {
            Definition::Sum(_, terms) if terms.iter().any(|&(id, _)| is_sum(id)) => {
                terms.len().max(SHORT + 1)
            }
            Definition::Sum(_, terms) => terms.len(),
            _ => 1,
        }
    }

    /// x + c·y modulo 2^64.
    fn sum_of_words(&mut self, x: Value, c: i128, y: Value) -> Result<Value> {
        let (x, y) = (self.origin(x), self.origin(y));
        // If two long sums are added, their common terms are cancelled; not so if one of them is a part of a
        // product.
        let lengths = [self.length(x), self.length(y)];
        let (constant, terms) = if lengths.iter().any(|&n| n > SHORT) && lengths.iter().all(|&n| n > PRODUCT)
        {
            let ((a, mut terms), (b, others)) = (self.integers.written_out(x), self.integers.written_out(y));
            terms.extend(others.into_iter().map(|(d, id)| (c * d, id)));
            (a + c * b, terms)
        } else {
            (0, vec![(1, x), (c, y)])
        };
        let sum = self.integers.sum(constant, &terms)?;
        let constant = match sum {
            Constant(x) => x,
            Variable(id) => match self.integers.system.definitions[id as usize] {
                Definition::Sum(constant, _) => constant,
                _ => 0,
            },
        };
        // Constants do not count for the length. If the interval lies between two multiples of 2^64, the sum
        // is the word itself.
        let sum = self.integers.sum(-((constant + (1 << 63)) >> 64 << 64), &[(1, sum)])?;
        let (low, high) = self.integers.bounds(sum);
        if low >> 64 == high >> 64 {
            return self.integers.sum(-(low >> 64 << 64), &[(1, sum)]);
        }
        // The terms may add up to a multiple of 2^64, too. If only that keeps the carry from being 0, it is
        // subtracted.
        let sum = self.integers.sum(-((low + (1 << 62)) >> 64 << 64), &[(1, sum)])?;
        Ok(self.integers.split_plainly(sum, 64)?.0)
    }

    /// Lifts an instruction on doubles, or on their bits. Returns whether it was one.
    pub(super) fn on_doubles(&mut self, i: &Instruction) -> Result<bool> {
        use Mnemonic as M;
        if !self.doubles.are_there() || i.has_op_mask() {
            return Ok(false);
        }
        // The lowest lane is moved, to a register or to memory.
        let is_other = i.op0_kind() != OpKind::Register || !i.op0_register().is_vector_register();
        if is_other && matches!(i.mnemonic(), M::Movq | M::Movsd | M::Movlpd | M::Movlps) {
            let word = self.lanes(i, 1)?[0];
            self.put(i, 0, word)?;
            return Ok(true);
        }
        if is_other && matches!(i.mnemonic(), M::Movhpd | M::Movhps) {
            let word = self.lanes(i, 1)?[1];
            self.put(i, 0, word)?;
            return Ok(true);
        }
        if is_other {
            return Ok(false);
        }
        // The older instructions have two operands.
        let first = i.op_count().saturating_sub(2);
        let words = match i.mnemonic() {
            M::Vfmadd132pd | M::Vfmadd213pd | M::Vfmadd231pd => self.fused_lanes(i)?,
            M::Vaddpd | M::Addpd => self.sum_of_doubles(i, 1)?,
            M::Vsubpd | M::Subpd => self.sum_of_doubles(i, -1)?,
            M::Vaddsd | M::Addsd => self.lowest_sum(i, 1)?,
            M::Vsubsd | M::Subsd => self.lowest_sum(i, -1)?,
            M::Vpaddq | M::Paddq => self.word_by_word(i, |lifter, x, y| lifter.sum_of_words(x, 1, y))?,
            M::Vpsubq | M::Psubq => self.word_by_word(i, |lifter, x, y| lifter.sum_of_words(x, -1, y))?,
            M::Vpsrlq | M::Psrlq if (1..64).contains(&i.immediate8()) => {
                if i.op_kind(first + 1) != OpKind::Immediate8 {
                    return Ok(false);
                }
                let count = i.immediate8().into();
                let x = self.integer_lanes(i, first)?;
                x.into_iter().map(|x| Ok(self.integers.split_plainly(x, count)?.1)).collect::<Result<_>>()?
            }
            M::Vpand | M::Vandpd | M::Vandps | M::Pand | M::Andpd | M::Andps => {
                self.word_by_word(i, |lifter, x, y| match (x, y) {
                    (x, Constant(mask)) | (Constant(mask), x) if mask > 0 && mask & (mask + 1) == 0 => {
                        Ok(lifter.integers.split_plainly(x, mask.trailing_ones())?.0)
                    }
                    _ => lifter.integers.and(x, y, 64),
                })?
            }
            M::Vpor | M::Vorpd | M::Vorps | M::Por | M::Orpd | M::Orps => {
                self.word_by_word(i, |lifter, x, y| match lifter.above(x, y) {
                    Some((bits, x)) if lifter.is_below(x, 0, bits) => lifter.integers.sum(bits, &[(1, x)]),
                    _ => lifter.integers.or(x, y, 64),
                })?
            }
            M::Vpxor | M::Vxorpd | M::Vxorps | M::Pxor | M::Xorpd | M::Xorps => {
                self.word_by_word(i, |lifter, x, y| match lifter.above(x, y) {
                    Some((bits, x)) if lifter.is_below(x, 0, bits) => lifter.integers.sum(bits, &[(1, x)]),
                    Some((bits, x)) if lifter.is_below(x, bits, bits) => {
                        lifter.integers.sum(-bits, &[(1, x)])
                    }
                    _ => lifter.integers.exclusive_or(x, y, 64),
                })?
            }
            // A load clears the upper lane.
            M::Movsd | M::Vmovsd if i.op_count() == 2 && i.op1_kind() == OpKind::Memory => {
                vec![self.lanes(i, 1)?[0], Constant(0)]
            }
            M::Vpermilpd if i.op2_kind() == OpKind::Immediate8 => {
                let x = self.lanes(i, 1)?;
                let place = |to: usize| to & !1 | usize::from(i.immediate8() >> to & 1);
                (0..x.len()).map(|to| x[place(to)]).collect()
            }
            M::Vperm2f128 | M::Vperm2i128 => {
                let (mut x, y) = (self.lanes(i, 1)?, self.lanes(i, 2)?);
                x.extend(y);
                let half = |bits: u8| match bits & 8 {
                    0 => {
                        let from = 2 * usize::from(bits & 3);
                        [x[from], x[from + 1]]
                    }
                    _ => [Constant(0); 2],
                };
                [half(i.immediate8()), half(i.immediate8() >> 4)].concat()
            }
            _ => return Ok(false),
        };
        self.put_lanes(i, 0, &words)?;
        Ok(true)
    }

    /// The lanes of both operands of an instruction. The older instructions write to the first operand.
    fn two_operands(&mut self, i: &Instruction) -> Result<(Vec<Value>, Vec<Value>)> {
        let first = i.op_count().saturating_sub(2);
        Ok((self.integer_lanes(i, first)?, self.integer_lanes(i, first + 1)?))
    }

    fn word_by_word(
        &mut self,
        i: &Instruction,
        rule: impl Fn(&mut Self, Value, Value) -> Result<Value>,
    ) -> Result<Vec<Value>> {
        let (x, y) = self.two_operands(i)?;
        x.into_iter().zip(y).map(|(x, y)| rule(self, x, y)).collect()
    }

    /// The known one of two operands, if its bits are not all zero, and the other one.
    fn above(&self, x: Value, y: Value) -> Option<(i128, Value)> {
        match (x, y) {
            (x @ Variable(_), Constant(bits)) | (Constant(bits), x @ Variable(_)) if bits > 0 => {
                Some((bits, x))
            }
            _ => None,
        }
    }

    /// Whether a word less `from` is shorter than the run of zeros at the end of these bits.
    fn is_below(&self, x: Value, from: i128, bits: i128) -> bool {
        let (low, high) = self.integers.bounds(x);
        low >= from && high < from + (1 << bits.trailing_zeros())
    }

    fn sum_of_doubles(&mut self, i: &Instruction, sign: i128) -> Result<Vec<Value>> {
        let (x, y) = self.two_operands(i)?;
        let mut words = Vec::new();
        for (place, (x, y)) in x.into_iter().zip(y).enumerate() {
            words.push(self.sum_of_two(i, place, [x, y], sign)?);
        }
        Ok(words)
    }

    /// The sum in the lowest lane; the other lanes are those of the first operand.
    fn lowest_sum(&mut self, i: &Instruction, sign: i128) -> Result<Vec<Value>> {
        let first = i.op_count().saturating_sub(2);
        let (mut words, y) = (self.lanes(i, first)?, self.lanes(i, first + 1)?[0]);
        words[0] = self.sum_of_two(i, 0, [words[0], y], sign)?;
        Ok(words)
    }

    fn sum_of_two(&mut self, i: &Instruction, place: usize, [x, y]: [Value; 2], sign: i128) -> Result<Value> {
        let (x, y) = (self.double(x)?, self.double(y)?);
        let value = self.exact_sum(&[(1, x), (sign, y)])?;
        self.put_double(i, place, value)
    }

    fn fused_lanes(&mut self, i: &Instruction) -> Result<Vec<Value>> {
        let (factors, added) = match i.mnemonic() {
            Mnemonic::Vfmadd132pd => ([0, 2], 1),
            Mnemonic::Vfmadd213pd => ([0, 1], 2),
            _ => ([1, 2], 0),
        };
        let (x, y) = (self.integer_lanes(i, factors[0])?, self.integer_lanes(i, factors[1])?);
        let z = self.integer_lanes(i, added)?;
        let mut words = Vec::new();
        for (place, ((x, y), z)) in x.into_iter().zip(y).zip(z).enumerate() {
            let (x, y, z) = (self.double(x)?, self.double(y)?, self.double(z)?);
            let recorded = integer_of(self.recorded_lane(i, place))?;
            let value = self.fused(x, y, z, recorded)?;
            words.push(self.put_double(i, place, value)?);
        }
        Ok(words)
    }

    fn recorded_lane(&self, i: &Instruction, place: usize) -> u64 {
        self.recorded.vectors[i.op0_register().full_register().number()][place]
    }

    /// The word for a result.
    fn put_double(&mut self, i: &Instruction, place: usize, value: Value) -> Result<Value> {
        let recorded = self.recorded_lane(i, place);
        self.doubles.word(&mut self.integers, value, recorded)
    }
}
