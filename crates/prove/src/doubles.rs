//! Records operations of `fma50` as they ship, with operands that stand for all others: digits of 50 bits, in
//! doubles.

mod declare;
mod parts;
mod prepared;

use checkmem::{Access, Step, Trace};
use moduli_kernel::{KernelChoice, Words, proofs::Kernel};
use num_bigint::BigInt;
use testing::Random;

use super::{
    failure::{Failure, Reason, Result},
    lift::{Lifted, Part, Symbol, Territory, lift_declared},
    specification::{
        Formula, Operation, Statement,
        doubles::{self, DIGIT, Doubles},
    },
    subject::{ARGUMENTS, Operands, STACK, big, bytes, first_call, kernel, named, number, perform},
    system::{Id, Value},
};

/// Whether an operation reads digits in doubles as numbers. Others move words, whatever they are.
pub fn is_of_numbers(operation: Operation) -> bool {
    !matches!(operation, Operation::Swap | Operation::Replace(_) | Operation::Select(_))
}

/// The record of an operation.
pub struct Recording {
    operation: Operation,
    trace: Trace,
    bits: usize,
    digits: usize,
    words: usize,
    /// The number of residues side by side, or 1.
    lanes: usize,
    symbols: Vec<(&'static str, Symbol)>,
    territory: Territory,
    after: Vec<u64>,
}

/// A matrix of these rows, followed by the sum of the products of neighbouring rows, as a number in digits.
fn matrix(rows: &[Vec<i128>]) -> Vec<u64> {
    let (digits, words) = (rows.len(), rows[0].len());
    let mut out = vec![0; words * (digits + 1)];
    for (j, row) in rows.iter().enumerate() {
        for (i, &digit) in row.iter().enumerate() {
            out[declare::place(words, digits, i, j)] = (digit as f64).to_bits();
        }
    }
    let mut carry = 0;
    for i in 0..digits {
        carry += rows.chunks_exact(2).map(|rows| rows[0][i] * rows[1][i]).sum::<i128>();
        out[words * digits + i] = ((carry & ((1 << DIGIT) - 1)) as f64).to_bits();
        carry >>= DIGIT;
    }
    out
}

/// Records an operation for a modulus of `bits` bits.
///
/// # Errors
/// If there is no such kernel here, or the interpreter stops.
pub fn record(choice: KernelChoice, bits: usize, operation: Operation, seed: u64) -> Result<Recording> {
    let fail = |what: &str| Failure::new(Reason::NoTrace, what);
    let kernel = kernel(choice, &mut Random(0), bits)?;
    let kernel: &dyn Kernel = &*kernel;
    let dimensions = *kernel.dimensions();
    let (digits, words) = (dimensions.radix_bits / DIGIT as usize, dimensions.residue_words);
    if dimensions.name != "fma50" || words != digits.next_multiple_of(4) {
        return Err(fail("there is no layout of doubles"));
    }
    let mut random = Random(seed);
    let mut residue = || {
        let mut residue = Words::zero(words);
        for (i, word) in residue.iter_mut().enumerate().take(digits) {
            // The number is below Q.
            let short = if i + 1 == digits { 47 } else { DIGIT };
            *word = ((random.word() & ((1 << short) - 1)) as f64).to_bits();
        }
        residue
    };
    let (mut x, mut y) = (residue(), residue());
    let (mut lanes, mut scratch_words) = (1, dimensions.scratch_words);
    if matches!(operation, Operation::MulRows | Operation::SquareRows) {
        let Some(rows) = kernel.lanes() else { return Err(fail("no rows")) };
        (lanes, scratch_words) = (rows.lanes(), rows.scratch_words());
        for row in [&mut x, &mut y] {
            let residues: Vec<_> = (0..lanes).map(|_| residue()).collect();
            *row = Words::zero(lanes * digits);
            row.iter_mut().enumerate().for_each(|(i, word)| *word = residues[i % lanes][i / lanes]);
        }
    }
    if operation == Operation::MulPair {
        x = Words::copy_of(&[&x[..], &residue()].concat());
    }
    let mut pieces = Vec::new();
    if let Operation::MulPrepared(split) = operation {
        if split > words / 4 + 1 {
            return Err(fail("there are no so many pieces"));
        }
        // Numbers below N.
        let mut below = || {
            let n = big(&number(&mut random, dimensions.limbs, bits - 1));
            let digit = |i| small((&n >> (DIGIT as usize * i)) & BigInt::from((1u64 << DIGIT) - 1));
            (0..words).map(digit).collect::<Vec<_>>()
        };
        if split > words / 4 {
            let rows: Vec<_> = (0..digits).map(|_| below()).collect();
            pieces = matrix(&rows);
        } else {
            (0..split).for_each(|_| pieces.extend(below().iter().map(|&digit| (digit as f64).to_bits())));
        }
    }
    let mut out = None;
    if let Operation::Prepare(split) = operation {
        if !(2..=words / 4 + 1).contains(&split) {
            return Err(fail("there are no so many pieces"));
        }
        out = Some(Words::zero(dimensions.prepared_words(split)));
    }
    let mut operands = Operands {
        kernel,
        x: out.unwrap_or(x),
        y: if pieces.is_empty() { y } else { Words::copy_of(&pieces) },
        value: number(&mut random, dimensions.limbs, bits - 1),
        scratch: number(&mut random, scratch_words, 64 * scratch_words),
    };
    let mut symbols: Vec<(&'static str, Symbol)> = Vec::new();
    let places = kernel.places();
    for constant in &places.constants {
        symbols.push(named(kernel, constant));
    }
    for (name, words) in
        [("x", &operands.x), ("y", &operands.y), ("value", &operands.value), ("scratch", &operands.scratch)]
    {
        symbols.push((name, Symbol::any(words.as_ptr() as u64, words.to_vec())));
    }
    let is_value = matches!(operation, Operation::FromMontgomery | Operation::Store);
    let writable = if is_value { &operands.value } else { &operands.x };
    let mut territory = Territory {
        public: places.public.iter().map(|range| range.start as u64..range.end as u64).collect(),
        writable: vec![bytes(writable), bytes(&operands.scratch)],
    };
    let trace = first_call(|| perform(operation, &mut operands))?;
    let top = trace.begin.general[4];
    territory.public.push(top..top + ARGUMENTS);
    territory.writable.push(top - STACK..top);
    let after = if is_value { operands.value.to_vec() } else { operands.x.to_vec() };
    Ok(Recording { operation, trace, bits, digits, words, lanes, symbols, territory, after })
}

/// The declared integers.
#[derive(Default)]
struct Declared {
    first: Vec<Id>,
    second: Vec<Id>,
    multiple: Vec<Value>,
    correction: Vec<Id>,
    rows: Vec<Vec<Id>>,
    pieces: Vec<Vec<Id>>,
}

fn small(x: BigInt) -> i128 {
    i128::try_from(x).unwrap_or(i128::MAX)
}

fn word(x: BigInt) -> u64 {
    u64::try_from(x).unwrap_or(u64::MAX)
}

impl Recording {
    fn symbol(&self, name: &str) -> Result<&Symbol> {
        let found = self.symbols.iter().find(|(other, _)| *other == name);
        let (_, symbol) =
            found.ok_or_else(|| Failure::new(Reason::Unproven, format!("{name} is not declared")))?;
        Ok(symbol)
    }

    /// Removes the declaration of a symbol, to test what happens if one is forgotten.
    pub fn forget(&mut self, name: &str) {
        self.symbols.retain(|(other, _)| *other != name);
    }

    /// What was executed, and where each operand, constant, field or part of the stack memory was used. If
    /// this is the same for two lengths of the modulus with the same number of digits, a proof for one
    /// length holds for the other.
    pub fn program(&self) -> Vec<(u64, Vec<(usize, u64)>)> {
        let of_symbol =
            |(_, symbol): &(&str, Symbol)| symbol.address..symbol.address + 8 * symbol.words.len() as u64;
        let Territory { public, writable } = &self.territory;
        let ranges: Vec<_> =
            self.symbols.iter().map(of_symbol).chain(public.iter().chain(writable).cloned()).collect();
        let place = |access: &Access| match ranges.iter().position(|range| range.contains(&access.address)) {
            Some(number) => (number, access.address - ranges[number].start),
            // Allocated memory has another address each time.
            None => (ranges.len(), 0),
        };
        let step = |step: &Step| {
            let places = self.trace.accesses(step).iter().map(place).collect();
            (self.trace.code[step.code as usize].instruction.ip(), places)
        };
        self.trace.steps.iter().map(step).collect()
    }

    /// What was executed.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// The number of digits of a residue.
    pub fn digits(&self) -> usize {
        self.digits
    }

    /// The integers of the trace, and the statement about them.
    ///
    /// # Errors
    /// As [`lift`](super::lift::lift).
    pub fn lift(&self) -> Result<(Lifted, Statement)> {
        let (lifted, mut statements) = self.lift_all()?;
        Ok((lifted, statements.remove(0)))
    }

    /// As [`Self::lift`], with a statement for each product of a pair, and for each piece of a prepared
    /// operand, after one for its value.
    ///
    /// # Errors
    /// As [`lift`](super::lift::lift).
    pub fn lift_all(&self) -> Result<(Lifted, Vec<Statement>)> {
        let is_matrix = matches!(self.operation, Operation::MulPrepared(split) if self.is_matrix(split));
        let mut shape = Doubles {
            bits: self.bits,
            digits: self.digits,
            reduced: match self.operation {
                Operation::MulPrepared(split) if !is_matrix => {
                    (4 * (self.words / 4).div_ceil(split)).min(self.digits)
                }
                _ => self.digits,
            },
            is_matrix,
            part: doubles::Part::Whole,
            pieces: Vec::new(),
            rows: Vec::new(),
            multiple: Vec::new(),
            correction: Vec::new(),
            reciprocal: 0,
        };
        let mut declared = Declared::default();
        // Words that are one integer each. All others are declared one by one, or stay undeclared.
        let mut symbols = Vec::new();
        for name in ["modulus", "negative inverse", "limit", "value", "scratch", "reciprocal"] {
            let mut symbol = self.symbol(name)?.clone();
            symbol.highest = match name {
                "modulus" => (0..symbol.words.len()).map(|i| word(shape.highest_below(i))).collect(),
                "limit" => (0..symbol.words.len()).map(|i| word(shape.highest_of_limit(i))).collect(),
                "value" => (0..symbol.words.len()).map(|i| word(shape.highest_word(i))).collect(),
                "negative inverse" => vec![(1 << DIGIT) - 1],
                // N is above 2^(b − 1).
                "reciprocal" => vec![1 << 63],
                _ => Vec::new(),
            };
            symbols.push(symbol);
        }
        let cuts = self.cuts(&shape)?;
        let territory = self.territory.clone();
        let mut part = Part::whole(&self.trace);
        part.cuts = &cuts;
        let (lifted, inputs) = lift_declared(part, &symbols, territory, |declarations| {
            declarations.has_signs(self.is_divided());
            declared = self.declare(declarations, &shape)?;
            Ok(())
        })?;
        shape.rows = declared.rows;
        // Pieces beyond the last part are multiplied by nothing.
        shape.pieces = declared.pieces;
        shape.pieces.truncate(self.digits.div_ceil(shape.reduced));
        shape.multiple = declared.multiple;
        shape.correction = declared.correction;
        shape.reciprocal = inputs[5][0];
        let is_sum = matches!(self.operation, Operation::Add | Operation::Sub);
        let is_of_value = self.operation == Operation::Load;
        let mut specification = self.operation.specification(self.words);
        if let Operation::MulPrepared(_) = self.operation {
            // The pieces in `shape` are the second factor.
            specification.formula = Formula::Product;
        }
        let is_left = self.is_left();
        let symbol = self.symbol(if is_left { "value" } else { "x" })?;
        let mut statement = Statement {
            specification,
            modulus: inputs[if is_sum { 2 } else { 0 }].clone(),
            inverse: inputs[1][0],
            first: if is_of_value { inputs[3].clone() } else { declared.first },
            first_bits: if is_of_value { 64 } else { DIGIT },
            result_bits: if is_left { 64 } else { DIGIT },
            second: declared.second,
            result: match is_left {
                true => lifted.values(symbol.address, &self.after)?,
                false => lifted.doubles(symbol.address, &self.after)?,
            },
            digits: None,
            doubles: Some(shape),
            mask: None,
            before: None,
        };
        if self.operation == Operation::MulPair {
            let [first, result] = [self.digits, self.words];
            let product = |which: usize| Statement {
                first: statement.first[which * first..][..first].to_vec(),
                result: statement.result[which * result..][..result].to_vec(),
                ..statement.clone()
            };
            return Ok((lifted, [0, 1].map(product).into()));
        }
        if self.lanes > 1 {
            let lane = |which: usize| {
                let of_lane = |ids: &[Id]| ids.iter().copied().skip(which).step_by(self.lanes).collect();
                Statement {
                    first: of_lane(&statement.first),
                    second: of_lane(&statement.second),
                    result: statement.result.iter().copied().skip(which).step_by(self.lanes).collect(),
                    ..statement.clone()
                }
            };
            let statements = (0..self.lanes).map(lane).collect();
            return Ok((lifted, statements));
        }
        if let Operation::Prepare(pieces) = self.operation {
            let statements = self.pieces(pieces, &statement, &lifted)?;
            return Ok((lifted, statements));
        }
        if !cuts.is_empty() {
            statement = self.parts(statement, &lifted, &inputs[3]);
        }
        Ok((lifted, vec![statement]))
    }
}
