//! Wrong code that moves words of rows is refused: code that puts residues into lanes, takes them out and
//! looks them up, or looks up rows. Changed code that is still proved is interpreted, so the processor need
//! not have its instructions.

use super::{
    patch::{ALONE, Mutant, patch},
    tally::Extent,
};
use checkmem::Trace;
use iced_x86::{Instruction, Mnemonic, OpKind, Register};
use moduli_kernel::{
    KernelChoice,
    proofs::{self, Lanes},
};
use prove::{failure::Reason, lanes, proof::Job, specification::Operation, subject::can_be_made};
use std::collections::{BTreeMap, BTreeSet};
use testing::Random;

/// The most instructions that an operation may execute.
const LIMIT: u64 = 100_000_000;

/// Bits of a digit of `ifma52`.
const DIGIT: u64 = (1 << 52) - 1;

/// The words of the longest residue of `ifma52` in strips.
const STRIPS: usize = 80;

/// The trace of the kernel's own code.
pub fn trace(choice: KernelChoice, bits: usize, operation: Operation) -> Trace {
    let recording = lanes::record(choice, bits, operation, 1).unwrap();
    let own: BTreeSet<u32> = recording.steps().iter().map(|step| step.code).collect();
    let mut trace = recording.trace;
    let mut number = 0;
    trace.code.retain(|_| {
        number += 1;
        own.contains(&(number - 1))
    });
    trace
}

/// The place of the opcode, for encodings with a prefix of their own.
pub fn opcode(bytes: &[u8]) -> Option<usize> {
    match bytes[0] {
        0x62 => Some(4),
        0xc4 => Some(3),
        0xc5 => Some(2),
        _ => None,
    }
}

/// Changes that do not affect the lengths of instructions, and keep addresses within existing memory.
fn mutants(trace: &Trace, operation: Operation) -> Vec<Mutant> {
    use Mnemonic as M;
    let mut found = Vec::new();
    for (number, code) in trace.code.iter().enumerate() {
        // An instruction right after a long constant works on a length.
        let is_of_length = number > 0 && trace.code[number - 1].instruction.op1_kind() == OpKind::Immediate64;
        let (i, bytes): (&Instruction, &[u8]) = (&code.instruction, &code.bytes);
        let last = bytes.len() - 1;
        let mut change = |what, at: usize, new: u8| {
            let address = i.ip() + at as u64;
            found.push(Mutant { what, address, old: bytes[at], new, text: format!("{i}") });
        };
        let of_registers = (0..i.op_count()).all(|operand| i.op_kind(operand) != OpKind::Memory);
        let is_memory = i.memory_displ_size() == 1 && i.memory_base() != Register::RSP;
        let Some(at) = opcode(bytes) else {
            let moves_words =
                matches!(operation, Operation::Put | Operation::Take) && bytes[0] & 0xf8 == 0x48;
            // That memory holds addresses and lengths.
            let is_of_kernel = [Register::RDI, Register::RBP].contains(&i.memory_base());
            match i.mnemonic() {
                M::Mov if moves_words && is_memory && !is_of_kernel => {
                    change("the word beside", last, bytes[last] ^ 8);
                }
                M::Mov if moves_words && i.memory_index_scale() == 8 && i.memory_displ_size() == 0 => {
                    change("half as far", last, bytes[last] ^ 0x40);
                }
                M::And if moves_words && of_registers && !is_of_length && bytes[1] & !2 == 0x21 => {
                    change("a disjunction", 1, bytes[1] & !0x38 | 8);
                    change("an exclusive disjunction", 1, bytes[1] & !0x38 | 0x30);
                }
                _ => {}
            }
            continue;
        };
        match i.mnemonic() {
            M::Vpermt2q => change("the places overwritten", at, 0x76),
            M::Vpermi2q => change("a vector overwritten", at, 0x7e),
            M::Vshufi64x2 => {
                change("another pair", last, bytes[last] ^ 1);
                change("pairs of the other half", last, bytes[last] ^ 0x55);
            }
            M::Vpunpcklqdq => change("the upper lanes", at, 0x6d),
            M::Vpunpckhqdq => change("the lower lanes", at, 0x6c),
            M::Vpsrlq => {
                change("fewer entries at a time", last, bytes[last] - 1);
                change("more entries at a time", last, bytes[last] + 1);
            }
            M::Vpsraq => change("another bit", last, bytes[last] ^ 1),
            M::Vpaddq => change("a difference", at, 0xfb),
            M::Vpsubq => change("a sum", at, 0xd4),
            M::Vpxor | M::Vpxorq if i.op1_register() != i.op2_register() => {
                change("a disjunction", at, 0xeb);
                change("a conjunction", at, 0xdb);
            }
            M::Vpternlogq | M::Vpternlogd if i.immediate8() != 0xff => {
                change("without what was found", last, 0xa0);
                change("exclusive or", last, bytes[last] ^ 0x80);
                change("whatever the mask", last, 0xfc);
            }
            M::Vpandn | M::Vpandnq => change("a conjunction", at, 0xdb),
            M::Vpcmpeqq => change("another comparison", at, 0x37),
            M::Vpand => {
                change("a disjunction", at, 0xeb);
                change("not under the mask", at, 0xdf);
            }
            M::Vpor => {
                change("a conjunction", at, 0xdb);
                change("exclusive or", at, 0xef);
            }
            M::Vpshuflw => change("another quarter", last, bytes[last] ^ 1),
            M::Vpbroadcastd => change("whole lanes", at, 0x59),
            M::Vpmovsxdq => change("without a sign", at, 0x35),
            M::Vperm2i128 | M::Vinserti128 => change("the other half", last, bytes[last] ^ 1),
            _ => {}
        }
        // Change registers that are read.
        let moves = [
            M::Vpermt2q,
            M::Vpermi2q,
            M::Vshufi64x2,
            M::Vpunpcklqdq,
            M::Vpunpckhqdq,
            M::Vperm2i128,
            M::Vpand,
            M::Vpor,
            M::Vpcmpeqq,
            M::Vpternlogq,
        ];
        let modrm = at + 1;
        if of_registers && moves.contains(&i.mnemonic()) {
            change("another vector", modrm, bytes[modrm] ^ 1);
        }
        let is_load = i.op1_kind() == OpKind::Memory && is_memory;
        if is_load && i.mnemonic() != M::Vpcmpeqq {
            change("other words", last, bytes[last] ^ 1);
        }
    }
    found
}

