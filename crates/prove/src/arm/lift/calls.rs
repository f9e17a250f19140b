//! Rules for calls of functions of the system, and of those that multiply numbers of several words: see
//! `crate::lift::products`.

use super::{
    super::{
        operation::{PLACES, Place, SP, ZERO},
        trace::Call,
    },
    Lifter, fail,
    flags::Flags,
    is_kept,
};
use crate::{
    failure::{Reason, Result},
    lift::{LongCall, LongFunction, products::Written},
    system::Value,
};
use Value::Constant;

impl Lifter<'_> {
    /// Lifts a call of a function of the system, by its name.
    pub(super) fn call(&mut self, call: Call) -> Result<()> {
        let Call { name, arguments, returned } = call;
        *self.calls.entry(name).or_default() += 1;
        let count = if matches!(name, "malloc" | "free") { 1 } else { 3 };
        if (0..count).any(|place| self.lost[place] || !matches!(self.words[place], Constant(_))) {
            return fail(Reason::SymbolicAddress, name);
        }
        self.memory.call(name, arguments, returned)?;
        self.lose();
        (self.words[0], self.lost[0]) = (Constant(returned.into()), false);
        Ok(())
    }

    /// Marks places that a function may change as lost.
    fn lose(&mut self) {
        for place in 0..PLACES as Place {
            self.lost[place as usize] |= !is_kept(place) && !matches!(place, SP | ZERO);
        }
        self.flags = Flags::default();
    }

    /// Replaces a call of a function that multiplies, which begins at step `first`, by what it computes.
    /// Returns the number of its steps; None if it is no such function, or its operands are not as it
    /// requires.
    pub(super) fn long_call(&mut self, first: usize) -> Result<Option<usize>> {
        let trace = self.trace;
        let Some(step) = trace.steps.get(first) else { return Ok(None) };
        let function = trace.instruction(step).address;
        let Some(kind) = (self.known)(function) else { return Ok(None) };
        let Some(length) = trace.steps_of_function(first) else { return Ok(None) };
        let steps = &trace.steps[first..first + length];
        let begin = self.recorded.clone();
        let [t, twice, a, count, b, other] = [0, 1, 2, 3, 4, 5].map(|place| begin.words[place]);
        // A square takes the scratch space as the argument that is the second factor of a product.
        let (b, is_right) = match kind {
            LongFunction::Product => (b, other == count),
            LongFunction::Square => (a, true),
        };
        if !is_right || twice != 2 * count || (t | a | b) % 8 != 0 {
            return Ok(None);
        }
        let arguments = if kind == LongFunction::Product { 8 } else { 6 };
        if (0..arguments).any(|place| self.lost[place] || !matches!(self.words[place], Constant(_))) {
            return fail(Reason::SymbolicAddress, "of a product");
        }
        let accesses = steps.iter().flat_map(|step| trace.accesses(step)).filter(|access| access.writes);
        let bytes: Vec<_> =
            accesses.map(|access| (access.address, access.size, access.word.to_le_bytes())).collect();
        let written = Written::of(bytes.iter().map(|(address, size, bytes)| (*address, &bytes[..*size])));
        let declared = written.declare_product(&mut self.memory, &mut self.integers, [t, a, b], count)?;
        let Some(factors) = declared else { return Ok(None) };
        self.calls_of_products.push(LongCall {
            function,
            steps: first..first + length,
            begin,
            result: t,
            factors,
        });
        for step in steps {
            trace.follow(&mut self.recorded, step);
        }
        self.lose();
        Ok(Some(length))
    }
}
