//! Records and lifts the reduction of numbers at most one word longer than the modulus, as its code ships.

use checkmem::{Step, Trace};
use moduli_kernel::{Arithmetic, KernelChoice, proofs};
use std::hint::black_box;
use testing::Random;

use super::{
    failure::{Failure, Reason, Result},
    lift::{Cut, Lifted, Part, Symbol, Territory, lift_part},
    specification::{
        Specification, Statement,
        reduction::{estimated, highest, once},
    },
    subject::{ARGUMENTS, STACK, bytes, first_call, modulus, number},
    system::{Id, Value},
};

/// The record of a reduction.
pub struct Recording {
    /// What was executed.
    pub trace: Trace,
    /// Bits of the modulus.
    bits: usize,
    symbols: Vec<(&'static str, Symbol)>,
    territory: Territory,
}

/// Records a reduction modulo a number of `bits` bits. `seed` picks the number that is reduced.
///
/// # Errors
/// If the interpreter stops.
pub fn record(bits: usize, seed: u64) -> Result<Recording> {
    let fail = |what: &str| Failure::new(Reason::NoTrace, what);
    let n = modulus(&mut Random(0), bits);
    let Ok(arithmetic) = Arithmetic::new(&n, KernelChoice::PORTABLE) else {
        return Err(fail("there is no such modulus"));
    };
    let mut x = number(&mut Random(seed), n.len() + 1, bits + 63);
    let places = proofs::places_of_reduction(&arithmetic);
    let mut symbols = Vec::new();
    for constant in &places.constants {
        // SAFETY: the reducer guarantees that these are words of its own, and it still exists.
        let words = unsafe { core::slice::from_raw_parts(constant.address as *const u64, constant.words) };
        symbols.push((constant.name, Symbol::any(constant.address as u64, words.to_vec())));
    }
    let mut symbol = Symbol::any(x.as_ptr() as u64, x.to_vec());
    symbol.highest = highest(bits + 63, x.len()).collect();
    symbols.push(("x", symbol));
    let trace = first_call(|| {
        checkmem::start_recording();
        black_box(&arithmetic).reduce(&mut x);
        checkmem::stop_recording();
    })?;
    let mut public: Vec<_> = places.public.iter().map(|range| range.start as u64..range.end as u64).collect();
    let top = trace.begin.general[4];
    public.push(top..top + ARGUMENTS);
    let territory = Territory { public, writable: vec![bytes(&x), top - STACK..top] };
    Ok(Recording { trace, bits, symbols, territory })
}

impl Recording {
    fn find(&self, name: &str) -> Result<usize> {
        let place = self.symbols.iter().position(|(other, _)| *other == name);
        place.ok_or_else(|| Failure::new(Reason::Unproven, format!("{name} is not declared")))
    }

    /// The places where the highest word has been written once, and twice. From there on the number is any
    /// below 3·N, or any below 2·N.
    fn cuts(&self) -> Result<Vec<Cut>> {
        let Symbol { address, words, .. } = &self.symbols[self.find("x")?].1;
        let top = address + 8 * (words.len() as u64 - 1);
        let writes_top = |step: &Step| {
            let mut accesses = self.trace.accesses(step).iter().filter(|access| access.writes);
            accesses.any(|access| (access.address..access.address + access.size as u64).contains(&top))
        };
        let steps = self.trace.steps.iter().enumerate().filter(|(_, step)| writes_top(step));
        let steps: Vec<_> = steps.map(|(number, _)| number).collect();
        let [first, second, _] = steps[..] else {
            return Err(Failure::new(Reason::Unproven, "a number that is not written three times"));
        };
        let cut = |(step, most): (usize, u64)| {
            let highest = words.iter().skip(1).map(|_| u64::MAX).chain([most]).collect();
            let symbol = Symbol { address: *address, words: Vec::new(), highest };
            Cut { step: step + 1, symbol, are_doubles: false }
        };
        Ok([(first, 2), (second, 1)].map(cut).into())
    }

    /// The integers of the trace, and a statement about each part.
    ///
    /// # Errors
    /// As [`crate::lift::lift`].
    pub fn lift(&self) -> Result<(Lifted, Vec<Statement>)> {
        let symbols: Vec<_> = self.symbols.iter().map(|(_, symbol)| symbol.clone()).collect();
        let cuts = self.cuts()?;
        let part = Part { cuts: &cuts, ..Part::whole(&self.trace) };
        let (lifted, inputs) = lift_part(part, &symbols, self.territory.clone())?;
        let input = |name: &str| Ok::<_, Failure>(inputs[self.find(name)?].clone());
        let (n, x) = (input("modulus")?, &self.symbols[self.find("x")?].1);
        let reciprocal = input("reciprocal")?[0];
        let statement = |specification: Specification, first: Vec<Id>, result: Vec<Value>| Statement {
            specification,
            modulus: n.clone(),
            inverse: reciprocal,
            first,
            result,
            ..Statement::NONE
        };
        let after = |i: usize| lifted.after[i].iter().copied().flatten().collect();
        let last = lifted.words(x.address, x.words.len())?.into_iter().map(Value::Variable).collect();
        let statements = vec![
            statement(estimated(self.bits), input("x")?, lifted.before[0].clone()),
            statement(once(3), after(0), lifted.before[1].clone()),
            statement(once(2), after(1), last),
        ];
        Ok((lifted, statements))
    }
}
