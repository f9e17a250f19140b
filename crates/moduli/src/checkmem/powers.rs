//! Exponentiation with variable and fixed bases.

use alloc::{format, vec::Vec};
use core::hint::black_box;
use crypto_bigint::{BoxedUint, Resize};

use super::*;
use crate::{
    CrtModulus, EvenModulus, Exponent, FixedBase, Method, MultiExponentiation, SignedExponent, groups::Group,
    parallel::threads, power::PowerMethod,
};

#[test]
fn powers_of_a_variable_base() {
    watch(|| {
        for p in moduli() {
            let (x, e) = (number(1, p.bits() - 1), number(2, 160));
            let (secret_x, secret_e, short) = (secret(1, p.bits() - 1), secret(2, 160), secret(3, 159));
            let expected = p.pow_vartime(&x, &e).unwrap();
            let mut methods =
                [false, true].map(|common_operand| PowerMethod::Ladder { common_operand }).to_vec();
            methods.extend(
                [false, true].map(|common_operand| PowerMethod::RightToLeft { window: 3, common_operand }),
            );
            methods.extend([1, p.max_split()].map(|split| PowerMethod::LeftToRight { window: 4, split }));
            for method in methods {
                let what = format!("{} {method}", p.kernel_name());
                let mut power = Ok(BoxedUint::one());
                assert_constant_time(&what, || power = p.pow_with(&secret_x, &secret_e, method));
                assert_power(&what, power, &expected);
            }
            let mut power = Ok(BoxedUint::one());
            assert_constant_time(p.kernel_name(), || power = Ok(p.pow(&secret_x, &secret_e)));
            assert_power(p.kernel_name(), power, &expected);
            // Public: whether the base has an inverse, which a signed exponent requires, and
            // whether the exponent is in range.
            assert_public(1, p.kernel_name(), || {
                let negative = secret_sign(true);
                drop(black_box(p.pow_signed(&secret_x, SignedExponent::new(negative, &secret_e))));
            });
            assert_public(1, p.kernel_name(), || {
                drop(black_box(p.pow(&secret_x, Exponent::from(&short).with_bits(159).unwrap())));
            });
        }
    });
}

#[test]
fn powers_by_the_owner_of_the_factors() {
    watch(|| {
        let [p, q] = [521, 607].map(|bits| BoxedUint::max(bits).shr(BoxedUint::max(bits).bits() - bits));
        for k in [1, 2] {
            let mut owner = CrtModulus::new(&p, &q, k).unwrap();
            owner.secrets().into_iter().for_each(classify);
            let modulus = owner.modulus();
            // Exponents with and without reduction; bases as long as the modulus, and longer ones.
            for (base_bits, bits) in [(modulus.bits() - 1, 100), (modulus.bits() + 200, modulus.bits() + 100)]
            {
                let (x, e) = (number(1, base_bits), number(2, bits));
                let (secret_x, secret_e) = (secret(1, base_bits), secret(2, bits));
                let mut power = Ok(BoxedUint::one());
                // Whether the result is right is public.
                assert_public(1, "by the owner of the factors", || power = owner.pow(&secret_x, &secret_e));
                assert_power("by the owner of the factors", power, &modulus.pow_vartime(&x, &e).unwrap());
                for negative in [false, true] {
                    let signed = SignedExponent::new(secret_sign(negative), &secret_e);
                    let mut power = Ok(BoxedUint::one());
                    // Whether the base has an inverse is public, too.
                    assert_public(2, "to a signed exponent", || power = owner.pow(&secret_x, signed));
                    let base = if negative { modulus.invert(&x).unwrap() } else { x.clone() };
                    assert_power("to a signed exponent", power, &modulus.pow_vartime(&base, &e).unwrap());
                }
            }
        }
    });
}

