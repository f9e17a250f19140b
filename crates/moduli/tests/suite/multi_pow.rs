//! Products of powers of variable bases: `Modulus::multi_pow` and `multi_pow_vartime`.

use crypto_bigint::{BoxedUint, Resize};
use moduli::{Error, Exponent, KernelChoice, Modulus, SignedExponent};
use moduli_kernel::internals::PORTABLE4;
use num_bigint::BigUint;
use rayon::prelude::*;

use testing::{Random, big, boxed, ones};

fn kernels() -> impl Iterator<Item = KernelChoice> {
    KernelChoice::ALL.iter().copied().filter(|choice| choice.is_supported())
}

/// Moduli of exactly this length: all ones, the top bit and 1, a random one.
fn moduli(bits: u32, random: &mut Random) -> [BigUint; 3] {
    [ones(bits), (BigUint::from(1u32) << (bits - 1)) + 1u32, random.odd(bits)]
}

/// Extreme bases first, then random ones; exponents of different lengths, including 0, 1 and all
/// ones.
fn pairs(p: &BigUint, bits: u32, count: usize, random: &mut Random) -> Vec<(BigUint, BigUint)> {
    let edges = [BigUint::ZERO, BigUint::from(1u32), p - 1u32, p + 5u32];
    let pair = |i: usize| {
        let base = match i % 11 {
            // No 0 later on: it makes the product 0, which hides all other factors.
            10 if i > 30 => edges[i % 3 + 1].clone(),
            _ => random.below(p.bits() as u32 + 40) + 1u32,
        };
        let e = match i % 9 {
            3 => ones(bits),
            4 => BigUint::ZERO,
            5 => BigUint::from(1u32),
            6 => random.below(bits) >> (random.word() as u32 % bits),
            _ => random.below(bits),
        };
        (base, e)
    };
    (0..count).map(pair).collect()
}

fn expected(p: &BigUint, pairs: &[(BigUint, BigUint)]) -> BigUint {
    pairs.iter().fold(BigUint::from(1u32) % p, |product, (x, e)| product * x.modpow(e, p) % p)
}

#[test]
fn products_of_powers_agree() {
    let cases: Vec<(u32, u32)> = vec![
        (2, 5),
        (64, 64),
        (128, 70),
        (192, 256),
        (512, 160),
        (1024, 65),
        (1536, 40),
        (2048, 33),
        (3072, 256),
    ];
    cases.into_par_iter().for_each(|(bits, exponent_bits)| {
        let mut random = Random(u64::from(bits));
        for p in moduli(bits, &mut random) {
            for choice in kernels() {
                let modulus = Modulus::with_kernel(&boxed(&p), choice).unwrap();
                let counts: &[usize] = if bits > 1024 { &[0, 1, 2, 9, 33] } else { &[0, 1, 2, 7, 8, 9, 33] };
                for &count in counts {
                    let pairs = pairs(&p, exponent_bits, count, &mut random);
                    check(&modulus, &p, exponent_bits, &pairs);
                }
            }
        }
    });
}

/// With the precision of the numbers, and with a declared one.
fn check(modulus: &Modulus, p: &BigUint, bits: u32, pairs: &[(BigUint, BigUint)]) {
    let what = format!("{}, {} pairs modulo {p:x}", modulus.kernel_name(), pairs.len());
    let numbers: Vec<_> = pairs.iter().map(|(x, e)| (boxed(x), boxed(e))).collect();
    let expected = expected(p, pairs);
    let all = || numbers.iter().map(|(x, e)| (x, e));
    assert_eq!(big(&modulus.multi_pow(all()).unwrap()), expected, "{what}");
    assert_eq!(big(&modulus.multi_pow_vartime(all()).unwrap()), expected, "{what}, public");
    let declared = numbers.iter().map(|(x, e)| (x, Exponent::from(e).with_bits(bits).unwrap()));
    assert_eq!(big(&modulus.multi_pow(declared).unwrap()), expected, "{what}, declared");
}

#[test]
fn many_bases_agree() {
    [(64, 128, 300), (64, 40, 1000), (521, 100, 300), (1024, 160, 1000)].into_par_iter().for_each(
        |(bits, exponent_bits, count)| {
            let mut random = Random(u64::from(bits) + 1);
            for p in moduli(bits, &mut random) {
                let modulus = Modulus::new(&boxed(&p)).unwrap();
                let mut pairs = pairs(&p, exponent_bits, count, &mut random);
                check(&modulus, &p, exponent_bits, &pairs);
                // One exponent that is longer than all others.
                pairs[count / 2].1 = random.below(3 * exponent_bits);
                check(&modulus, &p, 3 * exponent_bits, &pairs);
            }
        },
    );
}

/// A base of 0 makes the product 0, unless its exponent is 0.
#[test]
fn zero_to_the_power_of_zero_is_one() {
    for n in [3u64, 1155, u64::MAX] {
        let p = Modulus::new(&BoxedUint::from(n)).unwrap();
        for count in [1, 2, 9, 40] {
            for (e, expected) in [(0u64, 2u64.pow(count as u32 - 1) % n), (1, 0), (77, 0)] {
                let zero = (BoxedUint::from(n), BoxedUint::from(e));
                let others = (1..count).map(|_| (BoxedUint::from(2u64), BoxedUint::one()));
                let pairs: Vec<_> = others.chain([zero]).collect();
                let pairs = || pairs.iter().map(|(x, e)| (x, e));
                let expected = BoxedUint::from(expected);
                assert_eq!(p.multi_pow(pairs()).unwrap(), expected, "{n} {count} {e}");
                assert_eq!(p.multi_pow_vartime(pairs()).unwrap(), expected, "{n} {count} {e}");
            }
        }
    }
}

