//! Calls of functions that multiply numbers of several words. They are not followed: what such a function does is written down, and
//! proved once for each length. So code that cuts products in halves, and these in halves again, is not proved over and over.

use checkmem::Step;
use std::{collections::HashMap, ops::Range};

use super::{
    KEPT, Lifter, fail,
    part::{LongCall, LongFunction, Symbol},
};
use crate::{
    failure::{Reason, Result},
    system::{Id, Value},
};
use Value::Constant;

fn overlap(a: &Range<u64>, b: &Range<u64>) -> bool {
    a.start < b.end && b.start < a.end
}

impl Lifter<'_> {
    /// Takes the call of such a function, by its first step, for what it does; gives the number of its steps. None if it is none, or
    /// one whose operands are not as the function wants them.
    pub(super) fn long_call(&mut self, first: usize) -> Result<Option<usize>> {
        let trace = self.trace;
        let Some(step) = trace.steps.get(first) else { return Ok(None) };
        let function = trace.code[step.code as usize].instruction.ip();
        let Some(kind) = (self.known)(function) else { return Ok(None) };
        let Some(length) = trace.steps_of_function(first) else { return Ok(None) };
        let steps = &trace.steps[first..first + length];
        let begin = self.recorded.clone();
        let [count, a, stack, twice, t, b, other] = [1, 2, 4, 6, 7, 8, 9].map(|i| begin.general[i]);
        // A square has scratch space where a product has the second factor, which has its own on the stack.
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
        let [result, first_range, second_range] =
            [(t, twice), (a, count), (b, count)].map(|(from, words)| from..from + 8 * words);
        let words = |range: &Range<u64>| -> Option<Vec<Id>> {
            range.clone().step_by(8).map(|at| self.memory.word(at)).collect()
        };
        let (Some(x), Some(y)) = (words(&first_range), words(&second_range)) else { return Ok(None) };
        // The factors stay as they are.
        let written: Vec<_> = steps
            .iter()
            .flat_map(|step| trace.accesses(step))
            .filter(|access| access.writes)
            .map(|access| access.address..access.address + access.size as u64)
            .collect();
        let is_factor = |range: &Range<u64>| overlap(range, &first_range) || overlap(range, &second_range);
        if is_factor(&result) || written.iter().any(is_factor) {
            return Ok(None);
        }
        for range in &written {
            let size = (range.end - range.start) as usize;
            if !self.memory.is_writable(range.start, size) {
                return fail(Reason::ForeignWrite, &format!("{:#x}", range.start));
            }
            self.memory.forget(range.start, size);
        }
        let recorded = |id: &Id| self.integers.recorded(Value::Variable(*id)) as u64;
        let factors =
            [(a, &x), (b, &y)].map(|(address, ids)| Symbol::any(address, ids.iter().map(recorded).collect()));
        let stored = self.stored(steps);
        let words = result.clone().step_by(8).map(|at| stored.get(&at).copied()).collect::<Option<Vec<_>>>();
        let Some(words) = words else { return fail(Reason::NoRule, "a product that is not stored") };
        for (at, id) in result.clone().step_by(8).zip(self.integers.long_product(&x, &y, &words)?) {
            self.memory.set_symbolic(at, id);
        }
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

    /// What aligned words are in memory after some steps that wrote them as whole words.
    fn stored(&self, steps: &[Step]) -> HashMap<u64, u64> {
        let mut words = HashMap::new();
        for access in steps.iter().flat_map(|step| self.trace.accesses(step)).filter(|access| access.writes) {
            let after = self.trace.after(access).as_chunks::<8>().0;
            for (at, &word) in (access.address..).step_by(8).zip(after) {
                words.insert(at, u64::from_le_bytes(word));
            }
        }
        words
    }

    /// After steps that were left out: what a function leaves as it was is there, and all else in registers is lost.
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
