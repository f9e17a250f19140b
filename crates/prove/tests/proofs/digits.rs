//! Proofs for `ifma52`, the kernel on digits of 52 bits.

use super::common::{Proof, Proofs, made, prove, refuses_statement, refuses_to_forget};
use moduli_kernel::KernelChoice;
use num_bigint::BigInt;
use prove::{
    certificate::{Certificate, Equation, Lemma, Use},
    jobs,
    proof::Job,
    prover, rows,
    specification::{Formula, Operation, Statement, digits::Multiple},
    subject::Subject,
    system::Id,
};

fn ifma52() -> Option<KernelChoice> {
    made(KernelChoice::IFMA52)
}

#[test]
fn operations_of_ifma52() {
    let Some(ifma52) = ifma52() else { return };
    // These lengths have: one word, four strips and eight, digits that are always 0, the most that the
    // registers hold, and digits in order, with the last vector half full. `make prove` has all lengths.
    for bits in [64, 200, 832, 1032, 1240, 1536, 4153] {
        let pieces: &[usize] = if bits <= 1032 {
            &[3, 4]
        } else if bits <= 4152 {
            &[2, 5]
        } else {
            &[]
        };
        let prepared =
            pieces.iter().copied().flat_map(|s| [Operation::MulPrepared(s), Operation::Prepare(s)]);
        for operation in Operation::ALL.into_iter().chain([Operation::MulPair]).chain(prepared) {
            let job = Job { kernel: ifma52, operation, bits };
            job.prove().unwrap_or_else(|failure| panic!("{}: {failure}", job.name()));
        }
    }
}

/// The same instructions are recorded whatever the operands are.
#[test]
fn another_run_is_the_same_program() {
    let Some(ifma52) = ifma52() else { return };
    for operation in [Operation::Mul, Operation::Square, Operation::Add] {
        let subject = Subject::new(ifma52, 1240).unwrap();
        let traces = [1, 2].map(|seed| subject.record(operation, seed).unwrap().trace);
        let places = traces.map(|trace| {
            let place = |code: u32| trace.code[code as usize].instruction.ip();
            trace.steps.iter().map(|step| place(step.code)).collect::<Vec<_>>()
        });
        assert!(places[0] == places[1], "{}", operation.name());
    }
}

/// Compares the programs of shorter moduli with that of the longest one of each kind of strips. Returns the
/// number of comparisons.
fn compare_programs(choice: KernelChoice, lengths: fn(usize, usize) -> Vec<usize>) -> usize {
    let (mut shortest, mut compared) = (2, 0);
    for digits in jobs::STRIPS {
        let longest = jobs::longest(digits);
        let all = [Operation::Mul, Operation::Square, Operation::Add, Operation::Sub, Operation::MulPair];
        let pieces = if digits <= 20 { 2..=4 } else { 2..=8 };
        for operation in all.into_iter().chain(pieces.map(Operation::MulPrepared)) {
            let program = |bits| Subject::new(choice, bits).unwrap().record(operation, 1).unwrap().program();
            let expected = program(longest);
            for bits in lengths(shortest, longest) {
                assert!(program(bits) == expected, "{} at {bits} and {longest} bits", operation.name());
                compared += 1;
            }
        }
        shortest = longest + 1;
    }
    compared
}

/// A proof for the longest length of each kind of strips holds for the shorter ones, as they run the same
/// program.
#[test]
fn lengths_of_a_kind_are_one_program() {
    let Some(ifma52) = ifma52() else { return };
    let some = |from, to| vec![from, from + 1, (from + to) / 2, to - 1];
    compare_programs(ifma52, some);
}

/// This has all lengths: `make prove-long`.
#[test]
#[ignore = "takes a minute"]
fn all_lengths_of_a_kind_are_one_program() {
    let Some(ifma52) = ifma52() else { return };
    let compared = compare_programs(ifma52, |from, to| (from..to).collect());
    println!("{compared} programs of shorter moduli are those of the longest");
}

