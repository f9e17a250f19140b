//! Operands are prepared in pieces: each part of that is proved, and wrong statements are refused.

use super::common::made;
use moduli_kernel::KernelChoice;
use prove::{
    checker, prover,
    specification::{Bound, Formula, Operation, Statement},
    subject::{Recorded, Subject},
};

/// What holds of one piece does not hold with anything of another.
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
        // The product, and each piece.
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
                // Of any number the result may reach N.
                refuses(&|it| it.specification.first = Bound::Words);
            } else {
                assert_eq!((i, statement.specification.formula), (0, Formula::Product));
            }
        }
    }
}
