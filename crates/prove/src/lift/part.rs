//! What is lifted: part of a trace, and what in it is a symbol.

use checkmem::{Registers, Trace};
use std::ops::Range;

/// Words of memory that are symbols.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Of the first word.
    pub address: u64,
    /// What was there when it was recorded.
    pub words: Vec<u64>,
    /// What each word can be at most. If this is empty, any words; a word that can only be 0 is no symbol.
    pub highest: Vec<u64>,
}

impl Symbol {
    /// Any words, of which these were recorded.
    pub fn any(address: u64, words: Vec<u64>) -> Self {
        Self { address, words, highest: Vec::new() }
    }
}

/// A place in a trace from which on words are any words again, as a statement about the part before it bounds them.
#[derive(Clone, Debug)]
pub struct Cut {
    /// Before which step.
    pub step: usize,
    /// The words.
    pub symbol: Symbol,
    /// Whether they are doubles: then it is the integers that they hold that are bounded.
    pub are_doubles: bool,
}

/// Which functions multiply long numbers, by their addresses.
pub type Known<'a> = &'a dyn Fn(u64) -> Option<LongFunction>;

/// Some steps of a trace: a function up to its return.
#[derive(Clone)]
pub struct Part<'a> {
    /// The trace.
    pub trace: &'a Trace,
    /// The steps.
    pub steps: Range<usize>,
    /// The registers at their beginning.
    pub begin: Registers,
    /// Where the rest is lifted for itself.
    pub cuts: &'a [Cut],
    /// General registers that are masks, all ones or zero.
    pub masks: &'a [usize],
    /// General registers that are any words.
    pub words: &'a [usize],
    /// Functions that are not followed.
    pub known: Known<'a>,
}

impl<'a> Part<'a> {
    /// All steps. All functions are followed, and nothing is handed over in registers but addresses and lengths.
    pub fn whole(trace: &'a Trace) -> Self {
        let (steps, begin) = (0..trace.steps.len(), trace.begin.clone());
        Self { trace, steps, begin, cuts: &[], masks: &[], words: &[], known: &|_| None }
    }
}

/// A function of the kernels that multiplies. Where it stores the product, of how many words, and what: rdi, rsi, rdx, rcx.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LongFunction {
    /// Of two numbers; the second one: r8, r9.
    Product,
    /// Of a number by itself.
    Square,
}

/// A call of one.
#[derive(Clone, Debug)]
pub struct LongCall {
    /// Its address.
    pub function: u64,
    /// The steps of the trace in it.
    pub steps: Range<usize>,
    /// The registers at its beginning.
    pub begin: Registers,
    /// Where the product is stored.
    pub result: u64,
    /// What is multiplied. Both are one for a square.
    pub factors: [Symbol; 2],
}

impl LongCall {
    /// Words of each factor.
    pub fn words(&self) -> usize {
        self.factors[0].words.len()
    }

    /// Whether it is the same function on as many words, and on two numbers if the other one is.
    pub fn is_like(&self, other: &Self) -> bool {
        let shape =
            |call: &Self| (call.function, call.words(), call.factors[0].address == call.factors[1].address);
        shape(self) == shape(other)
    }
}
