//! Records and lifts operations on eight residues side by side, of one modulus: one program works on eight
//! pairs of operands, or looks up by eight indices.

use checkmem::Trace;
use moduli_kernel::{KernelChoice, Words, proofs::Lanes};
use num_bigint::BigInt;
use testing::Random;

use super::{
    failure::{Failure, Reason, Result},
    lanes::entry_of,
    layout::words_of,
    lift::{Cut, Lifted, Part, Symbol, Territory, lift_part},
    program::{Program, program},
    specification::{
        Operation, Statement,
        digits::{DIGIT, Digits, RESIDUE},
    },
    subject::{ARGUMENTS, STACK, bytes, first_call, kernel},
    system::{Id, Value},
};

/// The number of residues in a row.
const LANES: usize = 8;

/// The record of an operation on rows.
pub struct Recording {
    operation: Operation,
    /// What was executed.
    pub trace: Trace,
    /// Bits of the modulus.
    bits: usize,
    /// The digits of a residue in a row, and of R.
    digits: usize,
    reduced: usize,
    /// K.
    block: usize,
    /// The number of times x is squared.
    squared: u32,
    symbols: Vec<(&'static str, Symbol)>,
    territory: Territory,
    /// The recorded results: what was worked on, and what was found.
    after: [Vec<u64>; 2],
}

/// Whether the operation looks up entries.
fn finds(operation: Operation) -> bool {
    matches!(operation, Operation::SquareAndSelect(_))
}

/// The number of times a row is squared: enough to look at all entries, `looked_at` of them with each square.
/// If there are more than two such squares, there is one more without a look. Fewer entries than `looked_at`
/// are looked at after the square.
fn squares(entries: usize, looked_at: usize) -> u32 {
    if entries < looked_at {
        return 1;
    }
    let looks = entries.div_ceil(looked_at) as u32;
    if looks > 2 { 1 + looks } else { looks }
}

#[inline(never)]
fn perform(
    lanes: &dyn Lanes,
    operation: Operation,
    (x, squared): (&mut [u64], u32),
    (y, found, indices): (&[u64], &mut [u64], &[u64]),
    scratch: &mut [u64],
) {
    checkmem::start_recording();
    match operation {
        Operation::SquareRows => lanes.square(x, scratch),
        Operation::SquareAndSelect(_) => lanes.square_and_select((x, squared), (found, y, indices), scratch),
        _ => lanes.mul(x, y, scratch),
    }
    checkmem::stop_recording();
}

/// Records an operation on rows modulo a number of `bits` bits.
///
/// # Errors
/// If the kernel has no rows of eight that are processed digit by digit at this length, or the interpreter
/// stops.
pub fn record(choice: KernelChoice, bits: usize, operation: Operation, seed: u64) -> Result<Recording> {
    let fail = |what: &str| Failure::new(Reason::NoTrace, what);
    let kernel = kernel(choice, &mut Random(0), bits)?;
    let are_eight = |lanes: &&dyn Lanes| lanes.lanes() == LANES && !lanes.places().constants.is_empty();
    let Some(lanes) = kernel.lanes().filter(are_eight) else { return Err(fail("no rows of eight")) };
    let (digits, reduced) = (lanes.row_words() / LANES, kernel.dimensions().radix_bits / DIGIT as usize);
    let n: BigInt = (BigInt::from(1) << bits) - 1;
    let highest = &n * RESIDUE - 1;
    let mut random = Random(seed);
    let mut row = |most: &BigInt| {
        let mut row = Words::zero(LANES * digits);
        for (words, most) in row.chunks_exact_mut(LANES).zip(words_of(most, DIGIT as usize, digits)) {
            words.fill_with(|| random.word() % (most.max(1)));
        }
        row
    };
    let [mut x, mut y] = [row(&n), row(&n)];
    let indices = [0, 1, 2, 3, 0, 1, 2, u64::MAX];
    let mut found = Words::zero(LANES * digits);
    let mut squared = 1;
    if let Operation::SquareAndSelect(entries) = operation {
        squared = squares(entries, lanes.looked_at());
        // The entries take the place of an operand.
        y = Words::zero(entries * LANES * digits);
        y.fill_with(|| random.word());
        found.fill_with(|| random.word());
    }
    let mut scratch = Words::zero(lanes.scratch_words());
    scratch.fill_with(|| random.word());
    let places = lanes.places();
    let mut symbols = Vec::new();
    let mut name = |name: &'static str, words: &[u64], highest: Vec<u64>| {
        let mut symbol = Symbol::any(words.as_ptr() as u64, words.to_vec());
        symbol.highest = highest;
        symbols.push((name, symbol));
    };
    // The number of digits by which rows are processed. If it is more than one, words may have any bits above
    // a digit.
    let mut block = 1;
    for constant in places.constants.iter().filter(|constant| constant.words > 0) {
        // SAFETY: the kernel guarantees that these are words of its own, and it still exists.
        let words = unsafe { core::slice::from_raw_parts(constant.address as *const u64, constant.words) };
        let most = match constant.name {
            "negative inverse" => {
                block = constant.words;
                (BigInt::from(1) << (DIGIT as usize * block)) - 1
            }
            _ => n.clone(),
        };
        name(constant.name, words, words_of(&most, DIGIT as usize, words.len()));
    }
    let of_word = |most: u64| if block > 1 && most > 0 { u64::MAX } else { most };
    let side_by_side =
        words_of(&highest, DIGIT as usize, digits).into_iter().flat_map(|most| [of_word(most); LANES]);
    name("x", &x, side_by_side.clone().collect());
    if finds(operation) {
        name("y", &y, vec![u64::MAX; y.len()]);
        name("found", &found, vec![u64::MAX; found.len()]);
        name("indices", &indices, Vec::new());
    } else {
        name("y", &y, side_by_side.collect());
    }
    name("scratch", &scratch, Vec::new());
    let mut territory = Territory {
        public: places.public.iter().map(|range| range.start as u64..range.end as u64).collect(),
        writable: vec![bytes(&scratch), bytes(&x)],
    };
    territory.writable.extend(finds(operation).then(|| bytes(&found)));
    let trace = first_call(|| {
        perform(lanes, operation, (&mut x, squared), (&y, &mut found, &indices), &mut scratch)
    })?;
    let top = trace.begin.general[4];
    territory.public.push(top..top + ARGUMENTS);
    if finds(operation) {
        // The second and the third argument, in rsi and rdx, each a slice and a number.
        for (register, slices) in [(6, 1), (2, 3)] {
            let address = trace.begin.general[register];
            let size = slices * size_of::<&[u64]>() + size_of::<u64>() * usize::from(slices == 1);
            territory.public.push(address..address + size as u64);
        }
    }
    territory.writable.push(top - STACK..top);
    let after = [x.to_vec(), found.to_vec()];
    Ok(Recording { operation, trace, bits, digits, reduced, block, squared, symbols, territory, after })
}

