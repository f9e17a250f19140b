//! Products of rows are proved lane by lane, and wrong statements are refused.

use super::common::made;
use moduli_kernel::KernelChoice;
use prove::{
    certificate::{Cleared, Equation, Lemma},
    checker, jobs, prover, rows,
    specification::{Operation, Statement, digits::Multiple},
    system::Value,
};

/// A proof for one lane does not hold with anything of another. The lanes of the lengths differ.
#[test]
fn rows_of_eight() {
    check_lanes(|number, lane| lane == 3 * number % 8);
}

#[test]
#[ignore = "more lanes"]
fn more_rows_of_eight() {
    check_lanes(|_, lane| lane % 5 == 0);
}

/// Checks some lanes; the first argument of `is_checked` is the number of the case.
fn check_lanes(is_checked: fn(usize, usize) -> bool) {
    let Some(ifma52) = made(KernelChoice::IFMA52) else { return };
    let cases = [
        (Operation::MulRows, 200),
        (Operation::SquareRows, 408),
        (Operation::MulRows, 616),
        (Operation::MulRows, 1024),
        (Operation::SquareRows, 824),
        (Operation::SquareRows, 1240),
        (Operation::MulRows, 1241),
        (Operation::SquareRows, 1536),
        (Operation::SquareRows, 1656),
        (Operation::MulRows, 2048),
        (Operation::SquareRows, 3072),
    ];
    for (number, (operation, bits)) in cases.into_iter().enumerate() {
        let (lifted, statements) = rows::record(ifma52, bits, operation, 3).unwrap().lift().unwrap();
        let system = &lifted.integers.system;
        let find = |statement: &Statement| prover::prove(&lifted.integers, statement);
        for (lane, statement) in statements.iter().enumerate().filter(|(lane, _)| is_checked(number, *lane)) {
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
            if bits > 408 {
                // At shorter lengths, no multiple of H is added.
                wrong(&|statement| statement.digits.as_mut().unwrap().block = 2);
            }
            if let Some(inverse) = statement.digits.as_ref().filter(|digits| !digits.inverse.is_empty()) {
                let inverse = inverse.inverse.clone();
                wrong(&|statement| statement.digits.as_mut().unwrap().inverse.clear());
                wrong(&|statement| {
                    let mut inverse = inverse.clone();
                    inverse.swap(0, 9);
                    statement.digits.as_mut().unwrap().inverse = inverse;
                });
            }
            wrong(&|statement| statement.digits.as_mut().unwrap().reduced -= 1);
            if operation == Operation::MulRows {
                wrong(&|statement| statement.second = other.second.clone());
            }
            // Without S, multiples of it have no meaning.
            let mut without = certificate.clone();
            without.multiples.iter_mut().for_each(|multiple| multiple.0 = Multiple::Step);
            assert!(checker::check(system, statement, &without).is_err(), "{what}");
        }
    }
}

/// A result that may be higher than it should be is refused: R must leave room for sums of residues.
#[test]
fn rows_of_moduli_that_are_too_long() {
    let Some(ifma52) = made(KernelChoice::IFMA52) else { return };
    let (lifted, statements) = rows::record(ifma52, 1024, Operation::SquareRows, 3).unwrap().lift().unwrap();
    let mut statement = statements[0].clone();
    let certificate = prover::prove(&lifted.integers, &statement).unwrap();
    statement.digits.as_mut().unwrap().bits = 1040;
    assert!(checker::check(&lifted.integers.system, &statement, &certificate).is_err());
}

/// Every part of the proof that digits are cleared is needed, without a change.
#[test]
fn digits_that_are_not_cleared() {
    let Some(ifma52) = made(KernelChoice::IFMA52) else { return };
    let (lifted, statements) = rows::record(ifma52, 1241, Operation::MulRows, 3).unwrap().lift().unwrap();
    let (system, statement) = (&lifted.integers.system, &statements[0]);
    let whole = prover::prove(&lifted.integers, statement).unwrap();
    let place = whole.lemmas.iter().position(|lemma| matches!(lemma, Lemma::Cleared(_))).unwrap();
    let refuses = |what: &str, change: &dyn Fn(&mut Cleared)| {
        let mut certificate = whole.clone();
        let Lemma::Cleared(cleared) = &mut certificate.lemmas[place] else { panic!() };
        change(cleared);
        assert!(checker::check(system, statement, &certificate).is_err(), "{what}");
    };
    let Lemma::Cleared(cleared) = &whole.lemmas[place] else { panic!() };
    for i in (0..cleared.of_quotient.len()).step_by(7) {
        refuses("without an equation of the quotient", &|cleared| drop(cleared.of_quotient.remove(i)));
        refuses("another multiple", &|cleared| cleared.of_quotient[i].multiplier += 1);
    }
    for i in (0..cleared.of_carry.len()).step_by(3) {
        refuses("without an equation of the carry", &|cleared| drop(cleared.of_carry.remove(i)));
    }
    for i in 0..9 {
        refuses("digits exchanged", &|cleared| cleared.digits.swap(i, i + 1));
        refuses("digits of the quotient exchanged", &|cleared| cleared.quotient.swap(i, i + 1));
        refuses("upper halves exchanged", &|cleared| cleared.splits.swap(i, i + 1));
    }
    refuses("fewer digits", &|cleared| cleared.digits.truncate(9));
    refuses("a shorter quotient", &|cleared| cleared.quotient.truncate(9));
    refuses("without an upper half", &|cleared| cleared.splits.truncate(9));
    refuses("another carry", &|cleared| cleared.carry = cleared.digits[0]);
    let mut without = whole.clone();
    without.lemmas.remove(place);
    assert!(checker::check(system, statement, &without).is_err());
    // The multiples of sums that are 0 must not be changed.
    for outcome in [false, true] {
        let mut other = whole.clone();
        let uses = &mut other.outcomes[0].uses;
        let at = uses.iter().position(|each| matches!(each.equation, Equation::Cleared(_))).unwrap();
        if outcome {
            uses[at].multiplier += 1;
        } else {
            uses[at].equation = Equation::Cleared(1);
        }
        assert!(checker::check(system, statement, &other).is_err());
    }
}

