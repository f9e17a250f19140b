//! Wrong code is refused: single bytes of the compiled kernel are changed in memory, in this process, one at
//! a time. Changed code that is still proved has to be right: it is run on many operands, including extreme
//! ones. There are such changes: the flag that carries out of the first word does not matter, a dropped carry
//! may always be zero, and a result may be unused.

use super::{
    patch::{ALONE, Mutant, patch},
    tally::Extent,
};
use checkmem::Trace;
use iced_x86::{Code as Kind, Instruction, Mnemonic};
use moduli_kernel::{
    KernelChoice,
    proofs::{self, Kernel},
};
use num_bigint::BigUint;
use prove::{failure::Reason, proof::Proved, specification::Operation, subject::Subject};
use std::collections::{BTreeMap, BTreeSet};

/// Changes that do not affect addresses and lengths of instructions.
pub(super) fn mutants(trace: &Trace) -> Vec<Mutant> {
    let mut found = Vec::new();
    for code in &trace.code {
        let (instruction, bytes): (&Instruction, &[u8]) = (&code.instruction, &code.bytes);
        let mut change = |what, at: usize, new: u8| {
            let address = instruction.ip() + at as u64;
            found.push(Mutant { what, address, old: bytes[at], new, text: format!("{instruction}") });
        };
        let opcode = |old: u8| bytes.iter().take(3).position(|&byte| byte == old);
        match (instruction.mnemonic(), instruction.code()) {
            // Use the other flag.
            (Mnemonic::Adcx | Mnemonic::Adox, _) => match bytes[0] {
                0x66 => change("another flag", 0, 0xf3),
                0xf3 => change("another flag", 0, 0x66),
                _ => {}
            },
            // Ignore the carry or the borrow.
            (_, Kind::Sbb_r64_rm64) => opcode(0x1b).into_iter().for_each(|at| change("no borrow", at, 0x2b)),
            (_, Kind::Sbb_rm64_r64) => opcode(0x19).into_iter().for_each(|at| change("no borrow", at, 0x29)),
            (_, Kind::Adc_r64_rm64) => opcode(0x13).into_iter().for_each(|at| change("no carry", at, 0x03)),
            (_, Kind::Adc_rm64_r64) => opcode(0x11).into_iter().for_each(|at| change("no carry", at, 0x01)),
            (_, Kind::Adc_rm64_imm8 | Kind::Sbb_rm64_imm8) => {
                // Three bits hold the kind of operation: without the carry it is an addition, or a
                // subtraction.
                let at = bytes.len() - 2;
                let new = if instruction.mnemonic() == Mnemonic::Adc {
                    bytes[at] & !0x38
                } else {
                    bytes[at] & !0x38 | 0x28
                };
                change("no carry", at, new);
            }
            (_, Kind::Cmovb_r64_rm64) => {
                opcode(0x42).into_iter().for_each(|at| change("the other choice", at, 0x43))
            }
            (_, Kind::Cmovae_r64_rm64) => {
                opcode(0x43).into_iter().for_each(|at| change("the other choice", at, 0x42))
            }
            (_, Kind::Setae_rm8) => opcode(0x93).into_iter().for_each(|at| change("the other bit", at, 0x92)),
            (_, Kind::Or_r8_rm8) => {
                opcode(0x0a).into_iter().for_each(|at| change("both for either", at, 0x22))
            }
            (_, Kind::Or_rm8_r8) => {
                opcode(0x08).into_iter().for_each(|at| change("both for either", at, 0x20))
            }
            (_, Kind::Shrd_rm64_r64_imm8 | Kind::Shld_rm64_r64_imm8) => {
                change("another place", bytes.len() - 1, bytes[bytes.len() - 1] ^ 1);
            }
            (_, Kind::Setb_rm8) => opcode(0x92).into_iter().for_each(|at| change("the other bit", at, 0x93)),
            // Multiply a neighbouring word instead.
            (Mnemonic::Mulx | Mnemonic::Mul, _) if instruction.memory_displacement64() != 0 => {
                change("another word", bytes.len() - 1, bytes[bytes.len() - 1] ^ 8);
            }
            (_, Kind::Clc) => change("a borrow to begin with", 0, 0xf9),
            _ => {}
        }
    }
    found
}

fn prove(subject: &Subject, operation: Operation) -> prove::failure::Result<()> {
    Proved::of(&subject.record(operation, 1)?).map(drop)
}

/// Numbers that cause carries and borrows.
struct Numbers(u64);

impl Numbers {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let x = (self.0 ^ self.0 >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
        match x >> 60 {
            0..5 => 0,
            5..10 => u64::MAX,
            10 => 1,
            11 => 1 << 63,
            _ => x ^ self.0 >> 29,
        }
    }

    fn words(&mut self, words: usize) -> Vec<u64> {
        (0..words).map(|_| self.word()).collect()
    }

    fn modulus(&mut self, words: usize) -> Vec<u64> {
        let mut n = self.words(words);
        n[0] |= 1;
        let top = n.len() - 1;
        n[top] = n[top].max(3);
        n
    }
}

fn big(words: &[u64]) -> BigUint {
    BigUint::new(words.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]).collect())
}

