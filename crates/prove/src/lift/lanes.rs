//! Rules for arithmetic and logic on 64-bit lanes of vectors.

use iced_x86::{Instruction, Mnemonic, OpKind};

use super::{Lifter, fail};
use crate::{
    failure::{Reason, Result},
    system::Value,
};
use Value::{Constant, Variable};

/// The bits of the digits that `vpmadd52` multiplies.
const DIGIT: u32 = 52;

impl Lifter<'_> {
    /// The lanes of an operand, as many as the instruction works on. A word in memory may be used for all of
    /// them.
    pub(super) fn integer_lanes(&mut self, i: &Instruction, operand: u32) -> Result<Vec<Value>> {
        if i.op_kind(operand) == OpKind::Register {
            return self.lanes(i, operand);
        }
        if !i.is_broadcast() {
            return self.lanes(i, operand);
        }
        let [access] = self.accesses else { return fail(Reason::UnlistedOperand, "memory") };
        if access.size != 8 {
            return fail(Reason::NoRule, "lanes of other lengths");
        }
        let word = self.load(access.address, 8)?;
        // One of the other operands is a vector of the full length.
        let registers = (0..i.op_count()).filter(|&other| i.op_kind(other) == OpKind::Register);
        let sizes = registers.map(|other| i.op_register(other)).filter(|x| x.is_vector_register());
        let lanes = sizes.map(|register| register.size() / 8).max().unwrap_or(0);
        Ok(vec![word; lanes])
    }

    /// Writes lanes of 64 bits, each where the mask has a bit, if there is a mask.
    pub(super) fn put_under_mask(&mut self, i: &Instruction, words: &[Value]) -> Result<()> {
        if !i.has_op_mask() {
            return self.put_lanes(i, 0, words);
        }
        if i.op0_kind() != OpKind::Register {
            return fail(Reason::NoRule, "a store under a mask");
        }
        let old = if i.zeroing_masking() { vec![Constant(0); words.len()] } else { self.lanes(i, 0)? };
        let mut out = Vec::new();
        for (place, (&word, old)) in words.iter().zip(old).enumerate() {
            let bit = self.mask_bit(i, place)?;
            out.push(self.blend(bit, word, old)?);
        }
        self.put_lanes(i, 0, &out)
    }

    /// Lifts one of these instructions. Returns whether it was one.
    pub(super) fn on_lanes(&mut self, i: &Instruction) -> Result<bool> {
        use Mnemonic as M;
        let words = match i.mnemonic() {
            M::Vpaddq => self.lane_by_lane(i, 1, 2, |lifter, x, y| lifter.lane_sum(&[(1, x), (1, y)]))?,
            M::Vpsubq => self.lane_by_lane(i, 1, 2, |lifter, x, y| lifter.lane_sum(&[(1, x), (-1, y)]))?,
            M::Vpmadd52luq | M::Vpmadd52huq => self.add_products(i)?,
            M::Vpsrlq | M::Vpsllq if i.op2_kind() == OpKind::Immediate8 => {
                let count = i.immediate8().into();
                let mut words = Vec::new();
                for x in self.integer_lanes(i, 1)? {
                    words.push(self.shift_lane(x, count, i.mnemonic() == M::Vpsllq)?);
                }
                words
            }
            M::Vpsllvq => self.lane_by_lane(i, 1, 2, |lifter, x, count| {
                let Constant(count) = count else { return fail(Reason::SymbolicCount, "of a lane") };
                lifter.shift_lane(x, count.min(64) as u32, true)
            })?,
            M::Vpsraq if i.op2_kind() == OpKind::Immediate8 && (1..63).contains(&i.immediate8()) => {
                let mut words = Vec::new();
                for x in self.integer_lanes(i, 1)? {
                    words.push(self.shift_signed_lane(x, i.immediate8().into())?);
                }
                words
            }
            M::Vpandq | M::Vpand | M::Vpandd | M::Vandps | M::Vandpd if is_of_words(i) => {
                self.lane_by_lane(i, 1, 2, Self::and_lane)?
            }
            M::Vpor | M::Vporq | M::Vpord if is_of_words(i) => {
                self.lane_by_lane(i, 1, 2, |lifter, x, y| lifter.integers.or(x, y, 64))?
            }
            M::Vpxor | M::Vpxorq | M::Vpxord | M::Vxorps | M::Vxorpd if is_of_words(i) => {
                self.lane_by_lane(i, 1, 2, |lifter, x, y| lifter.integers.exclusive_or(x, y, 64))?
            }
            // This is a & b & c.
            M::Vpternlogq | M::Vpternlogd if i.immediate8() == 0x80 && is_of_words(i) => {
                let both = self.lane_by_lane(i, 0, 1, Self::and_lane)?;
                let mut words = Vec::new();
                for (x, y) in both.into_iter().zip(self.integer_lanes(i, 2)?) {
                    words.push(self.and_lane(x, y)?);
                }
                words
            }
            // The result is all ones, whatever the operands are.
            M::Vpternlogq if i.immediate8() == 0xff => {
                vec![Constant(u64::MAX.into()); i.op0_register().size() / 8]
            }
            // The result is all ones if both are equal.
            M::Vpcmpeqq if !i.op0_register().is_k() => self.lane_by_lane(i, 1, 2, |lifter, x, y| {
                let bit = lifter.integers.equal(x, y, 64)?;
                lifter.integers.sum(0, &[(u64::MAX.into(), bit)])
            })?,
            M::Vpcmpeqq | M::Vpcmpgtq | M::Vpcmpuq | M::Vpcmpq | M::Vptestnmq => {
                return self.compare_to_mask(i);
            }
            _ => return Ok(false),
        };
        self.put_under_mask(i, &words)?;
        Ok(true)
    }

    pub(super) fn lane_by_lane(
        &mut self,
        i: &Instruction,
        first: u32,
        second: u32,
        rule: impl Fn(&mut Self, Value, Value) -> Result<Value>,
    ) -> Result<Vec<Value>> {
        let (x, y) = (self.integer_lanes(i, first)?, self.integer_lanes(i, second)?);
        x.into_iter().zip(y).map(|(x, y)| rule(self, x, y)).collect()
    }

    /// A sum modulo 2^64. Words that represent signed integers are added as these, so that what was
    /// subtracted and added again disappears.
    fn lane_sum(&mut self, terms: &[(i128, Value)]) -> Result<Value> {
        let terms =
            terms.iter().map(|&(c, x)| Ok((c, self.integers.signed(x)?))).collect::<Result<Vec<_>>>()?;
        let sum = self.integers.sum(0, &terms)?;
        Ok(self.integers.split(sum, 64)?.0)
    }

    /// Adds the lower or the upper half of the product of the lowest 52 bits of two factors.
    fn add_products(&mut self, i: &Instruction) -> Result<Vec<Value>> {
        let is_low = i.mnemonic() == Mnemonic::Vpmadd52luq;
        let sums = self.lanes(i, 0)?;
        let (x, y) = (self.integer_lanes(i, 1)?, self.integer_lanes(i, 2)?);
        let mut words = Vec::new();
        for (sum, (x, y)) in sums.into_iter().zip(x.into_iter().zip(y)) {
            let (x, y) = (self.integers.signed(x)?, self.integers.signed(y)?);
            let (x, y) = (self.integers.split(x, DIGIT)?.0, self.integers.split(y, DIGIT)?.0);
            let (low, high) = self.integers.split_product(x, y, DIGIT)?;
            words.push(self.lane_sum(&[(1, sum), (1, if is_low { low } else { high })])?);
        }
        Ok(words)
    }

    fn shift_lane(&mut self, x: Value, count: u32, is_left: bool) -> Result<Value> {
        if count >= 64 {
            return Ok(Constant(0));
        }
        if !is_left {
            return Ok(self.integers.split(x, count)?.1);
        }
        let below = self.integers.split(x, 64 - count)?.0;
        self.integers.sum(0, &[(1 << count, below)])
    }

    /// What is above the lowest bits of a signed integer.
    fn shift_signed_lane(&mut self, x: Value, count: u32) -> Result<Value> {
        let x = self.integers.signed(x)?;
        if self.integers.bounds(x).1 >> 63 != 0 {
            return fail(Reason::NoRule, "a word that may be a negative integer in another way");
        }
        let above = self.integers.split(x, count)?.1;
        Ok(self.integers.split(above, 64)?.0)
    }

    /// Whether a word is all ones or zero.
    fn is_mask(&self, x: Value) -> bool {
        let ones = i128::from(u64::MAX);
        self.integers
            .two_valued(x)
            .is_some_and(|(_, first, second)| [first, second] == [0, ones] || [first, second] == [ones, 0])
    }

    pub(super) fn and_lane(&mut self, x: Value, y: Value) -> Result<Value> {
        match (x, y) {
            (Variable(_), Variable(_)) if x != y && !self.is_mask(x) && !self.is_mask(y) => {
                self.conjunction(x, y)
            }
            // The lowest bits, which remain if an upper part is subtracted elsewhere.
            (Variable(_), Constant(mask)) | (Constant(mask), Variable(_))
                if mask > 0 && mask & (mask + 1) == 0 =>
            {
                let x = self.integers.signed(if matches!(x, Variable(_)) { x } else { y })?;
                Ok(self.integers.split(x, mask.trailing_ones())?.0)
            }
            _ => self.integers.and(x, y, 64),
        }
    }
}

/// Whether a mask, if there is one, is about lanes of 64 bits.
pub(super) fn is_of_words(i: &Instruction) -> bool {
    use Mnemonic as M;
    !i.has_op_mask()
        || matches!(i.mnemonic(), M::Vpandq | M::Vporq | M::Vpxorq | M::Vpternlogq | M::Vandpd | M::Vxorpd)
}
