//! Division steps in residues against num-bigint: every named field in several shapes and jump lengths, tiny
//! bases with every operand, composite moduli, one trace for all operands, the cost, and the hulls that bound
//! the number of steps.

mod hulls;

use crypto_bigint::{BoxedUint, Resize};
use moduli::{
    Error,
    error::{ModulusError, ParameterError},
};
use moduli_rns::{
    base::{Base, BaseShape, Family},
    fields::{FIELDS, Field},
    inverse::{DivisionSteps, division_steps::steps_for},
    montgomery::RnsMontgomery,
    observe::{ChannelObserver, Counter, Phase},
};
use num_bigint::BigUint;
use testing::{Random, big, boxed};

use crate::frame::{Trace, common_factor, edges, lopsided};

/// The right inverse, or a refusal without the factor.
fn check(method: &DivisionSteps, a: &BigUint, p: &BigUint, what: &str) {
    let found = method.invert(&boxed(a)).map(|inverse| big(&inverse));
    let expected = a.modinv(p).ok_or(Error::NotInvertible { gcd: None });
    assert_eq!(found, expected, "{what}: 1/{a} modulo {p}");
}

/// n and w for the bits of P and four more, with k.
fn shapes(bits: u32) -> [(BaseShape, u32); 5] {
    let channels = |width: u32| (bits + 4).div_ceil(width - 1) as usize;
    [(33, 32, 0), (64, 62, 0), (24, 23, 0), (36, 32, 0), (17, 16, 3)]
        .map(|(width, k, spare)| (BaseShape::new(channels(width) + spare, width), k))
}

fn sweep(random_operands: usize) {
    let mut random = Random(3);
    for field in FIELDS {
        let prime = field.prime();
        let (p, bits) = (big(&prime), prime.bits_vartime());
        let (edges, lopsided) = (edges(&p), lopsided(&p, bits));
        for (index, (shape, k)) in shapes(bits).into_iter().enumerate() {
            let what = format!("{} {shape:?} k = {k}", field.name);
            let method = DivisionSteps::new(&prime, shape, k).unwrap();
            // All edges in one shape, a part in the others.
            let (step, count) = if index == 0 { (1, random_operands) } else { (7, random_operands / 10) };
            for a in edges.iter().chain(&lopsided).skip(index).step_by(step) {
                check(&method, a, &p, &what);
            }
            for _ in 0..count {
                check(&method, &(random.below(bits + 64) % &p), &p, &what);
            }
            for a in [BigUint::ZERO, p.clone(), &p * 3u32 + 2u32] {
                check(&method, &a, &p, &what);
            }
        }
    }
}

#[test]
fn every_field_in_every_shape() {
    sweep(100);
}

#[test]
#[ignore = "a hundred times the operands"]
fn every_field_in_every_shape_long() {
    sweep(10_000);
}

const TINY: [(usize, u32, u32); 6] = [(3, 8, 7), (3, 8, 1), (1, 24, 23), (1, 24, 5), (2, 17, 2), (1, 33, 32)];

/// Every operand of odd moduli below 2^9, prime or not, and of some below 2^12.
#[test]
fn every_operand_of_small_moduli() {
    let longer = [1009u32, 1155, 2039, 2187, 3025, 3329, 4087, 4093, 4095];
    for p in (3u32..512).step_by(2).chain(longer) {
        let modulus = BigUint::from(p);
        for (channels, width, k) in TINY.into_iter().skip((p as usize / 2) % 3).step_by(3) {
            let shape = BaseShape::new(channels, width);
            let method = DivisionSteps::new(&BoxedUint::from(p), shape, k).unwrap();
            for a in 0..p {
                check(&method, &BigUint::from(a), &modulus, &format!("{channels} × {width}, k = {k}"));
            }
        }
    }
}

/// A modulus that shares its factors with the moduli of the base.
#[test]
fn moduli_of_the_base_may_divide_the_modulus() {
    let shape = BaseShape::new(4, 33);
    let moduli = DivisionSteps::new(&BoxedUint::from(3u32), shape, 32).unwrap().base().moduli().to_vec();
    let p = BigUint::from(moduli[0]) * moduli[2];
    let method = DivisionSteps::new(&boxed(&p), shape, 32).unwrap();
    let mut random = Random(8);
    for _ in 0..200 {
        check(&method, &(random.below(100) % &p), &p, "random");
        check(&method, &((random.below(100) * moduli[0]) % &p), &p, "a multiple");
    }
}

