//! Products of two moduli at a time are proved at some sizes, and wrong statements are refused.

use super::common::made;
use moduli_kernel::KernelChoice;
use prove::{
    checker, prover,
    specification::{Operation, Statement},
    two,
};

/// Products of two moduli at a time: what holds of one does not hold with anything of the other.
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
