//! Compares fixed-base exponentiation at the sizes in use, with all methods and several splits,
//! with num-bigint.

use crypto_bigint::BoxedUint;
use moduli::{
    Error, FixedBase, KernelChoice, Method, Modulus, SignedExponent, error::ParameterError, groups::Group,
};
use num_bigint::BigUint;
use rayon::prelude::*;
use testing::{Random, big, boxed, extremes, ones};

/// Methods and splits for a size. The splits need not divide the number of limbs.
const ALL: &[(&str, u32)] = &[
    ("radix:16", 1),
    ("radix:91", 3),
    ("comb:1,1", 1),
    ("comb:6,1", 8),
    ("comb:7,3", 1),
    ("comb:5,4,2", 2),
    ("m0m1:11,9", 1),
    ("m0m1:31,7", 1),
    ("residue-digits:11,8", 1),
    ("residue-digits:13,12", 5),
];

/// For sizes at which a table takes long to build.
const FEW: &[(&str, u32)] = &[
    ("radix:16", 8),
    ("comb:6,2", 1),
    ("comb:5,4,2", 7),
    ("m0m1:11,9", 1),
    ("residue-digits:11,8", 1),
    ("residue-digits:11,8", 4),
];

/// The parameters of a test of the powers of one base modulo one number.
struct Suite<'a> {
    modulus: &'a BigUint,
    base: BigUint,
    exponent_bits: u32,
    methods: &'a [(&'a str, u32)],
    random_exponents: usize,
    extremes: bool,
    /// Whether the base has an inverse, as nearly all bases here do.
    invertible: bool,
}

impl Suite<'_> {
    fn run(&self, random: &mut Random) {
        let p = Modulus::new(&boxed(self.modulus)).unwrap();
        let mut exponents = if self.extremes { extremes(self.exponent_bits) } else { Vec::new() };
        exponents.extend((0..self.random_exponents).map(|_| random.below(self.exponent_bits)));
        let expected: Vec<_> = exponents.par_iter().map(|k| self.base.modpow(k, self.modulus)).collect();
        self.methods.par_iter().for_each(|&(method, split)| {
            let g = boxed(&self.base);
            let table = FixedBase::builder(&p, &g)
                .exponent_bits(self.exponent_bits)
                .method(method.parse().unwrap())
                .split(split.min(p.max_split()));
            if !self.invertible && table.clone().build().is_err() {
                assert!(method.starts_with("m0m1") || method.starts_with("residue-digits"), "{method}");
                return;
            }
            let table = table.build().unwrap();
            for (i, (k, expected)) in exponents.iter().zip(&expected).enumerate() {
                let what = || format!("{method} split {split}, {} bits, {k}", self.modulus.bits());
                let k = boxed(k);
                assert_eq!(big(&table.pow(&k).unwrap()), *expected, "{}", what());
                assert_eq!(big(&table.pow_vartime(&k).unwrap()), *expected, "{}", what());
                // For every other exponent, its negative gives the inverse.
                if self.invertible && i % 2 == 0 {
                    let negative = SignedExponent::new(true, &k);
                    let inverse = table.pow(negative).unwrap();
                    assert_eq!(big(&inverse) * expected % self.modulus, BigUint::from(1u32), "{}", what());
                    assert_eq!(table.pow_vartime(negative).unwrap(), inverse, "{}", what());
                }
            }
        });
    }
}

/// Moduli of n bits: random with the top bit set, random one bit shorter, all ones.
fn moduli(random: &mut Random, bits: u32) -> [BigUint; 3] {
    [random.odd(bits), random.odd(bits - 1), ones(bits.next_multiple_of(64))]
}

/// A base that is coprime to the modulus.
fn base(random: &mut Random, modulus: &BigUint) -> BigUint {
    loop {
        let base = random.below(modulus.bits() as u32) % modulus;
        if base.modinv(modulus).is_some() {
            return base;
        }
    }
}

