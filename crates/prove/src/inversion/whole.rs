//! Lifts a whole inversion: its beginning and its end, and between them the inputs and the results of jumps
//! and updates.

use std::{collections::HashMap, ops::Range};

use super::{
    Lifting,
    record::{Call, Recording, Update, Walk, fail},
    steps::Ends,
};
use crate::{
    failure::Result,
    lift::{Composed, Declarations, Part, Skip, Territory, lift_declared},
    specification::inversion::{DIGIT, Jumped, Whole, bits_above, lower_digits},
    subject::STACK,
    system::{Id, Skipped, Value},
};

const LOW: i128 = (1 << DIGIT) - 1;

/// The registers in which a function receives addresses and lengths: rdi, rsi, rdx, rcx, r8 and r9.
const HANDED: [usize; 6] = [7, 6, 2, 1, 8, 9];

/// The registers in which an update receives them: that of F and G uses five.
fn handed(update: Update) -> &'static [usize] {
    if update == Update::Modular { &HANDED } else { &HANDED[..5] }
}

/// The form of a word that is an integer from an interval.
fn within(low: i128, high: i128, word: u64) -> Composed {
    let recorded = if low < 0 { i128::from(word as i64) } else { word.into() };
    Composed { constant: 0, parts: vec![(1, low, high, recorded)] }
}

/// The declared integers of an inversion.
#[derive(Default)]
struct Declared {
    value: Vec<Id>,
    modulus: Vec<Value>,
    inverse: Option<Value>,
}

impl Recording {
    /// The steps of the function that inverts, and a walk to its beginning.
    fn function(&self) -> Result<(Range<usize>, Walk<'_>)> {
        let is_it = |step: usize| {
            let address = self.trace.code[self.trace.steps[step].code as usize].instruction.ip();
            checkmem::function_at(address + 1) == "moduli_kernel::arithmetic::Arithmetic::invert"
        };
        let is_called = |step: &usize| self.trace.is_call(&self.trace.steps[*step]) && is_it(step + 1);
        let Some(call) = (0..self.calls[0].steps.start - 1).find(is_called) else {
            return fail("there is no function that inverts");
        };
        let Some(length) = self.trace.steps_of_function(call + 1) else { return fail("it does not end") };
        let mut walk = Walk::new(&self.trace);
        walk.to(call + 1);
        Ok((call + 1..call + 1 + length, walk))
    }

    /// All calls of an update. They must receive the same addresses and lengths, and execute the same
    /// instructions, as the first one.
    fn alike(&self, update: Update) -> Result<Vec<&Call>> {
        let calls: Vec<_> = self.calls.iter().filter(|call| call.update == update).collect();
        let code = |call: &Call| self.trace.steps[call.steps.clone()].iter().map(|step| step.code);
        let handed = |call: &Call| {
            [&[4], handed(update)].concat().iter().map(|&i| call.begin.general[i]).collect::<Vec<_>>()
        };
        match calls.iter().all(|call| handed(call) == handed(calls[0]) && code(call).eq(code(calls[0]))) {
            true => Ok(calls),
            false => fail("updates by other instructions"),
        }
    }

    /// The steps of each jump: they must be as many as those of the proved jump, with the same instructions,
    /// up to the last word of the matrix.
    fn jumps(&self, updates: &[&Call], proved: &Recording, ends: &Ends) -> Result<Vec<Range<usize>>> {
        let address = |recording: &Recording, step: usize| {
            recording.trace.code[recording.trace.steps[step].code as usize].instruction.ip()
        };
        let mut jumps = Vec::new();
        for call in updates {
            let end = self.last_store(0..call.steps.start - 1, call.matrix()).unwrap_or_default() + 1;
            let start = end.saturating_sub(ends.steps.len());
            let mut both = (start..end).zip(ends.steps.clone());
            if end - start != ends.steps.len() || !both.all(|(a, b)| address(self, a) == address(proved, b)) {
                return fail("a jump by other instructions");
            }
            jumps.push(start..end);
        }
        Ok(jumps)
    }

