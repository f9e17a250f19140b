//! Checks of programs: what fails one does not leave.

use moduli_rns::{
    curves::Curve,
    program::{Assembled, Program, Schedule, Setting, Timing},
};
use num_bigint::BigUint;
use testing::{Random, big, boxed};

use super::{WEIERSTRASS, assemble, field, machine::Machine, results};

/// The scalar multiplication on P-256, by what reads its text.
fn p256(parse: impl Fn(&str) -> Program) -> Assembled {
    let curve = Curve::named("P-256").unwrap();
    let field = field(&big(&curve.prime().unwrap()), 8, 33);
    let constants = [("a".to_owned(), curve.a().unwrap()), ("b3".to_owned(), curve.triple_b())];
    let setting = Setting { field: &field, constants: &constants, order: Some(&curve.order()), blinding: 0 };
    Assembled::new(parse(WEIERSTRASS), &setting).unwrap()
}

/// Multiples of a point of P-256 are what they are without checks, by the interpreter and by the words that
/// are issued; points beside the curve, and a curve with another b, have none.
#[test]
fn points_that_are_not_on_the_curve_have_no_multiples() {
    let (plain, checked) =
        (p256(|text| Program::parse(text).unwrap()), p256(|text| Program::parse_with_checks(text).unwrap()));
    assert_eq!((plain.checks(), checked.checks()), (0, 2));
    let schedule = Schedule::new(&checked, Timing { channels: 8, chunks: 2, read: 8 });
    let mut random = Random(41);
    let order = big(plain.order().unwrap());
    // The generator.
    let x = BigUint::parse_bytes(b"6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296", 16)
        .unwrap();
    let y = BigUint::parse_bytes(b"4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5", 16)
        .unwrap();
    let number = BigUint::from(71u32);
    for k in [BigUint::ZERO, BigUint::from(2u32), &order - 1u32, order.clone(), random.below(255)] {
        let operands = [x.clone(), y.clone(), k.clone()];
        let expected = results(&plain, &operands.each_ref());
        assert_eq!(results(&checked, &operands.each_ref()), expected, "{k}");
        assert_eq!(Machine::run(&checked, &schedule, &operands, &number).0, expected, "{k}");
        if expected == [BigUint::ZERO, BigUint::ZERO] {
            continue;
        }
        let off = [x.clone(), &y + 1u32, k.clone()];
        let error = checked.run(&off.each_ref().map(boxed), &[boxed(&number)], &mut ()).unwrap_err();
        assert!(error.to_string().contains("check"), "{error}");
        assert!(Machine::run(&checked, &schedule, &off, &number).0.is_empty(), "{k}");
    }
}

/// Registers of its own that checks have are none of a program without them.
#[test]
fn lines_of_checks_are_left_out() {
    let text = "x = load\ncheck y = x - x\ncheck y\nstore x";
    let (plain, checked) = (Program::parse(text).unwrap(), Program::parse_with_checks(text).unwrap());
    assert_eq!((plain.lines().len(), plain.registers().len()), (2, 1));
    assert_eq!((checked.lines().len(), checked.registers().len()), (4, 2));
}

#[test]
fn checks_come_before_results_and_outside_of_loops() {
    let refused = |text: &str| Program::parse_with_checks(text).unwrap_err().to_string();
    assert!(refused("x = load\nstore x\ncheck x").starts_with("line 3: checks come before"));
    assert!(refused("x = load\nscalar = load\nloop\ncheck x\nend").starts_with("line 4: a loop"));
    assert!(refused("check x").starts_with("line 1: x is read"));
    let field = field(&BigUint::from(251u32), 2, 17);
    assert!(assemble("x = load\ncheck x\nstore x", &field).is_ok());
}