impl Recording {
    /// See [`Program`].
    pub fn program(&self) -> Program {
        program(&self.trace, &self.symbols, &self.territory)
    }

    fn symbol(&self, name: &str) -> Result<usize> {
        let place = self.symbols.iter().position(|(other, _)| *other == name);
        place.ok_or_else(|| Failure::new(Reason::Unproven, format!("{name} is not declared")))
    }

    /// The cuts between two squares, where each word of what is squared has been written once more. From
    /// there on it is any residue.
    fn between(&self) -> Result<Vec<Cut>> {
        let symbol = &self.symbols[self.symbol("x")?].1;
        let address = symbol.address;
        let all = || (0..symbol.words.len()).map(|i| address + 8 * i as u64).collect::<Vec<u64>>();
        let (mut left, mut cuts) = (all(), Vec::new());
        for (number, step) in self.trace.steps.iter().enumerate() {
            if cuts.len() + 1 == self.squared as usize {
                return Ok(cuts);
            }
            for access in self.trace.accesses(step).iter().filter(|access| access.writes) {
                let written = access.address..access.address + access.size as u64;
                left.retain(|word| !written.contains(word));
            }
            if left.is_empty() {
                let symbol = Symbol { address, words: Vec::new(), highest: symbol.highest.clone() };
                cuts.push(Cut { step: number + 1, symbol, are_doubles: false });
                left = all();
            }
        }
        Err(Failure::new(Reason::Unproven, "there is no square"))
    }

