//! Preparations of operands in pieces are proved part by part; wrong statements are refused.

use super::common::{made, refuses_to_forget};
use moduli_kernel::KernelChoice;
use prove::{
    checker, doubles, prover,
    specification::{
        Bound, Formula, Operation, Statement,
        digits::Digits,
        doubles::{Doubles, Part},
    },
    subject::{Recorded, Subject},
};

/// A proof for one piece does not hold with anything of another.
#[test]
fn pieces_of_words() {
    let kernels = made(KernelChoice::ADX).into_iter().chain([KernelChoice::PORTABLE]);
    for (kernel, pieces, words) in
        kernels.flat_map(|kernel| [(kernel, 3, 7), (kernel, 2, 2), (kernel, 5, 13)])
    {
        let operation = Operation::Prepare(pieces);
        let what = format!("{} {operation} at {words} words", kernel.name());
        let subject = Subject::new(kernel, 64 * words).unwrap();
        let (lifted, statements) = subject.record(operation, 3).unwrap().lift_all().unwrap();
        let system = &lifted.integers.system;
        // There is a statement for the product, and one for each piece.
        assert_eq!(statements.len(), 1 + pieces);
        let certificates = prover::prove_all(&lifted.integers, &statements).unwrap();
        checker::check_all(system, &statements, &certificates).unwrap();
        for (i, statement) in statements.iter().enumerate() {
            let refuses = |change: &dyn Fn(&mut Statement)| {
                let mut statement = statement.clone();
                change(&mut statement);
                assert!(checker::check(system, &statement, &certificates[i]).is_err(), "{what}, part {i}");
                let found = prover::prove(&lifted.integers, &statement);
                let found = found.and_then(|by| checker::check(system, &statement, &by));
                assert!(found.is_err(), "{what}, part {i}");
            };
            let other = &statements[(i + 1) % statements.len()];
            refuses(&|it| it.first.clone_from(&other.first));
            refuses(&|it| it.result.clone_from(&other.result));
            refuses(&|it| it.modulus.swap(0, 1));
            refuses(&|it| it.specification.is_reduced = false);
            if let Formula::Shifted(shifted) = statement.specification.formula {
                refuses(&|it| it.specification.formula = Formula::Shifted(shifted + 1));
                refuses(&|it| it.specification.formula = Formula::Shifted(shifted - 1));
                refuses(&|it| it.specification.formula = Formula::Copy);
                // For an operand that is any number, the result may reach N.
                refuses(&|it| it.specification.first = Bound::Words);
            } else {
                assert_eq!((i, statement.specification.formula), (0, Formula::Product));
            }
        }
    }
}

/// There are statements for the residue's value, the power of two, the product of both, and that power again;
/// then for pieces, with a product between two of them. None of these holds with anything of another.
#[test]
fn pieces_of_digits() {
    let Some(ifma52) = made(KernelChoice::IFMA52) else { return };
    for (pieces, bits) in [(2, 200), (3, 408), (2, 616)] {
        let operation = Operation::Prepare(pieces);
        let subject = Subject::new(ifma52, bits).unwrap();
        let (lifted, statements) = subject.record(operation, 3).unwrap().lift_all().unwrap();
        let system = &lifted.integers.system;
        assert_eq!(statements.len(), 5 + 2 * pieces - 1);
        let certificates = prover::prove_all(&lifted.integers, &statements).unwrap();
        checker::check_all(system, &statements, &certificates).unwrap();
        for (i, statement) in statements.iter().enumerate() {
            let refuses = |what: &str, change: &dyn Fn(&mut Statement)| {
                let mut statement = statement.clone();
                change(&mut statement);
                let what = format!("{operation} at {bits} bits, part {i}: {what}");
                assert!(checker::check(system, &statement, &certificates[i]).is_err(), "{what}, by the same");
                let found = prover::prove(&lifted.integers, &statement);
                assert!(found.and_then(|by| checker::check(system, &statement, &by)).is_err(), "{what}");
            };
            fn digits(statement: &mut Statement) -> &mut Digits {
                statement.digits.as_mut().unwrap()
            }
            let formula = statement.specification.formula;
            let others = statements.iter().filter(|other| other.specification.formula == formula);
            for other in others.filter(|other| other.result != statement.result) {
                refuses("another result", &|it| it.result.clone_from(&other.result));
                if other.first != statement.first {
                    refuses("another operand", &|it| it.first.clone_from(&other.first));
                }
            }
            refuses("digits of N exchanged", &|it| it.modulus.swap(0, 1));
            refuses("digits of the operand exchanged", &|it| it.first.swap(0, 1));
            refuses("digits of the result exchanged", &|it| it.result.swap(0, 1));
            refuses("reduced or not", &|it| it.specification.is_reduced ^= true);
            refuses("longer moduli than are declared", &|it| digits(it).bits += 1);
            if formula != Formula::Remainder {
                refuses("another factor R", &|it| digits(it).reduced += 1);
                refuses("another factor R", &|it| digits(it).reduced -= 1);
                refuses("without a digit", &|it| it.result.truncate(it.result.len() - 1));
            }
            let of_formula = |other| move |it: &mut Statement| it.specification.formula = other;
            match formula {
                Formula::Raised(digit) => {
                    assert!(matches!(i, 2 | 4), "part {i}");
                    refuses("another power", &of_formula(Formula::Raised(digit + 1)));
                    refuses("another power", &of_formula(Formula::Raised(digit - 1)));
                    refuses("no power", &of_formula(Formula::First));
                }
                Formula::First => refuses("a power", &of_formula(Formula::Raised(1))),
                Formula::Remainder => {
                    refuses("a copy", &of_formula(Formula::Copy));
                    refuses("another reciprocal", &|it| digits(it).reciprocal = it.first[0]);
                }
                _ => refuses("a square", &of_formula(Formula::Square)),
            }
            refuses("a sum", &of_formula(Formula::Sum));
            for tampered in 0..certificates[i].outcomes[0].uses.len().min(8) {
                let mut certificate = certificates[i].clone();
                certificate.outcomes[0].uses.remove(tampered);
                assert!(checker::check(system, statement, &certificate).is_err(), "part {i} by less");
                let mut certificate = certificates[i].clone();
                certificate.outcomes[0].uses[tampered].multiplier += 1;
                assert!(checker::check(system, statement, &certificate).is_err(), "part {i} by more");
            }
        }
        for name in ["y", "modulus", "modulus digits", "high", "one entered", "reciprocal"] {
            refuses_to_forget(ifma52, bits, operation, name);
        }
    }
}