/// A constant of the modulus that is not declared as one is detected.
#[test]
fn forgotten_symbols() {
    let Some(ifma52) = ifma52() else { return };
    for (operation, name) in [
        (Operation::Mul, "modulus"),
        (Operation::Mul, "high"),
        (Operation::Mul, "step"),
        (Operation::Mul, "negative inverse"),
        (Operation::Mul, "y"),
        (Operation::ToMontgomery, "one entered"),
        (Operation::Add, "bound"),
        (Operation::Store, "reciprocal"),
        (Operation::FromMontgomery, "modulus digits"),
    ] {
        for bits in [408, 1240] {
            refuses_to_forget(ifma52, bits, operation, name);
        }
    }
    refuses_to_forget(ifma52, 4153, Operation::Mul, "y");
}

/// Exactly what a specification requires is proved: others are refused.
#[test]
fn wrong_statements() {
    let Some(ifma52) = ifma52() else { return };
    let mut proofs = Proofs::new(ifma52);
    let mut wrong = |operation: Operation, what: &str, change: fn(&mut Statement)| {
        for bits in [408, 1240] {
            let what = format!("{operation} at {bits} bits: {what}");
            refuses_statement(proofs.of(bits, operation), &what, change);
        }
    };
    fn digits(statement: &mut Statement) -> &mut prove::specification::digits::Digits {
        statement.digits.as_mut().unwrap()
    }
    use Operation::{Add, FromMontgomery, Load, Mul, MulPrepared, Select, Square, Store, Sub, ToMontgomery};
    wrong(Mul, "another factor R", |statement| digits(statement).reduced -= 1);
    wrong(Mul, "another factor R", |statement| digits(statement).reduced += 1);
    wrong(Mul, "another length of strips", |statement| digits(statement).block += 1);
    wrong(Mul, "longer moduli than are declared", |statement| digits(statement).bits += 1);
    wrong(Square, "longer moduli than are declared", |statement| digits(statement).bits += 1);
    wrong(Add, "longer moduli than are declared", |statement| digits(statement).bits += 1);
    wrong(Load, "longer moduli than are declared", |statement| digits(statement).bits += 1);
    wrong(Mul, "H for S", |statement| {
        let digits = digits(statement);
        core::mem::swap(&mut digits.high, &mut digits.step);
    });
    wrong(Mul, "digits of H exchanged", |statement| digits(statement).high.swap(0, 1));
    wrong(Mul, "digits of X exchanged", |statement| statement.first.swap(0, 1));
    wrong(Mul, "digits of N exchanged", |statement| statement.modulus.swap(0, 1));
    wrong(Mul, "digits of the result exchanged", |statement| statement.result.swap(1, 2));
    wrong(Mul, "without the highest digit", |statement| {
        statement.result.pop();
    });
    wrong(Mul, "without the highest digit of Y", |statement| {
        statement.second.pop();
    });
    wrong(Mul, "another constant for the inverse", |statement| statement.inverse = statement.second[0]);
    wrong(Mul, "not reduced", |statement| statement.specification.is_reduced = false);
    wrong(Square, "a product", |statement| statement.second = statement.first.clone());
    wrong(Add, "a difference", |statement| {
        statement.specification.formula = Formula::Difference;
    });
    wrong(Sub, "a sum", |statement| statement.specification.formula = Formula::Sum);
    wrong(Sub, "digits exchanged", |statement| statement.modulus.swap(0, 1));
    wrong(Load, "digits exchanged", |statement| statement.result.swap(0, 1));
    wrong(Load, "another length of words", |statement| statement.first_bits = 52);
    wrong(ToMontgomery, "words exchanged", |statement| statement.first.swap(0, 1));
    wrong(MulPrepared(2), "another factor R", |statement| digits(statement).reduced += 1);
    wrong(MulPrepared(2), "other parts of X", |statement| {
        digits(statement).reduced += 1;
        statement.specification.formula = Formula::Pieces(digits(statement).reduced);
    });
    wrong(MulPrepared(2), "without a piece", |statement| {
        statement.second.truncate(statement.second.len() - statement.modulus.len());
    });
    wrong(MulPrepared(3), "pieces exchanged", |statement| {
        statement.second.rotate_left(statement.modulus.len())
    });
    wrong(MulPrepared(2), "a product", |statement| statement.specification.formula = Formula::Product);
    wrong(Mul, "words for digits", |statement| statement.digits = None);
    wrong(Store, "reduced", |statement| statement.specification.is_reduced = true);
    wrong(Add, "below N alone", |statement| statement.specification.formula = Formula::Remainder);
    wrong(Square, "words", |statement| statement.first_bits = 64);
    wrong(Square, "a result of words", |statement| statement.result_bits = 64);
    wrong(Store, "words exchanged", |statement| statement.result.swap(0, 1));
    wrong(Store, "digits of N exchanged", |statement| statement.modulus.swap(0, 1));
    wrong(Store, "longer moduli than are declared", |statement| digits(statement).bits += 1);
    // For a shorter modulus, too few bits would be used.
    wrong(Store, "shorter moduli than are declared", |statement| digits(statement).bits -= 1);
    wrong(Store, "another constant for the reciprocal", |statement| {
        digits(statement).reciprocal = statement.first[0];
    });
    wrong(Store, "as it stands", |statement| {
        statement.specification.formula = Formula::Copy;
    });
    wrong(Select(3), "entries exchanged", |statement| {
        let words = statement.first.len();
        statement.second.rotate_left(words);
    });
    wrong(Select(3), "without the last entry", |statement| {
        let others = statement.second.len() - statement.first.len();
        statement.second.truncate(others);
    });
    wrong(Select(3), "words exchanged", |statement| statement.result.swap(0, 1));
    wrong(Select(3), "another index", |statement| statement.mask = Some(statement.second[0]));
    let in_order = |operation: Operation, what: &str, change: fn(&mut Statement)| {
        refuses_statement(&prove(ifma52, 4153, operation), &format!("{operation} in order: {what}"), change);
    };
    in_order(Mul, "operands that need not be residues", |statement| digits(statement).are_residues = false);
    in_order(Mul, "another factor R", |statement| digits(statement).reduced -= 8);
    in_order(Square, "longer moduli than are declared", |statement| digits(statement).bits += 1);
    in_order(Square, "digits of the inverse exchanged", |statement| digits(statement).inverse.swap(0, 1));
    in_order(Mul, "without the highest digit of the inverse", |statement| {
        digits(statement).inverse.pop();
    });
    in_order(Square, "digits of N exchanged", |statement| statement.modulus.swap(0, 1));
    in_order(Mul, "digits of H exchanged", |statement| digits(statement).high.swap(0, 1));
    wrong(FromMontgomery, "without its first part", |statement| {
        statement.first = statement.before.take().unwrap().first;
    });
    wrong(FromMontgomery, "digits exchanged in between", |statement| {
        statement.before.as_mut().unwrap().result.swap(0, 1);
    });
    wrong(FromMontgomery, "another factor R", |statement| {
        statement.before.as_mut().unwrap().digits.as_mut().unwrap().reduced += 1;
    });
}

