//! Wrong code that prepares operands in digits, or multiplies two operands by one, is refused. Changed code
//! that is still proved is interpreted, so the processor need not have its instructions.

use super::{
    fma50, ifma52,
    patch::{ALONE, Mutant, patch},
    tally::Extent,
};
use moduli_kernel::{Dimensions, KernelChoice, proofs};
use num_bigint::BigUint;
use prove::{
    doubles,
    failure::{Reason, Result},
    proof::Job,
    specification::Operation,
    subject::{Subject, can_be_made},
};
use std::collections::{BTreeMap, BTreeSet};
use testing::Random;

/// The columns of a block of a matrix.
const COLUMNS: usize = 16;

/// The most instructions that an operation may execute.
const LIMIT: u64 = 100_000_000;

fn words(random: &mut Random, count: usize, is_extreme: bool) -> BigUint {
    let mut word = || match random.word() {
        word if !is_extreme || word.is_multiple_of(5) => word,
        word if word.is_multiple_of(3) => 0,
        _ => u64::MAX,
    };
    (0..count).fold(BigUint::ZERO, |sum, _| (sum << 64) + word())
}

/// The form of a kernel's numbers: bits of a digit, words, digits of a part, and the bound of residues, in
/// multiples of N.
struct Form {
    choice: KernelChoice,
    bits: usize,
    words: usize,
    part: usize,
    bound: BigUint,
    strips: usize,
}

impl Form {
    fn new(choice: KernelChoice, sizes: &Dimensions, pieces: usize, n: &BigUint) -> Self {
        let words = sizes.residue_words;
        if choice == KernelChoice::IFMA52 {
            // Long residues have their digits in order, eight in each strip.
            let in_strips = words <= 80;
            let blocks = if in_strips { sizes.max_split } else { words / 8 };
            let part = words / blocks * blocks.div_ceil(pieces);
            let strips = if in_strips { blocks } else { 1 };
            return Self { choice, bits: 52, words, part, bound: n * 12u32, strips };
        }
        let limit = (BigUint::from(1u32) << (sizes.radix_bits - 2)) / n * n;
        Self { choice, bits: 50, words, part: 4 * (words / 4).div_ceil(pieces), bound: limit, strips: 1 }
    }

    fn place(&self, i: usize) -> usize {
        let long = self.words / self.strips;
        self.strips * (i % long) + i / long
    }

    fn residue(&self, number: &BigUint) -> Vec<u64> {
        let mut out = vec![0; self.words];
        for i in 0..self.words {
            let digit = (number >> (self.bits * i)) & BigUint::from((1u64 << self.bits) - 1);
            let digit = u64::try_from(digit).unwrap();
            out[self.place(i)] =
                if self.choice == KernelChoice::FMA50 { (digit as f64).to_bits() } else { digit };
        }
        out
    }

    /// Whether these words are the rows of a number's matrix, in blocks of columns, and the sum of the
    /// products of neighbouring rows.
    fn is_matrix(&self, words: &[u64], a: &BigUint, n: &BigUint, radix: usize) -> bool {
        let digits = radix / self.bits;
        let (matrix, correction) = words.split_at(self.words * digits);
        let row = |j: usize| {
            let place = |i: usize| {
                let block = i / COLUMNS * COLUMNS;
                block * digits + j * (self.words - block).min(COLUMNS) + i - block
            };
            (0..self.words).map(|i| matrix[place(i)]).collect::<Vec<_>>()
        };
        let rows: Vec<_> = (0..digits).map(row).collect();
        let is_row = |(j, row): (usize, &Vec<u64>)| {
            let is_it = |value: BigUint| value < *n && (value << radix) % n == (a << (self.bits * j)) % n;
            self.number(row).is_some_and(is_it)
        };
        let product = |x: u64, y: u64| BigUint::from(f64::from_bits(x) as u64) * (f64::from_bits(y) as u64);
        let sum = rows.chunks_exact(2).flat_map(|rows| rows[0].iter().zip(&rows[1]).enumerate());
        let sum: BigUint = sum.map(|(i, (&x, &y))| product(x, y) << (self.bits * i)).sum();
        rows.iter().enumerate().all(is_row) && self.number(correction) == Some(sum)
    }

    /// The number with these digits, if they are below 2^bits.
    fn number(&self, words: &[u64]) -> Option<BigUint> {
        let number = (0..self.words).rev().fold(BigUint::ZERO, |sum, i| {
            let word = words[self.place(i)];
            let digit = if self.choice == KernelChoice::FMA50 { f64::from_bits(word) as u64 } else { word };
            (sum << self.bits) + digit
        });
        (self.residue(&number) == words).then_some(number)
    }
}

/// Interprets a call.
fn interpret(call: impl FnOnce()) {
    let (report, _) = checkmem::record(LIMIT, || {
        checkmem::start_recording();
        call();
        checkmem::stop_recording();
    });
    assert!(report.ended.is_ok());
}

