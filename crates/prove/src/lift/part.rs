//! The input of the lifter, part of a trace with its symbols, and the lifter's output.

use checkmem::{Registers, Trace};
use std::{collections::BTreeMap, ops::Range};

use super::{held::Doubles, memory::Memory};
use crate::{
    failure::{Failure, Reason, Result},
    integers::Integers,
    system::{Id, Skipped, Value},
};

/// Words of memory that are symbols.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// The address of the first word.
    pub address: u64,
    /// The recorded words.
    pub words: Vec<u64>,
    /// The highest value of each word. If this is empty, they are any words. A word that can only be 0 is no
    /// symbol.
    pub highest: Vec<u64>,
}

impl Symbol {
    /// A symbol of any words; `words` were recorded.
    pub fn any(address: u64, words: Vec<u64>) -> Self {
        Self { address, words, highest: Vec::new() }
    }
}

/// A place in a trace from which on words are any words again, within the bounds that a statement about the
/// part before gives.
#[derive(Clone, Debug)]
pub struct Cut {
    /// The step before which the cut is.
    pub step: usize,
    /// The words.
    pub symbol: Symbol,
    /// Whether the words are doubles. Then the integers that they hold are bounded.
    pub are_doubles: bool,
}

/// The form of a word: a constant plus multiples of any integers from intervals, modulo 2^64.
#[derive(Clone, Debug, Default)]
pub struct Composed {
    /// The constant.
    pub constant: i128,
    /// For each integer: the multiplier, the least and the greatest value, and the recorded value.
    pub parts: Vec<(i128, i128, i128, i128)>,
}

impl Composed {
    /// The form of any word.
    pub fn any(recorded: u64) -> Self {
        Self { constant: 0, parts: vec![(1, 0, u64::MAX.into(), recorded.into())] }
    }
}

/// A place in a trace from which on registers hold any words of a form, as a statement about the part before
/// says.
#[derive(Clone, Debug)]
pub struct RegisterCut {
    /// The step before which the cut is.
    pub step: usize,
    /// General registers, and the form of their words from then on.
    pub registers: Vec<(usize, Composed)>,
}

/// The contents of registers before a cut, and the integers that make up their contents afterwards.
#[derive(Clone, Debug, Default)]
pub struct CutRegisters {
    /// The contents before the cut, register by register.
    pub before: Vec<Value>,
    /// The new words.
    pub words: Vec<Value>,
    /// The integers of which the new words are made.
    pub parts: Vec<Vec<Id>>,
}

/// Steps of a trace that are not lifted, because what they do is proved separately.
#[derive(Clone, Debug, Default)]
pub struct Skip {
    /// The steps.
    pub steps: Range<usize>,
    /// The words that they read, as recorded.
    pub reads: Vec<(u64, u64)>,
    /// The general registers that they read.
    pub registers_read: Vec<usize>,
    /// The registers that must hold their recorded values, as they are addresses and lengths.
    pub fixed: Vec<usize>,
    /// The words that they leave, as recorded, with the form of each. All other memory that they write is
    /// lost.
    pub words: Vec<(u64, u64, Composed)>,
    /// The general registers that they leave, with the form of each. All others are lost, except those that
    /// a function preserves.
    pub registers: Vec<(usize, Composed)>,
    /// Whether they are a whole function, up to its return.
    pub is_function: bool,
}

/// Tells by its address whether a function multiplies long numbers.
pub type Known<'a> = &'a dyn Fn(u64) -> Option<LongFunction>;

/// Some steps of a trace: a function up to its return, or a part of one.
#[derive(Clone)]
pub struct Part<'a> {
    /// The trace.
    pub trace: &'a Trace,
    /// The steps.
    pub steps: Range<usize>,
    /// The registers at their beginning.
    pub begin: Registers,
    /// The places from which on the rest is lifted separately.
    pub cuts: &'a [Cut],
    /// General registers that are masks, all ones or zero.
    pub masks: &'a [usize],
    /// General registers that are any words.
    pub words: &'a [usize],
    /// Functions that are not followed.
    pub known: Known<'a>,
    /// The places from which on registers hold any words.
    pub register_cuts: &'a [RegisterCut],
    /// The steps that are not lifted, in their order.
    pub skips: &'a [Skip],
    /// For a part of a function: the addresses that registers hold at its beginning. All other registers,
    /// except the stack pointer, hold any words.
    pub inside: Option<&'a [u64]>,
}

