//! Operations of the kernels as they ship, recorded with operands that stand for all others.

use checkmem::{Registers, Trace};
use moduli_kernel::{
    KernelChoice, Words,
    proofs::{self, Kernel},
};
use std::{cell::RefCell, collections::HashMap, ops::Range};
use testing::Random;

use super::{
    failure::{Failure, Reason, Result},
    lift::{Lifted, LongCall, LongFunction, Part, Symbol, Territory, lift_part},
    specification::{ENTRIES, Formula, Operation, Specification, Statement},
    system::Id,
};

/// Instructions that an operation may take.
const LIMIT: u64 = 1_000_000_000;

/// Bytes of the stack in which an operation may find its return address and arguments.
const ARGUMENTS: u64 = 64;

/// A stack that an operation may use.
const STACK: u64 = 1 << 20;

/// What was recorded of an operation, and where its operands lie.
pub struct Recording {
    /// Which operation.
    pub operation: Operation,
    /// What was executed.
    pub trace: Trace,
    /// Words of the modulus.
    pub words: usize,
    symbols: Vec<(&'static str, Symbol)>,
    territory: Territory,
}

/// A number of so many bits at most.
fn number(random: &mut Random, words: usize, bits: usize) -> Words {
    let mut number = Words::zero(words);
    for (i, word) in number.iter_mut().enumerate() {
        let left = bits.saturating_sub(64 * i);
        *word = if left >= 64 { random.word() } else { random.word() & ((1 << left) - 1) };
    }
    number
}

/// A modulus of so many bits.
fn modulus(random: &mut Random, bits: usize) -> Words {
    let mut modulus = number(random, bits.div_ceil(64), bits);
    modulus[0] |= 1;
    let top = (bits - 1) / 64;
    modulus[top] |= 1 << ((bits - 1) % 64);
    modulus
}

/// All that an operation works on.
struct Operands<'a> {
    kernel: &'a dyn Kernel,
    x: Words,
    y: Words,
    value: Words,
    scratch: Words,
}

#[inline(never)]
fn perform(operation: Operation, operands: &mut Operands<'_>) {
    let Operands { kernel, x, y, value, scratch } = operands;
    let size = x.len();
    let (x, y, value, scratch) = (&mut x[..], &mut y[..], &mut value[..], &mut scratch[..]);
    macro_rules! recorded {
        ($call:expr) => {{
            checkmem::start_recording();
            $call;
            checkmem::stop_recording();
        }};
    }
    match operation {
        Operation::Mul => recorded!(kernel.mul(x, y, scratch)),
        Operation::Square => recorded!(kernel.square(x, scratch)),
        Operation::Add => recorded!(kernel.add(x, y, scratch)),
        Operation::Sub => recorded!(kernel.sub(x, y, scratch)),
        Operation::ToMontgomery => recorded!(kernel.to_montgomery(x, value, scratch)),
        Operation::FromMontgomery => recorded!(kernel.from_montgomery(value, x, scratch)),
        Operation::Load => recorded!(kernel.load(x, value, scratch)),
        Operation::Store => recorded!(kernel.store(value, x, scratch)),
        Operation::Swap => recorded!(kernel.swap(x, y, u64::MAX)),
        Operation::Replace => recorded!(kernel.replace(x, y, 1)),
        Operation::Select => recorded!(kernel.select(x, &y[..size], &y[size..], 2)),
        Operation::MulPrepared(pieces) => recorded!(kernel.mul_prepared(x, y, pieces, scratch)),
    }
}

fn bytes(words: &[u64]) -> Range<u64> {
    let range = words.as_ptr_range();
    range.start as u64..range.end as u64
}

/// A kernel for a modulus of some length.
pub struct Subject {
    kernel: Box<dyn Kernel>,
    bits: usize,
}

impl Subject {
    /// The kernel for a modulus of so many bits.
    ///
    /// # Errors
    /// If there is no such kernel here.
    pub fn new(choice: KernelChoice, bits: usize) -> Result<Self> {
        let n = modulus(&mut Random(0), bits);
        match proofs::kernel(choice, &n) {
            Ok(kernel) => Ok(Self { kernel, bits }),
            Err(error) => Err(Failure::new(Reason::NoTrace, format!("{error:?}"))),
        }
    }

