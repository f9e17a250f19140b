//! Look-ups by an index.

use prove::{
    certificate::{Certificate, Outcome},
    checker::check,
    specification::{Bound, Formula, Specification, Statement},
    system::{
        Definition, Source, Split, System,
        Value::{self, Constant, Variable},
    },
};

/// A choice by whether the index is at least a number is not a look-up of one place.
#[test]
fn an_index_that_may_be_another_one() {
    let word = Definition::Input(0, u64::MAX.into());
    // Integer 0 is the index, 1 and 2 are words, and 3 is the inverse, which nothing is made of; 6 says
    // whether the index is below `least`.
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
        let place = if let Formula::Place(place) = formula { place } else { 0 };
        let is_proof = |indices: &[u64]| {
            let certificate = Certificate { indices: indices.to_vec(), ..Certificate::default() };
            check(&system(least), &statement, &certificate).is_ok()
        };
        // It is refused with any intervals.
        [
            &[0][..],
            &[0, 1],
            &[0, 1, 2],
            &[0, 4, 5],
            &[0, 5, 6],
            &[0, place.max(1), u64::MAX],
            &[0, place.max(1)],
        ]
        .into_iter()
        .any(is_proof)
    };
    let most = i128::from(u64::MAX);
    for place in [0, 3, 5, 7] {
        assert!(!is_accepted(5, Formula::Place(place)), "place {place}");
    }
    assert!(is_accepted(most, Formula::Place(u64::MAX)));
    assert!(!is_accepted(most, Formula::Place(u64::MAX - 1)));
    // Past the row the result must be zero.
    assert!(!is_accepted(1, Formula::Entry));
    assert!(!is_accepted(2, Formula::Entry));
}

/// Entries that are distinguished by bits of the index, and by the part above these.
#[test]
fn bits_of_an_index() {
    let word = Definition::Input(0, u64::MAX.into());
    // 0 is the index, 1 to 3 are words. 4 is the lowest bit of the index, 5 what is above; 8 whether that is
    // below `least`; 9 is word 1 or 2 by the bit, or by word 3's lowest; 10 that, or 0.
    let system = |least: i128, shift: u32, of: u32| {
        let split = |source, shift, low, high| Split {
            source: Source::Single(source),
            shift,
            low: Variable(low),
            high: Variable(high),
            by: Vec::new(),
            scale: 0,
        };
        System {
            definitions: vec![
                word.clone(),
                word.clone(),
                word.clone(),
                word.clone(),
                Definition::Low(0),
                Definition::High(0),
                Definition::Sum(-least, [(5, 1)].into()),
                Definition::Low(1),
                Definition::High(1),
                Definition::Choice(4, Variable(1), Variable(2)),
                Definition::Choice(8, Variable(9), Constant(0)),
            ],
            splits: vec![split(of, shift, 4, 5), split(6, 64, 7, 8)],
            products: Vec::new(),
            claims: Vec::new(),
        }
    };
    let by = |indices: &[u64]| Certificate { indices: indices.to_vec(), ..Certificate::default() };
    let certificate = by(&[0, 1, 2]);
    let statement = |first: u32, second: &[u32], result: &[Value]| Statement {
        specification: Specification {
            first: Bound::Words,
            second: Some(Bound::Words),
            formula: Formula::Entry,
            is_reduced: false,
        },
        first: vec![first],
        second: second.to_vec(),
        mask: Some(0),
        result: result.to_vec(),
        ..Statement::NONE
    };
    let is_accepted = |system: &System, first: u32, second: &[u32], result: &[Value]| {
        check(system, &statement(first, second, result), &certificate).is_ok()
    };
    let (right, result) = (system(1, 1, 0), [Variable(10)]);
    assert!(is_accepted(&right, 1, &[2], &result));
    // Words above the entry must be zeros.
    assert!(is_accepted(&right, 1, &[2], &[Variable(10), Constant(0)]));
    assert!(!is_accepted(&right, 1, &[2], &[Variable(10), Variable(3)]));
    assert!(!is_accepted(&right, 1, &[2], &[Constant(0), Variable(10)]));
    assert!(!is_accepted(&right, 2, &[1], &result), "exchanged");
    assert!(!is_accepted(&right, 1, &[], &result), "one entry less");
    assert!(!is_accepted(&right, 1, &[2, 3], &result), "one entry more");
    assert!(!is_accepted(&system(2, 1, 0), 1, &[2], &result), "the same entry for 0 and 2");
    assert!(!is_accepted(&system(3, 1, 0), 1, &[2], &result), "the same entry for 0, 2 and 4");
    assert!(!is_accepted(&system(1, 1, 3), 1, &[2], &result), "by the bit of another word");
    // A part of more than one bit is no selector.
    assert!(!is_accepted(&system(1, 2, 0), 1, &[2], &result));
    // Try intervals that do not cover all indices, or in which several entries are possible.
    let accepts =
        |system: &System, indices: &[u64]| check(system, &statement(1, &[2], &result), &by(indices)).is_ok();
    assert!(accepts(&right, &[0, 1, 2, 3, 1 << 63]));
    for indices in [&[][..], &[0], &[0, 1], &[0, 2], &[1, 2], &[0, 1, 1, 2], &[0, 2, 1], &[0, 1, 3]] {
        assert!(!accepts(&right, indices), "{indices:?}");
    }
    // Choose by the bit only.
    let mut by_the_bit = right.clone();
    by_the_bit.definitions[10] = Definition::Choice(4, Variable(1), Variable(2));
    assert!(!accepts(&by_the_bit, &[0, 1, 2]));
}

