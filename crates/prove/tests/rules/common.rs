//! Shared by the tests of rules: code is recorded, lifted, and run on other words.

use checkmem::Trace;
use prove::{
    lift::{Declarations, Lifted, Part, Symbol, Territory, lift_declared},
    system::Id,
};
use std::iter;
use testing::Random;

use super::evaluation::evaluate;

/// Code on words, the first half of which is read.
pub type Code<const N: usize> = fn(&mut [u64; N]);

/// Code, and how it is run: by the processor, or interpreted if the processor lacks its instructions.
#[derive(Clone, Copy)]
pub struct Runs<const N: usize> {
    pub code: Code<N>,
    pub by_processor: bool,
}

/// A word, or one that causes carries where 52 bits end, up to `highest`.
fn operand(random: &mut Random, highest: u64) -> u64 {
    const DIGIT: u64 = (1 << 52) - 1;
    let word = random.word();
    let word = match word % 4 {
        0 => [0, 1, DIGIT - 1, DIGIT, DIGIT + 1, 1 << 51][(word >> 32) as usize % 6],
        _ => random.edge(),
    };
    if word > highest { word & (highest >> 1) } else { word }
}

/// Records code that works on these words. Returns the trace, and the memory that it may write.
pub fn recorded<const N: usize>(name: &str, code: Code<N>, memory: &mut [u64; N]) -> (Trace, Territory) {
    let (report, trace) = checkmem::record(100_000, || {
        checkmem::start_recording();
        std::hint::black_box(code)(memory);
        checkmem::stop_recording();
    });
    assert_eq!(report.ended, Ok(()), "{name}");
    let trace = trace.first_call().expect(name);
    let (address, stack) = (memory.as_ptr() as u64, trace.begin.general[4]);
    let territory = Territory {
        public: iter::once(stack..stack + 8).collect(),
        writable: vec![address..address + 8 * N as u64, stack - 4096..stack],
    };
    (trace, territory)
}

/// Lifts code that reads the first half of its words, each up to `highest`, and writes the others. Checks
/// that the equations hold for other words.
pub fn check<const N: usize>(name: &str, runs: Runs<N>, highest: u64, random: &mut Random) {
    // Words may count as negative, or not.
    for has_signs in [false, true] {
        check_declared(name, runs, highest, random, |declarations| declarations.has_signs(has_signs));
    }
}

/// As `check`, for code whose products have signed factors.
pub fn check_signed<const N: usize>(name: &str, code: Code<N>, random: &mut Random) {
    let runs = Runs { code, by_processor: true };
    check_declared(name, runs, u64::MAX, random, |declarations| declarations.has_signed_products());
}

fn check_declared<const N: usize>(
    name: &str,
    runs: Runs<N>,
    highest: u64,
    random: &mut Random,
    declare: impl FnOnce(&mut Declarations<'_>),
) {
    let mut memory = [0u64; N];
    memory.iter_mut().for_each(|word| *word = operand(random, highest));
    let inputs = memory;
    let (trace, territory) = recorded(name, runs.code, &mut memory);
    let address = memory.as_ptr() as u64;
    let symbols = [Symbol { address, words: inputs[..N / 2].to_vec(), highest: vec![highest; N / 2] }];
    let lifted = lift_declared(Part::whole(&trace), &symbols, territory, |declarations| {
        declare(declarations);
        Ok(())
    });
    let (lifted, ids) = lifted.unwrap_or_else(|failure| panic!("{name}: {failure}"));
    compare(name, runs, highest, random, (address, &lifted, &ids[0]));
}

/// Checks that the equations give the results of the code for other words.
fn compare<const N: usize>(
    name: &str,
    Runs { code, by_processor }: Runs<N>,
    highest: u64,
    random: &mut Random,
    (address, lifted, ids): (u64, &Lifted, &[Id]),
) {
    let results: Vec<_> =
        (N / 2..N).map(|i| lifted.words(address + 8 * i as u64, 1).ok().map(|ids| ids[0])).collect();
    assert!(results.iter().any(Option::is_some), "{name}: nothing depends on the words");
    for _ in 0..200 {
        let mut memory = [0u64; N];
        memory.iter_mut().for_each(|word| *word = operand(random, highest));
        if random.word().is_multiple_of(4) {
            memory[1] = memory[0];
        }
        let inputs = ids.iter().copied().zip(memory).collect();
        let values = evaluate(&lifted.integers, &inputs);
        let before = memory;
        if by_processor {
            code(&mut memory);
        } else {
            recorded(name, code, &mut memory);
        }
        for (i, result) in results.iter().enumerate() {
            if let Some(id) = result {
                let found = values[*id as usize];
                assert_eq!(found, memory[N / 2 + i].into(), "{name}, word {i} of {:x?}", &before[..N / 2]);
            }
        }
    }
}
