//! Scalars split into two random halves by an endomorphism: the halves, and multiples of points by them.

use crypto_bigint::BoxedUint;
use moduli_rns::{
    curves::Curve,
    endomorphism::Endomorphism,
    montgomery::RnsMontgomery,
    program::{Assembled, Program, Schedule, Setting, Timing},
};
use num_bigint::BigUint;
use testing::{Random, big, boxed};

use super::{
    ENDOMORPHISM, assemble,
    curves::{Tiny, is_prime, program as weierstrass},
    field,
    machine::Machine,
    results, results_with,
};

/// The program for halves of so many bits; the order may have one bit fewer than twice as many.
fn program(field: &RnsMontgomery, beta: &BigUint, b: &BigUint, order: &BigUint, bits: u32) -> Assembled {
    let given = |name: &str, value: &BigUint| (name.to_owned(), boxed(value));
    let constants: [(String, BoxedUint); 2] = [given("beta", beta), given("b3", &(b * 3u32))];
    let blinding = 2 * bits - order.bits() as u32;
    let setting = Setting { field, constants: &constants, order: Some(&boxed(order)), blinding };
    Assembled::new(Program::parse_with_checks(ENDOMORPHISM).unwrap(), &setting).unwrap()
}

/// The numbers x < n with x² + x + 1 ≡ 0.
fn roots(n: u64) -> Vec<u64> {
    (0..n).filter(|x| (x * x + x + 1) % n == 0).collect()
}

/// Tests that both halves have `bits` bits and are halves of k, and returns them in one number.
fn split(endomorphism: &Endomorphism, k: &BigUint, random: [&BigUint; 2], bits: u32) -> BigUint {
    let [s1, s2] = random.map(boxed);
    let halves = big(&endomorphism.split(&boxed(k), [&s1, &s2], bits).unwrap());
    let (n, lambda) = (big(endomorphism.order()), big(endomorphism.lambda()));
    let (first, second) = (&halves >> bits, &halves % (BigUint::from(1u32) << bits));
    assert_eq!((first.bits(), second.bits()), (bits.into(), bits.into()), "{k} {random:?}");
    assert_eq!((first + second * lambda) % &n, k % &n, "{k} {random:?}");
    halves
}

/// Every scalar with every pair of random numbers, with one of the two endomorphisms.
#[test]
fn every_scalar_of_a_tiny_curve() {
    check_scalars(1);
}

#[test]
#[ignore = "some seconds"]
fn every_scalar_of_a_tiny_curve_with_both_endomorphisms() {
    check_scalars(2);
}

fn check_scalars(endomorphisms: usize) {
    let p = 1021u64;
    let mut curves = 0;
    for curve in (1..40).map(|b| Tiny { p, a: 0, b }) {
        let points = curve.points();
        let n = points.len() as u64 + 1;
        if !is_prime(n) || n == p || curves == 1 {
            continue;
        }
        curves += 1;
        let bits = (64 - n.leading_zeros()) - 2;
        let point = points[curves * 7];
        let times = |k: u64| (0..k).fold(None, |sum, _| curve.add(sum, Some(point)));
        for lambda in roots(n).into_iter().take(endomorphisms) {
            let image = times(lambda).unwrap();
            let beta = roots(p).into_iter().find(|beta| (beta * point.0 % p, point.1) == image).unwrap();
            let [p, beta, b, order] = [p, beta, curve.b, n].map(BigUint::from);
            let program = program(&field(&p, 2, 17), &beta, &b, &order, bits);
            let [order, lambda] = [n, lambda].map(|value| boxed(&BigUint::from(value)));
            let endomorphism = Endomorphism::new(&order, &lambda).unwrap();
            let random_bits = endomorphism.random_bits(bits).unwrap();
            assert!(random_bits >= 1);
            let mut multiple = None;
            for k in 0..n {
                let expected = multiple.map_or([0, 0], |(x, y)| [x, y]).map(BigUint::from);
                for pair in 0..1u64 << (2 * random_bits) {
                    let s = [pair >> random_bits, pair % (1 << random_bits)].map(BigUint::from);
                    let operand = split(&endomorphism, &BigUint::from(k), s.each_ref(), bits);
                    let [x, y] = [point.0, point.1].map(BigUint::from);
                    let number = BigUint::from(1 + (k + 3 * pair) % 1020);
                    let given = results_with(&program, &[&x, &y, &operand], &number);
                    assert_eq!(given, expected, "{k} {pair}");
                }
                multiple = curve.add(multiple, Some(point));
            }
        }
    }
    assert_eq!(curves, 1);
}

