//! Rules for instructions that move parts of lanes: halves, quarters and pairs of lanes.

use iced_x86::{Instruction, Mnemonic, OpKind};

use super::Lifter;
use crate::{failure::Result, integers::ones, system::Value};
use Value::Constant;

impl Lifter<'_> {
    /// Lifts one of these instructions. Returns whether it was one.
    pub(super) fn on_parts_of_lanes(&mut self, i: &Instruction) -> Result<bool> {
        use Mnemonic as M;
        if i.has_op_mask() {
            return Ok(false);
        }
        let words = match i.mnemonic() {
            // This permutes the quarters of every other lane.
            M::Vpshuflw => {
                let mut words = self.integer_lanes(i, 1)?;
                for word in words.iter_mut().step_by(2) {
                    *word = self.quarters(*word, i.immediate8())?;
                }
                words
            }
            // This copies the lowest half of a lane to all.
            M::Vpbroadcastd if i.op1_kind() == OpKind::Register && i.op1_register().is_vector_register() => {
                let word = self.lanes(i, 1)?[0];
                let below = self.integers.split(word, 32)?.0;
                let word = self.integers.sum(0, &[(1, below), (1 << 32, below)])?;
                vec![word; i.op0_register().size() / 8]
            }
            // This extends halves of lanes, with their signs.
            M::Vpmovsxdq if i.op1_kind() == OpKind::Register => {
                let mut words = Vec::new();
                for word in self.lanes(i, 1)? {
                    let (below, above) = self.integers.split(word, 32)?;
                    for half in [below, above] {
                        let sign = self.integers.split(half, 31)?.1;
                        words.push(self.integers.sum(0, &[(1, half), (ones(64) - ones(32), sign)])?);
                    }
                }
                words.truncate(i.op0_register().size() / 8);
                words
            }
            // This selects two of the four pairs of lanes of both operands, or zeros.
            M::Vperm2i128 | M::Vperm2f128 => {
                let lanes = [self.integer_lanes(i, 1)?, self.integer_lanes(i, 2)?].concat();
                let pair = |by: u8| match by & 8 {
                    0 => &lanes[2 * usize::from(by & 3)..][..2],
                    _ => &[Constant(0); 2],
                };
                [pair(i.immediate8()), pair(i.immediate8() >> 4)].concat()
            }
            _ => return Ok(false),
        };
        self.put_lanes(i, 0, &words)?;
        Ok(true)
    }

    /// Selects quarters of a word by these places, two bits each.
    fn quarters(&mut self, word: Value, places: u8) -> Result<Value> {
        let (mut rest, mut quarters) = (word, Vec::new());
        for _ in 0..4 {
            let (low, high) = self.integers.split(rest, 16)?;
            quarters.push(low);
            rest = high;
        }
        let term = |to: usize| (1 << (16 * to), quarters[usize::from(places >> (2 * to) & 3)]);
        self.integers.sum(0, &[0, 1, 2, 3].map(term))
    }
}
