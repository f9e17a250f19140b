//! Eight residues side by side, of one modulus: what one program does to eight pairs of operands, or finds by eight indices.

use checkmem::Trace;
use moduli_kernel::{
    KernelChoice, Words,
    proofs::{self, Lanes},
};
use num_bigint::BigInt;
use testing::Random;

use super::{
    failure::{Failure, Reason, Result},
    layout::words_of,
    lift::{Lifted, Symbol, Territory, lift},
    specification::{
        ENTRIES, Operation, Statement,
        digits::{DIGIT, Digits, RESIDUE},
    },
    subject::{ARGUMENTS, LIMIT, STACK, bytes, modulus},
    system::{Id, Value},
};

/// Residues in a row.
const LANES: usize = 8;

/// What was recorded of an operation on rows.
pub struct Recording {
    operation: Operation,
    /// What was executed.
    pub trace: Trace,
    /// Bits of the modulus.
    bits: usize,
    /// Digits of a residue in a row, and of R.
    digits: usize,
    reduced: usize,
    /// K.
    block: usize,
    symbols: Vec<(&'static str, Symbol)>,
    territory: Territory,
    /// What the result was when it was recorded.
    after: Vec<u64>,
}

#[inline(never)]
fn perform(
    lanes: &dyn Lanes,
    operation: Operation,
    x: &mut [u64],
    (y, indices): (&[u64], &[u64]),
    scratch: &mut [u64],
) {
    checkmem::start_recording();
    match operation {
        Operation::SquareRows => lanes.square(x, scratch),
        Operation::SelectRows => lanes.select(x, y, indices),
        _ => lanes.mul(x, y, scratch),
    }
    checkmem::stop_recording();
}

/// Records an operation on rows modulo a number of so many bits.
///
/// # Errors
/// If the kernel has no rows of eight that go digit by digit at this length, or the interpreter stops.
pub fn record(choice: KernelChoice, bits: usize, operation: Operation, seed: u64) -> Result<Recording> {
    let fail = |what: &str| Failure::new(Reason::NoTrace, what);
    let kernel = proofs::kernel(choice, &modulus(&mut Random(0), bits))
        .map_err(|error| fail(&format!("{error:?}")))?;
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
    if operation == Operation::SelectRows {
        // The entries, in the place of an operand.
        y = Words::zero((1 + ENTRIES) * LANES * digits);
        y.fill_with(|| random.word());
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
    // Rows go by so many digits. Where they go by more than one, words may have whatever bits above a digit.
    let mut block = 1;
    for constant in places.constants.iter().filter(|constant| constant.words > 0) {
        // SAFETY: the kernel says that these are words of its own, and it is there.
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
    if operation == Operation::SelectRows {
        name("x", &x, vec![u64::MAX; x.len()]);
        name("y", &y, vec![u64::MAX; y.len()]);
        name("indices", &indices, Vec::new());
    } else {
        name("x", &x, side_by_side.clone().collect());
        name("y", &y, side_by_side.collect());
    }
    name("scratch", &scratch, Vec::new());
    let mut territory = Territory {
        public: places.public.iter().map(|range| range.start as u64..range.end as u64).collect(),
        writable: vec![bytes(&x), bytes(&scratch)],
    };
    let (report, trace) =
        checkmem::record(LIMIT, || perform(lanes, operation, &mut x, (&y, &indices), &mut scratch));
    report.ended.map_err(|why| Failure::new(Reason::NoTrace, why))?;
    let trace = trace.first_call().ok_or_else(|| fail("the operation was not called"))?;
    let top = trace.begin.general[4];
    territory.public.push(top..top + ARGUMENTS);
    territory.writable.push(top - STACK..top);
    Ok(Recording { operation, trace, bits, digits, reduced, block, symbols, territory, after: x.to_vec() })
}

impl Recording {
    /// The integers of the trace, and what has to hold of each lane.
    ///
    /// # Errors
    /// As [`lift`].
    pub fn lift(&self) -> Result<(Lifted, Vec<Statement>)> {
        let symbols: Vec<_> = self.symbols.iter().map(|(_, symbol)| symbol.clone()).collect();
        let (mut lifted, inputs) = lift(&self.trace, &symbols, self.territory.clone())?;
        let find = |name: &str| {
            let place = self.symbols.iter().position(|(other, _)| *other == name);
            place.ok_or_else(|| Failure::new(Reason::Unproven, format!("{name} is not declared")))
        };
        // What each word is, where it can be other than 0.
        let words = |name: &str| {
            let place = find(name)?;
            let mut ids = inputs[place].iter().copied();
            let highest = &self.symbols[place].1.highest;
            Ok::<_, Failure>(
                highest.iter().map(|&most| (most > 0).then(|| ids.next()).flatten()).collect::<Vec<_>>(),
            )
        };
        let number = |name: &str| Ok::<_, Failure>(words(name)?.into_iter().flatten().collect::<Vec<Id>>());
        let address = self.symbols[find("x")?].1.address;
        let after = lifted.values(address, &self.after)?;
        if self.operation == Operation::SelectRows {
            let (entries, indices) = (number("y")?, &inputs[find("indices")?]);
            let inverse = number("negative inverse")?[0];
            let statements =
                (0..LANES).map(|which| self.selection(which, &entries, indices[which], inverse, &after));
            let statements = statements.collect();
            return Ok((lifted, statements));
        }
        // The digits of words.
        let mut digits_of = |words: Vec<Value>| {
            words
                .into_iter()
                .map(|word| Ok(lifted.integers.split(word, DIGIT)?.0))
                .collect::<Result<Vec<_>>>()
        };
        let result = digits_of(after)?;
        let mut operand = |name: &str| {
            let values =
                words(name)?.into_iter().map(|id| id.map_or(Value::Constant(0), Value::Variable)).collect();
            digits_of(values)
        };
        let [x, y] = [operand("x")?, operand("y")?];
        let lane = |digits: &[Value], lane: usize| {
            let digits = digits.iter().skip(lane).step_by(LANES);
            let id = |value: &Value| if let Value::Variable(id) = value { Some(*id) } else { None };
            digits.filter_map(id).collect::<Vec<Id>>()
        };
        let statement = |which: usize| {
            let is_square = self.operation == Operation::SquareRows;
            Ok(Statement {
                specification: self.operation.specification(self.digits),
                modulus: number("modulus")?,
                inverse: number("negative inverse")?[0],
                first: lane(&x, which),
                first_bits: DIGIT,
                result_bits: DIGIT,
                second: if is_square { Vec::new() } else { lane(&y, which) },
                result: result.iter().copied().skip(which).step_by(LANES).collect(),
                digits: Some(Digits {
                    bits: self.bits,
                    block: self.block,
                    reduced: self.reduced,
                    high: number("high")?,
                    step: if find("high of five").is_ok() { number("high of five")? } else { Vec::new() },
                    short: 5,
                    inverse: if self.block > 1 { number("negative inverse")? } else { Vec::new() },
                    are_residues: true,
                    places: self.digits,
                    reciprocal: 0,
                }),
                doubles: None,
                mask: None,
                before: None,
            })
        };
        let statements = (0..LANES).map(statement).collect::<Result<Vec<_>>>()?;
        Ok((lifted, statements))
    }

    /// Of one lane: the word at the same place of the entry that its index names.
    fn selection(&self, lane: usize, entries: &[Id], index: Id, inverse: Id, after: &[Value]) -> Statement {
        let mut of_lane = entries.iter().copied().skip(lane).step_by(LANES);
        Statement {
            specification: self.operation.specification(self.digits),
            modulus: Vec::new(),
            inverse,
            first: of_lane.by_ref().take(self.digits).collect(),
            first_bits: 64,
            result_bits: 64,
            second: of_lane.collect(),
            result: after.iter().copied().skip(lane).step_by(LANES).collect(),
            digits: None,
            doubles: None,
            mask: Some(index),
            before: None,
        }
    }
}
