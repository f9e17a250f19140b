//! The ledger observes every operation and derives the value of its result from the operation's
//! contract.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard},
};

use moduli::KernelChoice;
use moduli_kernel::{Observer, Operation};
use num_bigint::BigUint;

use super::{
    known::{Known, Place, RESIDUE, number},
    value::{Number, Power, Unknown, Value},
};

/// The expected result of an operation in progress.
enum Expected {
    Result(Value),
    /// One of these entries.
    Entry(Arc<Vec<u64>>),
}

/// A residue that was written out as a number.
#[derive(Clone)]
pub struct Stored {
    pub number: BigUint,
    /// The index of its modulus, and its value.
    pub modulo: usize,
    pub value: Value,
}

/// The knowledge modulo several numbers.
#[derive(Default)]
pub struct Book {
    pub moduli: Vec<Known>,
    /// The inputs with their public bits, and the numbers written out from residues.
    pub given: Vec<(BigUint, u32)>,
    pub stored: Vec<Stored>,
    expected: VecDeque<(usize, Expected)>,
    /// For operations on two moduli: which of the two the next report is about.
    second: bool,
}

/// Observes the operations modulo one of the numbers. For an operation on two moduli it also
/// observes the second, which is the next number.
struct Listener {
    book: Arc<Mutex<Book>>,
    modulo: usize,
}

/// A book, which its observers write.
#[derive(Clone, Default)]
pub struct Ledger(Arc<Mutex<Book>>);

impl Ledger {
    pub fn of(moduli: &[&BigUint], choice: KernelChoice) -> Self {
        let moduli = moduli.iter().map(|modulus| Known::new(modulus, choice)).collect();
        Self(Arc::new(Mutex::new(Book { moduli, ..Book::default() })))
    }

    pub fn book(&self) -> MutexGuard<'_, Book> {
        self.0.lock().unwrap()
    }

    pub fn listener(&self, modulo: usize) -> Arc<dyn Observer> {
        Arc::new(Listener { book: self.0.clone(), modulo })
    }
}

impl Observer for Listener {
    fn before(&self, operation: Operation, operands: [&[u64]; 3]) {
        let book = &mut *self.book.lock().unwrap();
        let modulo = match operation {
            Operation::MulDual | Operation::SquareDual { .. } => {
                book.second = !book.second;
                self.modulo + usize::from(!book.second)
            }
            Operation::SelectDual { which } => self.modulo + which,
            _ => self.modulo,
        };
        match operation {
            Operation::Put { .. }
            | Operation::Take { .. }
            | Operation::MulLanes
            | Operation::SquareLanes
            | Operation::SelectLanes
            | Operation::SquareAndSelectLanes { .. }
            | Operation::LookUpLanes => book.before_rows(modulo, operation, operands),
            _ => book.before(modulo, operation, operands),
        }
    }

    fn after(&self, operation: Operation, result: &mut [u64]) {
        let book = &mut *self.book.lock().unwrap();
        match operation {
            Operation::Put { lane } => book.after_lane(result, lane),
            Operation::MulLanes
            | Operation::SquareLanes
            | Operation::SelectLanes
            | Operation::SquareAndSelectLanes { .. }
            | Operation::LookUpLanes => book.after_rows(self.modulo, result),
            _ => book.after(operation, result),
        }
    }
}

impl Book {
    fn before(&mut self, modulo: usize, operation: Operation, [first, second, third]: [&[u64]; 3]) {
        let known = &mut self.moduli[modulo];
        let modulus = known.modulus.clone();
        let result = match operation {
            Operation::ToMontgomery => self.enter(modulo, second),
            Operation::Load => self.load(modulo, second).loaded(1),
            Operation::FromMontgomery | Operation::Store => {
                known.take(RESIDUE, second).loaded(-i64::from(operation == Operation::Store))
            }
            Operation::Add | Operation::Sub => {
                let [x, y] = [first, second].map(|words| known.take(RESIDUE, words));
                let sum = match operation {
                    Operation::Add => x.plus(&y, &BigUint::from(1u32), &modulus),
                    _ => x.minus(&y, &modulus),
                };
                self.joined(modulo, sum)
            }
            Operation::Mul | Operation::MulDual => {
                let product = known.take_factor(first).times(&known.take(RESIDUE, second), &modulus);
                self.joined(modulo, product)
            }
            Operation::Square => known.take(RESIDUE, first).squared(1),
            Operation::SquareDual { times } => known.take(RESIDUE, first).squared(times),
            Operation::Prepare { .. } => known.take(RESIDUE, second),
            Operation::MulPrepared { split } => {
                known.take(RESIDUE, first).times(&known.take(split, second), &modulus)
            }
            Operation::MulPair => {
                let [x, y, factor] = [first, second, third].map(|words| known.take(RESIDUE, words));
                self.expected.push_back((modulo, Expected::Result(x.times(&factor, &modulus))));
                y.times(&factor, &modulus)
            }
            Operation::Select => return self.expect_entry(modulo, [second, third].concat()),
            Operation::SelectDual { .. } => return self.expect_entry(modulo, second.to_vec()),
            // Each operand becomes one of the two.
            Operation::Swap => {
                self.expect_entry(modulo, [first, second].concat());
                return self.expect_entry(modulo, [first, second].concat());
            }
            // The written residue is found by its words later.
            Operation::Replace => {
                assert!(known.by_words(RESIDUE, second).is_some(), "an entry that no operation has given");
                return;
            }
            _ => panic!("{operation:?}: the ledger does not keep it"),
        };
        self.expected.push_back((modulo, Expected::Result(result)));
    }

