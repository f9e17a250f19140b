//! Operations of the kernels as they ship, recorded with operands that stand for all others.

use checkmem::{Access, Step, Trace};
use iced_x86::OpKind;
use moduli_kernel::{
    KernelChoice, Words,
    internals::{self, Constant, Kernel},
};
use num_bigint::{BigInt, BigUint};
use std::ops::Range;
use testing::Random;

use super::{
    failure::{Failure, Reason, Result},
    layout::Layout,
    lift::{Cut, Lifted, Symbol, Territory, lift_in_parts},
    specification::{Formula, Operation, Specification, Statement, digits::DIGIT},
    system::Value,
};

/// Instructions that an operation may take.
pub(super) const LIMIT: u64 = 1_000_000_000;

/// Bytes of the stack in which an operation may find its return address and arguments.
pub(super) const ARGUMENTS: u64 = 64;

/// The register in which `swap` gets its mask: the sixth argument, after the kernel and two slices.
const MASK: usize = 9;

/// A stack that an operation may use.
pub(super) const STACK: u64 = 1 << 20;

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
    /// Where numbers are digits of 52 bits.
    layout: Option<Layout>,
    /// What the result was when it was recorded.
    after: Vec<u64>,
}

/// A number of so many bits at most.
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

/// A modulus of so many bits.
pub(super) fn modulus(random: &mut Random, bits: usize) -> Words {
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
    /// In pieces.
    prepared: Words,
    value: Words,
    scratch: Words,
}

#[inline(never)]
fn perform(operation: Operation, operands: &mut Operands<'_>) {
    let Operands { kernel, x, y, prepared, value, scratch } = operands;
    let prepared = &prepared[..];
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
        Operation::Swap => {
            let mask = core::hint::black_box(u64::MAX);
            recorded!(kernel.swap(x, y, mask));
        }
        // These are of two kernels.
        Operation::MulTwo | Operation::SquareTwo => {}
        Operation::MulPrepared(split) => {
            recorded!(kernel.mul_prepared(x, prepared, split.into(), scratch));
        }
    }
}

/// Words that a kernel names.
pub(super) fn named(_kernel: &dyn Kernel, constant: &Constant) -> (&'static str, Symbol) {
    // SAFETY: the kernel says that these are words of its own, and it is there.
    let words = unsafe { core::slice::from_raw_parts(constant.address as *const u64, constant.words) };
    (constant.name, Symbol::any(constant.address as u64, words.to_vec()))
}