    /// The integers of the trace, and a statement about each lane.
    ///
    /// # Errors
    /// As [`lift_part`].
    pub fn lift(&self) -> Result<(Lifted, Vec<Statement>)> {
        let symbols: Vec<_> = self.symbols.iter().map(|(_, symbol)| symbol.clone()).collect();
        let cuts = self.between()?;
        let part = Part { cuts: &cuts, ..Part::whole(&self.trace) };
        let (mut lifted, inputs) = lift_part(part, &symbols, self.territory.clone())?;
        // For each word, its integer if it can be other than 0.
        let words = |name: &str| {
            let place = self.symbol(name)?;
            let mut ids = inputs[place].iter().copied();
            let highest = &self.symbols[place].1.highest;
            Ok::<_, Failure>(
                highest.iter().map(|&most| (most > 0).then(|| ids.next()).flatten()).collect::<Vec<_>>(),
            )
        };
        let number = |name: &str| Ok::<_, Failure>(words(name)?.into_iter().flatten().collect::<Vec<Id>>());
        let mut statements = Vec::new();
        if finds(self.operation) {
            let (entries, indices) = (number("y")?, &inputs[self.symbol("indices")?]);
            let after = lifted.values(self.symbols[self.symbol("found")?].1.address, &self.after[1])?;
            let selection = |lane: usize| {
                let mut of_lane = entries.iter().copied().skip(lane).step_by(LANES);
                let first = of_lane.by_ref().take(self.digits).collect();
                let result = after.iter().copied().skip(lane).step_by(LANES).collect();
                entry_of(first, of_lane.collect(), indices[lane], result)
            };
            statements.extend((0..LANES).map(selection));
        }
        let after = lifted.values(self.symbols[self.symbol("x")?].1.address, &self.after[0])?;
        let middle: Vec<_> =
            core::mem::take(&mut lifted.before).into_iter().zip(core::mem::take(&mut lifted.after)).collect();
        // Words that represent signed integers are taken as these.
        let mut signed = |words: Vec<Value>| {
            words.into_iter().map(|word| lifted.integers.signed(word)).collect::<Result<Vec<_>>>()
        };
        let after = signed(after)?;
        let middle = middle
            .into_iter()
            .map(|(before, between)| Ok((signed(before)?, between)))
            .collect::<Result<Vec<_>>>()?;
        // The digits of words. Rows that are processed digit by digit leave nothing above a digit. Where
        // words are 0, the highest ones are taken as they are.
        let is_empty = |most: &&u64| **most == 0;
        let x_words = &self.symbols[self.symbol("x")?].1;
        let empty = x_words.highest.iter().filter(is_empty).count() / LANES;
        let whole = LANES * self.digits - if empty > 0 { LANES } else { 0 };
        let mut digits_of = |words: &[Value]| {
            let digit = |(at, &word): (usize, &Value)| {
                Ok(if self.block > 1 && at < whole { lifted.integers.split(word, DIGIT)?.0 } else { word })
            };
            words.iter().enumerate().map(digit).collect::<Result<Vec<_>>>()
        };
        let values = |ids: Vec<Option<Id>>| {
            let value = |id: Option<Id>| id.map_or(Value::Constant(0), Value::Variable);
            ids.into_iter().map(value).collect::<Vec<_>>()
        };
        let x = digits_of(&values(words("x")?))?;
        let y =
            if self.operation == Operation::MulRows { digits_of(&values(words("y")?))? } else { Vec::new() };
        let digits = Digits {
            spare: 0,
            are_in_order: [false; 2],
            is_entered: false,
            bits: self.bits,
            block: self.block,
            reduced: self.reduced,
            high: number("high")?,
            step: if self.symbol("high of five").is_ok() { number("high of five")? } else { Vec::new() },
            short: 5,
            inverse: if self.block > 1 { number("negative inverse")? } else { Vec::new() },
            are_residues: true,
            places: self.digits,
            reciprocal: 0,
            empty: Vec::new(),
        };
        let (modulus, inverse) = (number("modulus")?, number("negative inverse")?[0]);
        let lane = |digits: &[Value], which: usize| {
            digits.iter().copied().skip(which).step_by(LANES).collect::<Vec<Value>>()
        };
        let ids = |digits: &[Value], which: usize| {
            let id = |value: Value| if let Value::Variable(id) = value { Some(id) } else { None };
            lane(digits, which).into_iter().filter_map(id).collect::<Vec<Id>>()
        };
        let product = |which: usize, x: &[Value], (words, result): (&[Value], &[Value])| Statement {
            specification: self.operation.specification(self.digits),
            modulus: modulus.clone(),
            inverse,
            first: ids(x, which),
            first_bits: DIGIT,
            result_bits: DIGIT,
            second: ids(&y, which),
            result: lane(result, which),
            digits: Some(Digits {
                empty: lane(words, which).split_off(self.digits - empty),
                ..digits.clone()
            }),
            doubles: None,
            mask: None,
            before: None,
        };
        // The input of each square, and its result as words and as digits.
        let (mut begun, mut parts) = (x, Vec::new());
        for (before, between) in middle {
            let digits = digits_of(&before)?;
            let next = digits_of(&values(between))?;
            parts.push((core::mem::replace(&mut begun, next), before, digits));
        }
        let result = digits_of(&after)?;
        parts.push((begun, after, result));
        statements.extend((0..LANES).filter_map(|which| {
            parts.iter().fold(None, |before: Option<Statement>, (x, words, result)| {
                let before = before.map(Box::new);
                Some(Statement { before, ..product(which, x, (words, result)) })
            })
        }));
        Ok((lifted, statements))
    }
}