/// Bases modulo a number of nine bits, with every pair of exponents of three bits.
#[test]
fn products_agree_exhaustively_over_a_tiny_modulus() {
    check_tiny_products(15);
}

#[test]
#[ignore = "some seconds"]
fn more_products_agree_over_a_tiny_modulus() {
    check_tiny_products(5);
}

/// Every first base, and one in `every` second bases.
fn check_tiny_products(every: usize) {
    let n = 261u64;
    let p = Modulus::with_kernel(&BoxedUint::from(n), PORTABLE4).unwrap();
    let numbers: Vec<_> = (0..n).map(BoxedUint::from).collect();
    let exponents: Vec<_> = (0..8u64).map(BoxedUint::from).collect();
    let powers: Vec<Vec<u64>> =
        (0..n).map(|x| (0..8).scan(1, |y, _| Some(core::mem::replace(y, *y * x % n))).collect()).collect();
    (0..n as usize).into_par_iter().for_each(|x| {
        for y in (0..n as usize).step_by(every) {
            for a in 0..8 {
                for b in 0..8 {
                    let expected = BoxedUint::from(powers[x][a] * powers[y][b] % n);
                    let pairs = [(&numbers[x], &exponents[a]), (&numbers[y], &exponents[b])];
                    let declared = pairs.map(|(x, e)| (x, Exponent::from(e).with_bits(3).unwrap()));
                    assert_eq!(p.multi_pow(declared).unwrap(), expected, "{x}^{a}·{y}^{b}");
                    assert_eq!(p.multi_pow_vartime(pairs).unwrap(), expected, "{x}^{a}·{y}^{b}");
                }
            }
        }
    });
}

#[test]
fn signs_are_those_of_single_powers() {
    let mut random = Random(5);
    for bits in [64, 1024] {
        let n = random.odd(bits);
        let p = Modulus::new(&boxed(&n)).unwrap();
        for count in [1, 2, 9, 50] {
            let mut pairs: Vec<_> = (0..count).map(|_| (random.below(bits), random.below(90))).collect();
            pairs.iter_mut().for_each(|(x, _)| {
                while x.modinv(&n).is_none() {
                    *x += 1u32;
                }
            });
            let expected = pairs.iter().enumerate().fold(BigUint::from(1u32), |product, (i, (x, e))| {
                let x = if i % 3 == 1 { x.modinv(&n).unwrap() } else { x.clone() };
                product * x.modpow(e, &n) % &n
            });
            let numbers: Vec<_> = pairs.iter().map(|(x, e)| (boxed(x), boxed(e).resize(128))).collect();
            let signed = || {
                numbers.iter().enumerate().map(|(i, (x, e))| match i % 3 {
                    0 => (x, SignedExponent::from(e)),
                    i => (x, SignedExponent::new(i == 1, e)),
                })
            };
            assert_eq!(big(&p.multi_pow(signed()).unwrap()), expected, "{count} modulo {n:x}");
            assert_eq!(big(&p.multi_pow_vartime(signed()).unwrap()), expected, "{count} modulo {n:x}");
        }
    }
}

#[test]
fn bases_without_inverse_are_refused() {
    let p = Modulus::new(&BoxedUint::from(1_000_001u64)).unwrap(); // 101·9901
    let [x, y, e, zero] = [202u64, 3, 12_345, 0].map(BoxedUint::from);
    for count in [1, 2, 20] {
        let pairs =
            |last| (1..count).map(|_| (&y, SignedExponent::new(true, &e))).chain([last]).collect::<Vec<_>>();
        for negative in [true, false] {
            let found = p.multi_pow(pairs((&x, SignedExponent::new(negative, &e))));
            assert!(matches!(found, Err(Error::NotInvertible { gcd: None })));
        }
        let found = p.multi_pow_vartime(pairs((&x, SignedExponent::new(true, &e))));
        assert_eq!(found, Err(Error::NotInvertible { gcd: Some("65".into()) }));
        assert!(p.multi_pow_vartime(pairs((&x, SignedExponent::new(false, &e)))).is_ok());
        // The variable-time form ignores the sign of 0.
        assert!(p.multi_pow_vartime(pairs((&x, SignedExponent::new(true, &zero)))).is_ok());
    }
}

#[test]
fn squarings_are_shared() {
    let (p, trace) = Modulus::new(&boxed(&ones(1024))).unwrap().traced();
    let (x, e) = (BoxedUint::from(3u64), boxed(&ones(256)));
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let counts = |count: usize, secret: bool| {
        let pairs = (0..count).map(|_| (&x, &e));
        trace.take();
        alone.install(|| if secret { p.multi_pow(pairs) } else { p.multi_pow_vartime(pairs) }).unwrap();
        let steps = trace.take();
        let count_of = |name| steps.iter().filter(|step| step.operation() == name).count();
        (count_of("square"), count_of("mul"))
    };
    let (single, eight) = (counts(1, true), counts(8, true));
    // A table of 16 powers takes seven squarings; windows of four bits begin at bit 252.
    assert_eq!((single.0, eight.0), (252 + 7, 252 + 7 * 8));
    assert_eq!(eight.1, 8 * (single.1 + 1) - 1);
    let (squarings, products) = counts(8, false);
    assert!(squarings <= 256 + 8 && products < 8 * 70, "{squarings} {products}");
}