    fn after(&mut self, operation: Operation, result: &mut [u64]) {
        // An operation on two moduli reports both operands before its first result.
        let Some((modulo, expected)) = self.expected.pop_front() else {
            panic!("{operation:?} without operands")
        };
        let known = &mut self.moduli[modulo];
        match (operation, expected) {
            (_, Expected::Entry(entries)) => known.look_up(Place::of(result), result, &entries),
            (Operation::FromMontgomery | Operation::Store, Expected::Result(value)) => {
                self.stored.push(Stored { number: number(result), modulo, value });
            }
            (Operation::Prepare { split }, Expected::Result(value)) => {
                known.set(split, Place::of(result), result, value);
            }
            (_, Expected::Result(value)) => known.set(RESIDUE, Place::of(result), result, value),
        }
    }

    fn before_rows(&mut self, modulo: usize, operation: Operation, [first, second, third]: [&[u64]; 3]) {
        let known = &mut self.moduli[modulo];
        let modulus = known.modulus.clone();
        let (lanes, size) = known.row_size();
        let column = |known: &Known, table: &[u64], lane| {
            table.chunks_exact(size).flat_map(|row| known.lane(row, lane)).collect::<Vec<u64>>()
        };
        let mut expected = Vec::new();
        match operation {
            Operation::Put { .. } => expected.push(Expected::Result(known.take(RESIDUE, second))),
            Operation::Take { lane } => expected.push(Expected::Result(known.take_out(second, lane))),
            Operation::MulLanes => expected.extend((0..lanes).map(|lane| {
                let x = known.take_lane(first, lane);
                Expected::Result(x.times(&known.take_lane(second, lane), &modulus))
            })),
            Operation::SquareLanes => expected
                .extend((0..lanes).map(|lane| Expected::Result(known.take_lane(first, lane).squared(1)))),
            Operation::SelectLanes => {
                expected.extend((0..lanes).map(|lane| Expected::Entry(column(known, second, lane).into())))
            }
            Operation::SquareAndSelectLanes { times } => {
                let squares =
                    (0..lanes).map(|lane| Expected::Result(known.take_lane(first, lane).squared(times)));
                expected.extend(squares);
                expected.extend((0..lanes).map(|lane| Expected::Entry(column(known, third, lane).into())));
            }
            Operation::LookUpLanes => {
                let entries = Arc::new([second, third].concat());
                let places = lanes * (first.len() / size);
                expected.extend((0..places).map(|_| Expected::Entry(entries.clone())));
            }
            _ => unreachable!(),
        }
        self.expected.extend(expected.into_iter().map(|expected| (modulo, expected)));
    }

    /// Consecutive rows were written, each lane with its expected value.
    fn after_rows(&mut self, modulo: usize, result: &[u64]) {
        let (lanes, size) = self.moduli[modulo].row_size();
        for row in result.chunks_exact(size) {
            (0..lanes).for_each(|lane| self.after_lane(row, lane));
        }
    }

    fn after_lane(&mut self, row: &[u64], lane: usize) {
        let (modulo, expected) = self.expected.pop_front().expect("a row without operands");
        let known = &mut self.moduli[modulo];
        let (words, place) = (known.lane(row, lane), Place::in_row(row, lane));
        match expected {
            Expected::Entry(entries) => known.look_up(place, &words, &entries),
            Expected::Result(value) => known.set(RESIDUE, place, &words, value),
        }
    }

    fn expect_entry(&mut self, modulo: usize, entries: Vec<u64>) {
        self.expected.push_back((modulo, Expected::Entry(entries.into())));
    }

