//! Rules for words under masks, and for the masks of entries in look-ups.

use iced_x86::{Instruction, Mnemonic, OpKind};

use super::{Lifter, lanes::is_of_words};
use crate::{failure::Result, integers::ones, system::Value};
use Value::{Constant, Variable};

impl Lifter<'_> {
    /// Lifts one of these instructions. Returns whether it was one.
    pub(super) fn on_kept_words(&mut self, i: &Instruction) -> Result<bool> {
        use Mnemonic as M;
        let words = match i.mnemonic() {
            M::Vpandn | M::Vpandnq | M::Vpandnd if is_of_words(i) => {
                self.lane_by_lane(i, 1, 2, |lifter, x, y| {
                    if let Some(word) = lifter.word_that_passes(x, y) {
                        let bit = lifter.integers.equal(word.0, Constant(word.1), 64)?;
                        return lifter.integers.sum(0, &[(ones(64), bit)]);
                    }
                    let inverted = lifter.integers.exclusive_or(x, Constant(ones(64)), 64)?;
                    lifter.and_lane(inverted, y)
                })?
            }
            M::Vpsraq if i.op2_kind() == OpKind::Immediate8 && i.immediate8() == 63 => {
                let mut words = Vec::new();
                for x in self.integer_lanes(i, 1)? {
                    words.push(self.sign(x)?);
                }
                words
            }
            // The result is one of the three, or the conjunction of the others.
            M::Vpternlogq | M::Vpternlogd if is_of_words(i) => {
                let (other, first, second) = match i.immediate8() {
                    0xea => (2, 0, 1),
                    0xec => (1, 0, 2),
                    0xf8 => (0, 1, 2),
                    _ => return Ok(false),
                };
                let both = self.lane_by_lane(i, first, second, Self::and_lane)?;
                let others = self.integer_lanes(i, other)?;
                both.into_iter()
                    .zip(others)
                    .map(|(x, y)| self.integers.or(x, y, 64))
                    .collect::<Result<_>>()?
            }
            _ => return Ok(false),
        };
        self.put_under_mask(i, &words)?;
        Ok(true)
    }

    /// All ones if the highest bit of a word is set, zero if not.
    fn sign(&mut self, x: Value) -> Result<Value> {
        let factors = match x {
            Variable(id) => self.conjunctions_of_words.get(&id).cloned(),
            Constant(_) => None,
        };
        // For a word less one, where the word has no sign: the difference has a sign if the word is zero.
        let (word, added) = self.integers.after(x);
        let (low, high) = self.integers.bounds(word);
        let bit = match factors {
            Some(factors) => self.passes(&factors)?,
            None if added == ones(64) && low >= 0 && high <= 1 << 63 => self.integers.is_zero(word, 64)?,
            None => self.integers.split(x, 63)?.1,
        };
        let mask = self.integers.sum(0, &[(ones(64), bit)])?;
        if let Variable(id) = mask {
            self.words_of_signs.insert(id, x);
        }
        Ok(mask)
    }

    /// The signs of a word and of that word less one: the second is set without the first if the word is
    /// zero. Gives the word, and the constant that it then equals.
    fn word_that_passes(&self, before: Value, now: Value) -> Option<(Value, i128)> {
        let word = |mask: Value| match mask {
            Variable(id) => self.words_of_signs.get(&id).map(|&word| self.integers.after(word)),
            Constant(_) => None,
        };
        let ((word, passed), (other, left)) = (word(before)?, word(now)?);
        (word == other && (passed - left) & ones(64) == 1).then_some((word, -passed & ones(64)))
    }

    /// The highest bit of the conjunction of some words. For two words, of which one is the inverse of the
    /// other less one, it is set only if that other word is zero.
    fn passes(&mut self, factors: &[Value]) -> Result<Value> {
        if let &[a, b] = factors {
            for (inverted, passed) in [(a, b), (b, a)] {
                let left = self.integers.sum(ones(64), &[(-1, inverted)])?;
                let ((word, left), (other, passed)) =
                    (self.integers.after(left), self.integers.after(passed));
                if word == other && (left - passed) & ones(64) == 1 {
                    return self.integers.equal(word, Constant(-left & ones(64)), 64);
                }
            }
        }
        let mut all = Constant(1);
        for &x in factors {
            let bit = self.integers.split(x, 63)?.1;
            all = self.both(bit, all)?;
        }
        Ok(all)
    }
}