/// There are statements for the value of the residue, and for each piece by the one above it, to which N is
/// added as often as it takes.
#[test]
fn pieces_of_doubles() {
    let Some(fma50) = made(KernelChoice::FMA50) else { return };
    // In the first case the highest piece is made from R times the residue; in the others it is the value
    // itself.
    for (pieces, bits, parts) in [(2, 200, 3), (2, 300, 2), (2, 700, 2), (3, 500, 3)] {
        let operation = Operation::Prepare(pieces);
        let (lifted, statements) = doubles::record(fma50, bits, operation, 3).unwrap().lift_all().unwrap();
        let system = &lifted.integers.system;
        assert_eq!(statements.len(), parts, "{operation} at {bits} bits");
        let certificates = prover::prove_all(&lifted.integers, &statements).unwrap();
        checker::check_all(system, &statements, &certificates).unwrap();
        for (i, statement) in statements.iter().enumerate() {
            let refuses = |what: &str, change: &dyn Fn(&mut Statement)| {
                let mut statement = statement.clone();
                change(&mut statement);
                let what = format!("{operation} at {bits} bits, part {i}: {what}");
                assert!(checker::check(system, &statement, &certificates[i]).is_err(), "{what}, by the same");
                let found = prover::prove(&lifted.integers, &statement);
                assert!(found.and_then(|by| checker::check(system, &statement, &by)).is_err(), "{what}");
            };
            fn doubles(statement: &mut Statement) -> &mut Doubles {
                statement.doubles.as_mut().unwrap()
            }
            let other = &statements[(i + 1) % statements.len()];
            refuses("another result", &|it| it.result.clone_from(&other.result));
            refuses("another operand", &|it| it.first.clone_from(&other.first));
            refuses("digits of N exchanged", &|it| it.modulus.swap(0, 1));
            refuses("digits of the operand exchanged", &|it| it.first.swap(0, 1));
            refuses("digits of the result exchanged", &|it| it.result.swap(0, 1));
            refuses("without a digit", &|it| it.result.truncate(it.result.len() - 1));
            refuses("reduced or not", &|it| it.specification.is_reduced ^= true);
            refuses("longer moduli than are declared", &|it| doubles(it).bits += 50);
            refuses("as it stands", &|it| it.specification.formula = Formula::Copy);
            refuses("another part", &|it| doubles(it).part = Part::Left);
            let Formula::Shifted(shift) = statement.specification.formula else {
                assert_eq!((i, statement.specification.formula), (0, Formula::Remainder));
                refuses("another part", &|it| doubles(it).part = Part::Shifted);
                refuses("by another number", &|it| it.before.as_mut().unwrap().second.swap(0, 1));
                continue;
            };
            let of_formula = |other| move |it: &mut Statement| it.specification.formula = other;
            refuses("a longer power", &of_formula(Formula::Shifted(shift + 1)));
            refuses("a shorter power", &of_formula(Formula::Shifted(shift - 1)));
            refuses("a remainder", &of_formula(Formula::Remainder));
            refuses("another part", &|it| doubles(it).part = Part::Divided);
            refuses("another part", &|it| doubles(it).part = Part::Whole);
            refuses("of any number", &|it| it.specification.first = Bound::Words);
            refuses("another constant for the inverse", &|it| it.inverse = it.first[0]);
            let certificate = &certificates[i];
            let tampered = |what: &str, change: &dyn Fn(&mut prove::certificate::Certificate)| {
                let mut certificate = certificate.clone();
                change(&mut certificate);
                let found = checker::check(system, statement, &certificate);
                assert!(found.is_err(), "{operation} at {bits} bits, part {i}: {what}");
            };
            assert_eq!(certificate.quotient.len(), shift);
            for digit in 0..shift {
                tampered("without a digit of the quotient", &|it| {
                    it.quotient.remove(digit);
                });
                tampered("another weight", &|it| it.quotient[digit].1 += 50);
            }
            for lemma in 0..certificate.lemmas.len() {
                tampered("without a lemma", &|it| drop(it.lemmas.remove(lemma)));
            }
            for number in 0..certificate.outcomes[0].uses.len().min(8) {
                tampered("without an equation", &|it| drop(it.outcomes[0].uses.remove(number)));
                tampered("more of an equation", &|it| it.outcomes[0].uses[number].multiplier += 1);
            }
        }
    }
}