    /// The inputs and the results of each jump and update, in their order.
    fn skips(&self, proved: &Recording, ends: &Ends) -> Result<Vec<Skip>> {
        let (modular, exact) = (self.alike(Update::Modular)?, self.alike(Update::Exact)?);
        let jumps = self.jumps(&modular, proved, ends)?;
        let (lower, above) = (lower_digits(self.limbs), bits_above(self.limbs));
        let ([f, g], count) = exact[0].numbers();
        let (numbers, matrix) = (modular[0].numbers(), modular[0].matrix());
        if modular.len() != exact.len()
            || numbers.1 != count
            || exact[0].matrix() != matrix
            || count != lower + 1
        {
            return fail("updates that do not belong together");
        }
        // The registers from which the proved jump takes the addresses of F and G.
        let mut walk = Walk::new(&proved.trace);
        walk.to(ends.steps.start);
        let [at_f, at_g] = proved
            .calls
            .iter()
            .find(|call| call.update == Update::Exact)
            .map_or([0; 2], |call| call.numbers().0);
        let read = proved.registers_read(ends.steps.clone());
        let holding = |address: u64| {
            read.iter().copied().filter(|&i| walk.registers.general[i] == address).collect::<Vec<_>>()
        };
        let (of_f, of_g) = (holding(at_f), holding(at_g));
        let words = |place: u64, count: usize| (0..count as u64).map(move |i| place + 8 * i);
        let mut walk = Walk::new(&self.trace);
        let mut skips = Vec::new();
        let of = |words: &HashMap<u64, u64>, at: u64| match words.get(&at) {
            Some(&word) => Ok((at, word)),
            None => fail("a word that a jump or an update does not read or write"),
        };
        let read_of = |addresses: &[u64], steps: &Range<usize>| -> Result<Vec<(u64, u64)>> {
            let words = self.words_read(steps.clone());
            addresses.iter().map(|&at| of(&words, at)).collect()
        };
        let left_of = |places: [u64; 2], steps: &Range<usize>, least: i128| -> Result<Vec<_>> {
            let written = self.words_written(steps.clone());
            let mut left = Vec::new();
            for (i, at) in places.into_iter().flat_map(|place| words(place, count).enumerate()) {
                let (_, word) = of(&written, at)?;
                let form =
                    if i < lower { within(0, LOW, word) } else { within(least, (1 << above) - 1, word) };
                left.push((at, word, form));
            }
            Ok(left)
        };
        for ((jump, modular), exact) in jumps.into_iter().zip(modular).zip(exact) {
            walk.to(jump.start);
            let is_right = |registers: &[usize], address: u64| {
                registers.iter().all(|&i| walk.registers.general[i] == address)
            };
            if !is_right(&of_f, f) || !is_right(&of_g, g) {
                return fail("a jump of other numbers");
            }
            walk.to(jump.end);
            let zeta = walk.registers.general[ends.of_zeta];
            let of_matrix: Vec<u64> = words(matrix, 4).collect();
            let written = self.words_written(jump.clone());
            let entry =
                |&at: &u64| of(&written, at).map(|(at, word)| (at, word, within(-LOW - 1, LOW + 1, word)));
            let entries = of_matrix.iter().map(entry).collect::<Result<_>>()?;
            skips.push(Skip {
                reads: read_of(&[f, g], &jump)?,
                registers_read: vec![ends.of_zeta],
                fixed: [&of_f[..], &of_g].concat(),
                words: entries,
                registers: vec![(ends.of_zeta, Composed::any(zeta))],
                steps: jump,
                is_function: false,
            });
            let stack = modular.begin.general[4];
            let of_modulus: Vec<u64> = words(modular.begin.general[9], count).collect();
            let [d, e] = numbers.0.map(|place| words(place, count).collect::<Vec<_>>());
            let read = [&of_matrix[..], &d, &e, &of_modulus, &[stack + 16, stack + 8]].concat();
            let steps = modular.steps.clone();
            skips.push(Skip {
                reads: read_of(&read, &steps)?,
                fixed: handed(Update::Modular).to_vec(),
                words: left_of(numbers.0, &steps, -2 << above)?,
                steps,
                is_function: true,
                ..Skip::default()
            });
            let [x, y] = [f, g].map(|place| words(place, count).collect::<Vec<_>>());
            let steps = exact.steps.clone();
            skips.push(Skip {
                reads: read_of(&[&of_matrix[..], &x, &y].concat(), &steps)?,
                fixed: handed(Update::Exact).to_vec(),
                words: left_of([f, g], &steps, -1 << above)?,
                steps,
                is_function: true,
                ..Skip::default()
            });
        }
        Ok(skips)
    }