/// A disjunction of two words is one of them where the other one is zero. Nothing is known of it elsewhere.
#[test]
fn disjunctions() {
    let word = Definition::Input(0, u64::MAX.into());
    // 0 is the index, 1 to 3 are words. 6 says whether the index is 0: there 7 is word 2, and 8 is `there`;
    // elsewhere 7 is 0, and 8 is word 1.
    let system = |there: Value, most: i128| System {
        definitions: vec![
            word.clone(),
            word.clone(),
            word.clone(),
            Definition::Input(0, most),
            Definition::Sum(-1, [(0, 1)].into()),
            Definition::Low(0),
            Definition::High(0),
            Definition::Choice(6, Variable(2), Constant(0)),
            Definition::Choice(6, there, Variable(1)),
            Definition::Either(Variable(7), Variable(8)),
            Definition::Either(Variable(3), Variable(9)),
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
    let is_accepted = |system: &System, [first, second]: [u32; 2], result: u32| {
        let statement = Statement {
            specification: Specification {
                first: Bound::Words,
                second: Some(Bound::Words),
                formula: Formula::Place(0),
                is_reduced: false,
            },
            first: vec![first],
            second: vec![second],
            mask: Some(0),
            result: vec![Variable(result)],
            ..Statement::NONE
        };
        check(system, &statement, &Certificate { indices: vec![0, 1], ..Certificate::default() }).is_ok()
    };
    let most = i128::from(u64::MAX);
    let right = system(Constant(0), most);
    assert!(is_accepted(&right, [1, 2], 9));
    assert!(!is_accepted(&right, [2, 1], 9), "exchanged");
    assert!(!is_accepted(&right, [1, 2], 8), "zero for the index 0");
    assert!(!is_accepted(&right, [1, 2], 10), "with another word");
    assert!(!is_accepted(&system(Variable(3), most), [1, 2], 9), "with another word for the index 0");
    assert!(!is_accepted(&system(Constant(0), most + 1), [1, 2], 9), "of what is longer than a word");
}

/// The lowest bits of a word are those that its split gives, and no others.
#[test]
fn lowest_bits() {
    let word = Definition::Input(0, u64::MAX.into());
    let system = System {
        definitions: vec![word.clone(), word, Definition::Low(0), Definition::High(0)],
        splits: vec![Split {
            source: Source::Single(0),
            shift: 52,
            low: Variable(2),
            high: Variable(3),
            by: Vec::new(),
            scale: 0,
        }],
        products: Vec::new(),
        claims: Vec::new(),
    };
    let outcome = Outcome { case: Vec::new(), uses: Vec::new(), products: Vec::new() };
    let certificate = Certificate { outcomes: vec![outcome], ..Certificate::default() };
    let is_accepted = |bits: u32, first: &[u32], result: &[Value]| {
        let specification = Specification {
            first: Bound::Words,
            second: None,
            formula: Formula::Lowest(bits),
            is_reduced: false,
        };
        let statement =
            Statement { specification, first: first.to_vec(), result: result.to_vec(), ..Statement::NONE };
        check(&system, &statement, &certificate).is_ok()
    };
    assert!(is_accepted(52, &[0], &[Variable(2)]));
    assert!(is_accepted(52, &[0], &[Variable(2), Constant(0)]));
    assert!(is_accepted(64, &[0, 1], &[Variable(0), Variable(1)]));
    for (bits, first, result) in [
        (52, &[0][..], &[Variable(0)][..]),
        (64, &[0], &[Variable(2)]),
        (51, &[0], &[Variable(2)]),
        (52, &[0], &[Variable(3)]),
        (52, &[1], &[Variable(2)]),
        (52, &[0], &[Variable(2), Constant(1)]),
        (64, &[0, 1], &[Variable(1), Variable(0)]),
        (64, &[0, 1], &[Variable(0)]),
        (64, &[2], &[Variable(2)]),
        (0, &[0], &[Constant(0)]),
        (52, &[], &[Constant(0)]),
    ] {
        assert!(!is_accepted(bits, first, result), "{bits} {first:?} {result:?}");
    }
    // Two cases are no proof, and neither is an empty certificate.
    let none = Certificate::default();
    let specification =
        Specification { first: Bound::Words, second: None, formula: Formula::Lowest(52), is_reduced: false };
    let statement = Statement { specification, first: vec![0], result: vec![Variable(2)], ..Statement::NONE };
    assert!(check(&system, &statement, &none).is_err());
}
