//! Records and lifts products for two moduli at a time: one program works on two pairs of operands.

use checkmem::{Step, Trace};
use moduli_kernel::{KernelChoice, Words, proofs::Dual};
use std::ops::Range;
use testing::Random;

use super::{
    failure::{Failure, Reason, Result},
    layout::Layout,
    lift::{Cut, Lifted, Part, Symbol, Territory, lift_part},
    specification::{Operation, Statement, digits::DIGIT},
    subject::{ARGUMENTS, STACK, big, bytes, first_call, kernel, number},
    system::Id,
};

/// The record of a product for each of two moduli, between a beginning and an end.
pub struct Recording {
    operation: Operation,
    /// What was executed.
    pub trace: Trace,
    layout: Layout,
    /// For each symbol, which modulus it belongs to, and its name.
    symbols: Vec<(usize, &'static str, Symbol)>,
    territory: Territory,
    /// The recorded results.
    after: [Vec<u64>; 2],
    /// For two squares of each operand: where the first result replaces the operand.
    cuts: Vec<Cut>,
}

/// Everything that an operation works on.
struct Operands<'a> {
    dual: &'a mut dyn Dual,
    x: [&'a mut [u64]; 2],
    y: [&'a [u64]; 2],
    /// The number of squares, or 0 for a product.
    squares: u32,
}

#[inline(never)]
fn perform(operands: &mut Operands<'_>) {
    let Operands { dual, x: [x, other], y, squares } = operands;
    dual.begin([x, other]);
    if *squares > 0 {
        dual.square([x, other], *squares);
    } else {
        dual.mul([x, other], *y);
    }
    dual.end([x, other]);
}

fn range_of<T: ?Sized>(value: &T) -> Range<u64> {
    let start = core::ptr::from_ref(value).cast::<u8>() as u64;
    start..start + size_of_val(value) as u64
}

/// Records a product or a square for two moduli of `bits` bits.
///
/// # Errors
/// If the kernel does not take two moduli at a time, or the interpreter stops.
pub fn record(choice: KernelChoice, bits: usize, operation: Operation, seed: u64) -> Result<Recording> {
    let fail = |what: &str| Failure::new(Reason::NoTrace, what);
    let kernels = [kernel(choice, &mut Random(0), bits)?, kernel(choice, &mut Random(1), bits)?];
    let dimensions = *kernels[0].dimensions();
    if !["ifma52", "ifma52-powers"].contains(&dimensions.name) {
        return Err(fail("there is no layout of two"));
    }
    let (layout, size) = (Layout::new(&dimensions, bits)?, dimensions.residue_words);
    let mut random = Random(seed);
    let mut residue = || Words::copy_of(&layout.laid_out(&big(&number(&mut random, size, bits - 1)), size));
    let [mut x, mut other, y, factor] = [residue(), residue(), residue(), residue()];
    let Some(mut dual) = kernels[0].dual(&*kernels[1]) else {
        return Err(fail("no two at a time of this length"));
    };
    let (mut symbols, mut public) = (Vec::new(), Vec::new());
    let mut name = |which: usize, name: &'static str, words: &[u64]| {
        let mut symbol = Symbol::any(words.as_ptr() as u64, words.to_vec());
        symbol.highest = layout.highest(operation, name, words.len());
        symbols.push((which, name, symbol));
    };
    let places = kernels.iter().map(|kernel| kernel.places()).chain([dual.places()]);
    let mut writable = Vec::new();
    for (which, places) in places.enumerate() {
        for constant in &places.constants {
            // SAFETY: the kernels and what is made of them guarantee that these are words of their own, and
            // they still exist.
            let words =
                unsafe { core::slice::from_raw_parts(constant.address as *const u64, constant.words) };
            name(which, constant.name, words);
            // The third has only scratch space.
            writable.extend((which == 2).then(|| bytes(words)));
        }
        public.extend(places.public.iter().map(|range| range.start as u64..range.end as u64));
    }
    for (which, [x, y]) in [[&x, &y], [&other, &factor]].into_iter().enumerate() {
        name(which, "x", x);
        name(which, "y", y);
        writable.push(bytes(x));
    }
    // Residues of eight lanes are processed half a square apart, so two squares run code that one does not.
    let squares = match operation {
        Operation::SquareTwo if layout.is_in_eight_lanes() => 2,
        Operation::SquareTwo => 1,
        _ => 0,
    };
    let mut operands = Operands { dual: &mut *dual, x: [&mut x, &mut other], y: [&y, &factor], squares };
    public.push(range_of(&operands));
    let trace = first_call(|| {
        checkmem::start_recording();
        perform(&mut operands);
        checkmem::stop_recording();
    })?;
    let top = trace.begin.general[4];
    public.push(top..top + ARGUMENTS);
    writable.push(top - STACK..top);
    let after = [x.to_vec(), other.to_vec()];
    let territory = Territory { public, writable };
    let mut recording = Recording { operation, trace, layout, symbols, territory, after, cuts: Vec::new() };
    if squares == 2 {
        recording.cuts = (0..2).map(|which| recording.cut(which)).collect::<Result<_>>()?;
    }
    Ok(recording)
}

impl Recording {
    /// The steps in called functions. The code here that calls them is not part of the kernel.
    pub fn steps(&self) -> Vec<&Step> {
        self.trace.steps_in_calls()
    }

