//! Wrong code of `fma50` is refused, as that of `ifma52` is. Changed code that is still proved has to be
//! right: it is run on many operands.

use super::{
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
use prove::{doubles, proof::Proved, specification::Operation};
use testing::Random;

const DIGIT: usize = 50;
const HIGHEST: u64 = (1 << DIGIT) + (1 << 14) - 1;

/// The bytes of the code that passes pairs to the products.
const PAIR: u64 = 0x100;

/// Changes that do not affect addresses and lengths of instructions.
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
        // The place of the opcode, for encodings with a prefix of their own.
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
        // Digits include those that carries run through, and redundant ones. The number is below Q.
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

/// The residue with these digits.
fn residue(kernel: &dyn Kernel, digits: &[u64]) -> Vec<u64> {
    let mut out = vec![0u64; kernel.dimensions().residue_words];
    out.iter_mut().zip(digits).for_each(|(out, &digit)| *out = (digit as f64).to_bits());
    out
}

/// Both products of a pair, one after the other.
fn products_of_pairs(kernel: &dyn Kernel, operands: &[[Vec<u64>; 2]]) -> Vec<Vec<u64>> {
    let mut scratch = vec![u64::MAX; kernel.dimensions().scratch_words];
    let mut pair = |(i, [x, y]): (usize, &[Vec<u64>; 2])| {
        let [mut x, mut y, a] = [x, y, common(operands, i)].map(|x| residue(kernel, x));
        kernel.mul_pair(&mut x, &mut y, &a, &mut scratch);
        [x, y].concat()
    };
    operands.iter().enumerate().map(&mut pair).collect()
}

/// The factor of a pair.
fn common(operands: &[[Vec<u64>; 2]], i: usize) -> &Vec<u64> {
    &operands[(i + 1) % operands.len()][1]
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

/// Whether the current code is right for all of these. It is run, not interpreted.
fn is_right(runs: &[Run], operation: Operation, mutant: &Mutant) -> bool {
    let mut found = Vec::new();
    patch(mutant.address, mutant.new);
    for Run { kernel, operands, .. } in runs {
        if matches!(operation, Operation::MulRows | Operation::SquareRows) {
            found.extend(products_of_rows(&**kernel, operation, operands));
            continue;
        }
        if operation == Operation::MulPair {
            found.extend(products_of_pairs(&**kernel, operands));
            continue;
        }
        let dimensions = kernel.dimensions();
        let mut scratch = vec![u64::MAX; dimensions.scratch_words];
        for [x, y] in operands {
            let (mut x, y) = (residue(&**kernel, x), residue(&**kernel, y));
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
        let is_residue = |words: &[u64], expected: BigUint, times: &BigUint| {
            let digits: Vec<_> = words.iter().map(|&word| f64::from_bits(word) as u64).collect();
            let are_digits = digits
                .iter()
                .zip(words)
                .all(|(&digit, &word)| digit <= HIGHEST && digit as f64 == f64::from_bits(word));
            let value = number(&digits);
            are_digits && value < limit && (value * times) % n == expected % n
        };
        operands.iter().enumerate().all(|(i, [x, y])| {
            let words = found.next().unwrap();
            if matches!(operation, Operation::Store | Operation::FromMontgomery) {
                let value = words.iter().rev().fold(BigUint::ZERO, |sum, &word| (sum << 64) + word);
                let times = if operation == Operation::Store { one.clone() } else { &one << radix };
                return value < *n && (value * times) % n == number(x) % n;
            }
            let (x, y) = (number(x), number(y));
            let power = &one << radix;
            match operation {
                Operation::Mul | Operation::MulRows => is_residue(&words, x * y, &power),
                Operation::Square | Operation::SquareRows => is_residue(&words, &x * &x, &power),
                Operation::MulPair => {
                    let (a, (first, second)) = (number(common(operands, i)), words.split_at(words.len() / 2));
                    is_residue(first, x * &a, &power) && is_residue(second, y * a, &power)
                }
                Operation::Add => is_residue(&words, x + y, &one),
                _ => is_residue(&words, x + &limit - y, &one),
            }
        })
    })
}

/// Changes of the code that passes a pair: one factor of a product is squared instead.
fn squares(trace: &Trace) -> Vec<Mutant> {
    let Some(first) = trace.steps.first() else { return Vec::new() };
    let begin = trace.code[first.code as usize].instruction.ip();
    let is_near = |i: &Instruction| (begin..begin + PAIR).contains(&i.ip());
    let is_factor = |i: &Instruction| {
        i.mnemonic() == Mnemonic::Mov
            && i.op1_kind() == OpKind::Register
            && (i.op0_register(), i.len()) == (Register::RDX, 3)
            && i.op1_register() < Register::R8
    };
    let all = trace.code.iter().filter(|code| is_near(&code.instruction) && is_factor(&code.instruction));
    let mutant = |code: &checkmem::Code| Mutant {
        what: "the square of a factor",
        address: code.instruction.ip() + 2,
        old: code.bytes[2],
        new: 0xf2,
        text: format!("{}", code.instruction),
    };
    all.map(mutant).filter(|mutant| mutant.old != mutant.new).collect()
}

fn subject(operation: Operation, bits: usize) -> Tried {
    let recording = doubles::record(KernelChoice::FMA50, bits, operation, 1).unwrap();
    let (mut mutants, runs) = (mutants(recording.trace()), runs(bits));
    if operation == Operation::MulPair {
        mutants.extend(squares(recording.trace()));
    }
    Tried {
        mutants,
        prove: Box::new(move || prove(bits, operation)),
        is_right: Box::new(move |mutant| is_right(&runs, operation, mutant)),
    }
}

#[test]
fn changed_bytes_are_refused() {
    change_some(SOME, [30, 60]);
}

#[test]
fn changed_bytes_of_pairs_are_refused() {
    change_pairs(SOME, [30, 30]);
}

#[test]
#[ignore = "takes some seconds"]
fn changed_bytes_of_the_page_are_refused() {
    change_some(OF_THE_PAGE, [30, 60]);
    change_pairs(OF_THE_PAGE, [30, 60]);
}

fn change_some(extent: Extent, least: [usize; 2]) {
    let _alone = ALONE.lock();
    if !is_there(KernelChoice::FMA50) {
        return;
    }
    use Operation::{Add, FromMontgomery, Mul, Square, Store, Sub};
    let products = [(Mul, 300), (Square, 300), (Mul, 1024), (Square, 1000)];
    let others = [(Add, 300), (Sub, 192), (Store, 300), (FromMontgomery, 192)];
    let subjects = [products, others].concat();
    some_are_refused(&subjects, subject, extent, least, 2);
}

fn change_pairs(extent: Extent, least: [usize; 2]) {
    let _alone = ALONE.lock();
    if !is_there(KernelChoice::FMA50) {
        return;
    }
    some_are_refused(&[(Operation::MulPair, 300), (Operation::MulPair, 1024)], subject, extent, least, 2);
}

#[test]
fn changed_bytes_of_rows_are_refused() {
    let _alone = ALONE.lock();
    if !is_there(KernelChoice::FMA50) {
        return;
    }
    use Operation::{MulRows, SquareRows};
    let subjects = [(MulRows, 300), (SquareRows, 300), (MulRows, 1024), (SquareRows, 500)];
    some_are_refused(&subjects, subject, OF_THE_PAGE, [30, 60], 2);
}

/// All changes, for more sizes: `cargo test --release -p moduli-prove --test mutants -- --ignored
/// --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn all_changed_bytes_are_refused() {
    let _alone = ALONE.lock();
    if !is_there(KernelChoice::FMA50) {
        return;
    }
    all_are_refused(&[44, 192, 300, 800, 1500, 2048], subject);
}