fn words_of(x: &BigUint, words: usize) -> Vec<u64> {
    let mut digits = x.to_u64_digits();
    digits.resize(words, 0);
    digits
}

/// A kernel, its modulus, and operands with their results.
struct Run {
    kernel: Box<dyn Kernel>,
    n: Vec<u64>,
    /// X, Y, Y in the form that the operation takes, and the result.
    operands: Vec<[Vec<u64>; 4]>,
}

fn runs(kernel: KernelChoice, words: usize, pieces: usize) -> Vec<Run> {
    let mut numbers = Numbers(words as u64);
    let run = |_| {
        let n = numbers.modulus(words);
        let mut operand = || match numbers.word() % 4 {
            0 => words_of(&(big(&n) - 1u32), words),
            1 => vec![0; words],
            _ => words_of(&(big(&numbers.words(words)) % big(&n)), words),
        };
        let pairs: Vec<_> = (0..50).map(|_| [operand(), operand()]).collect();
        let kernel = proofs::kernel(kernel, &n).unwrap();
        let mut scratch = vec![u64::MAX; kernel.dimensions().scratch_words];
        let mut all = |[x, y]: [Vec<u64>; 2]| {
            let mut prepared = vec![0; pieces * words];
            kernel.prepare(&mut prepared, &y, pieces, &mut scratch);
            [x, y, prepared, vec![0; words]]
        };
        let operands = pairs.into_iter().map(&mut all).collect();
        Run { kernel, n, operands }
    };
    (0..60).map(run).collect()
}

/// Whether the current code is right for all of these. It is run, not interpreted.
fn is_right(runs: &mut [Run], operation: Operation, mutant: &Mutant) -> bool {
    let longest = runs.iter().map(|run| run.kernel.dimensions().scratch_words).max();
    let mut scratch = vec![u64::MAX; longest.unwrap_or(0)];
    patch(mutant.address, mutant.new);
    for Run { kernel, operands, .. } in runs.iter_mut() {
        for [x, y, prepared, result] in operands {
            result.clone_from(x);
            match operation {
                Operation::Mul => kernel.mul(result, y, &mut scratch),
                Operation::Square => kernel.square(result, &mut scratch),
                Operation::Add => kernel.add(result, y, &mut scratch),
                Operation::Sub => kernel.sub(result, y, &mut scratch),
                Operation::MulPrepared(pieces) => kernel.mul_prepared(result, prepared, pieces, &mut scratch),
                Operation::Prepare(pieces) => {
                    result.resize(pieces * x.len(), 0);
                    kernel.prepare(result, y, pieces, &mut scratch);
                }
                Operation::MulPair => {
                    result.extend_from_slice(y);
                    let (first, second) = result.split_at_mut(x.len());
                    kernel.mul_pair(first, second, y, &mut scratch);
                }
                _ => kernel.from_montgomery(result, x, &mut scratch),
            }
        }
    }
    patch(mutant.address, mutant.old);
    runs.iter().all(|Run { n, operands, .. }| {
        let r = BigUint::from(1u32) << (64 * n.len());
        let n = big(n);
        operands.iter().all(|words| {
            if let Operation::Prepare(pieces) = operation {
                return are_pieces(&n, words, pieces);
            }
            if operation == Operation::MulPair {
                let [x, y, _, result] = words;
                return result.chunks(x.len()).zip([x, y]).all(|(result, x)| {
                    let result = big(result);
                    result < n && &result * &r % &n == big(x) * big(y) % &n
                });
            }
            let [x, y, _, result] = words.each_ref().map(|words| big(words));
            let expected = match operation {
                Operation::Mul | Operation::MulPrepared(_) => &x * &y,
                Operation::Square => &x * &x,
                Operation::Add => &x + &y,
                Operation::Sub => &x + &n - &y,
                _ => x,
            };
            let is_reduced = !matches!(operation, Operation::Add | Operation::Sub);
            let found = if is_reduced { &result * &r } else { result.clone() };
            result < n && found % &n == expected % &n
        })
    })
}

/// Whether the results are the pieces of Y, each below N.
fn are_pieces(n: &BigUint, [x, y, _, result]: &[Vec<u64>; 4], pieces: usize) -> bool {
    let (words, part) = (x.len(), x.len().div_ceil(pieces));
    result.chunks(words).enumerate().all(|(i, piece)| {
        let piece = big(piece);
        piece < *n && (&piece << (64 * words)) % n == (big(y) << (64 * (part * (i + 1) + 1))) % n
    })
}