/// Each of two squares is proved, the second from the result of the first, and each lane has the word that
/// its own index names.
#[test]
fn squares_and_selections_of_rows() {
    let Some(ifma52) = made(KernelChoice::IFMA52) else { return };
    for bits in [408, 616, 1241, 1656] {
        let operation = Operation::SquareAndSelect(8);
        let (lifted, statements) = rows::record(ifma52, bits, operation, 3).unwrap().lift().unwrap();
        let system = &lifted.integers.system;
        let certificates = prover::prove_all(&lifted.integers, &statements).unwrap();
        checker::check_all(system, &statements, &certificates).unwrap();
        assert!(checker::check_all(system, &statements, &certificates[1..]).is_err());
        let (selections, squares) = statements.split_at(8);
        assert_eq!(squares.len(), 8);
        let refuses = |what: &str, statement: &Statement, change: &dyn Fn(&mut Statement)| {
            let mut statement = statement.clone();
            change(&mut statement);
            let found = prover::prove(&lifted.integers, &statement);
            let found = found.and_then(|certificate| checker::check(system, &statement, &certificate));
            assert!(found.is_err(), "{what} at {bits} bits");
        };
        let words = selections[0].first.len();
        refuses("other entries", &selections[0], &|it| it.second.rotate_left(words));
        refuses("an entry less", &selections[0], &|it| it.second.truncate(6 * words));
        refuses("another index", &selections[0], &|it| it.mask = selections[1].mask);
        refuses("another lane", &squares[0], &|it| it.result.clone_from(&squares[1].result));
        refuses("the square of the first", &squares[0], &|it| {
            let first = it.before.as_ref().unwrap().first.clone();
            it.first = first;
        });
        refuses("the first square of another lane", &squares[0], &|it| {
            let other = squares[1].before.as_ref().unwrap().result.clone();
            it.before.as_mut().unwrap().result = other;
        });
        let certificate = &certificates[8];
        let mut without = squares[0].clone();
        without.before = None;
        assert!(checker::check(system, &without, certificate).is_err());
        let mut without = certificate.clone();
        without.before = None;
        assert!(checker::check(system, &squares[0], &without).is_err());
    }
}

/// The words that are declared to be 0 are 0, and no others, and only if nothing is above the highest.
#[test]
fn words_that_are_not_empty() {
    let Some(ifma52) = made(KernelChoice::IFMA52) else { return };
    let (lifted, statements) = rows::record(ifma52, 1656, Operation::SquareRows, 3).unwrap().lift().unwrap();
    let (system, statement) = (&lifted.integers.system, &statements[0]);
    let certificate = prover::prove(&lifted.integers, statement).unwrap();
    let check = |change: &dyn Fn(&mut Vec<Value>)| {
        let mut statement = statement.clone();
        change(&mut statement.digits.as_mut().unwrap().empty);
        checker::check(system, &statement, &certificate)
    };
    assert_eq!(statement.digits.as_ref().unwrap().empty.len(), 3);
    check(&|_| {}).unwrap();
    let below = statement.result[statement.result.len() - 4];
    assert!(check(&|empty| empty.insert(0, below)).is_err());
    assert!(check(&|empty| empty.swap(0, 1)).is_err());
    let other = statements[1].digits.as_ref().unwrap().empty.clone();
    assert!(check(&|empty| empty[0] = other[0]).is_err());
}

/// A proof for the longest length of each program of rows holds for the shorter ones.
#[test]
fn lengths_of_rows_are_one_program() {
    let Some(ifma52) = made(KernelChoice::IFMA52) else { return };
    let mut shortest = 2;
    for longest in jobs::of_rows().into_iter().filter(|&bits| bits <= 4152) {
        for operation in Operation::ROWS {
            let program = |bits| rows::record(ifma52, bits, operation, 1).unwrap().program();
            let expected = program(longest);
            for bits in [shortest, (shortest + longest) / 2, longest - 1] {
                assert!(program(bits) == expected, "{operation} at {bits} and {longest} bits");
            }
        }
        shortest = longest + 1;
    }
}
