//! Records and lifts products for two moduli at a time: one program works on two pairs of operands.

use checkmem::{Step, Trace};
use moduli_kernel::{KernelChoice, Words, proofs::Dual};
use std::ops::Range;
use testing::Random;

use super::{
    failure::{Failure, Reason, Result},
    layout::Layout,
    lift::{Lifted, Symbol, Territory, lift},
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
}

/// Everything that an operation works on.
struct Operands<'a> {
    dual: &'a mut dyn Dual,
    x: [&'a mut [u64]; 2],
    y: [&'a [u64]; 2],
    is_square: bool,
}

#[inline(never)]
fn perform(operands: &mut Operands<'_>) {
    let Operands { dual, x: [x, other], y, is_square } = operands;
    dual.begin([x, other]);
    if *is_square {
        dual.square([x, other], 1);
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
    if dimensions.name != "ifma52" {
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
            // SAFETY: the kernels and what is made of them guarantee that these are words of their own, and they
            // still exist.
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
    let is_square = operation == Operation::SquareTwo;
    let mut operands = Operands { dual: &mut *dual, x: [&mut x, &mut other], y: [&y, &factor], is_square };
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
    Ok(Recording { operation, trace, layout, symbols, territory: Territory { public, writable }, after })
}

impl Recording {
    /// The steps in called functions. The code here that calls them is not part of the kernel.
    pub fn steps(&self) -> Vec<&Step> {
        self.trace.steps_in_calls()
    }

    /// The integers of the trace, and a statement for each modulus.
    ///
    /// # Errors
    /// As [`lift`].
    pub fn lift(&self) -> Result<(Lifted, Vec<Statement>)> {
        let symbols: Vec<_> = self.symbols.iter().map(|(_, _, symbol)| symbol.clone()).collect();
        let (lifted, inputs) = lift(&self.trace, &symbols, self.territory.clone())?;
        let statement = |which: usize| {
            let find = |name: &str| {
                let place = self.symbols.iter().position(|(of, other, _)| (*of, *other) == (which, name));
                place.ok_or_else(|| Failure::new(Reason::Unproven, format!("{name} is not declared")))
            };
            let number = |name: &str| {
                let place = find(name)?;
                let mut ids = inputs[place].iter().copied();
                let highest = &self.symbols[place].2.highest;
                let words: Vec<Option<Id>> =
                    highest.iter().map(|&most| (most > 0).then(|| ids.next()).flatten()).collect();
                Ok::<_, Failure>(self.layout.in_order(&words).into_iter().flatten().collect::<Vec<_>>())
            };
            let one = |name: &str| Ok::<_, Failure>(inputs[find(name)?][0]);
            let is_square = self.operation == Operation::SquareTwo;
            let address = self.symbols[find("x")?].2.address;
            Ok(Statement {
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
            })
        };
        let statements = [0, 1].map(statement).into_iter().collect::<Result<Vec<_>>>()?;
        Ok((lifted, statements))
    }
}