impl<'a> Part<'a> {
    /// The steps of a function from its first one on. All functions are followed. Only addresses and lengths
    /// are passed in registers.
    pub fn of(trace: &'a Trace, steps: Range<usize>, begin: Registers) -> Self {
        let (cuts, register_cuts, skips) = (&[], &[], &[]);
        Self {
            trace,
            steps,
            begin,
            cuts,
            masks: &[],
            words: &[],
            known: &|_| None,
            register_cuts,
            skips,
            inside: None,
        }
    }

    /// All steps of a trace. All functions are followed. Only addresses and lengths are passed in registers.
    pub fn whole(trace: &'a Trace) -> Self {
        let (steps, begin) = (0..trace.steps.len(), trace.begin.clone());
        Self::of(trace, steps, begin)
    }
}

/// A function of the kernels that multiplies. Its arguments are where to store the product, the number of
/// words, and the factors: rdi, rsi, rdx, rcx.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LongFunction {
    /// A product of two numbers. The second one is in r8 and r9.
    Product,
    /// The square of a number.
    Square,
}

/// A call of such a function.
#[derive(Clone, Debug)]
pub struct LongCall<R = Registers> {
    /// Its address.
    pub function: u64,
    /// The steps of the trace in it.
    pub steps: Range<usize>,
    /// The registers at its beginning.
    pub begin: R,
    /// Where the product is stored.
    pub result: u64,
    /// The factors. They are the same for a square.
    pub factors: [Symbol; 2],
}

impl<R> LongCall<R> {
    /// Words of each factor.
    pub fn words(&self) -> usize {
        self.factors[0].words.len()
    }

    /// Whether the other call is of the same function, on as many words, and both or neither are on two
    /// numbers.
    pub fn is_like(&self, other: &Self) -> bool {
        let shape =
            |call: &Self| (call.function, call.words(), call.factors[0].address == call.factors[1].address);
        shape(self) == shape(other)
    }
}

/// The result of lifting a trace.
pub struct Lifted<R = Registers> {
    /// All integers.
    pub integers: Integers,
    /// The number of executed instructions.
    pub instructions: usize,
    /// The number of executed instructions that symbols reached.
    pub symbolic: usize,
    /// The names of these instructions, and how often each occurred.
    pub rules: BTreeMap<String, usize>,
    /// Functions of the system that were called.
    pub calls: BTreeMap<&'static str, usize>,
    /// Calls that were not followed. It has to be proved that they do what is assumed of them.
    pub products: Vec<LongCall<R>>,
    /// At each cut, the words before it. `after`: the words from then on; None for a word that is 0.
    pub before: Vec<Vec<Value>>,
    /// See above.
    pub after: Vec<Vec<Option<Id>>>,
    /// The registers at each cut of registers.
    pub register_cuts: Vec<CutRegisters>,
    /// The inputs and the results of the steps that were not lifted.
    pub skipped: Vec<Skipped>,
    /// The general registers at the end.
    pub registers: Vec<Value>,
    pub(crate) memory: Memory,
    pub(crate) doubles: Doubles,
}

impl<R> Lifted<R> {
    /// The words at an address, as integers.
    ///
    /// # Errors
    /// If one of them is not symbolic: a constant that does not depend on operands is no result.
    pub fn words(&self, address: u64, count: usize) -> Result<Vec<Id>> {
        let word = |i| {
            let missing = || Failure::new(Reason::Unproven, format!("word {i} of the result was not made"));
            self.memory.word(address + 8 * i as u64).ok_or_else(missing)
        };
        (0..count).map(word).collect()
    }
}
