//! Compares `Modulus::invert_batch` with num-bigint.

use crypto_bigint::BoxedUint;
use moduli::{Error, KernelChoice, Modulus};
use moduli_kernel::internals::{PORTABLE4, PORTABLE8};
use num_bigint::BigUint;
use testing::{Random, big, boxed, ones};

/// Checks every result at its index: the inverse, or an error if there is a common factor.
#[track_caller]
fn check(p: &Modulus, values: &[BigUint]) {
    let modulus = big(p.value());
    let boxed: Vec<BoxedUint> = values.iter().map(boxed).collect();
    let results = p.invert_batch(&boxed);
    assert_eq!(results.len(), values.len());
    for (index, (result, value)) in results.iter().zip(values).enumerate() {
        let place = format!("index {index} of {}", values.len());
        match result {
            Ok(inverse) => {
                let inverse = big(inverse);
                assert!(inverse < modulus, "{place}");
                assert_eq!(inverse * value % &modulus, BigUint::from(1u32), "{place}");
            }
            Err(error) => {
                assert_eq!(*error, Error::NotInvertible { gcd: None }, "{place}");
                assert!(gcd(value, &modulus) != BigUint::from(1u32), "{place}");
            }
        }
    }
}

fn gcd(a: &BigUint, b: &BigUint) -> BigUint {
    if *b == BigUint::ZERO { a.clone() } else { gcd(b, &(a % b)) }
}

/// 15 times a Mersenne prime.
fn modulus_with_factors(bits: u32) -> BigUint {
    ones(bits) * 15u32
}

/// Random values below the modulus. Exactly those at the `bad` indices are multiples of one of its
/// factors.
fn values(modulus: &BigUint, factor: u32, bad: &[usize], count: usize, random: &mut Random) -> Vec<BigUint> {
    let bits = modulus.bits() as u32;
    (0..count)
        .map(|index| {
            let x = random.below(bits - 4) * 15u32;
            if bad.contains(&index) { x * factor + factor } else { x + 1u32 + random.word() % 2 }
        })
        .collect()
}

const KERNELS: [KernelChoice; 4] = [KernelChoice::DETECT, KernelChoice::PORTABLE, PORTABLE8, PORTABLE4];

#[test]
fn lengths_and_bad_elements() {
    for choice in KERNELS {
        for bits in [7, 61, 521] {
            let mut random = Random(u64::from(bits));
            let modulus = modulus_with_factors(bits);
            let p = Modulus::with_kernel(&boxed(&modulus), choice).unwrap();
            check(&p, &[]);
            for count in [1usize, 2, 3, 5, 8, 17, 100] {
                let mut patterns =
                    vec![vec![], vec![0], vec![count - 1], vec![count / 2], (0..count).collect()];
                patterns.push((0..count).step_by(2).collect());
                patterns.push((0..count).filter(|_| random.word().is_multiple_of(10)).collect());
                for bad in patterns {
                    check(&p, &values(&modulus, 3, &bad, count, &mut random));
                    check(&p, &values(&modulus, 5, &bad, count, &mut random));
                }
            }
        }
    }
}

/// Values that are each invertible, values that are not, zeros, and values above the modulus.
#[test]
fn odd_values() {
    for choice in KERNELS {
        let p = Modulus::with_kernel(&BoxedUint::from(105u64), choice).unwrap();
        let all: Vec<BigUint> = (0u32..500).map(BigUint::from).collect();
        check(&p, &all);
        check(&p, &[3u32, 5, 7, 2].map(BigUint::from));
        check(&p, &[BigUint::ZERO, BigUint::from(1u32), BigUint::from(104u32), BigUint::from(1u32) << 300]);
        check(&p, &vec![BigUint::ZERO; 70]);
    }
}

#[test]
fn every_pair_modulo_every_odd_number_below_64() {
    for modulus in (3u32..64).step_by(2) {
        let p = Modulus::new(&BoxedUint::from(modulus)).unwrap();
        for x in 0..modulus {
            for y in 0..modulus {
                check(&p, &[x, y].map(BigUint::from));
            }
        }
    }
}

/// More values than share an inversion, at a length where the detected kernel is the one for real
/// moduli.
#[test]
fn long_batches() {
    let mut random = Random(9);
    let modulus = modulus_with_factors(1279);
    let p = Modulus::new(&boxed(&modulus)).unwrap();
    for bad in [&[][..], &[0, 7, 1023, 1024, 1025, 2499]] {
        check(&p, &values(&modulus, 3, bad, 2500, &mut random));
    }
}

#[test]
fn sizes() {
    let mut random = Random(10);
    for limbs in (1..=64).chain([100, 130]) {
        for bits in [64 * limbs, 64 * limbs - 1, 64 * limbs - 50] {
            let modulus = random.odd(bits);
            let p = Modulus::new(&boxed(&modulus)).unwrap();
            let mut values: Vec<BigUint> = (0..6).map(|_| random.below(bits)).collect();
            values.extend([&modulus - 1u32, BigUint::from(1u32), (BigUint::from(1u32) << bits) - 1u32]);
            check(&p, &values);
        }
    }
}

/// Counts stored products, one for each inversion tried, and stored inverses.
#[test]
fn bad_elements_cost_a_logarithm_each() {
    let mut random = Random(11);
    let modulus = modulus_with_factors(61);
    let (p, trace) = Modulus::new(&boxed(&modulus)).unwrap().traced();
    let count = 1000;
    let tried = |bad: &[usize], random: &mut Random| {
        let values = values(&modulus, 3, bad, count, random);
        let boxed: Vec<BoxedUint> = values.iter().map(boxed).collect();
        // On one thread, so that all share an inversion.
        let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        alone.install(|| p.invert_batch(&boxed));
        let steps = trace.take();
        steps.iter().filter(|step| step.operation() == "store").count() - (count - bad.len())
    };
    assert_eq!(tried(&[], &mut random), 1);
    for bad in [&[0][..], &[999], &[500, 501], &[3, 77, 500, 998]] {
        let most = 1 + 2 * 10 * bad.len();
        assert!((2..=most).contains(&tried(bad, &mut random)), "{bad:?}");
    }
    assert_eq!(tried(&(0..count).collect::<Vec<_>>(), &mut random), 2 * count - 1);
}