#[test]
fn powers_modulo_even_numbers() {
    watch(|| {
        // 2^200·(2^521 − 1), and 2^100.
        let odd = BoxedUint::max(521).shr(BoxedUint::max(521).bits() - 521).resize(768);
        for (value, parts) in [(odd.shl(200), 2), (BoxedUint::one_with_precision(128).shl(100), 1)] {
            let m = EvenModulus::new(&value).unwrap();
            // Exponents with and without shortening.
            for bits in [64, 320] {
                let expected = m.pow_vartime(&number(1, 300), &number(2, bits));
                let (x, e) = (secret(1, 300), secret(2, bits));
                let mut power = Ok(BoxedUint::one());
                assert_constant_time("modulo an even number", || power = Ok(m.pow(&x, &e)));
                assert_power("modulo an even number", power, &expected);
            }
            // Numbers here are even, and an invertible one is odd: adding 1 makes it so, and its
            // lowest bit stays secret.
            let one = BoxedUint::one_with_precision(300);
            let expected = m.invert_vartime(&number(1, 300).wrapping_add(&one)).unwrap();
            let x = secret(1, 300).wrapping_add(&one);
            let mut inverse = Ok(BoxedUint::one());
            // Whether the inverse modulo a part exists is public.
            assert_public(parts, "an inverse modulo an even number", || inverse = m.invert(&x));
            assert_power("an inverse modulo an even number", inverse, &expected);
        }
    });
}

#[test]
fn batches_of_powers() {
    watch(|| {
        for p in moduli() {
            let bases: Vec<_> = (0..9).map(|i| secret(i, p.bits() - 1)).collect();
            let exponents: Vec<_> = (0..9).map(|i| secret(i + 20, 128)).collect();
            let mut powers = Vec::new();
            assert_constant_time(p.kernel_name(), || powers = p.pow_batch(bases.iter().zip(&exponents)));
            for (i, power) in (0..9).zip(powers) {
                let expected = p.pow_vartime(&number(i, p.bits() - 1), &number(i + 20, 128));
                assert_power(p.kernel_name(), power, &expected.unwrap());
            }
        }
    });
}

#[test]
fn products_of_powers_of_variable_bases() {
    watch(|| {
        for p in moduli() {
            let lengths = [128, 64, 160, 70, 128, 128, 130, 128, 128];
            let numbers: Vec<_> =
                (0..9).map(|i| (number(i, p.bits() - 1), number(i + 20, lengths[i as usize]))).collect();
            let expected = p.multi_pow_vartime(numbers.iter().map(|(x, e)| (x, e))).unwrap();
            let secrets: Vec<_> =
                (0..9).map(|i| (secret(i, p.bits() - 1), secret(i + 20, lengths[i as usize]))).collect();
            let mut product = Ok(BoxedUint::one());
            assert_constant_time(p.kernel_name(), || {
                product = p.multi_pow(secrets.iter().map(|(x, e)| (x, e)));
            });
            assert_power(p.kernel_name(), product, &expected);
            // Public: whether all bases have inverses. Those of a thread share an inversion,
            // whatever the signs.
            let found = [true, false].map(|negative| {
                leaks(|| {
                    let signed =
                        secrets.iter().map(|(x, e)| (x, SignedExponent::new(secret_sign(negative), e)));
                    drop(black_box(p.multi_pow(signed)));
                })
            });
            let inversions = if is_watched() { 1..=threads().min(secrets.len()) } else { 0..=0 };
            assert!(found[0] == found[1] && inversions.contains(&found[0]), "{}: {found:?}", p.kernel_name());
        }
    });
}

