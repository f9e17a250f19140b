//! Compares batches of powers, side by side if the kernel has lanes, with single powers.

use crypto_bigint::BoxedUint;
use moduli::{Error, FixedBase, KernelChoice, Method, Modulus, SignedExponent};
use moduli_kernel::Arithmetic;
use num_bigint::BigUint;

use testing::{Random, all, big, boxed};

fn kernels() -> impl Iterator<Item = KernelChoice> {
    KernelChoice::ALL.iter().copied().filter(|choice| choice.is_supported())
}

#[test]
fn batches_are_powers() {
    let mut random = Random(8);
    for (bits, exponent_bits) in [(5, 9), (256, 256), (411, 64), (1024, 160), (2048, 96)] {
        for p in random.moduli(bits) {
            for choice in kernels() {
                let modulus = Modulus::with_kernel(&boxed(&p), choice).unwrap();
                for count in [0, 1, 2, 8, 9, 21] {
                    let bases: Vec<_> = (0..count).map(|i| random.modulo(&(&p << (i % 3)))).collect();
                    let limit = BigUint::from(1u32) << exponent_bits;
                    let exponents: Vec<_> = (0..count)
                        .map(|i| match i {
                            0 => BigUint::ZERO,
                            1 => &limit - 1u32,
                            2 => BigUint::from(1u32),
                            // Exponents of different declared lengths.
                            _ => random.modulo(&limit) >> (i * exponent_bits / 40),
                        })
                        .collect();
                    let (boxed_bases, boxed_exponents): (Vec<_>, Vec<_>) =
                        bases.iter().zip(&exponents).map(|(x, e)| (boxed(x), boxed(e))).unzip();
                    let powers = all(modulus.pow_batch(boxed_bases.iter().zip(&boxed_exponents)));
                    assert_eq!(powers.len(), count);
                    for ((power, x), e) in powers.iter().zip(&bases).zip(&exponents) {
                        assert_eq!(big(power), x.modpow(e, &p), "{choice:?}: {x:x}^{e:x} mod {p:x}");
                    }
                }
            }
        }
    }
}

#[test]
fn signed_exponents_and_failures_are_those_of_single_powers() {
    let p = Modulus::new(&BoxedUint::from(1_000_001u64)).unwrap(); // 101·9901
    let bases: Vec<_> = (2..40u64).map(BoxedUint::from).collect();
    let e = BoxedUint::from(12_345u64);
    let powers = all(p.pow_batch(bases.iter().map(|x| (x, SignedExponent::new(true, &e)))));
    for (power, x) in powers.iter().zip(&bases) {
        assert_eq!(*power, p.pow_signed(x, SignedExponent::new(true, &e)).unwrap());
    }
    let bases: Vec<_> = (90..140u64).map(BoxedUint::from).collect();
    // The multiples of 101 fail, each at its index, and no others do.
    let powers = p.pow_batch(bases.iter().map(|x| (x, SignedExponent::new(true, &e))));
    for (power, x) in powers.iter().zip(&bases) {
        assert_eq!(*power, p.pow_signed(x, SignedExponent::new(true, &e)));
    }
    assert!(matches!(powers[11], Err(Error::NotInvertible { .. })) && powers.iter().flatten().count() == 49);
}

const METHODS: [(&str, u32); 8] = [
    ("comb:1,1", 1),
    ("comb:5,3", 1),
    ("comb:4,3,2", 1),
    ("radix:16", 1),
    ("radix:91", 1),
    // These methods do not run side by side.
    ("comb:4,2", 2),
    ("residue-digits:11,8", 1),
    ("m0m1:11,8", 1),
];

#[test]
fn batches_over_a_table_are_powers() {
    check_batches(&[(5, 9), (411, 64), (1024, 70)]);
}

#[test]
#[ignore = "some seconds"]
fn longer_batches_over_a_table_are_powers() {
    check_batches(&[(1024, 160), (2048, 70)]);
}

