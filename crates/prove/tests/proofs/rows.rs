//! Products of rows are proved lane by lane, and wrong statements are refused.

use super::common::supported;
use moduli_kernel::KernelChoice;
use prove::{
    checker, prover, rows,
    specification::{Operation, Statement, digits::Multiple},
};

/// What holds of one lane does not hold with anything of another.
#[test]
fn rows_of_eight() {
    let Some(ifma52) = supported(KernelChoice::IFMA52) else { return };
    for (operation, bits) in [
        (Operation::MulRows, 616),
        (Operation::MulRows, 1024),
        (Operation::SquareRows, 824),
        (Operation::SquareRows, 1240),
    ] {
        let (lifted, statements) = rows::record(ifma52, bits, operation, 3).unwrap().lift().unwrap();
        let system = &lifted.integers.system;
        let find = |statement: &Statement| prover::prove(&lifted.integers, statement);
        for (lane, statement) in statements.iter().enumerate() {
            let what = format!("{} at {bits} bits, lane {lane}", operation.name());
            let certificate = find(statement).unwrap_or_else(|failure| panic!("{what}: {failure}"));
            checker::check(system, statement, &certificate)
                .unwrap_or_else(|failure| panic!("{what}: {failure}"));
            let other = &statements[(lane + 3) % statements.len()];
            let wrong = |change: &dyn Fn(&mut Statement)| {
                let mut statement = statement.clone();
                change(&mut statement);
                assert!(
                    checker::check(system, &statement, &certificate).is_err(),
                    "{what}, by its certificate"
                );
                let found = find(&statement);
                let found = found.and_then(|certificate| checker::check(system, &statement, &certificate));
                assert!(found.is_err(), "{what}");
            };
            wrong(&|statement| statement.first = other.first.clone());
            wrong(&|statement| statement.result = other.result.clone());
            wrong(&|statement| statement.modulus.rotate_left(1));
            wrong(&|statement| statement.result.swap(0, 1));
            wrong(&|statement| statement.digits.as_mut().unwrap().block = 2);
            wrong(&|statement| statement.digits.as_mut().unwrap().reduced -= 1);
            if operation == Operation::MulRows {
                wrong(&|statement| statement.second = other.second.clone());
            }
            // There is no S: multiples of it are multiples of nothing.
            let mut without = certificate.clone();
            without.multiples.iter_mut().for_each(|multiple| multiple.0 = Multiple::Step);
            assert!(checker::check(system, statement, &without).is_err(), "{what}");
        }
    }
}

/// A result that may be higher than it should be is refused: R must leave room for sums of residues.
#[test]
fn rows_of_moduli_that_are_too_long() {
    let Some(ifma52) = supported(KernelChoice::IFMA52) else { return };
    let (lifted, statements) = rows::record(ifma52, 1024, Operation::SquareRows, 3).unwrap().lift().unwrap();
    let mut statement = statements[0].clone();
    let certificate = prover::prove(&lifted.integers, &statement).unwrap();
    statement.digits.as_mut().unwrap().bits = 1040;
    assert!(checker::check(&lifted.integers.system, &statement, &certificate).is_err());
}
