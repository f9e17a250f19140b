//! What an observer sees: after every step of every plus-minus method the congruences and bounds that
//! `docs/plus-minus.md` proves, read from the residues themselves.

use moduli_rns::{
    base::{Base, BaseShape},
    fields::{FIELDS, Field},
    inverse::{
        Binary, BinaryTernary, Options, Stop, Wide,
        plus_minus::{PlusMinus, Rules},
    },
    observe::{Action, ChannelObserver, InversionStep},
};
use num_bigint::{BigInt, BigUint, Sign};
use testing::{Random, big, boxed};

struct Checker<'a> {
    base: &'a Base,
    shift: Vec<u64>,
    q: u64,
    p: BigInt,
    a: BigInt,
    previous: Option<[BigInt; 4]>,
    steps: u32,
    extreme: f64,
}

impl Checker<'_> {
    /// The signed value of an inner form.
    fn value(&self, inner: &[u64]) -> BigInt {
        let channels = self.base.channels();
        let mut residues = inner.to_vec();
        channels.subtract(&mut residues, &self.shift, &mut ());
        channels.multiply(&mut residues, self.base.cofactors(), &mut ());
        let value = big(&self.base.from_residues(&residues).unwrap());
        let product = big(self.base.product());
        if &value * 2u32 > product {
            BigInt::from(value) - BigInt::from(product)
        } else {
            BigInt::from(value)
        }
    }
}

impl ChannelObserver for Checker<'_> {
    fn step(&mut self, step: &InversionStep<'_>) {
        let [u1, v1, u3, v3] = [step.u1, step.v1, step.u3, step.v3].map(|inner| self.value(inner));
        let zero = BigInt::ZERO;
        assert_eq!((&u1 * &self.a - &u3) % &self.p, zero);
        assert_eq!((&v1 * &self.a - &v3) % &self.p, zero);
        for (value, small) in [&u1, &v1, &u3, &v3].into_iter().zip(step.small) {
            let q = BigInt::from(self.q);
            assert_eq!(((value % &q) + &q) % &q, BigInt::from(small));
        }
        // |U3|² ≤ P²·2^(−u) with u in half bits, and so for V3.
        for (value, counter) in [(&u3, step.counters[0]), (&v3, step.counters[1])] {
            assert!((value * value) << counter <= &self.p * &self.p);
        }
        for value in [&u1, &v1] {
            assert!(value.magnitude() <= self.p.magnitude());
            let part = (value.magnitude() * 1000u32 / self.p.magnitude()).to_u64_digits();
            self.extreme = self.extreme.max(part.first().copied().unwrap_or(0) as f64 / 1000.0);
        }
        match (step.action, self.previous.take()) {
            (Action::Load, None) => {
                assert_eq!((&u1, &v1, &u3, &v3), (&zero, &BigInt::from(1), &self.p, &self.a))
            }
            (Action::Divide { divisor }, Some([old_u1, old_v1, old_u3, old_v3])) => {
                assert_eq!((old_u1, old_u3), (u1.clone(), u3.clone()));
                assert_eq!(old_v3, &v3 * divisor);
                assert_eq!((old_v1 - &v1 * divisor) % &self.p, zero);
            }
            (Action::PlusMinus { minus, divisor, swapped }, Some([old_u1, old_v1, old_u3, old_v3])) => {
                let sign = if minus { -1 } else { 1 };
                assert_eq!(&old_v3 + &old_u3 * sign, &v3 * divisor);
                assert_eq!((&old_v1 + &old_u1 * sign - &v1 * divisor) % &self.p, zero);
                let expected = if swapped { (old_v1, old_v3) } else { (old_u1, old_u3) };
                assert_eq!(expected, (u1.clone(), u3.clone()));
            }
            (action, _) => panic!("{action:?} out of order"),
        }
        self.previous = Some([u1, v1, u3, v3]);
        self.steps += 1;
    }
}

