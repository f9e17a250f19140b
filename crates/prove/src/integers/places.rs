//! Values that are selected by their places, and words that are differences of two others.

use super::Integers;
use crate::{failure::Result, system::Value};
use Value::{Constant, Variable};

impl Integers {
    /// Selects from 2^k values the one at the place that the lowest k bits of a word name: choices by these
    /// bits, the highest one first.
    pub fn pick(&mut self, place: Value, x: &[Value]) -> Result<Value> {
        let count = x.len().ilog2();
        let (mut rest, mut bits) = (self.split(place, count)?.0, Vec::new());
        for below in (0..count).rev() {
            let (low, bit) = self.split(rest, below)?;
            bits.push(bit);
            rest = low;
        }
        self.pick_by(&bits, x)
    }

    fn pick_by(&mut self, bits: &[Value], x: &[Value]) -> Result<Value> {
        let Some((&bit, others)) = bits.split_first() else { return Ok(x[0]) };
        let (below, above) = x.split_at(x.len() / 2);
        let (zero, one) = (self.pick_by(others, below)?, self.pick_by(others, above)?);
        self.choose(bit, one, zero)
    }

    /// A bit that is 1 if a word is zero. If the word is the difference of two words, it says whether these
    /// are equal.
    pub fn is_zero(&mut self, x: Value, bits: u32) -> Result<Value> {
        let differing = if let Variable(id) = x { self.differing.get(&id).copied() } else { None };
        let (x, y) = differing.unwrap_or((x, Constant(0)));
        self.equal(x, y, bits)
    }
}
