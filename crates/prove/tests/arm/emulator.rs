//! Compares the interpreter with QEMU: the same code gives the same words, for random and extreme operands.
//! This requires QEMU's user mode and a cross compiler, and is skipped without `MODULI_AARCH64`.

use super::pieces::{WORDS, pieces, run, words};
use prove::{
    arm::{
        program::Program,
        subject::{Subject, numbers_of},
    },
    specification::Operation,
};
use std::{
    env, fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};
use testing::Random;

/// The program with the kernel's operations, if it is there.
pub fn program() -> Option<PathBuf> {
    let program = env::var_os("MODULI_AARCH64").map(PathBuf::from);
    if program.is_none() {
        println!("skipped: MODULI_AARCH64 names no program");
    }
    program
}

/// The output of a program for an input.
fn emulated(program: &Path, input: &[u8]) -> Vec<u8> {
    let mut child = Command::new("qemu-aarch64-static")
        .arg(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("QEMU's user mode");
    let mut to = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || to.write_all(&input).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success());
    output.stdout
}

/// A program that repeatedly reads the number of a piece and six words, and writes six words, until the input
/// ends.
fn assembly(pieces: usize, code: &str) -> String {
    let table: String = (0..pieces).map(|i| format!(".quad piece_{i}\n")).collect();
    format!(
        ".globl _start
         _start: ldr x11, =number
         mov x12, #{}
         0: mov x0, #0
         mov x1, x11
         mov x2, x12
         mov x8, #63
         svc #0
         cbz x0, 1f
         add x11, x11, x0
         subs x12, x12, x0
         b.ne 0b
         ldr x9, =number
         ldr x9, [x9]
         ldr x10, =table
         ldr x10, [x10, x9, lsl #3]
         ldr x0, =words
         blr x10
         mov x0, #1
         ldr x1, =results
         mov x2, #{}
         mov x8, #64
         svc #0
         b _start
         1: mov x0, #0
         mov x8, #93
         svc #0
         .ltorg
         {code}
         .data
         .p2align 4
         table:
         {table}
         .p2align 4
         .quad 0
         number: .quad 0
         words: .skip {}
         results: .skip {}\n",
        8 + 8 * WORDS,
        8 * WORDS,
        8 * WORDS,
        8 * WORDS
    )
}

#[test]
fn pieces_beside_an_emulator() {
    let Some(place) = program() else { return };
    let folder = place.with_file_name("pieces");
    fs::create_dir_all(&folder).unwrap();
    let all = pieces();
    let mut code = String::new();
    for (i, piece) in all.iter().enumerate() {
        code += &format!("piece_{i}:\n");
        piece.code.iter().for_each(|word| code += &format!(".inst {word:#x}\n"));
    }
    // The assembled text is the code that is interpreted.
    let texts = include_str!("snippets.txt")
        .lines()
        .filter_map(|line| line.split_once(' '))
        .filter(|(code, _)| *code != "#");
    let (words_of_texts, texts): (Vec<_>, Vec<_>) = texts.unzip();
    fs::write(folder.join("texts.s"), texts.join("\n") + "\n").unwrap();
    fs::write(folder.join("pieces.s"), assembly(all.len(), &code)).unwrap();
    let tool = |name: &str, arguments: &[&str]| {
        let status =
            Command::new(format!("aarch64-linux-gnu-{name}")).args(arguments).current_dir(&folder).status();
        assert!(status.unwrap().success(), "{name}");
    };
    tool("as", &["-o", "texts.o", "texts.s"]);
    tool("objcopy", &["-O", "binary", "-j", ".text", "texts.o", "texts.bin"]);
    let assembled = fs::read(folder.join("texts.bin")).unwrap();
    let assembled: Vec<_> = assembled
        .as_chunks::<4>()
        .0
        .iter()
        .map(|word| format!("{:08x}", u32::from_le_bytes(*word)))
        .collect();
    assert_eq!(assembled, words_of_texts);
    tool("gcc", &["-nostdlib", "-static", "-o", "pieces", "pieces.s"]);
    let random = &mut Random(3);
    let cases: Vec<_> =
        (0..all.len()).flat_map(|i| (0..200).map(move |_| i)).map(|i| (i, words(random))).collect();
    let input: Vec<u8> = cases
        .iter()
        .flat_map(|(i, words)| {
            [*i as u64].into_iter().chain(words.iter().copied()).flat_map(u64::to_le_bytes)
        })
        .collect();
    let output = emulated(&folder.join("pieces"), &input);
    assert_eq!(output.len(), 8 * WORDS * cases.len());
    for ((i, words), found) in cases.iter().zip(output.chunks(8 * WORDS)) {
        let found: Vec<_> = found.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
        let (after, _) = run(&all[*i].code, words, false).unwrap();
        assert_eq!(after, found, "{} of {words:x?}", all[*i].text);
    }
    println!("{} pieces of code, {} runs", all.len(), cases.len());
}

/// Operations with their numbers in the program, and a mask, an index or a number of pieces.
pub fn operations(words: usize) -> Vec<(u64, Operation, u64)> {
    let mut all: Vec<_> = Operation::ALL
        .into_iter()
        .filter_map(|operation| {
            let extra = match operation {
                Operation::Swap => u64::MAX,
                Operation::Replace(_) => 1,
                Operation::Select(_) => 2,
                _ => 0,
            };
            Some((prove::arm::subject::code(operation)?, operation, extra))
        })
        .collect();
    for pieces in 2..=words.min(3) {
        for operation in [Operation::MulPrepared(pieces), Operation::Prepare(pieces)] {
            all.extend(prove::arm::subject::code(operation).map(|code| (code, operation, pieces as u64)));
        }
    }
    all.extend(prove::arm::subject::code(Operation::MulPair).map(|code| (code, Operation::MulPair, 0)));
    all
}

/// A modulus, and numbers, which are below it where they have to be.
pub fn numbers(
    random: &mut Random,
    words: usize,
    operation: Operation,
    scratch: usize,
) -> (Vec<u64>, [Vec<u64>; 4]) {
    let mut n: Vec<_> = (0..words).map(|_| random.edge()).collect();
    n[0] |= 1;
    n[words - 1] |= 1 << 63;
    let mut below = |count: usize| -> Vec<u64> {
        let number = |random: &mut Random| {
            let mut x: Vec<_> = (0..words).map(|_| random.edge()).collect();
            // The highest number is the modulus less one.
            if x.iter().rev().ge(n.iter().rev()) {
                x.clone_from(&n);
                x[0] -= 1;
            }
            x
        };
        (0..count).flat_map(|_| number(random)).collect()
    };
    let [entries, row] = numbers_of(operation);
    let numbers = [below(entries), below(row), below(1), vec![u64::MAX; scratch]];
    (n, numbers)
}

#[test]
fn operations_beside_an_emulator() {
    let Some(place) = program() else { return };
    let program = Program::read(&place).unwrap();
    let random = &mut Random(4);
    let (mut input, mut found) = (String::new(), Vec::new());
    for words in [1, 2, 3, 4, 7, 8, 9, 12, 13, 16, 17, 31, 32, 33, 40, 64] {
        for (number, operation, extra) in operations(words) {
            for _ in 0..2 {
                let scratch = Subject::new(&program, 64 * words).unwrap().scratch_words();
                let (n, numbers) = numbers(random, words, operation, scratch);
                let subject = Subject::of(&program, &n, 64 * words).unwrap();
                let all = [&n, &numbers[0], &numbers[1], &numbers[2], &numbers[3]];
                let head = [number, extra].into_iter().chain(all.map(|words| words.len() as u64));
                let line = head.chain(all.into_iter().flatten().copied()).map(|word| format!("{word:x}"));
                input += &(line.collect::<Vec<_>>().join(" ") + "\n");
                let results = subject.results(operation, numbers, extra).unwrap().concat();
                let results = results.iter().map(|word| format!("{word:x}")).collect::<Vec<_>>().join(" ");
                found.push((format!("{operation} of {words} words"), results));
            }
        }
    }
    let output = String::from_utf8(emulated(&place, input.as_bytes())).unwrap();
    assert_eq!(output.lines().count(), found.len());
    for (line, (what, results)) in output.lines().zip(&found) {
        assert_eq!(line, results, "{what}");
    }
    println!("{} operations", found.len());
}
