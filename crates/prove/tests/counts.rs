//! Compares what operations execute with what is recorded in `counts.txt`: multiplications, and the
//! instructions that compete with them on one maker's processors or the other's. So a change that costs time
//! shows without a clock, and for processors that are not at hand.
//!
//! `MODULI_COUNTS=write cargo test -p moduli-prove --test counts` writes the file anew. Multiplications are
//! compared with any compiler, the rest only with the compiler that the file names. There may be one per cent
//! more instructions, because the set of enabled package features changes some of them.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use checkmem::{Trace, start_recording, stop_recording};
use iced_x86::{Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register};
use moduli_kernel::{
    Words,
    proofs::{self, Kernel},
};
use prove::{jobs::KERNELS, subject::can_be_made};
use std::{collections::BTreeMap, env, fmt::Write, fs, process::Command};
use testing::Random;

/// Bits of the moduli.
const LENGTHS: [usize; 7] = [256, 512, 1024, 2048, 3072, 4096, 7680];

/// Entries of look-ups.
const ENTRIES: usize = 32;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/counts.txt");

/// More than any operation executes.
const LIMIT: u64 = 100_000_000;

/// The counted instructions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    multiplications: usize,
    /// Stores of 64 bytes.
    whole_stores: usize,
    /// Vectors that are written to the stack.
    spills: usize,
    /// Comparisons and moves into mask registers.
    into_masks: usize,
    instructions: usize,
}

impl Counts {
    const NAMES: [&str; 5] =
        ["multiplications", "64-byte stores", "vectors to the stack", "into masks", "instructions"];

    fn of(trace: &Trace) -> Self {
        let mut counts = Self::default();
        let mut factory = InstructionInfoFactory::new();
        // Memory below the initial stack pointer is the operation's own.
        let top = trace.begin.general[4];
        for step in &trace.steps {
            let instruction = &trace.code[step.code as usize].instruction;
            counts.instructions += 1;
            counts.multiplications += usize::from(is_multiplication(instruction.mnemonic()));
            let changes_mask = factory.info(instruction).used_registers().iter().any(|used| {
                let writes =
                    matches!(used.access(), OpAccess::Write | OpAccess::ReadWrite | OpAccess::CondWrite);
                writes && (Register::K0..=Register::K7).contains(&used.register())
            });
            counts.into_masks += usize::from(changes_mask);
            for access in trace.accesses(step).iter().filter(|access| access.writes && access.size >= 16) {
                counts.whole_stores += usize::from(access.size == 64);
                counts.spills += usize::from(
                    is_vector_store(instruction) && access.address < top && top - access.address < 1 << 20,
                );
            }
        }
        counts
    }

    fn all(self) -> [usize; 5] {
        [self.multiplications, self.whole_stores, self.spills, self.into_masks, self.instructions]
    }
}

fn is_multiplication(mnemonic: Mnemonic) -> bool {
    let name = format!("{mnemonic:?}").to_lowercase();
    ["vpmadd52", "vfmadd", "vfmsub", "vfnmadd", "mul", "imul"].iter().any(|start| name.starts_with(start))
}

fn is_vector_store(instruction: &Instruction) -> bool {
    instruction.op0_kind() == OpKind::Memory && instruction.op1_register().is_vector_register()
}

/// Records the calls between the two requests.
fn recorded(call: &mut dyn FnMut()) -> Counts {
    let (report, trace) = checkmem::record(LIMIT, || {
        start_recording();
        call();
        stop_recording();
    });
    report.ended.expect("the operation ends");
    Counts::of(&trace.first_call().expect("the operation is called"))
}

