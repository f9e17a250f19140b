//! Runs the code for rows of residues of `ifma52`; and makes a mistake in their carries that no run detects.

use super::patch::Mutant;
use checkmem::Trace;
use iced_x86::{Instruction, Mnemonic, OpKind};
use moduli_kernel::{
    KernelChoice,
    proofs::{Kernel, Lanes},
};
use num_bigint::BigUint;
use prove::{checker, prover, rows, specification::Operation};
use testing::Random;

const DIGIT: usize = 52;

/// The number of entries, all of which two squares look at.
const ENTRIES: usize = 8;

/// Proves the current code of an operation.
pub fn prove(operation: Operation, bits: usize) -> prove::failure::Result<()> {
    let (lifted, statements) = rows::record(KernelChoice::IFMA52, bits, operation, 1)?.lift()?;
    // One program does the same in all lanes, so the first and the last are enough.
    let statements: Vec<_> = statements.into_iter().step_by(7).collect();
    let certificates = prover::prove_all(&lifted.integers, &statements)?;
    checker::check_all(&lifted.integers.system, &statements, &certificates)
}

/// Two squares during which entries are looked up.
fn squares(lanes: &dyn Lanes, x: &mut [u64], scratch: &mut [u64]) {
    let words = x.len();
    lanes.square_and_select((x, 2), (&mut vec![0; words], &vec![0; words * ENTRIES], &[0; 8]), scratch);
}

/// The products of eight pairs of operands at a time, and whether all their digits are short.
pub fn products(
    kernel: &dyn Kernel,
    operation: Operation,
    operands: &[[BigUint; 2]],
) -> Vec<(bool, BigUint)> {
    let lanes = kernel.lanes().unwrap();
    let mask = BigUint::from((1u64 << DIGIT) - 1);
    let mut scratch = vec![u64::MAX; lanes.scratch_words()];
    let mut found = Vec::new();
    for eight in operands.chunks_exact(8) {
        let row = |which: usize| {
            let word = |at: usize| (&eight[at % 8][which] >> (DIGIT * (at / 8))) & &mask;
            (0..lanes.row_words()).map(|at| u64::try_from(word(at)).unwrap()).collect::<Vec<_>>()
        };
        let [mut x, y] = [row(0), row(1)];
        match operation {
            Operation::SquareRows => lanes.square(&mut x, &mut scratch),
            Operation::SquareAndSelect(_) => squares(lanes, &mut x, &mut scratch),
            _ => lanes.mul(&mut x, &y, &mut scratch),
        }
        // Digits are the lowest bits of words.
        found.extend((0..8).map(|lane| {
            let digits = x.iter().skip(lane).step_by(8).map(|word| word & ((1 << DIGIT) - 1));
            let value = digits.rev().fold(BigUint::ZERO, |sum, digit| (sum << DIGIT) + digit);
            (true, value)
        }));
    }
    found
}

/// Whether each lane finds its words by its own index, and zero past the last entry.
pub fn finds_lanes(lanes: &dyn Lanes, operation: Operation) -> bool {
    let words = lanes.row_words();
    let mut random = Random(words as u64);
    let entries: Vec<u64> = (0..words * ENTRIES).map(|_| random.word()).collect();
    let many = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1 << 32, 1 << 63, u64::MAX, (1 << 63) - 1, (1 << 63) + 1];
    (0..40).all(|turn| {
        let indices: Vec<u64> = (0..8).map(|lane| many[(turn * 3 + lane * 7) % many.len()]).collect();
        let mut out = vec![u64::MAX; words];
        if matches!(operation, Operation::SquareAndSelect(_)) {
            let (mut x, mut scratch) = (vec![1; words], vec![u64::MAX; lanes.scratch_words()]);
            lanes.square_and_select((&mut x, 2), (&mut out, &entries, &indices), &mut scratch);
        } else {
            lanes.select(&mut out, &entries, &indices);
        }
        out.iter().enumerate().all(|(i, &word)| {
            let entry = entries.chunks(words).nth(usize::try_from(indices[i % 8]).unwrap());
            word == entry.map_or(0, |entry| entry[i])
        })
    })
}

/// Where a digit is subtracted from a sum, the rest is carried. If the digit is taken from the column without
/// the carry into it, it differs only if that sum overflows a digit: less than once in 2^42 rows.
pub fn rare(trace: &Trace) -> Vec<Mutant> {
    let code: Vec<&Instruction> = trace.code.iter().map(|code| &code.instruction).collect();
    let mut found = Vec::new();
    for (place, shift) in code.iter().enumerate().skip(4) {
        let is_carry = shift.mnemonic() == Mnemonic::Vpsrlq
            && shift.op2_kind() == OpKind::Immediate8
            && shift.immediate8() == 52;
        let before = &code[place - 4..place];
        let is_sum =
            |i: &&&Instruction| i.mnemonic() == Mnemonic::Vpaddq && i.op0_register() == shift.op1_register();
        let Some(sum) = before.iter().rposition(|i| is_sum(&i)).filter(|_| is_carry) else { continue };
        let column = before[sum].op2_register();
        let is_there = before[sum..].iter().all(|i| i.op0_register() != column);
        // One byte holds the lowest three bits of the register's number.
        let source = shift.op1_register();
        let are_beside = column.is_vector_register() && column.number() / 8 == source.number() / 8;
        if is_there && are_beside && column != source {
            let bytes = &trace.code[place].bytes;
            let at = bytes.len() - 2;
            found.push(Mutant {
                what: "a carry without the one below",
                address: shift.ip() + at as u64,
                old: bytes[at],
                new: bytes[at] & !7 | (column.number() % 8) as u8,
                text: format!("{shift}"),
            });
        }
    }
    found
}