    /// The integers of a whole inversion, and the statement about them, given proofs of a jump and of both
    /// updates.
    ///
    /// # Errors
    /// As [`lift_declared`]; also if jumps or updates differ from the proved ones.
    pub fn lift_whole(&self, proved: &Recording, ends: &Ends) -> Result<(Lifting, Whole)> {
        let (steps, walk) = self.function()?;
        let begin = walk.registers.clone();
        let [to, arithmetic, value, limbs] = [7, 6, 2, 1].map(|i| begin.general[i]);
        let skips = self.skips(proved, ends)?;
        let (lower, above) = (lower_digits(self.limbs), bits_above(self.limbs));
        let modular = &skips[1];
        let of_modulus = &modular.reads[4 + 2 * (lower + 1)..][..lower + 1];
        let inverse = modular.reads[4 + 3 * (lower + 1)].1;
        let words = self.words_read(steps.start..skips[0].steps.start);
        // In the kernel's data the inverse is a symbol; everything else that is read is lengths and an
        // address.
        let kept = arithmetic..arithmetic + size_of::<moduli_kernel::Arithmetic>() as u64;
        let of_kernel = words.iter().filter(|(at, _)| kept.contains(at));
        let known = [self.limbs as u64, lower as u64 + 1, of_modulus[0].0];
        let (public, others): (Vec<_>, Vec<_>) = of_kernel.partition(|(_, word)| known.contains(word));
        let at_inverse = self
            .words_read(steps.start..skips[1].steps.start)
            .into_iter()
            .find(|(at, word)| kept.contains(at) && *word == inverse);
        let Some((at_inverse, _)) = at_inverse else { return fail("the inverse is not read") };
        if limbs != self.limbs as u64 || others.iter().any(|&(&at, _)| at != at_inverse) {
            return fail("more of the kernel is read than lengths and the inverse");
        }
        let word = |at: u64| words.get(&at).copied().map_or_else(|| fail("a word that is not read"), Ok);
        let declare = |declarations: &mut Declarations<'_>, declared: &mut Declared| -> Result<()> {
            declarations.has_signed_products();
            declarations.has_parts_of_digits();
            for at in (0..self.limbs as u64).map(|i| value + 8 * i) {
                let word = word(at)?;
                declared.value.extend(declarations.composed(at, word, &Composed::any(word))?.1);
            }
            for (i, &(at, word)) in of_modulus.iter().enumerate() {
                let high = if i < lower { LOW } else { (1 << above) - 1 };
                declared.modulus.push(declarations.composed(at, word, &within(0, high, word))?.0);
            }
            declared.inverse = Some(declarations.composed(at_inverse, inverse, &within(0, LOW, inverse))?.0);
            Ok(())
        };
        let stack = begin.general[4];
        let territory = Territory {
            public: public.iter().map(|&(&at, _)| at).chain([stack]).map(|at| at..at + 8).collect(),
            writable: vec![to..to + 32, stack - STACK..stack],
        };
        let part = Part { skips: &skips, ..Part::of(&self.trace, steps.clone(), begin) };
        let mut declared = Declared::default();
        let (lifted, _) =
            lift_declared(part, &[], territory, |declarations| declare(declarations, &mut declared))?;
        let Declared { value, modulus, inverse: Some(inverse) } = declared else {
            return fail("nothing is declared");
        };
        let Some(&at_result) = self.words_written(steps.clone()).get(&(to + 8)) else {
            return fail("no result is written");
        };
        let values = |at: u64, count: usize| -> Result<Vec<Value>> {
            Ok(lifted.words(at, count)?.into_iter().map(Value::Variable).collect())
        };
        let result = values(at_result, self.limbs)?;
        let exists = values(to + 24, 1)?[0];
        let jumped = |[jump, update_de, update_fg]: &[Skipped; 3]| Jumped {
            jump: jump.clone(),
            update_de: update_de.clone(),
            update_fg: update_fg.clone(),
        };
        let (jumps, rest) = lifted.skipped.as_chunks::<3>();
        if !rest.is_empty() || lifted.skipped.len() != skips.len() {
            return fail("a jump or an update was not come by");
        }
        let jumps = jumps.iter().map(jumped).collect();
        let whole = Whole { limbs: self.limbs, value, modulus, inverse, jumps, result, exists };
        Ok((Lifting { lifted, steps }, whole))
    }
}
