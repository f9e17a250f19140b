//! Operations of `fma50` are proved at some lengths; wrong statements, certificates and claims about doubles
//! are refused.

use super::common::{self, Proof, Proofs, made, refuses_statement};
use moduli_kernel::KernelChoice;
use prove::{
    certificate::{Certificate, Equation, Lemma},
    doubles,
    failure::Reason,
    jobs::longest_in_doubles as longest,
    specification::{Formula, Operation, Statement, doubles::Part},
    system::{Claim, Definition, Id, Value},
};

const ALL: [Operation; 12] = [
    Operation::Mul,
    Operation::Square,
    Operation::Add,
    Operation::Sub,
    Operation::ToMontgomery,
    Operation::FromMontgomery,
    Operation::Load,
    Operation::Store,
    Operation::MulPrepared(2),
    Operation::MulPrepared(5),
    Operation::Prepare(2),
    Operation::Prepare(5),
];

fn fma50() -> Option<KernelChoice> {
    made(KernelChoice::FMA50)
}

fn prove(bits: usize, operation: Operation) -> Proof {
    common::prove(KernelChoice::FMA50, bits, operation)
}

fn is_refused(proof: &Proof, what: &str) {
    match proof.check(&proof.certificate) {
        Err(failure) => assert_eq!(failure.reason, Reason::Refused, "{what}: {failure}"),
        Ok(()) => panic!("{what} is not refused"),
    }
}

#[test]
fn operations_are_proved() {
    let Some(_) = fma50() else { return };
    for bits in [2, longest(2), 64, longest(6), 300, longest(10), 1024, longest(34), 2048] {
        let is_there = |operation: &Operation| match *operation {
            // Pieces consist of whole vectors.
            Operation::MulPrepared(split) | Operation::Prepare(split) => bits >= 256 * split,
            _ => true,
        };
        for operation in ALL.into_iter().filter(is_there) {
            prove(bits, operation);
        }
    }
}

#[test]
fn products_by_a_matrix_are_proved() {
    let Some(_) = fma50() else { return };
    // One more piece than there are vectors.
    for (bits, split) in [(40, 2), (longest(6), 3), (300, 3), (longest(18), 6), (1024, 7)] {
        prove(bits, Operation::MulPrepared(split));
    }
    let mut proof = prove(300, Operation::MulPrepared(3));
    proof.certificate.parts.swap(0, 1);
    is_refused(&proof, "rows by other digits");
    proof.certificate.parts.swap(0, 1);
    proof.statement.doubles.as_mut().unwrap().is_matrix = false;
    is_refused(&proof, "a matrix for the reduction");
}

#[test]
#[ignore = "takes minutes"]
fn all_moduli_of_as_many_digits_run_one_program() {
    let Some(fma50) = fma50() else { return };
    use Operation::{Add, Mul, MulPair, MulRows, Square, SquareRows, Sub};
    for operation in [Mul, Square, Add, Sub, MulPair, MulRows, SquareRows] {
        for digits in (2..=84).step_by(2) {
            let program = |bits| {
                let recording = doubles::record(fma50, bits, operation, 7).unwrap();
                assert_eq!(recording.digits(), digits, "{bits} bits");
                recording.program()
            };
            let expected = program(longest(digits));
            let first = if digits == 2 { 2 } else { longest(digits - 2) + 1 };
            for bits in first..longest(digits) {
                assert!(program(bits) == expected, "{} at {bits} bits", operation.name());
            }
        }
    }
}