/// The word that holds a digit of a residue.
fn place(choice: KernelChoice, size: usize, strips: usize, digit: usize) -> usize {
    if choice != KernelChoice::IFMA52 || size > STRIPS {
        return digit;
    }
    let long = size / strips;
    strips * (digit % long) + digit / long
}

/// Interprets the current code of an action. Returns false if it does not end.
pub fn interpreted(mut action: impl FnMut()) -> bool {
    let (report, _) = checkmem::record(LIMIT, || {
        checkmem::start_recording();
        action();
        checkmem::stop_recording();
    });
    report.ended.is_ok()
}

/// The number of an entry, if there are that many.
fn entry(index: u64, count: usize) -> Option<usize> {
    usize::try_from(index).ok().filter(|&index| index < count)
}

/// Whether an operation is right for some words and indices, extreme ones among them.
fn is_right(choice: KernelChoice, bits: usize, operation: Operation) -> bool {
    let mut random = Random(bits as u64);
    let mut n: Vec<u64> = (0..bits.div_ceil(64)).map(|_| random.word()).collect();
    n[0] |= 1;
    let top = (bits - 1) % 64;
    let highest = n.last_mut().unwrap();
    *highest = *highest & (u64::MAX >> (63 - top)) | 1 << top;
    // SAFETY: its operations are only interpreted.
    let kernel = unsafe { proofs::kernel_to_interpret(choice, &n) }.unwrap();
    let (size, strips) = (kernel.dimensions().residue_words, kernel.dimensions().max_split);
    let rows: &dyn Lanes = kernel.lanes().unwrap();
    let (lanes, row) = (rows.lanes(), rows.row_words());
    let digits = row / lanes;
    let word_of = |digit: usize| (digit < size).then(|| place(choice, size, strips, digit));
    let mask = if choice == KernelChoice::IFMA52 { DIGIT } else { u64::MAX };
    let mut any = |count: usize| (0..count).map(|_| random.edge()).collect::<Vec<u64>>();
    // For code that takes sixteen at a time, these are two and a half groups.
    let count = 40;
    (0..30).all(|turn| match operation {
        Operation::Put => {
            let (residues, mut out) = (any(lanes * size), any(row));
            interpreted(|| {
                residues
                    .chunks(size)
                    .enumerate()
                    .for_each(|(lane, residue)| rows.put(&mut out, lane, residue))
            }) && (0..row).all(|at| {
                let (lane, digit) = (at % lanes, at / lanes);
                out[at] == word_of(digit).map_or(0, |word| residues[size * lane + word])
            })
        }
        Operation::Take => {
            let (from, mut out) = (any(row), any(lanes * size));
            interpreted(|| {
                out.chunks_mut(size).enumerate().for_each(|(lane, residue)| rows.take(residue, &from, lane))
            }) && (0..lanes).all(|lane| {
                let residue = &out[size * lane..][..size];
                (0..size).all(|digit| {
                    let taken = if digit < digits { from[lanes * digit + lane] & mask } else { 0 };
                    residue[word_of(digit).unwrap()] == taken
                })
            })
        }
        _ => {
            let many = [
                0,
                1,
                2,
                3,
                5,
                7,
                8,
                15,
                16,
                17,
                31,
                32,
                39,
                40,
                41,
                47,
                48,
                1 << 4,
                1 << 32,
                1 << 63,
                u64::MAX,
            ];
            let is_selection = matches!(operation, Operation::SelectRows(_));
            let rows_of_out = if is_selection { 1 } else { 2 };
            let indices: Vec<u64> =
                (0..rows_of_out * lanes).map(|lane| many[(5 * turn + 4 * lane) % many.len()]).collect();
            let entry_words = if is_selection { row } else { size };
            let (entries, mut out) = (any(count * entry_words), any(rows_of_out * row));
            interpreted(|| match is_selection {
                true => rows.select(&mut out, &entries, &indices),
                false => rows.look_up(&mut out, &entries[..size], &entries[size..], &indices),
            }) && (0..rows_of_out * row).all(|at| {
                let (lane, digit) = (at % lanes, at % row / lanes);
                let found = entry(indices[at / row * lanes + lane], count);
                let word = |entry: usize| match is_selection {
                    true => entries[row * entry + at],
                    false => word_of(digit).map_or(0, |word| entries[size * entry + word]),
                };
                out[at] == found.map_or(0, word)
            })
        }
    })
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
fn change_bytes(choice: KernelChoice, cases: &[(Operation, usize)], extent: Extent) -> (usize, usize) {
    let (mut reasons, mut right) = (BTreeMap::<String, usize>::new(), Vec::new());
    let (mut tried, mut seen) = (BTreeSet::new(), 0);
    for &(operation, bits) in cases {
        let job = Job { kernel: choice, operation, bits };
        assert!(is_right(choice, bits, operation), "{}", job.name());
        for mutant in some(mutants(&trace(choice, bits, operation), operation), extent) {
            if !tried.insert((mutant.address, mutant.new)) {
                continue;
            }
            patch(mutant.address, mutant.new);
            let found = job.prove().map(drop);
            let is_right = is_right(choice, bits, operation);
            patch(mutant.address, mutant.old);
            let what = format!("{}, {} for `{}`", job.name(), mutant.what, mutant.text);
            seen += usize::from(!is_right);
            match found {
                Ok(()) if is_right => right.push(what),
                Ok(()) => panic!("{what} is proved, and wrong"),
                Err(failure) => *reasons.entry(format!("{:?}", failure.reason)).or_default() += 1,
            }
        }
        job.prove().unwrap();
    }
    println!(
        "{}: refused {reasons:?}, a run shows {seen} to be wrong; right after all {}",
        choice.name(),
        right.len()
    );
    right.iter().for_each(|what| println!("right after all: {what}"));
    (reasons.get(&format!("{:?}", Reason::Unproven)).copied().unwrap_or(0), right.len())
}

const KERNELS: [KernelChoice; 2] = [KernelChoice::IFMA52, KernelChoice::FMA50];

#[test]
fn changed_bytes_are_refused() {
    let _alone = ALONE.lock();
    for choice in KERNELS.into_iter().filter(|&choice| can_be_made(choice)) {
        let lengths: [usize; 2] = if choice == KernelChoice::IFMA52 { [408, 1240] } else { [300, 500] };
        // The numbers of entries are those that are proved.
        let is_proved = |operation: Operation| match operation {
            Operation::LookUpRows(_) if choice == KernelChoice::FMA50 => Operation::LookUpRows(3),
            operation => operation,
        };
        let cases: Vec<_> = Operation::LANES
            .into_iter()
            .map(is_proved)
            .flat_map(|operation| lengths.map(|bits| (operation, bits)))
            .collect();
        let (refuted, right) = change_bytes(choice, &cases, Extent { first: 8, every: 4 });
        assert!(refuted > 40 && right < refuted / 3, "{}: {refuted} and {right}", choice.name());
    }
}