fn uses_of(lemma: &mut Lemma) -> Option<&mut Vec<Use>> {
    match lemma {
        Lemma::Bounds { uses, .. }
        | Lemma::Congruence { uses, .. }
        | Lemma::Constant { uses, .. }
        | Lemma::Estimate { uses, .. }
        | Lemma::Number { uses, .. } => Some(uses),
        // Only rows have `Cleared`.
        Lemma::Table { .. } | Lemma::Cleared(_) => None,
    }
}

/// Every part of a certificate is needed, without a change.
#[test]
fn tampered_certificates() {
    let Some(ifma52) = ifma52() else { return };
    for (operation, bits) in [
        (Operation::Mul, 408),
        (Operation::Mul, 1240),
        (Operation::Square, 616),
        (Operation::ToMontgomery, 616),
        (Operation::Add, 1032),
        (Operation::Sub, 200),
        (Operation::Store, 1032),
        (Operation::MulPrepared(3), 616),
    ] {
        let proof = prove(ifma52, bits, operation);
        let whole = &proof.certificate;
        let mut refused = 0;
        let mut refuses = |what: String, change: &dyn Fn(&mut Certificate)| {
            let mut certificate = whole.clone();
            change(&mut certificate);
            assert!(proof.check(&certificate).is_err(), "{} at {bits} bits: {what}", operation.name());
            refused += 1;
        };
        let uses = whole.outcomes[0].uses.len();
        for i in (0..uses).step_by(1 + uses / 60) {
            refuses(format!("without equation {i}"), &|certificate| {
                certificate.outcomes[0].uses.remove(i);
            });
            refuses(format!("another multiple of equation {i}"), &|certificate| {
                certificate.outcomes[0].uses[i].multiplier += 1;
            });
        }
        for i in 0..whole.multiples.len() {
            refuses(format!("without digit {i} of a quotient"), &|certificate| {
                certificate.multiples.remove(i);
            });
            refuses(format!("another weight of digit {i}"), &|certificate| certificate.multiples[i].2 += 52);
            refuses(format!("another multiple for digit {i}"), &|certificate| {
                let multiple = &mut certificate.multiples[i].0;
                *multiple = if *multiple == Multiple::High { Multiple::Step } else { Multiple::High };
            });
        }
        for i in 0..whole.lemmas.len() {
            // For sums, one lemma may be unnecessary.
            let is_estimate = matches!(whole.lemmas[i], Lemma::Estimate { .. });
            if proof.statement.specification.is_reduced || is_estimate {
                refuses(format!("without lemma {i}"), &|certificate| {
                    certificate.lemmas.remove(i);
                });
            }
            if let Lemma::Table { atoms, terms } = &whole.lemmas[i] {
                for j in 0..terms.len() {
                    refuses(format!("another term {j} of table {i}"), &|certificate| {
                        if let Lemma::Table { terms, .. } = &mut certificate.lemmas[i] {
                            terms[j].1 += 1;
                        }
                    });
                }
                // With fewer atoms, some integers depend on unknown ones, or too many values are possible.
                // But the carry into the lane may be unnecessary.
                refuses(format!("no atoms in table {i}"), &|certificate| {
                    if let Lemma::Table { atoms, .. } = &mut certificate.lemmas[i] {
                        atoms.clear();
                    }
                });
                assert!(!atoms.is_empty());
            }
            if uses_of(&mut whole.lemmas[i].clone()).is_some_and(|uses| !uses.is_empty()) {
                refuses(format!("the first equation of lemma {i} the other way round"), &|certificate| {
                    if let Some(uses) = uses_of(&mut certificate.lemmas[i]) {
                        uses[0].multiplier *= -1;
                    }
                });
            }
            if let Lemma::Congruence { .. } = &whole.lemmas[i] {
                refuses(format!("without a quotient in lemma {i}"), &|certificate| {
                    if let Lemma::Congruence { quotients, .. } = &mut certificate.lemmas[i] {
                        quotients.pop();
                    }
                });
            }
        }
        assert!(refused > 20, "{refused}");
    }
}

