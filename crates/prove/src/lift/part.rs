//! What is lifted: part of a trace, and what in it is a symbol; and what comes of it.

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

/// A word that is a constant and multiples of any integers of intervals, modulo 2^64.
#[derive(Clone, Debug, Default)]
pub struct Composed {
    /// The constant.
    pub constant: i128,
    /// Multipliers, the least and the greatest integer, and what it was when it was recorded.
    pub parts: Vec<(i128, i128, i128, i128)>,
}

impl Composed {
    /// Any word.
    pub fn any(recorded: u64) -> Self {
        Self { constant: 0, parts: vec![(1, 0, u64::MAX.into(), recorded.into())] }
    }
}

/// A place in a trace from which on registers hold any words of a form, as a statement about the part before it says.
#[derive(Clone, Debug)]
pub struct RegisterCut {
    /// Before which step.
    pub step: usize,
    /// General registers, and what they hold from then on.
    pub registers: Vec<(usize, Composed)>,
}

/// What registers held before a cut, and the integers that they are made of from then on.
#[derive(Clone, Debug, Default)]
pub struct CutRegisters {
    /// See above, register by register.
    pub before: Vec<Value>,
    /// The new words.
    pub words: Vec<Value>,
    /// What these are made of.
    pub parts: Vec<Vec<Id>>,
}

/// Steps of a trace that are not lifted, as what they do is proved apart.
#[derive(Clone, Debug, Default)]
pub struct Skip {
    /// The steps.
    pub steps: Range<usize>,
    /// The words that they read, as they were recorded.
    pub reads: Vec<(u64, u64)>,
    /// The general registers that they read.
    pub registers_read: Vec<usize>,
    /// The registers that have to hold what was recorded, as they are addresses and lengths.
    pub fixed: Vec<usize>,
    /// The words that they leave, as they were recorded, and what is known of each. All else that they write is lost.
    pub words: Vec<(u64, u64, Composed)>,
    /// The same of general registers. All others are lost, but for those that a function leaves as they were.
    pub registers: Vec<(usize, Composed)>,
    /// Whether they are a function up to its return.
    pub is_function: bool,
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
    /// Where registers hold any words from then on.
    pub register_cuts: &'a [RegisterCut],
    /// What is not lifted, in its order.
    pub skips: &'a [Skip],
    /// If it is a part of a function: the addresses that registers hold at its beginning. Besides the stack pointer all others hold any
    /// words.
    pub inside: Option<&'a [u64]>,
}

impl<'a> Part<'a> {
    /// So many steps of a function from its first one on. All functions are followed, and nothing is handed over in registers but addresses
    /// and lengths.
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

    /// All steps. All functions are followed, and nothing is handed over in registers but addresses and lengths.
    pub fn whole(trace: &'a Trace) -> Self {
        let (steps, begin) = (0..trace.steps.len(), trace.begin.clone());
        Self::of(trace, steps, begin)
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
pub struct LongCall<R = Registers> {
    /// Its address.
    pub function: u64,
    /// The steps of the trace in it.
    pub steps: Range<usize>,
    /// The registers at its beginning.
    pub begin: R,
    /// Where the product is stored.
    pub result: u64,
    /// What is multiplied. Both are one for a square.
    pub factors: [Symbol; 2],
}

impl<R> LongCall<R> {
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

/// What a lifted trace comes to.
pub struct Lifted<R = Registers> {
    /// All integers.
    pub integers: Integers,
    /// Instructions that were executed.
    pub instructions: usize,
    /// Those among them that symbols reached.
    pub symbolic: usize,
    /// These by their names, and how often each occurred.
    pub rules: BTreeMap<String, usize>,
    /// Functions of the system that were called.
    pub calls: BTreeMap<&'static str, usize>,
    /// Calls that were not followed: that they do what is said of them has to be proved.
    pub products: Vec<LongCall<R>>,
    /// At each cut, what its words were, and what they are from then on; none is 0.
    pub before: Vec<Vec<Value>>,
    /// See above.
    pub after: Vec<Vec<Option<Id>>>,
    /// What registers were at each cut of them.
    pub register_cuts: Vec<CutRegisters>,
    /// What steps were given that were not lifted, and what they left.
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
    /// If one of them is no symbolic word: a result that does not depend on its operands is none.
    pub fn words(&self, address: u64, count: usize) -> Result<Vec<Id>> {
        let word = |i| {
            let missing = || Failure::new(Reason::Unproven, format!("word {i} of the result was not made"));
            self.memory.word(address + 8 * i as u64).ok_or_else(missing)
        };
        (0..count).map(word).collect()
    }
}
