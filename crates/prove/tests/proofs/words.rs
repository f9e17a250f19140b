//! Proofs for the kernels on words.

use super::common::{Proof, made, prove, refuses_statement, refuses_to_forget};
use moduli_kernel::KernelChoice;
use prove::{
    certificate::{Certificate, Equation, Lemma, Use},
    checker::{self, Checker},
    proof::{Job, Proved},
    prover,
    specification::{Bound, Formula, Operation, Statement},
    subject::{Recorded, Subject},
    system::LongProduct,
};

fn adx() -> Option<KernelChoice> {
    made(KernelChoice::ADX)
}

/// Proves an operation, and the functions that are not followed.
fn prove_all(choice: KernelChoice, words: usize, operation: Operation) -> Proved {
    let job = Job { kernel: choice, operation, bits: 64 * words };
    job.prove().unwrap_or_else(|failure| panic!("{}: {failure}", job.name()))
}

#[test]
fn operations_of_adx() {
    let Some(adx) = adx() else { return };
    for operation in Operation::ALL {
        // These lengths have all words in registers, or blocks with and without a rest.
        for words in [1, 2, 3, 4, 7, 8, 9, 12, 17] {
            prove_all(adx, words, operation);
        }
    }
    for words in [3, 9, 12] {
        Operation::prepared(words).for_each(|operation| drop(prove_all(adx, words, operation)));
    }
    // Operations without a product are the same at all lengths.
    prove_all(adx, 48, Operation::Add);
    prove_all(adx, 48, Operation::Sub);
    // The code is the same for all moduli of this many words.
    prove(adx, 500, Operation::Mul);
}

#[test]
fn products_of_portable() {
    for operation in Operation::ALL {
        // These lengths have all words in registers, or blocks with each rest.
        for words in [1, 2, 3, 4, 5, 8, 12, 13, 14, 15, 16] {
            prove_all(KernelChoice::PORTABLE, words, operation);
        }
    }
    for words in [3, 5, 13] {
        Operation::prepared(words)
            .for_each(|operation| drop(prove_all(KernelChoice::PORTABLE, words, operation)));
    }
}

/// Products in halves are proved, by differences whose signs make cases. Each function is proved once for
/// each length.
#[test]
fn products_in_halves() {
    use Operation::Mul;
    let kernels = adx().into_iter().map(|adx| (adx, 41, 41)).chain([(KernelChoice::PORTABLE, 56, 57)]);
    for (choice, words, other) in kernels {
        // The lengths are even and odd, each with two halves.
        let functions = [words, other].map(|words| (words % 2, prove_all(choice, words, Mul).functions));
        assert!(functions.iter().all(|&(odd, functions)| functions == 2 + odd), "{functions:?}");
    }
}

/// Squares in halves, and products in halves of halves, are proved.
#[test]
#[ignore = "a minute"]
fn halves_of_halves() {
    for kernel in adx().into_iter().chain([KernelChoice::PORTABLE]) {
        for words in [113, 120] {
            assert!(prove_all(kernel, words, Operation::Mul).functions > 1 + words % 2);
            assert!(prove_all(kernel, words, Operation::Square).functions > 0);
        }
    }
}

