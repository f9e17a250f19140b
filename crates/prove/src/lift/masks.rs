//! Rules for mask registers, and for words that are made of masks.
//!
//! A bit of a mask is an integer of its own, 0 or 1. A word that is moved out of a mask register is the sum
//! of its bits, which are remembered. Later operations on the word, bit by bit or additions whose carries run
//! through the bits, are lifted as operations on the bits.

use iced_x86::{Instruction, Mnemonic, OpKind, Register};

use super::{Bits, Lifter, fail};
use crate::{
    failure::{Reason, Result},
    integers::ones,
    system::{Definition, Value},
};
use Value::{Constant, Variable};

pub(super) fn at(bits: &[Value], i: usize) -> Value {
    bits.get(i).copied().unwrap_or(Constant(0))
}

fn bits_of_constant(x: i128) -> Bits {
    (0..64).map(|i| Constant(x >> i & 1)).collect()
}

impl Lifter<'_> {
    pub(super) fn check_mask(&self, number: usize) -> Result<()> {
        if self.lost_masks >> number & 1 == 1 {
            return fail(Reason::LostRegister, "");
        }
        Ok(())
    }

    pub(super) fn set_mask(&mut self, number: usize, bits: Bits) {
        self.masks[number] = bits;
        self.lost_masks &= !(1 << number);
    }

    pub(super) fn take_over_mask(&mut self, number: usize) {
        let recorded = self.recorded.masks[number];
        self.set_mask(number, bits_of_constant(recorded.into()));
    }

    /// The integer that a mask register holds.
    pub(super) fn mask_word(&mut self, number: usize) -> Result<Value> {
        let bits = self.masks[number].clone();
        self.word_of(bits)
    }

    /// The integer with these bits.
    pub(super) fn word_of(&mut self, mut bits: Bits) -> Result<Value> {
        while bits.last() == Some(&Constant(0)) {
            bits.pop();
        }
        let terms: Vec<_> = bits.iter().enumerate().map(|(i, &bit)| (1i128 << i, bit)).collect();
        let word = self.integers.sum(0, &terms)?;
        if let Variable(id) = word {
            self.words_of_bits.insert(id, bits);
        }
        Ok(word)
    }

    /// The bits of a word, if it is known from which it was made.
    pub(super) fn bits_of(&self, x: Value) -> Option<Bits> {
        match x {
            Constant(x) => Some(bits_of_constant(x)),
            Variable(id) => match self.words_of_bits.get(&id) {
                Some(bits) => Some(bits.clone()),
                None => (self.integers.bounds(x) == (0, 1)).then(|| vec![x]),
            },
        }
    }

    /// The lowest bits of any word, one by one.
    fn single_bits(&mut self, word: Value, count: usize) -> Result<Bits> {
        let (mut rest, mut bits) = (word, Bits::new());
        for _ in 0..count {
            let (low, high) = self.integers.split(rest, 1)?;
            bits.push(low);
            rest = high;
        }
        Ok(bits)
    }

    pub(super) fn was_a_mask(&self, x: Value) -> bool {
        matches!(x, Variable(id) if self.words_of_bits.contains_key(&id))
    }

    /// One value if the bit is 1, another if it is 0. If they differ by a constant, this is a sum. If the bit
    /// says whether two words are equal, it is a choice by the selector from which the bit was made.
    pub(super) fn blend(&mut self, bit: Value, one: Value, zero: Value) -> Result<Value> {
        if let Variable(id) = bit
            && self.integers.is_equality(id)
            && let Definition::Choice(selector, first, second) = self.integers.system.definitions[id as usize]
        {
            let first = self.blend(first, one, zero)?;
            let second = self.blend(second, one, zero)?;
            return self.integers.choose_between(selector, first, second);
        }
        match self.integers.sum(0, &[(1, one), (-1, zero)])? {
            Constant(difference) => self.integers.sum(0, &[(1, zero), (difference, bit)]),
            Variable(_) => self.integers.choose(bit, one, zero),
        }
    }

    pub(super) fn both(&mut self, x: Value, y: Value) -> Result<Value> {
        self.integers.choose(x, y, Constant(0))
    }

    /// Lifts an instruction on masks, or on words that masks were moved to. Returns whether it was one.
    pub(super) fn on_masks(&mut self, i: &Instruction) -> Result<bool> {
        use Mnemonic as M;
        match i.mnemonic() {
            M::Kmovb => self.move_mask(i, 8)?,
            M::Kmovw => self.move_mask(i, 16)?,
            M::Kmovd => self.move_mask(i, 32)?,
            M::Kmovq => self.move_mask(i, 64)?,
            M::Add | M::And | M::Or | M::Xor
                if i.op0_kind() == OpKind::Register && i.op0_register().is_gpr() =>
            {
                return self.on_words_of_bits(i);
            }
            M::Shl | M::Shr | M::Lea if i.op0_register().is_gpr() => return self.move_bits(i),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn move_mask(&mut self, i: &Instruction, width: usize) -> Result<()> {
        let is_mask = |register: Register| register.is_k();
        let mut bits = if i.op1_kind() == OpKind::Register && is_mask(i.op1_register()) {
            let number = i.op1_register().number();
            self.check_mask(number)?;
            self.masks[number].clone()
        } else {
            // Use the whole register, because less may be known of a part of it.
            let word = match i.op1_kind() {
                OpKind::Register => self.read_register(i.op1_register().full_register())?,
                _ => self.get(i, 1)?,
            };
            match self.bits_of(word) {
                Some(bits) => bits,
                // Some bits may be known, and these may be the ones that matter.
                None => self.single_bits(word, width)?,
            }
        };
        bits.truncate(width);
        if i.op0_kind() == OpKind::Register && is_mask(i.op0_register()) {
            self.set_mask(i.op0_register().number(), bits);
            return Ok(());
        }
        let word = self.word_of(bits)?;
        self.put(i, 0, word)
    }

    /// A bit that is 1 if x is at least a constant.
    fn at_least(&mut self, x: Value, least: i128) -> Result<Value> {
        let (low, high) = self.integers.bounds(x);
        if low >= least || high < least {
            return Ok(Constant((low >= least).into()));
        }
        let difference = self.integers.sum(-least, &[(1, x)])?;
        // The least shift for which the upper part is −1 or 0.
        let shift = (0..126).find(|&shift| high - least < 1 << shift && least - low <= 1 << shift);
        let Some(shift) = shift else { return fail(Reason::TooWide, "") };
        let above = self.integers.split(difference, shift)?.1;
        self.integers.sum(1, &[(1, above)])
    }

    /// Compares two lanes: a bit that is 1 if they are equal, or if the first is above the second.
    fn compare_lanes(&mut self, x: Value, y: Value, for_equality: bool) -> Result<Value> {
        if for_equality {
            for (x, y) in [(x, y), (y, x)] {
                if let (Variable(id), Constant(y)) = (x, y)
                    && let Some(factors) = self.conjunctions_of_words.get(&id).cloned()
                {
                    return self.are_all_ones(&factors, y);
                }
            }
        }
        // For these values, signed and unsigned comparisons are the same.
        let is_positive = |x: Value| {
            let (low, high) = self.integers.bounds(x);
            low >= 0 && high < 1 << 63
        };
        if !is_positive(x) || !is_positive(y) {
            let is_word = |x: Value| self.integers.bounds(x).0 >= 0 && self.integers.bounds(x).1 <= ones(64);
            if for_equality && is_word(x) && is_word(y) {
                return self.integers.equal(x, y, 64);
            }
            return fail(Reason::NoRule, "a comparison of what may have a sign");
        }
        let difference = self.integers.sum(0, &[(1, x), (-1, y)])?;
        let above = self.at_least(difference, 1)?;
        if !for_equality {
            return Ok(above);
        }
        let not_below = self.at_least(difference, 0)?;
        self.integers.choose(above, Constant(0), not_below)
    }

    /// A bit that is 1 if the conjunction of words is 2^k − 1, where one of them has at most k bits: that is,
    /// if the lowest k bits of all words are set.
    fn are_all_ones(&mut self, factors: &[Value], ones: i128) -> Result<Value> {
        let is_short = |&x: &Value| self.integers.bounds(x).1 <= ones;
        if ones & (ones + 1) != 0 || ones <= 0 || !factors.iter().any(is_short) {
            return fail(Reason::NoRule, "a comparison of a conjunction");
        }
        let mut all = Constant(1);
        for &x in factors {
            let low = self.integers.split(x, ones.trailing_ones())?.0;
            let is_equal = self.at_least(low, ones)?;
            all = self.both(is_equal, all)?;
        }
        Ok(all)
    }

    /// Lifts comparisons of lanes to a mask register, under another mask.
    pub(super) fn compare_to_mask(&mut self, i: &Instruction) -> Result<bool> {
        // Whether the comparison is for equality, or for the first being above; whether the operands are
        // exchanged; whether the result is negated.
        let is_alone = i.op2_kind() == OpKind::Register && i.op1_register() == i.op2_register();
        let (for_equality, is_exchanged, is_inverted) = match (i.mnemonic(), i.op_count()) {
            (Mnemonic::Vpcmpeqq, _) => (true, false, false),
            (Mnemonic::Vpcmpgtq, _) => (false, false, false),
            // This tests whether the conjunction of a register with itself is 0.
            (Mnemonic::Vptestnmq, _) if is_alone => (true, false, false),
            (Mnemonic::Vpcmpuq | Mnemonic::Vpcmpq, 4) => match i.immediate8() & 7 {
                0 => (true, false, false),
                1 => (false, true, false),
                2 => (false, false, true),
                4 => (true, false, true),
                5 => (false, true, true),
                6 => (false, false, false),
                _ => return Ok(false),
            },
            _ => return Ok(false),
        };
        if i.op0_kind() != OpKind::Register || !i.op0_register().is_k() {
            return Ok(false);
        }
        let lanes = self.integer_lanes(i, 1)?;
        let others = match i.mnemonic() {
            Mnemonic::Vptestnmq => vec![Constant(0); lanes.len()],
            _ => self.integer_lanes(i, 2)?,
        };
        let mut bits = Bits::new();
        for (place, (x, y)) in lanes.into_iter().zip(others).enumerate() {
            let under = self.mask_bit(i, place)?;
            if under == Constant(0) {
                bits.push(under);
                continue;
            }
            let (x, y) = if is_exchanged { (y, x) } else { (x, y) };
            let mut bit = self.compare_lanes(x, y, for_equality)?;
            if is_inverted {
                bit = self.integers.sum(1, &[(-1, bit)])?;
            }
            bits.push(self.both(bit, under)?);
        }
        self.set_mask(i.op0_register().number(), bits);
        Ok(true)
    }

    /// The bit under which an instruction writes a lane.
    pub(super) fn mask_bit(&self, i: &Instruction, place: usize) -> Result<Value> {
        if !i.has_op_mask() {
            return Ok(Constant(1));
        }
        let number = i.op_mask().number();
        self.check_mask(number)?;
        Ok(at(&self.masks[number], place))
    }

    /// The conjunction of unknown words: any word that is no longer than either, as far as equations say.
    pub(super) fn conjunction(&mut self, x: Value, y: Value) -> Result<Value> {
        let factors_of = |x: Value| match x {
            Variable(id) => match self.conjunctions_of_words.get(&id) {
                Some(factors) => factors.clone(),
                None => vec![x],
            },
            Constant(_) => vec![x],
        };
        let mut factors = factors_of(x);
        factors.extend(factors_of(y));
        factors.sort_unstable();
        factors.dedup();
        if let Some((&id, _)) = self.conjunctions_of_words.iter().find(|(_, other)| **other == factors) {
            return Ok(Variable(id));
        }
        let highest = self.integers.bounds(x).1.min(self.integers.bounds(y).1);
        let recorded = self.integers.recorded(x) & self.integers.recorded(y);
        let word = self.integers.input(0, highest, recorded)?;
        if let Variable(id) = word {
            debug_assert!(matches!(self.integers.system.definitions[id as usize], Definition::Input(..)));
            self.conjunctions_of_words.insert(id, factors);
        }
        Ok(word)
    }
}
