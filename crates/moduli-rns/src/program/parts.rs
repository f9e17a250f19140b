//! The parts of operations, which are uninterrupted rows of issues, and their dependencies.

use alloc::{vec, vec::Vec};

use super::{
    instruction::Register,
    issue::{Addend, Constant, Entry, Factor, Issue, Left, Right, Timing, entries},
    operation::Operation,
};

/// A dependency: the part begins at least this number of cycles after the other part.
#[derive(Clone, Copy)]
pub(super) struct Wait {
    pub part: usize,
    pub cycles: isize,
}

/// An access to a register in one base, this number of cycles after the beginning of the part.
#[derive(Clone, Copy)]
pub(super) struct Access {
    pub register: Register,
    pub second: bool,
    pub at: usize,
}

impl Access {
    pub fn concerns(&self, other: &Self) -> bool {
        self.second == other.second && self.register.may_be(other.register)
    }

    /// The same for two accesses between which the current bit of the scalar may change.
    pub fn may_concern(&self, other: &Self) -> bool {
        let (one, two) = (self.register.candidates(), other.register.candidates());
        self.second == other.second && one.start < two.end && two.start < one.end
    }
}

/// The digits that a part takes from the ring.
#[derive(Clone, Copy)]
pub(super) struct Ring {
    /// The entry of the digits.
    pub from: Entry,
    /// The part that computes them.
    pub maker: usize,
    /// The index of the issue of this part that reads the first digit.
    pub first: usize,
}

/// An uninterrupted row of issues.
pub(super) struct Part {
    /// The operation to which it belongs.
    pub operation: usize,
    pub length: usize,
    pub issues: Vec<Issue>,
    pub waits: Vec<Wait>,
    pub reads: Vec<Access>,
    pub writes: Vec<Access>,
    pub ring: Option<Ring>,
    /// Whether this is a chunk product, which may be moved to a later cycle if the parts that wait for it
    /// allow this.
    pub movable: bool,
}

/// Temporary entries of operations have numbers from here on until their sets are assigned: see
/// [`temporary`].
pub(super) const TEMPORARY: usize = 1 << 20;

/// A temporary entry of an operation.
fn temporary(operation: usize, chunk: usize, second: bool) -> Entry {
    Entry { number: TEMPORARY + (operation << 8) + 2 * chunk + usize::from(second), unless: None }
}

/// The parts of all operations, in order.
pub(super) fn parts(operations: &[Operation], timing: Timing) -> Vec<Part> {
    let mut maker = Maker { timing, parts: Vec::new() };
    for (number, operation) in operations.iter().enumerate() {
        maker.operation(number, operation);
    }
    maker.parts
}

struct Maker {
    timing: Timing,
    parts: Vec<Part>,
}

impl Maker {
    /// Adds a part, with the dependencies that its accesses to registers require. Returns its index.
    fn part(
        &mut self,
        operation: usize,
        issues: Vec<Issue>,
        reads: Vec<Access>,
        writes: Vec<Access>,
        mut waits: Vec<Wait>,
    ) -> usize {
        let read = self.timing.read as isize;
        for (part, earlier) in self.parts.iter().enumerate().filter(|(_, part)| part.operation < operation) {
            let mut wait = |cycles: isize| waits.push(Wait { part, cycles });
            for write in &earlier.writes {
                reads.iter().filter(|each| each.concerns(write)).for_each(|each| {
                    wait(write.at as isize + read - each.at as isize);
                });
                writes.iter().filter(|each| each.concerns(write)).for_each(|each| {
                    wait(write.at as isize + 1 - each.at as isize);
                });
            }
            // A result can be read `read` cycles after its issue, so a write may be issued up to `read` − 1
            // cycles before an earlier read.
            for before in &earlier.reads {
                writes.iter().filter(|each| each.concerns(before)).for_each(|each| {
                    wait(before.at as isize + 1 - read - each.at as isize);
                });
            }
        }
        let (length, ring) = (issues.len(), None);
        self.parts.push(Part { operation, length, issues, waits, reads, writes, ring, movable: false });
        self.parts.len() - 1
    }

