//! What is refused, with the line and the bound.

use moduli_rns::program::{Assembled, Program, Setting};
use num_bigint::BigUint;
use testing::boxed;

use super::{WEIERSTRASS, assemble, field};

#[test]
fn faults_name_line_and_reason() {
    let field = field(&BigUint::from((1u64 << 61) - 1), 5, 17);
    for (text, said) in [
        ("x = load\n\ny = x * z", "line 3: z is read before it is written"),
        ("x = loud", "line 1: loud is read before it is written"),
        ("x = load # an operand\nx + x", "line 2: \"x + x\" is not an instruction"),
        ("x = load\nx = x / x", "line 2: x / x is not an operation"),
        ("x = load\nx = 2(x * x)", "line 2: 2(x * x) is not an operation"),
        ("x = load\nq[2] = x", "line 2: \"q[2]\" is not a register"),
        ("x = load\nx[0] = x", "line 2: x is a register and a pair"),
        ("q[0] = load\nstore q[bit]", "line 2: q[1] is read before it is written"),
        ("q[0] = load\nq[bit] = q[0]", "line 2: q[1] is read before it is written"),
        ("load = load", "line 1: \"load\" is not a register"),
        ("x = constant 1g", "line 1: \"1g\" is not a hexadecimal number"),
        ("x = constant a", "line 1: no value is given for the constant a"),
        ("scalar = load + order", "line 1: no value is given for the constant order"),
        ("next", "line 1: 1 bits of the scalar are needed; 0 are left"),
        ("scalar = load\nloop but 61\nend", "line 2: 62 bits of the scalar are needed; 61 are left"),
        ("scalar = load\nloop\nend\nnext", "line 4: 1 bits of the scalar are needed; 0 are left"),
        ("scalar = load\nloop", "line 2: loops are closed by end, and hold no other loop"),
        ("scalar = load\nloop\nloop\nend\nend", "line 3: loops are closed by end, and hold no other loop"),
        ("end", "line 1: loops are closed by end, and hold no other loop"),
        ("scalar = load\nloop\nx = load\nend", "line 3: a loop does not hold load"),
        ("scalar = load\nloop\nnext\nend", "line 3: a loop does not hold next"),
        ("scalar = load\nloop\nx = random\nend", "line 3: a loop does not hold random"),
        (
            "x = random\npairs = random\npairs = random",
            "line 3: pairs = random comes once, before a register of a pair is written",
        ),
        (
            "q[1] = load\npairs = random",
            "line 2: pairs = random comes once, before a register of a pair is written",
        ),
        ("pairs = load", "line 1: \"pairs\" is not a register"),
        ("random = load", "line 1: \"random\" is not a register"),
        (
            "scalar = load\nx = load\nloop\nx = x + x\nend",
            "line 3: a value grows from turn to turn: beyond 262146.00·P",
        ),
        (
            "scalar = load\nnext\nloop but half\nend\nloop but half\nend",
            "line 5: 31 bits of the scalar are needed; 30 are left",
        ),
        ("loop but half\nend", "line 1: 1 bits of the scalar are needed; 0 are left"),
        ("loop but x", "line 1: \"x\" is not a number of bits"),
    ] {
        let fault = assemble(text, &field).err().unwrap();
        assert_eq!(fault.to_string(), said, "{text}");
    }
}

/// M is a little less than 16·P: there is no room for the sums of curves.
#[test]
fn a_product_that_is_too_large_is_refused() {
    let p = BigUint::from((1u64 << 61) - 1);
    let field = field(&p, 5, 13);
    let twice = "x = load\nx = x + x\nx = x * x\nx = x + x\nx = x + x\nx = x + x\nx = x * x\n";
    let fault = assemble(twice, &field).err().unwrap().to_string();
    assert!(fault.starts_with("line 7: factors below "), "{fault}");
    assert!(fault.contains("; this base holds 7."), "{fault}");
    let constants = ["a", "b3"].map(|name| (name.to_owned(), boxed(&BigUint::from(1u32))));
    let setting = Setting { field: &field, constants: &constants, order: Some(&boxed(&p)), blinding: 0 };
    assert!(Assembled::new(Program::parse(WEIERSTRASS).unwrap(), &setting).is_err());
}

#[test]
fn operands_are_counted_and_scalars_have_their_bits() {
    let field = field(&BigUint::from(251u32), 2, 17);
    let program = assemble("scalar = load\nx = load\nstore x", &field).unwrap();
    let run = |operands: &[u32]| {
        let operands: Vec<_> = operands.iter().map(|&value| boxed(&BigUint::from(value))).collect();
        program.run(&operands, &[], &mut ()).map(|results| results.len()).map_err(|error| error.to_string())
    };
    assert_eq!(run(&[255, 70000]), Ok(1));
    assert!(run(&[255]).unwrap_err().contains("1; the program takes 2"));
    assert!(run(&[256, 1]).unwrap_err().contains("a scalar of more than 8 bits"));
}

/// What is 0 modulo P blinds nothing.
#[test]
fn random_numbers_are_counted_and_not_0() {
    let field = field(&BigUint::from(251u32), 2, 17);
    let program = assemble("x = load\nl = random\nm = random\nstore x", &field).unwrap();
    assert_eq!((program.operands(), program.randoms()), (1, 2));
    let run = |random: &[u32]| {
        let random: Vec<_> = random.iter().map(|&value| boxed(&BigUint::from(value))).collect();
        program.run(&[boxed(&BigUint::from(7u32))], &random, &mut ()).map_err(|error| error.to_string())
    };
    assert_eq!(run(&[1, 255]).unwrap(), [boxed(&BigUint::from(7u32))]);
    assert!(run(&[1]).unwrap_err().contains("random numbers: 1; the program draws 2"));
    for random in [[0, 1], [1, 0], [251, 1], [1, 502]] {
        assert!(run(&random).unwrap_err().contains("random number: it is 0 modulo P"), "{random:?}");
    }
}