/// Whether pieces, or both products, are right for some moduli and operands, including extreme ones, if the
/// current code is interpreted.
fn is_right(choice: KernelChoice, bits: usize, operation: Operation) -> bool {
    let pieces = operation.pieces();
    let mut random = Random(bits as u64);
    let one = BigUint::from(1u32);
    (0..4).all(|round| {
        let top = &one << (bits - 1);
        let n = (words(&mut random, bits.div_ceil(64), round % 2 == 0) % &top) | &top | &one;
        // SAFETY: its operations are only interpreted.
        let kernel = unsafe { proofs::kernel_to_interpret(choice, &n.to_u64_digits()) }.unwrap();
        let sizes = *kernel.dimensions();
        let form = Form::new(choice, &sizes, pieces, &n);
        let mut scratch = vec![u64::MAX; sizes.scratch_words];
        (0..4).all(|turn| {
            let any = words(&mut random, form.words, turn == 1) % &form.bound;
            let a = if turn == 0 { &form.bound - &one } else { any };
            let residue = form.residue(&a);
            if operation == Operation::MulPair {
                let b = words(&mut random, form.words, turn == 2) % &form.bound;
                let [mut x, mut y] = [form.residue(&b), residue.clone()];
                interpret(|| kernel.mul_pair(&mut x, &mut y, &residue, &mut scratch));
                return [(x, b), (y, a.clone())].into_iter().all(|(product, factor)| {
                    let is_product = |value: BigUint| {
                        value < &n * 4u32 && (value << sizes.radix_bits) % &n == &a * factor % &n
                    };
                    form.number(&product).is_some_and(is_product)
                });
            }
            let mut out = vec![u64::MAX; sizes.prepared_words(pieces)];
            interpret(|| kernel.prepare(&mut out, &residue, pieces, &mut scratch));
            if choice == KernelChoice::FMA50 && pieces > form.words / 4 {
                return form.is_matrix(&out, &a, &n, sizes.radix_bits);
            }
            out.chunks(form.words).enumerate().all(|(i, piece)| {
                let expected = (&a << (form.bits * form.part * (i + 1))) % &n;
                let is_piece = |value: BigUint| value < n && (value << sizes.radix_bits) % &n == expected;
                form.number(piece).is_some_and(is_piece)
            })
        })
    })
}

fn prove(choice: KernelChoice, bits: usize, operation: Operation) -> Result<()> {
    Job { kernel: choice, operation, bits }.prove().map(drop)
}

fn mutants(choice: KernelChoice, bits: usize, operation: Operation) -> Vec<Mutant> {
    if choice == KernelChoice::FMA50 {
        return fma50::mutants(doubles::record(choice, bits, operation, 1).unwrap().trace());
    }
    let trace = Subject::new(choice, bits).unwrap().record(operation, 1).unwrap().trace;
    ifma52::mutants(&trace, operation)
}

/// Selects the first changes of each kind, and some of the others.
fn some(mutants: Vec<Mutant>, extent: Extent) -> Vec<Mutant> {
    let mut of_kind: BTreeMap<&str, usize> = BTreeMap::new();
    let is_taken = |mutant: &Mutant| {
        let count = of_kind.entry(mutant.what).or_default();
        *count += 1;
        *count <= extent.first || count.is_multiple_of(extent.every)
    };
    mutants.into_iter().filter(is_taken).collect()
}

/// Tries changes. Returns how many are refused because the equations do not give the result, and those that
/// are right after all.
fn change_bytes(choice: KernelChoice, cases: &[(usize, Operation)], extent: Extent) -> (usize, usize) {
    let (mut reasons, mut right) = (BTreeMap::<String, usize>::new(), Vec::new());
    let mut tried = BTreeSet::new();
    for &(bits, operation) in cases {
        assert!(is_right(choice, bits, operation), "{operation} of {bits} bits");
        for mutant in some(mutants(choice, bits, operation), extent) {
            if !tried.insert((mutant.address, mutant.new)) {
                continue;
            }
            patch(mutant.address, mutant.new);
            let found = prove(choice, bits, operation);
            let is_right = found.is_err() || is_right(choice, bits, operation);
            patch(mutant.address, mutant.old);
            let what = format!("{} at {bits} bits, {} for `{}`", choice.name(), mutant.what, mutant.text);
            assert!(is_right, "{what} is proved, and wrong");
            match found {
                Ok(()) => right.push(what),
                Err(failure) => *reasons.entry(format!("{:?}", failure.reason)).or_default() += 1,
            }
        }
        prove(choice, bits, operation).unwrap();
    }
    println!("{}: refused {reasons:?}; right after all {}", choice.name(), right.len());
    right.iter().for_each(|what| println!("right after all: {what}"));
    (reasons.get(&format!("{:?}", Reason::Unproven)).copied().unwrap_or(0), right.len())
}

fn change_some(extent: Extent, enough: usize) {
    let _alone = ALONE.lock();
    use Operation::{MulPair, Prepare};
    let cases = [
        (KernelChoice::IFMA52, &[(408, Prepare(3)), (616, Prepare(2)), (1240, Prepare(5))][..]),
        (
            KernelChoice::FMA50,
            &[(300, Prepare(2)), (700, Prepare(2)), (1024, Prepare(3)), (300, Prepare(3)), (800, Prepare(6))],
        ),
        (KernelChoice::IFMA52, &[(200, MulPair), (824, MulPair), (1552, MulPair)]),
    ];
    for (choice, cases) in cases.into_iter().filter(|(choice, _)| can_be_made(*choice)) {
        let (refuted, right) = change_bytes(choice, cases, extent);
        assert!(refuted > enough && right < refuted / 4, "{}: {refuted} and {right}", choice.name());
    }
}

#[test]
fn changed_bytes_are_refused() {
    change_some(Extent { first: 1, every: 300 }, 10);
}

#[test]
#[ignore = "takes ten seconds"]
fn other_changed_bytes_are_refused() {
    change_some(Extent { first: 4, every: 60 }, 40);
}

#[test]
#[ignore = "takes half a minute"]
fn changed_bytes_of_the_page_are_refused() {
    change_some(Extent { first: 4, every: 13 }, 40);
}
