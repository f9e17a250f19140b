//! Rules for calls of functions that multiply numbers of several words. They are not followed: the product is
//! taken as what the function computes, which is proved once for each length. So code that cuts products in
//! halves, and these in halves again, is not proved again and again.

use std::{collections::HashMap, ops::Range};

use super::{
    KEPT, Lifter, fail,
    memory::Memory,
    part::{LongCall, LongFunction, Symbol},
};
use crate::{
    failure::{Reason, Result},
    integers::Integers,
    system::{Id, Value},
};
use Value::Constant;

fn overlap(a: &Range<u64>, b: &Range<u64>) -> bool {
    a.start < b.end && b.start < a.end
}

/// The memory that some steps wrote.
#[derive(Default)]
pub(crate) struct Written {
    ranges: Vec<Range<u64>>,
    /// Aligned words that were written as a whole, with their last values.
    words: HashMap<u64, u64>,
}

impl Written {
    /// Collects writes, given as addresses and bytes, the latest last.
    pub(crate) fn of<'a>(writes: impl Iterator<Item = (u64, &'a [u8])>) -> Self {
        let mut written = Self::default();
        for (address, bytes) in writes {
            written.ranges.push(address..address + bytes.len() as u64);
            for (at, &word) in (address..).step_by(8).zip(bytes.as_chunks::<8>().0) {
                written.words.insert(at, u64::from_le_bytes(word));
            }
        }
        written
    }

    /// Declares the product of two numbers in memory, of this many words: where it is stored, and where the
    /// factors are. Returns these; None if they are not as such a function requires.
    pub(crate) fn declare_product(
        &self,
        memory: &mut Memory,
        integers: &mut Integers,
        [t, a, b]: [u64; 3],
        count: u64,
    ) -> Result<Option<[Symbol; 2]>> {
        let [result, first_range, second_range] =
            [(t, 2 * count), (a, count), (b, count)].map(|(from, words)| from..from + 8 * words);
        let words = |range: &Range<u64>| -> Option<Vec<Id>> {
            range.clone().step_by(8).map(|at| memory.word(at)).collect()
        };
        let (Some(x), Some(y)) = (words(&first_range), words(&second_range)) else { return Ok(None) };
        // The factors are unchanged.
        let is_factor = |range: &Range<u64>| overlap(range, &first_range) || overlap(range, &second_range);
        if is_factor(&result) || self.ranges.iter().any(is_factor) {
            return Ok(None);
        }
        for range in &self.ranges {
            let size = (range.end - range.start) as usize;
            if !memory.is_writable(range.start, size) {
                return fail(Reason::ForeignWrite, &format!("{:#x}", range.start));
            }
            memory.forget(range.start, size);
        }
        let recorded = |id: &Id| integers.recorded(Value::Variable(*id)) as u64;
        let factors =
            [(a, &x), (b, &y)].map(|(address, ids)| Symbol::any(address, ids.iter().map(recorded).collect()));
        let words = result.clone().step_by(8).map(|at| self.words.get(&at).copied());
        let Some(words) = words.collect::<Option<Vec<_>>>() else {
            return fail(Reason::NoRule, "a product that is not stored");
        };
        for (at, id) in result.step_by(8).zip(integers.long_product(&x, &y, &words)?) {
            memory.set_symbolic(at, id);
        }
        Ok(Some(factors))
    }
}

impl Lifter<'_> {
    /// Replaces a call of such a function, which begins at step `first`, by what it computes. Returns the
    /// number of its steps; None if it is no such function, or its operands are not as it requires.
    pub(super) fn long_call(&mut self, first: usize) -> Result<Option<usize>> {
        let trace = self.trace;
        let Some(step) = trace.steps.get(first) else { return Ok(None) };
        let function = trace.code[step.code as usize].instruction.ip();
        let Some(kind) = (self.known)(function) else { return Ok(None) };
        let Some(length) = trace.steps_of_function(first) else { return Ok(None) };
        let steps = &trace.steps[first..first + length];
        let begin = self.recorded.clone();
        let [count, a, stack, twice, t, b, other] = [1, 2, 4, 6, 7, 8, 9].map(|i| begin.general[i]);
        // A square takes the scratch space as the argument that is the second factor of a product. A product
        // takes it on the stack.
        let (b, is_right) = match kind {
            LongFunction::Product => (b, other == count && self.memory.is_known(stack + 8, 16)),
            LongFunction::Square => (a, true),
        };
        if !is_right || twice != 2 * count || (t | a | b) % 8 != 0 {
            return Ok(None);
        }
        if [1, 2, 6, 7, 8, 9].iter().any(|&i| !matches!(self.general[i], Constant(_))) {
            return fail(Reason::SymbolicAddress, "of a product");
        }
        let written = Written::of(
            steps
                .iter()
                .flat_map(|step| trace.accesses(step))
                .filter(|access| access.writes)
                .map(|access| (access.address, trace.after(access))),
        );
        let Some(factors) =
            written.declare_product(&mut self.memory, &mut self.integers, [t, a, b], count)?
        else {
            return Ok(None);
        };
        self.calls_of_products.push(LongCall {
            function,
            steps: first..first + length,
            begin,
            result: t,
            factors,
        });
        self.return_from(first..first + length);
        Ok(Some(length))
    }

    /// Continues after steps that were left out: registers that a function preserves are unchanged, and all
    /// others are lost.
    fn return_from(&mut self, steps: Range<usize>) {
        let trace = self.trace;
        for step in &trace.steps[steps] {
            self.follow(step);
        }
        self.general[4] = Constant(self.recorded.general[4].into());
        let is_lost = |number: &usize| *number != 4 && !KEPT.contains(number);
        self.lost_general |= (0..16).filter(is_lost).fold(0, |bits, number| bits | 1 << number);
        self.lost_masks = u8::MAX;
        self.lost_vectors = u32::MAX;
        self.lost_upper = u32::MAX;
        self.flags = [None; 6];
        self.compared = None;
    }
}
