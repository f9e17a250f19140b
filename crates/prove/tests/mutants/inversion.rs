//! Wrong code of an inversion is refused: changed code that is still proved has to be right.

use super::patch::{ALONE, Mutant, patch};
use checkmem::{Change, Trace};
use iced_x86::{Code as Kind, Mnemonic};
use moduli_kernel::{Arithmetic, KernelChoice};
use num_bigint::{BigInt, BigUint};
use prove::{
    checker,
    failure::{Reason, Result},
    inversion::{self, Ends, Recording, Update},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};
use testing::Random;

/// Changes that do not affect addresses and lengths of instructions. Loops use 32-bit counters, and values
/// that are not changed.
pub(super) fn mutants(trace: &Trace, steps: Range<usize>, is_wanted: &dyn Fn(u64) -> bool) -> Vec<Mutant> {
    let codes: BTreeSet<u32> = trace.steps[steps].iter().map(|step| step.code).collect();
    let mut found = Vec::new();
    let codes = codes.into_iter().map(|code| &trace.code[code as usize]);
    for code in codes.filter(|code| is_wanted(code.instruction.ip())) {
        let (instruction, bytes) = (&code.instruction, &code.bytes[..]);
        let mut change = |what, at: usize, new: u8| {
            let address = instruction.ip() + at as u64;
            found.push(Mutant { what, address, old: bytes[at], new, text: format!("{instruction}") });
        };
        let opcode = |old: u8| bytes.iter().take(3).position(|&byte| byte == old);
        let last = bytes.len() - 1;
        let is_stack = instruction.op0_register().full_register().number() == 4;
        match (instruction.mnemonic(), instruction.code()) {
            _ if is_stack => {}
            (_, Kind::Adc_r64_rm64) => opcode(0x13).into_iter().for_each(|at| change("no carry", at, 0x03)),
            (_, Kind::Adc_rm64_r64) => opcode(0x11).into_iter().for_each(|at| change("no carry", at, 0x01)),
            (_, Kind::Add_r64_rm64) => {
                opcode(0x03).into_iter().for_each(|at| change("a difference", at, 0x2b))
            }
            (_, Kind::Add_rm64_r64) => {
                opcode(0x01).into_iter().for_each(|at| change("a difference", at, 0x29))
            }
            (_, Kind::Sub_rm64_r64) => opcode(0x29).into_iter().for_each(|at| change("a sum", at, 0x01)),
            (_, Kind::And_rm64_r64) => {
                opcode(0x21).into_iter().for_each(|at| change("either for both", at, 0x09))
            }
            (_, Kind::And_r64_rm64) => {
                opcode(0x23).into_iter().for_each(|at| change("either for both", at, 0x0b))
            }
            (_, Kind::Or_rm64_r64) => {
                opcode(0x09).into_iter().for_each(|at| change("both for either", at, 0x21))
            }
            (_, Kind::Xor_rm64_r64) => {
                opcode(0x31).into_iter().for_each(|at| change("both for one", at, 0x21))
            }
            (_, Kind::Shrd_rm64_r64_imm8 | Kind::Shld_rm64_r64_imm8) => {
                change("another place", last, bytes[last] ^ 1)
            }
            (_, Kind::Sar_rm64_imm8 | Kind::Shr_rm64_imm8) => {
                change("another place", last, bytes[last] ^ 1);
                // Three bits hold the kind of shift.
                change("another sign", last - 1, bytes[last - 1] ^ 0x10);
            }
            // Three bits also hold the kind of one-operand products and negations.
            (_, Kind::Imul_rm64) => {
                opcode(0xf7).into_iter().for_each(|at| change("without signs", at + 1, bytes[at + 1] ^ 0x08))
            }
            (Mnemonic::Neg, _) => change("less one", last, bytes[last] ^ 0x08),
            (_, Kind::Dec_rm64) => change("one more", last, bytes[last] ^ 0x08),
            // Change a constant.
            (_, Kind::Mov_r64_imm64) => change("another constant", last, bytes[last] ^ 0x01),
            _ => {}
        }
    }
    found
}

/// The addresses of instructions whose results are digits: these differ between both traces, and are no
/// addresses. Instructions that count or allocate are left out, as changes of them would harm this process.
pub(super) fn of_digits(trace: &Trace, other: &Trace) -> BTreeSet<u64> {
    let values = |trace: &Trace, i: usize| -> Vec<u64> {
        let of = |change: &Change| match *change {
            Change::General(_, x) => x,
            _ => 0,
        };
        trace.changes(&trace.steps[i]).iter().map(of).collect()
    };
    let is_long = |&(x, y): &(u64, u64)| x != y && x.max(y) >> 48 != 0;
    let is_of_digits =
        |&i: &usize| values(trace, i).into_iter().zip(values(other, i)).any(|pair| is_long(&pair));
    let found = (0..trace.steps.len().min(other.steps.len())).filter(is_of_digits);
    found.map(|i| trace.code[trace.steps[i].code as usize].instruction.ip()).collect()
}

/// An inversion, and the places of its jump before anything was changed.
struct Subject {
    limbs: usize,
    jump: Ends,
}

