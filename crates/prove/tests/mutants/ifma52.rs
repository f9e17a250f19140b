//! Wrong code of `ifma52` is refused: bytes of the compiled kernel are changed in memory, in this process,
//! one at a time. Changed code that is still proved has to be right: it is run on many operands, including
//! extreme ones.

use super::{
    lanes, moves,
    patch::{ALONE, Mutant, patch},
    tally::{Extent, OF_THE_PAGE, SOME, Tried, all_are_refused, is_there, some_are_refused},
};
use checkmem::Trace;
use iced_x86::{Instruction, Mnemonic, OpKind, Register};
use moduli_kernel::{
    KernelChoice,
    proofs::{self, Kernel},
};
use num_bigint::BigUint;
use prove::{checker, failure::Reason, proof::Job, prover, rows, specification::Operation, subject::Subject};
use testing::Random;

/// The place of the opcode, for encodings with a prefix of their own.
fn opcode(bytes: &[u8]) -> Option<usize> {
    match bytes[0] {
        0x62 => Some(4),
        0xc4 => Some(3),
        0xc5 => Some(2),
        _ => None,
    }
}

/// Changes that do not affect addresses and lengths of instructions.
pub(super) fn mutants(trace: &Trace, operation: Operation) -> Vec<Mutant> {
    let mut found = Vec::new();
    // Sums and differences find digits by an index, and products find them in the scratch space. Additions in
    // other code may compute an address.
    let is_product = !matches!(operation, Operation::Add | Operation::Sub | Operation::Store);
    for code in &trace.code {
        let (i, bytes): (&Instruction, &[u8]) = (&code.instruction, &code.bytes);
        let mut change = |what, at: usize, new: u8| {
            let address = i.ip() + at as u64;
            found.push(Mutant { what, address, old: bytes[at], new, text: format!("{i}") });
        };
        let last = bytes.len() - 1;
        let is_place = match operation {
            _ if is_of_rows(operation) => false,
            _ if is_product => i.memory_base() == Register::RDI,
            _ => i.memory_index_scale() == 8,
        };
        let reads_digit = i.op1_kind() == OpKind::Memory && is_place;
        let is_digit_shift = i.op_count() > 1
            && i.op_kind(i.op_count() - 1) == OpKind::Immediate8
            && i.immediate(i.op_count() - 1) == 52;
        if let Some(at) = opcode(bytes) {
            match i.mnemonic() {
                Mnemonic::Vpmadd52luq => change("the upper half", at, 0xb5),
                Mnemonic::Vpmadd52huq => change("the lower half", at, 0xb4),
                Mnemonic::Vpaddq => change("a difference", at, 0xfb),
                Mnemonic::Vpsubq => change("a sum", at, 0xd4),
                Mnemonic::Vpand | Mnemonic::Vpandq => change("a disjunction", at, 0xeb),
                Mnemonic::Vpcmpgtq => change("another comparison", at, 0x29),
                Mnemonic::Vpcmpeqq => change("another comparison", at, 0x37),
                Mnemonic::Valignq => {
                    change("another lane", last, bytes[last] ^ 3);
                    change("the lane beside", last, bytes[last].wrapping_add(1));
                }
                Mnemonic::Vpsrlq if is_digit_shift => {
                    change("a shorter digit", last, 51);
                    change("a longer digit", last, 53);
                }
                Mnemonic::Vpternlogq if finds(operation) => {
                    change("without what was found", last, 0xa0);
                    change("exclusive or", last, bytes[last] ^ 0x80);
                    change("whatever the mask", last, 0xfc);
                }
                Mnemonic::Vpternlogq => change("without one digit", last, 0xa0),
                Mnemonic::Vpandn | Mnemonic::Vpandnq => change("a conjunction", at, 0xdb),
                Mnemonic::Vpsraq => change("another shift", last, bytes[last] ^ 1),
                Mnemonic::Vpbroadcastq | Mnemonic::Vbroadcastsd if i.memory_displ_size() == 1 => {
                    change("another digit", last, bytes[last] ^ 1);
                }
                Mnemonic::Vmovdqu64 if is_of_rows(operation) && i.memory_displ_size() == 1 => {
                    change("another digit", last, bytes[last] ^ 1);
                }
                _ => {}
            }
            if bytes[0] == 0x62 && i.has_op_mask() {
                change("without a mask", 3, bytes[3] & !0x87);
                if i.zeroing_masking() {
                    change("what was there", 3, bytes[3] & !0x80);
                }
            }
        } else {
            match i.mnemonic() {
                // Everything outside vectors is a length.
                _ if finds(operation) || is_of_rows(operation) => {}
                Mnemonic::Shr | Mnemonic::Sar if is_digit_shift => {
                    change("a shorter digit", last, 51);
                    change("a longer digit", last, 53);
                }
                Mnemonic::And if i.op1_kind() == OpKind::Immediate8 && i.op0_register().size() == 1 => {
                    change("a carry out of the highest lane", last, bytes[last] << 1 | 1);
                    change("without a carry", last, bytes[last] >> 1);
                    change("without the carry of one lane", last, bytes[last] ^ 4);
                }
                Mnemonic::Add if i.op0_register().is_gpr8() => change("a difference", 0, bytes[0] | 0x28),
                Mnemonic::Xor if i.op0_register().is_gpr8() => {
                    change("a disjunction", 0, bytes[0] & !0x38 | 8)
                }
                Mnemonic::Add if reads_digit && bytes[0] & 0xf8 == 0x48 && bytes[1] == 3 => {
                    change("a difference", 1, bytes[1] | 0x28);
                }
                Mnemonic::Sub if reads_digit && bytes[0] & 0xf8 == 0x48 && bytes[1] == 0x2b => {
                    change("a sum", 1, bytes[1] & !0x28);
                }
                Mnemonic::And if bytes[0] & 0xf8 == 0x48 && bytes[1] & !2 == 0x21 => {
                    change("a disjunction", 1, bytes[1] & !0x38 | 8);
                }
                _ => {}
            }
        }
    }
    found
}