    /// A number below the modulus that is converted: a stored number, an input, a reduced input, or
    /// the inverse of one of these.
    fn enter(&mut self, modulo: usize, limbs: &[u64]) -> Value {
        let (entering, modulus) = (number(limbs), self.moduli[modulo].modulus.clone());
        assert!(entering < modulus, "a number that is not below the modulus");
        if let Some(value) = self.came_out(modulo, &entering) {
            let is_moved = |last: &Stored| {
                last.number == entering && last.modulo == modulo && last.value.power().is_some()
            };
            // With two factors, a residue that moves to the form for powers, or back, is written out only for
            // this. Its inverse is never entered.
            if self.moduli.len() > 1 && self.stored.last().is_some_and(is_moved) {
                self.stored.pop();
            }
            return value;
        }
        if let Some(i) = self.given.iter().position(|(value, _)| value % &modulus == entering) {
            return Number::Given(i).into();
        }
        // The code under test may invert it outside the kernels.
        let is_inverse = |value: &BigUint| &entering * value % &modulus == BigUint::from(1u32);
        let given = self.given.iter().enumerate().filter(|(_, (number, _))| is_inverse(number));
        let mut given = given.map(|(i, _)| Power::of(Unknown::Number(Number::Given(i))));
        let stored =
            self.stored.iter().filter(|stored| stored.modulo == modulo && is_inverse(&stored.number));
        let mut stored = stored.filter_map(|stored| stored.value.power().cloned());
        if let Some(power) = given.next().or_else(|| stored.next()) {
            return Power::default().times(&power, &(-1).into()).into();
        }
        self.given.push((entering, self.moduli[modulo].bits()));
        Number::Given(self.given.len() - 1).into()
    }

    /// A number with as many bits as the modulus that is loaded: a number stored modulo the same,
    /// or the next part of an input or of a stored number.
    fn load(&mut self, modulo: usize, limbs: &[u64]) -> Value {
        let (entering, chunk) = (number(limbs), self.moduli[modulo].bits());
        if let Some((whole, i)) = self.moduli[modulo].coming_in.take() {
            let (number, bits) = self.number(whole);
            if i * chunk < bits {
                assert_eq!(entering, part(number, i, chunk), "no part of the number that comes in");
                return self.part(modulo, whole, i);
            }
            // In whole words, the number may have more parts, which are zero.
            if entering == BigUint::ZERO {
                return Value::default();
            }
        }
        if let Some(value) = self.came_out(modulo, &entering) {
            return value;
        }
        let numbers =
            (0..self.given.len()).map(Number::Given).chain((0..self.stored.len()).map(Number::Stored));
        let begins = |&whole: &Number| part(self.number(whole).0, 0, chunk) == entering;
        let whole = numbers.rev().find(begins).unwrap_or_else(|| {
            assert!(entering.bits() <= u64::from(chunk), "a number that is longer than the modulus");
            self.given.push((entering, chunk));
            Number::Given(self.given.len() - 1)
        });
        self.part(modulo, whole, 0)
    }

    /// The value of a number stored modulo the same number: its power if it is one, otherwise the
    /// number itself.
    fn came_out(&self, modulo: usize, number: &BigUint) -> Option<Value> {
        let is = |stored: &Stored| stored.number == *number && stored.modulo == modulo;
        let i = self.stored.iter().rposition(is)?;
        let value = &self.stored[i].value;
        Some(if value.power().is_some() { value.clone() } else { Number::Stored(i).into() })
    }

    /// A number and its public bits.
    fn number(&self, number: Number) -> (&BigUint, u32) {
        match number {
            Number::Given(i) => (&self.given[i].0, self.given[i].1),
            Number::Stored(i) => (&self.stored[i].number, self.moduli[self.stored[i].modulo].bits()),
        }
    }

    /// Part i of a number. The next part is expected after it.
    fn part(&mut self, modulo: usize, whole: Number, i: u32) -> Value {
        let bits = self.number(whole).1;
        let known = &mut self.moduli[modulo];
        known.coming_in = ((i + 1) * known.bits() < bits.next_multiple_of(64)).then_some((whole, i + 1));
        Power::of(Unknown::Part(whole, i)).into()
    }

    /// Replaces the parts of each number by the number.
    fn joined(&self, modulo: usize, mut sum: Value) -> Value {
        let known = &self.moduli[modulo];
        let parts =
            sum.0.keys().flat_map(|power| power.exponents.keys()).filter_map(|unknown| match unknown {
                Unknown::Part(whole, 0) => Some(*whole),
                _ => None,
            });
        for whole in parts.collect::<Vec<_>>() {
            let count = self.number(whole).1.div_ceil(known.bits());
            sum = sum.joined(whole, count, known.bits(), &known.modulus);
        }
        sum
    }

    /// Begins an exponentiation: look-ups are numbered from 0.
    pub fn begin(&mut self) {
        self.moduli.iter_mut().for_each(Known::begin);
        self.stored.clear();
    }
}

/// The `chunk` bits of a number from bit i·`chunk` on.
fn part(number: &BigUint, i: u32, chunk: u32) -> BigUint {
    (number >> (i * chunk)) & testing::ones(chunk)
}