    fn operation(&mut self, number: usize, operation: &Operation) {
        match *operation {
            Operation::Product { to, a, b } => {
                let sums = [false, true].map(|second| self.chunks(number, [a, b], second));
                let terms = [false, true].map(|second| {
                    let chunks = 0..self.timing.chunks;
                    let term = |chunk| (temporary(number, chunk, second), Constant::Reduce { second, chunk });
                    chunks.map(term).collect::<Vec<_>>()
                });
                self.extensions(number, to, &terms, None, &sums);
            }
            Operation::Scale { to, from, constants } => {
                let terms = [0, 1].map(|base| vec![(entries(from)[base], constants[base])]);
                self.extensions(number, to, &terms, Some(from), &[Vec::new(), Vec::new()]);
            }
            Operation::Sum { to, a, b, twice, minus } => {
                let constant = if twice { Constant::Two } else { Constant::One };
                for second in [false, true] {
                    let base = usize::from(second);
                    let addend = minus.map(|multiple| Addend::Difference { multiple, twice, second });
                    let issue = Issue {
                        left: Left::Entry(entries(a)[base]),
                        right: b.map_or(Right::Nothing, |b| Right::Entry(entries(b)[base])),
                        minus: minus.is_some(),
                        addend: addend.unwrap_or(Addend::Zero),
                        to: Some(entries(to)[base]),
                        ..Issue::of_constant(second, constant)
                    };
                    let read = |register| Access { register, second, at: 0 };
                    let reads = [Some(a), b].into_iter().flatten().map(read).collect();
                    self.part(number, vec![issue], reads, vec![read(to)], Vec::new());
                }
            }
            Operation::Constant { to, number: constant } => {
                for second in [false, true] {
                    let issue = Issue {
                        right: Right::One,
                        to: Some(entries(to)[usize::from(second)]),
                        ..Issue::of_constant(second, Constant::Given { number: constant, second })
                    };
                    let write = Access { register: to, second, at: 0 };
                    self.part(number, vec![issue], Vec::new(), vec![write], Vec::new());
                }
            }
        }
    }

    /// Adds the chunk products in one base. Returns their indices.
    fn chunks(&mut self, number: usize, [a, b]: [Register; 2], second: bool) -> Vec<usize> {
        let timing = self.timing;
        let base = usize::from(second);
        let one = |chunk| {
            let issue = Issue {
                left: Left::Entry(entries(a)[base]),
                right: Right::Entry(entries(b)[base]),
                factor: Factor::Chunk(chunk),
                to: Some(temporary(number, chunk, second)),
                ..Issue::of_constant(second, Constant::One)
            };
            let reads = [a, b].map(|register| Access { register, second, at: 0 }).to_vec();
            let part = self.part(number, vec![issue], reads, Vec::new(), Vec::new());
            self.parts[part].movable = true;
            part
        };
        let chunks = 0..timing.chunks;
        chunks.map(one).collect()
    }

    /// Adds the sums of terms, which are entries times constants, in both bases, and the two base extensions.
    /// `chunks` are the parts that compute the entries; they are empty if the entries are those of a
    /// register.
    fn extensions(
        &mut self,
        number: usize,
        to: Register,
        terms: &[Vec<(Entry, Constant)>; 2],
        from: Option<Register>,
        chunks: &[Vec<usize>; 2],
    ) {
        let Timing { channels: n, read, .. } = self.timing;
        let (count, digits) = (terms[0].len(), temporary(number, 0, false));
        let made = |parts: &[usize]| {
            let wait = |(k, &part)| Wait { part, cycles: read as isize - k as isize };
            parts.iter().enumerate().map(wait).collect::<Vec<_>>()
        };
        let sum = |base: usize| {
            terms[base].iter().enumerate().map(move |(k, &(entry, constant))| Issue {
                left: Left::Entry(entry),
                accumulate: k > 0,
                ..Issue::of_constant(base == 1, constant)
            })
        };
        let reads = |second| from.map(|register| Access { register, second, at: 0 }).into_iter().collect();

        // The digits of Q̂, and their quotient.
        let mut issues: Vec<Issue> = sum(0).collect();
        if let Some(last) = issues.last_mut() {
            *last = Issue { to: Some(digits), quotient: Some(number), short: true, ..*last };
        }
        let reduce = self.part(number, issues, reads(false), Vec::new(), made(&chunks[0]));

        let mut issues: Vec<Issue> = sum(1).collect();
        issues.extend(self.row(number, to, true));
        let written = |second, at| vec![Access { register: to, second, at }];
        let mut waits = made(&chunks[1]);
        // The ring fetches the digits before the sums.
        waits.push(Wait { part: reduce, cycles: (count + read) as isize });
        let forth = self.part(number, issues, reads(true), written(true, count + n), waits);
        self.parts[forth].ring = Some(Ring { from: digits, maker: reduce, first: count });

        // The digits to fetch for the extension back are the result of the first extension.
        let again = entries(to)[1];
        let waits = vec![Wait { part: forth, cycles: (count + n + read + 2) as isize }];
        let issues = self.row(number, to, false).collect();
        let back = self.part(number, issues, Vec::new(), written(false, n), waits);
        self.parts[back].ring = Some(Ring { from: again, maker: forth, first: 0 });
        // The entry is read before this part begins, so a later write must wait for it.
        self.parts[back].reads.push(Access { register: to, second: true, at: 0 });
    }

    /// The row of a base extension: the digits in the ring, and finally the quotient.
    fn row(&self, number: usize, to: Register, second: bool) -> impl Iterator<Item = Issue> + use<> {
        let n = self.timing.channels;
        (0..=n).map(move |k| {
            let constant = if second { Constant::Forth(k) } else { Constant::Back(k) };
            Issue {
                left: if k < n { Left::Ring } else { Left::Nothing },
                right: if k < n { Right::Nothing } else { Right::Quotient(number) },
                accumulate: second || k > 0,
                to: (k == n).then_some(entries(to)[usize::from(second)]),
                quotient: (second && k == n).then_some(number),
                ..Issue::of_constant(second, constant)
            }
        })
    }
}