#[test]
fn wrong_statements_are_not_proved() {
    let Some(fma50) = fma50() else { return };
    let mut proofs = Proofs::new(fma50);
    let mut refuted = |what: &str, operation, change: fn(&mut Statement)| {
        refuses_statement(proofs.of(300, operation), what, change);
    };
    refuted("a product that is a square", Operation::Mul, |statement| {
        statement.specification.formula = Formula::Square;
        statement.second.clear();
    });
    refuted("two digits exchanged", Operation::Mul, |statement| statement.result.swap(0, 1));
    refuted("two rows exchanged", Operation::Square, |statement| {
        statement.doubles.as_mut().unwrap().rows.swap(0, 1);
    });
    refuted("a longer modulus", Operation::Square, |statement| {
        statement.doubles.as_mut().unwrap().bits += 64;
    });
    refuted("another multiple of N", Operation::Square, |statement| {
        statement.doubles.as_mut().unwrap().multiple.swap(0, 1);
    });
    refuted("another correction", Operation::Square, |statement| {
        statement.doubles.as_mut().unwrap().correction.swap(0, 1);
    });
    refuted("fewer digits", Operation::Mul, |statement| statement.doubles.as_mut().unwrap().digits -= 2);
    refuted("a sum for a difference", Operation::Sub, |statement| {
        statement.specification.formula = Formula::Sum;
    });
    refuted("another value", Operation::Load, |statement| statement.first.swap(0, 1));
    refuted("no part before", Operation::ToMontgomery, |statement| {
        statement.before.as_mut().unwrap().result.swap(0, 1);
    });
    // A conversion back from a residue: digits as words, the division, and the dividend.
    fn divided(statement: &mut Statement) -> &mut Statement {
        statement.before.as_mut().unwrap()
    }
    fn reduced(statement: &mut Statement) -> &mut Statement {
        divided(statement).before.as_mut().unwrap()
    }
    for operation in [Operation::Store, Operation::FromMontgomery] {
        refuted("other words", operation, |statement| statement.result.swap(0, 1));
        refuted("other digits", operation, |statement| statement.first.swap(0, 1));
        refuted("no division", operation, |statement| statement.before = None);
        refuted("a digit too few", operation, |statement| {
            divided(statement).result.pop();
        });
        refuted("another dividend", operation, |statement| divided(statement).first.swap(0, 1));
        refuted("another modulus", operation, |statement| divided(statement).modulus.swap(0, 1));
        refuted("a longer modulus", operation, |statement| {
            divided(statement).doubles.as_mut().unwrap().bits += 1;
        });
        refuted("a shorter modulus", operation, |statement| {
            divided(statement).doubles.as_mut().unwrap().bits -= 1;
        });
        refuted("another reciprocal", operation, |statement| {
            let statement = divided(statement);
            statement.doubles.as_mut().unwrap().reciprocal = statement.inverse;
        });
        refuted("no dividend", operation, |statement| divided(statement).before = None);
        refuted("rows exchanged", operation, |statement| {
            reduced(statement).doubles.as_mut().unwrap().rows.swap(0, 1);
        });
        refuted("digits of the dividend exchanged", operation, |statement| {
            reduced(statement).result.swap(0, 1);
        });
        refuted("a residue", operation, |statement| {
            reduced(statement).doubles.as_mut().unwrap().part = Part::Whole;
        });
    }
    refuted("no product", Operation::Store, |statement| {
        let statement = reduced(statement);
        statement.specification.formula = Formula::First;
        statement.second.clear();
    });
}

#[test]
fn constants_that_are_not_declared_are_not_read() {
    let Some(fma50) = fma50() else { return };
    for name in ["fold", "fold offsets", "multiple", "x", "y", "scratch"] {
        let mut recording = doubles::record(fma50, 300, Operation::Mul, 7).unwrap();
        recording.forget(name);
        assert!(recording.lift().is_err(), "{name}");
    }
    for name in ["modulus", "one", "reciprocal", "multiple", "fold"] {
        let mut recording = doubles::record(fma50, 300, Operation::Store, 7).unwrap();
        recording.forget(name);
        assert!(recording.lift().is_err(), "{name}");
    }
}