/// Proves a function that cuts products in halves; changed certificates are refused.
#[test]
fn tampered_halves() {
    let Some(adx) = adx() else { return };
    let recording = Subject::new(adx, 64 * 40).unwrap().record(Operation::Mul, 7).unwrap();
    let (lifted, _) = recording.lift().unwrap();
    let [call] = &lifted.products[..] else { panic!("{} products", lifted.products.len()) };
    let (lifted, statement) = recording.lift_product(call).unwrap();
    assert_eq!(lifted.products.len(), 3);
    let integers = lifted.integers;
    let whole = prover::prove(&integers, &statement).unwrap();
    checker::check(&integers.system, &statement, &whole).unwrap();
    let refuses = |what: &str, change: &dyn Fn(&mut Certificate)| {
        let mut certificate = whole.clone();
        change(&mut certificate);
        assert!(checker::check(&integers.system, &statement, &certificate).is_err(), "{what}");
    };
    let place = |wanted: fn(&Lemma) -> bool| whole.lemmas.iter().position(wanted).unwrap();
    let number = place(|lemma| matches!(lemma, Lemma::Number { .. }));
    refuses("a number without its case", &|certificate| {
        if let Lemma::Number { case, .. } = &mut certificate.lemmas[number] {
            case.clear();
        }
    });
    refuses("a number of other words", &|certificate| {
        if let Lemma::Number { words, .. } = &mut certificate.lemmas[number] {
            words.swap(0, 1);
        }
    });
    refuses("the other case of a number", &|certificate| {
        if let Lemma::Number { case, .. } = &mut certificate.lemmas[number] {
            case.iter_mut().for_each(|(_, is_above)| *is_above = !*is_above);
        }
    });
    refuses("without a product", &|certificate| certificate.outcomes[0].products.clear());
    refuses("one case for another", &|certificate| {
        let case = certificate.outcomes[1].case.clone();
        certificate.outcomes[0].case = case;
    });
    refuses("without a case", &|certificate| drop(certificate.outcomes.pop()));
    refuses("no outcome", &|certificate| certificate.outcomes.clear());
    refuses("without an equation", &|certificate| drop(certificate.outcomes[0].uses.pop()));
    refuses("another multiple of a product", &|certificate| {
        for Use { equation, multiplier } in &mut certificate.outcomes[0].uses {
            if matches!(equation, Equation::Product(_)) {
                *multiplier += 1;
            }
        }
    });
    let says = |what: &str, change: &dyn Fn(&mut Statement)| {
        let mut statement = statement.clone();
        change(&mut statement);
        assert!(checker::check(&integers.system, &statement, &whole).is_err(), "{what}");
    };
    says("other words of the result", &|statement| statement.result.swap(0, 1));
    says("a square", &|statement| statement.second = statement.first.clone());
    says("a product of part of it", &|statement| statement.first.truncate(30));
    let another = |what: &str, change: &dyn Fn(&mut LongProduct)| {
        let mut system = integers.system.clone();
        change(&mut system.products[0]);
        assert!(Checker::new(&system, &statement).is_err(), "{what}");
        assert!(checker::check(&system, &statement, &whole).is_err(), "{what}");
    };
    another("a product of its own words", &|product| product.first[0] = product.words[0]);
    another("a product with a word twice", &|product| product.words[1] = product.words[0]);
    another("a product that is too short", &|product| product.words.truncate(30));
}

#[test]
fn sums_of_portable() {
    for operation in [
        Operation::Add,
        Operation::Sub,
        Operation::Load,
        Operation::Store,
        Operation::Swap,
        Operation::Replace(3),
    ] {
        for words in [1, 2, 3, 4, 6, 16, 33, 64] {
            prove(KernelChoice::PORTABLE, 64 * words, operation);
        }
    }
}

/// Residues are exchanged by a mask, in the same way for all kernels.
#[test]
fn exchanges() {
    for choice in [KernelChoice::PORTABLE, KernelChoice::ADX, KernelChoice::IFMA52] {
        let Some(choice) = made(choice) else { continue };
        for words in [1, 2, 7, 16, 33] {
            let proof = prove(choice, 64 * words, Operation::Swap);
            let wrong = |what: &str, change: fn(&mut Statement)| {
                let mut statement = proof.statement.clone();
                change(&mut statement);
                let found = prover::prove(&proof.integers, &statement)
                    .and_then(|found| checker::check(&proof.integers.system, &statement, &found));
                assert!(found.is_err(), "{choice:?} at {words} words: {what}");
            };
            wrong("one operand for the other", |statement| {
                core::mem::swap(&mut statement.first, &mut statement.second);
            });
            wrong("no mask", |statement| statement.mask = None);
            wrong("another mask", |statement| statement.mask = Some(statement.first[0]));
            wrong("words exchanged", |statement| {
                let last = statement.result.len() - 1;
                statement.result.swap(0, last);
            });
            let mut certificate = proof.certificate.clone();
            let case = certificate.outcomes[1].case.clone();
            certificate.outcomes[0].case = case;
            assert!(checker::check(&proof.integers.system, &proof.statement, &certificate).is_err());
            let mut certificate = proof.certificate.clone();
            certificate.outcomes[1].uses.pop();
            assert!(checker::check(&proof.integers.system, &proof.statement, &certificate).is_err());
        }
    }
}

