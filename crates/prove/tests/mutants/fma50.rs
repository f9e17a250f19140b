//! Wrong code of `fma50` is refused, as that of `ifma52` is. What is proved nevertheless has to be right: it is run on many operands.

use super::{
    patch::{ALONE, Mutant, patch},
    tally::{Tried, all_are_refused, is_there, some_are_refused},
};
use checkmem::Trace;
use iced_x86::{Instruction, Mnemonic, OpKind, Register};
use moduli_kernel::{
    KernelChoice,
    proofs::{self, Kernel},
};
use num_bigint::BigUint;
use prove::{doubles, proof::Proved, specification::Operation};
use testing::Random;

const DIGIT: usize = 50;
const HIGHEST: u64 = (1 << DIGIT) + (1 << 14) - 1;

/// Changes that leave addresses and lengths of instructions alone.
pub(super) fn mutants(trace: &Trace) -> Vec<Mutant> {
    let mut found = Vec::new();
    for code in &trace.code {
        let (i, bytes): (&Instruction, &[u8]) = (&code.instruction, &code.bytes);
        let mut change = |what, at: usize, new: u8| {
            let address = i.ip() + at as u64;
            found.push(Mutant { what, address, old: bytes[at], new, text: format!("{i}") });
        };
        let last = bytes.len() - 1;
        let ends_with = |immediate: u64| {
            let operand = i.op_count().saturating_sub(1);
            i.op_count() > 1 && i.op_kind(operand) == OpKind::Immediate8 && i.immediate(operand) == immediate
        };
        // Where the opcode stands, for encodings with a prefix of their own.
        let opcode = match bytes[0] {
            0xc4 => Some(3),
            0xc5 => Some(2),
            _ => None,
        };
        let reads_digit = i.op1_kind() == OpKind::Memory && i.memory_index_scale() == 8;
        match (i.mnemonic(), opcode) {
            (Mnemonic::Vfmadd231pd, Some(at)) => {
                change("other factors", at, 0xa8);
                change("the negative product", at, 0xbc);
            }
            (Mnemonic::Vfmadd213pd, Some(at)) => change("other factors", at, 0xb8),
            (Mnemonic::Vpaddq, Some(at)) => change("a difference", at, 0xfb),
            (Mnemonic::Vpsubq, Some(at)) => change("a sum", at, 0xd4),
            (Mnemonic::Vaddpd, Some(at)) => change("a difference of doubles", at, 0x5c),
            (Mnemonic::Vsubpd, Some(at)) => change("a sum of doubles", at, 0x58),
            (Mnemonic::Vpand, Some(at)) => change("a disjunction", at, 0xeb),
            (Mnemonic::Vpsrlq | Mnemonic::Shr | Mnemonic::Sar, _) if ends_with(DIGIT as u64) => {
                change("a shorter digit", last, 49);
                change("a longer digit", last, 51);
            }
            (Mnemonic::Vpermq | Mnemonic::Vpermilpd | Mnemonic::Vpermpd, Some(_)) => {
                change("another lane", last, bytes[last] ^ 3);
            }
            (Mnemonic::Vpblendd | Mnemonic::Vblendps | Mnemonic::Vblendpd, Some(_)) => {
                change("another lane", last, bytes[last] ^ 0x0f);
            }
            (Mnemonic::Vbroadcastsd, Some(_))
                if i.memory_displ_size() == 1 && i.memory_base() != Register::RSP =>
            {
                change("another digit", last, bytes[last] ^ 8);
            }
            (Mnemonic::Add, None) if reads_digit && bytes[0] & 0xf8 == 0x48 && bytes[1] == 3 => {
                change("a difference", 1, bytes[1] | 0x28);
            }
            (Mnemonic::Sub, None) if reads_digit && bytes[0] & 0xf8 == 0x48 && bytes[1] == 0x2b => {
                change("a sum", 1, bytes[1] & !0x28);
            }
            _ => {}
        }
    }
    found
}

fn prove(bits: usize, operation: Operation) -> prove::failure::Result<()> {
    Proved::of_doubles(&doubles::record(KernelChoice::FMA50, bits, operation, 1)?).map(drop)
}

/// A kernel, its modulus, and pairs of operands in digits.
struct Run {
    kernel: Box<dyn Kernel>,
    n: BigUint,
    operands: Vec<[Vec<u64>; 2]>,
}

fn number(digits: &[u64]) -> BigUint {
    digits.iter().rev().fold(BigUint::ZERO, |sum, &digit| (sum << DIGIT) + digit)
}

fn runs(bits: usize) -> Vec<Run> {
    let mut random = Random(bits as u64);
    let top = BigUint::from(1u32) << bits;
    let run = |round: usize| {
        let mut n = BigUint::ZERO;
        for _ in 0..bits / 64 + 1 {
            n = (n << 64) + random.word();
        }
        let n = if round.is_multiple_of(4) { &top - 1u32 } else { n % &top };
        let n = n | (&top >> 1u32) | BigUint::from(1u32);
        let kernel = proofs::kernel(KernelChoice::FMA50, &n.to_u64_digits()).unwrap();
        let digits = kernel.dimensions().radix_bits / DIGIT;
        // Digits that carries run through, too, and redundant ones; the number is below Q.
        let mut residue = || {
            let digit = |i: usize| {
                let word = random.word();
                let digit = match word % 8 {
                    0..2 => HIGHEST,
                    2 => (1 << DIGIT) - 1,
                    3 => 0,
                    _ => word >> 14,
                };
                if i + 1 == digits { (word >> 17).min((1 << 47) - 1) } else { digit }
            };
            (0..digits).map(digit).collect::<Vec<_>>()
        };
        let operands = (0..40).map(|_| [residue(), residue()]).collect();
        Run { kernel, n, operands }
    };
    (0..8).map(run).collect()
}

