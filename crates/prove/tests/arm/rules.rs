//! The equations for an instruction hold for other operands as well, and code that cannot be lifted is
//! refused for the right reason.

use super::{
    evaluation::evaluate,
    pieces::{DATA, WORDS, pieces, run, territory, words},
};
use prove::{
    arm::{
        lift::{Lifted, Part, lift},
        trace::Trace,
    },
    failure::{Reason, Result},
    lift::Symbol,
    system::Id,
};
use testing::Random;

fn lifted(trace: &Trace, inputs: &[u64]) -> Result<(Lifted, Vec<Vec<Id>>)> {
    let part = Part {
        trace,
        steps: 0..trace.steps.len(),
        begin: trace.begin.clone(),
        arguments: 1,
        symbolic: None,
        quotients: None,
        cuts: &[],
        known: &|_| None,
        read_only: &[],
    };
    lift(part, &[Symbol::any(DATA, inputs.to_vec())], territory())
}

#[test]
fn rules_hold_for_all_operands() {
    let random = &mut Random(1);
    for piece in pieces() {
        for _ in 0..8 {
            let inputs = words(random);
            let (_, trace) =
                run(&piece.code, &inputs, true).unwrap_or_else(|stop| panic!("{}: {stop:?}", piece.text));
            let (lifted, ids) = lifted(&trace.unwrap(), &inputs)
                .unwrap_or_else(|failure| panic!("{}: {failure}", piece.text));
            let place = |i: usize| DATA + 8 * (WORDS + i) as u64;
            let results: Vec<_> =
                (0..WORDS).map(|i| lifted.words(place(i), 1).ok().map(|ids| ids[0] as usize)).collect();
            assert!(results.iter().any(Option::is_some), "{}: nothing depends on the words", piece.text);
            for _ in 0..100 {
                let inputs = words(random);
                let values =
                    evaluate(&lifted.integers, &ids[0].iter().copied().zip(inputs.clone()).collect());
                let (after, _) = run(&piece.code, &inputs, false).unwrap();
                for (i, result) in results.iter().enumerate() {
                    if let Some(id) = result {
                        assert_eq!(values[*id], after[i].into(), "{}, x{} of {inputs:x?}", piece.text, i + 1);
                    }
                }
            }
        }
    }
}

/// The reason why code is not lifted, if it is not.
fn reason(code: &[u32]) -> Option<Reason> {
    let inputs = [3; WORDS];
    let (_, trace) = run(code, &inputs, true).unwrap();
    lifted(&trace.unwrap(), &inputs).err().map(|failure| failure.reason)
}

const LOAD: u32 = 0xf940_0001; // ldr x1, [x0]
const RETURN: u32 = 0xd65f_03c0;

#[test]
fn refusals() {
    // str x1, [x0, #48]
    assert_eq!(reason(&[LOAD, 0xf900_1801, RETURN]), None);
    // cbz x1, .+8
    assert_eq!(reason(&[LOAD, 0xb400_0041, 0xd503_201f, RETURN]), Some(Reason::SymbolicBranch));
    // cmp x1, #1; b.cs .+8
    let branch = reason(&[LOAD, 0xf100_043f, 0x5400_0042, 0xd503_201f, RETURN]);
    assert_eq!(branch, Some(Reason::SymbolicBranch));
    // and x1, x1, #1; ldr x2, [x0, x1, lsl #3]
    let address = reason(&[LOAD, 0x9240_0021, 0xf861_7802, RETURN]);
    assert_eq!(address, Some(Reason::SymbolicAddress));
    // lsl x2, x1, x1
    assert_eq!(reason(&[LOAD, 0x9ac1_2022, RETURN]), Some(Reason::SymbolicCount));
    // udiv x2, x1, x1
    assert_eq!(reason(&[LOAD, 0x9ac1_0822, RETURN]), Some(Reason::NoRule));
    // ldr x2, [sp, #-8]!; add sp, sp, #8
    let undeclared = reason(&[0xf85f_8fe2, 0x9100_23ff, RETURN]);
    assert_eq!(undeclared, Some(Reason::UndeclaredRead));
    // mov x2, x9
    assert_eq!(reason(&[0xaa09_03e2, RETURN]), Some(Reason::LostRegister));
    // mov x19, x1
    assert_eq!(reason(&[LOAD, 0xaa01_03f3, RETURN]), Some(Reason::ForeignWrite));
    // str w1, [x0, #48]
    assert_eq!(reason(&[LOAD, 0xb900_3001, RETURN]), Some(Reason::PartOfAWord));
    // subs x1, x1, #1; cset x2, mi
    assert_eq!(reason(&[LOAD, 0xf100_0421, 0x9a9f_57e2, RETURN]), Some(Reason::UnfollowedFlag));
}
