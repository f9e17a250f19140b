//! Products for two moduli at a time, and of two operands by one, are proved at some sizes; wrong statements
//! are refused.

use super::common::made;
use moduli_kernel::KernelChoice;
use prove::{
    checker, prover,
    specification::{Operation, Statement},
    subject::{Recorded, Subject},
    two,
};

/// Products for two moduli at a time: a proof for one does not hold with anything of the other.
#[test]
fn two_moduli() {
    let Some(ifma52) = made(KernelChoice::IFMA52) else { return };
    for (operation, bits) in [
        (Operation::MulTwo, 200),
        (Operation::MulTwo, 1032),
        (Operation::MulTwo, 1240),
        (Operation::SquareTwo, 616),
        (Operation::SquareTwo, 2048),
    ] {
        let (lifted, statements) = two::record(ifma52, bits, operation, 3).unwrap().lift().unwrap();
        let system = &lifted.integers.system;
        let check = |statement: &Statement| {
            prover::prove(&lifted.integers, statement)
                .and_then(|certificate| checker::check(system, statement, &certificate))
        };
        for (which, statement) in statements.iter().enumerate() {
            let what = format!("{} at {bits} bits", operation.name());
            check(statement).unwrap_or_else(|failure| panic!("{what}: {failure}"));
            let other = &statements[1 - which];
            let wrong = |change: &dyn Fn(&mut Statement)| {
                let mut statement = statement.clone();
                change(&mut statement);
                assert!(check(&statement).is_err(), "{what}");
            };
            wrong(&|statement| statement.modulus = other.modulus.clone());
            wrong(&|statement| statement.first = other.first.clone());
            wrong(&|statement| statement.result = other.result.clone());
            wrong(&|statement| statement.inverse = other.inverse);
            wrong(&|statement| statement.digits = other.digits.clone());
        }
    }
}

/// Two products by one operand: a proof for one does not hold with anything of the other.
#[test]
fn pairs_of_digits() {
    pairs(&[64, 1032, 1552, 4608]);
}

#[test]
#[ignore = "more lengths"]
fn pairs_of_more_digits() {
    pairs(&[408, 2072]);
}

fn pairs(lengths: &[usize]) {
    let Some(ifma52) = made(KernelChoice::IFMA52) else { return };
    for &bits in lengths {
        let recording = Subject::new(ifma52, bits).unwrap().record(Operation::MulPair, 3).unwrap();
        let (lifted, statements) = recording.lift_all().unwrap();
        let system = &lifted.integers.system;
        let certificates = prover::prove_all(&lifted.integers, &statements).unwrap();
        assert_eq!(certificates.len(), 2, "{bits} bits");
        checker::check_all(system, &statements, &certificates).unwrap();
        assert!(checker::check_all(system, &statements, &certificates[..1]).is_err(), "{bits} bits");
        for (which, statement) in statements.iter().enumerate() {
            let other = &statements[1 - which];
            let wrong = |number: usize, change: &dyn Fn(&mut Statement)| {
                let mut statement = statement.clone();
                change(&mut statement);
                let what = format!("{bits} bits, product {which}, change {number}");
                assert!(checker::check(system, &statement, &certificates[which]).is_err(), "{what}");
                let found = prover::prove(&lifted.integers, &statement);
                let found = found.and_then(|by| checker::check(system, &statement, &by));
                assert!(found.is_err(), "{what}");
            };
            wrong(1, &|it| it.first.clone_from(&other.first));
            wrong(2, &|it| it.result.clone_from(&other.result));
            wrong(3, &|it| it.second.clone_from(&it.first));
            wrong(4, &|it| it.second.clone_from(&other.first));
            wrong(5, &|it| it.result.rotate_left(1));
            assert!(checker::check(system, statement, &certificates[1 - which]).is_err());
        }
    }
}