/// Composite moduli of cryptographic size, those of exactly 64·n bits among them: operands that share a
/// factor are refused.
#[test]
fn long_composite_moduli() {
    let primes = ["P-192", "P-256", "P-521"].map(|name| big(&Field::named(name).unwrap().prime()));
    let small = [3u32, 5, 255, 65_537].map(BigUint::from);
    let mut random = Random(4);
    for (i, p) in primes.iter().enumerate() {
        for q in primes[i..].iter().chain(&small) {
            let modulus = p * q;
            for (width, k) in [(33, 13), (33, 32), (64, 62)] {
                let channels = (modulus.bits() as usize + 4).div_ceil(width as usize - 1);
                let method =
                    DivisionSteps::new(&boxed(&modulus), BaseShape::new(channels, width), k).unwrap();
                for factor in [p, q] {
                    for cofactor in [random.below(3), random.below(90), random.below(500)] {
                        check(&method, &(factor * cofactor % &modulus), &modulus, "a multiple");
                    }
                }
                check(&method, &(random.below(2000) % &modulus), &modulus, "random");
            }
        }
    }
}

/// Odd numbers of exactly 64·n bits at both ends, 1 and 3 modulo 4, prime or not.
#[test]
fn moduli_that_fill_their_words() {
    let mut random = Random(11);
    for bits in [64u32, 128, 256, 512, 1024] {
        let top = BigUint::from(1u32) << bits;
        let half = BigUint::from(1u32) << (bits - 1);
        for p in [&top - 1u32, &top - 3u32, &top - 59u32, &half + 1u32, &half + 3u32] {
            let method = DivisionSteps::new(&boxed(&p), shapes(bits)[0].0, 32).unwrap();
            for a in edges(&p).into_iter().step_by(29).chain((0..20).map(|_| random.below(bits))) {
                check(&method, &(a % &p), &p, "a full modulus");
            }
        }
    }
}

/// All operands give one trace, invertible or not: operations on channels and steps of the word arithmetic.
/// The trace hears one jump and k steps for each that is promised.
#[test]
fn one_trace_for_every_operand() {
    for (name, shape, k) in [
        ("P-256", BaseShape::new(8, 33), 32),
        ("P-192", BaseShape::new(12, 17), 16),
        ("brainpoolP384r1", BaseShape::new(7, 64), 61),
    ] {
        let prime = Field::named(name).unwrap().prime();
        // 3P is composite: some operands are not invertible.
        for p in [big(&prime), big(&prime) * 3u32] {
            let method = DivisionSteps::new(&boxed(&p), shape, k).unwrap();
            let trace = |a: &BigUint| {
                let mut trace = Trace::default();
                let a = boxed(&(a % &p)).resize(method.modulus().bits_precision());
                let _ = method.invert_observed(&a, &mut trace);
                trace
            };
            let expected = trace(&BigUint::from(1u32));
            let heard = |what: char| expected.0.iter().filter(|(name, _)| *name == what).count();
            assert_eq!((heard('o'), heard('i')), (method.jumps(), method.jumps() * k as usize));
            let mut random = Random(6);
            let mut operands = edges(&p);
            operands.extend(lopsided(&p, p.bits() as u32));
            operands.extend((0..50).map(|_| random.below(p.bits() as u32)));
            operands.push(BigUint::ZERO);
            let refused = |a: &&BigUint| common_factor((*a).clone(), p.clone()) != BigUint::from(1u32);
            assert_eq!(operands.iter().filter(refused).count() > 10, p > big(&prime));
            assert!(operands.iter().all(|a| trace(a) == expected), "{name}, k = {k}");
        }
    }
}

/// What a jump costs, and that an inversion is nothing else.
#[test]
fn the_cost_is_that_of_the_jumps() {
    for (name, shape, k, jumps) in [
        ("P-192", BaseShape::new(12, 17), 16, 28),
        ("P-256", BaseShape::new(8, 33), 32, 19),
        ("P-384", BaseShape::new(12, 33), 32, 28),
        ("P-521", BaseShape::new(15, 36), 32, 38),
        ("P-256", BaseShape::new(5, 64), 62, 10),
    ] {
        let method = DivisionSteps::new(&Field::named(name).unwrap().prime(), shape, k).unwrap();
        assert_eq!(method.jumps() as u64, jumps, "{name}");
        let mut counter = Counter::default();
        method.invert_observed(&BoxedUint::from(1_234_567u32), &mut counter).unwrap();
        let (counts, vectors) = (counter.of(Phase::Loop), jumps * shape.channels as u64);
        assert_eq!(counts.multiplications, 14 * vectors);
        assert_eq!(counts.additions, (4 + 6 + 6) * vectors);
        assert_eq!(counts.small_products, 4 * vectors);
        assert_eq!((counts.cox, counts.outer, counts.inner), (4 * jumps, jumps, jumps * u64::from(k)));
        // A division and what the way out takes.
        let counts = counter.of(Phase::Leave);
        assert_eq!((counts.multiplications, counts.cox), (3 * shape.channels as u64, 1));
    }
}

/// What an observer is shown after every jump, at first and at last.
#[derive(Default)]
struct Vectors(Vec<[Vec<u64>; 4]>);

impl ChannelObserver for Vectors {
    fn jump(&mut self, vectors: [&[u64]; 4]) {
        self.0.push(vectors.map(<[u64]>::to_vec));
    }
}

