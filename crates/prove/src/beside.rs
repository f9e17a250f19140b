//! Records and lifts squares of a residue between which an entry of a table is looked up.

use checkmem::Trace;
use moduli_kernel::{
    KernelChoice, Words,
    proofs::{Constant, Kernel},
};
use testing::Random;

use super::{
    failure::{Failure, Reason, Result},
    lanes::entry_of,
    layout::Layout,
    lift::{Cut, Lifted, Part, Symbol, Territory, lift_part},
    specification::{Operation, Statement, digits::DIGIT},
    subject::{ARGUMENTS, STACK, big, bytes, first_call, kernel, named, number},
    system::{Id, Value},
};

/// The squares: a first one, one that is neither the first nor the last, and a last one.
const TIMES: u32 = 3;

/// The index that is recorded.
const INDEX: u64 = 1;

/// The record of the squares and the look-up.
pub struct Recording {
    operation: Operation,
    /// What was executed.
    pub trace: Trace,
    layout: Layout,
    symbols: Vec<(&'static str, Symbol)>,
    territory: Territory,
    /// The recorded results: the power, and what was found.
    after: [Vec<u64>; 2],
}

#[inline(never)]
fn perform(kernel: &dyn Kernel, x: &mut [u64], (found, entries): (&mut [u64], &[u64]), scratch: &mut [u64]) {
    checkmem::start_recording();
    kernel.square_and_select((x, TIMES), (found, entries, INDEX), scratch);
    checkmem::stop_recording();
}

/// Records the squares of a residue modulo a number of `bits` bits, and a look-up.
///
/// # Errors
/// If the kernel does not do both at a time at this length, or the interpreter stops.
pub fn record(choice: KernelChoice, bits: usize, operation: Operation, seed: u64) -> Result<Recording> {
    let fail = |what: &str| Failure::new(Reason::NoTrace, what);
    let Operation::SquareAndSelectOne(count) = operation else { return Err(fail("another operation")) };
    let kernel = kernel(choice, &mut Random(0), bits)?;
    let dimensions = *kernel.dimensions();
    if dimensions.name != "ifma52" {
        return Err(fail("squares and look-ups are apart"));
    }
    let (layout, size) = (Layout::new(&dimensions, bits)?, dimensions.residue_words);
    if !layout.in_strips() {
        return Err(fail("squares and look-ups of this length are apart"));
    }
    let mut random = Random(seed);
    let mut x = Words::copy_of(&layout.laid_out(&big(&number(&mut random, size, bits - 1)), size));
    let mut words = |count: usize| number(&mut random, count, 64 * count);
    let (entries, mut found, mut scratch) =
        (words(count * size), words(size), words(dimensions.scratch_words));
    let places = kernel.places();
    let mut symbols: Vec<(&'static str, Symbol)> =
        places.constants.iter().map(|constant: &Constant| named(&*kernel, constant)).collect();
    let operands = [("x", &x), ("entries", &entries), ("found", &found), ("scratch", &scratch)];
    symbols.extend(operands.map(|(name, words)| (name, Symbol::any(words.as_ptr() as u64, words.to_vec()))));
    for (name, symbol) in &mut symbols {
        symbol.highest = layout.highest(operation, name, symbol.words.len());
    }
    let mut territory = Territory {
        public: places.public.iter().map(|range| range.start as u64..range.end as u64).collect(),
        writable: vec![bytes(&x), bytes(&found), bytes(&scratch)],
    };
    let trace = first_call(|| perform(&*kernel, &mut x, (&mut found, &entries), &mut scratch))?;
    let top = trace.begin.general[4];
    territory.public.push(top..top + ARGUMENTS);
    territory.writable.push(top - STACK..top);
    // The second and the third argument, in rsi and rdx: a slice and a number, and two slices, which the index follows.
    let [power, wanted] = [6, 2].map(|register| trace.begin.general[register]);
    let slice = size_of::<&[u64]>() as u64;
    territory.public.push(power..power + slice + 4);
    territory.public.push(wanted..wanted + 2 * slice);
    symbols.push(("index", Symbol::any(wanted + 2 * slice, vec![INDEX])));
    let after = [x.to_vec(), found.to_vec()];
    Ok(Recording { operation, trace, layout, symbols, territory, after })
}

impl Recording {
    fn symbol(&self, name: &str) -> Result<usize> {
        let place = self.symbols.iter().position(|(other, _)| *other == name);
        place.ok_or_else(|| Failure::new(Reason::Unproven, format!("{name} is not declared")))
    }

    /// The cuts between two squares, where each word of the residue has been written once more. From there on it is any residue.
    fn between(&self) -> Result<Vec<Cut>> {
        let symbol = &self.symbols[self.symbol("x")?].1;
        let all = || (0..symbol.words.len()).map(|i| symbol.address + 8 * i as u64).collect::<Vec<u64>>();
        let (mut left, mut cuts) = (all(), Vec::new());
        for (number, step) in self.trace.steps.iter().enumerate() {
            for access in self.trace.accesses(step).iter().filter(|access| access.writes) {
                let written = access.address..access.address + access.size as u64;
                left.retain(|word| !written.contains(word));
            }
            if left.is_empty() {
                let words = Symbol { words: Vec::new(), ..symbol.clone() };
                cuts.push(Cut { step: number + 1, symbol: words, are_doubles: false });
                left = all();
            }
            if cuts.len() + 1 == TIMES as usize {
                return Ok(cuts);
            }
        }
        Err(Failure::new(Reason::Unproven, "there are fewer squares"))
    }

    /// The integers of the trace, a statement about the entry, and one about the last square, which follows those about the others.
    ///
    /// # Errors
    /// As [`lift_part`].
    pub fn lift(&self) -> Result<(Lifted, Vec<Statement>)> {
        let symbols: Vec<_> = self.symbols.iter().map(|(_, symbol)| symbol.clone()).collect();
        let cuts = self.between()?;
        let part = Part { cuts: &cuts, ..Part::whole(&self.trace) };
        let (lifted, inputs) = lift_part(part, &symbols, self.territory.clone())?;
        // For each word, its integer if it can be other than 0.
        let words = |name: &str| {
            let place = self.symbol(name)?;
            let mut ids = inputs[place].iter().copied();
            let highest = &self.symbols[place].1.highest;
            Ok::<Vec<Option<Id>>, Failure>(
                highest.iter().map(|&most| (most > 0).then(|| ids.next()).flatten()).collect(),
            )
        };
        let in_order =
            |words: &[Option<Id>]| -> Vec<Id> { self.layout.in_order(words).into_iter().flatten().collect() };
        let number = |name: &str| Ok::<_, Failure>(in_order(&words(name)?));
        let one = |name: &str| Ok::<_, Failure>(inputs[self.symbol(name)?][0]);
        let after =
            |name: &str, after: &[u64]| lifted.values(self.symbols[self.symbol(name)?].1.address, after);
        let (first, others) = inputs[self.symbol("entries")?].split_at(self.layout.words());
        let entry = entry_of(first.to_vec(), others.to_vec(), one("index")?, after("found", &self.after[1])?);
        let digits = self.layout.digits(self.operation, number("high")?, number("step")?, one("reciprocal")?);
        let (modulus, inverse) = (number("modulus")?, one("negative inverse")?);
        let mut begun = number("x")?;
        let result = after("x", &self.after[0])?;
        let ends = lifted.before.iter().chain([&result]);
        let mut square = None;
        for (i, end) in ends.enumerate() {
            let next = lifted.after.get(i).map(|words| in_order(words)).unwrap_or_default();
            square = Some(Statement {
                specification: self.operation.specification(self.layout.words()),
                modulus: modulus.clone(),
                inverse,
                first: core::mem::replace(&mut begun, next),
                first_bits: DIGIT,
                result_bits: DIGIT,
                result: self.layout.in_order::<Value>(end),
                digits: Some(digits.clone()),
                before: square.map(Box::new),
                ..Statement::NONE
            });
        }
        Ok((lifted, [entry].into_iter().chain(square).collect()))
    }
}
