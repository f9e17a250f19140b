//! Records operations of the kernels as they ship, with operands that stand for all others.

mod cuts;
pub(crate) mod declared;
mod lifting;
mod prepared;

use checkmem::Trace;
use moduli_kernel::{
    KernelChoice, Words,
    proofs::{self, Constant, Kernel},
};
use num_bigint::{BigInt, BigUint};
use std::{collections::BTreeMap, ops::Range};
use testing::Random;

use self::declared::Declared;
use super::{
    failure::{Failure, Reason, Result},
    layout::Layout,
    lift::{Lifted, LongCall, Symbol, Territory},
    specification::{Operation, Statement},
};

/// The most instructions that an operation may execute.
pub(super) const LIMIT: u64 = 1_000_000_000;

/// The bytes of the stack that hold an operation's return address and arguments.
pub(super) const ARGUMENTS: u64 = 64;

/// The bytes of stack that an operation may use.
pub(super) const STACK: u64 = 1 << 20;

/// The record of an operation, on any processor.
pub trait Recorded {
    /// The processor's registers.
    type Registers;

    /// The number of executed instructions.
    fn executed(&self) -> usize;

    /// The executed instructions, by their addresses.
    fn code(&self) -> BTreeMap<u64, Vec<u8>>;

    /// The integers, and a statement for each place of a row, or one statement.
    ///
    /// # Errors
    /// If it cannot be lifted.
    fn lift_all(&self) -> Result<(Lifted<Self::Registers>, Vec<Statement>)>;

    /// The integers of a function that multiplies, and the statement about them.
    ///
    /// # Errors
    /// If it cannot be lifted.
    fn lift_product(&self, call: &LongCall<Self::Registers>) -> Result<(Lifted<Self::Registers>, Statement)>;

    /// Whether two calls executed the same instructions.
    fn are_same(&self, one: &LongCall<Self::Registers>, other: &LongCall<Self::Registers>) -> bool;
}

/// The record of an operation, and the addresses of its operands.
pub struct Recording {
    /// What was executed.
    pub trace: Trace,
    declared: Declared,
    territory: Territory,
}

/// A random number of at most `bits` bits.
pub(super) fn number(random: &mut Random, words: usize, bits: usize) -> Words {
    let mut number = Words::zero(words);
    for (i, word) in number.iter_mut().enumerate() {
        let left = bits.saturating_sub(64 * i);
        *word = if left >= 64 { random.word() } else { random.word() & ((1 << left) - 1) };
    }
    number
}

pub(super) fn big(words: &[u64]) -> BigInt {
    BigUint::new(words.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]).collect()).into()
}

/// A random modulus of `bits` bits.
pub(super) fn modulus(random: &mut Random, bits: usize) -> Words {
    let mut modulus = number(random, bits.div_ceil(64), bits);
    modulus[0] |= 1;
    let top = (bits - 1) / 64;
    modulus[top] |= 1 << ((bits - 1) % 64);
    modulus
}

/// The kernel for a modulus of `bits` bits, which `random` picks. Its instructions are interpreted, so the
/// processor need not have them.
///
/// # Errors
/// If the kernel cannot be made here.
pub(super) fn kernel(choice: KernelChoice, random: &mut Random, bits: usize) -> Result<Box<dyn Kernel>> {
    // SAFETY: all operations are interpreted.
    let kernel = unsafe { proofs::kernel_to_interpret(choice, &modulus(random, bits)) };
    kernel.map_err(|error| Failure::new(Reason::NoTrace, error.to_string()))
}

/// Whether kernels of this kind can be made on this processor, even if it lacks some of their instructions.
pub fn can_be_made(choice: KernelChoice) -> bool {
    kernel(choice, &mut Random(0), 1024).is_ok()
}

/// Everything that an operation works on.
pub(super) struct Operands<'a> {
    pub(super) kernel: &'a dyn Kernel,
    pub(super) x: Words,
    /// In pieces, if it is prepared.
    pub(super) y: Words,
    pub(super) value: Words,
    pub(super) scratch: Words,
}

/// Runs `run` and records the first function that it calls, up to its return, on the interpreter.
pub(super) fn first_call(run: impl FnOnce()) -> Result<Trace> {
    let (report, trace) = checkmem::record(LIMIT, run);
    report.ended.map_err(|why| Failure::new(Reason::NoTrace, why))?;
    trace.first_call().ok_or_else(|| Failure::new(Reason::NoTrace, "the operation was not called"))
}