impl Subject {
    fn record(&self) -> Result<Recording> {
        inversion::record(self.limbs, true, 3)
    }

    fn prove(&self) -> Result<()> {
        let recording = self.record()?;
        for update in [Update::Exact, Update::Modular] {
            let (lifting, rows) = recording.lift_update(update)?;
            for row in &rows {
                let integers = &lifting.lifted.integers;
                checker::check_row(&integers.system, row, &inversion::prove_row(integers, row)?)?;
            }
        }
        let (lifting, jump) = recording.lift_jump(&self.jump)?;
        checker::check_jump(&lifting.lifted.integers.system, &jump)?;
        let (lifting, whole) = recording.lift_whole(&recording, &self.jump)?;
        let integers = &lifting.lifted.integers;
        checker::check_whole(&integers.system, &whole, &inversion::prove_whole(integers, &whole)?)
    }
}

fn big(words: &[u64]) -> BigInt {
    BigUint::new(words.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]).collect()).into()
}

/// Whether the inverses for some moduli and values are right. The code is run, not interpreted.
fn is_right(limbs: usize, mutant: &Mutant) -> bool {
    let mut random = Random(11);
    let runs: Vec<_> = (0..40)
        .map(|_| {
            let mut n: Vec<u64> = (0..limbs).map(|_| random.edge()).collect();
            n[0] |= 3;
            n[limbs - 1] |= 1;
            let values: Vec<_> = (0..25)
                .map(|_| {
                    let value = big(&(0..limbs).map(|_| random.edge()).collect::<Vec<_>>()) % big(&n);
                    let mut words = value.to_u64_digits().1;
                    words.resize(limbs, 0);
                    words
                })
                .collect();
            (Arithmetic::new(&n, KernelChoice::PORTABLE).unwrap(), n, values)
        })
        .collect();
    patch(mutant.address, mutant.new);
    let results: Vec<Vec<_>> = runs
        .iter()
        .map(|(arithmetic, _, values)| values.iter().map(|value| arithmetic.invert(value)).collect())
        .collect();
    patch(mutant.address, mutant.old);
    runs.iter().zip(results).all(|((_, n, values), results)| {
        let n = big(n);
        values.iter().zip(results).all(|(value, (inverse, is_there))| {
            let expected = big(value).modinv(&n);
            match expected {
                Some(expected) => is_there == u64::MAX && big(&inverse) == expected,
                None => is_there == 0,
            }
        })
    })
}

/// This is one test, as no other may run meanwhile.
#[test]
fn changed_bytes_of_an_inversion_are_refused() {
    let _alone = ALONE.lock();
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    let (mut survivors, mut seen) = (Vec::new(), 0);
    let recording = inversion::record(3, true, 3).unwrap();
    let subject = Subject { limbs: 3, jump: recording.find_jump().unwrap() };
    subject.prove().unwrap();
    let updates = recording.calls.iter().take(2).map(|call| call.steps.clone());
    // The code before the first jump, and after the last update.
    let whole = recording.lift_whole(&recording, &subject.jump).unwrap().0.steps;
    let ends = [
        whole.start..recording.calls[0].steps.start - subject.jump.steps.len(),
        recording.calls.last().unwrap().steps.end..whole.end,
    ];
    let parts: Vec<_> = updates.chain([subject.jump.steps.clone()]).collect();
    let of_digits = of_digits(&recording.trace, &inversion::record(3, true, 4).unwrap().trace);
    let of_parts = parts.into_iter().flat_map(|steps| mutants(&recording.trace, steps, &|_| true));
    let is_of_digits = |address: u64| of_digits.contains(&address);
    let of_ends = ends.into_iter().flat_map(|steps| mutants(&recording.trace, steps, &is_of_digits));
    for mutant in of_parts.chain(of_ends) {
        patch(mutant.address, mutant.new);
        let found = subject.prove();
        patch(mutant.address, mutant.old);
        let what = format!("{} for `{}`", mutant.what, mutant.text);
        match found {
            Ok(()) if is_right(3, &mutant) => survivors.push(what),
            Ok(()) => panic!("{what} is proved, and wrong"),
            Err(failure) => {
                *reasons.entry(format!("{:?}", failure.reason)).or_default() += 1;
                // Code that was lifted to its end writes only where it may, so it can be run.
                let is_harmless = matches!(failure.reason, Reason::Unproven | Reason::Refused);
                seen += usize::from(is_harmless && !is_right(3, &mutant));
            }
        }
    }
    // The restored code is proved again.
    subject.prove().unwrap();
    println!(
        "refused {reasons:?}, of which a run shows {seen} to be wrong; right after all {}",
        survivors.len()
    );
    survivors.iter().for_each(|what| println!("right after all: {what}"));
    let refuted: usize = [Reason::Unproven, Reason::Refused]
        .iter()
        .filter_map(|reason| reasons.get(&format!("{reason:?}")))
        .sum();
    assert!(refuted > 60, "{reasons:?}");
    assert!(seen > 60, "{seen} are seen to be wrong: the runs are too few to judge by");
    assert!(survivors.len() < refuted / 5, "{survivors:?}");
}
