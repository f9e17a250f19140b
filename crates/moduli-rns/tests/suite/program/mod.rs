//! Programs over resident residues.

mod blinding;
mod checks;
mod curves;
mod endomorphism;
mod machine;
mod refusals;
mod schedule;

use crypto_bigint::BoxedUint;
use moduli_rns::{
    base::BaseShape,
    channels::Residues,
    fields::FIELDS,
    montgomery::RnsMontgomery,
    program::{Assembled, Fault, Program, Setting, UNIT},
};
use num_bigint::BigUint;
use testing::{Random, big, boxed};

pub const POWER: &str = include_str!("../../../../../hdl/programs/power.rns");
pub const WEIERSTRASS: &str = include_str!("../../../../../hdl/programs/weierstrass.rns");
pub const ENDOMORPHISM: &str = include_str!("../../../../../hdl/programs/endomorphism.rns");
pub const SIGNATURE: &str = include_str!("../../../../../hdl/programs/signature.rns");

pub fn field(p: &BigUint, channels: usize, width: u32) -> RnsMontgomery {
    RnsMontgomery::new(&boxed(p), BaseShape::new(channels, width)).unwrap()
}

pub fn assemble(text: &str, field: &RnsMontgomery) -> Result<Assembled, Fault> {
    Assembled::new(Program::parse(text)?, &Setting { field, constants: &[], order: None, blinding: 0 })
}

/// Results of a program, whose random numbers are 1.
pub fn results(program: &Assembled, operands: &[&BigUint]) -> Vec<BigUint> {
    results_with(program, operands, &BigUint::from(1u32))
}

/// The same with another number in the place of all random ones.
pub fn results_with(program: &Assembled, operands: &[&BigUint], number: &BigUint) -> Vec<BigUint> {
    let operands: Vec<BoxedUint> = operands.iter().map(|operand| boxed(operand)).collect();
    let random = vec![boxed(number); program.randoms()];
    program.run(&operands, &random, &mut ()).unwrap().iter().map(big).collect()
}

#[test]
fn powers_are_powers_in_every_field() {
    let mut random = Random(31);
    for named in FIELDS {
        let p = big(&named.prime());
        let bits = p.bits() as u32;
        for width in [64, 33, 24] {
            let field = field(&p, (bits + 6).div_ceil(width - 1) as usize, width);
            let program = assemble(POWER, &field).unwrap();
            assert_eq!(program.operands(), 2);
            let one = BigUint::from(1u32);
            let top = (&one << bits) - 1u32;
            let mut pairs = vec![(BigUint::ZERO, BigUint::ZERO), (&p - 1u32, top.clone()), (top, &p - 1u32)];
            pairs.push((random.below(bits), BigUint::ZERO));
            pairs.push((random.below(bits), one));
            pairs.push((random.below(bits), random.below(bits)));
            for (base, exponent) in pairs {
                let expected = base.modpow(&exponent, &p);
                assert_eq!(results(&program, &[&base, &exponent]), [expected], "{} {width}", named.name);
            }
        }
    }
}

#[test]
fn every_power_of_a_tiny_modulus() {
    let p = BigUint::from(251u32);
    let program = assemble(POWER, &field(&p, 2, 17)).unwrap();
    for base in 0..256u32 {
        for exponent in [0u32, 1, 2, 3, 127, 128, 249, 250, 251, 255] {
            let [base, exponent] = [base, exponent].map(BigUint::from);
            assert_eq!(results(&program, &[&base, &exponent]), [base.modpow(&exponent, &p)]);
        }
    }
}

#[test]
fn the_second_half_of_a_signature() {
    let mut random = Random(33);
    let n = big(&moduli_rns::curves::Curve::named("P-256").unwrap().order());
    let program = assemble(SIGNATURE, &field(&n, 8, 33)).unwrap();
    for _ in 0..8 {
        let [k, r, d, e] = [(); 4].map(|()| random.below(256));
        let s = k.modinv(&n).unwrap() * (&e + &r * &d) % &n;
        assert_eq!(results(&program, &[&k, &r, &d, &e]), [s]);
    }
    assert_eq!(results(&program, &[&n, &random.below(256), &BigUint::from(1u32), &n]), [BigUint::ZERO]);
}

/// Every kind of sum.
pub const SUMS: &str = "
        x = load
        y = load
        scalar = load
        q[0] = x + y
        q[1] = x - y
        one = constant 1
        loop
          z = 2(q[bit] - q[~bit])
          w = 2(x + z)
          q[bit] = w * z
          v = w * w
          q[~bit] = v * one
          w = q[bit]
          q[bit] = q[~bit] * one
          q[~bit] = w * v
        end
        store q[0]
        store q[1]";

/// Every kind of sum, of every register of a pair, against num-bigint; the bounds hold, and the multiples are
/// the least.
#[test]
fn sums_are_right_and_below_their_bounds() {
    let mut random = Random(34);
    let p = random.odd(100);
    let field = field(&p, 8, 17);
    let program = assemble(SUMS, &field).unwrap();
    let room = big(field.bases()[0].product());
    for turn in 0..20u32 {
        let [x, y, k] = [(); 3].map(|()| random.below(100));
        let y = if turn == 0 { BigUint::ZERO } else { y };
        let modulo = |value: BigUint| value % &p;
        let mut q = [modulo(&x + &y), modulo(&x + &p - modulo(y.clone()))];
        for bit in (0..100).rev() {
            let (chosen, other) = if k.bit(bit) { (1, 0) } else { (0, 1) };
            let z = modulo(2u32 * (&q[chosen] + &p - &q[other]));
            let w = modulo(2u32 * (&x + &z));
            q[chosen] = modulo(&w * &z);
            q[other] = modulo(&q[chosen] * &w * &w);
            q[chosen] = modulo(&w * &w);
        }
        let operands = [&x, &y, &k].map(boxed);
        let mut seen = 0;
        let watch = |index: usize, value: &moduli_rns::montgomery::RnsElement| {
            let bound = program.bounds()[index];
            let value = big(&field.bases()[0].from_residues(&Residues::new(value.first().to_vec())).unwrap());
            assert!(&value * UNIT < bound.below * &p && &value * 2u32 < room, "line {index}");
            seen += 1;
        };
        let given = program.run_watched(&operands, &[], &mut (), watch).unwrap();
        assert_eq!(given.iter().map(big).collect::<Vec<_>>(), q);
        assert!(seen > 400);
    }
}