/// A choice is a product of its own selector, and only a choice is.
#[test]
fn choices_as_products() {
    change_choices(3);
}

#[test]
#[ignore = "half a minute"]
fn all_choices_as_products() {
    change_choices(usize::MAX);
}

/// Changes about `some` of the choices.
fn change_choices(some: usize) {
    let Some(ifma52) = ifma52() else { return };
    // Rows of 16 digits: a digit is added if the one below carries into its double.
    let (lifted, statements) = rows::record(ifma52, 824, Operation::SquareRows, 7).unwrap().lift().unwrap();
    let (integers, statement) = (lifted.integers, statements[0].clone());
    let certificate = prover::prove(&integers, &statement).unwrap();
    let proof = Proof { integers, statement, certificate };
    let is_chosen = |used: &Use| matches!(used.equation, Equation::Chosen(_));
    let uses = &proof.certificate.outcomes[0].uses;
    let chosen: Vec<usize> = (0..uses.len()).filter(|&i| is_chosen(&uses[i])).collect();
    assert!(chosen.len() >= 15, "{}", chosen.len());
    let number = |i: usize| match uses[i].equation {
        Equation::Chosen(id) => id,
        _ => unreachable!(),
    };
    let refuses = |what: &str, change: &dyn Fn(&mut Vec<Use>)| {
        let mut certificate = proof.certificate.clone();
        change(&mut certificate.outcomes[0].uses);
        assert!(proof.check(&certificate).is_err(), "{what}");
    };
    // Each change needs a check of the whole certificate.
    for (&i, &other) in chosen.iter().zip(chosen.iter().skip(1)).step_by((chosen.len() / some).max(1)) {
        refuses("without a choice", &|uses| drop(uses.remove(i)));
        refuses("another multiple of a choice", &|uses| uses[i].multiplier *= 2);
        refuses("another choice", &|uses| uses[i].equation = Equation::Chosen(number(other)));
        refuses("a choice without its case", &|uses| uses[i].equation = Equation::Choice(number(i)));
        refuses("what is no choice", &|uses| uses[i].equation = Equation::Chosen(0));
        refuses("what is not there", &|uses| uses[i].equation = Equation::Chosen(u32::MAX));
    }
}