#[test]
fn claims_that_do_not_hold_are_refused() {
    let Some(_) = fma50() else { return };
    let mut proof = prove(300, Operation::Mul);
    let claims = proof.integers.system.claims.clone();
    assert!(claims.iter().any(|claim| matches!(claim, Claim::Bits { .. })));
    let mut kinds = [0; 3];
    for (number, claim) in claims.iter().enumerate() {
        let mut changed = Vec::new();
        match *claim {
            Claim::Exact { product, added, by, value, unit } => {
                kinds[0] += 1;
                // Change the length, and the integer.
                changed.push(Claim::Exact { product, added, by, value, unit: unit + 53 });
                changed.push(Claim::Exact { product, added: value, by, value: added, unit });
                changed.push(Claim::Exact {
                    product: None,
                    added,
                    by: None,
                    value: Value::Constant(1),
                    unit,
                });
            }
            Claim::Rounded { split, added, up, value, unit } => {
                kinds[1] += 1;
                changed.push(Claim::Rounded { split, added, up, value, unit: unit + 1 });
                changed.push(Claim::Rounded { split, added, up, value, unit: unit - 1 });
                changed.push(Claim::Rounded { split, added: value, up, value, unit });
                changed.push(Claim::Rounded { split: split + 1, added, up, value, unit });
                changed.push(Claim::Rounded { split, added, up: up - 1, value, unit });
            }
            Claim::Bits { word, value, exponent } => {
                kinds[2] += 1;
                changed.push(Claim::Bits { word, value, exponent: exponent + 1 });
                changed.push(Claim::Bits { word, value, exponent: exponent - 1 });
                changed.push(Claim::Bits { word: value, value: word, exponent });
            }
        }
        if number % 7 != 0 {
            continue;
        }
        for claim in changed.into_iter().filter(|claim| *claim != claims[number]) {
            proof.integers.system.claims[number] = claim;
            // If the added integer is the result, exchanging both changes nothing.
            let is_same = match &proof.integers.system.claims[number] {
                Claim::Exact { product: None, added, value, .. } => added == value,
                _ => false,
            };
            if !is_same {
                is_refused(&proof, &format!("{:?}", proof.integers.system.claims[number]));
            }
        }
        proof.integers.system.claims[number] = claims[number].clone();
    }
    assert!(kinds.iter().all(|&count| count > 20), "{kinds:?}");
    // Use one bit for two roundings.
    let rounded = |claim: &&Claim| matches!(claim, Claim::Rounded { .. });
    let first = claims.iter().find(rounded).unwrap().clone();
    proof.integers.system.claims.push(first);
    is_refused(&proof, "a bit that is used twice");
    proof.integers.system.claims.pop();
    proof.check(&proof.certificate).unwrap();
}

#[test]
fn certificates_that_are_tampered_with_are_refused() {
    let Some(_) = fma50() else { return };
    let mut proof = prove(300, Operation::Square);
    let sound = proof.certificate.clone();
    for i in 0..sound.outcomes[0].uses.len() {
        proof.certificate = sound.clone();
        proof.certificate.outcomes[0].uses[i].multiplier += 1;
        is_refused(&proof, &format!("multiple {i}"));
    }
    for i in 0..sound.parts.len() {
        proof.certificate = sound.clone();
        proof.certificate.parts[i].multiplier += 1;
        is_refused(&proof, &format!("part {i}"));
        proof.certificate.parts.remove(i);
        is_refused(&proof, &format!("no part {i}"));
    }
    for i in 0..sound.lemmas.len() {
        proof.certificate = sound.clone();
        proof.certificate.lemmas.remove(i);
        is_refused(&proof, &format!("no lemma {i}"));
        proof.certificate = sound.clone();
        if let Lemma::Bounds { uses, .. } = &mut proof.certificate.lemmas[i] {
            uses.clear();
        }
        is_refused(&proof, &format!("lemma {i} without equations"));
    }
    proof.certificate = sound;
    // Make operands shorter than residues can be.
    let Value::Variable(first) = Value::Variable(proof.statement.first[0]) else { return };
    proof.integers.system.definitions[first as usize] = Definition::Input(0, 1 << 49);
    is_refused(&proof, "a short operand");
}

/// According to its interval, the quotient may be so high that its product has a digit more than the
/// dividend. The estimate shows that it is not, but shows this of no other carry.
#[test]
fn carries_above_what_is_divided() {
    carries(13, 2);
}

#[test]
#[ignore = "more carries"]
fn more_carries_above_what_is_divided() {
    carries(5, 6);
}