/// The same instructions are recorded whatever the operands are.
#[test]
fn another_run_is_the_same_program() {
    let Some(adx) = adx() else { return };
    for operation in Operation::ALL {
        let [one, other] = [1, 2].map(|seed| {
            let trace = Subject::new(adx, 768).unwrap().record(operation, seed).unwrap().trace;
            trace.steps.iter().map(|step| trace.code[step.code as usize].bytes.clone()).collect::<Vec<_>>()
        });
        assert_eq!(one, other, "{}", operation.name());
    }
}

/// A constant of the modulus that is not declared as one is detected, and so is scratch space that is read
/// before it is written.
#[test]
fn forgotten_symbols() {
    let Some(adx) = adx() else { return };
    for (operation, name) in [
        (Operation::Mul, "modulus"),
        (Operation::Mul, "negative inverse"),
        (Operation::ToMontgomery, "one entered"),
        (Operation::Add, "y"),
    ] {
        for words in [4, 12] {
            refuses_to_forget(adx, 64 * words, operation, name);
        }
    }
}

/// Exactly what a specification requires is proved: others are refused.
#[test]
fn wrong_statements() {
    let Some(adx) = adx() else { return };
    let wrong = |operation: Operation, change: fn(&mut Statement)| {
        refuses_statement(&prove(adx, 256, operation), operation.name(), change);
    };
    // A square of any words may exceed the modulus, and so may a sum.
    wrong(Operation::Square, |statement| statement.specification.first = Bound::Words);
    wrong(Operation::Add, |statement| statement.specification.first = Bound::Words);
    wrong(Operation::Add, |statement| statement.specification.formula = Formula::Difference);
    wrong(Operation::Sub, |statement| statement.specification.formula = Formula::Sum);
    wrong(Operation::Mul, |statement| statement.specification.is_reduced = false);
    wrong(Operation::Mul, |statement| statement.first.swap(0, 1));
    wrong(Operation::Mul, |statement| statement.modulus.swap(0, 1));
    wrong(Operation::Mul, |statement| statement.result.swap(2, 3));
    wrong(Operation::Mul, |statement| statement.inverse = statement.second[0]);
    wrong(Operation::MulPrepared(2), |statement| statement.specification.formula = Formula::Pieces(1));
    wrong(Operation::MulPrepared(2), |statement| statement.specification.formula = Formula::Pieces(3));
    wrong(Operation::MulPrepared(2), |statement| statement.specification.formula = Formula::Product);
    wrong(Operation::MulPrepared(4), |statement| statement.second.rotate_left(4));
    wrong(Operation::MulPrepared(4), |statement| statement.second.truncate(12));
    wrong(Operation::Swap, |statement| statement.result.swap(0, 4));
    wrong(Operation::Swap, |statement| core::mem::swap(&mut statement.first, &mut statement.second));
    wrong(Operation::Swap, |statement| statement.mask = Some(statement.first[0]));
    wrong(Operation::Swap, |statement| statement.mask = None);
    wrong(Operation::Replace(3), |statement| statement.specification.formula = Formula::Place(1));
    wrong(Operation::Replace(3), |statement| statement.specification.formula = Formula::Exchange);
    wrong(Operation::Replace(3), |statement| statement.specification.formula = Formula::Copy);
    wrong(Operation::Replace(3), |statement| statement.second.swap(0, 1));
    wrong(Operation::Replace(3), |statement| statement.mask = Some(statement.second[0]));
    wrong(Operation::Select(3), |statement| statement.second.rotate_left(4));
    wrong(Operation::Select(3), |statement| statement.second.truncate(8));
    wrong(Operation::Select(3), |statement| {
        statement.first = statement.second.split_off(statement.second.len() - 4)
    });
    wrong(Operation::Select(3), |statement| statement.mask = Some(statement.second[0]));
    wrong(Operation::Store, |statement| statement.result.swap(0, 1));
}