    /// Records an operation. `seed` picks the operands.
    ///
    /// # Errors
    /// If the interpreter stops.
    pub fn record(&self, operation: Operation, seed: u64) -> Result<Recording> {
        record(&*self.kernel, self.bits, operation, seed)
    }
}

fn record(kernel: &dyn Kernel, bits: usize, operation: Operation, seed: u64) -> Result<Recording> {
    let mut random = Random(seed);
    let dimensions = *kernel.dimensions();
    let (size, limbs) = (dimensions.residue_words, dimensions.limbs);
    let row = if operation == Operation::Select { 1 + ENTRIES } else { operation.pieces() };
    let pieces: Vec<_> = (0..row).map(|_| number(&mut random, size, bits - 1).to_vec()).collect();
    let entries = if operation == Operation::Replace { ENTRIES } else { 1 };
    let mut operands = Operands {
        kernel,
        x: number(&mut random, size * entries, 64 * size * (entries - 1) + bits - 1),
        y: Words::copy_of(&pieces.concat()),
        value: number(&mut random, limbs, bits - 1),
        scratch: number(&mut random, dimensions.scratch_words, 64 * dimensions.scratch_words),
    };
    let mut symbols: Vec<(&'static str, Symbol)> = Vec::new();
    let places = kernel.places();
    for constant in &places.constants {
        // SAFETY: the kernel says that these are words of its own, and it is there.
        let words = unsafe { core::slice::from_raw_parts(constant.address as *const u64, constant.words) };
        symbols.push((constant.name, Symbol { address: constant.address as u64, words: words.to_vec() }));
    }
    for (name, words) in
        [("x", &operands.x), ("y", &operands.y), ("value", &operands.value), ("scratch", &operands.scratch)]
    {
        symbols.push((name, Symbol { address: words.as_ptr() as u64, words: words.to_vec() }));
    }
    let writable = match operation {
        Operation::FromMontgomery | Operation::Store => &operands.value,
        _ => &operands.x,
    };
    let mut territory = Territory {
        public: places.public.iter().map(|range| range.start as u64..range.end as u64).collect(),
        writable: vec![bytes(writable), bytes(&operands.scratch)],
    };
    if operation == Operation::Swap {
        territory.writable.push(bytes(&operands.y));
    }
    let (report, trace) = checkmem::record(LIMIT, || perform(operation, &mut operands));
    report.ended.map_err(|why| Failure::new(Reason::NoTrace, why))?;
    let trace =
        trace.first_call().ok_or_else(|| Failure::new(Reason::NoTrace, "the operation was not called"))?;
    // Above the stack pointer lie the return address and what is handed over besides registers, which are addresses and lengths;
    // below it is what the operation takes.
    let top = trace.begin.general[4];
    territory.public.push(top..top + ARGUMENTS);
    territory.writable.push(top - STACK..top);
    if operation == Operation::Select {
        // The eighth argument.
        symbols.push(("index", Symbol { address: top + 16, words: vec![2] }));
    }
    Ok(Recording { operation, trace, words: size, symbols, territory })
}

/// The functions that cut products in halves, by their names. If the compiler has made others of them, they are followed.
fn long_function(address: u64) -> Option<LongFunction> {
    thread_local! {
        static KNOWN: RefCell<HashMap<u64, Option<LongFunction>>> = RefCell::default();
    }
    let look = || match &*checkmem::function_at(address + 1) {
        "moduli_kernel::karatsuba::product" => Some(LongFunction::Product),
        "moduli_kernel::karatsuba::square" => Some(LongFunction::Square),
        _ => None,
    };
    KNOWN.with_borrow_mut(|known| *known.entry(address).or_insert_with(look))
}

impl Recording {
    /// Declares a symbol no more: to see what happens if one is forgotten.
    pub fn forget(&mut self, name: &str) {
        self.symbols.retain(|(other, _)| *other != name);
    }

    fn part(&self, steps: Range<usize>, begin: Registers) -> Part<'_> {
        Part { trace: &self.trace, steps, begin, masks: &[], words: &[], known: &long_function }
    }

    /// Whether two calls took the same instructions.
    pub fn are_same(&self, one: &LongCall, other: &LongCall) -> bool {
        let code = |call: &LongCall| self.trace.steps[call.steps.clone()].iter().map(|step| step.code);
        code(one).eq(code(other))
    }

    /// The integers of a function that multiplies, and what has to hold of them.
    ///
    /// # Errors
    /// As [`lift_part`].
    pub fn lift_product(&self, call: &LongCall) -> Result<(Lifted, Statement)> {
        let LongCall { steps, begin, result, factors, .. } = call;
        let is_square = factors[0].address == factors[1].address;
        let symbols = &factors[..if is_square { 1 } else { 2 }];
        // It may write where the operation may, and finds its return address and two arguments on the stack.
        let mut territory = self.territory.clone();
        let top = begin.general[4];
        territory.public.clear();
        territory.public.push(top..top + 24);
        let part = self.part(steps.clone(), begin.clone());
        let (lifted, mut inputs) = lift_part(part, symbols, territory)?;
        let second = inputs.pop().unwrap_or_default();
        let statement = Statement {
            specification: Specification::WHOLE,
            modulus: Vec::new(),
            inverse: 0,
            first: inputs.pop().unwrap_or_else(|| second.clone()),
            result: lifted.words(*result, 2 * second.len())?,
            second,
            mask: None,
        };
        Ok((lifted, statement))
    }

    /// The integers of the trace, and what has to hold of them.
    ///
    /// # Errors
    /// As [`crate::lift::lift`].
    pub fn lift(&self) -> Result<(Lifted, Statement)> {
        let (lifted, mut statements) = self.lift_all()?;
        Ok((lifted, statements.remove(0)))
    }

    /// As [`Self::lift`], with a statement for each place of a row.
    ///
    /// # Errors
    /// As [`Self::lift`].
    pub fn lift_all(&self) -> Result<(Lifted, Vec<Statement>)> {
        let symbols: Vec<_> = self.symbols.iter().map(|(_, symbol)| symbol.clone()).collect();
        let mut part = self.part(0..self.trace.steps.len(), self.trace.begin.clone());
        // The sixth argument.
        match self.operation {
            Operation::Swap => part.masks = &[9],
            Operation::Replace => part.words = &[9],
            _ => {}
        }
        let (lifted, inputs) = lift_part(part, &symbols, self.territory.clone())?;
        let find = |name: &str| {
            let place = self.symbols.iter().position(|(other, _)| *other == name);
            place.ok_or_else(|| Failure::new(Reason::Unproven, format!("{name} is not declared")))
        };
        let get = |name: &str| Ok::<_, Failure>(inputs[find(name)?].clone());
        let (first, second, result) = match self.operation {
            Operation::Mul
            | Operation::Add
            | Operation::Sub
            | Operation::Swap
            | Operation::Replace
            | Operation::Select
            | Operation::MulPrepared(_) => ("x", Some("y"), "x"),
            Operation::Square => ("x", None, "x"),
            Operation::ToMontgomery => ("value", Some("one entered"), "x"),
            Operation::FromMontgomery | Operation::Store => ("x", None, "value"),
            Operation::Load => ("value", None, "x"),
        };
        let symbol = &self.symbols[find(result)?].1;
        let mut after = lifted.words(symbol.address, symbol.words.len())?;
        if self.operation == Operation::Swap {
            let symbol = &self.symbols[find("y")?].1;
            after.extend(lifted.words(symbol.address, symbol.words.len())?);
        }
        let statement = Statement {
            specification: self.operation.specification(self.words),
            modulus: get("modulus")?,
            inverse: get("negative inverse")?[0],
            first: get(first)?,
            second: second.map_or_else(|| Ok(Vec::new()), get)?,
            mask: match self.operation {
                Operation::Select => Some(get("index")?[0]),
                _ => inputs.get(symbols.len()).map(|mask| mask[0]),
            },
            result: after,
        };
        let mut statement = statement;
        if self.operation == Operation::Select {
            (statement.first, statement.second) = {
                let (first, row) = statement.second.split_at(self.words);
                (first.to_vec(), row.to_vec())
            };
        }
        if self.operation != Operation::Replace {
            return Ok((lifted, vec![statement]));
        }
        let size = self.words;
        let place = |(i, (first, result)): (usize, (&[Id], &[Id]))| Statement {
            specification: Specification { formula: Formula::Place(i as u64), ..statement.specification },
            first: first.to_vec(),
            result: result.to_vec(),
            ..statement.clone()
        };
        let places = statement.first.chunks(size).zip(statement.result.chunks(size));
        let statements = places.enumerate().map(place).collect();
        Ok((lifted, statements))
    }
}