/// Performs the operation; only this is recorded.
#[inline(never)]
pub(super) fn perform(operation: Operation, operands: &mut Operands<'_>) {
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
        Operation::Swap => recorded!(kernel.swap(x, y, core::hint::black_box(u64::MAX))),
        Operation::Replace(_) => recorded!(kernel.replace(x, y, 1)),
        Operation::Select(_) => recorded!(kernel.select(x, &y[..size], &y[size..], 2)),
        Operation::MulPrepared(pieces) => recorded!(kernel.mul_prepared(x, y, pieces, scratch)),
        Operation::Prepare(pieces) => recorded!(kernel.prepare(x, y, pieces, scratch)),
        // These are rows of kernels whose rows have no constants of their own.
        Operation::MulRows | Operation::SquareRows => {
            if let Some(lanes) = kernel.lanes() {
                match operation {
                    Operation::MulRows => recorded!(lanes.mul(x, y, scratch)),
                    _ => recorded!(lanes.square(x, scratch)),
                }
            }
        }
        Operation::MulPair => {
            let (x, other) = x.split_at_mut(size / 2);
            recorded!(kernel.mul_pair(x, other, y, scratch));
        }
        // These belong to two kernels, to rows, or to no kernel.
        Operation::MulTwo
        | Operation::SquareTwo
        | Operation::SelectRows(_)
        | Operation::LookUpRows(_)
        | Operation::Put
        | Operation::Take
        | Operation::SquareAndSelect(_)
        | Operation::Reduce
        | Operation::Jump
        | Operation::UpdateFg
        | Operation::UpdateDe
        | Operation::Invert => {}
    }
}

/// The symbol of words that a kernel names.
pub(super) fn named(_kernel: &dyn Kernel, constant: &Constant) -> (&'static str, Symbol) {
    // SAFETY: the kernel guarantees that these are words of its own, and it still exists.
    let words = unsafe { core::slice::from_raw_parts(constant.address as *const u64, constant.words) };
    (constant.name, Symbol::any(constant.address as u64, words.to_vec()))
}

pub(super) fn bytes(words: &[u64]) -> Range<u64> {
    let range = words.as_ptr_range();
    range.start as u64..range.end as u64
}

/// A kernel for a modulus of one length.
pub struct Subject {
    kernel: Box<dyn Kernel>,
    bits: usize,
}

impl Subject {
    /// The kernel for a modulus of `bits` bits.
    ///
    /// # Errors
    /// If the kernel cannot be made here.
    pub fn new(choice: KernelChoice, bits: usize) -> Result<Self> {
        Ok(Self { kernel: kernel(choice, &mut Random(0), bits)?, bits })
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
    let layout = match dimensions.name {
        "ifma52" | "ifma52-powers" => Some(Layout::new(&dimensions, bits)?),
        _ => None,
    };
    let residue = |random: &mut Random| {
        let number = number(random, size, bits - 1);
        match &layout {
            Some(layout) => Words::copy_of(&layout.laid_out(&big(&number), size)),
            None => number,
        }
    };
    let row = match operation {
        Operation::Select(entries) => 1 + entries,
        Operation::MulPrepared(pieces) => pieces,
        _ => 1,
    };
    let pieces: Vec<_> = (0..row).map(|_| residue(&mut random).to_vec()).collect();
    let entries = match operation {
        Operation::Replace(entries) => entries,
        Operation::Prepare(pieces) => pieces,
        Operation::MulPair => 2,
        _ => 1,
    };
    let first: Vec<_> = (0..entries).map(|_| residue(&mut random).to_vec()).collect();
    let mut operands = Operands {
        kernel,
        x: Words::copy_of(&first.concat()),
        y: Words::copy_of(&pieces.concat()),
        value: number(&mut random, limbs, bits - 1),
        scratch: number(&mut random, dimensions.scratch_words, 64 * dimensions.scratch_words),
    };
    let mut symbols: Vec<(&'static str, Symbol)> = Vec::new();
    let places = kernel.places();
    symbols.extend(places.constants.iter().map(|constant| named(kernel, constant)));
    for (name, words) in
        [("x", &operands.x), ("y", &operands.y), ("value", &operands.value), ("scratch", &operands.scratch)]
    {
        symbols.push((name, Symbol::any(words.as_ptr() as u64, words.to_vec())));
    }
    if let Some(layout) = &layout {
        for (name, symbol) in &mut symbols {
            symbol.highest = layout.highest(operation, name, symbol.words.len());
        }
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
    let trace = first_call(|| perform(operation, &mut operands))?;
    // Above the stack pointer are the return address and the arguments that are not in registers, which are
    // addresses and lengths. Below it is the operation's own stack.
    let top = trace.begin.general[4];
    territory.public.push(top..top + ARGUMENTS);
    territory.writable.push(top - STACK..top);
    if matches!(operation, Operation::Select(_)) {
        // The index is the eighth argument.
        symbols.push(("index", Symbol::any(top + 16, vec![2])));
    }
    let after = match operation {
        Operation::FromMontgomery | Operation::Store => &operands.value,
        _ => &operands.x,
    };
    let after = after.to_vec();
    let part = if dimensions.name == "portable" { 4 } else { 8 };
    let declared = Declared { operation, words: size, symbols, layout, after, part };
    Ok(Recording { trace, declared, territory })
}