fn at(bits: u32, exponent_bits: u32, methods: &[(&str, u32)], random_exponents: usize) {
    let mut random = Random(u64::from(bits) << 16 | u64::from(exponent_bits));
    for modulus in &moduli(&mut random, bits) {
        let base = base(&mut random, modulus);
        let suite = Suite {
            modulus,
            base,
            exponent_bits,
            methods,
            random_exponents,
            extremes: bits <= 4096,
            invertible: true,
        };
        suite.run(&mut random);
    }
}

#[test]
fn signature_sizes() {
    for list in [ALL, FEW] {
        assert_eq!(Method::missing_in(list.iter().map(|&(method, _)| method)), []);
    }
    at(1024, 160, ALL, 4);
    at(2048, 224, ALL, 2);
    at(3072, 256, ALL, 1);
    at(4096, 256, FEW, 1);
}

#[test]
fn the_largest_sizes() {
    at(7680, 384, &FEW[1..], 1);
    at(15360, 512, &[FEW[2], FEW[4]], 1);
}

#[test]
#[ignore = "minutes: make test-long"]
fn every_method_at_every_size() {
    for (bits, exponent_bits) in
        [(1024, 160), (2048, 224), (3072, 256), (4096, 256), (7680, 384), (15360, 512)]
    {
        at(bits, exponent_bits, ALL, 6);
    }
}

/// Paillier's N and N²: the order is unknown, and exponents are longer than those of signatures.
fn paillier(methods: &[(&str, u32)], exponents: &[u32]) {
    let mut random = Random(77);
    let n = random.odd(768) * random.odd(768);
    for modulus in [&n, &(&n * &n)] {
        for &exponent_bits in exponents {
            let base = base(&mut random, modulus);
            let suite = Suite {
                modulus,
                base,
                exponent_bits,
                methods,
                random_exponents: 2,
                extremes: false,
                invertible: true,
            };
            suite.run(&mut random);
        }
    }
}

#[test]
fn composite_moduli_and_long_exponents() {
    paillier(&[FEW[2], FEW[3], FEW[5]], &[2022]);
    paillier(&[FEW[1]], &[3558, 4096]);
}

#[test]
#[ignore = "a minute: make test-long"]
fn every_method_with_composite_moduli_and_long_exponents() {
    paillier(ALL, &[2022, 3558, 4096]);
}

#[test]
fn a_base_without_inverse_is_accepted_by_radix_and_comb() {
    let mut random = Random(5);
    let factor = random.odd(512);
    let modulus = &factor * random.odd(512);
    let base = factor * random.below(100) % &modulus;
    let suite = Suite {
        modulus: &modulus,
        base,
        exponent_bits: 160,
        methods: ALL,
        random_exponents: 3,
        extremes: true,
        invertible: false,
    };
    suite.run(&mut random);
}

#[test]
fn a_base_above_the_modulus_is_reduced() {
    let mut random = Random(6);
    let modulus = random.odd(1024);
    for excess in [BigUint::ZERO, random.odd(1024), random.odd(2048)] {
        let base = &modulus * &excess + 5u32;
        let suite = Suite {
            modulus: &modulus,
            base,
            exponent_bits: 160,
            methods: &FEW[..4],
            random_exponents: 2,
            extremes: false,
            invertible: true,
        };
        suite.run(&mut random);
    }
    let p = Modulus::new(&boxed(&modulus)).unwrap();
    let multiple = boxed(&(&modulus * 3u32));
    assert!(FixedBase::builder(&p, &multiple).method("comb:2,1".parse().unwrap()).build().is_err());
}

