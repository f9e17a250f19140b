//! Operations that move words into rows and out of them, or look up entries, are proved lane by lane; wrong
//! statements are refused.

use super::common::made;
use moduli_kernel::KernelChoice;
use prove::{
    certificate::{Certificate, Equation},
    checker, doubles, jobs, lanes, prover,
    specification::{Formula, Operation, Statement},
    system::{System, Value},
};

/// Kernels, and lengths with few and with many digits, and with and without whole vectors.
fn cases() -> Vec<(KernelChoice, usize)> {
    let cases = [
        (KernelChoice::IFMA52, &[200, 408, 1240, 1536, 4096][..]),
        (KernelChoice::FMA50, &[44, 300, 1024, 1900]),
    ];
    let of_kernel = |(choice, lengths): (KernelChoice, &'static [usize])| {
        let lengths = lengths.iter().map(move |&bits| (choice, bits));
        made(choice).into_iter().flat_map(move |_| lengths.clone())
    };
    cases.into_iter().flat_map(of_kernel).collect()
}

/// Requires that a proof for a lane does not hold with anything of another lane, or for a changed statement.
fn refuses(system: &System, statement: &Statement, certificate: &Certificate, what: &str, wrong: &Statement) {
    assert!(checker::check(system, statement, certificate).is_ok(), "{what}");
    assert!(checker::check(system, wrong, certificate).is_err(), "{what}, by its certificate");
}

/// Each lane has the word of the entry that its own index names.
#[test]
fn entries_by_indices() {
    for (choice, bits) in cases() {
        for operation in [Operation::SelectRows(3), Operation::LookUpRows(17)] {
            let what = format!("{} {operation} at {bits} bits", choice.name());
            let (lifted, statements) = lanes::record(choice, bits, operation, 3).unwrap().lift().unwrap();
            let system = &lifted.integers.system;
            let certificates = prover::prove_all(&lifted.integers, &statements).unwrap();
            checker::check_all(system, &statements, &certificates).expect(&what);
            assert!(checker::check_all(system, &statements, &certificates[1..]).is_err());
            for (lane, statement) in statements.iter().enumerate().step_by(3) {
                let words = statement.first.len();
                let other = &statements[(lane + 3) % statements.len()];
                let is_selection = matches!(operation, Operation::SelectRows(_));
                let wrong: [&dyn Fn(&mut Statement); 7] = [
                    &|statement| statement.second.rotate_left(words),
                    &|statement| statement.second.truncate(2 * words),
                    &|statement| statement.result.swap(0, 1),
                    &|statement| statement.mask = other.mask,
                    &|statement| statement.result.clone_from(&other.result),
                    &|statement| core::mem::swap(&mut statement.first[0], &mut statement.second[0]),
                    // Other lanes look up the same residues.
                    &|statement| match is_selection {
                        true => statement.first.clone_from(&other.first),
                        false => statement.first.swap(0, 1),
                    },
                ];
                for (i, change) in wrong.into_iter().enumerate() {
                    let mut wrong = statement.clone();
                    change(&mut wrong);
                    let what = format!("{what}, lane {lane}, wrong statement {i}");
                    refuses(system, statement, &certificates[lane], &what, &wrong);
                    if i < 3 {
                        let found = prover::prove(&lifted.integers, &wrong);
                        let found = found.and_then(|by| checker::check(system, &wrong, &by));
                        assert!(found.is_err(), "{what}");
                    }
                }
            }
        }
    }
}

/// A certificate without a case, with a false case, or with another multiple is refused.
#[test]
fn cases_of_indices() {
    for (choice, bits) in [(KernelChoice::IFMA52, 408), (KernelChoice::FMA50, 300)] {
        let Some(choice) = made(choice) else { continue };
        let (lifted, statements) =
            lanes::record(choice, bits, Operation::LookUpRows(17), 3).unwrap().lift().unwrap();
        let (system, statement) = (&lifted.integers.system, &statements[1]);
        let certificate = prover::prove(&lifted.integers, statement).unwrap();
        checker::check(system, statement, &certificate).unwrap();
        let refuses = |what: &str, change: &dyn Fn(&mut Certificate)| {
            let mut certificate = certificate.clone();
            change(&mut certificate);
            assert!(checker::check(system, statement, &certificate).is_err(), "{}: {what}", choice.name());
        };
        for i in 0..certificate.outcomes.len() {
            refuses("without a case", &|it| drop(it.outcomes.remove(i)));
            let outcome = &certificate.outcomes[i];
            if outcome.uses.is_empty() {
                continue;
            }
            for j in 0..outcome.case.len() {
                refuses("another case", &|it| it.outcomes[i].case[j].1 ^= true);
                refuses("fewer selectors", &|it| {
                    it.outcomes[i].case.remove(j);
                });
            }
            for j in (0..outcome.uses.len()).step_by(5) {
                refuses("without an equation", &|it| drop(it.outcomes[i].uses.remove(j)));
                refuses("another multiple", &|it| it.outcomes[i].uses[j].multiplier += 1);
                refuses("another equation", &|it| it.outcomes[i].uses[j].equation = Equation::Split(0));
            }
        }
    }
}