    fn find(&self, which: usize, name: &str) -> Result<usize> {
        let place = self.symbols.iter().position(|(of, other, _)| (*of, *other) == (which, name));
        place.ok_or_else(|| Failure::new(Reason::Unproven, format!("{name} is not declared")))
    }

    /// The place from which on an operand is the result of its first square: all its vectors were stored
    /// once.
    fn cut(&self, which: usize) -> Result<Cut> {
        let (address, words) = (self.symbols[self.find(which, "x")?].2.address, self.layout.words());
        let mut missing: Vec<_> = (0..words as u64).map(|i| address + 8 * i).collect();
        let all = self.trace.steps.iter().position(|step| {
            for access in self.trace.accesses(step).iter().filter(|access| access.writes) {
                missing.retain(|at| !(access.address..access.address + access.size as u64).contains(at));
            }
            missing.is_empty()
        });
        let step = 1 + all.ok_or_else(|| Failure::new(Reason::Unproven, "there is no first square"))?;
        let highest = self.layout.highest(self.operation, "x", words);
        Ok(Cut { step, symbol: Symbol { address, words: Vec::new(), highest }, are_doubles: false })
    }

    /// The integers of the trace, and a statement for each modulus. Of two squares, each statement is about
    /// the second one, and contains one about the first.
    ///
    /// # Errors
    /// As [`lift_part`].
    pub fn lift(&self) -> Result<(Lifted, Vec<Statement>)> {
        let symbols: Vec<_> = self.symbols.iter().map(|(_, _, symbol)| symbol.clone()).collect();
        let part = Part { cuts: &self.cuts, ..Part::whole(&self.trace) };
        let (lifted, inputs) = lift_part(part, &symbols, self.territory.clone())?;
        // Cuts are in the order of their steps.
        let place = |which: usize| usize::from(self.cuts[which].step > self.cuts[1 - which].step);
        let statement = |which: usize| {
            let number = |name: &str| {
                let place = self.find(which, name)?;
                let mut ids = inputs[place].iter().copied();
                let highest = &self.symbols[place].2.highest;
                let words: Vec<Option<Id>> =
                    highest.iter().map(|&most| (most > 0).then(|| ids.next()).flatten()).collect();
                Ok::<_, Failure>(self.layout.in_order(&words).into_iter().flatten().collect::<Vec<_>>())
            };
            let one = |name: &str| Ok::<_, Failure>(inputs[self.find(which, name)?][0]);
            let is_square = self.operation == Operation::SquareTwo;
            let address = self.symbols[self.find(which, "x")?].2.address;
            let mut statement = Statement {
                specification: self.operation.specification(self.layout.words()),
                modulus: number("modulus")?,
                inverse: one("negative inverse")?,
                first: number("x")?,
                first_bits: DIGIT,
                result_bits: DIGIT,
                second: if is_square { Vec::new() } else { number("y")? },
                result: self.layout.in_order(&lifted.values(address, &self.after[which])?),
                digits: Some(self.layout.digits(
                    self.operation,
                    number("high")?,
                    number("step")?,
                    one("reciprocal")?,
                )),
                doubles: None,
                mask: None,
                before: None,
            };
            if !self.cuts.is_empty() {
                let mut first = statement.clone();
                first.result = self.layout.in_order(&lifted.before[place(which)]);
                let after = self.layout.in_order(&lifted.after[place(which)]);
                statement.first = after.into_iter().flatten().collect();
                statement.before = Some(Box::new(first));
            }
            Ok(statement)
        };
        let statements = [0, 1].map(statement).into_iter().collect::<Result<Vec<_>>>()?;
        Ok((lifted, statements))
    }
}