/// 2 has the order 2203 modulo 2^2203 − 1.
#[test]
fn longer_exponents_are_reduced_by_a_known_order() {
    let modulus = ones(2203);
    let (p, order) = (Modulus::new(&boxed(&modulus)).unwrap(), BoxedUint::from(2203u64));
    let mut random = Random(7);
    for &(method, split) in ALL {
        let g = BoxedUint::from(2u64);
        let table = FixedBase::builder(&p, &g)
            .exponent_bits(12)
            .method(method.parse().unwrap())
            .split(split.min(p.max_split()))
            .order(&order)
            .build()
            .unwrap();
        let mut exponents: Vec<BigUint> =
            [0u32, 1, 2202, 2203, 2204, 4095, 4096, 4405, 4406].map(Into::into).into();
        exponents.extend([
            random.below(64),
            random.below(300),
            random.below(5000),
            ones(2203),
            ones(2203) - 1u32,
        ]);
        for k in &exponents {
            let expected = BigUint::from(1u32) << (k % 2203u32).to_u64_digits().first().copied().unwrap_or(0);
            let k = boxed(k);
            assert_eq!(big(&table.pow(&k).unwrap()), expected, "{method} {k}");
            assert_eq!(big(&table.pow_vartime(&k).unwrap()), expected, "{method} {k}");
            let inverse = table.pow(SignedExponent::new(true, &k)).unwrap();
            assert_eq!(big(&inverse) * expected % &modulus, BigUint::from(1u32), "{method} -{k}");
        }
    }
    let g = BoxedUint::from(2u64);
    let builder = FixedBase::builder(&p, &g).exponent_bits(12).method("comb:3,2".parse().unwrap());
    for wrong in [0u64, 2202, 4097, 2203 * 2] {
        assert!(builder.clone().order(&BoxedUint::from(wrong)).build().is_err(), "{wrong}");
    }
}

/// Generators of prime order q: exponents near q, and longer ones that are reduced modulo q.
#[test]
fn named_groups_at_the_edges_of_their_order() {
    let mut random = Random(8);
    for (name, methods) in [("dsa-3072-256", ALL), ("electionguard-v2.1", FEW)] {
        let group = Group::named(name).unwrap();
        let (modulus, q, g) = (big(group.modulus()), big(group.order()), big(group.generator()));
        let p = Modulus::new(group.modulus()).unwrap();
        let one = BigUint::from(1u32);
        let mut exponents =
            vec![&q - &one, q.clone(), &q + &one, &q * 2u32, ones(q.bits() as u32), ones(512)];
        exponents.push(random.below(300));
        let expected: Vec<_> = exponents.par_iter().map(|k| g.modpow(&(k % &q), &modulus)).collect();
        methods.par_iter().for_each(|&(method, split)| {
            let table = FixedBase::builder(&p, group.generator())
                .exponent_bits(q.bits() as u32)
                .method(method.parse().unwrap())
                .split(split.min(p.max_split()))
                .order(group.order())
                .build()
                .unwrap();
            for (k, expected) in exponents.iter().zip(&expected) {
                assert_eq!(
                    big(&table.pow(&boxed(k)).unwrap()),
                    *expected,
                    "{name} {method} split {split}, {k}"
                );
                assert_eq!(big(&table.pow_vartime(&boxed(k)).unwrap()), *expected, "{name} {method} {k}");
            }
        });
    }
}

/// 2^49 bytes: no machine has as much memory, and the library must not abort.
#[test]
fn a_table_beyond_all_memory_is_an_error() {
    let value = BoxedUint::one_with_precision(8192).wrapping_neg();
    let p = Modulus::with_kernel(&value, KernelChoice::PORTABLE).unwrap();
    let base = BoxedUint::from(3u64);
    let method = Method::Comb { teeth: 24, tables: 256, short_tables: 0 };
    let builder = FixedBase::builder(&p, &base).exponent_bits(24 * 256).method(method).split(128);
    assert!(matches!(builder.build(), Err(Error::Parameter(ParameterError { name: "table", .. }))));
}

/// Exponents with every length of the top limb. The complement of a negative one must be 0 above
/// its length.
#[test]
fn exponents_of_every_length() {
    for exponent_bits in 1..=130 {
        at(
            64,
            exponent_bits,
            &[("radix:7", 1), ("radix:8", 1), ("comb:3,1", 1), ("m0m1:11,9", 1), ("residue-digits:11,8", 1)],
            1,
        );
    }
}