fn watch<R: Rules>(inverter: &PlusMinus<R>, q: u64, affine: bool, a: &BigUint) -> f64 {
    let p = big(inverter.modulus());
    let shift = if affine { inverter.shift().to_vec() } else { vec![0; inverter.base().count()] };
    let mut checker = Checker {
        base: inverter.base(),
        shift,
        q,
        p: BigInt::from_biguint(Sign::Plus, p.clone()),
        a: BigInt::from_biguint(Sign::Plus, a.clone()),
        previous: None,
        steps: 0,
        extreme: 0.0,
    };
    let inverse = inverter.invert_observed_vartime(&boxed(a), &mut checker).ok();
    assert_eq!(inverse.map(|inverse| big(&inverse)), a.modinv(&p));
    // The load is no step; the bound is 2ℓ.
    assert!(u64::from(checker.steps) - 1 <= 2 * p.bits());
    checker.extreme
}

#[test]
fn every_step_keeps_congruences_and_bounds() {
    let mut random = Random(11);
    let mut extremes = [0f64; 3];
    for field in FIELDS {
        let prime = field.prime();
        let bits = prime.bits_vartime();
        let p = big(&prime);
        let shape = BaseShape::new((bits + 6).div_ceil(31) as usize, 32);
        for stop in [Stop::EveryStep, Stop::OuterLoop] {
            let options = Options { stop, ..Options::default() };
            let binary = Binary::new(&prime, shape, &options).unwrap();
            let ternary = BinaryTernary::new(&prime, shape, &options).unwrap();
            let wide = Wide::new(&prime, 144, shape, &options).unwrap();
            let edges = [1u32, 2, 3].map(BigUint::from).into_iter().flat_map(|x| [&p - &x, x]);
            let parts = [&p / 2u32, &p / 3u32, BigUint::ZERO];
            for a in edges.chain(parts).chain((0..5).map(|_| random.below(bits) % &p)) {
                let found = [
                    watch(&binary, 4, true, &a),
                    watch(&ternary, 12, true, &a),
                    watch(&wide, 144, false, &a),
                ];
                for (extreme, found) in extremes.iter_mut().zip(found) {
                    *extreme = extreme.max(found);
                }
            }
        }
    }
    println!("largest |U1|, |V1| in P: binary, binary-ternary, wide {extremes:.3?}");
}

/// Every operand of a small prime and of a composite modulus, step by step.
#[test]
fn every_operand_step_by_step() {
    for p in [1009u32, 2039, 1225] {
        let p = boxed(&BigUint::from(p));
        let shape = BaseShape::new(2, 17);
        let binary = Binary::new(&p, shape, &Options::default()).unwrap();
        let ternary = BinaryTernary::new(&p, shape, &Options::default()).unwrap();
        for a in 0..1009u32 {
            let a = BigUint::from(a);
            watch(&binary, 4, true, &a);
            watch(&ternary, 12, true, &a);
        }
    }
}

/// The steps, the states and the counts do not depend on the instructions.
#[test]
fn vectors_change_nothing() {
    use moduli_rns::{channels::Instructions, observe::Counter};
    let mut random = Random(12);
    let p = Field::named("P-384").unwrap().prime();
    for width in [24, 31, 32] {
        let shape = BaseShape::new((384 + 6u32).div_ceil(width - 1) as usize, width);
        let detected = BinaryTernary::new(&p, shape, &Options::default()).unwrap();
        let [vectors, scalar] = [Instructions::Vectors, Instructions::Scalar]
            .map(|instructions| detected.clone().with_instructions(instructions));
        assert!(!scalar.base().channels().is_vectorised());
        for _ in 0..50 {
            let a = boxed(&random.below(384));
            let (mut one, mut other) = (Counter::default(), Counter::default());
            assert_eq!(
                vectors.invert_observed_vartime(&a, &mut one),
                scalar.invert_observed_vartime(&a, &mut other)
            );
            assert_eq!(one.total(), other.total());
        }
    }
}
