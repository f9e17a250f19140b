//! Records operations that move words, whatever they are: they put residues into rows, take them out, look
//! them up, or look up rows.

use checkmem::{Step, Trace};
use moduli_kernel::{KernelChoice, Words, proofs::Lanes};
use std::ops::Range;
use testing::Random;

use super::{
    failure::{Failure, Reason, Result},
    layout::Layout,
    lift::{Lifted, Symbol, Territory, lift},
    program::{Program, program},
    specification::{Formula, Operation, Specification, Statement, digits::DIGIT},
    subject::{ARGUMENTS, STACK, bytes, first_call, kernel},
    system::{Id, Value},
};

/// The number of rows that residues are looked up for.
const ROWS: usize = 2;

/// The record of an operation.
pub struct Recording {
    operation: Operation,
    /// What was executed.
    pub trace: Trace,
    /// Lanes and digits of a row.
    lanes: usize,
    digits: usize,
    /// For each digit, lowest first, the word of a residue that holds it.
    order: Vec<usize>,
    /// The bits of a word that are taken out of a row.
    taken: u32,
    symbols: Vec<(&'static str, Symbol)>,
    territory: Territory,
    /// The recorded results.
    after: Vec<u64>,
}

/// Everything that an operation works on.
struct Operands<'a> {
    lanes: &'a dyn Lanes,
    operation: Operation,
    /// Words of a residue.
    size: usize,
    from: &'a [u64],
    to: &'a mut [u64],
    indices: &'a [u64],
}

#[inline(never)]
fn perform(operands: &mut Operands<'_>) {
    let Operands { lanes, operation, size, from, to, indices } = operands;
    match operation {
        Operation::Put => {
            for (lane, residue) in from.chunks_exact(*size).enumerate() {
                lanes.put(to, lane, residue);
            }
        }
        Operation::Take => {
            for (lane, residue) in to.chunks_exact_mut(*size).enumerate() {
                lanes.take(residue, from, lane);
            }
        }
        Operation::LookUpRows(_) => lanes.look_up(to, &from[..*size], &from[*size..], indices),
        _ => lanes.select(to, from, indices),
    }
}

/// Records an operation on rows of the kernel, for a modulus of `bits` bits.
///
/// # Errors
/// If the kernel has no rows, or the interpreter stops.
pub fn record(choice: KernelChoice, bits: usize, operation: Operation, seed: u64) -> Result<Recording> {
    let fail = |what: &str| Failure::new(Reason::NoTrace, what);
    let kernel = kernel(choice, &mut Random(0), bits)?;
    let dimensions = *kernel.dimensions();
    let Some(lanes) = kernel.lanes() else { return Err(fail("no rows")) };
    let (count, size) = (lanes.lanes(), dimensions.residue_words);
    let is_of_digits = dimensions.name == "ifma52";
    let places: Vec<usize> = (0..size).collect();
    let order = if is_of_digits { Layout::new(&dimensions, bits)?.in_order(&places) } else { places };
    let row = lanes.row_words();
    let (read, written) = match operation {
        Operation::Put => (count * size, row),
        Operation::Take => (row, count * size),
        Operation::LookUpRows(entries) => ((1 + entries) * size, ROWS * row),
        Operation::SelectRows(entries) => ((1 + entries) * row, row),
        _ => return Err(fail("no operation that moves words of rows")),
    };
    let mut random = Random(seed);
    let mut words = |count: usize| {
        let mut words = Words::zero(count);
        words.fill_with(|| random.word());
        words
    };
    let (from, mut to) = (words(read), words(written));
    let indices: Vec<u64> = match operation {
        Operation::LookUpRows(_) => {
            (0..ROWS * count).map(|lane| [3, 17, 16, 0, 8, u64::MAX, 2][lane % 7]).collect()
        }
        _ => (0..count).map(|lane| lane as u64 % 5).collect(),
    };
    let named = [("from", &from[..]), ("to", &to), ("indices", &indices)];
    let symbols =
        named.map(|(name, words)| (name, Symbol::any(words.as_ptr() as u64, words.to_vec()))).to_vec();
    // If the kernel is itself the lanes, it also names what these read.
    let places = [kernel.places(), lanes.places()].into_iter();
    let public = places.flat_map(|places| places.public);
    let public = public.map(|range| range.start as u64..range.end as u64).collect();
    let mut territory = Territory { public, writable: vec![bytes(&to)] };
    let mut operands = Operands { lanes, operation, size, from: &from, to: &mut to, indices: &indices };
    let start = core::ptr::from_ref(&operands) as u64;
    let own = start..start + size_of::<Operands<'_>>() as u64;
    let trace = first_call(|| {
        checkmem::start_recording();
        perform(&mut operands);
        checkmem::stop_recording();
    })?;
    let digits = row / count;
    if is_of_digits {
        let tables = tables(&order, digits);
        let found: Vec<_> =
            tables.iter().filter_map(|table| find(&trace, &territory.public, table)).collect();
        territory.public.extend(found);
    }
    let top = trace.begin.general[4];
    territory.public.extend([own, top..top + ARGUMENTS]);
    territory.writable.push(top - STACK..top);
    let taken = if is_of_digits { DIGIT } else { 64 };
    let after = to.to_vec();
    Ok(Recording { operation, trace, lanes: count, digits, order, taken, symbols, territory, after })
}

