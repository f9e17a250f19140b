//! The reduction of numbers one word longer than the modulus is proved at some lengths; wrong statements and
//! certificates are refused.

use prove::{
    certificate::{Certificate, Equation, Lemma},
    checker, prover,
    reduction::record,
    specification::{Bound, Formula, Statement},
};

/// Lengths for which the bits that are used are in one word or in two, and the highest word is whole, partial
/// or missing.
const LENGTHS: [usize; 9] = [2, 64, 65, 127, 128, 129, 192, 521, 2048];

#[test]
fn reductions() {
    for bits in LENGTHS {
        let (lifted, statements) = record(bits, 3).unwrap().lift().unwrap();
        let system = &lifted.integers.system;
        let certificates = prover::prove_all(&lifted.integers, &statements).unwrap();
        checker::check_all(system, &statements, &certificates).unwrap();
        let mut refused = 0;
        for (i, statement) in statements.iter().enumerate() {
            let mut refuses = |number: usize, change: &dyn Fn(&mut Statement)| {
                let mut statement = statement.clone();
                change(&mut statement);
                let what = format!("{bits} bits, part {i}, change {number}");
                assert!(checker::check(system, &statement, &certificates[i]).is_err(), "{what}");
                let found = prover::prove(&lifted.integers, &statement);
                let found = found.and_then(|by| checker::check(system, &statement, &by));
                assert!(found.is_err(), "{what}");
                refused += 1;
            };
            let other = &statements[(i + 1) % statements.len()];
            refuses(1, &|it| it.first.clone_from(&other.first));
            refuses(2, &|it| it.result.clone_from(&other.result));
            refuses(3, &|it| it.specification.is_reduced = true);
            refuses(4, &|it| it.specification.formula = Formula::Copy);
            refuses(5, &|it| it.specification.formula = Formula::First);
            refuses(6, &|it| it.modulus.clear());
            refuses(7, &|it| it.second = vec![it.inverse]);
            refuses(8, &|it| it.result.clear());
            if bits > 64 {
                refuses(9, &|it| it.modulus.swap(0, 1));
                refuses(10, &|it| it.result.swap(0, 1));
                refuses(11, &|it| it.first.swap(0, 1));
            }
            match statement.specification.formula {
                Formula::Estimated(_) => {
                    for other in [bits - 1, bits + 1, bits + 64] {
                        refuses(12, &|it| it.specification.formula = Formula::Estimated(other));
                    }
                    refuses(13, &|it| it.inverse = it.modulus[0]);
                    refuses(14, &|it| it.inverse = it.first[0]);
                    // The result may be higher than this.
                    refuses(15, &|it| it.specification.formula = Formula::Remainder);
                    refuses(16, &|it| it.specification.formula = Formula::Once(3));
                }
                Formula::Once(times) => {
                    // N is subtracted only once.
                    refuses(17, &|it| it.specification.formula = Formula::Once(times + 1));
                    refuses(18, &|it| it.specification.formula = Formula::Once(times - 1));
                    refuses(19, &|it| it.specification.formula = Formula::Estimated(bits));
                    refuses(20, &|it| it.specification.first = Bound::Words);
                    refuses(21, &|it| it.first.truncate(it.first.len() - 1));
                    refuses(22, &|it| it.first.rotate_left(1));
                }
                formula => panic!("{formula:?}"),
            }
        }
        assert!(refused >= 40, "{bits} bits: {refused}");
    }
}

/// A change of a certificate.
type Tampered<'a> = (&'a str, &'a dyn Fn(&mut Certificate));

#[test]
fn tampered_reductions() {
    for bits in [64, 127, 521] {
        let (lifted, statements) = record(bits, 3).unwrap().lift().unwrap();
        let system = &lifted.integers.system;
        for (i, statement) in statements.iter().enumerate() {
            let certificate = prover::prove(&lifted.integers, statement).unwrap();
            let refuses = |what: &str, change: &dyn Fn(&mut Certificate)| {
                let mut certificate = certificate.clone();
                change(&mut certificate);
                assert!(
                    checker::check(system, statement, &certificate).is_err(),
                    "{what}, of part {i} at {bits} bits"
                );
            };
            for outcome in 0..certificate.outcomes.len() {
                refuses("without a case", &|it| drop(it.outcomes.remove(outcome)));
                for number in 0..certificate.outcomes[outcome].uses.len() {
                    let tampered: [Tampered<'_>; 3] = [
                        ("without an equation", &|it| drop(it.outcomes[outcome].uses.remove(number))),
                        ("more of an equation", &|it| it.outcomes[outcome].uses[number].multiplier += 1),
                        ("an equation that is not there", &|it| {
                            it.outcomes[outcome].uses[number].equation = Equation::Split(u32::MAX);
                        }),
                    ];
                    tampered.iter().for_each(|(what, change)| refuses(what, change));
                }
            }
            if i > 0 {
                refuses("without what is known of the cases", &|it| it.facts.clear());
                continue;
            }
            let is_estimate = |lemma: &Lemma| matches!(lemma, Lemma::Estimate { .. });
            assert!(certificate.lemmas.iter().any(is_estimate));
            refuses("without an estimate", &|it| it.lemmas.retain(|lemma| !is_estimate(lemma)));
            let of_estimate = |change: &dyn Fn(&mut u32, &mut Vec<prove::certificate::Use>)| {
                refuses("another estimate", &|it| {
                    for lemma in &mut it.lemmas {
                        if let Lemma::Estimate { digit, uses } = lemma {
                            change(digit, uses);
                        }
                    }
                });
            };
            of_estimate(&|digit, _| *digit -= 1);
            of_estimate(&|digit, _| *digit = u32::MAX);
            of_estimate(&|_, uses| uses.clear());
            of_estimate(&|_, uses| uses[0].multiplier += 1);
        }
    }
}