fn uses_of(lemma: &mut Lemma) -> &mut Vec<Use> {
    match lemma {
        Lemma::Table { .. } | Lemma::Estimate { .. } | Lemma::Cleared(_) | Lemma::Constant { .. } => {
            panic!("only digits have these")
        }
        Lemma::Bounds { uses, .. } | Lemma::Congruence { uses, .. } | Lemma::Number { uses, .. } => uses,
    }
}

/// Every part of a certificate is needed, without a change.
#[test]
fn tampered_certificates() {
    let Some(adx) = adx() else { return };
    for (operation, words) in
        [(Operation::Mul, 3), (Operation::Square, 9), (Operation::Add, 4), (Operation::Sub, 4)]
    {
        let Proof { integers, statement, certificate: whole } = prove(adx, 64 * words, operation);
        let mut refused = 0;
        let mut refuses = |what: String, certificate: Certificate| {
            let found = checker::check(&integers.system, &statement, &certificate);
            assert!(found.is_err(), "{} at {words} words: {what}", operation.name());
            refused += 1;
        };
        let changed = |uses: &mut Vec<Use>, i: usize, drop: bool| {
            if drop {
                uses.remove(i);
            } else {
                uses[i].multiplier += 1;
            }
        };
        for drop in [false, true] {
            for (place, outcome) in whole.outcomes.iter().enumerate() {
                for i in 0..outcome.uses.len() {
                    let mut certificate = whole.clone();
                    changed(&mut certificate.outcomes[place].uses, i, drop);
                    refuses(format!("equation {i} of outcome {place}"), certificate);
                }
            }
            for (place, zero) in whole.lemmas.iter().enumerate() {
                let uses = uses_of(&mut zero.clone()).clone();
                // One last step more or less may not matter to a bound; the first one is always needed.
                let mut certificate = whole.clone();
                let others = uses_of(&mut certificate.lemmas[place]);
                if drop {
                    changed(others, 0, drop);
                } else {
                    others[0].multiplier *= -1;
                }
                assert!(!uses.is_empty());
                refuses(format!("zero {place}"), certificate);
            }
        }
        // Some parts only make a fact sharper than it has to be.
        let mut spare = 0;
        for place in 0..whole.lemmas.len() {
            let mut certificate = whole.clone();
            certificate.lemmas.remove(place);
            let is_spare = checker::check(&integers.system, &statement, &certificate).is_ok();
            spare += usize::from(is_spare);
        }
        assert!(spare < 8, "{spare} of {} are not needed", whole.lemmas.len());
        for place in 0..whole.outcomes.len() {
            let mut certificate = whole.clone();
            certificate.outcomes.remove(place);
            refuses(format!("without outcome {place}"), certificate);
        }
        for place in 0..whole.quotient.len() {
            let mut certificate = whole.clone();
            certificate.quotient[place].1 += 64;
            refuses(format!("digit {place} of the quotient"), certificate);
        }
        let mut certificate = whole.clone();
        certificate.facts.clear();
        refuses("no facts".to_string(), certificate);
        assert!(refused > 20);
    }
}

/// Equations that are not those of the trace prove nothing.
#[test]
fn tampered_equations() {
    use prove::system::{Definition, Value};
    let Some(adx) = adx() else { return };
    let proof = prove(adx, 64 * 5, Operation::Add);
    let mut refused = 0;
    for number in 0..proof.integers.system.splits.len() {
        let mut system = proof.integers.system.clone();
        let split = &mut system.splits[number];
        // Only parts that existed before have to be shown to be the parts.
        let own = Definition::Low(number as u32);
        if matches!(split.low, Value::Variable(id) if proof.integers.system.definitions[id as usize] == own) {
            continue;
        }
        split.shift -= 1;
        assert!(checker::check(&system, &proof.statement, &proof.certificate).is_err(), "split {number}");
        refused += 1;
    }
    assert!(refused > 3, "{refused}");
}
