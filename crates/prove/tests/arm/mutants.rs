//! Wrong code is refused: bytes of the program are changed, one at a time. Changed code that is still proved
//! has to be right: it is run on many operands. Many changes are right: other encodings of the same
//! instruction, branches that are not taken, lengths that are computed in another way.

use super::emulator::{numbers, program};
use num_bigint::BigUint;
use prove::{
    arm::{instruction::Instruction, program::Program, subject::Subject},
    failure::{Reason, Result},
    proof::Proved,
    specification::Operation,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};
use testing::Random;

/// Operations whose code is changed.
const SUBJECTS: [(Operation, usize); 8] = [
    (Operation::Mul, 9),
    (Operation::Square, 17),
    (Operation::Mul, 4),
    (Operation::Add, 5),
    (Operation::Sub, 5),
    (Operation::Mul, 32),
    (Operation::Prepare(3), 7),
    (Operation::MulPair, 28),
];

/// The kernel for moduli of `words` words, with an instruction that is changed after the kernel was made, so
/// that its constants are right.
fn subject<'a>(
    program: &'a Program,
    words: usize,
    n: Option<&[u64]>,
    change: Option<(u64, u32)>,
) -> Subject<'a> {
    let mut subject = match n {
        Some(n) => Subject::of(program, n, 64 * words).unwrap(),
        None => Subject::new(program, 64 * words).unwrap(),
    };
    if let Some((address, word)) = change {
        subject.change(address, word);
    }
    subject
}

fn code(program: &Program, operation: Operation, words: usize) -> Vec<Rc<Instruction>> {
    let trace = subject(program, words, None, None).record(operation, 1).unwrap().trace;
    let executed: BTreeSet<u32> = trace.steps.iter().map(|step| step.code).collect();
    executed.into_iter().map(|code| trace.code[code as usize].clone()).collect()
}

fn prove(program: &Program, change: (u64, u32), operation: Operation, words: usize) -> Result<()> {
    Proved::of(&subject(program, words, None, Some(change)).record(operation, 1)?).map(drop)
}

fn big(words: &[u64]) -> BigUint {
    BigUint::new(words.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]).collect())
}

/// Whether the code is right for many operands.
fn is_right(
    program: &Program,
    change: (u64, u32),
    operation: Operation,
    words: usize,
    random: &mut Random,
) -> bool {
    let scratch = subject(program, words, None, None).scratch_words();
    (0..100).all(|_| {
        let (n, operands) = numbers(random, words, operation, scratch);
        let subject = subject(program, words, Some(&n), Some(change));
        let pieces = operation.pieces();
        let Ok([found, ..]) = subject.results(operation, operands.clone(), pieces as u64) else {
            return false;
        };
        let [first, second, ..] = &operands;
        let (a, b, n) = (big(first), big(second), big(&n));
        let r = BigUint::from(1u32) << (64 * words);
        if let Operation::Prepare(_) = operation {
            let part = words.div_ceil(pieces);
            return found.chunks(words).enumerate().all(|(i, piece)| {
                let piece = big(piece);
                piece < n && (&piece * &r) % &n == (&b << (64 * (part * (i + 1) + 1))) % &n
            });
        }
        if operation == Operation::MulPair {
            return found.chunks(words).zip(first.chunks(words)).all(|(found, first)| {
                let x = big(found);
                x < n && (x * &r) % &n == big(first) * &b % &n
            });
        }
        let x = big(&found);
        x < n
            && match operation {
                Operation::Mul => (x * r) % &n == a * b % &n,
                Operation::Square => (x * r) % &n == &a * &a % &n,
                Operation::Add => x == (a + b) % &n,
                _ => x == (a + &n - b) % &n,
            }
    })
}

#[test]
fn random_bytes() {
    let Some(place) = program() else { return };
    let program = Program::read(&place).unwrap();
    let random = &mut Random(5);
    let (mut reasons, mut survivors, mut tried) = (BTreeMap::<String, usize>::new(), Vec::new(), 0);
    for (operation, words) in SUBJECTS {
        let code = code(&program, operation, words);
        for _ in 0..50 {
            let instruction = &code[random.word() as usize % code.len()];
            let bit = random.word() % 32;
            let word = u32::from_le_bytes(instruction.bytes) ^ 1 << bit;
            let change = (instruction.address, word);
            tried += 1;
            match prove(&program, change, operation, words) {
                Ok(()) => {
                    let again = Instruction::new(instruction.address, word.to_le_bytes());
                    let what =
                        format!("{operation} of {words} words: {} for {}", again.text, instruction.text);
                    assert!(
                        is_right(&program, change, operation, words, random),
                        "{what} is proved, and wrong"
                    );
                    survivors.push(what);
                }
                Err(failure) => *reasons.entry(format!("{:?}", failure.reason)).or_default() += 1,
            }
        }
    }
    println!("{tried} bits changed, refused: {reasons:?}; {} are right:", survivors.len());
    survivors.iter().for_each(|what| println!("    {what}"));
    assert!(survivors.len() < tried / 6);
}

/// A mistake: its name, its operation and length, the text of the instruction whose last occurrence is
/// changed, and the change.
type Mistake = (&'static str, Operation, usize, &'static str, fn(u32) -> u32);

/// Mistakes that random operands hardly detect: they matter if an intermediate word is all ones, or zero.
#[test]
fn rare_mistakes() {
    let Some(place) = program() else { return };
    let program = Program::read(&place).unwrap();
    let random = &mut Random(6);
    let cases: [Mistake; 3] = [
        // The sum that a quotient clears is assumed to carry always, which is wrong if the lowest word is
        // zero.
        ("first row", Operation::Mul, 17, "cmp x27, #0x1", |word| word & !(0xfff << 10)),
        ("other row", Operation::Mul, 17, "cmp x16, #0x1", |word| word & !(0xfff << 10)),
        // `add` instead of `adcs` drops a carry through a word of all ones.
        ("top", Operation::Mul, 32, "adcs x13, x13, xzr", |word| 0x8b00_0000 | word & 0x1f_ffff),
    ];
    for (what, operation, words, text, change) in cases {
        let code = code(&program, operation, words);
        let found = code.iter().rfind(|instruction| instruction.text == text);
        let last = found.unwrap_or_else(|| panic!("{what}: no `{text}`"));
        let change = (last.address, change(u32::from_le_bytes(last.bytes)));
        let failure = prove(&program, change, operation, words).expect_err(what);
        // Random operands do not detect it.
        let [right, wrong] = [None, Some(change)].map(|change| subject(&program, words, None, change));
        for _ in 0..300 {
            let numbers = right.operands(operation, random.word());
            let results =
                [&right, &wrong].map(|subject| subject.results(operation, numbers.clone(), 0).unwrap());
            assert_eq!(results[0], results[1], "{what}");
        }
        println!("{what}, `{text}`: {failure}");
        assert!([Reason::Unproven, Reason::Refused].contains(&failure.reason), "{what}: {failure}");
    }
}
