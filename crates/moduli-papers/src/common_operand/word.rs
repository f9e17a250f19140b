//! Words of W bits and their arithmetic, which contains the counters.

use alloc::vec::Vec;
use core::{
    fmt,
    ops::{Add, Sub},
};

/// A machine word of W bits, 2 ≤ W ≤ 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word<const W: u32>(u64);

impl<const W: u32> Word<W> {
    const MASK: u64 = {
        assert!(2 <= W && W <= 64, "a word has 2 to 64 bits");
        u64::MAX >> (64 - W)
    };
    pub(super) const ZERO: Self = Self(0);

    /// The low W bits of `value`.
    pub(super) fn new(value: u64) -> Self {
        Self(value & Self::MASK)
    }

    pub(super) fn value(self) -> u64 {
        self.0
    }
}

/// The numbers of word operations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WordCounts {
    /// ADD: additions and subtractions of two words, with or without carry.
    pub additions: u64,
    /// MUL: products of two words, one or both halves of which are used.
    pub multiplications: u64,
    /// Words selected under a mask. The paper has none: they are the cost of exponents that its
    /// recoding cannot represent, and are listed beside its two counts.
    pub selections: u64,
}

impl WordCounts {
    /// Creates counts of ADD and MUL.
    pub fn new(additions: u64, multiplications: u64) -> Self {
        Self { additions, multiplications, selections: 0 }
    }

    /// These counts, multiplied by `times`.
    #[must_use]
    pub fn times(self, times: u64) -> Self {
        Self {
            additions: self.additions * times,
            multiplications: self.multiplications * times,
            selections: self.selections * times,
        }
    }
}

impl Add for WordCounts {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            additions: self.additions + other.additions,
            multiplications: self.multiplications + other.multiplications,
            selections: self.selections + other.selections,
        }
    }
}

impl Sub for WordCounts {
    type Output = Self;

    /// The counts since `before`.
    fn sub(self, before: Self) -> Self {
        Self {
            additions: self.additions - before.additions,
            multiplications: self.multiplications - before.multiplications,
            selections: self.selections - before.selections,
        }
    }
}

/// An operation on numbers modulo N, with the paper's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Algorithm 2.
    SmallRed,
    /// Algorithm 3.
    MontMul,
    /// Algorithm 4.
    MontSqu,
    /// Algorithm 5.
    CombinedMontMul,
    /// Algorithm 6.
    PrecompMultByComOp,
    /// Algorithm 7.
    MultByComOp,
    /// Selects one of two numbers under a mask.
    Select,
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// Counts and optionally records the operations of an algorithm.
///
/// The counters are incremented only where two words are added or multiplied.
#[derive(Clone, Debug, Default)]
pub struct Meter {
    counts: WordCounts,
    records: bool,
    inside_operation: bool,
    inside_step: bool,
    trace: Vec<(Operation, WordCounts)>,
    steps: Vec<(&'static str, WordCounts)>,
    stored_words: u64,
}

impl Meter {
    /// A meter that counts.
    pub fn new() -> Self {
        Self::default()
    }

    /// A meter that also records the sequence of operations, and the counts of each step of an algorithm.
    pub fn recording() -> Self {
        Self { records: true, ..Self::default() }
    }

    /// The counts so far.
    pub fn counts(&self) -> WordCounts {
        self.counts
    }

    /// The sequence of operations on numbers, each with its counts, which include the operations
    /// that it calls.
    pub fn trace(&self) -> &[(Operation, WordCounts)] {
        &self.trace
    }

    /// The counts of each step, named by the paper's line numbers, in the order of first
    /// occurrence.
    pub fn steps(&self) -> &[(&'static str, WordCounts)] {
        &self.steps
    }

    /// The words of precomputed operands that were kept in memory.
    pub fn stored_words(&self) -> u64 {
        self.stored_words
    }

    pub(super) fn store(&mut self, words: usize) {
        self.stored_words += words as u64;
    }

    /// Runs `work` as one operation of the trace.
    pub(super) fn operation<T>(&mut self, operation: Operation, work: impl FnOnce(&mut Self) -> T) -> T {
        if !self.records || self.inside_operation {
            return work(self);
        }
        let before = self.counts;
        self.inside_operation = true;
        let result = work(self);
        self.inside_operation = false;
        self.trace.push((operation, self.counts - before));
        result
    }

    /// Runs `work` as a step, or part of a step, of the algorithm that the caller called.
    pub(super) fn step<T>(&mut self, name: &'static str, work: impl FnOnce(&mut Self) -> T) -> T {
        if !self.records || self.inside_step {
            return work(self);
        }
        let before = self.counts;
        self.inside_step = true;
        let result = work(self);
        self.inside_step = false;
        let spent = self.counts - before;
        match self.steps.iter_mut().find(|(known, _)| *known == name) {
            Some((_, counts)) => *counts = *counts + spent,
            None => self.steps.push((name, spent)),
        }
        result
    }

    /// ADD, or ADDC: a + b + carry, and the next carry.
    pub(super) fn add<const W: u32>(&mut self, a: Word<W>, b: Word<W>, carry: &mut bool) -> Word<W> {
        self.counts.additions += 1;
        let sum = u128::from(a.0) + u128::from(b.0) + u128::from(*carry);
        *carry = sum >> W != 0;
        Word::new(sum as u64)
    }

    /// ADD as a subtraction: a − b − borrow, and the next borrow.
    pub(super) fn subtract<const W: u32>(&mut self, a: Word<W>, b: Word<W>, borrow: &mut bool) -> Word<W> {
        self.counts.additions += 1;
        let taken = u128::from(b.0) + u128::from(*borrow);
        *borrow = taken > u128::from(a.0);
        Word::new(a.0.wrapping_sub(taken as u64))
    }

    /// MUL: {v, u} ← a·b, u the lower and v the upper part.
    pub(super) fn multiply<const W: u32>(&mut self, a: Word<W>, b: Word<W>) -> (Word<W>, Word<W>) {
        self.counts.multiplications += 1;
        let product = u128::from(a.0) * u128::from(b.0);
        (Word::new((product >> W) as u64), Word::new(product as u64))
    }

    /// `a` if `first`, otherwise `b`.
    pub(super) fn select<const W: u32>(&mut self, first: bool, a: Word<W>, b: Word<W>) -> Word<W> {
        self.counts.selections += 1;
        let mask = u64::from(first).wrapping_neg();
        Word(a.0 & mask | b.0 & !mask)
    }
}