/// Products with a common operand: short ones, and long ones, for which the operand moves down part by part.
#[test]
fn pairs_of_words() {
    pairs(&[5, 31], &[5, 28]);
}

#[test]
#[ignore = "more lengths"]
fn pairs_of_more_words() {
    pairs(&[28], &[31]);
}

fn pairs(of_adx: &[usize], of_portable: &[usize]) {
    let adx =
        made(KernelChoice::ADX).into_iter().flat_map(|adx| of_adx.iter().map(move |&words| (adx, words)));
    for (kernel, words) in adx.chain(of_portable.iter().map(|&words| (KernelChoice::PORTABLE, words))) {
        let operation = Operation::MulPair;
        let what = format!("{} {operation} at {words} words", kernel.name());
        let subject = Subject::new(kernel, 64 * words).unwrap();
        let (lifted, statements) = subject.record(operation, 3).unwrap().lift_all().unwrap();
        let system = &lifted.integers.system;
        let part = if kernel == KernelChoice::PORTABLE { 4 } else { 8 };
        let parts = if words < 28 { 0 } else { (words - part - 1) / part };
        assert_eq!(statements.len(), if parts == 0 { 2 } else { parts + 6 }, "{what}");
        let certificates = prover::prove_all(&lifted.integers, &statements).unwrap();
        checker::check_all(system, &statements, &certificates).unwrap();
        let mut refused = 0;
        for (i, statement) in statements.iter().enumerate() {
            let mut refuses = |number: usize, change: &dyn Fn(&mut Statement)| {
                let mut statement = statement.clone();
                change(&mut statement);
                assert!(
                    checker::check(system, &statement, &certificates[i]).is_err(),
                    "{what}, part {i}, change {number}"
                );
                let found = prover::prove(&lifted.integers, &statement);
                let found = found.and_then(|by| checker::check(system, &statement, &by));
                assert!(found.is_err(), "{what}, part {i}, change {number}");
                refused += 1;
            };
            let other = &statements[(i + 1) % statements.len()];
            refuses(1, &|it| it.first.clone_from(&other.first));
            refuses(2, &|it| it.result.clone_from(&other.result));
            // A sum of products is the same for all moduli that are above each piece.
            if !matches!(statement.specification.formula, Formula::Blocks { .. }) {
                refuses(3, &|it| it.modulus.swap(0, 1));
            }
            refuses(4, &|it| it.specification.is_reduced ^= true);
            refuses(5, &|it| it.specification.formula = Formula::Copy);
            refuses(6, &|it| it.result.truncate(it.result.len() - 1));
            match statement.specification.formula {
                Formula::Shifted(shifted) => {
                    refuses(7, &|it| it.specification.formula = Formula::Shifted(shifted + 1));
                    // For an operand that is any number, the result may exceed N.
                    refuses(8, &|it| it.specification.first = Bound::Words);
                }
                Formula::Blocks { part, parts } => {
                    let of = |part, parts| Formula::Blocks { part, parts };
                    refuses(9, &|it| it.specification.formula = of(part, parts - 1));
                    refuses(10, &|it| it.specification.formula = of(part - 1, parts));
                    refuses(11, &|it| it.specification.formula = Formula::Pieces(part));
                    refuses(12, &|it| it.second.rotate_left(words));
                    refuses(13, &|it| it.second.truncate(words * parts));
                    refuses(14, &|it| it.specification.second = Some(Bound::Words));
                }
                Formula::Once(2) => {
                    refuses(15, &|it| it.specification.formula = Formula::First);
                    refuses(16, &|it| it.specification.formula = Formula::Long);
                    refuses(17, &|it| it.specification.first = Bound::Words);
                    refuses(18, &|it| it.first.truncate(it.first.len() - 1));
                    // The highest word is a bit; no other word is.
                    refuses(19, &|it| it.first.rotate_left(1));
                }
                Formula::Long => {
                    refuses(20, &|it| it.specification.formula = Formula::First);
                    refuses(21, &|it| it.specification.formula = Formula::Once(2));
                    refuses(22, &|it| it.specification.first = Bound::Words);
                    refuses(23, &|it| it.first.truncate(it.first.len() - 1));
                }
                formula => assert_eq!((parts, formula), (0, Formula::Product)),
            }
        }
        assert!(refused >= 12, "{what}: {refused}");
    }
}