/// The tables with which rows of `ifma52` find digits, byte by byte, as they follow from the layout: the
/// words of digits; for each word of a residue, where its digit is in a row; and which of eight words exist.
fn tables(order: &[usize], digits: usize) -> [Vec<u8>; 3] {
    let bytes_of = |words: &[u64]| words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut targets = vec![0; order.len().next_multiple_of(8)];
    let mut there = vec![0; order.len().div_ceil(8)];
    for (digit, &word) in order.iter().take(digits).enumerate() {
        targets[word] = 8 * digit as u64;
        there[word / 8] |= 1 << (word % 8);
    }
    let order: Vec<u64> = order.iter().map(|&word| word as u64).collect();
    [bytes_of(&order), bytes_of(&targets), there]
}

/// The address range of such a table. It starts at an address that is read from public memory, or at the next
/// cache line, and everything that is read of it is as expected. So it is the same for all moduli of one
/// length.
fn find(trace: &Trace, public: &[Range<u64>], table: &[u8]) -> Option<Range<u64>> {
    let reads: Vec<(u64, &[u8])> = trace
        .steps
        .iter()
        .flat_map(|step| trace.accesses(step))
        .filter(|access| access.reads)
        .map(|access| (access.address, trace.before(access)))
        .collect();
    let is_public = |at: &u64| public.iter().any(|range| range.contains(at));
    let pointers = reads
        .iter()
        .filter(|(at, bytes)| is_public(at) && bytes.len() == 8)
        .filter_map(|(_, bytes)| Some(u64::from_le_bytes((*bytes).try_into().ok()?)));
    let mut starts: Vec<u64> =
        pointers.flat_map(|start| [Some(start), start.checked_next_multiple_of(64)]).flatten().collect();
    starts.sort_unstable();
    starts.dedup();
    let is_table = |range: &Range<u64>| {
        let mut inside = reads.iter().filter(|(at, _)| range.contains(at)).peekable();
        let is_there = inside.peek().is_some();
        is_there
            && inside.all(|(at, bytes)| {
                let from = (at - range.start) as usize;
                table.get(from..from + bytes.len()).is_some_and(|expected| expected == *bytes)
            })
    };
    let ranges = starts.into_iter().filter_map(|start| Some(start..start.checked_add(table.len() as u64)?));
    ranges.into_iter().find(is_table)
}

impl Recording {
    /// See [`Program`].
    pub fn program(&self) -> Program {
        program(&self.trace, &self.symbols, &self.territory)
    }

    /// The steps in called functions. The code here that calls them is not part of the kernel.
    pub fn steps(&self) -> Vec<&Step> {
        self.trace.steps_in_calls()
    }

    /// The integers of the trace, and a statement about each lane.
    ///
    /// # Errors
    /// As [`lift`].
    pub fn lift(&self) -> Result<(Lifted, Vec<Statement>)> {
        let symbols: Vec<_> = self.symbols.iter().map(|(_, symbol)| symbol.clone()).collect();
        let (lifted, inputs) = lift(&self.trace, &symbols, self.territory.clone())?;
        let [from, _, indices] = &inputs[..] else {
            return Err(Failure::new(Reason::Unproven, "other operands"));
        };
        let after = lifted.values(self.symbols[1].1.address, &self.after)?;
        let statements = match self.operation {
            Operation::Put | Operation::Take => {
                (0..self.lanes).map(|lane| self.moved(lane, from, &after)).collect()
            }
            _ => (0..indices.len()).map(|lane| self.found(lane, from, indices[lane], &after)).collect(),
        };
        Ok((lifted, statements))
    }

    /// The words of a residue in the order of their digits.
    fn ordered<T: Copy>(&self, residue: &[T]) -> Vec<T> {
        self.order.iter().map(|&word| residue[word]).collect()
    }

    /// The words of a lane.
    fn of_lane<T: Copy>(&self, row: &[T], lane: usize) -> Vec<T> {
        row.iter().copied().skip(lane).step_by(self.lanes).collect()
    }

    /// The statement that a lane has the words of a residue, or a residue those of a lane. The highest digits
    /// of a residue may have no place in a lane.
    fn moved(&self, lane: usize, from: &[Id], after: &[Value]) -> Statement {
        let size = self.order.len();
        let (mut first, result, bits) = match self.operation {
            Operation::Put => (self.ordered(&from[size * lane..][..size]), self.of_lane(after, lane), 64),
            _ => (self.of_lane(from, lane), self.ordered(&after[size * lane..][..size]), self.taken),
        };
        first.truncate(result.len());
        let specification = self.operation.specification(size);
        Statement {
            specification: Specification { formula: Formula::Lowest(bits), ..specification },
            first,
            result,
            ..Statement::NONE
        }
    }

    /// The statement about one lane, counted over all rows: it is the residue, or the lane of the row, that
    /// its index names.
    fn found(&self, lane: usize, from: &[Id], index: Id, after: &[Value]) -> Statement {
        let (row, place) = (lane / self.lanes, lane % self.lanes);
        let words = self.lanes * self.digits;
        let entry = |words: &[Id]| {
            let mut entry = match self.operation {
                Operation::SelectRows(_) => self.of_lane(words, place),
                _ => self.ordered(words),
            };
            entry.truncate(self.digits);
            entry
        };
        let size = if matches!(self.operation, Operation::SelectRows(_)) { words } else { self.order.len() };
        let mut entries = from.chunks_exact(size).map(entry);
        let first = entries.next().unwrap_or_default();
        let second = entries.flatten().collect();
        entry_of(first, second, index, self.of_lane(&after[words * row..][..words], place))
    }
}

/// The statement that a result is the entry with an index.
pub(super) fn entry_of(first: Vec<Id>, second: Vec<Id>, index: Id, result: Vec<Value>) -> Statement {
    Statement {
        specification: Operation::SelectRows(0).specification(first.len()),
        first,
        second,
        result,
        mask: Some(index),
        ..Statement::NONE
    }
}