pub(super) fn bytes(words: &[u64]) -> Range<u64> {
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
        internals::ask_whether_emulated(checkmem::is_interpreted);
        let n = modulus(&mut Random(0), bits);
        match internals::kernel(choice, &n) {
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
    let layout = match dimensions.name {
        "ifma52" => Some(Layout::new(&dimensions, bits)?),
        _ => None,
    };
    let residue = |random: &mut Random| {
        let number = number(random, size, bits - 1);
        match &layout {
            Some(layout) => Words::copy_of(&layout.laid_out(&big(&number), size)),
            None => number,
        }
    };
    let mut operands = Operands {
        kernel,
        x: residue(&mut random),
        y: residue(&mut random),
        prepared: match operation {
            Operation::MulPrepared(split) => {
                let pieces: Vec<_> = (0..split).flat_map(|_| residue(&mut random).to_vec()).collect();
                Words::copy_of(&pieces)
            }
            _ => Words::zero(0),
        },
        value: number(&mut random, limbs, bits - 1),
        scratch: number(&mut random, dimensions.scratch_words, 64 * dimensions.scratch_words),
    };
    let mut symbols: Vec<(&'static str, Symbol)> = Vec::new();
    let places = kernel.places();
    for constant in &places.constants {
        symbols.push(named(kernel, constant));
    }
    for (name, words) in [
        ("x", &operands.x),
        ("y", &operands.y),
        ("prepared", &operands.prepared),
        ("value", &operands.value),
        ("scratch", &operands.scratch),
    ] {
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
    let (report, trace) = checkmem::record(LIMIT, || perform(operation, &mut operands));
    report.ended.map_err(|why| Failure::new(Reason::NoTrace, why))?;
    let trace =
        trace.first_call().ok_or_else(|| Failure::new(Reason::NoTrace, "the operation was not called"))?;
    // Above the stack pointer lie the return address and what is handed over besides registers, which are addresses and lengths;
    // below it is what the operation takes.
    let top = trace.begin.general[4];
    territory.public.push(top..top + ARGUMENTS);
    territory.writable.push(top - STACK..top);
    let after = match operation {
        Operation::FromMontgomery | Operation::Store => &operands.value,
        _ => &operands.x,
    };
    let after = after.to_vec();
    Ok(Recording { operation, trace, words: size, symbols, territory, layout, after })
}

impl Recording {
    /// Declares a symbol no more: to see what happens if one is forgotten.
    pub fn forget(&mut self, name: &str) {
        self.symbols.retain(|(other, _)| *other != name);
    }

    /// What was executed, and where in which operand, constant, field or part of the stack memory was used: the same for two lengths of the
    /// modulus, and what is proved of one holds of the other.
    pub fn program(&self) -> Vec<(u64, Vec<(usize, u64)>)> {
        let of_symbol =
            |(_, symbol): &(&str, Symbol)| symbol.address..symbol.address + 8 * symbol.words.len() as u64;
        let Territory { public, writable } = &self.territory;
        let ranges: Vec<Range<u64>> =
            self.symbols.iter().map(of_symbol).chain(public.iter().chain(writable).cloned()).collect();
        let place = |access: &Access| match ranges.iter().position(|range| range.contains(&access.address)) {
            Some(number) => (number, access.address - ranges[number].start),
            None => (ranges.len(), access.address),
        };
        let step = |step: &Step| {
            let places = self.trace.accesses(step).iter().map(place).collect();
            (self.trace.code[step.code as usize].instruction.ip(), places)
        };
        self.trace.steps.iter().map(step).collect()
    }

    fn find(&self, name: &str) -> Result<usize> {
        let place = self.symbols.iter().position(|(other, _)| *other == name);
        place.ok_or_else(|| Failure::new(Reason::Unproven, format!("{name} is not declared")))
    }

    /// A residue of digits is multiplied by one before it is divided: two parts, and in between a residue at the beginning of the scratch
    /// space. The first part ends with the last vector that is stored there.
    fn cut(&self) -> Result<Option<Cut>> {
        let (Some(layout), Operation::FromMontgomery) = (&self.layout, self.operation) else {
            return Ok(None);
        };
        let address = self.symbols[self.find("scratch")?].1.address;
        let range = address..address + 8 * self.words as u64;
        let is_store = |step: &Step| {
            let instruction = &self.trace.code[step.code as usize].instruction;
            let is_vector = instruction.op_count() == 2
                && instruction.op1_kind() == OpKind::Register
                && instruction.op1_register().is_vector_register();
            let writes = |access: &Access| access.writes && range.contains(&access.address);
            is_vector && self.trace.accesses(step).iter().any(writes)
        };
        let last = self.trace.steps.iter().rposition(is_store);
        let Some(last) = last else { return Err(Failure::new(Reason::Unproven, "there is no residue")) };
        let highest = layout.highest(self.operation, "x", self.words);
        let symbol = Symbol { address, words: Vec::new(), highest };
        Ok(Some(Cut { step: last + 1, symbol }))
    }

    /// The integers of the trace, and what has to hold of them.
    ///
    /// # Errors
    /// As [`lift`].
    pub fn lift(&self) -> Result<(Lifted, Statement)> {
        let symbols: Vec<_> = self.symbols.iter().map(|(_, symbol)| symbol.clone()).collect();
        let cut = self.cut()?;
        let (lifted, inputs) = {
            let mask = (self.operation == Operation::Swap).then_some(MASK);
            lift_in_parts(&self.trace, &symbols, self.territory.clone(), cut.as_ref(), mask)?
        };
        let find = |name: &str| self.find(name);
        let get = |name: &str| Ok::<_, Failure>(inputs[find(name)?].clone());
        let (first, second, result) = match self.operation {
            Operation::Mul | Operation::MulTwo | Operation::Add | Operation::Sub | Operation::Swap => {
                ("x", Some("y"), "x")
            }
            // Its pieces are below.
            Operation::Square | Operation::SquareTwo | Operation::MulPrepared(_) => ("x", None, "x"),
            Operation::ToMontgomery => ("value", Some("one entered"), "x"),
            Operation::FromMontgomery | Operation::Store => ("x", None, "value"),
            Operation::Load => ("value", None, "x"),
        };
        let symbol = &self.symbols[find(result)?].1;
        // Digits that can only be 0 are none.
        let number = |name: &str| {
            let Some(layout) = &self.layout else { return get(name) };
            let place = find(name)?;
            let highest = &self.symbols[place].1.highest;
            let mut ids = inputs[place].iter().copied();
            let words: Vec<_> =
                highest.iter().map(|&most| (most > 0).then(|| ids.next()).flatten()).collect();
            let of_strips = !matches!(name, "value" | "bound" | "modulus digits");
            Ok(if of_strips { layout.in_order(&words) } else { words }.into_iter().flatten().collect())
        };
        let digits = match &self.layout {
            Some(layout) => Some({
                let (high, step, reciprocal) = (number("high")?, number("step")?, get("reciprocal")?[0]);
                layout.digits(self.operation, high, step, reciprocal)
            }),
            None => None,
        };
        let modulus = match (&self.layout, self.operation) {
            (Some(_), Operation::Add | Operation::Sub) => "bound",
            (Some(_), Operation::Store | Operation::FromMontgomery) => "modulus digits",
            _ => "modulus",
        };
        let mut statement = Statement {
            specification: self.operation.specification(),
            first_bits: if self.layout.is_some() && first != "value" { DIGIT } else { 64 },
            result_bits: if self.layout.is_some() && result != "value" { DIGIT } else { 64 },
            modulus: number(modulus)?,
            inverse: get("negative inverse")?[0],
            first: number(first)?,
            second: second.map_or_else(|| Ok(Vec::new()), number)?,
            result: match &self.layout {
                Some(layout) if result == "x" => {
                    layout.in_order(&lifted.values(symbol.address, &self.after)?)
                }
                Some(_) => lifted.values(symbol.address, &self.after)?,
                None => {
                    let words = lifted.words(symbol.address, symbol.words.len())?;
                    words.into_iter().map(Value::Variable).collect()
                }
            },
            digits,
            doubles: None,
            selector: lifted.selector,
            before: None,
        };
        if let (Operation::MulPrepared(_), Some(layout), Some(digits)) =
            (self.operation, &self.layout, &mut statement.digits)
        {
            let place = find("prepared")?;
            let mut ids = inputs[place].iter().copied();
            let highest = &self.symbols[place].1.highest;
            let words: Vec<_> =
                highest.iter().map(|&most| (most > 0).then(|| ids.next()).flatten()).collect();
            let pieces = words.chunks(self.words).map(|piece| layout.in_order(piece));
            digits.pieces = pieces.map(|piece| piece.into_iter().flatten().collect()).collect();
            statement.second = digits.pieces.remove(0);
        }
        if self.operation == Operation::Swap {
            // As words, wherever digits are.
            statement.digits = None;
            (statement.first_bits, statement.result_bits) = (64, 64);
            (statement.first, statement.second) = (get("x")?, get("y")?);
            let words = |name| {
                let symbol = &self.symbols[find(name)?].1;
                lifted.words(symbol.address, symbol.words.len())
            };
            statement.result = words("x")?.into_iter().chain(words("y")?).map(Value::Variable).collect();
        }
        if let Some(layout) = &self.layout
            && matches!(self.operation, Operation::Store | Operation::FromMontgomery)
        {
            let remainder =
                Specification { formula: Formula::Remainder, is_reduced: false, ..statement.specification };
            if self.operation == Operation::FromMontgomery {
                let mut before = statement.clone();
                before.modulus = number("modulus")?;
                (before.result, before.result_bits) = (layout.in_order(&lifted.before), DIGIT);
                statement.first = layout.in_order(&lifted.after).into_iter().flatten().collect();
                statement.before = Some(Box::new(before));
            }
            statement.specification = remainder;
        }
        Ok((lifted, statement))
    }
}
