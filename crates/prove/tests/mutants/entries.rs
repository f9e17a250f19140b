//! Wrong code that only long rows reach is refused, though it is right for rows of three entries. Changed
//! code that is still proved is interpreted, so the processor need not have its instructions.

use super::{
    moves::{interpreted, opcode},
    patch::{ALONE, Mutant, patch},
};
use iced_x86::{Code, Instruction, Mnemonic, OpKind, Register};
use moduli_kernel::{
    KernelChoice,
    proofs::{self, Kernel},
};
use prove::{
    proof::Job,
    specification::{ENTRIES, Operation},
    subject::{Subject, can_be_made},
};
use std::collections::BTreeSet;
use testing::Random;

/// The instructions, with their bytes, that a look-up in a row of this many entries executes, but one in a
/// row of three does not.
fn of_long_rows(choice: KernelChoice, bits: usize, entries: usize) -> Vec<(Instruction, Vec<u8>)> {
    let subject = Subject::new(choice, bits).unwrap();
    let code = |entries| {
        let trace = subject.record(Operation::Select(entries), 1).unwrap().trace;
        trace.code.into_iter().map(|code| (code.instruction, code.bytes)).collect::<Vec<_>>()
    };
    let known: BTreeSet<u64> = code(ENTRIES).iter().map(|(instruction, _)| instruction.ip()).collect();
    code(entries).into_iter().filter(|(instruction, _)| !known.contains(&instruction.ip())).collect()
}

/// Whether entries are found by their indices, and zeros beyond.
fn is_right(kernel: &dyn Kernel, entries: usize) -> bool {
    let words = kernel.dimensions().residue_words;
    let mut random = Random(words as u64);
    let all: Vec<u64> = (0..words * (1 + entries)).map(|_| random.word()).collect();
    let (first, row) = all.split_at(words);
    (0..=entries as u64 + 3).chain([1 << 32, 1 << 63, u64::MAX]).all(|index| {
        let mut out = vec![u64::MAX; words];
        let expected = all.chunks(words).nth(usize::try_from(index).unwrap());
        interpreted(|| kernel.select(&mut out, first, row, index))
            && expected.map_or(out.iter().all(|&word| word == 0), |expected| out == expected)
    })
}

/// Tries each of these changes: a row of three does not detect it, and a long row is refused, or right.
/// Returns how many are refused.
fn refused(choice: KernelChoice, bits: usize, entries: usize, mutants: &[Mutant]) -> usize {
    let prove =
        |entries| Job { kernel: choice, operation: Operation::Select(entries), bits }.prove().map(drop);
    let n: Vec<u64> = (0..bits.div_ceil(64)).map(|_| u64::MAX).collect();
    // SAFETY: its operations are only interpreted.
    let kernel = unsafe { proofs::kernel_to_interpret(choice, &n) }.unwrap();
    let mut refused = 0;
    for mutant in mutants {
        let what = format!("{} of {} bits, {} for `{}`", choice.name(), bits, mutant.what, mutant.text);
        patch(mutant.address, mutant.new);
        let (short, long) = (prove(ENTRIES), prove(entries));
        let is_right = long.is_err() || is_right(&*kernel, entries);
        patch(mutant.address, mutant.old);
        assert!(short.is_ok(), "{what}: {short:?}");
        assert!(is_right, "{what} is proved, and wrong");
        refused += usize::from(long.is_err());
    }
    // The restored code is proved again.
    prove(entries).unwrap();
    refused
}

/// Each group, of as many entries as a vector has lanes, has another mask, which is read at its place.
#[test]
fn whole_groups_of_vectors() {
    let _alone = ALONE.lock();
    if !can_be_made(KernelChoice::IFMA52) {
        return;
    }
    for (bits, entries) in [(408, 11), (1240, 23), (4152, 23)] {
        let mut mutants = Vec::new();
        for (i, bytes) in of_long_rows(KernelChoice::IFMA52, bits, entries) {
            let Some(at) = opcode(&bytes) else { continue };
            let last = bytes.len() - 1;
            let mut change = |what, at: usize, new: u8| {
                let address = i.ip() + at as u64;
                mutants.push(Mutant { what, address, old: bytes[at], new, text: format!("{i}") });
            };
            let of_registers = (0..i.op_count()).all(|operand| i.op_kind(operand) == OpKind::Register);
            match i.mnemonic() {
                Mnemonic::Vpaddq => change("a difference", at, 0xfb),
                Mnemonic::Vpandn | Mnemonic::Vpandnq => change("a conjunction", at, 0xdb),
                Mnemonic::Vpternlogq | Mnemonic::Vpternlogd => {
                    change("without what was found", last, 0xa0);
                    change("whatever the mask", last, 0xfc);
                }
                Mnemonic::Vpermq | Mnemonic::Vpermpd if of_registers => {
                    change("another place", at + 1, bytes[at + 1] ^ 1)
                }
                _ => {}
            }
        }
        let count = refused(KernelChoice::IFMA52, bits, entries, &mutants);
        println!("ifma52, {bits} bits: {count} of {} are refused", mutants.len());
        assert!(count > 5 && count + 4 >= mutants.len(), "{bits} bits: {count} of {}", mutants.len());
    }
}

/// After as many entries as 4096 words hold, the number of the next group's first entry goes on, and not
/// backwards.
#[test]
fn groups_of_entries() {
    let _alone = ALONE.lock();
    const BITS: usize = 64 * 463;
    let trace = Subject::new(KernelChoice::PORTABLE, BITS).unwrap().record(Operation::Select(17), 1).unwrap();
    let counts = |i: &Instruction| {
        i.code() == Code::Add_r64_rm64 && i.op1_kind() == OpKind::Memory && i.memory_base() == Register::RSP
    };
    let codes = trace.trace.code.iter().filter(|code| counts(&code.instruction));
    let mutants: Vec<_> = codes
        .map(|code| Mutant {
            what: "a difference",
            address: code.instruction.ip() + 1,
            old: code.bytes[1],
            new: 0x2b,
            text: format!("{}", code.instruction),
        })
        .collect();
    assert!(!mutants.is_empty() && mutants.iter().all(|mutant| mutant.old == 3));
    assert_eq!(refused(KernelChoice::PORTABLE, BITS, 17, &mutants), mutants.len());
}