/// Over the first of two bases, whose moduli are others than those of `new`: the same inverses, and states
/// that begin with P and 0 and end with g = 0.
#[test]
fn over_the_base_of_a_multiplier() {
    let prime = Field::named("P-256").unwrap().prime();
    let p = big(&prime);
    let products = RnsMontgomery::for_residues_modulo(&prime, BaseShape::new(8, 33), 1, 32).unwrap();
    let base = products.bases()[0];
    let method = DivisionSteps::over(base, &prime, 32).unwrap();
    assert_eq!(method.base().moduli(), base.moduli());
    let mut random = Random(7);
    for a in edges(&p).into_iter().chain((0..200).map(|_| random.below(256) % &p)) {
        check(&method, &(a % &p), &p, "over");
    }
    let mut vectors = Vectors::default();
    method.invert_observed(&BoxedUint::from(3u32), &mut vectors).unwrap();
    assert_eq!(vectors.0.len(), method.jumps() + 1);
    let [f, _, d, e] = &vectors.0[0];
    assert_eq!((f, d), (&base.to_scaled_residues(&prime).to_vec(), &vec![0; 8]));
    assert_eq!(e, &base.to_scaled_residues(&BoxedUint::from(1u64 << 32)).to_vec());
    assert_eq!(vectors.0[method.jumps()][1], vec![0; 8]);
}

/// A base that holds 16·P, but no more.
#[test]
fn a_base_without_room_is_refused() {
    let base = Base::new(BaseShape::new(3, 8), &Family::default()).unwrap();
    let bits = base.product().bits_vartime();
    for (least, fits) in [(bits - 5, true), (bits - 4, false)] {
        let p = BoxedUint::one().resize(bits).shl(least - 1).wrapping_add(BoxedUint::one());
        let refused = DivisionSteps::over(&base, &p, 7).err();
        assert_eq!(refused.is_none(), fits, "{least}");
        assert!(fits || matches!(refused, Some(Error::Parameter(ParameterError { name: "channels", .. }))));
    }
    for (p, k) in [(4u32, 7), (1, 7), (9, 0), (9, 8)] {
        assert!(DivisionSteps::over(&base, &BoxedUint::from(p), k).is_err());
    }
}

#[test]
fn bad_moduli_and_shapes_are_refused() {
    let shape = BaseShape::new(8, 33);
    let refuse = |p: &BoxedUint, shape, k| DivisionSteps::new(p, shape, k).err().unwrap();
    for even in [0u32, 2, 1024] {
        assert_eq!(refuse(&BoxedUint::from(even), shape, 32), Error::Modulus(ModulusError::Even));
    }
    assert_eq!(refuse(&BoxedUint::one(), shape, 32), Error::Modulus(ModulusError::TooSmall));
    let p = Field::named("P-256").unwrap().prime();
    for (width, k) in [(33, 0), (33, 33), (64, 63), (64, u32::MAX), (8, 8)] {
        let error = refuse(&p, BaseShape::new(40, width), k);
        assert!(matches!(error, Error::Parameter(ParameterError { name: "jump bits", .. })), "{error}");
    }
    for (shape, named) in [
        (BaseShape::new(8, 32), "channels"),
        (BaseShape::new(0, 33), "channels"),
        (BaseShape::new(4, 0), "width"),
        (BaseShape::new(4, 7), "width"),
        (BaseShape::new(4, 65), "width"),
    ] {
        let error = refuse(&p, shape, 5);
        assert!(matches!(error, Error::Parameter(ParameterError { name, .. }) if name == named), "{error}");
    }
}

/// The largest P that a base holds, 2^b − 1 for the largest 2^(b + 4) < M.
#[test]
fn the_room_is_used_to_the_full() {
    for (shape, k) in [(BaseShape::new(8, 33), 32), (BaseShape::new(3, 8), 7), (BaseShape::new(4, 64), 62)] {
        let product = big(Base::new(shape, &Family::default()).unwrap().product());
        let fits = |p: &BigUint| DivisionSteps::new(&boxed(p), shape, k).is_ok();
        let (mut below, mut above) = (BigUint::from(1u32), product.clone());
        // Odd numbers 2x + 1.
        while &above - &below > BigUint::from(1u32) {
            let middle = (&below + &above) >> 1u32;
            if fits(&(&middle * 2u32 + 1u32)) { below = middle } else { above = middle }
        }
        let most = below * 2u32 + 1u32;
        let method = DivisionSteps::new(&boxed(&most), shape, k).unwrap();
        assert!((&most + 1u32) * 16u32 < product && product <= (&most + 1u32) * 32u32, "{shape:?}");
        for a in edges(&most).iter().take(60).chain(&lopsided(&most, most.bits() as u32)) {
            check(&method, &(a % &most), &most, "the largest modulus");
        }
    }
}

/// The bound on the steps at the lengths that matter, in numbers.
#[test]
fn the_number_of_steps() {
    assert_eq!([2, 192, 256, 384, 521].map(steps_for), [5, 443, 591, 885, 1201]);
}