/// Whether the operation looks up entries.
fn finds(operation: Operation) -> bool {
    matches!(operation, Operation::Select(_) | Operation::SelectRows(_))
}

fn is_of_rows(operation: Operation) -> bool {
    matches!(operation, Operation::SelectRows(_)) || operation.multiplies_rows()
}

fn prove(subject: &Subject, operation: Operation) -> prove::failure::Result<()> {
    let (lifted, statement) = subject.record(operation, 1)?.lift()?;
    let certificate = prover::prove(&lifted.integers, &statement)?;
    checker::check(&lifted.integers.system, &statement, &certificate)
}

const DIGIT: usize = 52;

/// A kernel, its modulus, and pairs of operands.
struct Run {
    kernel: Box<dyn Kernel>,
    n: BigUint,
    operands: Vec<[BigUint; 2]>,
}

fn runs(bits: usize) -> Vec<Run> {
    let mut random = Random(bits as u64);
    let one = BigUint::from(1u32);
    let top = &one << bits;
    // Digits include those that carries run through.
    let mut number = |below: &BigUint| {
        let mut x = BigUint::ZERO;
        for _ in 0..bits / DIGIT + 2 {
            let digit = match random.word() % 8 {
                0..3 => (1u64 << DIGIT) - 1,
                3..5 => 0,
                5 => 1,
                _ => random.word() >> 12,
            };
            x = (x << DIGIT) + digit;
        }
        x % below
    };
    let run = |round| {
        let n = match round % 4 {
            0 => &top - &one,
            1 => (number(&top) | &one) % &top,
            _ => number(&top) | (&one << (bits - 1)) | &one,
        };
        let n = if n < BigUint::from(3u32) { BigUint::from(3u32) } else { n };
        let n = n | (&one << (bits - 1));
        let bound = &n * 12u32;
        let operands =
            (0..40).map(|i| [number(&bound), if i % 8 == 0 { &bound - &one } else { number(&bound) }]);
        let operands = operands.collect();
        let limbs: Vec<u64> = n.to_u64_digits();
        Run { kernel: proofs::kernel(KernelChoice::IFMA52, &limbs).unwrap(), n, operands }
    };
    (0..12).map(run).collect()
}