/// Edges of scalars and random ones, with random numbers and those of zeros and ones; cycles; what a core's
/// words make of it.
#[test]
fn halves_of_scalars_of_secp256k1() {
    let mut random = Random(43);
    let curve = Curve::named("secp256k1").unwrap();
    let [p, b, n] = [curve.prime().unwrap(), curve.b(), curve.order()].map(|value| big(&value));
    let field = field(&p, 8, 33);
    let (beta, endomorphism) = curve.endomorphism().unwrap().unwrap();
    assert_eq!(endomorphism.random_bits(162), Some(32));
    let plain = weierstrass(&field, &BigUint::ZERO, &b, &n, 0).unwrap();
    let halves = program(&field, &big(&beta), &b, &n, 162);
    let one = BigUint::from(1u32);
    let x = one.clone();
    let y = (&x + &b).modpow(&((&p + 1u32) >> 2), &p);
    let lambda = big(endomorphism.lambda());
    let edges = [BigUint::ZERO, one.clone(), &n - 1u32, lambda.clone(), &n - &lambda];
    for k in edges.into_iter().chain([random.below(255), random.below(255)]) {
        let expected = results(&plain, &[&x, &y, &k]);
        let most: BigUint = (&one << 32) - 1u32;
        for s in [[BigUint::ZERO, most.clone()], [most, BigUint::ZERO], [(); 2].map(|()| random.below(32))] {
            let operand = split(&endomorphism, &k, s.each_ref(), 162);
            let number = random.below(200) + 1u32;
            assert_eq!(results_with(&halves, &[&x, &y, &operand], &number), expected, "{k} {s:?}");
        }
    }
    let timing = Timing { channels: 8, chunks: 2, read: 8 };
    let [before, after] = [&plain, &halves].map(|program| Schedule::new(program, timing));
    let (before, cycles) = (before.cycles(), after.cycles());
    assert!(cycles * 4 < before * 5, "{cycles} {before}");
    let operand =
        split(&endomorphism, &random.below(255), [(); 2].map(|()| random.below(32)).each_ref(), 162);
    let expected = results(&halves, &[&x, &y, &operand]);
    let operands = [x.clone(), y.clone(), operand.clone()];
    assert_eq!(Machine::run(&halves, &after, &operands, &random.below(7).max(one)), (expected, cycles));
    // A point that is not on the curve.
    let off = [x, y + 1u32, operand].map(|value| boxed(&value));
    assert!(halves.run(&off, &[boxed(&lambda)], &mut ()).unwrap_err().to_string().contains("check"));
}

#[test]
fn orders_that_do_not_split_are_refused() {
    assert!(Curve::named("P-256").unwrap().endomorphism().unwrap().is_none());
    let (_, endomorphism) = Curve::named("secp256k1").unwrap().endomorphism().unwrap().unwrap();
    let (n, lambda) = (big(endomorphism.order()), big(endomorphism.lambda()));
    let refused =
        |order: &BigUint, lambda: &BigUint| Endomorphism::new(&boxed(order), &boxed(lambda)).is_err();
    assert!(!refused(&n, &lambda) && !refused(&n, &(&n - &lambda - 1u32)));
    assert!(refused(&n, &(&lambda + 1u32)) && refused(&n, &(&lambda + &n)));
    assert!(refused(&BigUint::ZERO, &BigUint::ZERO));
    let bits = |bits: u32| endomorphism.random_bits(bits);
    assert_eq!(
        [bits(129), bits(131), bits(161), bits(254), bits(255)],
        [None, Some(1), Some(31), Some(124), None]
    );
    let one = BigUint::from(1u32);
    let error = |k: &BigUint, s: &BigUint, bits: u32| {
        let s = boxed(s);
        endomorphism.split(&boxed(k), [&s, &s], bits).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(error(&one, &one, 131), Ok(()));
    assert!(error(&one, &(&one + 1u32), 131).unwrap_err().contains("must have at most 1 bits"));
    assert!(error(&n, &one, 131).unwrap_err().contains("must be below the order"));
    assert!(error(&one, &one, 129).unwrap_err().contains("wrong number of bits"));
}

/// Of 7 bits, 4 are above the lower half.
#[test]
fn loops_over_the_upper_and_the_lower_half() {
    let text = "x = load\nscalar = load\none = constant 1\nu = one\nv = one\nloop but half\nu = u * x\nend\nloop\nv = v * x\nend\nstore u\nstore v";
    let program = assemble(text, &field(&BigUint::from(127u32), 2, 17)).unwrap();
    let [x, k] = [3u32, 5].map(BigUint::from);
    assert_eq!(results(&program, &[&x, &k]), [81u32, 27].map(BigUint::from));
    let schedule = Schedule::new(&program, Timing { channels: 2, chunks: 1, read: 8 });
    assert_eq!(
        Machine::run(&program, &schedule, &[x, k], &BigUint::from(1u32)).0,
        [81u32, 27].map(BigUint::from)
    );
}
