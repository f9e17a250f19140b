//! Constant-time inversion and programs over residues, checked by machines: operands are classified, and what
//! follows it reports every branch, address and division that depends on it. `make check-constant-time` runs
//! this interpreted and under valgrind, in a release build.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use checkmem::{assert_public, classify, declassify, watch};
use crypto_bigint::{BoxedUint, Resize};
use moduli::Modulus;
use moduli_rns::{
    base::BaseShape,
    inverse::{DivisionSteps, Fermat, Jump, fermat},
    montgomery::RnsMontgomery,
    program::{Assembled, Program, Setting},
    redundant::Redundant,
};

#[test]
fn inversions() {
    watch(|| {
        let p = BoxedUint::max(128).wrapping_sub(BoxedUint::from(158u64)); // 2^128 − 159, a prime
        let value = BoxedUint::from(0x5bd1_e995_9e37_79b9_7f4a_7c15_f39c_c060_u128).resize(128);
        let expected = Modulus::new(&p).unwrap().invert_vartime(&value).unwrap();
        let mut secret = value.clone();
        classify(secret.as_mut_words());
        // Words of up to 32 bits and longer ones; enough channels for vectors.
        for shape in
            [BaseShape::new(5, 32), BaseShape::new(5, 33), BaseShape::new(4, 64), BaseShape::new(9, 24)]
        {
            let what = format!("{shape:?}");
            let jump = Jump::new(&p, shape, 24).unwrap();
            let division_steps = DivisionSteps::new(&p, shape, 23).unwrap();
            let fermat = Fermat::new(&p, shape, fermat::Ladder::BestWindow).unwrap();
            let mut inverses = Vec::new();
            // That there is an inverse; that residues are below their moduli when they leave, as they always
            // are: once, twice.
            assert_public(2, &what, || inverses.push(jump.invert(&secret)));
            assert_public(2, &what, || inverses.push(division_steps.invert(&secret)));
            assert_public(3, &what, || inverses.push(fermat.invert(&secret)));
            for inverse in inverses {
                let inverse = inverse.unwrap();
                declassify(inverse.as_words());
                assert_eq!(inverse, expected, "{what}");
            }
        }
    });
}

/// Products with a redundant channel: that their checks pass is public.
#[test]
fn redundant_products() {
    watch(|| {
        let p = BoxedUint::max(128).wrapping_sub(BoxedUint::from(158u64));
        let value = BoxedUint::from(0x5bd1_e995_9e37_79b9_7f4a_7c15_f39c_c060_u128).resize(128);
        let expected = Modulus::new(&p).unwrap().mul(&value, &value);
        let mut secret = value.clone();
        classify(secret.as_mut_words());
        for shape in [BaseShape::new(5, 33), BaseShape::new(4, 64), BaseShape::new(9, 24)] {
            let redundant = Redundant::new(&p, shape).unwrap();
            let mut square = None;
            // Of three products, of residues below their moduli, and of the way out.
            assert_public(5, &format!("{shape:?}"), || {
                let mut x = redundant.to_montgomery(&secret).unwrap();
                let y = x.clone();
                redundant.multiply(&mut x, &y).unwrap();
                square = Some(redundant.from_montgomery(&x).unwrap());
            });
            let square = square.unwrap();
            declassify(square.as_words());
            assert_eq!(square, expected);
        }
    });
}

/// A program that chooses registers by the bits of its operands, in every way.
#[test]
fn programs() {
    const TEXT: &str = "
        q[1] = load
        q[0] = constant 1
        scalar = load + order
        loop but 3
          q[~bit] = q[0] * q[1]
          q[bit] = q[bit] * q[bit]
        end
        x = 2(q[bit] - q[~bit])
        next
        q[~bit] = x + q[bit]
        scalar = prime - 2
        next
        x = q[bit] * q[~bit]
        store x";
    watch(|| {
        let p = BoxedUint::max(128).wrapping_sub(BoxedUint::from(158u64));
        let order = BoxedUint::from(0x1234_5678_9abc_def1u64);
        let operands = [
            BoxedUint::from(0x5bd1_e995_9e37_79b9u64).resize(128),
            BoxedUint::from(0x0f4a_7c15_f39c_c060u64),
        ];
        for shape in [BaseShape::new(5, 33), BaseShape::new(9, 24)] {
            let field = RnsMontgomery::new(&p, shape).unwrap();
            let setting = Setting { field: &field, constants: &[], order: Some(&order), blinding: 0 };
            let program = Assembled::new(Program::parse(TEXT).unwrap(), &setting).unwrap();
            let expected = program.run(&operands, &[], &mut ()).unwrap();
            let mut secret = operands.clone();
            secret.iter_mut().for_each(|each| classify(each.as_mut_words()));
            let mut results = Vec::new();
            // That the scalar is not too long; that residues are below their moduli when they leave.
            assert_public(2, &format!("{shape:?}"), || results = program.run(&secret, &[], &mut ()).unwrap());
            results.iter().for_each(|result| declassify(result.as_words()));
            assert_eq!(results, expected);
        }
    });
}