/// Carries of other digits, one in `every` and at most `count`, cannot replace those that are shown.
fn carries(every: usize, count: usize) {
    let Some(_) = fma50() else { return };
    prove(3392, Operation::FromMontgomery);
    let mut proof = prove(3392, Operation::Store);
    let whole = proof.certificate.clone();
    fn division(certificate: &mut Certificate) -> &mut Certificate {
        certificate.before.as_mut().unwrap()
    }
    let lemmas = division(&mut proof.certificate).lemmas.clone();
    assert!(matches!(lemmas[0], Lemma::Estimate { .. }));
    let mut forged = 0;
    for (place, lemma) in lemmas.iter().enumerate() {
        let Lemma::Bounds { variables, .. } = lemma else { continue };
        // Carries of other digits have the same bounds.
        let id = variables[0];
        let split = |id: Id| match proof.integers.system.definitions[id as usize] {
            Definition::High(number) => Some(proof.integers.system.splits[number as usize].shift),
            _ => None,
        };
        let others = (id.saturating_sub(200)..id + 200).filter(|&other| split(other) == split(id));
        for other in others.step_by(every).take(count).collect::<Vec<_>>() {
            let is_shown =
                |lemma: &Lemma| matches!(lemma, Lemma::Bounds { variables, .. } if variables[0] == other);
            if lemmas.iter().any(is_shown) {
                continue;
            }
            proof.certificate = whole.clone();
            if let Lemma::Bounds { variables, .. } = &mut division(&mut proof.certificate).lemmas[place] {
                variables[0] = other;
            }
            is_refused(&proof, "another carry");
            forged += 1;
        }
        proof.certificate = whole.clone();
        if let Lemma::Bounds { uses, .. } = &mut division(&mut proof.certificate).lemmas[place] {
            uses.pop();
        }
        is_refused(&proof, "a carry by fewer equations");
    }
    assert!(forged > 5, "{forged}");
    proof.certificate = whole.clone();
    division(&mut proof.certificate).lemmas.retain(|lemma| !matches!(lemma, Lemma::Bounds { .. }));
    is_refused(&proof, "carries of which nothing is said");
    proof.certificate = whole;
    division(&mut proof.certificate).lemmas.remove(0);
    is_refused(&proof, "no estimate");
}

/// Two digits are above the dividend. The borrow from one equals the borrow from the other, as the first
/// digit is shown to be 0. No possible case is left out, and nothing of the kind is shown for the digits
/// below.
#[test]
fn digits_above_what_is_divided() {
    let Some(_) = fma50() else { return };
    prove(1344, Operation::Store);
    let mut proof = prove(1344, Operation::FromMontgomery);
    let whole = proof.certificate.clone();
    fn division(certificate: &mut Certificate) -> &mut Certificate {
        certificate.before.as_mut().unwrap()
    }
    let all = division(&mut proof.certificate).clone();
    for i in 0..all.outcomes.len() {
        proof.certificate = whole.clone();
        division(&mut proof.certificate).outcomes.remove(i);
        is_refused(&proof, "a case less");
    }
    proof.certificate = whole.clone();
    division(&mut proof.certificate).facts.clear();
    is_refused(&proof, "no facts");
    for &(selector, _) in &all.outcomes[0].case {
        proof.certificate = whole.clone();
        division(&mut proof.certificate).atoms.retain(|&atom| atom != selector);
        is_refused(&proof, "an integer of which not all values are tried");
    }
    // The digit is a choice between multiples of what was shown to be 0.
    let choice = |id: Id| match proof.integers.system.definitions[id as usize] {
        Definition::Choice(selector, ..) => Some(selector),
        _ => None,
    };
    let digit_of = |lemma: &Lemma| match lemma {
        Lemma::Bounds { variables, .. } => choice(variables[0]).map(|selector| (variables[0], selector)),
        _ => None,
    };
    let digits: Vec<_> =
        all.lemmas.iter().enumerate().filter_map(|(i, lemma)| Some((i, digit_of(lemma)?))).collect();
    let [(place, (digit, selector))] = digits[..] else { panic!("{digits:?}") };
    let by_selector =
        |lemma: &Lemma| matches!(lemma, Lemma::Bounds { variables, .. } if *variables == [selector]);
    let of_selector = all.lemmas.iter().position(by_selector).unwrap();
    for i in [place, of_selector] {
        proof.certificate = whole.clone();
        division(&mut proof.certificate).lemmas.remove(i);
        is_refused(&proof, "a lemma less");
    }
    let others: Vec<_> = (digit - 60..digit + 60).filter(|&id| id != digit && choice(id).is_some()).collect();
    for &other in &others {
        proof.certificate = whole.clone();
        if let Lemma::Bounds { variables, uses, .. } = &mut division(&mut proof.certificate).lemmas[place] {
            variables[0] = other;
            uses.iter_mut().for_each(|it| {
                if it.equation == Equation::Choice(digit) {
                    it.equation = Equation::Choice(other);
                }
            });
        }
        is_refused(&proof, "another digit");
    }
    assert!(!others.is_empty());
}