/// Moduli and exponents of these lengths.
fn check_batches(lengths: &[(u32, u32)]) {
    assert_eq!(Method::missing_in(METHODS.iter().map(|&(method, _)| method)), []);
    let mut random = Random(9);
    // One thread processes several rows of lanes together.
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    for &(bits, exponent_bits) in lengths {
        for p in random.moduli(bits).into_iter().skip(2) {
            for choice in kernels() {
                let modulus = Modulus::with_kernel(&boxed(&p), choice).unwrap();
                // 2 is invertible.
                let two = BoxedUint::from(2u32);
                let base = FixedBase::builder(&modulus, &two).exponent_bits(exponent_bits);
                for (method, split) in METHODS {
                    if split > modulus.max_split() {
                        continue;
                    }
                    let table = base.clone().method(method.parse().unwrap()).split(split).build().unwrap();
                    for count in [0, 1, 7, 8, 21, if bits < 1000 { 94 } else { 31 }] {
                        let limit = BigUint::from(1u32) << exponent_bits;
                        let exponents: Vec<_> = (0..count)
                            .map(|i| match i {
                                0 => BoxedUint::zero_with_precision(exponent_bits),
                                1 => boxed(&(&limit - 1u32)),
                                2 => BoxedUint::one(),
                                _ => boxed(&(random.modulo(&limit) >> (i % 5 * 3))),
                            })
                            .collect();
                        let what = format!("{choice:?}, {method} split {split}, {count} modulo {p:x}");
                        let single: Vec<_> = exponents.iter().map(|e| table.pow(e).unwrap()).collect();
                        for (power, e) in single.iter().zip(&exponents) {
                            assert_eq!(big(power), BigUint::from(2u32).modpow(&big(e), &p), "{what}");
                        }
                        assert_eq!(all(table.pow_batch(&exponents)), single, "{what}");
                        assert_eq!(all(table.pow_batch_vartime(&exponents)), single, "{what}, public");
                        let powers = alone.install(|| {
                            [table.pow_batch(&exponents), table.pow_batch_vartime(&exponents)].map(all)
                        });
                        assert_eq!(powers, [single.clone(), single], "{what}, one thread");
                        // Some exponents with signs.
                        let signed = || {
                            exponents.iter().enumerate().map(|(i, e)| match i % 3 {
                                0 => SignedExponent::new(true, e),
                                1 => SignedExponent::new(false, e),
                                _ => SignedExponent::from(e),
                            })
                        };
                        let single: Vec<_> = signed().map(|e| table.pow(e).unwrap()).collect();
                        assert_eq!(all(table.pow_batch(signed())), single, "{what}, signed");
                        assert_eq!(all(table.pow_batch_vartime(signed())), single, "{what}, signed, public");
                    }
                    let too_long = BoxedUint::one_with_precision(exponent_bits + 1).shl(exponent_bits);
                    for (count, wrong) in [(9, 6), (70, 41)] {
                        let mut exponents = vec![BoxedUint::one(); count];
                        exponents[wrong] = too_long.clone();
                        let powers = || [table.pow_batch(&exponents), table.pow_batch_vartime(&exponents)];
                        for powers in powers().into_iter().chain(alone.install(powers)) {
                            let failed = matches!(powers[wrong], Err(Error::ExponentTooLong { .. }));
                            assert!(failed, "{method}: {powers:?}");
                            assert!(powers.iter().flatten().count() == count - 1);
                            let one = table.pow(&exponents[0]).unwrap();
                            assert!(powers.iter().flatten().all(|power| *power == one));
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn groups_over_a_table_look_up_side_by_side() {
    let p = BigUint::from(1u32) << 512;
    for choice in kernels() {
        let (modulus, trace) = Modulus::with_kernel(&boxed(&(&p - 569u32)), choice).unwrap().traced();
        let arithmetic = Arithmetic::new(modulus.value().as_ref().as_words(), choice).unwrap();
        let Some(enough) = arithmetic.enough_for_lanes() else { continue };
        let two = BoxedUint::from(2u32);
        let base = FixedBase::builder(&modulus, &two).exponent_bits(160);
        let exponents: Vec<_> = (1..=2 * modulus.lanes() as u64).map(BoxedUint::from).collect();
        for (method, split) in METHODS {
            let table = base.clone().method(method.parse().unwrap()).split(split).build().unwrap();
            let in_residues = ["residue-digits:", "m0m1:"].iter().any(|name| method.starts_with(name));
            let side_by_side = split == 1 && !in_residues;
            // Groups need more than half of the lanes. The rest after a full group may or may not
            // be large enough for one.
            let full = modulus.lanes();
            for count in [1, full / 2 + 1, full, full + enough - 1, full + enough] {
                trace.take();
                let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
                let powers = alone.install(|| table.pow_batch(&exponents[..count]));
                assert!(powers.iter().all(Result::is_ok));
                let steps = trace.take();
                let count_of = |name| steps.iter().filter(|step| step.operation() == name).count();
                let groups = exponents[..count].chunks(if 2 * count > full { full } else { 1 });
                let (many, few): (Vec<_>, Vec<_>) =
                    groups.partition(|group| side_by_side && group.len() >= enough);
                let alone = table.pow_with_counts(&exponents[0]).unwrap().1;
                let what = format!("{choice:?}, {method} split {split}, {count}");
                assert_eq!(count_of("mul_lanes"), many.len() * alone.products as usize, "{what}");
                assert_eq!(count_of("select") == 0, few.is_empty(), "{what}");
            }
        }
    }
}