/// Whether the result is a number of words.
fn leaves(operation: Operation) -> bool {
    matches!(operation, Operation::Store | Operation::FromMontgomery)
}

/// Whether entries of a row of words are found by their indices, and zero beyond.
fn finds_entries(runs: &[Run], operation: Operation) -> bool {
    runs.iter().all(|Run { kernel, .. }| {
        if is_of_rows(operation) {
            return lanes::finds_lanes(kernel.lanes().unwrap(), operation);
        }
        let words = kernel.dimensions().residue_words;
        let mut random = Random(words as u64);
        let entries: Vec<u64> = (0..words * 4).map(|_| random.word()).collect();
        let (first, row) = entries.split_at(words);
        (0..6).chain([1 << 32, 1 << 63, u64::MAX]).all(|index| {
            let mut out = vec![u64::MAX; words];
            kernel.select(&mut out, first, row, index);
            let expected = entries.chunks(words).nth(usize::try_from(index).unwrap());
            expected.map_or(out.iter().all(|&word| word == 0), |expected| out == expected)
        })
    })
}

/// Whether the current code is right for all of these. It is run, not interpreted.
fn is_right(runs: &[Run], operation: Operation, mutant: &Mutant) -> bool {
    let mut found = Vec::new();
    patch(mutant.address, mutant.new);
    if finds(operation) {
        let is_right = finds_entries(runs, operation);
        patch(mutant.address, mutant.old);
        return is_right;
    }
    for Run { kernel, operands, .. } in runs {
        if is_of_rows(operation) {
            found.extend(lanes::products(&**kernel, operation, operands));
            continue;
        }
        let dimensions = kernel.dimensions();
        let (blocks, words) = (dimensions.max_split, dimensions.residue_words);
        let place = |i: usize| blocks * (i % (words / blocks)) + i / (words / blocks);
        let residue = |x: &BigUint| {
            let mut out = vec![0u64; words];
            let mask = BigUint::from((1u64 << DIGIT) - 1);
            (0..words).for_each(|i| out[place(i)] = u64::try_from((x >> (DIGIT * i)) & &mask).unwrap());
            out
        };
        let mut scratch = vec![u64::MAX; dimensions.scratch_words];
        for [x, y] in operands {
            let (mut x, y, mut out) = (residue(x), residue(y), vec![0; dimensions.limbs]);
            match operation {
                Operation::Mul => kernel.mul(&mut x, &y, &mut scratch),
                Operation::Square => kernel.square(&mut x, &mut scratch),
                Operation::Add => kernel.add(&mut x, &y, &mut scratch),
                Operation::Store => kernel.store(&mut out, &x, &mut scratch),
                Operation::FromMontgomery => kernel.from_montgomery(&mut out, &x, &mut scratch),
                _ => kernel.sub(&mut x, &y, &mut scratch),
            }
            if leaves(operation) {
                found.push((true, out.iter().rev().fold(BigUint::ZERO, |sum, &word| (sum << 64) + word)));
                continue;
            }
            let is_short = x.iter().all(|&digit| digit < 1 << DIGIT);
            let value = (0..words).rev().fold(BigUint::ZERO, |sum, i| (sum << DIGIT) + x[place(i)]);
            found.push((is_short, value));
        }
    }
    let finds = !matches!(operation, Operation::SquareAndSelect(_)) || finds_entries(runs, operation);
    patch(mutant.address, mutant.old);
    let mut found = found.into_iter();
    finds
        && runs.iter().all(|Run { kernel, n, operands }| {
            let r = BigUint::from(1u32) << kernel.dimensions().radix_bits;
            operands.iter().all(|[x, y]| {
                let (is_short, value) = found.next().unwrap();
                let (expected, times, limit) = match operation {
                    Operation::Mul | Operation::MulRows => (x * y, r.clone(), 4u32),
                    Operation::Square | Operation::SquareRows => (x * x, r.clone(), 4),
                    Operation::SquareAndSelect(_) => (x.pow(4), r.pow(3), 4),
                    Operation::Add => (x + y, BigUint::from(1u32), 12),
                    Operation::Store => (x.clone(), BigUint::from(1u32), 1),
                    Operation::FromMontgomery => (x.clone(), r.clone(), 1),
                    _ => (x + n * 12u32 - y, BigUint::from(1u32), 12),
                };
                is_short && value < n * limit && (value * times) % n == expected % n
            })
        })
}