#[test]
fn powers_of_fixed_bases() {
    watch(|| {
        const METHODS: &[(&str, u32)] = &[
            ("radix:16", 1),
            ("radix:91", 2),
            ("comb:5,3", 1),
            ("comb:6,1", 2),
            ("comb:5,4,2", 3),
            ("m0m1:31,7", 1),
            ("residue-digits:11,8", 1),
            ("residue-digits:13,12", 2),
        ];
        assert_eq!(Method::missing_in(METHODS.iter().map(|&(method, _)| method)), []);
        for p in kernels().map(|choice| mersenne(choice, 521)) {
            let (g, x) = (BoxedUint::from(3u64), secret(5, p.bits() - 1));
            let (a, b, long) = (secret(3, 128), secret(4, 128), secret(6, 320));
            let expected = p.pow_vartime(&g, &number(3, 128)).unwrap();
            for &(method, split) in METHODS.iter().filter(|(_, split)| *split <= p.max_split()) {
                let what = format!("{} {method} split {split}", p.kernel_name());
                let builder = FixedBase::builder(&p, &g).exponent_bits(128).split(split);
                let table = builder.method(method.parse().unwrap()).build().unwrap();
                let mut power = Ok(BoxedUint::one());
                assert_constant_time(&what, || power = table.pow(&a));
                assert_power(&what, power, &expected);
                assert_constant_time(&what, || {
                    let negative = secret_sign(true);
                    drop(black_box(table.pow(SignedExponent::new(negative, &a))));
                    // More than half a row of lanes for each of a few threads.
                    drop(black_box(table.pow_batch([&a, &b].into_iter().cycle().take(40))));
                    drop(black_box(table.pow_times(&a, &x, &b)));
                    drop(black_box(table.pow_long(&long)));
                    let product = MultiExponentiation::new([&table, &table]).unwrap();
                    drop(black_box(product.pow([&a, &b])));
                    let signs = [true, false].map(secret_sign);
                    drop(black_box(
                        product.pow([SignedExponent::new(signs[0], &a), SignedExponent::new(signs[1], &b)]),
                    ));
                });
                // Public: whether the variable base has an inverse.
                for negative in [true, false] {
                    assert_public(1, &what, || {
                        let [a, b] = [&a, &b].map(|e| SignedExponent::new(secret_sign(negative), e));
                        drop(black_box(table.pow_times(a, &x, b)));
                    });
                }
            }
        }
    });
}

/// Exponents longer than the table allows are first reduced by the order; at lengths used in
/// practice.
#[test]
fn powers_with_an_order() {
    watch(|| {
        for (choice, name) in kernels().flat_map(|choice| {
            ["dsa-2048-256", "dsa-3072-256", "electionguard-v2.1"].map(|name| (choice, name))
        }) {
            let group = Group::named(name).unwrap();
            let p = Modulus::with_kernel(group.modulus(), choice).unwrap();
            let builder = FixedBase::builder(&p, group.generator()).exponent_bits(256).order(group.order());
            let table = builder.method("comb:4,2".parse().unwrap()).build().unwrap();
            let (long, secret_long) = (number(6, 320), secret(6, 320));
            let expected = table.pow_vartime(&long).unwrap();
            let mut power = Ok(BoxedUint::one());
            let what = format!("{name} by {}", p.kernel_name());
            assert_constant_time(&what, || power = table.pow(&secret_long));
            assert_power(&what, power, &expected);
        }
    });
}

/// A variable base at lengths used in practice.
#[test]
fn powers_of_long_bases() {
    watch(|| {
        for (choice, bits) in kernels().flat_map(|choice| [1024, 2048, 3072, 4096].map(|bits| (choice, bits)))
        {
            let p = Modulus::with_kernel(&BoxedUint::max(bits), choice).unwrap();
            let (x, e) = (number(1, bits - 1), number(2, 64));
            let (secret_x, secret_e) = (secret(1, bits - 1), secret(2, 64));
            let expected = p.pow_vartime(&x, &e).unwrap();
            let what = format!("{} at {bits} bits", p.kernel_name());
            let mut power = Ok(BoxedUint::one());
            assert_constant_time(&what, || power = Ok(p.pow(&secret_x, &secret_e)));
            assert_power(&what, power, &expected);
        }
    });
}
