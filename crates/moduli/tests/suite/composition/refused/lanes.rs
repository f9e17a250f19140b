//! Wrong powers in lanes.

use std::panic::{AssertUnwindSafe, catch_unwind};

use moduli::KernelChoice;
use moduli_kernel::{Arithmetic, Words};
use testing::Random;

use super::super::{
    ledger::Ledger,
    value::{Number, Power, Unknown},
};

/// The error in a power, which otherwise raises the base of each lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wrong {
    Nothing,
    /// One lane looks up the entry of another digit.
    Digit,
    /// Two bases exchange their lanes.
    PutElsewhere,
    /// A power is taken from the neighbouring lane.
    TakenElsewhere,
    /// A squaring is missing.
    Square,
    /// The look-up reads another table.
    Table,
    /// A word of the running power changes between operations.
    Spoilt,
}

/// Whether the ledger finds x^e for one x and one e of four bits in each lane, in windows of two
/// bits. It may also panic.
fn in_lanes(kernel: KernelChoice, bits: u32, wrong: Wrong) -> Option<bool> {
    let modulus = Random(5).odd(bits);
    let arithmetic = Arithmetic::new(&modulus.to_u64_digits(), kernel).unwrap();
    let ledger = Ledger::of(&[&modulus], kernel);
    let listener = ledger.listener(0);
    let mut lanes = arithmetic.lane_session(Some(&*listener))?;
    let mut session = arithmetic.session(Some(&*listener));
    let (count, size) = (lanes.lanes(), lanes.row_words());
    let exponents: Vec<u64> = (0..count as u64).map(|lane| 5 * lane % 16).collect();
    let mut table = Words::zero(4 * size);
    for lane in 0..count {
        let mut value = session.value();
        value[0] = 3 + 2 * lane as u64;
        let mut residue = session.residue();
        session.to_montgomery(&mut residue, &value);
        let to = if wrong == Wrong::PutElsewhere { lane ^ 1 } else { lane };
        lanes.put(&mut table[..size], to, session.one());
        for entry in 1..4 {
            lanes.put(&mut table[entry * size..][..size], to, &residue);
        }
    }
    for entry in 2..4 {
        let (known, new) = table.split_at_mut(entry * size);
        for _ in 1..entry {
            lanes.mul(&mut new[..size], &known[size..2 * size]);
        }
    }
    let digits = |at: u32| -> Vec<u64> { exponents.iter().map(|e| e >> (2 * at) & 3).collect() };
    let (mut power, mut found) = (lanes.row(), lanes.row());
    lanes.select(&mut power, &table, &digits(1));
    let mut low = digits(0);
    if wrong == Wrong::Digit {
        low[1] ^= 1;
    }
    let mut other = Words::copy_of(&table);
    if wrong == Wrong::Table {
        lanes.square(&mut other[size..2 * size]);
    }
    let times = if wrong == Wrong::Square { 1 } else { 2 };
    lanes.square_and_select((&mut power, times), (&mut found, &other, &low));
    lanes.mul(&mut power, &found);
    if wrong == Wrong::Spoilt {
        power[0] ^= 1;
    }
    for (lane, e) in exponents.into_iter().enumerate() {
        let (mut residue, mut value) = (session.residue(), session.value());
        let from = if wrong == Wrong::TakenElsewhere { lane ^ 1 } else { lane };
        lanes.take(&mut residue, &power, from);
        session.from_montgomery(&mut value, &residue);
        let book = ledger.book();
        let found = book.moduli[0].resolved(&book.stored.last().unwrap().value);
        let base = Power::of(Unknown::Number(Number::Given(lane)));
        if found != Power::default().times(&base, &e.into()).into() {
            return Some(false);
        }
    }
    Some(true)
}

#[test]
fn wrong_powers_in_lanes() {
    use Wrong::*;
    for kernel in KernelChoice::ALL.iter().copied().filter(|kernel| kernel.is_supported()) {
        for bits in [64, 521, 1024] {
            let Some(right) = in_lanes(kernel, bits, Nothing) else { continue };
            assert!(right, "{kernel:?}, {bits} bits");
            for wrong in [Digit, PutElsewhere, TakenElsewhere, Square, Table] {
                assert_eq!(in_lanes(kernel, bits, wrong), Some(false), "{kernel:?}, {bits} bits, {wrong:?}");
            }
            let spoilt = catch_unwind(AssertUnwindSafe(|| in_lanes(kernel, bits, Spoilt)));
            assert!(spoilt.is_err(), "{kernel:?}, {bits} bits, a residue that nothing gave");
        }
    }
}