fn subject(operation: Operation, bits: usize) -> Tried {
    if matches!(operation, Operation::SelectRows(_)) {
        let (kernel, runs) = (KernelChoice::IFMA52, runs(bits));
        return Tried {
            mutants: mutants(&moves::trace(kernel, bits, operation), operation),
            prove: Box::new(move || Job { kernel, operation, bits }.prove().map(drop)),
            is_right: Box::new(move |mutant| is_right(&runs, operation, mutant)),
        };
    }
    if is_of_rows(operation) {
        let trace = rows::record(KernelChoice::IFMA52, bits, operation, 1).unwrap().trace;
        let runs = runs(bits);
        return Tried {
            mutants: [mutants(&trace, operation), lanes::rare(&trace)].concat(),
            prove: Box::new(move || lanes::prove(operation, bits)),
            is_right: Box::new(move |mutant| is_right(&runs, operation, mutant)),
        };
    }
    let subject = Subject::new(KernelChoice::IFMA52, bits).unwrap();
    let (mutants, runs) = (mutants(&subject.record(operation, 1).unwrap().trace, operation), runs(bits));
    Tried {
        mutants,
        prove: Box::new(move || prove(&subject, operation)),
        is_right: Box::new(move |mutant| is_right(&runs, operation, mutant)),
    }
}

#[test]
fn changed_bytes_are_refused() {
    change_some(SOME, [60, 60]);
}

#[test]
#[ignore = "takes ten seconds"]
fn changed_bytes_of_the_page_are_refused() {
    change_some(OF_THE_PAGE, [60, 60]);
}

fn change_some(extent: Extent, least: [usize; 2]) {
    let _alone = ALONE.lock();
    if !is_there(KernelChoice::IFMA52) {
        return;
    }
    use Operation::{
        Add, FromMontgomery, Mul, MulRows, Select, SelectRows, Square, SquareAndSelect, SquareRows, Store,
        Sub,
    };
    let products = [
        (Mul, 408),
        (Square, 408),
        (Mul, 1240),
        (Square, 1240),
        (MulRows, 200),
        (SquareRows, 408),
        (MulRows, 616),
        (SquareRows, 824),
        (MulRows, 1241),
        (SquareAndSelect(8), 616),
        (SquareAndSelect(8), 408),
    ];
    let others = [
        (Add, 408),
        (Sub, 200),
        (Store, 408),
        (FromMontgomery, 616),
        (Select(3), 408),
        (Select(3), 1240),
        (SelectRows(3), 408),
        (SelectRows(3), 1240),
    ];
    let subjects = [&products[..], &others].concat();
    some_are_refused(&subjects, subject, extent, least, 4);
}

/// A mistake that no run detects.
#[test]
fn rare_mistakes_are_refused() {
    let _alone = ALONE.lock();
    if !is_there(KernelChoice::IFMA52) {
        return;
    }
    for (operation, bits) in
        [(Operation::MulRows, 1024), (Operation::SquareRows, 824), (Operation::SquareAndSelect(8), 1200)]
    {
        let trace = rows::record(KernelChoice::IFMA52, bits, operation, 1).unwrap().trace;
        let is_refused = |mutant: &Mutant| {
            patch(mutant.address, mutant.new);
            let found = lanes::prove(operation, bits);
            patch(mutant.address, mutant.old);
            found.is_err_and(|failure| failure.reason == Reason::Unproven)
        };
        // Where nothing is carried, the change is right: see the changed bytes.
        let refused = lanes::rare(&trace).iter().filter(|mutant| is_refused(mutant)).count();
        assert!(refused > 1, "{operation} at {bits} bits: {refused}");
    }
}

/// All changes, for more sizes: `cargo test --release -p moduli-prove --test mutants -- --ignored
/// --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn all_changed_bytes_are_refused() {
    let _alone = ALONE.lock();
    if !is_there(KernelChoice::IFMA52) {
        return;
    }
    all_are_refused(&[200, 408, 1032, 1240, 1552, 2072], subject);
}