/// Each lane of a row has the words of its residue, and each residue those of its lane.
#[test]
fn words_that_are_moved() {
    for (choice, bits) in cases() {
        for operation in [Operation::Put, Operation::Take] {
            let what = format!("{} {operation} at {bits} bits", choice.name());
            let (lifted, statements) = lanes::record(choice, bits, operation, 3).unwrap().lift().unwrap();
            let system = &lifted.integers.system;
            let certificates = prover::prove_all(&lifted.integers, &statements).unwrap();
            checker::check_all(system, &statements, &certificates).expect(&what);
            let other = &statements[1];
            let wrong: [&dyn Fn(&mut Statement); 5] = [
                &|statement| statement.first.clone_from(&other.first),
                &|statement| statement.result.clone_from(&other.result),
                &|statement| statement.first.swap(0, 1),
                &|statement| statement.result[0] = Value::Constant(0),
                &|statement| statement.specification.formula = Formula::Lowest(51),
            ];
            for change in wrong {
                let mut wrong = statements[0].clone();
                change(&mut wrong);
                refuses(system, &statements[0], &certificates[0], &what, &wrong);
            }
        }
    }
}

/// A proof for one lane of a product of rows of doubles does not hold with anything of another lane.
#[test]
fn products_of_doubles() {
    use Operation::{MulRows, SquareRows};
    rows_of_doubles(&[(MulRows, 44), (SquareRows, 44), (MulRows, 300), (SquareRows, 1000)]);
}

#[test]
#[ignore = "more lengths"]
fn more_products_of_doubles() {
    rows_of_doubles(&[(Operation::SquareRows, 300), (Operation::MulRows, 1024)]);
}

fn rows_of_doubles(cases: &[(Operation, usize)]) {
    let Some(fma50) = made(KernelChoice::FMA50) else { return };
    for &(operation, bits) in cases {
        let what = format!("{operation} at {bits} bits");
        let (lifted, statements) = doubles::record(fma50, bits, operation, 3).unwrap().lift_all().unwrap();
        let system = &lifted.integers.system;
        let certificates = prover::prove_all(&lifted.integers, &statements).unwrap();
        assert_eq!(statements.len(), 4);
        checker::check_all(system, &statements, &certificates).expect(&what);
        for (lane, statement) in statements.iter().enumerate() {
            let other = &statements[(lane + 3) % 4];
            let wrong: [&dyn Fn(&mut Statement); 6] = [
                &|statement| statement.first.clone_from(&other.first),
                &|statement| statement.result.clone_from(&other.result),
                &|statement| statement.result.swap(0, 1),
                &|statement| statement.doubles.as_mut().unwrap().rows.swap(0, 1),
                &|statement| statement.doubles.as_mut().unwrap().multiple.swap(0, 1),
                &|statement| match operation {
                    Operation::MulRows => statement.second.clone_from(&other.second),
                    _ => statement.specification.formula = Formula::Product,
                },
            ];
            for (i, change) in wrong.into_iter().enumerate() {
                let mut wrong = statement.clone();
                change(&mut wrong);
                let what = format!("{what}, lane {lane}, wrong statement {i}");
                refuses(system, statement, &certificates[lane], &what, &wrong);
                let found = prover::prove(&lifted.integers, &wrong);
                let found = found.and_then(|by| checker::check(system, &wrong, &by));
                assert!(found.is_err(), "{what}");
            }
        }
    }
}

/// A proof for the longest length of each program of rows, or of each number of digits, holds for the shorter
/// ones.
#[test]
fn lengths_of_moves_are_one_program() {
    let of_doubles = (2..=84).step_by(2).map(jobs::longest_in_doubles).collect();
    let of_digits = jobs::of_rows().into_iter().filter(|&bits| bits <= 4152).collect();
    for (choice, lengths) in [(KernelChoice::IFMA52, of_digits), (KernelChoice::FMA50, of_doubles)] {
        let (Some(choice), lengths): (_, Vec<usize>) = (made(choice), lengths) else { continue };
        let mut shortest = 2;
        for longest in lengths {
            for operation in Operation::LANES {
                let program = |bits| lanes::record(choice, bits, operation, 1).unwrap().program();
                let expected = program(longest);
                for bits in [shortest, (shortest + longest) / 2, longest - 1] {
                    assert!(program(bits) == expected, "{operation} at {bits} and {longest} bits");
                }
            }
            shortest = longest + 1;
        }
    }
}