/// The operations of a kernel, by their names.
fn operations(kernel: &dyn Kernel) -> Vec<(&'static str, Counts)> {
    let dimensions = *kernel.dimensions();
    let mut scratch = Words::zero(dimensions.scratch_words);
    let mut x = Words::copy_of(kernel.one());
    let y = x.clone();
    let mut table = Words::zero(ENTRIES * x.len());
    table.fill(1);
    let mut found = vec![
        ("square", recorded(&mut || kernel.square(&mut x, &mut scratch))),
        ("mul", recorded(&mut || kernel.mul(&mut x, &y, &mut scratch))),
        ("select", recorded(&mut || kernel.select(&mut x, &y, &table, 2))),
    ];
    let Some(lanes) = kernel.lanes() else { return found };
    let mut scratch = Words::zero(lanes.scratch_words());
    let [mut x, mut out, y] = [(); 3].map(|()| Words::zero(lanes.row_words()));
    let table = Words::zero(ENTRIES * x.len());
    let indices = [2; 8];
    found.push(("square of a row", recorded(&mut || lanes.square(&mut x, &mut scratch))));
    found.push(("mul of rows", recorded(&mut || lanes.mul(&mut x, &y, &mut scratch))));
    found.push((
        "select of rows",
        recorded(&mut || lanes.select(&mut out, &table, &indices[..lanes.lanes()])),
    ));
    let looked_at = lanes.looked_at();
    if looked_at > 0 {
        let times = ENTRIES.div_ceil(looked_at) as u32;
        let call = &mut || {
            lanes.square_and_select(
                (&mut x, times),
                (&mut out, &table, &indices[..lanes.lanes()]),
                &mut scratch,
            );
        };
        found.push(("squares and select of rows", recorded(call)));
    }
    found
}

/// Everything that is counted, by kernel, bits and operation.
fn counted() -> BTreeMap<(String, usize, String), Counts> {
    let mut all = BTreeMap::new();
    for choice in KERNELS.into_iter().filter(|&choice| can_be_made(choice)) {
        for bits in LENGTHS.into_iter().filter(|&bits| choice.foreseen(bits as u32).is_ok()) {
            let mut random = Random(bits as u64);
            let mut n: Vec<u64> = (0..bits / 64).map(|_| random.word()).collect();
            n[0] |= 1;
            n[bits / 64 - 1] |= 1 << 63;
            // SAFETY: all operations are interpreted.
            let kernel = unsafe { proofs::kernel_to_interpret(choice, &n) }.expect("a modulus of the length");
            for (operation, counts) in operations(&*kernel) {
                all.insert((choice.name().to_string(), bits, operation.to_string()), counts);
            }
        }
    }
    all
}

fn compiler() -> String {
    let output = Command::new(env::var_os("RUSTC").unwrap_or("rustc".into())).arg("--version").output();
    output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string()).unwrap_or_default()
}

fn text(all: &BTreeMap<(String, usize, String), Counts>) -> String {
    let mut text = format!("{}\nkernel\tbits\toperation", compiler());
    Counts::NAMES.iter().for_each(|name| text.extend(["\t", name]));
    for ((kernel, bits, operation), counts) in all {
        let _ = write!(text, "\n{kernel}\t{bits}\t{operation}");
        counts.all().iter().for_each(|count| text.push_str(&format!("\t{count}")));
    }
    text + "\n"
}

#[test]
fn no_operation_executes_more_than_is_written_down() {
    let counted = counted();
    if env::var("MODULI_COUNTS").is_ok_and(|value| value == "write") {
        fs::write(FILE, text(&counted)).unwrap();
    }
    let written = fs::read_to_string(FILE).unwrap();
    let is_its_compiler = written.lines().next() == Some(&compiler());
    let rows: Vec<Vec<&str>> = written.lines().skip(2).map(|line| line.split('\t').collect()).collect();
    let mut more = Vec::new();
    for ((kernel, bits, operation), counts) in &counted {
        let name = [kernel.clone(), bits.to_string(), operation.clone()];
        let Some(row) = rows.iter().find(|row| row[..3] == name) else {
            more.push(format!("{name:?} is not written down"));
            continue;
        };
        for (i, (count, written)) in counts.all().into_iter().zip(&row[3..]).enumerate() {
            let written: usize = written.parse().unwrap();
            let is_wrong = match Counts::NAMES[i] {
                "multiplications" => count != written,
                "instructions" => is_its_compiler && count > written + written / 100,
                _ => is_its_compiler && count > written,
            };
            if is_wrong {
                more.push(format!(
                    "{} {}: {count} {}, not {written}",
                    kernel,
                    name[1..].join(" "),
                    Counts::NAMES[i]
                ));
            }
        }
    }
    assert!(more.is_empty(), "{}\nMODULI_COUNTS=write writes them down", more.join("\n"));
}