/// The products of four pairs of operands at a time.
fn products_of_rows(kernel: &dyn Kernel, operation: Operation, operands: &[[Vec<u64>; 2]]) -> Vec<Vec<u64>> {
    let lanes = kernel.lanes().unwrap();
    let (count, words) = (lanes.lanes(), lanes.row_words());
    let mut scratch = vec![u64::MAX; lanes.scratch_words()];
    let mut found = Vec::new();
    for four in operands.chunks_exact(count) {
        let row = |which: usize| {
            let word = |at: usize| (four[at % count][which][at / count] as f64).to_bits();
            (0..words).map(word).collect::<Vec<_>>()
        };
        let [mut x, y] = [row(0), row(1)];
        match operation {
            Operation::SquareRows => lanes.square(&mut x, &mut scratch),
            _ => lanes.mul(&mut x, &y, &mut scratch),
        }
        found.extend((0..count).map(|lane| x.iter().copied().skip(lane).step_by(count).collect()));
    }
    found
}

/// Whether the code as it stands is right for all of these. Run as it is, not interpreted.
fn is_right(runs: &[Run], operation: Operation, mutant: &Mutant) -> bool {
    let mut found = Vec::new();
    patch(mutant.address, mutant.new);
    for Run { kernel, operands, .. } in runs {
        if matches!(operation, Operation::MulRows | Operation::SquareRows) {
            found.extend(products_of_rows(&**kernel, operation, operands));
            continue;
        }
        let dimensions = kernel.dimensions();
        let residue = |x: &[u64]| {
            let mut out = vec![0u64; dimensions.residue_words];
            out.iter_mut().zip(x).for_each(|(out, &digit)| *out = (digit as f64).to_bits());
            out
        };
        let mut scratch = vec![u64::MAX; dimensions.scratch_words];
        for [x, y] in operands {
            let (mut x, y) = (residue(x), residue(y));
            match operation {
                Operation::Mul => kernel.mul(&mut x, &y, &mut scratch),
                Operation::Square => kernel.square(&mut x, &mut scratch),
                Operation::Add => kernel.add(&mut x, &y, &mut scratch),
                Operation::Store | Operation::FromMontgomery => {
                    let mut out = vec![0; dimensions.limbs];
                    match operation {
                        Operation::Store => kernel.store(&mut out, &x, &mut scratch),
                        _ => kernel.from_montgomery(&mut out, &x, &mut scratch),
                    }
                    x = out;
                }
                _ => kernel.sub(&mut x, &y, &mut scratch),
            }
            found.push(x);
        }
    }
    patch(mutant.address, mutant.old);
    let mut found = found.into_iter();
    runs.iter().all(|Run { kernel, n, operands }| {
        let (radix, one) = (kernel.dimensions().radix_bits, BigUint::from(1u32));
        let limit = (&one << (radix - 2)) / n * n;
        operands.iter().all(|[x, y]| {
            let words = found.next().unwrap();
            if matches!(operation, Operation::Store | Operation::FromMontgomery) {
                let value = words.iter().rev().fold(BigUint::ZERO, |sum, &word| (sum << 64) + word);
                let times = if operation == Operation::Store { one.clone() } else { &one << radix };
                return value < *n && (value * times) % n == number(x) % n;
            }
            let digits: Vec<_> = words.iter().map(|&word| f64::from_bits(word) as u64).collect();
            let are_digits = digits
                .iter()
                .zip(&words)
                .all(|(&digit, &word)| digit <= HIGHEST && digit as f64 == f64::from_bits(word));
            let (x, y) = (number(x), number(y));
            let (expected, times) = match operation {
                Operation::Mul | Operation::MulRows => (x * y, &one << radix),
                Operation::Square | Operation::SquareRows => (&x * &x, &one << radix),
                Operation::Add => (x + y, one.clone()),
                _ => (x + &limit - y, one.clone()),
            };
            let value = number(&digits);
            are_digits && value < limit && (value * times) % n == expected % n
        })
    })
}

fn subject(operation: Operation, bits: usize) -> Tried {
    let recording = doubles::record(KernelChoice::FMA50, bits, operation, 1).unwrap();
    let (mutants, runs) = (mutants(recording.trace()), runs(bits));
    Tried {
        mutants,
        prove: Box::new(move || prove(bits, operation)),
        is_right: Box::new(move |mutant| is_right(&runs, operation, mutant)),
    }
}

#[test]
fn changed_bytes_are_refused() {
    let _alone = ALONE.lock();
    if !is_there(KernelChoice::FMA50) {
        return;
    }
    use Operation::{Add, FromMontgomery, Mul, Square, Store, Sub};
    let products = [(Mul, 300), (Square, 300), (Mul, 1024), (Square, 1000)];
    let others = [(Add, 300), (Sub, 192), (Store, 300), (FromMontgomery, 192)];
    let subjects = [products, others].concat();
    some_are_refused(&subjects, subject, 30, 2);
}

#[test]
fn changed_bytes_of_rows_are_refused() {
    let _alone = ALONE.lock();
    if !is_there(KernelChoice::FMA50) {
        return;
    }
    use Operation::{MulRows, SquareRows};
    let subjects = [(MulRows, 300), (SquareRows, 300), (MulRows, 1024), (SquareRows, 500)];
    some_are_refused(&subjects, subject, 30, 2);
}

/// All of them, of more sizes: `cargo test --release -p moduli-prove --test mutants -- --ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn all_changed_bytes_are_refused() {
    let _alone = ALONE.lock();
    if !is_there(KernelChoice::FMA50) {
        return;
    }
    all_are_refused(&[44, 192, 300, 800, 1500, 2048], subject);
}
