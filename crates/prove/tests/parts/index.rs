//! Look-ups by an index.

use prove::{
    certificate::{Certificate, Equation, Outcome, Use},
    checker::check,
    specification::{Bound, Formula, Specification, Statement},
    system::{Definition, Source, Split, System, Value::Variable},
};

/// A choice by whether the index is at least so much is no look at one place.
#[test]
fn an_index_that_may_be_another_one() {
    let word = Definition::Input(0, u64::MAX.into());
    // 0 is the index, 1 and 2 are words, 3 is the inverse, which nothing is made of; 6 says whether the index is below `least`.
    let system = |least: i128| System {
        definitions: vec![
            word.clone(),
            word.clone(),
            word.clone(),
            word.clone(),
            Definition::Sum(-least, [(0, 1)].into()),
            Definition::Low(0),
            Definition::High(0),
            Definition::Choice(6, Variable(1), Variable(2)),
        ],
        splits: vec![Split {
            source: Source::Single(4),
            shift: 64,
            low: Variable(5),
            high: Variable(6),
            by: Vec::new(),
            scale: 0,
        }],
        products: Vec::new(),
        claims: Vec::new(),
    };
    let outcome = |is_above| Outcome {
        case: vec![(6, is_above)],
        uses: vec![Use { equation: Equation::Choice(7), multiplier: 1.into() }],
        products: Vec::new(),
    };
    let certificate = Certificate { outcomes: vec![outcome(false), outcome(true)], ..Certificate::default() };
    let is_accepted = |least: i128, formula: Formula| {
        let specification =
            Specification { first: Bound::Words, second: Some(Bound::Words), formula, is_reduced: false };
        let statement = Statement {
            specification,
            modulus: Vec::new(),
            inverse: 3,
            first: vec![1],
            first_bits: 64,
            result_bits: 64,
            second: vec![2],
            mask: Some(0),
            result: vec![Variable(7)],
            digits: None,
            doubles: None,
            before: None,
        };
        check(&system(least), &statement, &certificate).is_ok()
    };
    let most = i128::from(u64::MAX);
    for place in [0, 3, 5, 7] {
        assert!(!is_accepted(5, Formula::Place(place)), "place {place}");
    }
    assert!(is_accepted(most, Formula::Place(u64::MAX)));
    assert!(!is_accepted(most, Formula::Place(u64::MAX - 1)));
    // Past the row there is nothing.
    assert!(!is_accepted(1, Formula::Entry));
    assert!(!is_accepted(2, Formula::Entry));
}