/// A relation that no table shows is refused.
#[test]
fn made_up_relations() {
    let Some(ifma52) = ifma52() else { return };
    let proof = prove(ifma52, 1240, Operation::Mul);
    let tables = proof.certificate.lemmas.iter().filter(|lemma| matches!(lemma, Lemma::Table { .. }));
    let next = tables.count() as u32;
    let mut certificate = proof.certificate.clone();
    certificate.outcomes[0].uses.push(Use { equation: Equation::Relation(next), multiplier: 1.into() });
    assert!(proof.check(&certificate).is_err());
    // Use a relation that does not hold for all values.
    let some = proof.certificate.lemmas.iter().find_map(|lemma| match lemma {
        Lemma::Table { atoms, .. } => Some(atoms.clone()),
        _ => None,
    });
    let atoms = some.unwrap();
    let mut certificate = proof.certificate.clone();
    certificate.lemmas.push(Lemma::Table { terms: vec![(atoms[0], 1)], atoms });
    assert!(proof.check(&certificate).is_err());
}

/// What a bias carries out of the highest digit is a constant, and no other one.
#[test]
fn made_up_constants() {
    let Some(ifma52) = ifma52() else { return };
    // The shortest residue whose products are computed from halves.
    let proof = prove(ifma52, 9568, Operation::Square);
    let place = proof.certificate.lemmas.iter().position(|lemma| matches!(lemma, Lemma::Constant { .. }));
    let place = place.unwrap();
    type Change = dyn Fn(&mut BigInt, &mut u32, &mut Vec<Id>, &mut Vec<Use>);
    let refuses = |what: &str, change: &Change| {
        let mut certificate = proof.certificate.clone();
        if let Lemma::Constant { variables, value, weight, uses, .. } = &mut certificate.lemmas[place] {
            change(value, weight, variables, uses);
        }
        assert!(proof.check(&certificate).is_err(), "{what}");
    };
    refuses("another constant", &|value, _, _, _| *value += 1);
    refuses("the other sign", &|value, _, _, _| *value *= -1);
    refuses("no weight", &|_, weight, _, _| *weight = 0);
    refuses("without an integer", &|_, _, variables, _| variables.truncate(variables.len() - 1));
    refuses("an integer twice", &|_, _, variables, _| variables.push(variables[0]));
    refuses("without equations", &|_, _, _, uses| uses.clear());
    let mut certificate = proof.certificate.clone();
    certificate.lemmas.remove(place);
    assert!(proof.check(&certificate).is_err());
}

/// A conversion back from a residue has a second part, and both parts have to be shown.
#[test]
fn parts_of_certificates() {
    let Some(ifma52) = ifma52() else { return };
    let proof = prove(ifma52, 616, Operation::FromMontgomery);
    let refuses = |what: &str, change: &dyn Fn(&mut Certificate)| {
        let mut certificate = proof.certificate.clone();
        change(&mut certificate);
        assert!(proof.check(&certificate).is_err(), "{what}");
    };
    refuses("without the first part", &|certificate| certificate.before = None);
    refuses("without an equation of the first part", &|certificate| {
        certificate.before.as_mut().unwrap().outcomes[0].uses.pop();
    });
    refuses("without a multiple in the first part", &|certificate| {
        certificate.before.as_mut().unwrap().multiples.pop();
    });
    refuses("without the estimate", &|certificate| {
        certificate.lemmas.retain(|lemma| !matches!(lemma, Lemma::Estimate { .. }));
    });
    refuses("without facts", &|certificate| certificate.facts.clear());
    refuses("without a case", &|certificate| {
        certificate.outcomes.pop();
    });
    refuses("one case for another", &|certificate| {
        let case = certificate.outcomes[1].case.clone();
        certificate.outcomes[0].case = case;
    });
}