/// Changes the code of some operations. More than `enough` changes have to be refuted, and to be seen as
/// wrong in a run.
fn change_bytes(kernel: KernelChoice, extent: Extent, enough: usize, cases: &[(Operation, usize)]) {
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    let (mut survivors, mut seen) = (0, 0);
    let mut tried = BTreeSet::new();
    for &(operation, words) in cases {
        let subject = Subject::new(kernel, 64 * words).unwrap();
        let recording = subject.record(operation, 1).unwrap();
        let mut runs = runs(kernel, words, operation.pieces());
        // Try every kind of change at some of its places.
        let mut of_kind: BTreeMap<&str, usize> = BTreeMap::new();
        for mutant in mutants(&recording.trace) {
            let count = of_kind.entry(mutant.what).or_default();
            *count += 1;
            // Take some changes of each kind, spread over the code.
            let is_taken = *count <= extent.first || count.is_multiple_of(extent.every);
            // These are lengths of parts, and changed ones would read memory that does not exist.
            let is_length = (operation.pieces() > 1 || operation == Operation::MulPair)
                && mutant.what == "the other choice";
            if is_length || !is_taken || !tried.insert((mutant.address, mutant.new)) {
                continue;
            }
            patch(mutant.address, mutant.new);
            let found = prove(&subject, operation);
            patch(mutant.address, mutant.old);
            let (name, what, address) = (operation.name(), mutant.what, mutant.address);
            match found {
                Ok(()) if is_right(&mut runs, operation, &mutant) => survivors += 1,
                Ok(()) => panic!("{name} at {words} words, {what} at {address:#x} is proved, and wrong"),
                Err(failure) => {
                    *reasons.entry(format!("{:?}", failure.reason)).or_default() += 1;
                    // Other changes, and those among pieces, may change lengths: they are not run.
                    let is_harmless =
                        ["another flag", "no carry", "no borrow", "both for either", "another place"];
                    let is_run = is_harmless.contains(&mutant.what) && operation.pieces() == 1;
                    seen += usize::from(is_run && !is_right(&mut runs, operation, &mutant));
                }
            }
        }
        // The restored code is proved again.
        prove(&subject, operation).unwrap();
    }
    println!("refused {reasons:?}, of which a run shows {seen} to be wrong; right after all {survivors}");
    // Most changes are refuted, and do not just lead to an instruction without a rule.
    let refuted: usize = [Reason::Unproven, Reason::Refused]
        .iter()
        .filter_map(|reason| reasons.get(&format!("{reason:?}")))
        .sum();
    assert!(refuted > enough, "{reasons:?}");
    assert!(seen > enough, "{seen} are seen to be wrong: the runs are too few to judge by");
    assert!(survivors < refuted / 2, "{survivors} changes are right after all");
}

/// Changes operations one after the other, as no other test may run meanwhile. The first changes of each kind
/// are tried, and one in `of_adx` or `of_portable` of the others.
fn change_some(first: usize, of_adx: usize, of_portable: usize, enough: usize) {
    let _alone = ALONE.lock();
    use Operation::{Add, FromMontgomery, Mul, MulPair, MulPrepared, Prepare, Square, Sub};
    if KernelChoice::ADX.is_supported() {
        let squares = [(Square, 9), (Square, 17)];
        let others = [
            (Mul, 2),
            (Mul, 5),
            (Mul, 11),
            (Add, 6),
            (Sub, 5),
            (FromMontgomery, 3),
            (MulPrepared(3), 7),
            (Prepare(3), 7),
            (MulPair, 28),
        ];
        change_bytes(
            KernelChoice::ADX,
            Extent { first, every: of_adx },
            enough,
            &[&squares[..], &others].concat(),
        );
    }
    change_bytes(
        KernelChoice::PORTABLE,
        Extent { first, every: of_portable },
        enough,
        &[
            (Mul, 2),
            (Mul, 4),
            (Mul, 13),
            (Square, 13),
            (Add, 6),
            (Sub, 5),
            (FromMontgomery, 3),
            (MulPrepared(5), 5),
            (Prepare(5), 5),
            (Prepare(2), 13),
            (MulPair, 28),
        ],
    );
}

#[test]
fn changed_bytes_are_refused() {
    change_some(2, 90, 30, 15);
}

#[test]
#[ignore = "takes ten seconds"]
fn other_changed_bytes_are_refused() {
    change_some(3, 40, 12, 20);
}

#[test]
#[ignore = "takes a minute"]
fn changed_bytes_of_the_page_are_refused() {
    change_some(3, 7, 2, 50);
}

/// A borrow that is dropped in the final subtraction of N matters only if all words above are equal: for
/// fewer than one in 2^60 operands.
#[test]
fn rare_mistakes_are_refused() {
    let _alone = ALONE.lock();
    for kernel in
        [KernelChoice::ADX, KernelChoice::PORTABLE].into_iter().filter(|kernel| kernel.is_supported())
    {
        let subject = Subject::new(kernel, 64 * 7).unwrap();
        let operation = Operation::Prepare(3);
        let recording = subject.record(operation, 1).unwrap();
        let rare: Vec<_> =
            mutants(&recording.trace).into_iter().filter(|mutant| mutant.what == "no borrow").collect();
        assert!(rare.len() > 5, "{} {operation}", kernel.name());
        let is_refused = |mutant: &&Mutant| {
            patch(mutant.address, mutant.new);
            let found = prove(&subject, operation);
            patch(mutant.address, mutant.old);
            found.is_err()
        };
        // There is no borrow into the lowest word.
        let refused = rare.iter().filter(is_refused).count();
        assert!(refused + 1 >= rare.len(), "{} {operation}: {refused} of {}", kernel.name(), rare.len());
    }
}
